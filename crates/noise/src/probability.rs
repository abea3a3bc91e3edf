//! Irrational probabilities, known to as many bits as a question needs.

use core::cmp::Ordering;
use core::num::NonZeroU128;
use std::sync::OnceLock;

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::interval::Interval;
use crate::rate::Rate;

/// Binary digits that are computed once and kept, in words. More are computed afresh when asked
/// for: one string in 2^256 gets that far.
const KEPT_WORDS: usize = 4;

/// Bits computed beyond those certified; the bounds fail to agree with probability near 2^−32.
const SPARE_BITS: u64 = 32;

/// An irrational number strictly between 0 and 1, of the form e^(−x) or e^(−x)/(1 + e^(−y)).
///
/// Questions about it are answered by certified bounds that are refined until they decide. This
/// ends because the number is irrational. With b = e^(−1/q), transcendental (Lindemann 1882), and
/// x = p/q, y = p′/q over one denominator, equality to a rational r would make b a root of
/// X^p − r − r·X^p′ (or of X^p − r), a polynomial with rational coefficients that is not zero for
/// y > 0. So the number differs from every rational, and bounds that shrink to it separate them.
///
/// It can be used from many threads by reference.
#[derive(Debug, Clone)]
pub struct ExactProbability {
    x: Exponent,
    y: Option<Exponent>,
    kept: OnceLock<[u64; KEPT_WORDS]>,
}

#[derive(Debug, Clone)]
struct Exponent {
    num: BigUint,
    den: BigUint,
}

impl Exponent {
    fn of(rate: Rate, times: u64) -> Exponent {
        Exponent {
            num: BigUint::from(rate.numer()) * times,
            den: rate.denom().into(),
        }
    }

    fn interval(&self, bits: u64) -> Interval {
        Interval::exp_neg(&self.num, &self.den, bits)
    }

    fn exp_neg_f64(&self) -> f64 {
        let part = |n: &BigUint| n.to_f64().unwrap_or(f64::INFINITY);
        (-part(&self.num) / part(&self.den)).exp()
    }
}

impl ExactProbability {
    /// α^t/(1+α) with α = e^(−rate): the chance that discrete Laplace noise is at least t.
    pub fn laplace_tail(rate: Rate, t: u64) -> ExactProbability {
        let y = Some(Exponent::of(rate, 1));
        ExactProbability {
            x: Exponent::of(rate, t),
            y,
            kept: OnceLock::new(),
        }
    }

    /// e^(−rate).
    pub fn exp_neg(rate: Rate) -> ExactProbability {
        ExactProbability {
            x: Exponent::of(rate, 1),
            y: None,
            kept: OnceLock::new(),
        }
    }

    /// e^(−num/den) for positive whole numbers of any size.
    pub(crate) fn exp_neg_fraction(num: BigUint, den: BigUint) -> ExactProbability {
        ExactProbability {
            x: Exponent { num, den },
            y: None,
            kept: OnceLock::new(),
        }
    }

    /// The order of this number and `num/den`; never `Equal`.
    pub fn cmp_rational(&self, num: u128, den: NonZeroU128) -> Ordering {
        let den = den.get();
        if num == 0 {
            return Ordering::Greater;
        }
        if num >= den {
            return Ordering::Less;
        }
        self.cmp_fraction(&num.into(), &den.into())
    }

    /// The order of this number and a fraction of any size, with `den > 0`; never `Equal`.
    pub(crate) fn cmp_fraction(&self, num: &BigUint, den: &BigUint) -> Ordering {
        if num >= den {
            return Ordering::Less;
        }
        let mut bits = 128;
        loop {
            let bounds = self.interval(bits);
            let target = num << bits;
            if bounds.low * den > target {
                return Ordering::Greater;
            }
            if bounds.high * den < target {
                return Ordering::Less;
            }
            bits *= 2;
        }
    }

    /// The binary digits after the point numbered 64·index to 64·index + 63, highest first.
    pub fn word(&self, index: usize) -> u64 {
        match self.kept.get_or_init(|| self.kept_words()).get(index) {
            Some(&word) => word,
            None => low_word(&self.truncated(64 * (index as u64 + 1), SPARE_BITS)),
        }
    }

    /// The nearest float or one beside it, for reports.
    pub fn as_f64(&self) -> f64 {
        self.x.exp_neg_f64() / (1.0 + self.y.as_ref().map_or(0.0, Exponent::exp_neg_f64))
    }

    fn kept_words(&self) -> [u64; KEPT_WORDS] {
        let digits = self.truncated(64 * KEPT_WORDS as u64, SPARE_BITS);
        core::array::from_fn(|i| low_word(&(&digits >> (64 * (KEPT_WORDS - 1 - i)))))
    }

