//! `fragments-found`: which frequent fragments a release still shows.
//!
//! A fragment is a contiguous run of 1 to `fragment_length` (8) locations; its support is the number
//! of records that contain it. With the threshold t = `frequent` (1 %) of the raw records, rounded
//! up,
//!
//! ```text
//! truth = fragments with raw support ≥ t       found = fragments with released support ≥ t
//! precision = |truth ∩ found| / |found|        recall = |truth ∩ found| / |truth|
//! F1 = 2·|truth ∩ found| / (|truth| + |found|)
//! ```
//!
//! over all lengths and by length. Both sides meet the same absolute threshold, as FASTPub's k is one
//! number: a release that is larger than the raw data does not get a larger one. Precision is
//! undefined where nothing is found, recall where there is nothing to find, F1 where both hold. Time
//! bins play no part.

use std::ops::RangeInclusive;

use wayveil_core::{Error, Result, Silent};

use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::mine::contiguous;
use crate::query::Fragments;
use crate::settings::Settings;

pub(super) static METRIC: Metric = Metric {
    name: "fragments-found",
    about: "precision, recall and F1 of frequent contiguous fragments",
    definition: "With t = 1 % of the raw records, rounded up: truth are the contiguous fragments of \
                 1 to 8 locations that at least t raw records contain, found are those that at \
                 least t released records contain (the same absolute t). Precision = |truth ∩ \
                 found| / |found|, recall = |truth ∩ found| / |truth|, F1 = 2·|truth ∩ found| / \
                 (|truth| + |found|), over all lengths and by length. Undefined where the divisor \
                 is zero and for raw data without records.",
    source: "Wang, Zhu, Wang, Han (2022), FASTPub",
    better: Better::Higher,
    spatial: false,
    run,
};

/// How long fragments may be; each length has numbers of its own.
const LENGTHS: RangeInclusive<usize> = 1..=1000;

/// The threshold and the greatest length that settings ask for.
pub(super) fn scope(compared: &Compared<'_>, settings: &Settings) -> Result<(u64, usize)> {
    let share = settings.frequent;
    if !(share > 0.0 && share <= 1.0) {
        return Err(Error::input(format!(
            "invalid share of frequent fragments (got {share}): it lies above 0 and up to 1"
        )));
    }
    if !LENGTHS.contains(&settings.fragment_length) {
        return Err(Error::input(format!(
            "invalid length of fragments (got {}): it lies between {} and {}",
            settings.fragment_length,
            LENGTHS.start(),
            LENGTHS.end()
        )));
    }
    let least = (share * compared.raw.len() as f64).ceil() as u64;
    Ok((least.max(1), settings.fragment_length))
}

/// Numbers of fragments.
#[derive(Clone, Copy, Default)]
struct Tally {
    truth: u64,
    found: u64,
    both: u64,
}

impl Tally {
    fn values(self, suffix: &str) -> [Value; 3] {
        let ratio = |name: &str, part: u64, whole: u64| {
            Value::new(format!("{name}{suffix}"), part as f64 / whole as f64)
        };
        [
            ratio("precision", self.both, self.found),
            ratio("recall", self.both, self.truth),
            ratio("f1", 2 * self.both, self.truth + self.found),
        ]
    }
}

