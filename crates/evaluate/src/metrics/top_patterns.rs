//! The most frequent sequential patterns: how many of the true ones a release still shows.
//!
//! For each k of `top_patterns`, F(D) and F(D̃) are the k most frequent sequential patterns (gapped
//! subsequences, support in records, lengths from `pattern_min_length` to `pattern_max_length`,
//! ties broken by length and then by code) of the raw and of the released records. True positives
//! are |F(D) ∩ F(D̃)|, false positives |F(D̃) ∖ F(D)|, false drops |F(D) ∖ F(D̃)|. The last two are
//! equal where both sides have k patterns. The lost share is |F(D) ∖ F(D̃)| / |F(D)|.
//!
//! In timed data a symbol is a location in a bin.

use rustc_hash::FxHashSet;
use wayveil_core::{Result, Sequences, Silent};

use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::mine::{timed, top_k};
use crate::settings::Settings;

const DEFINITION: &str = "F(D) and F(D~) are the k most frequent gapped sequential patterns of \
    either side (support in records; lengths pattern_min_length to pattern_max_length, default 2 \
    to 5; ties by length, then by code), k from top_patterns (default 100, 200, 300).";
const SOURCE: &str = "Chen, Fung and Desai 2011; Chen, Fung, Desai and Sossou 2012 (size > 1)";

pub(super) static FOUND: Metric = Metric {
    name: "top-patterns",
    about: "how many of the most frequent patterns are still among the most frequent",
    definition: DEFINITION,
    source: SOURCE,
    better: Better::Higher,
    spatial: false,
    run: |compared, settings| {
        overlaps(compared, settings).map(|all| {
            let value =
                |o: &Overlap| Value::new(format!("true-positives-{}", o.k), o.common as f64);
            all.iter().map(value).collect()
        })
    },
};

pub(crate) static MISSED: Metric = Metric {
    name: "top-patterns-missed",
    about: "how many of the most frequent patterns are wrong or lost",
    definition: DEFINITION,
    source: SOURCE,
    better: Better::Lower,
    spatial: false,
    run: |compared, settings| {
        overlaps(compared, settings).map(|all| {
            let values = |o: &Overlap| {
                let wrong = (o.released - o.common) as f64;
                let lost = (o.raw - o.common) as f64;
                [
                    Value::new(format!("false-positives-{}", o.k), wrong),
                    Value::new(format!("false-drops-{}", o.k), lost),
                    // Undefined where there is no pattern to lose: 0/0.
                    Value::new(format!("lost-share-{}", o.k), lost / o.raw as f64),
                ]
            };
            all.iter().flat_map(values).collect()
        })
    },
};

struct Overlap {
    k: usize,
    raw: usize,
    released: usize,
    common: usize,
}

fn overlaps(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Overlap>> {
    let most = settings.top_patterns.iter().copied().max().unwrap_or(0);
    let mine = |sequences: &Sequences| {
        let symbols = timed::symbols(sequences, compared.universe.len())?;
        top_k(
            &symbols,
            most,
            settings.pattern_min_length..=settings.pattern_max_length,
            &Silent,
        )
    };
    // One run for the greatest k: the order is total, so that every other k is its beginning.
    let (raw, released) = (mine(compared.raw)?, mine(&compared.released)?);
    let overlap = |&k: &usize| {
        let (raw, released) = (&raw[..k.min(raw.len())], &released[..k.min(released.len())]);
        let known: FxHashSet<&[u32]> = raw.iter().map(|pattern| &pattern.codes[..]).collect();
        let common = released
            .iter()
            .filter(|pattern| known.contains(&pattern.codes[..]))
            .count();
        Overlap {
            k,
            raw: raw.len(),
            released: released.len(),
            common,
        }
    };
    Ok(settings.top_patterns.iter().map(overlap).collect())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use wayveil_core::{Origin, Universe};

    use super::*;

    fn values(metric: &Metric, raw: &[&[u32]], released: &[&[u32]]) -> Vec<(String, Option<f64>)> {
        let universe = Universe::from_labels(["A", "B", "C", "D"], Origin::FromData).unwrap();
        let raw = Sequences::from_codes(raw);
        let compared = Compared {
            in_place: None,
            universe: &universe,
            raw: &raw,
            released: Cow::Owned(Sequences::from_codes(released)),
        };
        let settings = Settings {
            top_patterns: vec![1, 2],
            ..Settings::default()
        };
        let values = (metric.run)(&compared, &settings).unwrap();
        values
            .into_iter()
            .map(|value| (value.name, value.value))
            .collect()
    }

    #[test]
    fn counts_what_both_sides_share() {
        // Raw: AB three times, CD twice. Released: CD three times, AC twice.
        let raw: [&[u32]; 5] = [&[0, 1], &[0, 1], &[0, 1], &[2, 3], &[2, 3]];
        let released: [&[u32]; 5] = [&[2, 3], &[2, 3], &[2, 3], &[0, 2], &[0, 2]];
        assert_eq!(
            values(&FOUND, &raw, &released),
            [
                ("true-positives-1".into(), Some(0.0)),
                ("true-positives-2".into(), Some(1.0))
            ]
        );
        assert_eq!(
            values(&MISSED, &raw, &released),
            [
                ("false-positives-1".into(), Some(1.0)),
                ("false-drops-1".into(), Some(1.0)),
                ("lost-share-1".into(), Some(1.0)),
                ("false-positives-2".into(), Some(1.0)),
                ("false-drops-2".into(), Some(1.0)),
                ("lost-share-2".into(), Some(0.5)),
            ]
        );
    }

    #[test]
    fn a_release_with_fewer_patterns_has_fewer_false_ones() {
        let raw: [&[u32]; 2] = [&[0, 1], &[2, 3]];
        assert_eq!(values(&FOUND, &raw, &[])[1].1, Some(0.0));
        let missed = values(&MISSED, &raw, &[]);
        assert_eq!((missed[3].1, missed[4].1), (Some(0.0), Some(2.0)));
        assert_eq!(missed[5].1, Some(1.0));
        assert_eq!(values(&FOUND, &raw, &raw)[1].1, Some(2.0));
    }
}
