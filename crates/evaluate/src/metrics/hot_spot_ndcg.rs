//! How well the release names the most visited locations.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use wayveil_core::Result;

use super::counting::visits;
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Normalised discounted cumulative gain of the most visited locations.
pub(super) static METRIC: Metric = Metric {
    name: "hot-spot-ndcg",
    about: "how well the release ranks the most visited locations",
    definition: "NDCG@k, k = `hot-spots` (10): the k locations that the release visits most, in its \
                 order, earn Σ gain/log₂(position + 1), divided by what the raw order earns. \
                 `visits`: a location's gain is its number of raw visits; locations that tie in the \
                 release share their positions' gains equally. `rank`: the gain is 1/rank for the k \
                 most visited raw locations and 0 for others; ties go to the lower code, unvisited \
                 locations are no hot spots. 1 is the same ranking. Undefined for k = 0 or where a \
                 side has no visit.",
    source: "Järvelin and Kekäläinen 2002; ties after McSherry and Najork 2008. `rank` is the gain \
             of LDPTrace's code (Du et al., PVLDB 16, 2023), which reports 1 − NDCG at k = 5.",
    better: Better::Higher,
    spatial: false,
    run,
};

const NAMES: [&str; 2] = ["visits", "rank"];

fn run(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let counts = visits(compared)?;
    let nothing = counts.iter().all(|pair| pair.0 == 0) || counts.iter().all(|pair| pair.1 == 0);
    if nothing || settings.hot_spots == 0 {
        return Ok(NAMES.map(Value::undefined).to_vec());
    }
    let k = settings.hot_spots;
    Ok(vec![
        Value::new(NAMES[0], by_visits(&counts, k)),
        Value::new(NAMES[1], by_rank(&counts, k)),
    ])
}

/// Weight of a position, counted from zero.
fn discount(position: usize) -> f64 {
    1.0 / (position as f64 + 2.0).log2()
}

fn by_visits(counts: &[(u64, u64)], k: usize) -> f64 {
    let mut ideal: Vec<u64> = counts.iter().map(|pair| pair.0).collect();
    ideal.sort_unstable_by_key(|&gain| Reverse(gain));
    let best: f64 = ideal
        .iter()
        .take(k)
        .enumerate()
        .map(|(position, &gain)| gain as f64 * discount(position))
        .sum();

    let mut order = counts.to_vec();
    order.sort_unstable_by_key(|pair| Reverse(pair.1));
    let mut earned = 0.0;
    let mut position = 0;
    for tied in order.chunk_by(|a, b| a.1 == b.1) {
        if position >= k {
            break;
        }
        let gain: u64 = tied.iter().map(|pair| pair.0).sum();
        let end = position + tied.len();
        let weight: f64 = (position..end.min(k)).map(discount).sum();
        earned += gain as f64 / tied.len() as f64 * weight;
        position = end;
    }
    (earned / best).min(1.0)
}

fn by_rank(counts: &[(u64, u64)], k: usize) -> f64 {
    let top = |visits: fn(&(u64, u64)) -> u64| {
        let mut order: Vec<usize> = (0..counts.len())
            .filter(|&code| visits(&counts[code]) > 0)
            .collect();
        order.sort_unstable_by_key(|&code| (Reverse(visits(&counts[code])), code));
        order.truncate(k);
        order
    };
    let (raw, released) = (top(|pair| pair.0), top(|pair| pair.1));
    let gain = |rank: usize| 1.0 / (rank as f64 + 1.0);
    let best: f64 = (0..raw.len()).map(|at| gain(at) * discount(at)).sum();
    let ranks: FxHashMap<usize, usize> = raw.into_iter().zip(0..).collect();
    let earned: f64 = released
        .iter()
        .enumerate()
        .filter_map(|(position, code)| {
            let rank = ranks.get(code)?;
            Some(gain(*rank) * discount(position))
        })
        .sum();
    earned / best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let log = |n: f64| n.log2();
        // The release swaps the first two of three.
        let counts = [(3, 5), (2, 6), (1, 1)];
        let best = 3.0 + 2.0 / log(3.0);
        let earned = 2.0 + 3.0 / log(3.0);
        assert!((by_visits(&counts, 2) - earned / best).abs() < 1e-15);
        let best = 1.0 + 0.5 / log(3.0);
        let earned = 0.5 + 1.0 / log(3.0);
        assert!((by_rank(&counts, 2) - earned / best).abs() < 1e-15);
        // All tie in the release: each position earns the mean gain.
        let counts = [(3, 1), (0, 1)];
        assert!((by_visits(&counts, 1) - 0.5).abs() < 1e-15);
        assert_eq!(by_rank(&counts, 1), 1.0);
        // The same order earns everything, also with more places than locations.
        assert_eq!(by_visits(&[(3, 6), (2, 4), (2, 4)], 9), 1.0);
        assert_eq!(by_rank(&[(3, 6), (2, 4), (0, 0)], 9), 1.0);
    }
}
