//! The universe of a feed's stops or stations.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use wayveil_core::{Error, Location, Origin, Result, Universe, UniverseDocument};

use super::lines::{Lines, NEEDED, WHOLE, listed};
use super::stops::{Kind, StopList};
use super::{Feed, STOP_TIMES, STOPS, unknown};

/// What the locations are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Every stop and platform (`location_type` 0).
    #[default]
    Stops,
    /// Every station (`location_type` 1), and every stop that lies in none. A stop in a station
    /// counts as the station.
    Stations,
}

/// By which column locations are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopLabel {
    /// The `stop_id`, which is unique.
    #[default]
    StopId,
    /// The `stop_code`, which riders know. Stops of one code are one location, called and placed as
    /// the one with the least `stop_id`.
    StopCode,
}

impl StopLabel {
    fn column(self) -> &'static str {
        match self {
            Self::StopId => "stop_id",
            Self::StopCode => "stop_code",
        }
    }
}

/// Which universe to take from a feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedUniverse {
    /// What the locations are.
    pub level: Level,
    /// By which column they are called.
    pub label: StopLabel,
    /// Only locations at which a route of one of these types stops; all where empty. The lines
    /// that group locations are then of these types too. Needs the timetable.
    pub route_types: Vec<u16>,
}

/// The universe of a feed, and what to know about it.
#[derive(Clone, Debug)]
pub struct FeedLocations {
    /// The locations in the order of the bytes of their `stop_id`s, with names, coordinates and,
    /// where the feed has a timetable, the line of each.
    pub universe: Universe,
    /// Other names of locations, and the label each stands for, in the order of bytes: the
    /// `stop_id` and `stop_code` of everything that counts as a location, at the level of stations
    /// also of their platforms and entrances.
    pub aliases: Vec<(String, String)>,
    /// Names that are no alias because they could stand for more than one location.
    pub ambiguous_aliases: u64,
    /// Stops that were joined to another one because both have the same `stop_code`.
    pub merged: u64,
    /// Rows of `stops.txt` that are neither a location nor count as one.
    pub left_out: u64,
    /// Locations at which no scheduled trip stops; they share a group of their own.
    pub unserved: u64,
    /// What else the publisher should know, in words.
    pub notes: Vec<String>,
}

/// Takes the universe of stops or stations from a feed.
///
/// Where the feed has `routes.txt`, `trips.txt` and `stop_times.txt`, locations are grouped by line
/// with the rule of [`read_gtfs_lines`](crate::read_gtfs_lines), except that locations without any
/// stop-time share a group called `unserved`. Otherwise there is no taxonomy, and a note says so.
pub fn read_feed_universe(feed: &Feed, options: &FeedUniverse) -> Result<FeedLocations> {
    let list = StopList::read(feed)?;
    let mut draft = Draft::new(&list, options)?;
    let missing: Vec<&str> = (NEEDED.into_iter())
        .filter(|file| !feed.has(file))
        .collect();
    let mut notes = Vec::new();
    let lines = match missing[..] {
        [] => Some(draft.lines(feed, options)?),
        [first, ..] if !options.route_types.is_empty() => return Err(feed.missing(first, WHOLE)),
        _ => {
            notes.push(format!(
                "the feed has no timetable ({} missing): locations are not grouped by line",
                missing.join(", ")
            ));
            None
        }
    };
    let mut taxonomy = None;
    let mut unserved = 0;
    if let Some(lines) = lines {
        let mut line_of_location = lines.busiest(draft.locations.len());
        if !options.route_types.is_empty() {
            draft.keep(&mut line_of_location);
        }
        unserved = line_of_location.iter().filter(|it| it.is_none()).count() as u64;
        if draft.locations.is_empty() {
            return Err(Error::input(format!(
                "no route of type {} stops at any location",
                listed(&options.route_types)
            ))
            .in_file(feed.file_name(STOP_TIMES))
            .hint("choose others with --route-type"));
        }
        if unserved == draft.locations.len() as u64 {
            notes.push("no scheduled trip stops at any location: they are not grouped".into());
        } else {
            taxonomy = Some(lines.taxonomy(&line_of_location)?);
        }
    }
    let universe = draft.universe(origin(feed, options)?)?;
    let (aliases, ambiguous_aliases) = draft.aliases(&universe);
    let universe = match taxonomy {
        Some(taxonomy) => universe.with_taxonomy(taxonomy)?,
        None => universe,
    };
    Ok(FeedLocations {
        universe,
        aliases,
        ambiguous_aliases,
        merged: draft.merged,
        left_out: draft.left_out(),
        unserved,
        notes,
    })
}

/// What the universe is, in public words.
fn origin(feed: &Feed, options: &FeedUniverse) -> Result<Origin> {
    let level = match options.level {
        Level::Stops => "stops",
        Level::Stations => "stations",
    };
    let mut words = format!(
        "{}, {level} by {}",
        feed.in_words()?,
        options.label.column()
    );
    if !options.route_types.is_empty() {
        words += &format!(", route types {}", listed(&options.route_types));
    }
    Ok(Origin::Declared(words))
}

/// Stands for any location that was not kept.
const NOT_KEPT: u32 = u32::MAX;

/// The locations while they are being chosen.
struct Draft<'a> {
    list: &'a StopList,
    label: StopLabel,
    /// The row that each location is called and placed by.
    locations: Vec<u32>,
    /// The location that each row is or counts as.
    of_row: Vec<Option<u32>>,
    /// The location that each row names, which an entrance does without counting.
    named_by_row: Vec<Option<u32>>,
    merged: u64,
}

