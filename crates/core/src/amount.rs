//! Amounts of differential privacy, which add up exactly.

use crate::rational::Rational;

/// An amount of (ε, δ)-differential privacy: of one release, of many, or of what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    /// ε.
    pub epsilon: Rational,
    /// δ; zero for pure differential privacy.
    pub delta: Rational,
}

impl Amount {
    /// Nothing.
    pub fn zero() -> Self {
        Self::pure(Rational::zero())
    }

    /// ε with δ = 0.
    pub fn pure(epsilon: Rational) -> Self {
        Self {
            epsilon,
            delta: Rational::zero(),
        }
    }

    /// Whether it is nothing.
    pub fn is_zero(&self) -> bool {
        self.epsilon.is_zero() && self.delta.is_zero()
    }

    /// Sequential composition: both parameters add up (Dwork et al. 2006).
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            epsilon: self.epsilon.plus(&other.epsilon),
            delta: self.delta.plus(&other.delta),
        }
    }

    /// Whether neither parameter exceeds the other's.
    pub fn within(&self, other: &Self) -> bool {
        self.epsilon <= other.epsilon && self.delta <= other.delta
    }

    /// What is left of it when `spent` is taken away; at least zero.
    #[must_use]
    pub fn less(&self, spent: &Self) -> Self {
        let less = |from: &Rational, amount| from.minus(amount).unwrap_or_else(Rational::zero);
        Self {
            epsilon: less(&self.epsilon, &spent.epsilon),
            delta: less(&self.delta, &spent.delta),
        }
    }

    /// In words: `epsilon 1`, and δ where there is one.
    pub fn in_words(&self) -> String {
        if self.delta.is_zero() {
            format!("epsilon {}", self.epsilon)
        } else {
            let delta = self.delta.scientific();
            format!("epsilon {} and delta {delta}", self.epsilon)
        }
    }
}
