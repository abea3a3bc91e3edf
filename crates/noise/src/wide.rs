//! Coins of bias num/den and e^(−num/den) for fractions of up to 127 bits.
//!
//! The same questions as in [`crate::bernoulli()`], where a product with a random word no longer fits 128 bits.
//! Nearly always two bounds on the fraction, of 64 bits each, decide; the rest is left to big integers.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rand_core::Rng;

use crate::bernoulli::{exp_digits, one_in};
use crate::digits::digit;

/// A coin of bias num/den, `num < den < 2^127`.
#[derive(Debug, Clone, Copy)]
struct Coin {
    num: u128,
    den: u128,
    /// low ≤ 2^64·num/den < high + 1.
    low: u128,
    high: u128,
}

impl Coin {
    /// With n and d the parts shifted until d has its top bit and h the upper half of d,
    /// h·2^64 ≤ d < (h + 1)·2^64, hence n/(h + 1) ≤ 2^64·n/d ≤ n/h.
    #[inline]
    fn new(num: u128, den: u128) -> Coin {
        let shift = den.leading_zeros();
        let (n, h) = (num << shift, (den << shift) >> 64);
        Coin {
            num,
            den,
            low: n / (h + 1),
            high: n / h,
        }
    }

    /// Whether a uniform real is below num/den.
    #[inline]
    fn toss<const B: u32, R: Rng + ?Sized>(&self, rng: &mut R) -> bool {
        let word = u128::from(digit::<B, R>(rng));
        if (word + 1) << (64 - B) <= self.low {
            true
        } else if word << (64 - B) > self.high {
            false
        } else {
            self.toss_on::<B, R>(word, rng)
        }
    }

    /// With w the first digit and f the rest, U < num/den iff f·den < num·2^B − w·den. That decides alone if it is
    /// ≤ 0 (no) or ≥ den (yes); otherwise the question is the same about f, with the gap for num.
    #[cold]
    fn toss_on<const B: u32, R: Rng + ?Sized>(&self, word: u128, rng: &mut R) -> bool {
        let bound = BigUint::from(self.num) << B;
        let reached = BigUint::from(self.den) * word;
        if reached >= bound {
            return false;
        }
        match (bound - reached).to_u128() {
            Some(gap) if gap < self.den => Coin::new(gap, self.den).toss::<B, R>(rng),
            _ => true,
        }
    }
}

/// True with probability exactly e^(−whole − num/den), `num < den < 2^127`; as
/// [`bernoulli_exp`](crate::bernoulli_exp).
#[inline]
pub(crate) fn exp_neg<const B: u32, R: Rng + ?Sized>(
    whole: u64,
    num: u128,
    den: u128,
    rng: &mut R,
) -> bool {
    if whole > 0 && !exp_digits::<B, R>(whole, 1, rng) {
        return false;
    }
    let coin = Coin::new(num, den);
    let mut k = 1;
    while coin.toss::<B, R>(rng) && one_in::<B, R>(k, rng) {
        k += 1;
    }
    k % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::Enumeration;
    use proptest::prelude::*;

    #[test]
    fn biases_by_enumeration() {
        let large = 1_u128 << 123;
        for (num, den) in [
            (1, 3),
            (2, 3),
            (large / 7 * 3, large),
            (large - 1, large),
            (0, large),
        ] {
            let bias = num as f64 / den as f64;
            let law = Enumeration::run::<2, _>(11, |rng| Coin::new(num, den).toss::<2, _>(rng));
            law.assert_contains(&true, bias, 1e-5);
            let law = Enumeration::run::<2, _>(12, |rng| exp_neg::<2, _>(1, num, den, rng));
            law.assert_contains(&true, (-1.0 - bias).exp(), 5e-2);
        }
    }

    proptest! {
        #[test]
        fn bounds_hold_the_fraction(num in 0..1_u128 << 127, den in 1..1_u128 << 127) {
            prop_assume!(num < den);
            let coin = Coin::new(num, den);
            let scaled = BigUint::from(num) << 64_u32;
            prop_assert!(BigUint::from(coin.low) * den <= scaled);
            prop_assert!(scaled < BigUint::from(coin.high + 1) * den);
            prop_assert!(coin.high - coin.low <= 3);
        }
    }
}
