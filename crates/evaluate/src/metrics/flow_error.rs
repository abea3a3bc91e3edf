//! How wrong flows are, as a share of all flow.

use wayveil_core::Result;

use super::counting::{Counts, aligned};
use super::transition_divergence::transitions;
use super::trip_divergence::trips;
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Weighted absolute error of flows.
pub(crate) static METRIC: Metric = Metric {
    name: "flow-error",
    about: "how wrong flows between locations are, as a share of all flow",
    definition: "Σ |released(f) − raw(f)| / Σ raw(f) over all flows f. transitions: f is a consecutive \
                 pair of locations, counted as often as it occurs. trips: f is the (first, last) \
                 location of a record of two or more visits. Counts are compared as they are, not as \
                 shares: 0 is a perfect copy, an empty release has 1, and much that is made up has \
                 more. Undefined where the raw side has no such flow.",
    source: "The weighted absolute percentage error of traffic counts and origin–destination matrices.",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    let (raw, released) = (compared.raw, &compared.released);
    let transitions = error(&transitions(raw), &transitions(released));
    let trips = error(&trips(raw), &trips(released));
    Ok(vec![
        Value::of("transitions", transitions),
        Value::of("trips", trips),
    ])
}

fn error(raw: &Counts, released: &Counts) -> Option<f64> {
    let counts = aligned(raw, released);
    let all: u64 = counts.iter().map(|(raw, _)| raw).sum();
    let wrong: u64 = counts.iter().map(|(a, b)| a.abs_diff(*b)).sum();
    (all > 0).then(|| wrong as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use wayveil_core::{Origin, Sequences, Universe};

    use super::*;

    fn errors(raw: &[&[u32]], released: &[&[u32]]) -> Vec<Option<f64>> {
        let universe = Universe::from_labels(["A", "B", "C"], Origin::FromData).unwrap();
        let raw = Sequences::from_codes(raw);
        let compared = Compared {
            in_place: None,
            universe: &universe,
            raw: &raw,
            released: Cow::Owned(Sequences::from_codes(released)),
        };
        let values = run(&compared, &Settings::default()).unwrap();
        values.into_iter().map(|value| value.value).collect()
    }

    #[test]
    fn a_copy_has_none_and_nothing_has_all() {
        let raw: &[&[u32]] = &[&[0, 1, 2], &[0, 1]];
        assert_eq!(errors(raw, raw), [Some(0.0), Some(0.0)]);
        assert_eq!(errors(raw, &[]), [Some(1.0), Some(1.0)]);
        assert_eq!(errors(&[&[0]], &[&[0, 1]]), [None, None]);
    }

    #[test]
    fn what_is_lost_and_what_is_made_up_both_count() {
        // Raw moves: AB twice, BC once. Released: AB once, CA once. Wrong: 1 + 1 + 1 of 3.
        let of = errors(&[&[0, 1, 2], &[0, 1]], &[&[0, 1], &[2, 0]]);
        assert_eq!(of[0], Some(1.0));
        // Raw trips: AC, AB. Released: AB, CA. Wrong: AC and CA of 2.
        assert_eq!(of[1], Some(1.0));
        // Twice as much of everything is wrong by all of it.
        assert_eq!(
            errors(&[&[0, 1]], &[&[0, 1], &[0, 1]]),
            [Some(1.0), Some(1.0)]
        );
    }
}
