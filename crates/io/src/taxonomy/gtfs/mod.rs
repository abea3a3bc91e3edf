//! Takes a taxonomy line → stop from a published timetable.

mod stops;

use std::borrow::Cow;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};
use wayveil_core::{Error, Group, Result, Taxonomy, Universe};

use super::{InColumn, first_few, needed, too_many};
use crate::csv::Table;
use crate::input::Input;
use crate::intern::{Interner, Key};
use crate::universe::check_label;
use stops::Stops;

const ROUTES: &str = "routes.txt";
const TRIPS: &str = "trips.txt";
const STOP_TIMES: &str = "stop_times.txt";

/// Reads the taxonomy line → stop from a folder with a GTFS feed.
///
/// Lines cross, but a taxonomy must be a tree; so every location gets one line by a rule on the
/// timetable alone:
///
/// - A location belongs to the route with the most scheduled stop-times at it: rows of
///   `stop_times.txt`, each counted once, whatever days its trip runs on. Of routes with equally
///   many it is the one whose `route_id` comes first in the order of bytes.
/// - Stop-times at a stop count for the stop and for its `parent_station`.
/// - The universe's labels are `stop_id`s if all of them are found there, else `stop_code`s; stops
///   of one code are one location. Without `stops.txt` they are `stop_id`s.
/// - A group is called by its `route_short_name` if no other route has that as its short name or
///   id, else by its `route_id`. Groups come in the order of `routes.txt`; routes that no location
///   belongs to are left out.
///
/// `stop_times.txt` is read as a stream; memory holds the ids of routes, trips and stops, and one
/// counter for each location and route that meet.
pub fn read_gtfs_lines(folder: &Path, universe: &Universe) -> Result<Taxonomy> {
    check_folder(folder)?;
    let routes = Routes::read(folder)?;
    let trips = Trips::read(folder, &routes)?;
    let stops = Stops::read(folder, universe)?;
    let counts = count(folder, &trips, &stops)?;
    let route_of_location = busiest(&counts, &routes, universe.len());
    let unserved: Vec<&str> = (universe.locations().iter())
        .zip(&route_of_location)
        .filter(|(_, route)| route.is_none())
        .map(|(location, _)| location.label.as_str())
        .collect();
    if !unserved.is_empty() {
        return Err(Error::input(format!(
            "no scheduled trip stops at {} of the universe's locations: {}",
            unserved.len(),
            first_few(&unserved)
        ))
        .in_file(folder.join(STOP_TIMES).display().to_string())
        .hint(
            "take a feed that serves them, leave them out of the universe, or write a table \
             label,parent that says where they belong",
        ));
    }
    let of_location: Vec<u32> = route_of_location.into_iter().flatten().collect();
    routes.taxonomy(&of_location)
}

/// Says what is wrong with a folder before anything in it is read.
fn check_folder(folder: &Path) -> Result<()> {
    let name = folder.display().to_string();
    if !folder.is_dir() {
        let is_zip = folder
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("zip"));
        return Err(if !folder.exists() {
            Error::input("there is no such folder")
                .hint("check the path; it is taken relative to the current folder")
        } else if is_zip {
            Error::input("the feed is a zip archive; a folder is needed")
                .hint(format!("unzip {name} -d gtfs, then give the folder gtfs"))
        } else {
            Error::input("this is a file, not a folder").hint("give the folder of a GTFS feed")
        }
        .in_file(name));
    }
    for file in [ROUTES, TRIPS, STOP_TIMES] {
        if !folder.join(file).exists() {
            return Err(Error::input(format!("the feed has no {file}"))
                .in_file(name)
                .hint(format!(
                    "give the folder of a whole GTFS feed, with {ROUTES}, {TRIPS} and {STOP_TIMES}"
                )));
        }
    }
    Ok(())
}

/// One file of a feed.
struct Sheet {
    table: Table,
    file: String,
}

impl Sheet {
    fn open(folder: &Path, file: &str) -> Result<Self> {
        let table = Table::open(Input::open(&folder.join(file))?, Some(b','))?;
        let file = table.blocks.name().to_owned();
        Ok(Self { table, file })
    }

    fn column(&self, wanted: &str) -> Result<usize> {
        let hint = "the file does not follow GTFS; fetch the feed again";
        needed(&self.table.header, &self.file, wanted, hint)
    }

    fn optional_column(&self, wanted: &str) -> Result<Option<usize>> {
        self.table.header.find(wanted)
    }

