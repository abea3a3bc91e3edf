//! What a release promises, in a form that people and programs can read.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::Epsilon;
use crate::delta::Delta;
use crate::syntactic::{Confidence, Knowledge, SensitiveValues};
use crate::unit::PrivacyUnit;

/// Which two data sets must be hard to tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbouring {
    /// One has all records of one unit in addition; everything else is the same.
    AddOrRemoveOneUnit,
    /// The records of one unit are replaced by others; how many units there are is public.
    ///
    /// A unit that takes part has exactly one record, which may be empty: the door refuses this
    /// relation for units that can have several. The number of records is then the number of
    /// units and the same on both sides, so that a mechanism may use it when it runs
    /// ([`crate::Records::units`]) and the manifest says it. It is no part of
    /// [`crate::PublicInputs`], from which claims are made: a claim is made before it is known
    /// which relation it is about, and for the other one that number is a secret.
    ReplaceOneUnit,
}

/// The promise itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "model")]
#[non_exhaustive]
pub enum Model {
    /// P\[M(D) ∈ S\] ≤ e^ε · P\[M(D′) ∈ S\] + δ for all neighbouring D, D′ and all S.
    DifferentialPrivacy {
        /// ε as a number, for reading.
        epsilon: f64,
        /// ε exactly, as a fraction; this is what holds.
        epsilon_exact: String,
        /// δ as a number, for reading; 0 in the pure form, and where a manifest says nothing.
        #[serde(default)]
        delta: f64,
        /// δ exactly, as a fraction; this is what holds.
        #[serde(default = "zero_exact")]
        delta_exact: String,
        /// Between which data sets.
        neighbouring: Neighbouring,
        /// Whether it holds for all that leaves a person's device, hence against whoever collects
        /// that too; where not, the one who made the release held the raw data.
        #[serde(default, skip_serializing_if = "is_false")]
        local: bool,
    },
    /// (K, C)_L-privacy: every set of at most L visits that occurs in a record of the release occurs
    /// in records of at least K owners, and no sensitive value has a share above C among them. Not
    /// differential privacy; says nothing about several releases together.
    #[serde(rename = "k-c-l-privacy")]
    KclPrivacy {
        /// K: the fewest owners.
        k: NonZeroU32,
        /// C as a number, for reading.
        c: f64,
        /// C exactly, as a fraction; this is what holds.
        c_exact: String,
        /// L: how many visits an attacker knows at most, or `all`.
        l: Knowledge,
        /// The sensitive values, by column.
        sensitive: Vec<SensitiveValues>,
    },
    /// Nothing is promised, for this reason.
    None {
        /// Why not.
        reason: String,
    },
}

fn zero_exact() -> String {
    "0".into()
}

// The form that serde asks for.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Model {
    /// Its name, as in manifests.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DifferentialPrivacy { .. } => "differential-privacy",
            Self::KclPrivacy { .. } => "k-c-l-privacy",
            Self::None { .. } => "none",
        }
    }

    /// Whether it is differential privacy, under which a mechanism may see trajectories only.
    pub fn is_differential_privacy(&self) -> bool {
        matches!(self, Self::DifferentialPrivacy { .. })
    }

    /// Between which data sets it holds, where it is about data sets.
    pub fn neighbouring(&self) -> Option<Neighbouring> {
        match self {
            Self::DifferentialPrivacy { neighbouring, .. } => Some(*neighbouring),
            Self::KclPrivacy { .. } | Self::None { .. } => None,
        }
    }

    /// Whether how many units there are is public under it.
    pub fn units_are_public(&self) -> bool {
        self.neighbouring() == Some(Neighbouring::ReplaceOneUnit)
    }

    /// Whether it holds for what leaves people's devices, hence against whoever collects that.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::DifferentialPrivacy { local: true, .. })
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
    /// The promise in plain words.
    pub in_words: String,
    /// What it rests on; where one of these fails, so does the promise.
    pub rests_on: Vec<String>,
}

impl Guarantee {
    /// Pure ε-differential privacy under adding or removing one unit.
    pub fn pure(epsilon: &Epsilon, unit: PrivacyUnit) -> Self {
        Self::differential_privacy(epsilon, &Delta::zero(), unit)
    }

    /// (ε, δ)-differential privacy under adding or removing one unit.
    ///
    /// The words for a δ above zero say exactly what it means: M(D) and M(D′) are mixtures of parts
    /// that differ by a factor of e^ε at most, with weight at least 1 − δ each, and of others of
    /// which nothing is known (Vadhan 2017).
    pub fn differential_privacy(epsilon: &Epsilon, delta: &Delta, unit: PrivacyUnit) -> Self {
        Self {
            model: differential_privacy(epsilon, delta, Neighbouring::AddOrRemoveOneUnit, false),
            unit,
            in_words: format!(
                "{} without {}.{} This holds whatever else an attacker knows.",
                as_probably(epsilon),
                unit.in_words(),
                failing(delta)
            ),
            rests_on: Vec::new(),
        }
    }

