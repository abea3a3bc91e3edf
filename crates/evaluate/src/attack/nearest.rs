//! How near the nearest released record is.
//!
//! A released record that is equal to the victim's is nearest. After it comes the larger of
//!
//! - the share of the victim's record that a released record begins with, from its first symbol on:
//!   methods that count beginnings keep those;
//! - the Jaccard index of the sets of neighbouring symbols of the two records: methods that drop or
//!   change single visits keep most of these.
//!
//! A symbol is a location, in timed data with its bin. The nearest record is found exactly, without
//! comparing with all: beginnings by one pass ([`super::probe`]), pairs by going through the records
//! that have the victim's rarest pair, then the next, until no other could be nearer.

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use wayveil_core::Sequences;

use super::probe::{Counts, Pair, Probe, pairs};

/// Nearer than anything that differs.
const EQUAL: f64 = 2.0;

/// How near the nearest released record is to each record asked about; `counts` are the release's.
pub(super) fn nearness(probe: &Probe, counts: &Counts, released: &Sequences) -> Vec<f64> {
    let having = probe.having_pairs(released);
    probe
        .places
        .par_iter()
        .map(|places| {
            if counts.equal[places.whole() as usize] > 0 {
                return EQUAL;
            }
            let begun = places
                .beginnings
                .iter()
                .take_while(|&&place| counts.beginning[place as usize] > 0)
                .count();
            let share = begun as f64 / places.beginnings.len().max(1) as f64;
            best_overlap(probe, &places.pairs, &having, released, share)
        })
        .collect()
}

/// The largest Jaccard index of a released record's pairs with these, but at least `least`.
fn best_overlap(
    probe: &Probe,
    own: &[u32],
    having: &[Vec<u32>],
    released: &Sequences,
    least: f64,
) -> f64 {
    let mut rarest_first: Vec<&Vec<u32>> = own.iter().map(|&pair| &having[pair as usize]).collect();
    rarest_first.sort_by_key(|records| records.len());
    let (mut best, mut known) = (least, FxHashSet::default());
    let mut buffer: Vec<Pair> = Vec::new();
    for (done, records) in rarest_first.into_iter().enumerate() {
        // A record that is not known yet has none of the pairs gone through.
        let bound = (own.len() - done) as f64 / own.len() as f64;
        if bound <= best {
            break;
        }
        for &record in records {
            if known.insert(record) {
                buffer.clear();
                buffer.extend(pairs(released, record as usize));
                buffer.sort_unstable();
                buffer.dedup();
                let common = buffer
                    .iter()
                    .filter_map(|&pair| probe.place_of_pair(pair))
                    .filter(|place| own.binary_search(place).is_ok())
                    .count();
                let all = own.len() + buffer.len() - common;
                best = best.max(common as f64 / all as f64);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn slow_nearness(victim: &[u32], released: &[Vec<u32>]) -> f64 {
        let pairs = |record: &[u32]| -> BTreeSet<Vec<u32>> {
            record.windows(2).map(<[u32]>::to_vec).collect()
        };
        let near = |record: &Vec<u32>| {
            if record == victim {
                return EQUAL;
            }
            let same = record.iter().zip(victim).take_while(|(a, b)| a == b);
            let share = same.count() as f64 / victim.len().max(1) as f64;
            let (ours, theirs) = (pairs(victim), pairs(record));
            let common = ours.intersection(&theirs).count();
            let all = ours.union(&theirs).count();
            share.max(common as f64 / all.max(1) as f64)
        };
        released.iter().map(near).fold(0.0, f64::max)
    }

    proptest! {
        #[test]
        fn the_nearest_is_that_of_comparing_with_all(
            victims in prop::collection::vec(prop::collection::vec(0u32..4, 0..7), 1..6),
            released in prop::collection::vec(prop::collection::vec(0u32..4, 0..7), 0..15),
        ) {
            let asked = Sequences::from_codes(&victims);
            let probe = Probe::new(&asked, 0..victims.len());
            let sequences = Sequences::from_codes(&released);
            let fast = nearness(&probe, &probe.count(&sequences), &sequences);
            for (victim, fast) in victims.iter().zip(fast) {
                let slow = slow_nearness(victim, &released);
                prop_assert!((fast - slow).abs() < 1e-12, "{victim:?}: {fast}, not {slow}");
            }
        }
    }
}
