//! What the door enforces for mechanisms that release records of people with columns beside them,
//! shown with one that leaves them as they are.

use std::collections::BTreeMap;
use std::sync::Arc;

use wayveil_core::{
    Attribute, Budget, Claim, Cost, Dataset, Epsilon, Guarantee, Knowledge, Mechanism, NoisyCounts,
    Origin, Output, Owners, PrivacyUnit, Progress, PublicInputs, RandomSource, Raw, Records,
    Release, Result, SensitiveValues, Sequences, Silent, Terms, TimeAxis, Transcript, Universe,
    manifest, publish,
};

#[derive(Clone, Copy, PartialEq)]
enum Promise {
    Dp,
    Kcl,
    Nothing,
}

/// Releases the records as they are, with the columns that it reads.
struct Identity {
    promise: Promise,
    cost: Cost,
    reads: Vec<String>,
    sensitive: Vec<&'static str>,
    /// K and C; 1 and 1 promise what every table keeps.
    demand: (u32, &'static str),
    /// What it does to the columns before it releases them.
    bends: fn(Vec<Attribute>) -> Vec<Attribute>,
    /// Whether it releases exact counts as well.
    counts: bool,
}

impl Identity {
    fn reading(promise: Promise, reads: &[&str]) -> Self {
        let epsilon: Epsilon = "1".parse().unwrap();
        Self {
            promise,
            cost: match promise {
                Promise::Dp => Cost::pure(epsilon),
                Promise::Kcl | Promise::Nothing => Cost::NotComposing,
            },
            reads: reads.iter().map(|&name| name.into()).collect(),
            sensitive: vec![],
            demand: (1, "1"),
            bends: |columns| columns,
            counts: false,
        }
    }
}

impl Mechanism for Identity {
    fn name(&self) -> &'static str {
        "identity"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let sensitive = self.sensitive.iter().map(|&column| SensitiveValues {
            column: column.into(),
            values: vec!["HIV".into()],
        });
        Ok(Claim {
            cost: self.cost.clone(),
            guarantee: match self.promise {
                Promise::Dp => Guarantee::pure(&"1".parse()?, public.unit),
                Promise::Kcl => Guarantee::kcl(
                    self.demand.0.try_into().unwrap(),
                    &self.demand.1.parse()?,
                    Knowledge::AtMost(2.try_into().unwrap()),
                    sensitive.collect(),
                    public.unit,
                ),
                Promise::Nothing => Guarantee::none("made up for a test", public.unit),
            },
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: vec![],
            noise: "none".into(),
            columns: self.reads.clone(),
        })
    }

