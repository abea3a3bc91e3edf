//! `count-query-error`: how wrong are counts of sets of locations.
//!
//! A count query Q asks how many records contain a given set of locations. Over random queries the
//! metric is the mean of
//!
//! ```text
//! |Q(released) − Q(raw)| / max(Q(raw), s),   s = sanity · |raw|
//! ```
//!
//! `count_queries` (40,000) of them come in four groups of equal size; those of group i have a
//! length uniform on 1 to ⌈i·h/4⌉, h = `query_length` (12), and locations uniform over the universe.
//! The sanity bound s (0.1 % of the raw records) keeps queries with tiny answers from dominating.
//!
//! The papers do not say whether a location may be drawn twice; a query is a set, so here it may
//! not, and no query is longer than the universe. Counts are compared as they are, not as shares: a
//! release is expected to have about as many records as the raw data. Time bins play no part.

use wayveil_core::{Error, Result, Sequences, Universe};

use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::on_counts::OnCounts;
use crate::query::{SetIndex, random_sets};
use crate::settings::Settings;

pub(crate) static METRIC: Metric = Metric {
    name: "count-query-error",
    about: "average relative error of counts of records that contain a set of locations",
    definition: "Mean of |Q(released) − Q(raw)| / max(Q(raw), s) over random queries Q, the number \
                 of records that contain all of a set of locations; s is 0.1 % of the raw records. \
                 40,000 queries in four groups of equal size; group i has lengths uniform on 1 to \
                 ⌈i·h/4⌉, h = 12, and distinct locations uniform over the universe. Undefined for \
                 raw data without records.",
    source: "Chen, Fung, Desai (2011) and Chen, Fung, Desai, Sossou (2012); the sanity bound after \
             Xiao, Wang, Gehrke (2010)",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let raw = SetIndex::new(compared.raw, compared.universe.len())?;
    let truth = |sets: &[&Vec<u32>]| Ok(raw.counts(sets));
    let (records, released) = (compared.raw.len() as u64, &compared.released);
    scored(compared.universe, records, truth, released, settings)
}

/// The same on raw records that are only counted.
pub(crate) fn run_on_counts(counted: &OnCounts<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let truth = |sets: &[&Vec<u32>]| counted.counting.sets(sets);
    let (records, released) = (counted.counting.records()?, &counted.released);
    scored(counted.universe, records, truth, released, settings)
}

/// Asks every question of both sides; of the raw side all at once.
fn scored(
    universe: &Universe,
    records: u64,
    truth: impl FnOnce(&[&Vec<u32>]) -> Result<Vec<u64>>,
    released: &Sequences,
    settings: &Settings,
) -> Result<Vec<Value>> {
    if !settings.sanity.is_finite() || settings.sanity < 0.0 {
        return Err(Error::input(format!(
            "invalid sanity bound (got {}): it is a share of the raw records",
            settings.sanity
        )));
    }
    let locations = universe.len();
    let groups = random_sets(
        locations,
        settings.count_queries,
        settings.query_length,
        settings.seed,
    )?;
    let sets: Vec<&Vec<u32>> = groups.iter().flatten().collect();
    let released = SetIndex::new(released, locations)?.counts(&sets);
    let mut answers = truth(&sets)?.into_iter().zip(released);
    let sanity = settings.sanity * records as f64;
    let values = groups.iter().enumerate().map(|(at, sets)| {
        let name = format!("group-{}", at + 1);
        let own = answers.by_ref().take(sets.len());
        let errors =
            own.map(|(truth, found)| found.abs_diff(truth) as f64 / (truth as f64).max(sanity));
        let sum: f64 = errors.sum();
        match records == 0 || sets.is_empty() {
            true => Value::undefined(name),
            false => Value::new(name, sum / sets.len() as f64),
        }
    });
    Ok(values.collect())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use wayveil_core::{Origin, Sequences, Universe};

    use super::*;

    fn values(
        labels: &[&str],
        raw: &Sequences,
        released: &Sequences,
        settings: &Settings,
    ) -> Vec<Value> {
        let universe = Universe::from_labels(labels.iter().copied(), Origin::FromData).unwrap();
        let compared = Compared {
            in_place: None,
            universe: &universe,
            raw,
            released: Cow::Borrowed(released),
        };
        run(&compared, settings).unwrap()
    }

    #[test]
    fn one_location_can_be_worked_out_by_hand() {
        let raw = Sequences::from_codes(vec![vec![0_u32]; 8].into_iter().chain([vec![], vec![]]));
        let settings = Settings {
            count_queries: 8,
            ..Settings::default()
        };
        // The only query is {A}: 8 raw records against 2, or 12, or none.
        for (released, error) in [(2, 0.75), (12, 0.5), (0, 1.0), (8, 0.0)] {
            let released = Sequences::from_codes(vec![[0_u32]; released]);
            let found = values(&["A"], &raw, &released, &settings);
            let names: Vec<&str> = found.iter().map(|value| value.name.as_str()).collect();
            assert_eq!(names, ["group-1", "group-2", "group-3", "group-4"]);
            assert!(
                found.iter().all(|value| value.value == Some(error)),
                "{found:?}"
            );
        }
    }

    #[test]
    fn the_sanity_bound_is_a_share_of_the_raw_records() {
        // {A} is in 1 of 10 raw records and in 3 released ones: |3 − 1| / max(1, 0.5 · 10).
        let raw = Sequences::from_codes([vec![0_u32]].into_iter().chain(vec![vec![]; 9]));
        let released = Sequences::from_codes([[0_u32]; 3]);
        let settings = Settings {
            count_queries: 4,
            sanity: 0.5,
            ..Settings::default()
        };
        let found = values(&["A"], &raw, &released, &settings);
        assert!(
            found.iter().all(|value| value.value == Some(0.4)),
            "{found:?}"
        );
    }

    #[test]
    fn longer_queries_are_asked_of_both_sides() {
        // Of {A}, {B} and {A, B} the release errs by 0, 1 and 1.
        let raw = Sequences::from_codes([[0_u32, 1], [0, 1]]);
        let released = Sequences::from_codes([[0_u32], [0]]);
        let settings = Settings {
            count_queries: 40_000,
            ..Settings::default()
        };
        for value in values(&["A", "B"], &raw, &released, &settings) {
            // Half of the queries have one location, and half of those are {B}.
            let error = value.value.unwrap();
            assert!((error - 0.75).abs() < 0.02, "{error}");
        }
    }

    #[test]
    fn without_raw_records_or_queries_it_is_undefined() {
        let (none, one) = (Sequences::empty(false), Sequences::from_codes([[0_u32]]));
        let settings = Settings::default();
        let undefined = |found: Vec<Value>| found.iter().all(|value| value.value.is_none());
        assert!(undefined(values(&["A"], &none, &one, &settings)));
        let silent = Settings {
            count_queries: 0,
            ..settings
        };
        assert!(undefined(values(&["A"], &one, &one, &silent)));
    }

    #[test]
    fn bad_settings_are_named() {
        let universe = Universe::from_labels(["A"], Origin::FromData).unwrap();
        let raw = Sequences::from_codes([[0_u32]]);
        let compared = Compared {
            in_place: None,
            universe: &universe,
            raw: &raw,
            released: Cow::Borrowed(&raw),
        };
        let bad = [
            Settings {
                sanity: f64::NAN,
                ..Settings::default()
            },
            Settings {
                query_length: 0,
                ..Settings::default()
            },
        ];
        for settings in bad {
            assert!(run(&compared, &settings).is_err());
        }
    }
}
