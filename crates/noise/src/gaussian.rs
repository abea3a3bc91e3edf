//! Discrete Gaussian noise.

use core::f64::consts::PI;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::ToPrimitive;
use rand_core::Rng;

use crate::digits::WORD;
use crate::laplace::DiscreteLaplace;
use crate::rate::Rate;
use crate::wide;

/// Why a variance was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VarianceError {
    /// The numerator or the denominator is zero.
    #[error("invalid variance (got {num}/{den}): it must be a positive fraction")]
    NotPositive {
        /// The numerator as given.
        num: u64,
        /// The denominator as given.
        den: u64,
    },
    /// In lowest terms a part reaches [`DiscreteGaussian::LIMIT`].
    #[error("invalid variance (got {num}/{den} in lowest terms): both parts must be below 2^60")]
    TooFine {
        /// The reduced numerator.
        num: u64,
        /// The reduced denominator.
        den: u64,
    },
}

/// The discrete Gaussian distribution: P[X = x] proportional to e^(−x²/(2σ²)) on the whole numbers.
///
/// Added, independently, to every number of a vector of whole numbers that one person can move by at most Δ in
/// Euclidean length, it gives ρ-concentrated differential privacy with ρ = Δ²/(2σ²) (Canonne, Kamath and Steinke
/// 2020, Theorem 14); see [`crate::zcdp`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscreteGaussian {
    /// σ² = num/den in lowest terms.
    num: u64,
    den: u64,
    /// Of scale t = ⌊σ⌋ + 1: what samples are chosen from.
    around: DiscreteLaplace,
    t: u64,
}

impl DiscreteGaussian {
    /// Exclusive bound on both parts of the variance, in lowest terms.
    ///
    /// It keeps the arithmetic of [`sample`](Self::sample) within 128 bits. With σ² = a/b and t as there, b·t² is at
    /// most 4a where σ ≥ 1, and b otherwise, hence below 2^62. Then 2·a·b·t² < 2^123, and |y|·b·t < 2^83, as |y| is
    /// below 2^21·t.
    pub const LIMIT: u64 = 1 << 60;

    /// Noise with the parameter σ² = `num/den`, which for σ ≥ 1 is the variance but for a millionth.
    pub fn new(num: u64, den: u64) -> Result<DiscreteGaussian, VarianceError> {
        if num == 0 || den == 0 {
            return Err(VarianceError::NotPositive { num, den });
        }
        let common = num.gcd(&den);
        let (num, den) = (num / common, den / common);
        let t = (num / den).isqrt() + 1;
        match Rate::new(1, t) {
            Ok(rate) if num.max(den) < Self::LIMIT => Ok(DiscreteGaussian {
                num,
                den,
                around: DiscreteLaplace::new(rate),
                t,
            }),
            _ => Err(VarianceError::TooFine { num, den }),
        }
    }

    /// σ² in lowest terms.
    pub fn parts(&self) -> (u64, u64) {
        (self.num, self.den)
    }

    /// An exact sample.
    ///
    /// Canonne, Kamath and Steinke (2020), Algorithm 3: draw y from the discrete Laplace distribution of scale
    /// t = ⌊σ⌋ + 1 and accept it with probability e^(−γ), γ = (|y| − σ²/t)²/(2σ²). As
    /// γ = y²/(2σ²) − |y|/t + σ²/(2t²), an accepted y has weight e^(−|y|/t)·e^(−γ), which is e^(−y²/(2σ²)) times
    /// something that does not depend on y. With σ² = a/b, γ = (|y|·b·t − a)²/(2·a·b·t²), a fraction of whole numbers.
    #[inline]
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        self.sample_digits::<WORD, R>(rng)
    }

    #[inline]
    fn sample_digits<const B: u32, R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        let [a, b, t] = [self.num, self.den, self.t].map(u128::from);
        let unit = 2 * a * b * t * t;
        loop {
            let y = self.around.sample_digits::<B, R>(rng);
            let distance = (u128::from(y.unsigned_abs()) * b * t).abs_diff(a);
            let (whole, rest) = quotient(distance, unit);
            if wide::exp_neg::<B, R>(whole, rest, unit, rng) {
                return y;
            }
        }
    }

    /// P[X = x] as a float, for reports, tests and whatever weighs noisy numbers.
    pub fn pmf(&self, x: i64) -> f64 {
        let x = x as f64;
        (-x * x / (2.0 * self.variance())).exp() / self.normaliser()
    }

    /// The standard deviation, for reports.
    pub fn std_dev(&self) -> f64 {
        let variance = self.variance();
        if variance >= WIDE {
            return variance.sqrt();
        }
        let square: f64 = NEAR.map(|x| (x * x) as f64 * self.pmf(x)).sum();
        square.sqrt()
    }

    fn variance(&self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// Σ e^(−x²/(2σ²)), by Poisson's formula σ√(2π)·(1 + 2e^(−2π²σ²) + …) where the rest is below a float's precision.
    fn normaliser(&self) -> f64 {
        let variance = self.variance();
        if variance >= WIDE {
            return (2.0 * PI * variance).sqrt();
        }
        let weight = |x: i64| (-((x * x) as f64) / (2.0 * variance)).exp();
        NEAR.map(weight).sum()
    }
}

