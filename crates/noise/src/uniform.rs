//! Uniform integers.

use core::num::NonZeroU64;

use rand_core::Rng;

use crate::digits::{WORD, digit, lies_below};

/// A uniform integer in `0..n`.
///
/// It is ⌊n·U⌋ for a uniform real U. As in Lemire's method (2019) the high half of one product is
/// nearly always the answer; where that method rejects, this one asks for more digits of U, and so
/// needs no division.
#[inline]
pub fn below<R: Rng + ?Sized>(n: NonZeroU64, rng: &mut R) -> u64 {
    below_digits::<WORD, R>(n.get(), rng)
}

/// As [`below`], for `0 < n < 2^B`, or any `n > 0` with `B = 64`.
///
/// With w the first digit and f the rest, n·U = (n·w + n·f)/2^B. Write n·w = high·2^B + low; the
/// floor is `high` if low + n·f < 2^B and `high + 1` otherwise (n·f < 2^B, so never more). That
/// is f < (2^B − low)/n, certain if 2^B − low ≥ n.
#[inline]
pub(crate) fn below_digits<const B: u32, R: Rng + ?Sized>(n: u64, rng: &mut R) -> u64 {
    let product = u128::from(n) * u128::from(digit::<B, R>(rng));
    let high = (product >> B) as u64;
    let gap = (1_u128 << B) - (product & ((1_u128 << B) - 1));
    if gap >= u128::from(n) || lies_below::<B>(gap as u64, n, || digit::<B, R>(rng)) {
        high
    } else {
        high + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::Enumeration;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, chi_square};

    #[test]
    fn each_value_has_exactly_its_share() {
        for n in 1..8 {
            let law = Enumeration::run::<3, _>(6, |rng| below_digits::<3, _>(n, rng));
            for value in 0..n {
                law.assert_contains(&value, 1.0 / n as f64, 1e-3);
            }
            law.assert_contains(&n, 0.0, 1e-3);
        }
    }

    #[test]
    fn words_are_uniform_too() {
        let mut rng = RandomSource::insecure_seed(11).stream();
        let mut counts = [0; 13];
        for _ in 0..200_000 {
            counts[below(NonZeroU64::new(13).unwrap(), &mut rng) as usize] += 1;
        }
        assert_plausible(&chi_square(&counts, &[1.0 / 13.0; 13]).unwrap());
    }

    #[test]
    fn the_largest_range_does_not_overflow() {
        let mut rng = RandomSource::insecure_seed(12).stream();
        for _ in 0..10_000 {
            assert!(below(NonZeroU64::MAX, &mut rng) < u64::MAX);
            assert_eq!(below(NonZeroU64::MIN, &mut rng), 0);
        }
    }

    #[test]
    fn reference_vector() {
        let mut rng = RandomSource::insecure_seed(42).stream();
        let n = NonZeroU64::new(1000).unwrap();
        let drawn: Vec<u64> = (0..8).map(|_| below(n, &mut rng)).collect();
        assert_eq!(drawn, [795, 412, 73, 422, 958, 226, 263, 303]);
    }
}
