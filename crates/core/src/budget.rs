//! What privacy costs, and a budget that cannot be overdrawn.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use wayveil_noise::Rate;

use crate::amount::Amount;
use crate::delta::Delta;
use crate::error::{Error, Result};
use crate::rational::Rational;

/// The parameter ε of differential privacy: an exact rational above zero.
///
/// The smallest is 10⁻⁶ and the largest 10⁶, so that every noise scale made from one can be
/// sampled exactly; an ε of zero cannot exist.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Rational", into = "Rational")]
pub struct Epsilon(Rational);

impl Epsilon {
    /// Checks the range.
    pub fn new(value: Rational) -> Result<Self> {
        let million = Rational::new(1_000_000, 1)?;
        let millionth = Rational::new(1, 1_000_000)?;
        if value.is_zero() {
            return Err(
                Error::input("invalid epsilon (got 0): must be above 0").hint(
                    "epsilon 0 would release nothing at all; common choices lie between 0.1 and 2",
                ),
            );
        }
        if value < millionth || value > million {
            return Err(Error::input(format!(
                "invalid epsilon (got {value}): must lie between 0.000001 and 1000000"
            ))
            .hint("common choices lie between 0.1 and 2"));
        }
        Ok(Self(value))
    }

    /// The exact value.
    pub fn value(&self) -> &Rational {
        &self.0
    }

    /// The nearest floating-point number, for display and post-processing only.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64()
    }

    /// The noise rate ε/`parts` for a query whose share of the budget is one of `parts` equal
    /// ones (or whose sensitivity is `parts`).
    pub fn rate_over(&self, parts: u64) -> Result<Rate> {
        let share = self.0.divided_by(parts)?;
        let (numerator, denominator) = share.to_u64_parts().ok_or_else(|| too_fine(&share))?;
        Rate::new(numerator, denominator).map_err(|_| too_fine(&share))
    }
}

fn too_fine(share: &Rational) -> Error {
    Error::input(format!(
        "the share {} of the budget has too many digits to be sampled exactly",
        share.exact_text()
    ))
    .hint("give epsilon with fewer digits, for instance 0.33 instead of 0.333333333333")
}

impl FromStr for Epsilon {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let value = text.parse::<Rational>().map_err(|error| {
            let reason = match text.trim().strip_prefix('-') {
                Some(size) if size.parse::<Rational>().is_ok() => {
                    "must be above 0, and this is negative"
                }
                _ => error.message(),
            };
            Error::input(format!("invalid epsilon (got {text:?}): {reason}"))
                .hint("write a positive decimal such as 0.5, or a fraction such as 1/3")
        })?;
        Self::new(value)
    }
}

impl fmt::Display for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<Rational> for Epsilon {
    type Error = Error;

    fn try_from(value: Rational) -> Result<Self> {
        Self::new(value)
    }
}

impl From<Epsilon> for Rational {
    fn from(epsilon: Epsilon) -> Rational {
        epsilon.0
    }
}

/// What a mechanism will do to the books, apart from how the books count it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cost {
    /// (ε, δ)-differential privacy, with a δ of zero for the pure form. Both add up over releases
    /// of one population.
    DifferentialPrivacy {
        /// ε.
        epsilon: Epsilon,
        /// δ.
        delta: Delta,
    },
    /// A guarantee that does not add up over releases, such as a syntactic one. Nothing is charged;
    /// books record it and say so.
    NotComposing,
}

impl Cost {
    /// Pure ε-differential privacy.
    pub fn pure(epsilon: Epsilon) -> Self {
        Self::DifferentialPrivacy {
            epsilon,
            delta: Delta::zero(),
        }
    }

    /// What is added to the books; none where nothing is.
    pub fn amount(&self) -> Option<Amount> {
        match self {
            Self::DifferentialPrivacy { epsilon, delta } => Some(Amount {
                epsilon: epsilon.value().clone(),
                delta: delta.value().clone(),
            }),
            Self::NotComposing => None,
        }
    }
}

/// What was spent on one population, and an allowance that it may not exceed.
///
/// Sequential composition: the ε of all releases of one population add up, and so do their δ (Dwork
/// et al. 2006).
/// The only way to take from it is [`crate::publish`]. It lives in memory, for trials: what is
/// published on it cannot be written, which takes [`crate::Books`].
#[derive(Debug)]
pub struct Budget {
    allowance: Option<Amount>,
    spent: Amount,
}

impl Budget {
    /// An allowance of this much.
    pub fn new(allowance: Amount) -> Self {
        Self {
            allowance: Some(allowance),
            spent: Amount::zero(),
        }
    }

