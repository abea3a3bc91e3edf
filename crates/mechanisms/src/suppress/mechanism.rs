//! `suppress` as a mechanism: parameters, promise, and the way from records to released records.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde_json::json;
use wayveil_core::{
    Attribute, Claim, Confidence, Cost, Error, Guarantee, Knowledge, Mechanism, Output,
    PrivacyUnit, Progress, PublicInputs, RandomSource, Records, Result, SensitiveValues,
    Transcript,
};

use super::{Mode, Options, Preserve, Requirement, SensitiveColumn, Table, Variant, suppress};
use crate::parameters::{Parameter, Parameters};

const WHY_NOT: &str = "the published algorithm overlooks violations: its check of a local \
                       suppression skips sequences and is not repeated when the table changes";

/// Suppression with its options; all of them public.
#[derive(Clone, Debug)]
pub struct Suppress {
    k: NonZeroU32,
    c: Confidence,
    l: Knowledge,
    /// As given; which columns there are is known later.
    sensitive: String,
    keep: Vec<String>,
    mode: Mode,
    preserve: Preserve,
    as_published: bool,
}

impl Suppress {
    /// The parameters, as offered everywhere.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "k",
            value: "K",
            help: "How many people share whatever an attacker knows, at least",
            default: None,
            example: "2",
        },
        Parameter {
            name: "c",
            value: "C",
            help: "The greatest share that a sensitive value may have among records that share \
                   visits, from 0 to 1; 1 is no limit",
            default: Some("1"),
            example: "0.5",
        },
        Parameter {
            name: "l",
            value: "L",
            help: "How many visits of a person an attacker knows at most: a number, or all",
            default: None,
            example: "2",
        },
        Parameter {
            name: "sensitive",
            value: "[COLUMN=]VALUE,...",
            help: "Values that nobody may be tied to; the column can be left out where there is one",
            default: Some(""),
            example: "",
        },
        Parameter {
            name: "mode",
            value: "HOW",
            help: "Where a visit is taken out: record (each record keeps the most that it can), local \
                   (out of the records of one violation, as the paper has it) or global (everywhere)",
            default: Some("record"),
            example: "global",
        },
        Parameter {
            name: "preserve",
            value: "WHAT",
            help: "What is to be lost as little as possible: instances (visits), or mfs (maximal \
                   frequent sequences)",
            default: Some("instances"),
            example: "instances",
        },
        Parameter {
            name: "min-support",
            value: "N",
            help: "For mfs: how many records share a frequent sequence, at least",
            default: Some(""),
            example: "",
        },
        Parameter {
            name: "keep",
            value: "COLUMN,...",
            help: "Further columns to release; without this only those with sensitive values are",
            default: Some(""),
            example: "",
        },
        Parameter {
            name: "as-published",
            value: "",
            help: "The method as the paper has it (local or global), for comparison: it breaks its \
                   promise",
            default: Some("false"),
            example: "false",
        },
    ];

    /// Builds the mechanism from parameter values.
    pub fn build(parameters: &Parameters) -> Result<Box<dyn Mechanism>> {
        let k = parameters.whole("k", 1..=u64::from(u32::MAX))?;
        let as_published = parameters.switch("as-published")?;
        let k = u32::try_from(k).ok().and_then(NonZeroU32::new);
        Ok(Box::new(Self {
            k: k.ok_or_else(|| Error::input("invalid k: must be at least 1"))?,
            c: parameters.read("c")?,
            l: parameters.read("l")?,
            sensitive: parameters.text("sensitive").to_owned(),
            keep: parameters
                .names("keep")
                .into_iter()
                .map(Into::into)
                .collect(),
            mode: match parameters.text("mode") {
                // The paper knows no other than these two.
                "record" if as_published => Mode::Local,
                "record" => Mode::Record,
                "local" => Mode::Local,
                "global" => Mode::Global,
                other => return Err(unknown("mode", other, "record, local or global")),
            },
            preserve: preserve(parameters)?,
            as_published,
        }))
    }

    fn sensitive(&self, public: &PublicInputs<'_>) -> Result<Vec<SensitiveValues>> {
        SensitiveValues::read(&self.sensitive, public.columns)
    }

    fn options(&self) -> Options {
        Options {
            requirement: Requirement {
                k: self.k.get(),
                c: self.c.value().clone(),
                l: match self.l {
                    Knowledge::All => None,
                    Knowledge::AtMost(visits) => Some(visits),
                },
            },
            mode: self.mode,
            preserve: self.preserve,
            variant: match self.as_published {
                true => Variant::AsPublished,
                false => Variant::Repaired,
            },
        }
    }

    fn parameters(&self) -> BTreeMap<String, serde_json::Value> {
        let (preserve, min_support) = match self.preserve {
            Preserve::Instances => ("instances", None),
            Preserve::MaximalFrequent { min_support } => ("mfs", Some(min_support)),
        };
        let mode = match self.mode {
            Mode::Record => "record",
            Mode::Local => "local",
            Mode::Global => "global",
        };
        let mut parameters = BTreeMap::from([
            ("k".to_owned(), json!(self.k)),
            ("c".to_owned(), json!(self.c.to_string())),
            ("l".to_owned(), json!(self.l)),
            ("sensitive".to_owned(), json!(self.sensitive)),
            ("mode".to_owned(), json!(mode)),
            ("preserve".to_owned(), json!(preserve)),
            ("keep".to_owned(), json!(self.keep.join(","))),
        ]);
        if let Some(support) = min_support {
            parameters.insert("min_support".into(), json!(support));
        }
        parameters
    }
}

