//! From a weighted pool to whole trajectories.
//!
//! One uniform offset and systematic sampling in lexicographic order: the expected number of copies of every
//! candidate is its weight, and every stretch of that order, such as all candidates with one beginning, is
//! within one of its weight.

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::Sequences;

use super::draw::unit;

pub(super) fn emit(pool: &Sequences, weights: &[f64], rng: &mut impl Rng) -> Sequences {
    let mut order: Vec<u32> = (0..pool.len() as u32).collect();
    let visits = |at: u32| (pool.codes_of(at as usize), pool.bins_of(at as usize));
    order.par_sort_by(|&a, &b| visits(a).cmp(&visits(b)));
    let mut reached = unit(rng);
    let mut released = Sequences::empty(pool.is_timed());
    for candidate in order {
        let before = reached.floor();
        reached += weights[candidate as usize].max(0.0);
        for _ in 0..(reached.floor() - before) as u64 {
            let (codes, bins) = visits(candidate);
            released.push(codes, bins);
        }
    }
    released
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;

    use super::*;

    #[test]
    fn whole_weights_come_out_as_they_are_in_order() {
        let pool = Sequences::from_codes([vec![2u32], vec![0, 1], vec![0], vec![1]]);
        let mut rng = RandomSource::insecure_seed(1).stream();
        let released = emit(&pool, &[1.0, 2.0, 1.0, 0.0], &mut rng);
        let expected: [&[u32]; 4] = [&[0], &[0, 1], &[0, 1], &[2]];
        assert_eq!(released, Sequences::from_codes(expected));
    }

    #[test]
    fn fractions_are_right_on_average() {
        let pool = Sequences::from_codes([[0u32], [1], [2]]);
        let weights = [0.3, 0.45, 1.9];
        let mut totals = [0.0; 3];
        const RUNS: u64 = 20_000;
        for seed in 0..RUNS {
            let mut rng = RandomSource::insecure_seed(seed).stream();
            for record in emit(&pool, &weights, &mut rng).iter() {
                totals[record[0] as usize] += 1.0 / RUNS as f64;
            }
        }
        // Seeds are fixed; 7 standard deviations of a coin.
        let tolerance = 7.0 * 0.5 / (RUNS as f64).sqrt();
        for (total, weight) in totals.iter().zip(weights) {
            assert!((total - weight).abs() < tolerance, "{total} {weight}");
        }
    }
}