    fn run(&self, records: &Records<'_>, _: &mut RandomSource, _: &dyn Progress) -> Result<Output> {
        let columns = records.attributes.iter();
        assert_eq!(
            records.owners.is_some(),
            self.promise != Promise::Dp && records.public.unit != PrivacyUnit::Owner
        );
        Ok(Output {
            trajectories: records.sequences.clone().into_owned(),
            attributes: (self.bends)(columns.map(|it| it.clone().into_owned()).collect()),
            counts: self.counts.then(|| NoisyCounts {
                prefixes: records.sequences.clone().into_owned(),
                noisy: vec![1; records.sequences.len()],
                estimate: vec![1.0; records.sequences.len()],
                standard_error: vec![0.0; records.sequences.len()],
            }),
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

/// Two rows of x, who has HIV in both and changes jobs, and one of y.
fn data() -> Raw<Dataset> {
    let origin = Origin::Declared("a list".into());
    let universe = Universe::from_labels(["A", "B", "C"], origin).unwrap();
    let column = |name: &str, values: &[&str], of_record: &[u32]| Attribute {
        name: name.into(),
        values: values.iter().collect(),
        of_record: of_record.to_vec(),
    };
    let owners = Owners::Known {
        of_record: vec![1, 0, 1],
        labels: ["y", "x"].into_iter().collect(),
    };
    let attributes = vec![
        column("diagnosis", &["Unused", "HIV", "Flu"], &[1, 2, 1]),
        column("job", &["nurse", "clerk"], &[0, 0, 1]),
    ];
    let mut trips = Sequences::empty(true);
    for (codes, bins) in [(&[2u32][..], &[0u32][..]), (&[1, 0], &[0, 1]), (&[0], &[1])] {
        trips.push(codes, bins);
    }
    Dataset::new(
        Arc::new(universe),
        Some(TimeAxis::new(2, Origin::Declared("a list".into()))),
        trips,
        owners,
        attributes,
        "p".into(),
    )
    .map(Raw::new)
    .unwrap()
}

fn published(mechanism: &Identity, unit: PrivacyUnit) -> Result<Release> {
    let terms = Terms {
        unit,
        ..Terms::default()
    };
    let mut budget = Budget::without_allowance();
    let mut random = RandomSource::os().unwrap();
    let release = publish(
        &data(),
        mechanism,
        &terms,
        &mut budget,
        &mut random,
        &Silent,
    );
    assert!(mechanism.promise == Promise::Dp || budget.spent().is_zero());
    release
}

fn refusal(mechanism: &Identity, unit: PrivacyUnit) -> String {
    published(mechanism, unit).unwrap_err().to_string()
}

fn rows(release: &Release) -> Vec<(Vec<u32>, Vec<&str>)> {
    let row = |at: usize| {
        let values = release.attributes().iter().map(|column| column.value(at));
        (
            release.trajectories().codes_of(at).to_vec(),
            values.collect(),
        )
    };
    (0..release.trajectories().len()).map(row).collect()
}

#[test]
fn a_truthful_release_keeps_the_columns_that_were_claimed() {
    for promise in [Promise::Kcl, Promise::Nothing] {
        let release = published(
            &Identity::reading(Promise::Nothing, &["job", "diagnosis"]),
            PrivacyUnit::Trip,
        );
        let release = release.unwrap();
        // In canonical order, whatever the order of the raw rows.
        assert_eq!(
            rows(&release),
            [
                (vec![0], vec!["clerk", "HIV"]),
                (vec![1, 0], vec!["nurse", "Flu"]),
                (vec![2], vec!["nurse", "HIV"]),
            ]
        );
        let values: Vec<&str> = release.attributes()[1].values.iter().collect();
        assert_eq!(values, ["Flu", "HIV"], "no value that nobody released");
        assert_eq!(release.manifest().attributes, ["job", "diagnosis"]);
        let few = published(
            &Identity::reading(promise, &["diagnosis"]),
            PrivacyUnit::Owner,
        );
        // Owners in the order of their numbers, joined: y, then x.
        assert_eq!(
            rows(&few.unwrap()),
            [(vec![1, 0], vec!["Flu"]), (vec![2, 0], vec!["HIV"])]
        );
    }
}

#[test]
fn rows_of_one_person_that_disagree_are_refused_before_the_charge() {
    let reads_job = Identity::reading(Promise::Kcl, &["diagnosis", "job"]);
    let said = refusal(&reads_job, PrivacyUnit::Owner);
    assert!(
        said.contains("\"job\"") && !said.contains("\"diagnosis\""),
        "{said}"
    );
    let error = published(&reads_job, PrivacyUnit::Owner).unwrap_err();
    // Other units are refused below.
    let advice = error.advice().unwrap();
    assert!(
        advice.contains("correct the data") && !advice.contains("--"),
        "{advice}"
    );
    let two = PrivacyUnit::OwnerBounded(2.try_into().unwrap());
    for unit in [PrivacyUnit::Trip, two] {
        let said = refusal(&reads_job, unit);
        assert!(said.contains("single trips do not say"), "{said}");
        let promises_nothing = Identity::reading(Promise::Nothing, &["diagnosis", "job"]);
        assert!(
            published(&promises_nothing, unit).is_ok(),
            "rows stay apart"
        );
    }
    // Nobody asked for the other column.
    assert!(
        published(
            &Identity::reading(Promise::Kcl, &["diagnosis"]),
            PrivacyUnit::Owner
        )
        .is_ok()
    );
    let stranger = Identity::reading(Promise::Kcl, &["age"]);
    let error = published(&stranger, PrivacyUnit::Owner).unwrap_err();
    assert!(error.message().contains("\"age\""), "{error}");
    assert!(error.advice().unwrap().contains("\"diagnosis\", \"job\""));
}

#[test]
fn differential_privacy_reads_no_column() {
    let greedy = Identity::reading(Promise::Dp, &["diagnosis"]);
    let said = refusal(&greedy, PrivacyUnit::Owner);
    assert!(
        said.contains("would read the column \"diagnosis\""),
        "{said}"
    );
    let smuggler = Identity {
        bends: |_| {
            vec![Attribute {
                name: "diagnosis".into(),
                values: ["HIV"].into_iter().collect(),
                of_record: vec![0, 0],
            }]
        },
        ..Identity::reading(Promise::Dp, &[])
    };
    let said = refusal(&smuggler, PrivacyUnit::Owner);
    assert!(said.contains("did not claim"), "{said}");
    // As an honest one it is given trajectories and nothing else.
    let honest = published(&Identity::reading(Promise::Dp, &[]), PrivacyUnit::Trip).unwrap();
    assert!(honest.attributes().is_empty() && honest.manifest().attributes.is_empty());
}

#[test]
fn released_columns_must_fit() {
    let bent = |bends| {
        let identity = Identity {
            bends,
            ..Identity::reading(Promise::Nothing, &["diagnosis", "job"])
        };
        refusal(&identity, PrivacyUnit::Trip)
    };
    let short = bent(|mut columns| {
        columns[0].of_record.pop();
        columns
    });
    assert!(short.contains("\"diagnosis\" does not fit"), "{short}");
    let unknown = bent(|mut columns| {
        columns[1].of_record[0] = 2;
        columns
    });
    assert!(unknown.contains("\"job\" does not fit"), "{unknown}");
    let twice = bent(|columns| vec![columns[0].clone(), columns[0].clone()]);
    assert!(twice.contains("or twice"), "{twice}");
}

#[test]
fn a_promise_that_does_not_add_up_is_not_charged_for() {
    let paid = |promise| Identity {
        cost: Cost::pure("1".parse().unwrap()),
        ..Identity::reading(promise, &[])
    };
    let said = refusal(&paid(Promise::Kcl), PrivacyUnit::Owner);
    assert!(said.contains("does not add up"), "{said}");
    let blind = Identity {
        sensitive: vec!["diagnosis"],
        ..Identity::reading(Promise::Kcl, &["job"])
    };
    let said = refusal(&blind, PrivacyUnit::Owner);
    assert!(said.contains("would not read it"), "{said}");
}

#[test]
fn a_promise_that_the_records_break_stops_the_release() {
    let promising = |demand, sensitive: &[&'static str]| Identity {
        demand,
        sensitive: sensitive.to_vec(),
        ..Identity::reading(Promise::Kcl, &["diagnosis"])
    };
    // Nobody shares x's visit to C, and everybody who was there has HIV.
    let said = refusal(&promising((2, "1"), &[]), PrivacyUnit::Owner);
    assert!(said.contains("breaks its promise"), "{said}");
    let said = refusal(&promising((1, "1/2"), &["diagnosis"]), PrivacyUnit::Owner);
    assert!(said.contains("breaks its promise"), "{said}");
    assert!(published(&promising((1, "1/2"), &[]), PrivacyUnit::Owner).is_ok());
    let untold = Identity {
        bends: |_| vec![],
        ..promising((1, "1/2"), &["diagnosis"])
    };
    assert!(
        published(&untold, PrivacyUnit::Owner).is_ok(),
        "nothing to infer"
    );
}

#[test]
fn counts_have_no_place_beside_records_that_keep_a_promise() {
    let counting = |promise| Identity {
        counts: true,
        ..Identity::reading(promise, &[])
    };
    let said = refusal(&counting(Promise::Kcl), PrivacyUnit::Owner);
    assert!(said.contains("would release counts"), "{said}");
    let release = published(&counting(Promise::Nothing), PrivacyUnit::Owner).unwrap();
    assert!(release.counts().is_some());
}

#[test]
fn what_promises_nothing_stays_in_the_house() {
    for (promise, publishable) in [(Promise::Kcl, true), (Promise::Nothing, false)] {
        let release = published(&Identity::reading(promise, &[]), PrivacyUnit::Owner).unwrap();
        let manifest = release.manifest();
        assert_eq!(manifest.publishable, publishable);
        let reason = manifest.not_publishable_because.as_deref();
        assert_eq!(reason.is_none(), publishable);
        assert!(reason.is_none_or(|reason| reason.contains("made up for a test")));
        let rests_on = manifest.guarantee.rests_on.join("\n");
        assert!(!rests_on.contains("random"), "{rests_on}");
    }
    let mut random = RandomSource::insecure_seed(1);
    let mut budget = Budget::without_allowance();
    let seeded = publish(
        &data(),
        &Identity::reading(Promise::Kcl, &[]),
        &Terms::default(),
        &mut budget,
        &mut random,
        &Silent,
    );
    assert!(!seeded.unwrap().manifest().publishable);
}

#[test]
fn manifests_of_truthful_releases_follow_the_schema() {
    let validator = jsonschema::validator_for(&manifest::schema()).unwrap();
    let kcl = Identity {
        sensitive: vec!["diagnosis"],
        ..Identity::reading(Promise::Kcl, &["diagnosis"])
    };
    for identity in [kcl, Identity::reading(Promise::Nothing, &["diagnosis"])] {
        let release = published(&identity, PrivacyUnit::Owner).unwrap();
        let document = serde_json::to_value(release.manifest()).unwrap();
        if let Err(error) = validator.validate(&document) {
            panic!("{error} in {document:#}");
        }
        let back: manifest::Manifest = serde_json::from_value(document.clone()).unwrap();
        assert_eq!(&back, release.manifest());
        assert_eq!(document["attributes"][0], "diagnosis");
        assert!(document["guarantee"].get("neighbouring").is_none());
        if identity.promise == Promise::Kcl {
            assert_eq!(document["guarantee"]["model"], "k-c-l-privacy");
            assert_eq!(document["guarantee"]["c_exact"], "1");
            assert_eq!(document["guarantee"]["l"], 2);
            for (what, value) in [("l", "most".into()), ("k", serde_json::json!(0))] {
                let mut bad = document.clone();
                bad["guarantee"][what] = value;
                assert!(validator.validate(&bad).is_err(), "{what}");
            }
        }
    }
}
