//! `seq`, the plain exchange format: one trajectory per line.
//!
//! ```text
//! Berri@7 Papineau@8<tab>Flu
//! ```
//! Symbols are separated by blanks. A symbol is a location's label or `label@bin`; all of a file
//! are of one kind. Values of attributes follow, each after a tab. Blanks, tabs, `@`, `%` and
//! control characters inside labels and values are written as `%` and two hexadecimal digits, for
//! each byte of their UTF-8 form.
//!
//! An empty line is a trajectory without visits, so that reading gives back what was written. Each
//! line is its own owner: ids are not part of the format, and two lines of one person cannot be
//! recognised as such.

mod escape;
mod read;
mod write;

pub use crate::sequence_builder::Bins;
use crate::universe::{UniverseChoice, Unknown};
pub(crate) use escape::{unescape, write_escaped};
pub use read::{read_seq, read_seq_from};
pub use write::{write_published_seq, write_raw_seq};

/// How a `seq` file is to be read.
#[derive(Clone, Debug)]
pub struct SeqOptions {
    /// The set of locations.
    pub universe: UniverseChoice,
    /// What to do with locations outside of it.
    pub unknown: Unknown,
    /// The number of time bins. If not said, it may be taken from the data only where the
    /// locations are, too.
    pub bins: Option<Bins>,
    /// Names of the attributes; if empty, `sensitive` for one, `sensitive1` and so on for several.
    pub attributes: Vec<String>,
    /// The name under which spending on these people is kept.
    pub population: String,
}

impl SeqOptions {
    /// Untimed or with the universe's kind of time axis, nothing unknown accepted.
    pub fn new(universe: UniverseChoice, population: impl Into<String>) -> Self {
        Self {
            universe,
            unknown: Unknown::Error,
            bins: None,
            attributes: Vec::new(),
            population: population.into(),
        }
    }
}

#[cfg(test)]
mod tests;
