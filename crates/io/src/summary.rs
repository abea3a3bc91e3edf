//! What an import did, for the publisher's eyes.

use jiff::Timestamp;
use serde::{Serialize, Serializer};

/// Labels of unknown locations kept as examples.
const EXAMPLES: usize = 5;

/// What an import read, kept and left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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
    /// Points left out because they lie outside the stated area, or too far from every stop.
    pub outside_area: u64,
    /// Rows left out, on request, because their coordinates are missing or no degrees.
    pub invalid_points: u64,
    /// Visits left out because their time lies outside the axis of time bins.
    pub outside_axis: u64,
    /// Trips of the input without a single point.
    pub empty_trips: u64,
    /// Trips that the input marks as lacking points; they are kept.
    pub incomplete_trips: u64,
    /// Visits left out because the one before is at the same location.
    pub stays_collapsed: u64,
    /// Owners left out because none of their visits is kept.
    pub owners_without_known_location: u64,
    /// Rows left out because the same owner, time and location stood there before.
    pub duplicates: u64,
    /// Rows that stood after a later row of the same owner, and were put in order.
    pub out_of_order: u64,
    /// Empty lines skipped.
    pub blank_lines: u64,
    /// Lines of remarks skipped, where the format has them.
    pub comment_lines: u64,
    /// The delimiter used, where the format has one.
    pub delimiter: Option<char>,
    /// How many files were read.
    pub files: u64,
    /// Whether rows have dates.
    #[serde(skip)]
    pub(crate) dated: bool,
    /// The earliest date, where the format has dates.
    #[serde(serialize_with = "as_text")]
    pub first: Option<Timestamp>,
    /// The latest date.
    #[serde(serialize_with = "as_text")]
    pub last: Option<Timestamp>,
}

/// Visits to locations outside the universe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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

fn as_text<S: Serializer>(date: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    date.map(|date| date.to_string()).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_text_in_json() {
        let summary = ImportSummary {
            first: Timestamp::from_second(0).ok(),
            ..ImportSummary::default()
        };
        let json = serde_json::to_value(summary).unwrap();
        assert_eq!(json["first"], "1970-01-01T00:00:00Z");
        assert!(json["last"].is_null());
    }

    #[test]
    fn only_a_few_unknown_labels_are_kept() {
        let mut unknown = UnknownLocations::default();
        for number in 0..20 {
            unknown.add(&format!("X{}", number % 10));
        }
        assert_eq!(unknown.visits, 20);
        assert_eq!(unknown.examples.len(), EXAMPLES);
        assert_eq!(unknown.examples[0], ("X0".to_owned(), 2));
    }
}
