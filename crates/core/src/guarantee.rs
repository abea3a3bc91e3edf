//! What a release promises, in a form that people and programs can read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::Epsilon;
use crate::unit::PrivacyUnit;

/// Which two data sets must be hard to tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbouring {
    /// One has all records of one unit in addition; everything else is the same.
    AddOrRemoveOneUnit,
}

/// The promise itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "model")]
#[non_exhaustive]
pub enum Model {
    /// P\[M(D) ∈ S\] ≤ e^ε · P\[M(D′) ∈ S\] for all neighbouring D, D′ and all S.
    DifferentialPrivacy {
        /// ε as a number, for reading.
        epsilon: f64,
        /// ε exactly, as a fraction; this is what holds.
        epsilon_exact: String,
    },
    /// Nothing is promised, for this reason.
    None {
        /// Why not.
        reason: String,
    },
}

impl Model {
    /// Its name, as in manifests.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DifferentialPrivacy { .. } => "differential-privacy",
            Self::None { .. } => "none",
        }
    }
}

/// A promise with everything needed to understand it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Guarantee {
    /// The promise.
    #[serde(flatten)]
    pub model: Model,
    /// Whose presence it hides.
    #[serde(flatten)]
    pub unit: PrivacyUnit,
    /// Between which data sets.
    pub neighbouring: Neighbouring,
    /// The promise in plain words.
    pub in_words: String,
    /// What it rests on; where one of these fails, so does the promise.
    pub rests_on: Vec<String>,
}

impl Guarantee {
    /// Pure ε-differential privacy under adding or removing one unit.
    pub fn pure(epsilon: &Epsilon, unit: PrivacyUnit) -> Self {
        Self {
            model: Model::DifferentialPrivacy {
                epsilon: epsilon.to_f64(),
                epsilon_exact: epsilon.value().exact_text(),
            },
            unit,
            neighbouring: Neighbouring::AddOrRemoveOneUnit,
            in_words: format!(
                "Whatever this release shows, it would have shown with nearly the same \
                 probability (within a factor of e^{epsilon}) without {}. This holds whatever \
                 else an attacker knows.",
                unit.in_words()
            ),
            rests_on: Vec::new(),
        }
    }

    /// Adds something that the promise rests on.
    #[must_use]
    pub fn resting_on(mut self, assumption: impl Into<String>) -> Self {
        self.rests_on.push(assumption.into());
        self
    }
}
