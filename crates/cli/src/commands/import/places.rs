//! The universe of an import.

use std::sync::Arc;

use wayveil_core::{Error, Result, Universe};
use wayveil_io::place::parse_metres;
use wayveil_io::{Places, UniverseChoice};

use super::arguments::PlaceArguments;

impl PlaceArguments {
    /// Whether points are asked for.
    pub(super) fn wants_points(&self) -> bool {
        self.cells.are_given() || self.nearest.is_some()
    }

    /// The universe of labels.
    pub(super) fn choice(&self) -> Result<UniverseChoice> {
        match (&self.universe, self.universe_from_data) {
            (Some(path), _) => match &self.aliases {
                None => self.feed.read_universe(path),
                Some(aliases) => self.feed.read_universe(path)?.with_aliases(aliases),
            },
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
        match &self.universe {
            Some(path) => Ok(self.feed.read_universe(path)?.into_declared()),
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
        let declared = self.declared()?;
        if let Some(distance) = &self.nearest {
            let universe = declared.ok_or_else(|| {
                Error::input("the nearest location of what? The set of locations must be given")
                    .hint("--universe stops.csv with the columns label, lat, lng, or a GTFS feed")
            })?;
            return Places::nearest(universe, parse_metres(distance)?).map(Arc::new);
        }
        let places = self.cells.places(declared)?.ok_or_else(|| {
            Error::input("points must become locations of a public set").hint(
                "--area S,W,N,E with --grid 32x32 (or 500m) or --h3 8; or --universe stops.csv \
                 --nearest 300m",
            )
        })?;
        Ok(Arc::new(places))
    }
}