    /// No allowance: spending is counted but never refused.
    pub fn without_allowance() -> Self {
        Self {
            allowance: None,
            spent: Amount::zero(),
        }
    }

    /// What was spent so far.
    pub fn spent(&self) -> &Amount {
        &self.spent
    }

    /// What is left of the allowance, if there is one.
    pub fn left(&self) -> Option<Amount> {
        Some(self.allowance.as_ref()?.less(&self.spent))
    }

    /// Takes a cost from the budget, or refuses and takes nothing.
    pub(crate) fn charge(&mut self, cost: &Cost) -> Result<()> {
        let Some(amount) = cost.amount() else {
            return Ok(());
        };
        let after = self.spent.plus(&amount);
        if let Some(allowance) = &self.allowance
            && !after.within(allowance)
        {
            return Err(Error::refused(format!(
                "the budget is spent: this release costs {}, but {} of {} are spent already",
                amount.in_words(),
                self.spent.in_words(),
                allowance.in_words(),
            ))
            .hint("ask for a smaller epsilon or delta, or raise the allowance on purpose"));
        }
        self.spent = after;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epsilon_of_zero_cannot_exist() {
        for bad in [
            "0", "0.0", "-1", "NaN", "inf", "1e-310", "1e-7", "2000000", "", "0/5",
        ] {
            assert!(bad.parse::<Epsilon>().is_err(), "{bad:?} was accepted");
        }
        assert!(serde_json::from_str::<Epsilon>("\"0\"").is_err());
        for negative in ["-1", " -1/3"] {
            let error = negative.parse::<Epsilon>().unwrap_err();
            assert!(error.message().contains("above 0"), "{error}");
        }
        assert_eq!("1/3".parse::<Epsilon>().unwrap().to_string(), "1/3");
    }

    #[test]
    fn shares_are_exact() {
        let epsilon: Epsilon = "0.1".parse().unwrap();
        let rate = epsilon.rate_over(12).unwrap();
        assert_eq!((rate.numer(), rate.denom()), (1, 120));
        assert!(epsilon.rate_over(0).is_err());
    }

    #[test]
    fn a_budget_cannot_be_overdrawn() {
        let allowed = Amount::pure("0.3".parse().unwrap());
        let mut budget = Budget::new(allowed.clone());
        let cost = Cost::pure("0.1".parse().unwrap());
        for _ in 0..3 {
            budget.charge(&cost).unwrap();
        }
        assert_eq!(
            budget.left(),
            Some(Amount::zero()),
            "three tenths are exactly 0.3"
        );
        let refusal = budget.charge(&cost).unwrap_err();
        assert_eq!(refusal.exit_code(), 1);
        assert_eq!(budget.spent(), &allowed);
    }

    #[test]
    fn neither_epsilon_nor_delta_can_be_overdrawn() {
        let cost = |epsilon: &str, delta: &str| Cost::DifferentialPrivacy {
            epsilon: epsilon.parse().unwrap(),
            delta: delta.parse().unwrap(),
        };
        let mut budget = Budget::new(Amount {
            epsilon: "1".parse().unwrap(),
            delta: "3e-7".parse().unwrap(),
        });
        budget.charge(&cost("0.1", "1e-7")).unwrap();
        budget.charge(&cost("0.1", "1e-7")).unwrap();
        let refusal = budget.charge(&cost("0.1", "1.00001e-7")).unwrap_err();
        assert_eq!(
            refusal.message(),
            "the budget is spent: this release costs epsilon 0.1 and delta 1.00001e-7, but epsilon \
             0.2 and delta 2e-7 of epsilon 1 and delta 3e-7 are spent already"
        );
        assert!(budget.charge(&cost("0.9", "0")).is_err());
        budget.charge(&cost("0.8", "1e-7")).unwrap();
        assert_eq!(budget.left(), Some(Amount::zero()));
        assert!(budget.charge(&cost("0.000001", "0")).is_err());
        let mut pure = Budget::new(Amount::pure("1".parse().unwrap()));
        assert!(pure.charge(&cost("0.1", "1e-30")).is_err());
        pure.charge(&Cost::NotComposing).unwrap();
        assert!(pure.spent().is_zero());
    }

    #[test]
    fn without_allowance_spending_is_counted() {
        let mut budget = Budget::without_allowance();
        budget.charge(&Cost::pure("2".parse().unwrap())).unwrap();
        budget.charge(&Cost::pure("1/3".parse().unwrap())).unwrap();
        assert_eq!(budget.spent(), &Amount::pure("7/3".parse().unwrap()));
        assert_eq!(budget.left(), None);
    }
}