    /// Calls `each` with every row; its errors name their column and get file and line here.
    fn for_each(self, mut each: impl FnMut(&[Cow<'_, str>]) -> InColumn<()>) -> Result<()> {
        let file = self.file;
        self.table.for_each(|line, fields| {
            each(fields)
                .map_err(|(column, error)| error.in_file(&file).at_line(line).at_column(column))
        })
    }
}

/// Adds an id that must be new. Ids are taken without the spaces that some feeds have after commas.
fn add_id(ids: &mut Interner, id: &str, column: &'static str) -> InColumn<u32> {
    let placed = |error| (column, error);
    let id = id.trim();
    check_label(id, "id").map_err(placed)?;
    let key = Key::of(id);
    if ids.find(id, key).is_some() {
        let problem = format!("the {column} {id:?} stands here a second time");
        let hint = "ids are unique in GTFS; fetch the feed again";
        return Err(placed(Error::input(problem).hint(hint)));
    }
    ids.insert_new(id, key)
        .ok_or_else(|| placed(too_many("ids")))
}

fn find_id(ids: &Interner, id: &str) -> Option<u32> {
    let id = id.trim();
    ids.find(id, Key::of(id))
}

/// The error for an id that another file of the feed should have.
fn unknown(column: &'static str, id: &str, file: &str) -> (&'static str, Error) {
    let problem = format!("the {column} {:?} is not in {file}", id.trim());
    let hint = "the feed contradicts itself; fetch all of its files again";
    (column, Error::input(problem).hint(hint))
}

struct Routes {
    ids: Interner,
    /// Empty where a route has none.
    short_names: Vec<String>,
}

impl Routes {
    fn read(folder: &Path) -> Result<Self> {
        let sheet = Sheet::open(folder, ROUTES)?;
        let id = sheet.column("route_id")?;
        let short_name = sheet.optional_column("route_short_name")?;
        let (mut ids, mut short_names) = (Interner::default(), Vec::new());
        sheet.for_each(|fields| {
            add_id(&mut ids, &fields[id], "route_id")?;
            let name = short_name.map_or("", |column| fields[column].trim());
            if !name.is_empty() {
                check_label(name, "name").map_err(|error| ("route_short_name", error))?;
            }
            short_names.push(name.to_owned());
            Ok(())
        })?;
        Ok(Self { ids, short_names })
    }

    /// The label of every route's group: unique, because a short name is used only where it is
    /// neither the short name nor the id of another route.
    fn labels(&self) -> Vec<&str> {
        let mut bearers: FxHashMap<&str, u32> = FxHashMap::default();
        for name in &self.short_names {
            *bearers.entry(name).or_default() += 1;
        }
        let is_unique = |route: u32, name: &str| {
            let is_other_id = find_id(&self.ids, name).is_some_and(|other| other != route);
            bearers[name] == 1 && !is_other_id
        };
        (0..)
            .zip(&self.short_names)
            .map(|(route, name)| {
                if !name.is_empty() && is_unique(route, name) {
                    name.as_str()
                } else {
                    self.ids.get(route)
                }
            })
            .collect()
    }

    /// The groups of the routes that locations belong to.
    fn taxonomy(&self, route_of_location: &[u32]) -> Result<Taxonomy> {
        let used: FxHashSet<u32> = route_of_location.iter().copied().collect();
        let mut groups = Vec::new();
        let mut group_of_route = vec![0; self.ids.len()];
        for (route, label) in self.labels().into_iter().enumerate() {
            if used.contains(&(route as u32)) {
                group_of_route[route] = groups.len() as u32;
                groups.push(Group {
                    label: label.to_owned(),
                    parent: None,
                });
            }
        }
        let group_of_location = route_of_location
            .iter()
            .map(|&route| group_of_route[route as usize]);
        Taxonomy::new(groups, group_of_location.collect())
    }
}

struct Trips {
    ids: Interner,
    routes: Vec<u32>,
}

impl Trips {
    fn read(folder: &Path, known: &Routes) -> Result<Self> {
        let sheet = Sheet::open(folder, TRIPS)?;
        let (id, route) = (sheet.column("trip_id")?, sheet.column("route_id")?);
        let (mut ids, mut routes) = (Interner::default(), Vec::new());
        sheet.for_each(|fields| {
            add_id(&mut ids, &fields[id], "trip_id")?;
            let route = find_id(&known.ids, &fields[route])
                .ok_or_else(|| unknown("route_id", &fields[route], ROUTES))?;
            routes.push(route);
            Ok(())
        })?;
        Ok(Self { ids, routes })
    }
}

/// How many stop-times every route has at every location.
fn count(folder: &Path, trips: &Trips, stops: &Stops) -> Result<FxHashMap<(u32, u32), u64>> {
    let sheet = Sheet::open(folder, STOP_TIMES)?;
    let (trip, stop) = (sheet.column("trip_id")?, sheet.column("stop_id")?);
    let mut counts = FxHashMap::default();
    sheet.for_each(|fields| {
        // A row of on-demand service names an area instead of a stop, and counts for nothing.
        for location in stops.locations(&fields[stop]) {
            let trip = find_id(&trips.ids, &fields[trip])
                .ok_or_else(|| unknown("trip_id", &fields[trip], TRIPS))?;
            *counts
                .entry((location, trips.routes[trip as usize]))
                .or_default() += 1;
        }
        Ok(())
    })?;
    Ok(counts)
}

/// The route with the most stop-times at each location, of equals the one with the least id.
fn busiest(
    counts: &FxHashMap<(u32, u32), u64>,
    routes: &Routes,
    locations: usize,
) -> Vec<Option<u32>> {
    let mut best: Vec<Option<(u64, u32)>> = vec![None; locations];
    for (&(location, route), &count) in counts {
        let best = &mut best[location as usize];
        let is_better = best.is_none_or(|(most, rival)| {
            (count, routes.ids.get(rival)) > (most, routes.ids.get(route))
        });
        if is_better {
            *best = Some((count, route));
        }
    }
    best.into_iter()
        .map(|best| best.map(|(_, route)| route))
        .collect()
}

#[cfg(test)]
mod tests;