/// From here on sums over whole numbers are integrals, to a float's precision: 2e^(−2π²·4) < 10^(−33), and so for
/// the second moment.
const WIDE: f64 = 4.0;

/// All numbers that matter below that.
const NEAR: core::ops::RangeInclusive<i64> = -60..=60;

/// The whole part of n²/d, at most the largest word, and the remainder; `d < 2^127`.
#[inline]
fn quotient(n: u128, d: u128) -> (u64, u128) {
    match n.checked_mul(n) {
        Some(square) => (u64::try_from(square / d).unwrap_or(u64::MAX), square % d),
        None => big_quotient(n, d),
    }
}

#[cold]
fn big_quotient(n: u128, d: u128) -> (u64, u128) {
    let (whole, rest) = BigUint::from(n).pow(2).div_rem(&BigUint::from(d));
    (
        whole.to_u64().unwrap_or(u64::MAX),
        rest.to_u128().unwrap_or(0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, fit_integers};
    use proptest::prelude::*;

    fn gaussian(num: u64, den: u64) -> DiscreteGaussian {
        DiscreteGaussian::new(num, den).unwrap()
    }

    #[test]
    fn law_by_counting_with_frequent_ties() {
        let mut rng = RandomSource::insecure_seed(34).stream();
        for (num, den) in [(1, 2), (3, 4), (2, 1), (47, 3)] {
            let noise = gaussian(num, den);
            let drawn: Vec<i64> = (0..300_000)
                .map(|_| noise.sample_digits::<3, _>(&mut rng))
                .collect();
            assert_plausible(&fit_integers(&drawn, -50..=50, |x| noise.pmf(x)).unwrap());
        }
    }

    #[test]
    fn reference_vectors() {
        let drawn = |num, den| {
            let mut rng = RandomSource::insecure_seed(42).stream();
            let noise = gaussian(num, den);
            (0..10).map(|_| noise.sample(&mut rng)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(1, 1), [0, 2, -1, 0, -1, 0, 2, 0, -2, 0]);
        assert_eq!(drawn(144, 1), [5, 5, 0, 0, -15, -10, -5, -29, 10, 7]);
        assert_eq!(
            drawn(1_000_003, 7),
            [163, 492, 158, -1026, -188, 243, 540, -415, -527, -105]
        );
    }

    #[test]
    fn moments_agree_with_the_mass_function() {
        for (num, den) in [(1, 9), (1, 1), (15, 4), (17, 4), (100, 3), (10_000, 1)] {
            let noise = gaussian(num, den);
            let (total, square) = (-3000..=3000).fold((0.0, 0.0), |(total, square), x| {
                (total + noise.pmf(x), square + noise.pmf(x) * (x * x) as f64)
            });
            assert!((total - 1.0).abs() < 1e-12, "{num}/{den}: {total}");
            assert!((square.sqrt() / noise.std_dev() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_largest_variances_do_not_overflow() {
        let mut rng = RandomSource::insecure_seed(33).stream();
        let top = DiscreteGaussian::LIMIT - 1;
        for (num, den) in [(top, 1), (1, top), (top, top - 1), (top, 1 << 30)] {
            let noise = gaussian(num, den);
            let width = 40.0 * noise.std_dev() + 10.0;
            for _ in 0..2_000 {
                assert!((noise.sample(&mut rng) as f64).abs() < width);
            }
        }
        for (num, den) in [(0, 1), (1, 0), (top + 1, 1), (1, top + 1)] {
            assert!(DiscreteGaussian::new(num, den).is_err());
        }
        assert_eq!(gaussian(6 << 40, 4 << 40).parts(), (3, 2));
    }

    proptest! {
        /// The fraction that a sample is accepted by, against the formula it stands for, in big integers.
        #[test]
        fn quotients_are_those_of_big_integers(n in 0..1_u128 << 90, d in 1..1_u128 << 123) {
            let (whole, rest) = quotient(n, d);
            prop_assume!(whole < u64::MAX);
            let square = BigUint::from(n).pow(2);
            prop_assert_eq!(BigUint::from(d) * whole + rest, square);
            prop_assert!(rest < d);
        }
    }
}