impl<'a> Draft<'a> {
    fn new(list: &'a StopList, options: &FeedUniverse) -> Result<Self> {
        let rows = 0..list.stops.len() as u32;
        let stop = |row: u32| &list.stops[row as usize];
        let stands_for = |row: u32| match (options.level, stop(row).kind) {
            (Level::Stops, Kind::Stop) | (Level::Stations, Kind::Station) => Some(row),
            (Level::Stations, Kind::Stop) => Some(stop(row).parent.unwrap_or(row)),
            _ => None,
        };
        let mut chosen: Vec<u32> = (rows.clone())
            .filter(|&row| stands_for(row) == Some(row))
            .collect();
        chosen.sort_unstable_by_key(|&row| list.ids.get(row));
        if chosen.is_empty() {
            return Err(Error::input("there is no stop in the feed")
                .in_file(&list.file)
                .hint("check that the feed is whole"));
        }
        let (mut locations, mut by_label) = (Vec::new(), FxHashMap::default());
        let mut location_of_chosen: FxHashMap<u32, u32> = FxHashMap::default();
        for &row in &chosen {
            let label = match options.label {
                StopLabel::StopId => list.ids.get(row),
                StopLabel::StopCode => stop(row).code.as_str(),
            };
            if label.is_empty() {
                let problem = format!("the stop {:?} has no stop_code", list.ids.get(row));
                let error = Error::input(problem).hint("label stops by their ids: --label id");
                return Err(list.placed(row, "stop_code", error));
            }
            let location = *by_label.entry(label).or_insert_with(|| {
                locations.push(row);
                locations.len() as u32 - 1
            });
            location_of_chosen.insert(row, location);
        }
        let location_of = |row: Option<u32>| location_of_chosen.get(&row?).copied();
        let named = |row: u32| match (options.level, stop(row).kind) {
            (Level::Stations, Kind::Entrance) => stop(row).parent,
            _ => stands_for(row),
        };
        Ok(Self {
            list,
            label: options.label,
            merged: (chosen.len() - locations.len()) as u64,
            of_row: (rows.clone())
                .map(|row| location_of(stands_for(row)))
                .collect(),
            named_by_row: rows.map(|row| location_of(named(row))).collect(),
            locations,
        })
    }

    fn label(&self, row: u32) -> &'a str {
        match self.label {
            StopLabel::StopId => self.list.ids.get(row),
            StopLabel::StopCode => &self.list.stops[row as usize].code,
        }
    }

    /// Counts the timetable's stop-times at the locations.
    fn lines(&self, feed: &Feed, options: &FeedUniverse) -> Result<Lines> {
        Lines::read(feed, &options.route_types, |stop| {
            if stop.trim().is_empty() {
                return Ok(None);
            }
            let row = (self.list.ids.find(stop)).ok_or_else(|| unknown("stop_id", stop, STOPS))?;
            Ok(self.of_row[row as usize])
        })
    }

    /// Keeps the locations that have a line.
    fn keep(&mut self, line_of_location: &mut Vec<Option<u32>>) {
        let mut kept = Vec::new();
        let new_code: Vec<Option<u32>> = (self.locations.iter().zip(&*line_of_location))
            .map(|(&row, line)| {
                line.map(|_| {
                    kept.push(row);
                    kept.len() as u32 - 1
                })
            })
            .collect();
        self.locations = kept;
        for location in &mut self.of_row {
            *location = location.and_then(|old| new_code[old as usize]);
        }
        for location in &mut self.named_by_row {
            *location = location.map(|old| new_code[old as usize].unwrap_or(NOT_KEPT));
        }
        line_of_location.retain(Option::is_some);
    }

    fn left_out(&self) -> u64 {
        self.of_row.iter().filter(|it| it.is_none()).count() as u64
    }

    fn universe(&self, origin: Origin) -> Result<Universe> {
        let locations = self.locations.iter().map(|&row| {
            let stop = &self.list.stops[row as usize];
            Location {
                label: self.label(row).to_owned(),
                name: Some(stop.name.clone()).filter(|name| !name.is_empty()),
                at: stop.at,
                group: None,
            }
        });
        Universe::try_from(UniverseDocument {
            origin,
            locations: locations.collect(),
            groups: Vec::new(),
        })
        .map_err(|error| error.in_file(&self.list.file))
    }

    /// Other names of locations, and how many names are left out because they are ambiguous. What
    /// also names a location that was not kept is ambiguous too.
    fn aliases(&self, universe: &Universe) -> (Vec<(String, String)>, u64) {
        let mut named: BTreeMap<&str, Option<u32>> = BTreeMap::new();
        for (row, stop) in (0..).zip(&self.list.stops) {
            let Some(location) = self.named_by_row[row as usize] else {
                continue;
            };
            for name in [self.list.ids.get(row), &stop.code] {
                match universe.code(name) {
                    _ if name.is_empty() => {}
                    Some(label) if label == location => {}
                    Some(_) => {
                        named.insert(name, None);
                    }
                    None => {
                        let known = named.entry(name).or_insert(Some(location));
                        *known = known.filter(|&known| known == location);
                    }
                }
            }
        }
        let ambiguous = named.values().filter(|it| it.is_none()).count() as u64;
        let aliases = named.into_iter().filter_map(|(name, location)| {
            let location = location.filter(|&location| location != NOT_KEPT)?;
            Some((name.to_owned(), universe.label(location).to_owned()))
        });
        (aliases.collect(), ambiguous)
    }
}
