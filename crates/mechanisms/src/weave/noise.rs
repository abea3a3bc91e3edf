//! The budget as noise: what a share of it buys for a group.
//!
//! Without a δ the budget is ε, every group has Laplace noise, and shares of ε add up. With one it is the ρ of
//! concentrated differential privacy that (ε, δ) allows ([`wayveil_noise::zcdp`]); groups have Gaussian noise, or
//! Laplace noise where there are too many cells to visit, and shares of ρ add up.

use rand_core::Rng;
use wayveil_core::{Error, Rational, Result};
use wayveil_noise::zcdp::{self, Fraction};
use wayveil_noise::{DiscreteGaussian, DiscreteLaplace, Rate};

use super::features::{Features, Kind, UNITS};
use super::law::Law;
use super::measure::DENSE;
use super::norm::Norm;
use super::options::Options;
use super::shares::PARTS;

/// What is spent in all.
#[derive(Clone, Debug)]
pub(super) enum Allowance {
    /// ε, of pure differential privacy.
    Pure(Rational),
    /// ρ, of concentrated differential privacy.
    Concentrated(Fraction),
}

/// The noise of every cell of a group.
#[derive(Clone, Copy, Debug)]
pub(super) enum Noise {
    Laplace(DiscreteLaplace),
    Gaussian(DiscreteGaussian),
}

impl Noise {
    /// An exact sample.
    #[inline]
    pub(super) fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        match self {
            Self::Laplace(noise) => noise.sample(rng),
            Self::Gaussian(noise) => noise.sample(rng),
        }
    }

    /// Its law, for post-processing.
    pub(super) fn law(&self) -> Law {
        match self {
            Self::Laplace(noise) => Law::Laplace(1.0 / noise.rate().as_f64()),
            Self::Gaussian(noise) => Law::Gaussian(noise.std_dev()),
        }
    }
}

impl Allowance {
    /// What the options allow.
    pub(super) fn of(options: &Options) -> Result<Self> {
        let epsilon = options.epsilon.value();
        if options.delta.is_zero() {
            return Ok(Self::Pure(epsilon.clone()));
        }
        let parts = epsilon.to_u128_parts().ok_or_else(too_many_digits)?;
        let rho = zcdp::rho(parts, options.delta.parts()?);
        rho.map(Self::Concentrated).ok_or_else(nothing_but_noise)
    }

    /// So much of it, exactly.
    pub(super) fn fraction(&self, part: u64, of: u64) -> Result<Self> {
        match self {
            Self::Pure(epsilon) => Ok(Self::Pure(epsilon.times(&Rational::new(part, of)?))),
            Self::Concentrated(rho) => Ok(Self::Concentrated(share(*rho, part, of)?)),
        }
    }

    /// The group, bounded in the norm that its noise asks for.
    ///
    /// Habits are learned from ranks as they are counted, not by comparison with candidates. In length, a record that
    /// does the same thing again and again would count less than others; in the sum it does not.
    pub(super) fn bounded(&self, features: Features) -> Features {
        let in_sum = matches!(features.kind, Kind::Novelty | Kind::Step);
        match self {
            Self::Concentrated(_) if is_dense(&features) && !in_sum => {
                features.bounded_in(Norm::Euclidean)
            }
            _ => features,
        }
    }

    /// The noise of a group that has so many parts of the budget, for units of so many records.
    ///
    /// Records of one unit move the group's counts by m·c·u in the sum, and hence by no more in length; or by m·√c·u in
    /// length, where that is what is bounded.
    pub(super) fn noise(&self, part: u64, features: &Features, records: u32) -> Result<Noise> {
        let moved = u128::from(records) * features.most as u128 * u128::from(UNITS);
        match (self, features.norm) {
            (Self::Pure(epsilon), Norm::Sum) => {
                let share = epsilon.times(&Rational::new(part, PARTS)?);
                let rate = rate(&share, features.most, records)?;
                Ok(Noise::Laplace(DiscreteLaplace::new(rate)))
            }
            (Self::Concentrated(rho), Norm::Sum) if !is_dense(features) => {
                let rate = zcdp::laplace(share(*rho, part, PARTS)?, moved);
                let rate = rate.ok_or_else(nothing_but_noise)?;
                Ok(Noise::Laplace(DiscreteLaplace::new(rate)))
            }
            (Self::Concentrated(rho), norm) if is_dense(features) => {
                let squared = match norm {
                    Norm::Sum => moved.checked_mul(moved),
                    Norm::Euclidean => moved.checked_mul((u64::from(records) * UNITS).into()),
                };
                let share = share(*rho, part, PARTS)?;
                let noise = squared.and_then(|squared| zcdp::gaussian(share, squared));
                Ok(Noise::Gaussian(noise.ok_or_else(nothing_but_noise)?))
            }
            (_, Norm::Sum | Norm::Euclidean) => Err(Error::refused(format!(
                "counts of {} are bounded in a norm that their noise does not hide",
                features.kind.name()
            ))),
        }
    }

    /// The deviation of the number of records for units of so many, with so many parts of the budget; in records.
    pub(super) fn deviation_of_total(&self, part: u64, records: u32) -> f64 {
        let part = part as f64 / PARTS as f64;
        let deviation = match self {
            Self::Pure(epsilon) => 1.0 / (part * epsilon.to_f64()),
            Self::Concentrated(rho) => (2.0 * part * rho.0 as f64 / rho.1 as f64).sqrt().recip(),
        };
        deviation * f64::from(records)
    }
}

/// Whether every cell is visited.
fn is_dense(features: &Features) -> bool {
    features.cells().is_some_and(|cells| cells <= DENSE)
}

/// So much of ρ, exactly.
fn share(rho: Fraction, part: u64, of: u64) -> Result<Fraction> {
    let top = rho.0.checked_mul(part.into());
    let bottom = rho.1.checked_mul(of.into());
    top.zip(bottom).ok_or_else(too_many_digits)
}

/// The exact rate, per unit of a count, at which a group with this share of ε is noised, for units of so many records.
fn rate(share: &Rational, most: usize, records: u32) -> Result<Rate> {
    let units = share.divided_by(UNITS)?.divided_by(most as u64)?;
    let rate = units.divided_by(records.into())?;
    let parts = rate.to_u64_parts().and_then(|(n, d)| Rate::new(n, d).ok());
    parts.ok_or_else(too_many_digits)
}

fn too_many_digits() -> Error {
    Error::input("epsilon has too many digits for its shares to be sampled exactly")
        .hint("give epsilon with fewer digits, for instance 0.33 instead of 0.333333333333")
}

fn nothing_but_noise() -> Error {
    Error::refused("nothing but noise would be released: epsilon and delta are too small")
        .hint("choose a larger epsilon or a smaller --max-trips")
}
