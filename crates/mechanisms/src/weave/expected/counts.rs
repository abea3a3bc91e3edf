//! `count-query-error`: counts of sets of locations, against truths that are plausible.
//!
//! As evaluate has it: group i of four asks for sets of 1 to ⌈i·12/4⌉ distinct locations, all sizes alike, and an
//! error is |released − true| / max(true, 0.1 % of the records). Sizes are therefore looked at one by one, and a group
//! is the mean over its sizes.

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::Sequences;
use wayveil_noise::choose_distinct;

use super::constants::{LEFT, NOISE, STRUCTURE, TRUTHS};
use super::known::{Known, Scatter};
use super::plausible;
use crate::weave::denoise::Estimate;

/// Sets of each size.
const SETS: usize = 200;
/// The largest set, and the share of records below which errors are not relative.
const LARGEST: usize = 12;
const SANITY: f64 = 0.001;
pub(super) const GROUPS: usize = 4;
/// Records whose sets are counted in one go.
const CHUNK: usize = 1 << 16;

/// What is known of sets.
pub(super) struct Sets<'a> {
    pub(super) pool: &'a Sequences,
    pub(super) weights: &'a [f64],
    pub(super) released: &'a Sequences,
    pub(super) places: &'a Known,
    pub(super) pairs: &'a Known,
    pub(super) scatter: &'a Scatter,
    pub(super) locations: usize,
    pub(super) records: f64,
}

impl Sets<'_> {
    /// The mean error of each group.
    pub(super) fn errors(&self, rng: &mut impl Rng) -> Option<[f64; GROUPS]> {
        let largest = LARGEST.min(self.locations);
        let mut sets: Vec<Vec<u32>> = Vec::with_capacity(largest * SETS);
        for size in 1..=largest {
            for _ in 0..SETS {
                let set = choose_distinct(self.locations as u64, size as u64, rng).ok()?;
                sets.push(set.into_iter().map(|location| location as u32).collect());
            }
        }
        if sets.is_empty() {
            return None;
        }
        let released = holding(self.released, None, &sets, self.locations);
        let expected = holding(self.pool, Some(self.weights), &sets, self.locations);
        let least = SANITY * self.records;
        let mut by_size = vec![0.0; largest];
        for ((set, released), expected) in sets.iter().zip(released).zip(expected) {
            let truth = self.truth(set, released, expected);
            for _ in 0..TRUTHS {
                let truth = plausible::count(truth, rng);
                let error = (released - truth).abs() / truth.max(least).max(f64::MIN_POSITIVE);
                by_size[set.len() - 1] += error / (SETS * TRUTHS) as f64;
            }
        }
        Some(std::array::from_fn(|group| {
            let sizes = &by_size[..((group + 1) * LARGEST).div_ceil(GROUPS).min(largest)];
            sizes.iter().sum::<f64>() / sizes.len() as f64
        }))
    }

    /// What the count of a set may be in truth: by its own noisy counts where it has such, else by what the pool
    /// expects.
    fn truth(&self, set: &[u32], released: f64, expected: f64) -> Estimate {
        let counted = match *set {
            [place] => self
                .places
                .cell(u64::from(place))
                .and_then(|cell| cell.truth),
            [a, b] => self.pair(a, b, released),
            _ => None,
        };
        counted.map_or_else(|| beyond_pairs(expected, self.scatter), as_left)
    }

    /// Records that have both places, from those that have one before the other; some have both orders.
    fn pair(&self, a: u32, b: u32, released: f64) -> Option<Estimate> {
        let number = |a: u32, b: u32| u64::from(a) * self.locations as u64 + u64::from(b);
        let cells = [number(a, b), number(b, a)].map(|number| self.pairs.cell(number));
        let truths: Vec<Estimate> = cells.iter().flatten().filter_map(|it| it.truth).collect();
        let in_order: f64 = cells.iter().flatten().map(|it| it.released).sum();
        if truths.is_empty() {
            return None;
        }
        let both = (released + 1.0) / (in_order + 1.0);
        let variance: f64 = truths.iter().map(|it| it.deviation * it.deviation).sum();
        Some(Estimate {
            mean: truths.iter().map(|it| it.mean).sum::<f64>() * both,
            deviation: variance.sqrt() * both,
        })
    }
}

