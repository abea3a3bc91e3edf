//! Discrete Laplace noise that never exceeds a bound.

use rand_core::Rng;

use crate::bernoulli::exp_digits;
use crate::digits::WORD;
use crate::laplace::DiscreteLaplace;
use crate::rate::Rate;
use crate::uniform::below_digits;

/// The discrete Laplace distribution conditioned on |X| ≤ B: P[X = x] is proportional to α^|x| with
/// α = e^(−rate) for −B ≤ x ≤ B, and zero elsewhere.
///
/// Added to an integer of sensitivity 1 it gives (ε, δ)-differential privacy with ε = rate and δ =
/// P[X = B]: the outermost value is out of reach from the neighbouring count. What that means for
/// counts of keys is in [`crate::thresholded`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TruncatedLaplace {
    rate: Rate,
    bound: u64,
}

impl TruncatedLaplace {
    /// Noise of the given rate within ±`bound`.
    pub fn new(rate: Rate, bound: u64) -> TruncatedLaplace {
        TruncatedLaplace { rate, bound }
    }

    /// The rate of the noise.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// The bound B.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// An exact sample.
    ///
    /// By rejection, from whichever proposal is accepted more often than not:
    /// * With rate·B > 1, whole discrete Laplace noise until it lies within the bound. It does with
    ///   probability 1 − 2α^(B+1)/(1+α) > 1 − 2α/(e(1+α)) ≥ 1 − 1/e.
    /// * Otherwise, a uniform integer x in [−B, B] until a coin of bias e^(−rate·|x|) ≥ 1/e accepts
    ///   it. Here rate·|x| = num·|x|/den with num·|x| ≤ den, which cannot overflow.
    #[inline]
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.sample_digits::<WORD, R>(rng)
    }

    fn sample_digits<const B: u32, R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        let (num, den) = (self.rate.numer(), self.rate.denom());
        let narrow = u128::from(num) * u128::from(self.bound) <= u128::from(den);
        loop {
            let x = if narrow {
                below_digits::<B, R>(2 * self.bound + 1, rng) as i64 - self.bound as i64
            } else {
                DiscreteLaplace::new(self.rate).sample_digits::<B, R>(rng)
            };
            let magnitude = x.unsigned_abs();
            let accepted = match narrow {
                true => exp_digits::<B, R>(num * magnitude, den, rng),
                false => magnitude <= self.bound,
            };
            if accepted {
                return x;
            }
        }
    }

    /// The standard deviation, for reports: right to four digits.
    ///
    /// Of the whole noise, what lies outside is taken away: with s = B+1, the sum of (s+g)²·α^g
    /// over g ≥ 0 is s²/(1−α) + 2sα/(1−α)² + α(1+α)/(1−α)³. Where the noise is nearly uniform that
    /// would cancel, and the deviation is that of a uniform integer.
    pub fn std_dev(&self) -> f64 {
        let (rate, bound) = (self.rate.as_f64(), self.bound as f64);
        if rate * bound < 1e-4 {
            return (bound * (bound + 1.0) / 3.0).sqrt();
        }
        let (alpha, rest, s) = ((-rate).exp(), -(-rate).exp_m1(), bound + 1.0);
        let tail = (-rate * s).exp() / (1.0 + alpha);
        let beyond = s * s + (2.0 * s + (1.0 + alpha) / rest) * alpha / rest;
        let whole = 2.0 * alpha / (rest * rest);
        ((whole - 2.0 * tail * beyond) / (1.0 - 2.0 * tail)).sqrt()
    }

    /// P[X = x] as a float, for reports and tests.
    pub fn pmf(&self, x: i64) -> f64 {
        if x.unsigned_abs() > self.bound {
            return 0.0;
        }
        let whole = DiscreteLaplace::new(self.rate);
        let outside = 2.0 * whole.tail(self.bound.saturating_add(1)).as_f64();
        whole.pmf(x) / (1.0 - outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::Enumeration;
    use crate::source::RandomSource;

    fn truncated(num: u64, den: u64, bound: u64) -> TruncatedLaplace {
        TruncatedLaplace::new(Rate::new(num, den).unwrap(), bound)
    }

    #[test]
    fn law_by_enumeration_of_all_digit_strings() {
        // The first three propose uniform integers, the others whole noise.
        for (num, den, bound) in [(1, 4, 1), (1, 2, 1), (1, 3, 1), (3, 4, 2), (1, 2, 3)] {
            let noise = truncated(num, den, bound);
            let law = Enumeration::run::<2, _>(11, |rng| noise.sample_digits::<2, _>(rng));
            for x in -5..=5 {
                law.assert_contains(&x, noise.pmf(x), 0.5);
            }
        }
    }

    #[test]
    fn moments_agree_with_the_mass_function() {
        for (num, den, bound) in [
            (1, 1, 0),
            (1, 1, 3),
            (1, 12, 5),
            (1, 12, 200),
            (1, 100_000, 7),
        ] {
            let noise = truncated(num, den, bound);
            let reach = bound as i64 + 2;
            let (total, square) = (-reach..=reach).fold((0.0, 0.0), |(total, square), x| {
                (total + noise.pmf(x), square + noise.pmf(x) * (x * x) as f64)
            });
            assert!((total - 1.0).abs() < 1e-9, "{noise:?}: {total}");
            let deviation = noise.std_dev();
            assert!(
                (square.sqrt() - deviation).abs() <= 1e-4 * deviation,
                "{noise:?}"
            );
        }
    }

    #[test]
    fn extremes_end_and_stay_within() {
        let mut rng = RandomSource::insecure_seed(7).stream();
        let top = Rate::LIMIT - 1;
        for (noise, spread) in [
            (truncated(1, top, 0), false),
            (truncated(top, 1, 0), false),
            (truncated(1, top, 1), true),
            (truncated(1, top, top), true),
            (truncated(1, top, top + 1), true),
            (truncated(1, top, u64::MAX), true),
            (truncated(top, 1, u64::MAX), false),
        ] {
            let drawn: Vec<i64> = (0..1000).map(|_| noise.sample(&mut rng)).collect();
            assert!(drawn.iter().all(|x| x.unsigned_abs() <= noise.bound()));
            assert_eq!(drawn.iter().any(|&x| x != 0), spread, "{noise:?}");
        }
    }
}