    /// (ε, δ)-differential privacy under replacing the records of one unit: what a unit did is hidden,
    /// that it takes part is not.
    pub fn replacing(epsilon: &Epsilon, delta: &Delta, unit: PrivacyUnit) -> Self {
        Self {
            model: differential_privacy(epsilon, delta, Neighbouring::ReplaceOneUnit, false),
            unit,
            in_words: format!(
                "{} whatever {}.{} That {} is not hidden. This holds whatever else an \
                 attacker knows.",
                as_probably(epsilon),
                unit.doings_had_been(),
                failing(delta),
                match unit {
                    PrivacyUnit::Trip => "the trip is in the data",
                    PrivacyUnit::Owner | PrivacyUnit::OwnerBounded(_) => "the person takes part",
                }
            ),
            rests_on: vec![
                "How many take part is public, and who does is independent of where they went."
                    .into(),
            ],
        }
    }

    /// Pure ε-differential privacy under replacing the records of one unit, for everything that leaves
    /// that unit's device: nobody needs to be trusted with the raw data.
    pub fn local(epsilon: &Epsilon, unit: PrivacyUnit) -> Self {
        let promise = Self::replacing(epsilon, &Delta::zero(), unit);
        Self {
            model: differential_privacy(
                epsilon,
                &Delta::zero(),
                Neighbouring::ReplaceOneUnit,
                true,
            ),
            in_words: promise.in_words
                + match unit {
                    PrivacyUnit::Trip => {
                        " It holds locally: for what is sent about that trip as well, hence against \
                         whoever collects that."
                    }
                    PrivacyUnit::Owner | PrivacyUnit::OwnerBounded(_) => {
                        " It holds locally: for all that a person's device sends as well, hence \
                         against whoever collects that."
                    }
                },
            ..promise
        }
        .resting_on("Devices send what the protocol says and nothing else.")
    }

    /// (K, C)_L-privacy of the released records.
    pub fn kcl(
        k: NonZeroU32,
        c: &Confidence,
        l: Knowledge,
        sensitive: Vec<SensitiveValues>,
        unit: PrivacyUnit,
    ) -> Self {
        Self {
            in_words: kcl_in_words(k, c, l, &sensitive),
            model: Model::KclPrivacy {
                k,
                c: c.value().to_f64(),
                c_exact: c.value().exact_text(),
                l,
                sensitive,
            },
            unit,
            rests_on: Vec::new(),
        }
    }

