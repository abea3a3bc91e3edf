//! The δ of releasing noisy counts of keys that nobody knows beforehand.
//!
//! There are far too many possible keys (whole trajectories, say) to put noise on each. So noise is
//! added only to keys that occur, and a key is released with its noisy count where that reaches a
//! threshold. A key that only one owner has is then released with a small probability, and never
//! without that owner: this is what δ pays for (Korolova et al. 2009).
//!
//! # What is proved
//! Let r be the rate of the noise, α = e^(−r), and let one owner add at most m to the counts in
//! all, so that ε = m·r. Two forms, each under adding or removing one owner:
//!
//! * **Discrete Laplace**, released where the noisy count is at least T ≥ 1. With `p(a)` = P[X ≥
//!   T−a] ≤ α^(T−a)/(1+α), and equal to it for a ≤ T,
//!   - at most m keys by one each: δ ≤ m·p(1) = m·α^(T−1)/(1+α);
//!   - m in all, several of which may go to one key: δ ≤ max(m·p(1), p(m)).
//! * **Truncated** to ±B, released where the noisy count is at least B + 1. With `t(a)` the mass of
//!   the a outermost values, t(1) = P[X = B] = α^B·(1−α)/(1+α−2α^(B+1)),
//!   - at most m keys by one each: δ ≤ m·t(1);
//!   - m in all: δ ≤ t(m) = α^(B+1−m)·(1−α^m)/(1+α−2α^(B+1)).
//!
//! *One key*, whose count is c in D and c + a in D′, must satisfy P(S) ≤ e^(ar)·P′(S) + δ both
//! ways, for every set S of answers "not released" and "released as y".
//!
//! * c = 0, where D never releases it. With q the probability that D′ does, P′(S) ≤ q + P(S), and
//!   the other way P("not released") = 1 ≤ e^(ar)·(1−q) + q. The first is tight at S = "released";
//!   q = P[a + X ≥ threshold], which is p(a) or t(a).
//! * c ≥ 1, whole noise: each y is at most e^(ar) times likelier on one side, so are sets of them,
//!   and "not released" is one. δ = 0.
//! * c ≥ 1, truncated noise: D′ reaches a values that D does not, the outermost above, of mass t(a)
//!   together, and D reaches as many below. All others differ by a factor of e^(ar) at most. So δ ≤
//!   t(a), whether or not the values are seen. **This holds for every count, not only for new
//!   keys**, and for a = 1 it is attained by the greatest value.
//!
//! *Several keys* by a₁, a₂, … with sum at most m have independent noise; by basic composition ε
//! and δ add up, to m·r and Σp(aᵢ) or Σt(aᵢ). With all aᵢ = 1 these are m·p(1) and m·t(1).
//! Otherwise: α^(T−a) is convex in a, so that the sum is greatest with one key or with m; and t(a)
//! is proportional to 1 + e^r + … + e^((a−1)r), so that t(a) + t(b) ≤ t(a + b).
//!
//! **A key twice is not two keys.** Where an owner may add 2 to one count, the first form is wrong:
//! with m = 2 and α < 1/2, p(2) = p(1)/α exceeds 2·p(1). Either each owner counts once for a key,
//! or [`Contribution::InAll`] holds.
//!
//! # Exactness
//! δ is irrational. A bound is rounded up to a short decimal, and thresholds are decided by
//! intervals that are refined until they tell; no float takes part but as a first guess.

use core::fmt;
use core::num::{NonZeroU32, NonZeroU64};

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use crate::interval::Interval;
use crate::rate::Rate;
use crate::threshold::least;

/// How much one owner can add to the counts of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contribution {
    /// One to each of at most so many keys.
    DistinctKeys(NonZeroU32),
    /// So much in all, in whatever way: several may go to one key.
    InAll(NonZeroU32),
}

impl Contribution {
    /// One owner, one key.
    pub const ONE_KEY: Contribution = Contribution::DistinctKeys(NonZeroU32::MIN);