/// An estimate of a place or a pair, with what other groups tell of it.
pub(super) fn as_left(Estimate { mean, deviation }: Estimate) -> Estimate {
    Estimate {
        mean,
        deviation: LEFT * deviation,
    }
}

/// What a count of three and more places may be in truth where this much is expected.
pub(super) fn beyond_pairs(expected: f64, scatter: &Scatter) -> Estimate {
    let (distance, noise) = scatter.at(expected);
    Estimate {
        mean: expected,
        deviation: (STRUCTURE * distance).hypot(NOISE * noise),
    }
}

/// How many records have all of each set, by weight; every record weighs one where no weights are given.
fn holding(
    sequences: &Sequences,
    weights: Option<&[f64]>,
    sets: &[Vec<u32>],
    locations: usize,
) -> Vec<f64> {
    let starts: Vec<usize> = (0..sequences.len()).step_by(CHUNK).collect();
    let chunk = |start: usize| {
        let records = start..(start + CHUNK).min(sequences.len());
        let words = records.len().div_ceil(64);
        let mut bits = vec![0u64; words * locations];
        for (at, record) in records.enumerate() {
            for &place in sequences.codes_of(record) {
                bits[place as usize * words + at / 64] |= 1 << (at % 64);
            }
        }
        let row = |place: u32| &bits[place as usize * words..(place as usize + 1) * words];
        let count = |set: &Vec<u32>| {
            let mut sum = 0.0;
            for word in 0..words {
                let mut left = set
                    .iter()
                    .fold(u64::MAX, |all, &place| all & row(place)[word]);
                match weights {
                    None => sum += f64::from(left.count_ones()),
                    Some(weights) => {
                        while left != 0 {
                            sum += weights[start + word * 64 + left.trailing_zeros() as usize];
                            left &= left - 1;
                        }
                    }
                }
            }
            sum
        };
        sets.iter().map(count).collect::<Vec<f64>>()
    };
    let chunks: Vec<Vec<f64>> = starts.into_par_iter().map(chunk).collect();
    let mut sums = vec![0.0; sets.len()];
    for chunk in chunks {
        sums.iter_mut()
            .zip(chunk)
            .for_each(|(sum, own)| *sum += own);
    }
    sums
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;

    use super::*;

    #[test]
    fn sets_are_held_as_counted_one_by_one() {
        let mut rng = RandomSource::insecure_seed(9).stream();
        let mut record = || {
            let length = (rng.next_u64() % 9) as usize;
            let place = |_| (rng.next_u64() % 6) as u32;
            (0..length).map(place).collect::<Vec<u32>>()
        };
        let records: Vec<Vec<u32>> = (0..70_000).map(|_| record()).collect();
        let weights: Vec<f64> = (0..records.len()).map(|at| (at % 4) as f64).collect();
        let sequences = Sequences::from_codes(&records);
        let sets = [vec![0], vec![1, 5], vec![0, 2, 3], vec![0, 1, 2, 3, 4, 5]];
        let found = holding(&sequences, Some(&weights), &sets, 6);
        let plain = holding(&sequences, None, &sets, 6);
        for ((set, found), plain) in sets.iter().zip(found).zip(plain) {
            let has = |record: &&Vec<u32>| set.iter().all(|place| record.contains(place));
            assert_eq!(plain, records.iter().filter(has).count() as f64);
            let own = records
                .iter()
                .zip(&weights)
                .filter(|(record, _)| has(record));
            assert_eq!(found, own.map(|it| it.1).sum::<f64>());
        }
    }
}
