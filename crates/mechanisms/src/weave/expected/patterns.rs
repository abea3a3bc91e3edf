//! `top-patterns`: how many of the most frequent patterns are true, against truths that are plausible.
//!
//! Patterns are gapped subsequences of 2 to 5 places, their support is in records, and ties go to the shorter
//! and then to the lower codes, as evaluate has it. They are mined from a part of the release.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand_core::Rng;
use rustc_hash::FxHashSet;
use wayveil_core::Sequences;

use super::constants::TRUTHS;
use super::counts::{as_left, beyond_pairs};
use super::known::{Known, Scatter};
use super::plausible;
use crate::weave::denoise::Estimate;

/// How many of the most frequent patterns are looked at.
pub(super) const TOPS: [usize; 3] = [100, 200, 300];
/// So many are mined, since truths may have others on top.
const MINED: usize = 700;
const LONGEST: usize = 5;
/// Records that are mined.
const RECORDS: usize = 20_000;

/// A pattern with how many records have it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pattern {
    support: u64,
    order: Reverse<(usize, Vec<u32>)>,
}

impl Pattern {
    fn new(support: u64, codes: Vec<u32>) -> Self {
        Self {
            support,
            order: Reverse((codes.len(), codes)),
        }
    }

    fn codes(&self) -> &[u32] {
        &self.order.0.1
    }
}

/// What is known of patterns.
pub(super) struct Patterns<'a> {
    pub(super) released: &'a Sequences,
    pub(super) pairs: &'a Known,
    pub(super) scatter: &'a Scatter,
    pub(super) locations: usize,
}

impl Patterns<'_> {
    /// How many of the most frequent patterns of the release are true, for each of [`TOPS`]; and how many patterns
    /// the release has at most.
    pub(super) fn true_positives(&self, rng: &mut impl Rng) -> [(f64, usize); 3] {
        let stride = self.released.len().div_ceil(RECORDS).max(1);
        let part: Vec<&[u32]> = self.released.iter().step_by(stride).collect();
        let mined = top(&part, MINED, self.locations);
        let scale = self.released.len() as f64 / part.len().max(1) as f64;
        let mut truths: Vec<Estimate> = Vec::with_capacity(mined.len());
        for pattern in &mined {
            let support = pattern.support as f64 * scale;
            let counted = match *pattern.codes() {
                [a, b] => self
                    .pair(a, b)
                    .map(|estimate| (estimate, self.released_pair(a, b))),
                _ => None,
            };
            truths.push(match counted {
                // The part that is mined may have it more or less often than the release; so may the truth then.
                Some((it, released)) => Estimate {
                    mean: (it.mean + support - released).max(0.0),
                    ..it
                },
                None => beyond_pairs(support, self.scatter),
            });
        }
        truths.extend(self.others(&mined, scale));
        let mut found = [0.0; 3];
        for _ in 0..TRUTHS {
            let mut drawn: Vec<(f64, usize)> = truths
                .iter()
                .enumerate()
                .map(|(at, &truth)| (plausible::amount(truth, rng), at))
                .collect();
            drawn.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for (found, top) in found.iter_mut().zip(TOPS) {
                let best = drawn.iter().take(top);
                let common = best.filter(|(_, at)| *at < top.min(mined.len())).count();
                *found += common as f64 / TRUTHS as f64;
            }
        }
        std::array::from_fn(|at| (found[at], TOPS[at].min(mined.len())))
    }

    fn number(&self, a: u32, b: u32) -> u64 {
        u64::from(a) * self.locations as u64 + u64::from(b)
    }

    fn pair(&self, a: u32, b: u32) -> Option<Estimate> {
        self.pairs
            .cell(self.number(a, b))
            .and_then(|cell| cell.truth)
            .map(as_left)
    }

    fn released_pair(&self, a: u32, b: u32) -> f64 {
        self.pairs
            .cell(self.number(a, b))
            .map_or(0.0, |cell| cell.released)
    }

    /// Pairs that were not mined but may be on top in truth.
    fn others(&self, mined: &[Pattern], scale: f64) -> Vec<Estimate> {
        let known: FxHashSet<u64> = mined
            .iter()
            .filter_map(|pattern| match *pattern.codes() {
                [a, b] => Some(self.number(a, b)),
                _ => None,
            })
            .collect();
        let most = TOPS[TOPS.len() - 1];
        let bar = mined
            .get(most)
            .map_or(0.0, |last| last.support as f64 * scale);
        let may = |truth: &Estimate| truth.mean + 6.0 * truth.deviation >= bar;
        let cells = self
            .pairs
            .cells
            .iter()
            .filter(|cell| !known.contains(&cell.number));
        let truths = cells.filter_map(|cell| cell.truth).map(as_left);
        truths.filter(may).collect()
    }
}

