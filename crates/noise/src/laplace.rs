//! Discrete Laplace noise.

use rand_core::Rng;

use crate::digits::WORD;
use crate::geometric::geometric;
use crate::probability::ExactProbability;
use crate::rate::Rate;

/// The discrete Laplace distribution: P[X = x] = (1−α)/(1+α)·α^|x| with α = e^(−rate).
///
/// Added to an integer of sensitivity 1 it gives ε-differential privacy with ε = rate: shifting x
/// by one changes the probability by a factor of at most α^(−1) = e^rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteLaplace {
    rate: Rate,
}

impl DiscreteLaplace {
    /// Noise of the given rate (scale 1/rate).
    pub fn new(rate: Rate) -> DiscreteLaplace {
        DiscreteLaplace { rate }
    }

    /// The rate of the noise.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// An exact sample.
    ///
    /// As in Algorithm 2 of Canonne, Kamath and Steinke (2020): a geometric magnitude and a fair
    /// sign, drawn again when the sign is negative and the magnitude zero. Each x ≠ 0 then has
    /// weight (1−α)·α^|x|/2, and so has x = 0; the weights sum to (1+α)/2, which gives the
    /// distribution above.
    #[inline]
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.sample_digits::<WORD, R>(rng)
    }

    #[inline]
    pub(crate) fn sample_digits<const B: u32, R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        loop {
            let negative = rng.next_u32() >> 31 == 1;
            let magnitude = geometric::<B, R>(self.rate, rng) as i64;
            match (negative, magnitude) {
                (true, 0) => continue,
                (true, _) => return -magnitude,
                (false, _) => return magnitude,
            }
        }
    }

    /// An exact sample of the noise conditioned on X ≥ t.
    ///
    /// P[X = t+g] is proportional to α^(t+g) for t ≥ 0, so the condition leaves t plus a geometric
    /// variable. A sum above `i64::MAX` becomes `i64::MAX`.
    #[inline]
    pub fn sample_at_least<R: Rng + ?Sized>(&self, t: u64, rng: &mut R) -> i64 {
        let sum = t.saturating_add(geometric::<WORD, R>(self.rate, rng));
        i64::try_from(sum).unwrap_or(i64::MAX)
    }

    /// P[X ≥ t] = α^t/(1+α), which holds for t = 0 too.
    pub fn tail(&self, t: u64) -> ExactProbability {
        ExactProbability::laplace_tail(self.rate, t)
    }

    /// The standard deviation, √(2α)/(1−α), for reports.
    pub fn std_dev(&self) -> f64 {
        let rate = self.rate.as_f64();
        (2.0 * (-rate).exp()).sqrt() / -(-rate).exp_m1()
    }

    /// P[X = x] as a float, for reports and tests.
    pub fn pmf(&self, x: i64) -> f64 {
        let rate = self.rate.as_f64();
        let at_zero = -(-rate).exp_m1() / (1.0 + (-rate).exp());
        at_zero * (-rate * x.unsigned_abs() as f64).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::Enumeration;
    use crate::source::RandomSource;

    fn laplace(num: u64, den: u64) -> DiscreteLaplace {
        DiscreteLaplace::new(Rate::new(num, den).unwrap())
    }

    #[test]
    fn law_by_enumeration_of_all_digit_strings() {
        for (num, den) in [(1, 4), (1, 2), (3, 4)] {
            let noise = laplace(num, den);
            let law = Enumeration::run::<2, _>(12, |rng| noise.sample_digits::<2, _>(rng));
            for x in -8..=8 {
                law.assert_contains(&x, noise.pmf(x), 0.3);
            }
        }
    }

    #[test]
    fn reference_vectors() {
        let drawn = |num, den| {
            let mut rng = RandomSource::insecure_seed(42).stream();
            let noise = laplace(num, den);
            (0..10).map(|_| noise.sample(&mut rng)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(1, 1), [0, 0, -1, 0, 0, 2, 0, 0, -4, -1]);
        assert_eq!(drawn(1, 12), [5, 5, -12, 0, 5, 26, 0, 2, -9, -48]);
        assert_eq!(drawn(7, 240), [14, 14, -35, 2, 14, 76, 1, 7, -26, -139]);
    }

    #[test]
    fn moments_agree_with_the_mass_function() {
        for (num, den) in [(1, 1), (1, 12), (3, 7)] {
            let noise = laplace(num, den);
            let (total, square) = (-3000..=3000).fold((0.0, 0.0), |(total, square), x| {
                (total + noise.pmf(x), square + noise.pmf(x) * (x * x) as f64)
            });
            assert!((total - 1.0).abs() < 1e-12);
            assert!((square.sqrt() / noise.std_dev() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_threshold_at_the_end_of_the_range_saturates() {
        let mut rng = RandomSource::insecure_seed(1).stream();
        assert_eq!(laplace(1, 1).sample_at_least(u64::MAX, &mut rng), i64::MAX);
    }
}
