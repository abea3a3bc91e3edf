//! Certified bounds on e^(−x), in big integers with directed rounding.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

/// A real y with low ≤ y·2^bits ≤ high.
#[derive(Debug, Clone)]
pub(crate) struct Interval {
    pub(crate) low: BigUint,
    pub(crate) high: BigUint,
    pub(crate) bits: u64,
}

impl Interval {
    /// Bounds on e^(−num/den) for `den > 0`, with low and high at most three apart.
    ///
    /// Halve the exponent k times until it is below 1/8, sum the Taylor series there, and square k
    /// times. Lower bounds are rounded down and upper bounds up at each step, so the bounds hold
    /// whatever the working precision; its k + 16 extra bits only keep them close (a squaring at
    /// most doubles the relative width).
    pub(crate) fn exp_neg(num: &BigUint, den: &BigUint, bits: u64) -> Interval {
        if *num >= den * bits {
            // e > 2, so e^(−x) < 2^(−bits) already.
            return Interval {
                low: BigUint::zero(),
                high: BigUint::one(),
                bits,
            };
        }
        let halvings = (num.bits() + 4).saturating_sub(den.bits());
        let working = bits + halvings + 16;
        let (low, high) = squared_up(num, den, halvings, working);
        Interval {
            low: low >> (working - bits),
            high: shift_up(high, working - bits),
            bits,
        }
    }

    /// The number one.
    pub(crate) fn one(bits: u64) -> Interval {
        let one = BigUint::one() << bits;
        Interval {
            low: one.clone(),
            high: one,
            bits,
        }
    }

    /// Bounds on 1 − y for y at most 1; what the bounds on y say beyond that is left out.
    pub(crate) fn one_minus(&self) -> Interval {
        let one = BigUint::one() << self.bits;
        let less = |part: &BigUint| &one - part.min(&one);
        Interval {
            low: less(&self.high),
            high: less(&self.low),
            bits: self.bits,
        }
    }

    /// Bounds on y + z, both known to equally many bits.
    pub(crate) fn plus(&self, z: &Interval) -> Interval {
        Interval {
            low: &self.low + &z.low,
            high: &self.high + &z.high,
            bits: self.bits,
        }
    }

    /// Bounds on y times a whole number.
    pub(crate) fn times_whole(&self, factor: u32) -> Interval {
        Interval {
            low: &self.low * factor,
            high: &self.high * factor,
            bits: self.bits,
        }
    }

    /// Bounds on y·z, both known to equally many bits.
    pub(crate) fn times(&self, z: &Interval) -> Interval {
        Interval {
            low: (&self.low * &z.low) >> self.bits,
            high: shift_up(&self.high * &z.high, self.bits),
            bits: self.bits,
        }
    }

    /// Bounds on y/z, both known to equally many bits and z to be above zero.
    pub(crate) fn over(&self, z: &Interval) -> Interval {
        Interval {
            low: (&self.low << self.bits) / &z.high,
            high: (&self.high << self.bits).div_ceil(&z.low),
            bits: self.bits,
        }
    }

    /// Bounds on the greater of y and z, both known to equally many bits.
    pub(crate) fn max(self, z: Interval) -> Interval {
        Interval {
            low: self.low.max(z.low),
            high: self.high.max(z.high),
            bits: self.bits,
        }
    }

    /// Bounds on y/(1 + z) for positive y and z known to equally many bits.
    pub(crate) fn over_one_plus(&self, z: &Interval) -> Interval {
        self.over(&Interval::one(self.bits).plus(z))
    }
}

/// Bounds on 2^working·e^(−num/den) where num/den < 2^(halvings−3).
fn squared_up(num: &BigUint, den: &BigUint, halvings: u64, working: u64) -> (BigUint, BigUint) {
    let (mut low, mut high) = small_exp_neg(num, &(den << halvings), working);
    for _ in 0..halvings {
        low = (&low * &low) >> working;
        high = shift_up(&high * &high, working);
    }
    (low, high)
}

