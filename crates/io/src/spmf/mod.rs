//! The sequence databases of SPMF, a library of pattern mining.
//!
//! ```text
//! @CONVERTED_FROM_TEXT
//! @ITEM=1=apple
//! @ITEM=2=pear
//! 1 -1 2 -1 -2
//! ```
//! A line is a sequence of itemsets: `-1` ends an itemset, `-2` the sequence. A trajectory is at
//! one place at a time, so that an itemset holds one item unless [`Itemsets::Flatten`] is asked
//! for. The label of a location is the item's number, or its text where the header has `@ITEM`
//! lines, which then must name every item. In the form with time stamps, `<0> 1 -1 <3> 2 -1 -2`,
//! the number before an itemset is its time bin.
//!
//! Empty lines, and all other lines that begin with `#`, `%` or `@`, are skipped and counted.

mod names;
mod read;

use crate::sequence_builder::Bins;
use crate::universe::{UniverseChoice, Unknown};
pub use read::{read_spmf, read_spmf_from};

/// What to do with an itemset of several items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Itemsets {
    /// Stop and say where it is.
    #[default]
    Single,
    /// Take its items one after the other, in the order of the file.
    Flatten,
}

/// How an SPMF file is to be read.
#[derive(Clone, Debug)]
pub struct SpmfOptions {
    /// The set of locations.
    pub universe: UniverseChoice,
    /// What to do with locations outside of it.
    pub unknown: Unknown,
    /// The number of time bins, for files with time stamps. If not said, it may be taken from the
    /// data only where the locations are, too.
    pub bins: Option<Bins>,
    /// What to do with itemsets of several items.
    pub itemsets: Itemsets,
    /// The name under which spending on these people is kept.
    pub population: String,
}

impl SpmfOptions {
    /// One item at a time, nothing unknown accepted.
    pub fn new(universe: UniverseChoice, population: impl Into<String>) -> Self {
        Self {
            universe,
            unknown: Unknown::Error,
            bins: None,
            itemsets: Itemsets::Single,
            population: population.into(),
        }
    }
}

#[cfg(test)]
mod tests;
