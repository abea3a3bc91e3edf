//! The public set of locations as the command line states it.

use std::sync::Arc;

use wayveil_core::{Error, Result, Universe};
use wayveil_io::place::parse_metres;
use wayveil_io::{FeedUniverse, Places, UniverseChoice, read_any_universe};

use super::arguments::PlaceArguments;

impl PlaceArguments {
    /// Whether points are asked for.
    pub(super) fn wants_points(&self) -> bool {
        self.grid.is_some() || self.h3.is_some() || self.nearest.is_some()
    }

    /// The universe of labels.
    pub(super) fn choice(&self) -> Result<UniverseChoice> {
        match (self.declared()?, self.universe_from_data) {
            (Some(universe), _) => Ok(UniverseChoice::Declared(universe)),
            (None, true) => Ok(UniverseChoice::FromData),
            (None, false) => Err(Error::input(
                "the set of locations is a public input and must be given",
            )
            .hint(
                "add --universe FILE with one label per line, or --universe-from-data if the \
                     list may be revealed",
            )),
        }
    }

    fn declared(&self) -> Result<Option<Universe>> {
        let options = FeedUniverse::new(self.stations, self.stop_codes);
        match &self.universe {
            Some(path) => read_any_universe(path, &options).map(Some),
            None => Ok(None),
        }
    }

    /// The way from points to locations.
    pub(super) fn places(&self) -> Result<Arc<Places>> {
        if self.universe_from_data {
            return Err(Error::input(
                "the cells or stops of points are a public input, never taken from the data",
            )
            .hint("state --area S,W,N,E with --grid or --h3, or --universe FILE with --nearest"));
        }
        let area = match &self.area {
            Some(area) => Some(area.parse()?),
            None => None,
        };
        let needs = |what: &str, hint: &str| Error::input(what.to_owned()).hint(hint.to_owned());
        let places = match (&self.grid, self.h3, &self.nearest) {
            (Some(grid), _, _) => {
                let area = area.ok_or_else(|| {
                    needs(
                        "a grid needs the public area that it covers",
                        "--area 39.75,116.2,40.05,116.55 --grid 32x32",
                    )
                })?;
                match grid.split_once(['x', '×']) {
                    Some((rows, columns)) => {
                        Places::grid(area, count(rows, grid)?, count(columns, grid)?)
                    }
                    None => Places::grid_of_metres(area, parse_metres(grid)?),
                }
            }
            (None, Some(resolution), _) => match (area, self.declared()?) {
                (Some(area), None) => Places::h3(area, resolution),
                (None, Some(universe)) => Places::h3_of(universe, resolution),
                (Some(_), Some(_)) => Err(needs(
                    "--area and --universe both say which H3 cells there are",
                    "leave one of them out",
                )),
                (None, None) => Err(needs(
                    "H3 cells need the public area that they cover",
                    "--area 39.75,116.2,40.05,116.55 --h3 8, or --universe FILE with cell ids",
                )),
            },
            (None, None, Some(distance)) => {
                let universe = self.declared()?.ok_or_else(|| {
                    needs(
                        "the nearest location of what? The set of locations must be given",
                        "--universe stops.csv with the columns label, lat, lng, or a GTFS feed",
                    )
                })?;
                Places::nearest(universe, parse_metres(distance)?)
            }
            (None, None, None) => Err(needs(
                "points must become locations of a public set",
                "--area S,W,N,E with --grid 32x32 (or 500m) or --h3 8; or --universe stops.csv \
                 --nearest 300m",
            )),
        };
        places.map(Arc::new)
    }
}

fn count(text: &str, grid: &str) -> Result<u32> {
    text.trim().parse().map_err(|_| {
        Error::input(format!("invalid grid (got {grid:?})"))
            .hint("--grid 32x32 for rows and columns, or --grid 500m for the size of a cell")
    })
}
