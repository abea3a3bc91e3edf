//! What an import did, for the publisher's eyes.

use jiff::Timestamp;

/// Labels of unknown locations kept as examples.
const EXAMPLES: usize = 5;

/// What an import read, kept and left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportSummary {
    /// Rows (or lines) read, without the header and without empty lines of a table.
    pub rows: u64,
    /// Records in the result.
    pub records: u64,
    /// Distinct owners in the result.
    pub owners: u64,
    /// Visits in all records together.
    pub symbols: u64,
    /// Locations in the universe.
    pub locations: u64,
    /// Visits left out because their location is not in the universe.
    pub unknown: UnknownLocations,
    /// Owners left out because none of their locations is in the universe.
    pub owners_without_known_location: u64,
    /// Rows left out because the same owner, time and location stood there before.
    pub duplicates: u64,
    /// Rows that stood after a later row of the same owner, and were put in order.
    pub out_of_order: u64,
    /// Empty lines skipped.
    pub blank_lines: u64,
    /// The delimiter used, where the format has one.
    pub delimiter: Option<char>,
    /// The earliest date, where the format has dates.
    pub first: Option<Timestamp>,
    /// The latest date.
    pub last: Option<Timestamp>,
}

/// Visits to locations outside the universe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownLocations {
    /// How many visits.
    pub visits: u64,
    /// The first few such labels in the order of the input, with how often each came.
    pub examples: Vec<(String, u64)>,
}

impl UnknownLocations {
    pub(crate) fn add(&mut self, label: &str) {
        self.visits += 1;
        if let Some((_, count)) = self.examples.iter_mut().find(|(known, _)| known == label) {
            *count += 1;
        } else if self.examples.len() < EXAMPLES {
            self.examples.push((label.to_owned(), 1));
        }
    }
}
