//! What can be seen of one run, as named integers.
//!
//! The family is fixed and knows nothing of any mechanism: what the mechanism tells itself, and
//! counts that anyone can make from what it releases. Floating-point numbers are taken by their
//! bits, so that a value which only one data set can lead to is seen as such, and by their finest
//! binary place: a sum is as coarse as its largest part, so that textbook noise in floating point
//! gives away what it was added to (Mironov 2012).

use std::collections::BTreeMap;

use wayveil_core::{FragmentCounts, NoisyCounts, Rehearsed, Result, Sequences};

/// Where a named integer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The mechanism's transcript.
    Transcript,
    /// The release.
    Release,
    /// A distinguisher that was trained on earlier runs.
    Distinguisher,
}

/// Named integers of one run, by origin; a name stands at most once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Observation {
    pub(super) parts: [Vec<(String, i64)>; 3],
}

/// Beginnings up to this length are counted.
const LONGEST_PREFIX: usize = 3;
/// So many released counts are looked at.
const MOST_COUNTS: usize = 256;

impl Observation {
    /// All named integers of a run; those of the release only if they are wanted.
    pub(super) fn of(outcome: Result<Rehearsed>, release_wanted: bool) -> Self {
        let (transcript, release) = match outcome {
            Err(_) => (Vec::new(), vec![("failure of the run".to_owned(), 1)]),
            Ok(run) => {
                let mut seen = Features::default();
                if release_wanted {
                    seen.trajectories(&run.trajectories);
                    if let Some(counts) = &run.counts {
                        seen.counts(counts);
                    }
                    if let Some(fragments) = &run.fragments {
                        seen.fragments(fragments);
                    }
                }
                let mut transcript = run.transcript;
                transcript.sort();
                transcript.dedup_by(|later, first| later.0 == first.0);
                (transcript, seen.0.into_iter().collect())
            }
        };
        Self {
            parts: [transcript, release, Vec::new()],
        }
    }

    pub(super) fn value(&self, origin: Origin, name: &str) -> Option<i64> {
        let part = &self.parts[origin as usize];
        part.iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| *value)
    }
}

#[derive(Default)]
struct Features(BTreeMap<String, i64>);

impl Features {
    fn add(&mut self, name: String, amount: i64) {
        *self.0.entry(name).or_default() += amount;
    }

    fn trajectories(&mut self, sequences: &Sequences) {
        self.add("number of records".into(), sequences.len() as i64);
        self.add("number of visits".into(), sequences.symbols() as i64);
        let longest = (0..sequences.len()).map(|record| sequences.length(record));
        let longest = longest.max().unwrap_or(0) as i64;
        self.add("length of the longest record".into(), longest);
        let mut disorder = 0;
        let mut first = 0;
        // Equal records mostly stand together.
        while first < sequences.len() {
            let record = symbols(sequences, first);
            let mut next = first + 1;
            while next < sequences.len() && same(sequences, first, next) {
                next += 1;
            }
            self.record(&record, (next - first) as i64);
            if next < sequences.len() && sequences.codes_of(next) < sequences.codes_of(first) {
                disorder += 1;
            }
            first = next;
        }
        self.add("records out of order".into(), disorder);
    }

    fn record(&mut self, record: &[String], copies: i64) {
        self.add(format!("records of length {}", record.len()), copies);
        for length in 1..=record.len().min(LONGEST_PREFIX) {
            let name = format!("records that begin with {}", record[..length].join(" "));
            self.add(name, copies);
        }
        for symbol in record {
            self.add(format!("visits to {symbol}"), copies);
        }
        for step in record.windows(2) {
            self.add(format!("steps from {} to {}", step[0], step[1]), copies);
        }
    }

    fn counts(&mut self, counts: &NoisyCounts) {
        self.add(
            "number of released counts".into(),
            counts.noisy.len() as i64,
        );
        let rows = counts.prefixes.len().min(counts.noisy.len());
        for row in 0..rows.min(MOST_COUNTS) {
            let path = symbols(&counts.prefixes, row).join(" ");
            self.0.insert(format!("count of {path}"), counts.noisy[row]);
            let floats = [
                ("estimate", &counts.estimate),
                ("error", &counts.standard_error),
            ];
            for (what, column) in floats {
                let Some(&number) = column.get(row) else {
                    continue;
                };
                self.float(&format!("count of {path}"), what, number);
            }
        }
    }

    fn fragments(&mut self, fragments: &FragmentCounts) {
        let rows = fragments.len();
        self.add("number of released fragments".into(), rows as i64);
        for row in 0..rows.min(MOST_COUNTS) {
            let name = format!("fragment {}", symbols(&fragments.fragments, row).join(" "));
            let whole = [("low", &fragments.low), ("high", &fragments.high)];
            for (what, column) in whole {
                let end = i64::try_from(column[row]).unwrap_or(i64::MAX);
                self.0.insert(format!("{name}: {what}"), end);
            }
            self.float(&name, "error", fragments.standard_error[row]);
            let count = i64::try_from(fragments.count[row]).unwrap_or(i64::MAX);
            self.0.insert(name, count);
        }
    }

