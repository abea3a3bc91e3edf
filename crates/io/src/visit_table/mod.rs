//! Wayveil's own table of visits, as `wayveil convert --to csv` writes it.
//!
//! The columns are those that [`crate::export`] documents, in any order; every other column is an
//! attribute of the trajectory. Rows are grouped: the numbers of trajectories rise, and within one
//! the positions do. Gaps are allowed, for tables from which rows were taken out. All rows of a
//! trajectory have the same owner and attributes. A trajectory without visits is one row with
//! position 0 and an empty location. Memory is needed for the result alone.

mod read;

use crate::sequence_builder::Bins;
use crate::universe::{UniverseChoice, Unknown};
pub use read::{read_visits, read_visits_from};

/// The column of owners, where they are known.
pub(crate) const UID: &str = "uid";
/// The columns that every table has: number of the trajectory, position in it, label.
pub(crate) const COLUMNS: [&str; 3] = ["trajectory", "position", "location"];
/// The column of time bins in timed data.
pub(crate) const BIN: &str = "bin";

/// How a table of visits is to be read.
#[derive(Clone, Debug)]
pub struct VisitsOptions {
    /// The set of locations.
    pub universe: UniverseChoice,
    /// What to do with locations outside of it.
    pub unknown: Unknown,
    /// The number of time bins. If not said, it may be taken from the data only where the
    /// locations are, too.
    pub bins: Option<Bins>,
    /// The name under which spending on these people is kept.
    pub population: String,
}

impl VisitsOptions {
    /// Nothing unknown accepted; timed only where the universe is taken from the data.
    pub fn new(universe: UniverseChoice, population: impl Into<String>) -> Self {
        Self {
            universe,
            unknown: Unknown::Error,
            bins: None,
            population: population.into(),
        }
    }
}

#[cfg(test)]
mod tests;
