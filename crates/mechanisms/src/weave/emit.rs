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
    let visits = |at: u32| (pool.codes_of(at as usize), pool.bins_of(at as usize));
    let numbers = (0..pool.len() as u32).into_par_iter();
    let mut order: Vec<(u128, u32)> = numbers.map(|at| (beginning(visits(at).0), at)).collect();
    order.par_sort_unstable_by(|&(a, first), &(b, second)| {
        let rest = || visits(first).cmp(&visits(second)).then(first.cmp(&second));
        a.cmp(&b).then_with(rest)
    });
    let mut reached = unit(rng);
    let mut released = Sequences::empty(pool.is_timed());
    for (_, candidate) in order {
        let before = reached.floor();
        reached += weights[candidate as usize].max(0.0);
        for _ in 0..(reached.floor() - before) as u64 {
            let (codes, bins) = visits(candidate);
            released.push(codes, bins);
        }
    }
    released
}

/// The first places as one number, in the order of the records; most are told apart by it.
fn beginning(codes: &[u32]) -> u128 {
    // A place that is there counts from one on, so that a record comes before those that go on.
    let place = |at: usize| codes.get(at).map_or(0, |&code| u128::from(code) + 1);
    (0..3).fold(0, |number, at| number << 40 | place(at))
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