    /// No promise at all, for a reason that follows "nothing is promised:" and has no full stop.
    pub fn none(reason: impl Into<String>, unit: PrivacyUnit) -> Self {
        let reason = reason.into();
        Self {
            in_words: format!("Nothing is promised about anyone: {reason}."),
            model: Model::None { reason },
            unit,
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

fn differential_privacy(
    epsilon: &Epsilon,
    delta: &Delta,
    neighbouring: Neighbouring,
    local: bool,
) -> Model {
    Model::DifferentialPrivacy {
        epsilon: epsilon.to_f64(),
        epsilon_exact: epsilon.value().exact_text(),
        delta: delta.to_f64(),
        delta_exact: delta.value().exact_text(),
        neighbouring,
        local,
    }
}

fn as_probably(epsilon: &Epsilon) -> String {
    format!(
        "Whatever this release shows, it would have shown with nearly the same probability (within \
         a factor of e^{epsilon})"
    )
}

/// What a δ allows, to follow the sentence about ε.
fn failing(delta: &Delta) -> String {
    match delta.is_zero() {
        true => String::new(),
        false => format!(
            " With a probability of at most {delta} (delta) it may instead give away anything about \
             them."
        ),
    }
}

/// How many points tell almost everyone apart (de Montjoye et al. 2013).
const POINTS_THAT_IDENTIFY: u32 = 4;

fn kcl_in_words(
    k: NonZeroU32,
    c: &Confidence,
    l: Knowledge,
    sensitive: &[SensitiveValues],
) -> String {
    let known = match l {
        Knowledge::All => "any number of visits of a person".to_owned(),
        Knowledge::AtMost(NonZeroU32::MIN) => "one visit of a person".to_owned(),
        Knowledge::AtMost(visits) => format!("at most {visits} visits of a person"),
    };
    let crowd = (k > NonZeroU32::MIN).then(|| {
        format!(
            "Whoever knows {known} finds them in the released records of at least {k} people or of \
             nobody"
        )
    });
    // A property of the records: what may be inferred from how they were made is another matter.
    let bounded = !c.is_one() && sensitive.iter().any(|it| !it.values.is_empty());
    let share = bounded.then(|| {
        let values: Vec<String> = sensitive.iter().map(SensitiveValues::in_words).collect();
        format!(
            "among the released records that hold them, no sensitive value ({}) has a share above {c}",
            values.join("; ")
        )
    });
    let mut text = match (crowd, share) {
        (Some(crowd), Some(share)) => format!("{crowd}, and {share}."),
        (Some(crowd), None) => format!("{crowd}."),
        (None, Some(share)) => format!("Suppose that somebody knows {known}: {share}."),
        (None, None) => "These parameters ask for nothing: a single person may stand out, and any \
                         value may be inferred."
            .to_owned(),
    };
    if let Knowledge::AtMost(visits) = l {
        text += " Nothing is promised against someone who knows more visits.";
        if visits.get() < POINTS_THAT_IDENTIFY {
            text += " Four points identify 95 % of people in mobile phone data (de Montjoye et al. \
                     2013).";
        }
    }
    text + " This is not differential privacy: it does not hold whatever else an attacker knows, and \
            it does not compose: nothing is promised about this release together with another of the \
            same people."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(k: u32, c: &str, l: &str, sensitive: &[(&str, &[&str])]) -> String {
        let sensitive = sensitive.iter().map(|(column, values)| SensitiveValues {
            column: (*column).into(),
            values: values.iter().map(|&value| value.into()).collect(),
        });
        let guarantee = Guarantee::kcl(
            k.try_into().unwrap(),
            &c.parse().unwrap(),
            l.parse().unwrap(),
            sensitive.collect(),
            PrivacyUnit::Owner,
        );
        guarantee.in_words
    }

    #[test]
    fn what_is_asked_for_is_said_and_nothing_else() {
        let diagnosis: (&str, &[&str]) = ("diagnosis", &["HIV", "Flu"]);
        let both = words(10, "1/2", "2", &[diagnosis, ("job", &["spy"])]);
        assert!(
            both.starts_with(
                "Whoever knows at most 2 visits of a person finds them in the released records of \
                 at least 10 people or of nobody, and among the released records that hold them, no \
                 sensitive value (diagnosis: HIV, Flu; job: spy) has a share above 0.5."
            ),
            "{both}"
        );
        assert!(!words(10, "1", "2", &[diagnosis]).contains("sensitive"));
        let share = words(1, "0.5", "all", &[diagnosis]);
        assert!(
            share.starts_with(
                "Suppose that somebody knows any number of visits of a person: among the released \
                 records that hold them, no sensitive value (diagnosis: HIV, Flu) has a share above \
                 0.5."
            ),
            "{share}"
        );
        assert!(!share.contains("people or of nobody"), "{share}");
        // Whoever knows how records were made may infer from what is missing.
        assert!(!both.contains("infer") && !share.contains("infer"));
        assert!(words(1, "1", "2", &[diagnosis]).contains("ask for nothing"));
        assert!(words(1, "0.5", "2", &[("diagnosis", &[])]).contains("ask for nothing"));
    }

    #[test]
    fn four_points_are_named_where_fewer_are_assumed() {
        for (l, warned, limited) in [
            ("1", true, true),
            ("3", true, true),
            ("4", false, true),
            ("all", false, false),
        ] {
            let words = words(5, "1", l, &[]);
            assert_eq!(words.contains("Four points identify 95 %"), warned, "{l}");
            assert_eq!(words.contains("who knows more visits"), limited, "{l}");
            assert!(words.contains("not differential privacy") && words.contains("not compose"));
        }
    }

    #[test]
    fn a_delta_is_said_in_words_and_exactly() {
        let (epsilon, delta) = ("1/2".parse().unwrap(), "2.5e-7".parse().unwrap());
        let promise = Guarantee::differential_privacy(&epsilon, &delta, PrivacyUnit::Owner);
        assert!(
            promise.in_words.contains(
                "(within a factor of e^0.5) without any one person, with all their trips joined to \
                 one record. With a probability of at most 2.5e-7 (delta) it may instead give away \
                 anything about them. This holds whatever else"
            ),
            "{}",
            promise.in_words
        );
        let document = serde_json::to_value(&promise).unwrap();
        assert_eq!(document["delta"], 2.5e-7);
        assert_eq!(document["delta_exact"], "1/4000000");
        let pure = Guarantee::pure(&epsilon, PrivacyUnit::Owner);
        assert!(!pure.in_words.contains("delta"), "{}", pure.in_words);
        assert_eq!(serde_json::to_value(&pure).unwrap()["delta_exact"], "0");
    }

    #[test]
    fn a_replacement_hides_what_was_done_and_not_who_takes_part() {
        let (epsilon, delta) = ("1/2".parse().unwrap(), "1e-6".parse().unwrap());
        let promise = Guarantee::replacing(&epsilon, &delta, PrivacyUnit::Owner);
        assert_eq!(
            promise.in_words,
            "Whatever this release shows, it would have shown with nearly the same probability \
             (within a factor of e^0.5) whatever the trajectories of any one person had been, all \
             joined to one record. With a probability of at most 1e-6 (delta) it may instead give \
             away anything about them. That the person takes part is not hidden. This holds whatever \
             else an attacker knows."
        );
        assert!(promise.rests_on[0].starts_with("How many take part is public"));
        let document = serde_json::to_value(&promise).unwrap();
        assert_eq!(document["neighbouring"], "replace-one-unit");
        assert!(document.get("local").is_none(), "{document}");
        assert!(!promise.in_words.contains("locally"));
        let trip = Guarantee::replacing(&epsilon, &delta, PrivacyUnit::Trip).in_words;
        assert!(
            trip.contains("whatever any one trip had been (a person"),
            "{trip}"
        );
        assert!(
            trip.contains("That the trip is in the data is not hidden."),
            "{trip}"
        );

        let local = Guarantee::local(&epsilon, PrivacyUnit::Owner);
        assert!(
            local
                .in_words
                .contains("the person takes part is not hidden")
        );
        assert!(
            local.in_words.ends_with("against whoever collects that."),
            "{}",
            local.in_words
        );
        assert_eq!(local.rests_on.len(), 2);
        let document = serde_json::to_value(&local).unwrap();
        assert_eq!(document["local"], true);
        assert_eq!(document["neighbouring"], "replace-one-unit");
        assert!(local.model.units_are_public() && promise.model.units_are_public());
        let pure = Guarantee::pure(&epsilon, PrivacyUnit::Owner);
        assert_eq!(
            pure.model.neighbouring(),
            Some(Neighbouring::AddOrRemoveOneUnit)
        );
        assert!(!pure.model.units_are_public());
        let none = Guarantee::none("as published", PrivacyUnit::Owner);
        assert!(none.model.neighbouring().is_none() && !none.model.units_are_public());
    }

    #[test]
    fn promises_survive_json_and_older_ones_are_read() {
        let epsilon: Epsilon = "1/2".parse().unwrap();
        let kcl = |l: &str| {
            let sensitive = vec![SensitiveValues {
                column: "d".into(),
                values: vec!["HIV".into()],
            }];
            let (c, l) = ("1/3".parse().unwrap(), l.parse().unwrap());
            Guarantee::kcl(3.try_into().unwrap(), &c, l, sensitive, PrivacyUnit::Trip)
        };
        for guarantee in [
            Guarantee::pure(&epsilon, PrivacyUnit::Owner),
            Guarantee::differential_privacy(&epsilon, &"1e-6".parse().unwrap(), PrivacyUnit::Trip),
            Guarantee::replacing(&epsilon, &"1e-6".parse().unwrap(), PrivacyUnit::Trip),
            Guarantee::local(&epsilon, PrivacyUnit::Owner),
            kcl("all"),
            kcl("2"),
            Guarantee::none("as published", PrivacyUnit::Owner),
        ] {
            let document = serde_json::to_value(&guarantee).unwrap();
            assert_eq!(document["model"], guarantee.model.name());
            let is_dp = guarantee.model.is_differential_privacy();
            assert_eq!(document.get("neighbouring").is_some(), is_dp, "{document}");
            assert_eq!(
                serde_json::from_value::<Guarantee>(document).unwrap(),
                guarantee
            );
        }
        // As the first version wrote them: the relation beside the model, in every release.
        let first = serde_json::json!({
            "model": "differential-privacy", "epsilon": 0.5, "epsilon_exact": "1/2",
            "unit": "owner", "neighbouring": "add-or-remove-one-unit", "in_words": "", "rests_on": [],
        });
        let read: Guarantee = serde_json::from_value(first).unwrap();
        assert_eq!(
            read.model,
            Guarantee::pure(&epsilon, PrivacyUnit::Owner).model
        );
        let none = serde_json::json!({
            "model": "none", "reason": "r", "unit": "owner",
            "neighbouring": "add-or-remove-one-unit", "in_words": "", "rests_on": [],
        });
        assert!(serde_json::from_value::<Guarantee>(none).is_ok());
    }
}