    /// The most that an owner adds in all: ε is this times the rate of the noise.
    pub fn most(&self) -> NonZeroU32 {
        match *self {
            Contribution::DistinctKeys(most) | Contribution::InAll(most) => most,
        }
    }
}

/// The δ asked for is no probability above 0 and below 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid delta (got {num}/{den}): it must be above 0 and below 1")]
pub struct DeltaError {
    /// The numerator as given.
    pub num: u128,
    /// The denominator as given.
    pub den: u128,
}

/// An upper bound on a δ: an exact decimal of at most six digits, at least 10^−30 and at most 1.
///
/// It prints as such (`1.08672e-7`), so that it can be read again exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeltaBound {
    digits: u64,
    places: u32,
}

impl DeltaBound {
    const DIGITS: u64 = 1_000_000;
    const LEAST_PLACES: u32 = 30;

    /// Numerator and denominator.
    pub fn parts(&self) -> (u128, u128) {
        (self.digits.into(), 10_u128.pow(self.places))
    }

    /// The nearest float, for reports.
    pub fn as_f64(&self) -> f64 {
        self.digits as f64 / 10_f64.powi(self.places as i32)
    }

    /// Rounds up what `at` bounds, however finely it has to be asked.
    fn above(at: impl Fn(u64) -> Interval) -> DeltaBound {
        let mut bits = FIRST_BITS;
        loop {
            let bounds = at(bits);
            let one = BigUint::one() << bits;
            if bounds.high >= one {
                return DeltaBound {
                    digits: 1,
                    places: 0,
                };
            }
            let scaled = |places: u32| {
                let numerator = &bounds.high * BigUint::from(10_u32).pow(places);
                let up = (numerator + (&one - 1_u32)) >> bits;
                up.to_u64().filter(|&digits| digits <= DeltaBound::DIGITS)
            };
            if scaled(DeltaBound::LEAST_PLACES) == Some(1) {
                return DeltaBound {
                    digits: 1,
                    places: DeltaBound::LEAST_PLACES,
                };
            }
            if (&bounds.high - &bounds.low) << 40_u32 <= bounds.low {
                // The most places with six digits; there are some, as the number is above 10^−30.
                let found = (0..=DeltaBound::LEAST_PLACES + 6)
                    .rev()
                    .find_map(|places| Some((scaled(places)?, places)));
                let (mut digits, mut places) = found.unwrap_or((1, 0));
                while places > 0 && digits % 10 == 0 {
                    (digits, places) = (digits / 10, places - 1);
                }
                return DeltaBound { digits, places };
            }
            bits *= 2;
        }
    }
}

impl fmt::Display for DeltaBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.digits.to_string();
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        match self.places as usize + 1 - digits.len() {
            0 => write!(f, "{first}{point}{rest}"),
            exponent => write!(f, "{first}{point}{rest}e-{exponent}"),
        }
    }
}

/// δ, rounded up, of releasing keys whose count with discrete Laplace noise is at least
/// `threshold`.
pub fn laplace_delta(rate: Rate, threshold: NonZeroU64, by: Contribution) -> DeltaBound {
    DeltaBound::above(|bits| laplace(rate, threshold.get(), by, bits))
}

/// The least threshold at which [`laplace_delta`], before it is rounded, is at most `delta`
/// (numerator and denominator).
pub fn laplace_threshold(
    rate: Rate,
    by: Contribution,
    delta: (u128, u128),
) -> Result<u64, DeltaError> {
    let logarithm = checked(delta)?;
    let (r, most) = (rate.as_f64(), f64::from(by.most().get()));
    let beyond = |ln_weight: f64| (ln_weight - logarithm - (-r).exp().ln_1p()) / r;
    let guess = match by {
        Contribution::DistinctKeys(_) => 1.0 + beyond(most.ln()),
        Contribution::InAll(_) => (1.0 + beyond(most.ln())).max(most + beyond(0.0)),
    };
    let enough = |t: u64| at_most(|bits| laplace(rate, t, by, bits), delta);
    Ok(least(1, guess.ceil().max(1.0) as u64, enough))
}