fn preserve(parameters: &Parameters) -> Result<Preserve> {
    let support = parameters.text("min-support");
    match (parameters.text("preserve"), support) {
        ("instances", "") => Ok(Preserve::Instances),
        ("instances", _) => Err(
            Error::input("--min-support says nothing without --preserve mfs")
                .hint("add --preserve mfs, or leave --min-support out"),
        ),
        ("mfs", "") => Err(Error::input("--min-support is missing")
            .hint("--preserve mfs needs it: how many records share a frequent sequence")),
        ("mfs", _) => Ok(Preserve::MaximalFrequent {
            min_support: parameters.whole("min-support", 1..=u64::from(u32::MAX))? as u32,
        }),
        (other, _) => Err(unknown("preserve", other, "instances or mfs")),
    }
}

fn unknown(name: &str, got: &str, known: &str) -> Error {
    Error::input(format!("invalid {name} (got {got:?}): must be {known}"))
        .hint(format!("give --{name} one of these"))
}

impl Mechanism for Suppress {
    fn name(&self) -> &'static str {
        "suppress"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        if public.time.is_none() {
            return Err(
                Error::refused("suppression needs to know when visits were made")
                    .hint("import the data with --bin-width, --bin-origin and --bins"),
            );
        }
        if public.unit != PrivacyUnit::Owner {
            return Err(Error::refused(
                "suppression counts people, and a release of single trips does not say whose they \
                 are",
            )
            .hint("leave --trip-level and --max-trips out: a person's trips are joined"));
        }
        let sensitive = self.sensitive(public)?;
        let bounds_nothing = self.c.is_one() || sensitive.is_empty();
        if self.k == NonZeroU32::MIN && bounds_nothing && !self.as_published {
            return Err(Error::refused(
                "these parameters ask for nothing: everything would be released as it is",
            )
            .hint("give --k a number from 2, or --c below 1 and --sensitive"));
        }
        let mut columns: Vec<String> = sensitive.iter().map(|it| it.column.clone()).collect();
        for name in &self.keep {
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
        let guarantee = match self.as_published {
            true => Guarantee::none(WHY_NOT, public.unit),
            false => Guarantee::kcl(self.k, &self.c, self.l, sensitive, public.unit)
                .resting_on("An attacker knows no more of a person than these visits.")
                .resting_on(
                    "An attacker draws no conclusion from what is missing from the records.",
                ),
        };
        let mut limits = vec![
            "Records are true, but visits were taken out of them: what is missing was not \
             necessarily not there."
                .into(),
            "A visit that repeats the place and time bin of another in its record is merged with \
             it, and visits of one bin are in the order of their places."
                .into(),
            "Records of which nothing was left are not in the release.".into(),
        ];
        if self.k == NonZeroU32::MIN && !bounds_nothing {
            limits.push(format!(
                "K is 1: a visit that somebody made and that is missing everywhere tells that a \
                 sensitive value had a share above {} among those who made it, alone or with other \
                 visits.",
                self.c
            ));
        }
        if !self.keep.is_empty() {
            limits.push(format!(
                "The columns {} are released as they are: whoever knows them may recognise people \
                 by them.",
                self.keep.join(", ")
            ));
        }
        Ok(Claim {
            cost: Cost::NotComposing,
            guarantee,
            columns,
            variant: if self.as_published {
                "as-published"
            } else {
                "repaired"
            },
            parameters: self.parameters(),
            limits,
            noise: "none: records are true".into(),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        _random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        let sensitive = self.sensitive(&records.public)?;
        let codes: Vec<(&Attribute, Vec<u32>)> = sensitive
            .iter()
            .filter_map(|wanted| {
                let mut all = records.attributes.iter().map(AsRef::as_ref);
                let column: &Attribute = all.find(|it: &&Attribute| it.name == wanted.column)?;
                let known = column.values.iter().zip(0u32..);
                let known = known.filter(|(value, _)| wanted.values.iter().any(|it| it == value));
                Some((column, known.map(|(_, code)| code).collect()))
            })
            .collect();
        let columns: Vec<SensitiveColumn<'_>> = codes
            .iter()
            .map(|(column, values)| SensitiveColumn {
                of_record: &column.of_record,
                sensitive: values,
            })
            .collect();
        progress.begin("suppressing visits", None);
        let table = Table::new(&records.sequences, records.owners.as_deref(), &columns)?;
        let outcome = suppress(&table, &self.options(), progress)?;
        progress.end();
        let kept = || outcome.kept.iter().map(|&record| record as usize);
        Ok(Output {
            attributes: records
                .attributes
                .iter()
                .map(|column| column.of_records(kept()))
                .collect(),
            trajectories: outcome.trips,
            counts: None,
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::{ColumnNames, Labels, Origin, TimeAxis, Universe};

    use super::*;

    fn built(given: &[(&str, &str)]) -> Result<Box<dyn Mechanism>> {
        let mut all = vec![("k", "2"), ("l", "2")];
        all.extend_from_slice(given);
        Suppress::build(&Parameters::new(Suppress::PARAMETERS, all)?)
    }

    #[test]
    fn what_is_missing_may_tell_something_and_the_claim_says_so() {
        let universe = Universe::from_labels(["a"], Origin::Declared("t".into())).unwrap();
        let time = TimeAxis::new(2, Origin::Declared("t".into()));
        let columns = [Attribute {
            name: "diagnosis".into(),
            values: Labels::new(),
            of_record: vec![],
        }];
        let public = PublicInputs {
            universe: &universe,
            time: Some(&time),
            unit: PrivacyUnit::Owner,
            columns: ColumnNames::of(&columns),
        };
        for (k, c, exposed) in [("1", "0.4", true), ("2", "0.4", false), ("2", "1", false)] {
            let mechanism = built(&[("k", k), ("c", c), ("sensitive", "HIV")]).unwrap();
            let claim = mechanism.claim(&public).unwrap();
            let rests_on = claim.guarantee.rests_on.join("\n");
            assert!(
                rests_on.contains("no conclusion from what is missing"),
                "{rests_on}"
            );
            let limits = claim.limits.join("\n");
            let said = limits.contains("missing everywhere tells") && limits.contains("above 0.4");
            assert_eq!(said, exposed, "{k} {c}: {limits}");
        }
    }

    #[test]
    fn parameters_that_say_nothing_or_too_little_are_refused() {
        assert!(built(&[]).is_ok());
        assert!(built(&[("preserve", "mfs"), ("min-support", "3")]).is_ok());
        for (given, says) in [
            (("k", "0"), "from 1"),
            (("c", "1.5"), "between 0 and 1"),
            (("l", "0"), "above 0, or all"),
            (("mode", "both"), "record, local or global"),
            (("preserve", "all"), "instances or mfs"),
            (("preserve", "mfs"), "--min-support is missing"),
            (("min-support", "3"), "says nothing"),
        ] {
            let error = built(&[given]).err().expect("an error");
            assert!(error.to_string().contains(says), "{error}");
        }
    }
}
