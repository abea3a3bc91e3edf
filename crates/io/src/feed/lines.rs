//! Which line serves a location most often: the rule that [`crate::read_gtfs_lines`] states.

use rustc_hash::{FxHashMap, FxHashSet};
use wayveil_core::{Error, Group, Result, Taxonomy};

use super::sheet::{InColumn, text};
use super::{Feed, Ids, ROUTES, STOP_TIMES, TRIPS, unknown};
use crate::universe::check_label;

/// The tables that the rule needs.
pub(crate) const NEEDED: [&str; 3] = [ROUTES, TRIPS, STOP_TIMES];

/// What the group of locations without any line is called.
const UNSERVED: &str = "unserved";

/// The lines of a feed, and how many stop-times each has at each location.
pub(crate) struct Lines {
    routes: Routes,
    counts: FxHashMap<(u32, u32), u64>,
}

impl Lines {
    /// Counts stop-times. `locations` tells for which locations one at a stop counts, by the
    /// stop's id. Where `route_types` names any, routes of other types count for nothing.
    pub(crate) fn read<I: IntoIterator<Item = u32>>(
        feed: &Feed,
        route_types: &[u16],
        locations: impl Fn(&str) -> InColumn<I>,
    ) -> Result<Self> {
        let routes = Routes::read(feed, route_types)?;
        let trips = Trips::read(feed, &routes)?;
        let sheet = feed.need_sheet(STOP_TIMES, WHOLE)?;
        let (trip, stop) = (sheet.column("trip_id")?, sheet.column("stop_id")?);
        let mut counts = FxHashMap::default();
        sheet.for_each(|_, fields| {
            // A row of on-demand service names an area instead of a stop, and counts for nothing.
            for location in locations(&fields[stop])? {
                let trip = (trips.ids.find(&fields[trip]))
                    .ok_or_else(|| unknown("trip_id", &fields[trip], TRIPS))?;
                let route = trips.routes[trip as usize];
                if routes.wanted[route as usize] {
                    *counts.entry((location, route)).or_default() += 1;
                }
            }
            Ok(())
        })?;
        Ok(Self { routes, counts })
    }

    /// The route with the most stop-times at each location, of equals the one with the least id.
    pub(crate) fn busiest(&self, locations: usize) -> Vec<Option<u32>> {
        let mut best: Vec<Option<(u64, u32)>> = vec![None; locations];
        let id = |route: u32| self.routes.ids.get(route);
        for (&(location, route), &count) in &self.counts {
            let best = &mut best[location as usize];
            let is_better = best.is_none_or(|(most, rival)| (count, id(rival)) > (most, id(route)));
            if is_better {
                *best = Some((count, route));
            }
        }
        best.into_iter()
            .map(|best| best.map(|(_, route)| route))
            .collect()
    }

    /// The groups of the routes that locations belong to; locations without one share a group of
    /// their own.
    pub(crate) fn taxonomy(&self, route_of_location: &[Option<u32>]) -> Result<Taxonomy> {
        let used: FxHashSet<u32> = route_of_location.iter().flatten().copied().collect();
        let mut groups = Vec::new();
        let mut group_of_route = vec![0; self.routes.ids.len()];
        for (route, label) in self.routes.labels().into_iter().enumerate() {
            if used.contains(&(route as u32)) {
                group_of_route[route] = groups.len() as u32;
                groups.push(top(label));
            }
        }
        let unserved = groups.len() as u32;
        if route_of_location.contains(&None) {
            let mut label = UNSERVED.to_owned();
            while groups.iter().any(|group| group.label == label) {
                label.push('_');
            }
            groups.push(top(&label));
        }
        let group_of_location = route_of_location
            .iter()
            .map(|route| route.map_or(unserved, |route| group_of_route[route as usize]));
        Taxonomy::new(groups, group_of_location.collect())
    }
}

/// What to do about a feed that lacks a table of the timetable.
pub(crate) const WHOLE: &str = "give the folder or archive of a whole GTFS feed, with routes.txt, trips.txt and \
     stop_times.txt";

fn top(label: &str) -> Group {
    Group {
        label: label.to_owned(),
        parent: None,
    }
}

struct Routes {
    ids: Ids,
    /// Empty where a route has none.
    short_names: Vec<String>,
    /// Whether stop-times of the route count.
    wanted: Vec<bool>,
}

impl Routes {
    fn read(feed: &Feed, types: &[u16]) -> Result<Self> {
        let sheet = feed.need_sheet(ROUTES, WHOLE)?;
        let id = sheet.column("route_id")?;
        let short_name = sheet.optional_column("route_short_name")?;
        let kind = match types {
            [] => None,
            _ => Some(sheet.column("route_type")?),
        };
        let mut routes = Self {
            ids: Ids::default(),
            short_names: Vec::new(),
            wanted: Vec::new(),
        };
        let mut seen = FxHashSet::default();
        let file = sheet.file().to_owned();
        sheet.for_each(|line, fields| {
            routes.ids.add(&fields[id], line, "route_id")?;
            let name = text(fields, short_name);
            if !name.is_empty() {
                check_label(name, "name").map_err(|error| ("route_short_name", error))?;
            }
            routes.short_names.push(name.to_owned());
            let wanted = match kind {
                None => true,
                Some(column) => {
                    let kind = route_type(fields[column].trim())?;
                    seen.insert(kind);
                    types.contains(&kind)
                }
            };
            routes.wanted.push(wanted);
            Ok(())
        })?;
        if !routes.wanted.contains(&true) && !types.is_empty() {
            let mut seen: Vec<u16> = seen.into_iter().collect();
            seen.sort_unstable();
            return Err(Error::input(format!(
                "no route has one of the wanted route types {}; those of the feed are {}",
                listed(types),
                listed(&seen)
            ))
            .in_file(file)
            .at_column("route_type")
            .hint("choose others with --route-type; 0 tram, 1 metro, 2 rail, 3 bus, 4 ferry"));
        }
        Ok(routes)
    }

    /// The label of every route's group: unique, because a short name is used only where it is
    /// neither the short name nor the id of another route.
    fn labels(&self) -> Vec<&str> {
        let mut bearers: FxHashMap<&str, u32> = FxHashMap::default();
        for name in &self.short_names {
            *bearers.entry(name).or_default() += 1;
        }
        let is_unique = |route: u32, name: &str| {
            let is_other_id = self.ids.find(name).is_some_and(|other| other != route);
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
}

fn route_type(text: &str) -> InColumn<u16> {
    text.parse().map_err(|_| {
        let problem = format!("invalid route_type (got {text:?}): a whole number");
        let hint = "the file does not follow GTFS; fetch the feed again";
        ("route_type", Error::input(problem).hint(hint))
    })
}

/// Numbers for a message.
pub(crate) fn listed(numbers: &[u16]) -> String {
    let texts: Vec<_> = numbers.iter().map(u16::to_string).collect();
    texts.join(", ")
}

struct Trips {
    ids: Ids,
    routes: Vec<u32>,
}

impl Trips {
    fn read(feed: &Feed, known: &Routes) -> Result<Self> {
        let sheet = feed.need_sheet(TRIPS, WHOLE)?;
        let (id, route) = (sheet.column("trip_id")?, sheet.column("route_id")?);
        let (mut ids, mut routes) = (Ids::default(), Vec::new());
        sheet.for_each(|line, fields| {
            ids.add(&fields[id], line, "trip_id")?;
            let route = (known.ids.find(&fields[route]))
                .ok_or_else(|| unknown("route_id", &fields[route], ROUTES))?;
            routes.push(route);
            Ok(())
        })?;
        Ok(Self { ids, routes })
    }
}