    fn float(&mut self, name: &str, what: &str, number: f64) {
        let bits = format!("{name}: bits of its {what}");
        self.0.insert(bits, ordered(number));
        if let Some(place) = finest(number) {
            let name = format!("{name}: finest binary place of its {what}");
            self.0.insert(name, place);
        }
    }
}

fn same(sequences: &Sequences, one: usize, other: usize) -> bool {
    sequences.codes_of(one) == sequences.codes_of(other)
        && sequences.bins_of(one) == sequences.bins_of(other)
}

fn symbols(sequences: &Sequences, record: usize) -> Vec<String> {
    let codes = sequences.codes_of(record);
    match sequences.bins_of(record) {
        [] => codes.iter().map(u32::to_string).collect(),
        bins => codes
            .iter()
            .zip(bins)
            .map(|(code, bin)| format!("{code}@{bin}"))
            .collect(),
    }
}

/// The bits of a float, ordered as the floats are.
fn ordered(number: f64) -> i64 {
    let bits = number.to_bits() as i64;
    if bits < 0 { !(bits & i64::MAX) } else { bits }
}

/// The exponent of the lowest bit that is set: 0.75 is a multiple of 2^−2.
fn finest(number: f64) -> Option<i64> {
    if number == 0.0 || !number.is_finite() {
        return None;
    }
    let bits = number.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let (exponent, whole) = match exponent {
        0 => (1, fraction),
        _ => (exponent, fraction | 1 << 52),
    };
    Some(exponent - 1075 + i64::from(whole.trailing_zeros()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(records: &[&[u32]], counts: Option<NoisyCounts>) -> Observation {
        let run = Rehearsed {
            trajectories: Sequences::from_codes(records),
            counts,
            fragments: None,
            transcript: vec![("b".into(), 2), ("a".into(), 1)],
        };
        Observation::of(Ok(run), true)
    }

    #[test]
    fn a_release_is_counted() {
        let seen = observed(&[&[0, 1], &[0, 1], &[], &[2, 0, 1, 3]], None);
        for (name, expected) in [
            ("number of records", Some(4)),
            ("number of visits", Some(8)),
            ("length of the longest record", Some(4)),
            ("records of length 2", Some(2)),
            ("records of length 0", Some(1)),
            ("records of length 1", None),
            ("records that begin with 0", Some(2)),
            ("records that begin with 2 0 1", Some(1)),
            ("records that begin with 2 0 1 3", None),
            ("visits to 1", Some(3)),
            ("steps from 0 to 1", Some(3)),
            ("records out of order", Some(1)),
        ] {
            assert_eq!(seen.value(Origin::Release, name), expected, "{name}");
        }
        assert_eq!(seen.value(Origin::Transcript, "a"), Some(1));
    }

    #[test]
    fn released_counts_and_failures_are_seen() {
        let counts = NoisyCounts {
            prefixes: Sequences::from_codes([[4u32, 5]]),
            noisy: vec![-3],
            estimate: vec![0.5],
            standard_error: vec![1.0],
        };
        let seen = observed(&[], Some(counts));
        assert_eq!(seen.value(Origin::Release, "count of 4 5"), Some(-3));
        let bits = seen.value(Origin::Release, "count of 4 5: bits of its estimate");
        assert_eq!(bits, Some(0.5f64.to_bits() as i64));
        let failed = Observation::of(Err(wayveil_core::Error::input("no")), true);
        assert_eq!(failed.value(Origin::Release, "failure of the run"), Some(1));
    }

    #[test]
    fn released_fragments_are_seen() {
        let run = Rehearsed {
            trajectories: Sequences::empty(false),
            counts: None,
            fragments: Some(FragmentCounts {
                fragments: Sequences::from_codes([vec![3], vec![4, 5]]),
                count: vec![8, 2],
                standard_error: vec![0.5, 1.5],
                low: vec![7, 0],
                high: vec![9, u64::MAX],
            }),
            transcript: Vec::new(),
        };
        let seen = Observation::of(Ok(run), true);
        for (name, expected) in [
            ("number of released fragments", 2),
            ("fragment 3", 8),
            ("fragment 4 5", 2),
            ("fragment 4 5: low", 0),
            ("fragment 4 5: high", i64::MAX),
            ("fragment 3: finest binary place of its error", -1),
        ] {
            assert_eq!(seen.value(Origin::Release, name), Some(expected), "{name}");
        }
    }

    #[test]
    fn the_finest_place_of_a_number() {
        let tiny = f64::from_bits(1);
        for (number, place) in [
            (0.75, Some(-2)),
            (-12.0, Some(2)),
            (1.0, Some(0)),
            (0.1, Some(-55)),
            (1.0 - 0.1, Some(-53)),
            (tiny, Some(-1074)),
            (f64::MIN_POSITIVE, Some(-1022)),
            (0.0, None),
            (f64::INFINITY, None),
        ] {
            assert_eq!(finest(number), place, "{number}");
        }
    }

    #[test]
    fn bits_are_ordered_as_the_floats_are() {
        let numbers = [
            f64::NEG_INFINITY,
            -2.5,
            -1e-300,
            0.0,
            1e-300,
            1.0,
            1.5,
            f64::INFINITY,
        ];
        let bits: Vec<i64> = numbers.into_iter().map(ordered).collect();
        assert!(bits.is_sorted(), "{bits:?}");
    }
}