/// Bounds on 2^bits·e^(−y), y = num/den < 1/8, by the series 1 − y + y²/2! − ….
///
/// Its terms alternate and decrease, so what is left out is at most the last term added, which is
/// at most one unit when the loop ends. The lower sum stays positive, as e^(−1/8) > 7/8.
fn small_exp_neg(num: &BigUint, den: &BigUint, bits: u64) -> (BigUint, BigUint) {
    let one = BigUint::one() << bits;
    let (mut term_low, mut term_high) = (one.clone(), one.clone());
    let (mut low, mut high) = (one.clone(), one);
    let mut index = 0_u64;
    while !term_high.is_zero() && !term_high.is_one() {
        index += 1;
        let divisor = den * index;
        term_low = term_low * num / &divisor;
        term_high = (term_high * num).div_ceil(&divisor);
        if index.is_odd() {
            low -= &term_high;
            high -= &term_low;
        } else {
            low += &term_low;
            high += &term_high;
        }
    }
    (low - 1_u32, high + 1_u32)
}

/// ⌈value/2^shift⌉.
pub(crate) fn shift_up(value: BigUint, shift: u64) -> BigUint {
    let down = &value >> shift;
    if value.is_zero() || value.trailing_zeros().is_some_and(|zeros| zeros >= shift) {
        down
    } else {
        down + 1_u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::ToPrimitive;
    use proptest::prelude::*;

    fn exp_neg(num: u64, den: u64, bits: u64) -> Interval {
        Interval::exp_neg(&num.into(), &den.into(), bits)
    }

    #[test]
    fn digits_of_one_over_e() {
        // 10^60 / e, truncated.
        let digits = "367879441171442321595523770161460867445811131031767834507836";
        let known: BigUint = digits.parse().unwrap();
        let ten: BigUint = BigUint::from(10_u32).pow(60);
        let found = exp_neg(1, 1, 256);
        assert_eq!((&found.low * &ten) >> 256_u32, known);
        assert_eq!((&found.high * &ten) >> 256_u32, known);
    }

    #[test]
    fn zero_and_huge_exponents() {
        let sure = exp_neg(0, 1, 64);
        assert!(sure.low <= BigUint::one() << 64_u32 && sure.high >= BigUint::one() << 64_u32);
        let never = exp_neg(u64::MAX, 1, 64);
        assert!(never.low.is_zero() && never.high.is_one());
    }

    proptest! {
        /// Each operation on few bits holds what the same on many bits holds.
        #[test]
        fn operations_round_outwards(
            a in 1_u64..400, b in 1_u64..400, den in 1_u64..100, bits in 12_u64..30, whole in 1_u32..9,
        ) {
            let at = |bits| {
                let (y, z) = (exp_neg(a, den, bits), exp_neg(b, den, bits));
                let below = z.one_minus();
                vec![
                    y.times(&z),
                    y.plus(&z),
                    y.times_whole(whole),
                    y.over_one_plus(&z),
                    y.over(&below.plus(&Interval::one(bits))),
                    below,
                    y.max(z),
                ]
            };
            for (coarse, fine) in at(bits).into_iter().zip(at(bits + 80)) {
                prop_assert!(coarse.low <= coarse.high);
                prop_assert!(coarse.low << 80_u32 <= fine.low && fine.high <= coarse.high << 80_u32);
            }
        }

        /// Few bits and many squarings, where each missing unit of rounding shows.
        #[test]
        fn bounds_hold_at_any_precision(
            num in 1_u64..200, den in 1_u64..200, working in 16_u64..40,
        ) {
            let (low, high) = squared_up(&num.into(), &den.into(), 11, working);
            let truth = exp_neg(num, den, working + 64);
            prop_assert!(low << 64_u32 <= truth.low && truth.high <= high << 64_u32);
        }

        #[test]
        fn bounds_are_close_and_nested_and_agree_with_floats(
            num in 1_u64..1 << 40, den in 1_u64..1 << 40, bits in 64_u64..400,
        ) {
            let coarse = exp_neg(num, den, bits);
            prop_assert!(&coarse.high - &coarse.low <= BigUint::from(3_u32));
            let fine = exp_neg(num, den, bits + 80);
            prop_assert!(&coarse.low << 80_u32 <= fine.high && fine.low <= &coarse.high << 80_u32);
            let float = (-(num as f64) / den as f64).exp();
            let found = exp_neg(num, den, 64).low.to_f64().unwrap() / 2_f64.powi(64);
            prop_assert!((found - float).abs() < 1e-14);
        }
    }
}