/// The most frequent patterns, best first. What is most frequent is grown next; nothing grows that cannot make it.
fn top(records: &[&[u32]], most: usize, locations: usize) -> Vec<Pattern> {
    let mut best: BinaryHeap<Reverse<Pattern>> = BinaryHeap::new();
    let mut open = BinaryHeap::from([Pattern::new(u64::MAX, Vec::new())]);
    let mut supports = vec![0u64; locations];
    while let Some(grown) = open.pop() {
        let full = best.len() == most;
        let bound = best
            .peek()
            .filter(|_| full)
            .map_or(1, |Reverse(worst)| worst.support);
        if grown.support < bound {
            break;
        }
        extensions(records, grown.codes(), &mut supports);
        for (place, support) in supports.iter().enumerate().filter(|it| *it.1 >= bound) {
            let mut codes = grown.codes().to_vec();
            codes.push(place as u32);
            let pattern = Pattern::new(*support, codes);
            if pattern.codes().len() > 1 {
                best.push(Reverse(pattern.clone()));
                if best.len() > most {
                    best.pop();
                }
            }
            if pattern.codes().len() < LONGEST {
                open.push(pattern);
            }
        }
    }
    let sorted = best.into_sorted_vec();
    sorted.into_iter().map(|Reverse(pattern)| pattern).collect()
}

/// How many records have a pattern with each place after it.
fn extensions(records: &[&[u32]], pattern: &[u32], supports: &mut [u64]) {
    supports.fill(0);
    let mut seen = vec![0usize; supports.len()];
    for (number, record) in (1..).zip(records) {
        let mut left = pattern.iter().peekable();
        for &place in *record {
            match left.peek() {
                Some(wanted) if **wanted == place => {
                    left.next();
                }
                Some(_) => {}
                None => {
                    let seen = &mut seen[place as usize];
                    if *seen != number {
                        *seen = number;
                        supports[place as usize] += 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use wayveil_core::RandomSource;

    use super::*;

    fn every(records: &[Vec<u32>]) -> Vec<Pattern> {
        let mut supports: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for record in records {
            let chosen = |mask: u32| {
                let places = record
                    .iter()
                    .enumerate()
                    .filter(move |(at, _)| mask >> at & 1 == 1);
                places.map(|(_, &place)| place).collect::<Vec<u32>>()
            };
            let own: BTreeSet<Vec<u32>> = (0..1 << record.len()).map(chosen).collect();
            for codes in own
                .into_iter()
                .filter(|it| (2..=LONGEST).contains(&it.len()))
            {
                *supports.entry(codes).or_default() += 1;
            }
        }
        let mut all: Vec<Pattern> = supports
            .into_iter()
            .map(|(codes, support)| Pattern::new(support, codes))
            .collect();
        all.sort_by(|a, b| b.cmp(a));
        all
    }

    #[test]
    fn the_most_frequent_are_found_as_by_trying_all() {
        let mut rng = RandomSource::insecure_seed(5).stream();
        for _ in 0..40 {
            let mut record = || {
                let length = (rng.next_u64() % 8) as usize;
                let place = |_| (rng.next_u64() % 4) as u32;
                (0..length).map(place).collect::<Vec<u32>>()
            };
            let records: Vec<Vec<u32>> = (0..25).map(|_| record()).collect();
            let borrowed: Vec<&[u32]> = records.iter().map(Vec::as_slice).collect();
            let all = every(&records);
            for most in [1, 10, 60] {
                let found = top(&borrowed, most, 4);
                assert_eq!(found[..], all[..most.min(all.len())]);
            }
        }
    }
}
