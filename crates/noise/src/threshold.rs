//! Thresholds for noisy counts, from public parameters only, decided exactly.

use core::cmp::Ordering;
use core::num::NonZeroU128;

use crate::probability::ExactProbability;
use crate::rate::Rate;

/// The bound on false children is not a positive fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid number of false children (got {num}/{den}): it must be a positive fraction")]
pub struct ThresholdError {
    /// The numerator as given.
    pub num: u64,
    /// The denominator as given.
    pub den: u64,
}

/// The least integer ≥ 2√2/rate: two standard deviations of continuous Laplace noise, as in Chen,
/// Fung and Desai (2011).
///
/// t ≥ 2√2·den/num iff the integer t·num is at least √(8·den²), that is, at least its ceiling.
pub fn paper_threshold(rate: &Rate) -> u64 {
    let square = 8 * u128::from(rate.denom()).pow(2);
    let floor = square.isqrt();
    let ceiling = floor + u128::from(floor * floor < square);
    // den < 2^40, so the ceiling is below 2^42.
    (ceiling as u64).div_ceil(rate.numer())
}

/// The least integer t ≥ 2√2/rate with candidates·α^t/(1+α) ≤ rho, where α = e^(−rate).
///
/// Of `candidates` empty children at most `rho` (a fraction, numerator and denominator) then pass on
/// average. With rho < 1 the false nodes of a tree die out instead of multiplying. Only public
/// numbers enter, so the choice costs no privacy.
pub fn auto_threshold(
    rate: &Rate,
    candidates: u64,
    rho: (u64, u64),
) -> Result<u64, ThresholdError> {
    let (num, den) = rho;
    if num == 0 || den == 0 {
        return Err(ThresholdError { num, den });
    }
    let floor = paper_threshold(rate);
    let Some(limit_den) = NonZeroU128::new(u128::from(den) * u128::from(candidates)) else {
        return Ok(floor);
    };
    let enough = |t: u64| {
        let passes = ExactProbability::laplace_tail(*rate, t);
        passes.cmp_rational(num.into(), limit_den) == Ordering::Less
    };
    Ok(least(floor, guess(rate, candidates, rho), enough))
}

/// The threshold in floating point, a starting point for the exact search.
///
/// Below 2^48: the logarithm is below 89 and the rate above 2^−40.
fn guess(rate: &Rate, candidates: u64, (num, den): (u64, u64)) -> u64 {
    let alpha = (-rate.as_f64()).exp();
    let ratio = candidates as f64 * den as f64 / num as f64 / (1.0 + alpha);
    (ratio.ln() / rate.as_f64()).ceil().max(0.0) as u64
}

/// The least t ≥ floor with `enough(t)`, for a monotone condition that holds eventually.
///
/// Steps of doubling length from the guess bracket the answer, halving finds it: two tests when the
/// guess is right, and a right answer from any guess.
pub(crate) fn least(floor: u64, guess: u64, enough: impl Fn(u64) -> bool) -> u64 {
    let guess = guess.max(floor);
    let mut step = 1;
    // Invariant of the halving: enough(above), and not enough(t) for floor ≤ t < below.
    let (mut below, mut above);
    if enough(guess) {
        above = guess;
        loop {
            let candidate = above.saturating_sub(step).max(floor);
            if candidate == above {
                return above;
            }
            if !enough(candidate) {
                below = candidate + 1;
                break;
            }
            above = candidate;
            step *= 2;
        }
    } else {
        below = guess + 1;
        loop {
            above = guess + step;
            if enough(above) {
                break;
            }
            below = above + 1;
            step *= 2;
        }
    }
    while below < above {
        let middle = below + (above - below) / 2;
        if enough(middle) {
            above = middle
        } else {
            below = middle + 1
        }
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rate(num: u64, den: u64) -> Rate {
        Rate::new(num, den).unwrap()
    }

    #[test]
    fn known_values() {
        assert_eq!(paper_threshold(&rate(1, 1)), 3);
        assert_eq!(paper_threshold(&rate(1, 12)), 34);
        assert_eq!(paper_threshold(&rate(3, 1)), 1);
        assert_eq!(paper_threshold(&rate(1, (1 << 40) - 1)), 3_109_888_511_973);
        assert_eq!(auto_threshold(&rate(1, 12), 1012, (1, 2)), Ok(84));
        assert_eq!(auto_threshold(&rate(1, 12), 17, (1, 2)), Ok(35));
        assert_eq!(auto_threshold(&rate(1, 12), 0, (1, 2)), Ok(34));
        assert!(auto_threshold(&rate(1, 12), 10, (0, 2)).is_err());
        assert!(auto_threshold(&rate(1, 12), 10, (1, 0)).is_err());
    }

    #[test]
    fn extreme_parameters() {
        let top = Rate::LIMIT - 1;
        for rate in [rate(1, top), rate(top, 1), rate(top, top - 1)] {
            for rho in [(1, u64::MAX), (u64::MAX, 1), (1, 1)] {
                assert!(auto_threshold(&rate, u64::MAX, rho).unwrap() < 1 << 50);
            }
        }
    }

    proptest! {
        #[test]
        fn equals_the_first_that_a_scan_finds(
            num in 1_u64..30, den in 1_u64..60, candidates in 0_u64..5000,
            rho_num in 1_u64..20, rho_den in 1_u64..20,
        ) {
            let rate = rate(num, den);
            let alpha = (-rate.as_f64()).exp();
            let first = (1..10_000).find(|&t: &u64| {
                let expected = candidates as f64 * alpha.powi(t as i32) / (1.0 + alpha);
                t * t * num * num >= 8 * den * den && expected <= rho_num as f64 / rho_den as f64
            });
            prop_assert_eq!(Some(auto_threshold(&rate, candidates, (rho_num, rho_den)).unwrap()), first);
        }

        #[test]
        fn any_guess_leads_to_the_answer(
            floor in 0_u64..100, guess in 0_u64..2000, answer in 0_u64..1000,
        ) {
            prop_assert_eq!(least(floor, guess, |t| t >= answer), answer.max(floor));
        }
    }
}
