//! Which locations of the universe a feed's stops are.

use wayveil_core::{Error, Result, Universe};

use crate::feed::{Feed, Ids, STOPS};
use crate::taxonomy::first_few;

const NO_LOCATION: u32 = u32::MAX;

/// The stops, and the locations that each counts for.
pub(super) enum Stops<'a> {
    /// By the feed's list of stops.
    Listed {
        ids: Ids,
        /// A stop's own location and its station's, or [`NO_LOCATION`].
        locations: Vec<[u32; 2]>,
    },
    /// Without a list of stops, the labels are taken for ids.
    Unlisted(&'a Universe),
}

impl<'a> Stops<'a> {
    pub(super) fn read(feed: &Feed, universe: &'a Universe) -> Result<Self> {
        let Some(sheet) = feed.open_sheet(STOPS)? else {
            return Ok(Self::Unlisted(universe));
        };
        let id = sheet.column("stop_id")?;
        let code = sheet.optional_column("stop_code")?;
        let parent = sheet.optional_column("parent_station")?;
        let file = sheet.file().to_owned();
        let mut ids = Ids::default();
        let (mut by_id, mut by_code) = (Match::new(universe), Match::new(universe));
        let mut parents = Vec::new();
        sheet.for_each(|line, fields| {
            let text = |column: Option<usize>| column.map_or("", |column| fields[column].trim());
            ids.add(&fields[id], line, "stop_id")?;
            by_id.add(&fields[id]);
            by_code.add(text(code));
            parents.push(text(parent).to_owned());
            Ok(())
        })?;
        let own = best_match(by_id, by_code).map_err(|error| error.in_file(file))?;
        let locations = own.iter().zip(&parents).map(|(&location, parent)| {
            let station = ids.find(parent).map(|stop| own[stop as usize]);
            // Stops that share a code with their station count once.
            let station = station.filter(|&station| station != location);
            [location, station.unwrap_or(NO_LOCATION)]
        });
        Ok(Self::Listed {
            locations: locations.collect(),
            ids,
        })
    }

    /// The locations for which a stop-time at this stop counts.
    pub(super) fn locations(&self, stop_id: &str) -> impl Iterator<Item = u32> + use<> {
        let locations = match self {
            Self::Listed { ids, locations } => {
                ids.find(stop_id).map(|stop| locations[stop as usize])
            }
            Self::Unlisted(universe) => {
                let code = universe.code(stop_id.trim());
                code.map(|code| [code, NO_LOCATION])
            }
        };
        let locations = locations.into_iter().flatten();
        locations.filter(|&location| location != NO_LOCATION)
    }
}

/// The locations of all stops by one column of `stops.txt`.
struct Match<'a> {
    universe: &'a Universe,
    /// Each stop's location, or [`NO_LOCATION`].
    of_stop: Vec<u32>,
    found: Vec<bool>,
}

impl<'a> Match<'a> {
    fn new(universe: &'a Universe) -> Self {
        Self {
            universe,
            of_stop: Vec::new(),
            found: vec![false; universe.len()],
        }
    }

    fn add(&mut self, label: &str) {
        let location = self.universe.code(label.trim());
        if let Some(location) = location {
            self.found[location as usize] = true;
        }
        self.of_stop.push(location.unwrap_or(NO_LOCATION));
    }

    fn missing(&self) -> Vec<&'a str> {
        let locations = self.universe.locations().iter().zip(&self.found);
        locations
            .filter(|(_, found)| !**found)
            .map(|(location, _)| location.label.as_str())
            .collect()
    }
}

/// The column that has all labels. Never both at once: one stop's id may be another one's code.
fn best_match(by_id: Match<'_>, by_code: Match<'_>) -> Result<Vec<u32>> {
    let (no_id, no_code) = (by_id.missing(), by_code.missing());
    if no_id.is_empty() {
        return Ok(by_id.of_stop);
    }
    if no_code.is_empty() {
        return Ok(by_code.of_stop);
    }
    let (column, missing) = if no_id.len() <= no_code.len() {
        ("stop_id", no_id)
    } else {
        ("stop_code", no_code)
    };
    Err(Error::input(format!(
        "the feed has no {column} for {} of the universe's {} locations: {}",
        missing.len(),
        by_id.universe.len(),
        first_few(&missing)
    ))
    .at_column(column)
    .hint("label all locations by stop_id or all by stop_code, and take a feed that has them"))
}