    /// ⌊p·2^bits⌋: both bounds, computed with spare bits, must agree on it.
    fn truncated(&self, bits: u64, mut spare: u64) -> BigUint {
        loop {
            let bounds = self.interval(bits + spare);
            let digits = bounds.low >> spare;
            if bounds.high >> spare == digits {
                return digits;
            }
            spare *= 2;
        }
    }

    /// Bounds on it.
    pub(crate) fn interval(&self, bits: u64) -> Interval {
        let top = self.x.interval(bits);
        match &self.y {
            Some(y) => top.over_one_plus(&y.interval(bits)),
            None => top,
        }
    }
}

fn low_word(n: &BigUint) -> u64 {
    n.iter_u64_digits().next().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one_over_e() -> ExactProbability {
        ExactProbability::exp_neg(Rate::new(1, 1).unwrap())
    }

    #[test]
    fn words_of_one_over_e() {
        // The hexadecimal expansion of 1/e.
        assert_eq!(one_over_e().word(0), 0x5E2D_58D8_B3BC_DF1A);
        assert_eq!(one_over_e().word(1), 0xBADE_C782_9054_F90D);
    }

    #[test]
    fn words_beyond_the_kept_ones_continue_them() {
        let p = DiscreteTail {
            num: 7,
            den: 240,
            t: 130,
        }
        .probability();
        let long = p.truncated(64 * 6, SPARE_BITS);
        for index in 0..6 {
            assert_eq!(p.word(index), low_word(&(&long >> (64 * (5 - index)))));
        }
    }

    #[test]
    fn digits_do_not_depend_on_the_bits_spared() {
        for t in 0..300 {
            let p = DiscreteTail { num: 3, den: 50, t }.probability();
            assert_eq!(p.truncated(70, 1), p.truncated(170, SPARE_BITS) >> 100_u32);
        }
    }

    #[test]
    fn comparison_tells_neighbouring_rationals_apart() {
        // 1/e lies strictly between word/2^64 and (word + 1)/2^64.
        let (p, den) = (one_over_e(), NonZeroU128::new(1 << 64).unwrap());
        let word = u128::from(p.word(0));
        assert_eq!(p.cmp_rational(word, den), Ordering::Greater);
        assert_eq!(p.cmp_rational(word + 1, den), Ordering::Less);
        assert_eq!(p.cmp_rational(0, den), Ordering::Greater);
        assert_eq!(p.cmp_rational(u128::MAX, den), Ordering::Less);
        assert_eq!(
            p.cmp_rational(u128::MAX - 1, NonZeroU128::MAX),
            Ordering::Less
        );
    }

    /// The convergents of 1/e = [0; 2, 1, 2, 1, 1, 4, 1, 1, 6, …] are in turn below and above it,
    /// and the last one here is off by less than 2^−240.
    #[test]
    fn comparison_refines_until_it_can_tell() {
        let quotient = |i: u128| if i.is_multiple_of(3) { i / 3 * 2 } else { 1 };
        let p = one_over_e();
        let (mut before, mut now) = ((0, 1), (1, 2));
        let mut above = true;
        for i in 2.. {
            if now.1 >= 1 << 120 {
                break;
            }
            let expected = if above {
                Ordering::Less
            } else {
                Ordering::Greater
            };
            assert_eq!(
                p.cmp_rational(now.0, NonZeroU128::new(now.1).unwrap()),
                expected
            );
            let a = quotient(i);
            (before, now) = (now, (a * now.0 + before.0, a * now.1 + before.1));
            above = !above;
        }
    }

    #[test]
    fn a_vanishing_probability_is_answered_at_once() {
        let p = ExactProbability::laplace_tail(Rate::new(1 << 39, 1).unwrap(), u64::MAX);
        assert_eq!((p.word(0), p.word(9)), (0, 0));
        assert_eq!(p.cmp_rational(1, NonZeroU128::MAX), Ordering::Less);
        assert_eq!(p.as_f64(), 0.0);
    }

    struct DiscreteTail {
        num: u64,
        den: u64,
        t: u64,
    }

    impl DiscreteTail {
        fn probability(&self) -> ExactProbability {
            ExactProbability::laplace_tail(Rate::new(self.num, self.den).unwrap(), self.t)
        }
    }

    proptest! {
        #[test]
        fn words_agree_with_floats(num in 1_u64..1000, den in 1_u64..1000, t in 0_u64..50) {
            let p = DiscreteTail { num, den, t }.probability();
            let rate = num as f64 / den as f64;
            let float = (-rate * t as f64).exp() / (1.0 + (-rate).exp());
            prop_assert!((p.word(0) as f64 / 2_f64.powi(64) - float).abs() < 1e-14);
            prop_assert!((p.as_f64() - float).abs() <= 1e-12 * float);
        }
    }
}
