//! `fragment-query-error`: how wrong are counts of the fragments that one may ask about.
//!
//! FASTPub calls a query for the number of records that contain a contiguous fragment legal if the
//! fragment is frequent in the raw data: at least `frequent` (1 %) of the raw records, rounded up,
//! contain it. Over all legal fragments f of 1 to `fragment_length` (8) locations, and over those of
//! each length, the metric is the median of
//!
//! ```text
//! |released support(f) − raw support(f)| / raw support(f)
//! ```
//!
//! Released counts are those of the released trajectories: a fragment that the release lost has
//! error 1, where the paper estimates its count from shorter ones. The median of an even number of
//! errors is the mean of the middle two. Undefined where no query is legal. Time bins play no part.

use wayveil_core::Result;

use super::fragments_found::scope;
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::query::Fragments;
use crate::samples::median;
use crate::settings::Settings;

pub(super) static METRIC: Metric = Metric {
    name: "fragment-query-error",
    about: "median relative error of counts of frequent contiguous fragments",
    definition: "Median of |s̃(f) − s(f)| / s(f) over the contiguous fragments f of 1 to 8 locations \
                 that at least 1 % of the raw records contain; s(f) and s̃(f) are the numbers of raw \
                 and released records that contain f. Over all lengths and by length. Undefined \
                 where there is no such fragment and for raw data without records.",
    source: "Wang, Zhu, Wang, Han (2022), FASTPub",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let (least, longest) = scope(compared, settings)?;
    // The first list is of all lengths.
    let mut errors = vec![Vec::new(); longest + 1];
    if !compared.raw.is_empty() {
        let legal = Fragments::frequent(compared.raw, longest, least)?;
        let found = legal.supports_in(&compared.released);
        for (pattern, found) in legal.patterns().iter().zip(found) {
            let error = found.abs_diff(pattern.support) as f64 / pattern.support as f64;
            errors[0].push(error);
            errors[pattern.codes.len()].push(error);
        }
    }
    let values = errors.into_iter().enumerate().map(|(length, errors)| {
        let name = match length {
            0 => "all".to_owned(),
            length => format!("length-{length}"),
        };
        match median(errors) {
            Some(error) => Value::new(name, error),
            None => Value::undefined(name),
        }
    });
    Ok(values.collect())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use wayveil_core::{Origin, Sequences, Universe};

    use super::*;

    fn values(raw: &Sequences, released: &Sequences) -> Vec<(String, Option<f64>)> {
        let universe = Universe::from_labels(["A", "B", "C"], Origin::FromData).unwrap();
        let compared = Compared {
            in_place: None,
            universe: &universe,
            raw,
            released: Cow::Borrowed(released),
        };
        let settings = Settings {
            frequent: 0.5,
            fragment_length: 3,
            ..Settings::default()
        };
        let values = run(&compared, &settings).unwrap();
        values
            .into_iter()
            .map(|value| (value.name, value.value))
            .collect()
    }

    fn named(values: [Option<f64>; 4]) -> Vec<(String, Option<f64>)> {
        let names = ["all", "length-1", "length-2", "length-3"].map(str::to_owned);
        names.into_iter().zip(values).collect()
    }

    #[test]
    fn a_small_case_by_hand() {
        // Legal, with raw and released support: A 2/2, B 3/1, C 2/4, AB 2/1, BC 2/0.
        let raw = Sequences::from_codes([vec![0_u32, 1, 2], vec![0, 1], vec![1, 2], vec![]]);
        let released =
            Sequences::from_codes([vec![0_u32, 1], vec![0], vec![2], vec![2], vec![2], vec![2]]);
        assert_eq!(
            values(&raw, &released),
            named([Some(2.0 / 3.0), Some(2.0 / 3.0), Some(0.75), None])
        );
        assert_eq!(
            values(&raw, &raw),
            named([Some(0.0), Some(0.0), Some(0.0), None])
        );
    }

    #[test]
    fn empty_sides_and_a_larger_release() {
        let (none, some) = (
            Sequences::empty(false),
            Sequences::from_codes([vec![0_u32, 1], vec![0, 1]]),
        );
        assert_eq!(values(&none, &some), named([None; 4]));
        assert_eq!(
            values(&some, &none),
            named([Some(1.0), Some(1.0), Some(1.0), None])
        );
        let many = Sequences::from_codes(some.iter().collect::<Vec<_>>().repeat(4));
        assert_eq!(
            values(&some, &many),
            named([Some(3.0), Some(3.0), Some(3.0), None])
        );
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
