//! The number of rare successes among more trials than can be counted one by one.

use num_bigint::BigUint;
use num_integer::Integer;
use rand_core::Rng;

use crate::interval::{Interval, shift_up};
use crate::probability::ExactProbability;

/// Bits of the uniform real to begin with, beyond those that the number of trials takes.
const FIRST_BITS: u64 = 128;

/// The number of successes among `n` independent events of probability exactly p < 1/2, for an n of
/// any size. The work grows with the successes, so n·p should not be large.
///
/// It is the k with F(k−1) ≤ U < F(k), for a uniform real U and F(k) = P\[X ≤ k\]. With the first bits
/// of U known, U lies in an interval; so does F(k), by bounds with directed rounding on P\[X = 0\] =
/// (1−p)^n and P\[X = k+1\] = P\[X = k\]·(n−k)/(k+1)·p/(1−p). A comparison is answered where the
/// intervals lie apart; else more bits of the same U are drawn and everything is bounded again. So the
/// answer is that of the real numbers, with no rounding at all.
pub(crate) fn rare_successes<R: Rng + ?Sized>(
    n: &BigUint,
    p: &ExactProbability,
    rng: &mut R,
) -> u64 {
    let mut bits = FIRST_BITS + n.bits();
    let mut uniform = random_bits(bits, rng);
    loop {
        if let Some(successes) = decided(n, &p.interval(bits), &uniform) {
            return successes;
        }
        uniform = (uniform << bits) + random_bits(bits, rng);
        bits *= 2;
    }
}

/// The answer for every U in [uniform, uniform + 1)/2^bits, if it is the same for all that the bounds
/// allow.
fn decided(n: &BigUint, p: &Interval, uniform: &BigUint) -> Option<u64> {
    let failure = p.one_minus();
    let odds = p.over(&failure);
    let mut mass = power(&failure, n);
    let mut sum = mass.clone();
    let mut successes = 0_u64;
    loop {
        if *uniform < sum.low {
            return Some(successes);
        }
        // F(n) = 1 lies above every U, whatever the bounds say.
        let last = BigUint::from(successes) >= *n;
        if last || *uniform < sum.high {
            return last.then_some(successes);
        }
        let left = n - successes;
        successes += 1;
        mass = Interval {
            low: ((&mass.low * &left * &odds.low) >> p.bits) / successes,
            high: shift_up(&mass.high * &left * &odds.high, p.bits).div_ceil(&successes.into()),
            bits: p.bits,
        };
        sum = sum.plus(&mass);
    }
}

/// y^n by squaring.
fn power(y: &Interval, n: &BigUint) -> Interval {
    let mut product = Interval::one(y.bits);
    for bit in (0..n.bits()).rev() {
        product = product.times(&product);
        if n.bit(bit) {
            product = product.times(y);
        }
    }
    product
}

/// A uniform integer of so many bits.
pub(crate) fn random_bits<R: Rng + ?Sized>(bits: u64, rng: &mut R) -> BigUint {
    let words = bits.div_ceil(64);
    let drawn = (0..words).fold(BigUint::default(), |drawn, _| {
        (drawn << 64_u32) + rng.next_u64()
    });
    drawn >> (64 * words - bits)
}

/// A uniform integer below `n`, which is above zero: drawn again until it is.
pub(crate) fn below_big<R: Rng + ?Sized>(n: &BigUint, rng: &mut R) -> BigUint {
    loop {
        let drawn = random_bits(n.bits(), rng);
        if drawn < *n {
            return drawn;
        }
    }
}

#[cfg(test)]
mod tests {
    use num_traits::{One, ToPrimitive};

    use super::*;
    use crate::rate::Rate;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, fit_integers};

    fn tail(num: u64, den: u64, t: u64) -> ExactProbability {
        ExactProbability::laplace_tail(Rate::new(num, den).unwrap(), t)
    }

    fn pmf(n: f64, p: f64, k: i64) -> f64 {
        if k < 0 || k as f64 > n {
            return 0.0;
        }
        let ways: f64 = (0..k).map(|i| ((n - i as f64) / (i + 1) as f64).ln()).sum();
        (ways + k as f64 * p.ln() + (n - k as f64) * (-p).ln_1p()).exp()
    }

    #[test]
    fn law_by_counting_for_few_trials_and_for_more_than_fit_a_word() {
        let mut rng = RandomSource::insecure_seed(61).stream();
        // 20^25 sequences at rate 1: from threshold 75 on fewer than one passes on average.
        let many = BigUint::from(20_u32).pow(25);
        for (n, p) in [
            (BigUint::one(), tail(1, 1, 1)),
            (BigUint::from(5_u32), tail(1, 2, 1)),
            (BigUint::from(400_u32), tail(1, 3, 15)),
            (many.clone(), tail(1, 1, 75)),
            (many, tail(1, 1, 74)),
        ] {
            let drawn: Vec<i64> = (0..40_000)
                .map(|_| rare_successes(&n, &p, &mut rng) as i64)
                .collect();
            let size = n.to_f64().unwrap();
            let law = |k| pmf(size, p.as_f64(), k);
            assert_plausible(&fit_integers(&drawn, 0..=12, law).unwrap());
        }
    }

    /// For every U of eight bits: where an answer is given it is right for all reals of that cell, and
    /// only cells that hold a step of F stay open.
    #[test]
    fn an_answer_is_given_only_where_all_continuations_agree() {
        let n = BigUint::from(7_u32);
        let p = tail(1, 2, 2);
        let cumulative = |k: i64| (0..=k).map(|k| pmf(7.0, p.as_f64(), k)).sum::<f64>();
        let fine = p.interval(64);
        let mut open = 0;
        for cell in 0_u32..256 {
            let (from, to) = (f64::from(cell) / 256.0, f64::from(cell + 1) / 256.0);
            // The cell at 64 bits: its ends.
            let ends = [BigUint::from(cell), BigUint::from(cell + 1)].map(|end| end << 56_u32);
            let first = decided(&n, &fine, &ends[0]);
            let last = decided(&n, &fine, &(&ends[1] - 1_u32));
            match (first, last) {
                (Some(a), Some(b)) if a == b => {
                    let k = a as i64;
                    assert!(cumulative(k - 1) <= from + 1e-12 && to <= cumulative(k) + 1e-12);
                }
                _ => open += 1,
            }
        }
        assert!((1..=8).contains(&open), "{open}");
    }

    #[test]
    fn nothing_comes_of_nothing() {
        let mut rng = RandomSource::insecure_seed(1).stream();
        let nothing = BigUint::default();
        assert_eq!(rare_successes(&nothing, &tail(1, 1, 1), &mut rng), 0);
        assert_eq!(
            below_big(&BigUint::one(), &mut rng),
            BigUint::default(),
            "the only one below 1"
        );
    }
}
