//! Tests of samplers: goodness of fit and equality of two samples.
//!
//! They serve the test suites of this and other crates. Each returns an [`Outcome`] that prints its
//! statistic; [`assert_plausible`] and [`assert_rejected`] turn it into a test, the second for
//! planted faults, so that a test which can never fail does not go unnoticed. Exact bounds on a
//! probability ([`probability_at_least`], [`probability_at_most`]) serve the auditor.

mod beta;
mod chi_square;
mod gamma;
mod uniform_bound;

use core::fmt;

pub use beta::{incomplete_beta, probability_at_least, probability_at_most};
pub use chi_square::{chi_square, fit_integers, same_distribution};
pub use gamma::chi_square_survival;
pub use uniform_bound::fit_cdf;

/// The false-alarm rate of every statistical test.
///
/// A thousand tests run a hundred times a day for a year are 3.7·10^7 outcomes: 0.04 false alarms.
/// A sampler that is wrong by a few standard errors is missed at this rate, so samples must be large
/// enough for the faults that matter; planted faults check that.
pub const ALPHA: f64 = 1e-9;

/// Why a test could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatisticsError {
    /// Counts and probabilities, or two lists of counts, differ in length.
    #[error("invalid cells (got {left} and {right}): both lists must have the same length")]
    Lengths {
        /// Length of the first list.
        left: usize,
        /// Length of the second list.
        right: usize,
    },
    /// A probability is negative or not finite, or they do not sum to 1.
    #[error("invalid probabilities (sum {sum}): they must be at least 0 and sum to 1")]
    Probabilities {
        /// Their sum.
        sum: f64,
    },
    /// After pooling fewer than two cells are left, so nothing can be compared.
    #[error("too few observations (got {samples}): pooling leaves fewer than two cells")]
    TooFew {
        /// Observations in all.
        samples: u64,
    },
}

/// The result of one test.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What was tested.
    pub test: &'static str,
    /// The statistic: χ², or the largest difference of distribution functions.
    pub statistic: f64,
    /// Degrees of freedom, for χ².
    pub degrees: Option<u64>,
    /// Observations in all.
    pub samples: u64,
    /// The probability of so large a statistic, or an upper bound on it, if the hypothesis is true.
    pub p_value: f64,
}

impl Outcome {
    /// Whether the hypothesis is rejected at [`ALPHA`].
    pub fn rejects(&self) -> bool {
        // Written so that a p-value that is not a number rejects.
        !matches!(
            self.p_value.partial_cmp(&ALPHA),
            Some(core::cmp::Ordering::Greater)
        )
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: statistic {:.6}", self.test, self.statistic)?;
        if let Some(degrees) = self.degrees {
            write!(f, " with {degrees} degrees of freedom")?;
        }
        write!(
            f,
            ", {} observations, p = {:.3e} (alpha = {ALPHA:e})",
            self.samples, self.p_value
        )
    }
}

/// Fails the calling test if the hypothesis is rejected.
///
/// # Panics
/// If `outcome` rejects, with the statistic in the message.
#[track_caller]
pub fn assert_plausible(outcome: &Outcome) {
    assert!(!outcome.rejects(), "rejected: {outcome}");
}

/// Fails the calling test if the hypothesis is not rejected; for planted faults.
///
/// # Panics
/// If `outcome` does not reject, with the statistic in the message.
#[track_caller]
pub fn assert_rejected(outcome: &Outcome) {
    assert!(outcome.rejects(), "not caught: {outcome}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_its_statistic_and_rejects_what_is_no_number() {
        let outcome = Outcome {
            test: "fit",
            statistic: 12.5,
            degrees: Some(3),
            samples: 100,
            p_value: 0.005_853,
        };
        assert_eq!(
            outcome.to_string(),
            "fit: statistic 12.500000 with 3 degrees of freedom, 100 observations, \
             p = 5.853e-3 (alpha = 1e-9)"
        );
        assert!(!outcome.rejects());
        assert!(
            Outcome {
                p_value: f64::NAN,
                ..outcome
            }
            .rejects()
        );
    }
}