/// δ, rounded up, of releasing keys whose count with noise truncated to ±`bound` is above `bound`.
pub fn truncated_delta(rate: Rate, bound: u64, by: Contribution) -> DeltaBound {
    DeltaBound::above(|bits| truncated(rate, bound, by, bits))
}

/// The least bound at which [`truncated_delta`], before it is rounded, is at most `delta`
/// (numerator and denominator).
pub fn truncated_bound(
    rate: Rate,
    by: Contribution,
    delta: (u128, u128),
) -> Result<u64, DeltaError> {
    let logarithm = checked(delta)?;
    let (r, most) = (rate.as_f64(), f64::from(by.most().get()));
    let ln_weight = match by {
        Contribution::DistinctKeys(_) => most.ln() + (-(-r).exp_m1()).ln(),
        Contribution::InAll(_) => (most - 1.0) * r + (-(-r * most).exp_m1()).ln(),
    };
    let guess = (ln_weight - logarithm - (-r).exp().ln_1p()) / r;
    let enough = |bound: u64| at_most(|bits| truncated(rate, bound, by, bits), delta);
    Ok(least(0, guess.ceil().max(0.0) as u64, enough))
}

/// Bits to begin with: so many that no divisor below can be zero, as 1 − α > 2^−41.
const FIRST_BITS: u64 = 128;

/// The logarithm of a δ that is one.
fn checked((num, den): (u128, u128)) -> Result<f64, DeltaError> {
    if num == 0 || num >= den {
        return Err(DeltaError { num, den });
    }
    Ok((num as f64).ln() - (den as f64).ln())
}

/// α^times.
fn power(rate: Rate, times: u64, bits: u64) -> Interval {
    let exponent = BigUint::from(rate.numer()) * times;
    Interval::exp_neg(&exponent, &rate.denom().into(), bits)
}

fn laplace(rate: Rate, threshold: u64, by: Contribution, bits: u64) -> Interval {
    let alpha = power(rate, 1, bits);
    let tail = |t: u64| power(rate, t, bits).over_one_plus(&alpha);
    let singly = tail(threshold.saturating_sub(1)).times_whole(by.most().get());
    match by {
        Contribution::DistinctKeys(_) => singly,
        Contribution::InAll(most) => match threshold.checked_sub(most.get().into()) {
            Some(rest) => singly.max(tail(rest)),
            // Below m nearly nothing is promised; no probability is above one.
            None => Interval::one(bits),
        },
    }
}

fn truncated(rate: Rate, bound: u64, by: Contribution, bits: u64) -> Interval {
    let alpha = power(rate, 1, bits);
    // 1 + α − 2α^(B+1), without subtracting what is nearly equal.
    let inside = alpha.times(&power(rate, bound, bits).one_minus());
    let whole = alpha.one_minus().plus(&inside.times_whole(2));
    let outermost = |most: u32, rest: u64| {
        let mass = power(rate, rest, bits).times(&power(rate, most.into(), bits).one_minus());
        mass.over(&whole)
    };
    match by {
        Contribution::DistinctKeys(most) => outermost(1, bound).times_whole(most.get()),
        Contribution::InAll(most) => match bound.saturating_add(1).checked_sub(most.get().into()) {
            Some(rest) => outermost(most.get(), rest),
            None => Interval::one(bits),
        },
    }
}

/// Whether what `at` bounds is at most a fraction below one. It ends, because what is bounded is
/// one, or a rational function of e^(1/q) that is not constant and hence irrational (Lindemann
/// 1882).
fn at_most(at: impl Fn(u64) -> Interval, (num, den): (u128, u128)) -> bool {
    let (num, den) = (BigUint::from(num), BigUint::from(den));
    let mut bits = FIRST_BITS;
    loop {
        let bounds = at(bits);
        let target = &num << bits;
        if bounds.low * &den > target {
            return false;
        }
        if bounds.high * &den <= target {
            return true;
        }
        bits *= 2;
    }
}

#[cfg(test)]
mod tests;