fn run(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let (least, longest) = scope(compared, settings)?;
    let mut tallies = vec![Tally::default(); longest + 1];
    if !compared.raw.is_empty() {
        let truth = Fragments::frequent(compared.raw, longest, least)?;
        for (pattern, support) in truth
            .patterns()
            .iter()
            .zip(truth.supports_in(&compared.released))
        {
            for at in [0, pattern.codes.len()] {
                tallies[at].truth += 1;
                tallies[at].both += u64::from(support >= least);
            }
        }
        for pattern in contiguous::frequent(&compared.released, least, 1..=longest, &Silent)? {
            for at in [0, pattern.codes.len()] {
                tallies[at].found += 1;
            }
        }
    }
    // The first tally is of all lengths.
    let values = tallies.into_iter().enumerate().flat_map(|(length, tally)| {
        tally.values(&match length {
            0 => String::new(),
            length => format!("-length-{length}"),
        })
    });
    Ok(values.collect())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use wayveil_core::{Origin, Sequences, Universe};

    use super::*;

    fn value(
        raw: &Sequences,
        released: &Sequences,
        settings: &Settings,
        name: &str,
    ) -> Option<f64> {
        let universe = Universe::from_labels(["A", "B", "C"], Origin::FromData).unwrap();
        let compared = Compared {
            in_place: None,
            universe: &universe,
            raw,
            released: Cow::Borrowed(released),
        };
        let values = run(&compared, settings).unwrap();
        assert_eq!(values.len(), 3 * (settings.fragment_length + 1));
        let named = values.iter().find(|value| value.name == name);
        named.unwrap_or_else(|| panic!("no {name}")).value
    }

    fn settings() -> Settings {
        Settings {
            frequent: 0.5,
            fragment_length: 3,
            ..Settings::default()
        }
    }

    #[test]
    fn a_small_case_by_hand() {
        // t = 2. Truth: A, B, C, AB, BC. Released: A (3), B (2), AB (2), BA (2).
        let raw = Sequences::from_codes([vec![0_u32, 1, 2], vec![0, 1], vec![1, 2], vec![]]);
        let released = Sequences::from_codes([vec![0_u32, 1, 0, 1], vec![1, 0, 1, 0], vec![0]]);
        let at = |name: &str| value(&raw, &released, &settings(), name);
        // ABA and BAB are in both of the first two records, too.
        assert_eq!(at("precision"), Some(3.0 / 6.0));
        assert_eq!(at("recall"), Some(3.0 / 5.0));
        assert_eq!(at("f1"), Some(6.0 / 11.0));
        assert_eq!(at("precision-length-1"), Some(1.0));
        assert_eq!(at("recall-length-1"), Some(2.0 / 3.0));
        assert_eq!(at("f1-length-2"), Some(0.5));
        assert_eq!(at("precision-length-3"), Some(0.0));
        assert_eq!(at("recall-length-3"), None, "no true fragment is that long");
        assert_eq!(at("f1-length-3"), Some(0.0));
    }

    #[test]
    fn extremes_are_defined_where_they_can_be() {
        let (none, some) = (
            Sequences::empty(false),
            Sequences::from_codes([vec![0_u32, 1], vec![0]]),
        );
        let empty = |name: &str| value(&some, &none, &settings(), name);
        assert_eq!(empty("precision"), None);
        assert_eq!(empty("recall"), Some(0.0));
        assert_eq!(empty("f1"), Some(0.0));
        let same = |name: &str| value(&some, &some, &settings(), name);
        assert_eq!(
            (same("precision"), same("recall"), same("f1")),
            (Some(1.0), Some(1.0), Some(1.0))
        );
        for name in ["precision", "recall", "f1"] {
            assert_eq!(value(&none, &some, &settings(), name), None);
        }
        // Ten copies of the raw data pass the threshold of the raw data.
        let many = Sequences::from_codes(some.iter().collect::<Vec<_>>().repeat(10));
        assert_eq!(value(&some, &many, &settings(), "recall"), Some(1.0));
    }

    #[test]
    fn bad_settings_are_named() {
        let universe = Universe::from_labels(["A"], Origin::FromData).unwrap();
        let raw = Sequences::empty(false);
        let compared = Compared {
            in_place: None,
            universe: &universe,
            raw: &raw,
            released: Cow::Borrowed(&raw),
        };
        for frequent in [0.0, -1.0, 1.5, f64::NAN] {
            let settings = Settings {
                frequent,
                ..settings()
            };
            assert!(run(&compared, &settings).is_err());
        }
        for fragment_length in [0, usize::MAX] {
            let settings = Settings {
                fragment_length,
                ..settings()
            };
            assert!(run(&compared, &settings).is_err());
        }
    }
}
