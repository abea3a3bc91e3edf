//! Counts that do not contradict each other: a fragment is not more frequent than its two parts.
//!
//! De-biased counts are noisy, each by itself. A client who has a fragment has its prefix and its
//! suffix too, so the true counts obey count(f) ≤ count(prefix), count(suffix); and they lie in [0, N].
//! Among all counts that do, those are taken that are nearest to the estimates in least squares
//! weighted by 1/variance. This is post-processing: it costs no privacy. The true counts are among
//! those that qualify, so in that distance all counts together come nearer to the truth, or stay as
//! near, but for rounding to whole clients.
//!
//! # How
//!
//! The nearest values under an order are an isotonic regression. It is split exactly (Spouge, Wan and
//! Wilbur 2003; Luss, Rosset and Shahar 2010): let μ be the weighted mean of a group, and U the set
//! closed under "part of" with the largest Σ w·(estimate − μ). If that is zero, all the group takes μ;
//! otherwise U lies above μ, the rest below, and the two are solved apart, for no constraint between
//! them can bind. U is a minimum cut (`closure.rs`). Values outside [0, N] are cut off last,
//! which keeps them nearest (each group is moved by as much as the bounds ask).
//!
//! A group is no longer split when U gains less than 10⁻¹⁴ of Σ w·|estimate − μ|, which is what
//! rounding in the sums amounts to; members then differ from where they should be by less than that
//! over their own weight, far less than one client. What rounding leaves of a violation is removed by
//! a pass from short to long, and rounding to whole clients keeps the order, so that the constraints
//! hold exactly.

use rustc_hash::FxHashMap;

use super::closure::{self, Arc};

/// One fragment and what is known of its count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimated<'a> {
    /// The locations, contiguous.
    pub codes: &'a [u32],
    /// The de-biased count; one that is not finite counts as 0.
    pub count: f64,
    /// Its variance; smaller ones pull more. At least 10⁻⁶ of the largest is taken, and the largest
    /// where it is not a number.
    pub variance: f64,
}

/// The consistent counts of distinct `fragments`, of any lengths in any order, in whole clients
/// between 0 and `population`. A part that is not in the list puts no constraint.
pub fn consistent(fragments: &[Estimated<'_>], population: u64) -> Vec<u64> {
    let parts = parts(fragments);
    let weights = weights(fragments);
    let finite = |count: f64| if count.is_finite() { count } else { 0.0 };
    let counts: Vec<f64> = fragments.iter().map(|f| finite(f.count)).collect();
    let nearest = isotonic(&counts, &weights, &parts);
    let most = population as f64;
    let mut whole: Vec<u64> = nearest
        .iter()
        .map(|value| (value.clamp(0.0, most).round() as u64).min(population))
        .collect();
    let mut by_length: Vec<usize> = (0..fragments.len()).collect();
    by_length.sort_by_key(|&i| fragments[i].codes.len());
    for i in by_length {
        for part in parts[i].into_iter().flatten() {
            whole[i] = whole[i].min(whole[part]);
        }
    }
    whole
}

/// Where each fragment's prefix and suffix are in the list.
type Parts = Vec<[Option<usize>; 2]>;

fn parts(fragments: &[Estimated<'_>]) -> Parts {
    let place: FxHashMap<&[u32], usize> = fragments
        .iter()
        .enumerate()
        .map(|(i, fragment)| (fragment.codes, i))
        .collect();
    let of = |fragment: &Estimated<'_>| match fragment.codes {
        // The empty fragment, which all clients have, is no part.
        [] | [_] => [None; 2],
        [_, suffix @ ..] => {
            let prefix = &fragment.codes[..suffix.len()];
            let prefix_at = place.get(prefix).copied();
            let suffix_at = place.get(suffix).copied();
            [prefix_at, suffix_at.filter(|_| suffix != prefix)]
        }
    };
    fragments.iter().map(of).collect()
}

/// 1/variance, with the largest variance as the unit.
fn weights(fragments: &[Estimated<'_>]) -> Vec<f64> {
    let known = |variance: &f64| variance.is_finite() && *variance > 0.0;
    let variances = fragments.iter().map(|fragment| fragment.variance);
    let largest = variances.clone().filter(known).fold(0.0, f64::max);
    if largest == 0.0 {
        return vec![1.0; fragments.len()];
    }
    let relative = |variance: f64| (variance / largest).clamp(1e-6, 1.0);
    variances
        .map(|variance| match relative(variance) {
            share if share.is_nan() => 1.0,
            share => 1.0 / share,
        })
        .collect()
}

/// The values nearest to `counts` that do not rise from part to fragment.
fn isotonic(counts: &[f64], weights: &[f64], parts: &Parts) -> Vec<f64> {
    let mut values = counts.to_vec();
    // A fragment's place within the group in hand.
    let mut place = vec![usize::MAX; counts.len()];
    let mut groups: Vec<Vec<usize>> = vec![(0..counts.len()).collect()];
    while let Some(group) = groups.pop() {
        if group.len() < 2 {
            // Who is alone keeps its count.
            continue;
        }
        let weight: f64 = group.iter().map(|&i| weights[i]).sum();
        let sum: f64 = group.iter().map(|&i| weights[i] * counts[i]).sum();
        let mean = sum / weight;
        let gains: Vec<f64> = group
            .iter()
            .map(|&i| weights[i] * (counts[i] - mean))
            .collect();
        for (at, &i) in group.iter().enumerate() {
            place[i] = at;
        }
        let mut arcs = Vec::new();
        for (at, &i) in group.iter().enumerate() {
            for part in parts[i].into_iter().flatten() {
                // Parts solved apart lie above, and bind no more.
                if place[part] != usize::MAX {
                    arcs.push(Arc {
                        from: at,
                        to: place[part],
                    });
                }
            }
        }
        for &i in &group {
            place[i] = usize::MAX;
        }
        let upper = closure::largest(&gains, &arcs);
        let gain: f64 = upper.iter().zip(&gains).filter(|u| *u.0).map(|u| u.1).sum();
        let size: f64 = gains.iter().map(|gain| gain.abs()).sum();
        let (above, below): (Vec<_>, Vec<_>) =
            group.iter().zip(&upper).partition(|member| *member.1);
        if gain <= 1e-14 * size || above.is_empty() || below.is_empty() {
            for i in group {
                values[i] = mean;
            }
        } else {
            for half in [above, below] {
                groups.push(half.into_iter().map(|(&i, _)| i).collect());
            }
        }
    }
    values
}

#[cfg(test)]
#[path = "consistent_tests.rs"]
mod tests;
