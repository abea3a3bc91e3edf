//! Coins with a rational bias, and with bias e^(−x) for rational x.

use core::num::NonZeroU64;

use rand_core::Rng;

use crate::digits::{WORD, digit, lies_below};

/// True with probability exactly min(1, num/den).
#[inline]
pub fn bernoulli<R: Rng + ?Sized>(num: u64, den: NonZeroU64, rng: &mut R) -> bool {
    ratio::<WORD, R>(num, den.get(), rng)
}

/// True with probability exactly e^(−num/den).
///
/// Canonne, Kamath and Steinke (2020), Algorithm 1. For x ≤ 1 toss coins of bias x/1, x/2, x/3, …
/// until one fails, at toss k say: `P[k > j]` = x^j/j!, so P[k odd] = 1 − x + x²/2! − … = e^(−x).
/// For x > 1, e^(−x) = (e^(−1))^⌊x⌋·e^(−(x−⌊x⌋)): one coin for each whole unit, and the first
/// failure ends it.
pub fn bernoulli_exp<R: Rng + ?Sized>(num: u64, den: NonZeroU64, rng: &mut R) -> bool {
    exp_digits::<WORD, R>(num, den.get(), rng)
}

#[inline]
fn ratio<const B: u32, R: Rng + ?Sized>(num: u64, den: u64, rng: &mut R) -> bool {
    num >= den || lies_below::<B>(num, den, || digit::<B, R>(rng))
}

/// True with probability exactly 1/k, `k > 0`.
#[inline]
pub(crate) fn one_in<const B: u32, R: Rng + ?Sized>(k: u64, rng: &mut R) -> bool {
    ratio::<B, R>(1, k, rng)
}

pub(crate) fn exp_digits<const B: u32, R: Rng + ?Sized>(num: u64, den: u64, rng: &mut R) -> bool {
    (0..num / den).all(|_| exp_of_at_most_one::<B, R>(1, 1, rng))
        && exp_of_at_most_one::<B, R>(num % den, den, rng)
}

/// The coin of bias x/k is tossed as two, x and 1/k, so that no product den·k can overflow.
fn exp_of_at_most_one<const B: u32, R: Rng + ?Sized>(num: u64, den: u64, rng: &mut R) -> bool {
    let mut k = 1;
    while ratio::<B, R>(num, den, rng) && one_in::<B, R>(k, rng) {
        k += 1;
    }
    k % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::Enumeration;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, chi_square};

    fn nonzero(n: u64) -> NonZeroU64 {
        NonZeroU64::new(n).unwrap()
    }

    #[test]
    fn exponential_bias_by_enumeration() {
        for (num, den) in [(0, 1), (1, 3), (1, 2), (2, 3), (1, 1), (4, 3)] {
            let law = Enumeration::run::<2, _>(12, |rng| exp_digits::<2, _>(num, den, rng));
            law.assert_contains(&true, (-(num as f64) / den as f64).exp(), 5e-3);
        }
    }

    #[test]
    fn exponential_bias_by_counting() {
        let mut rng = RandomSource::insecure_seed(21).stream();
        for (num, den) in [
            (1, 1000),
            (1, 1),
            (5, 2),
            (10, 1),
            (7, u64::MAX),
            (u64::MAX, 1),
        ] {
            let p = (-(num as f64) / den as f64).exp();
            let mut counts = [0; 2];
            for _ in 0..1_000_000 {
                counts[usize::from(bernoulli_exp(num, nonzero(den), &mut rng))] += 1;
            }
            if p < 1e-9 {
                assert_eq!(counts[1], 0);
            } else if p > 1.0 - 1e-9 {
                assert_eq!(counts[0], 0);
            } else {
                assert_plausible(&chi_square(&counts, &[1.0 - p, p]).unwrap());
            }
        }
    }

    #[test]
    fn rational_bias_and_its_ends() {
        let mut rng = RandomSource::insecure_seed(22).stream();
        let mut counts = [0; 2];
        for _ in 0..200_000 {
            counts[usize::from(bernoulli(3, nonzero(7), &mut rng))] += 1;
            assert!(!bernoulli(0, nonzero(7), &mut rng));
            assert!(bernoulli(7, nonzero(7), &mut rng));
            assert!(bernoulli(u64::MAX, nonzero(7), &mut rng));
        }
        assert_plausible(&chi_square(&counts, &[4.0 / 7.0, 3.0 / 7.0]).unwrap());
    }
}
