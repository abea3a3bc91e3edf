//! What the one door enforces, shown with a toy mechanism.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use wayveil_core::{
    Amount, Booking, Books, Budget, Claim, Cost, Dataset, Delta, Epsilon, Error, Guarantee,
    Mechanism, Origin, Output, Owners, PrivacyUnit, Progress, PublicInputs, RandomSource, Raw,
    Records, Release, Result, Sequences, Silent, Spend, Terms, TimeAxis, Transcript, Universe,
    manifest, publish, publish_booked,
};

/// Releases one fixed trajectory (none from timed data) and counts how often it ran.
struct Toy {
    epsilon: Epsilon,
    promises: Epsilon,
    delta: Delta,
    promised_delta: Delta,
    unit: Option<PrivacyUnit>,
    emits: u32,
    fails: bool,
    free: bool,
    runs: AtomicUsize,
}

impl Toy {
    fn new() -> Self {
        Self {
            epsilon: "1/2".parse().unwrap(),
            promises: "1/2".parse().unwrap(),
            delta: Delta::zero(),
            promised_delta: Delta::zero(),
            unit: None,
            emits: 0,
            fails: false,
            free: false,
            runs: 0.into(),
        }
    }
}

impl Mechanism for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        Ok(Claim {
            cost: match self.free {
                true => Cost::NotComposing,
                false => Cost::DifferentialPrivacy {
                    epsilon: self.epsilon.clone(),
                    delta: self.delta.clone(),
                },
            },
            guarantee: Guarantee::differential_privacy(
                &self.promises,
                &self.promised_delta,
                self.unit.unwrap_or(public.unit),
            ),
            variant: "repaired",
            parameters: BTreeMap::from([("emits".into(), self.emits.into())]),
            limits: vec!["says nothing".into()],
            noise: "none".into(),
            columns: Vec::new(),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        _random: &mut RandomSource,
        _progress: &dyn Progress,
    ) -> Result<Output> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        if self.fails {
            return Err(Error::input("failed"));
        }
        let mut trajectories = Sequences::empty(records.public.time.is_some());
        if !trajectories.is_timed() {
            trajectories.push(&[self.emits], &[]);
        }
        Ok(Output {
            trajectories,
            attributes: Vec::new(),
            counts: None,
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

fn data(origin: Origin, time: Option<TimeAxis>) -> Raw<Dataset> {
    let universe = Arc::new(Universe::from_labels(["A", "B"], origin).unwrap());
    let trips = Sequences::empty(time.is_some());
    let data = Dataset::new(
        universe,
        time,
        trips,
        Owners::EachRecord,
        vec![],
        "p".into(),
    );
    Raw::new(data.unwrap())
}

fn declared() -> Origin {
    Origin::Declared("a list".into())
}

#[test]
fn no_release_without_a_charge() {
    let (raw, toy) = (data(declared(), None), Toy::new());
    let mut budget = Budget::new(Amount::pure("1".parse().unwrap()));
    let mut random = RandomSource::insecure_seed(1);
    let mut attempt = || {
        publish(
            &raw,
            &toy,
            &Terms::default(),
            &mut budget,
            &mut random,
            &Silent,
        )
        .map(|_| ())
    };
    attempt().unwrap();
    attempt().unwrap();
    let refusal = attempt().unwrap_err();
    assert_eq!(refusal.exit_code(), 1);
    assert_eq!(
        toy.runs.load(Ordering::Relaxed),
        2,
        "a refused mechanism does not see the data"
    );
}

#[test]
fn a_promise_that_is_not_paid_for_is_stopped_before_the_data_is_seen() {
    let raw = data(declared(), None);
    let cheaper = Toy {
        promises: "1/4".parse().unwrap(),
        ..Toy::new()
    };
    let other_unit = Toy {
        unit: Some(PrivacyUnit::Trip),
        ..Toy::new()
    };
    let smaller_delta = Toy {
        delta: "1e-6".parse().unwrap(),
        promised_delta: "1e-7".parse().unwrap(),
        ..Toy::new()
    };
    let no_delta = Toy {
        delta: "1e-6".parse().unwrap(),
        ..Toy::new()
    };
    let unpaid_delta = Toy {
        promised_delta: "1e-6".parse().unwrap(),
        ..Toy::new()
    };
    for toy in [cheaper, other_unit, smaller_delta, no_delta, unpaid_delta] {
        let mut budget = Budget::without_allowance();
        let mut random = RandomSource::insecure_seed(1);
        let terms = Terms::default();
        let refusal = publish(&raw, &toy, &terms, &mut budget, &mut random, &Silent).unwrap_err();
        assert!(refusal.to_string().contains("promises"), "{refusal}");
        assert!(budget.spent().is_zero());
        assert_eq!(toy.runs.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn a_promise_that_costs_nothing_is_stopped() {
    let raw = data(declared(), None);
    let toy = Toy {
        free: true,
        ..Toy::new()
    };
    let mut budget = Budget::without_allowance();
    let mut random = RandomSource::insecure_seed(1);
    let terms = Terms::default();
    let refusal = publish(&raw, &toy, &terms, &mut budget, &mut random, &Silent).unwrap_err();
    assert!(refusal.to_string().contains("charge nothing"), "{refusal}");
}

/// Hears warnings, and how often the toy had run by then.
struct Ear<'a> {
    toy: &'a Toy,
    heard: Mutex<Vec<(String, usize)>>,
}

impl Progress for Ear<'_> {
    fn begin(&self, _step: &str, _total: Option<u64>) {}
    fn advance(&self, _parts: u64) {}
    fn end(&self) {}
    fn warn(&self, warning: &str) {
        let runs = self.toy.runs.load(Ordering::Relaxed);
        self.heard.lock().unwrap().push((warning.to_owned(), runs));
    }
}

/// Books that refuse, or count how often the toy ran before they were asked.
struct Ask<'a> {
    toy: &'a Toy,
    refuse: bool,
    asked: Vec<(String, usize)>,
}

impl Books for Ask<'_> {
    fn book(&mut self, spend: &Spend<'_>) -> Result<Booking> {
        assert_eq!(
            spend.answers(),
            None,
            "records in the house have no such name"
        );
        let said = format!("{} {} {:?}", spend.population(), spend.method, spend.cost);
        self.asked
            .push((said, self.toy.runs.load(Ordering::Relaxed)));
        if self.refuse {
            return Err(Error::refused("not today"));
        }
        Ok(Booking {
            entry: "e".into(),
            warnings: vec!["mind the gap".into()],
        })
    }

    fn done(&mut self, _entry: &str) -> Result<()> {
        Err(Error::refused("the door does not write"))
    }
}

#[test]
fn the_books_are_asked_before_the_data_is_seen() {
    let raw = data(declared(), None);
    for refuse in [false, true] {
        let toy = Toy::new();
        let mut books = Ask {
            toy: &toy,
            refuse,
            asked: vec![],
        };
        let mut random = RandomSource::insecure_seed(1);
        let terms = Terms::default();
        let ear = Ear {
            toy: &toy,
            heard: Mutex::new(vec![]),
        };
        let outcome = publish_booked(&raw, &toy, &terms, &mut books, &mut random, &ear);
        assert_eq!(outcome.is_err(), refuse);
        assert_eq!(books.asked.len(), 1);
        let (said, runs) = &books.asked[0];
        assert!(said.starts_with("p toy DifferentialPrivacy"), "{said}");
        assert_eq!(*runs, 0, "booked first");
        assert_eq!(toy.runs.load(Ordering::Relaxed), usize::from(!refuse));
        let heard = ear.heard.into_inner().unwrap();
        if let Ok(booked) = outcome {
            assert_eq!(
                heard,
                [("mind the gap".to_owned(), 0)],
                "told before it ran"
            );
            assert_eq!(booked.warnings(), ["mind the gap"]);
            assert_eq!(booked.entry(), "e");
            assert_eq!(booked.release().manifest().id, "e");
        }
    }
}

#[test]
fn a_failure_stays_charged() {
    let raw = data(declared(), None);
    let toy = Toy {
        fails: true,
        ..Toy::new()
    };
    let mut budget = Budget::without_allowance();
    let mut random = RandomSource::insecure_seed(1);
    publish(
        &raw,
        &toy,
        &Terms::default(),
        &mut budget,
        &mut random,
        &Silent,
    )
    .unwrap_err();
    assert_eq!(budget.spent(), &Amount::pure("1/2".parse().unwrap()));
}

#[test]
fn public_inputs_from_the_data_need_consent_and_leave_a_mark() {
    let axis = |declared| Some(TimeAxis::new(2, declared));
    for (raw, conditions) in [
        (data(declared(), None), 0),
        (data(Origin::FromData, None), 1),
        (data(Origin::FromData, axis(Origin::FromData)), 2),
        (data(declared(), axis(Origin::FromData)), 1),
    ] {
        let run = |universe_from_data| {
            let terms = Terms {
                universe_from_data,
                ..Terms::default()
            };
            let mut budget = Budget::without_allowance();
            let mut random = RandomSource::insecure_seed(1);
            let toy = Toy::new();
            publish(&raw, &toy, &terms, &mut budget, &mut random, &Silent)
        };
        let marks = |release: &Release| {
            let rests_on = &release.manifest().guarantee.rests_on;
            rests_on
                .iter()
                .filter(|text| text.contains("taken from the raw data"))
                .count()
        };
        if conditions == 0 {
            assert_eq!(marks(&run(false).unwrap()), 0);
            continue;
        }
        let refusal = run(false).unwrap_err();
        assert!(
            refusal.advice().unwrap().contains("--universe-from-data"),
            "{refusal}"
        );
        assert_eq!(marks(&run(true).unwrap()), conditions);
    }
}

#[test]
fn the_manifest_says_what_the_guarantee_rests_on() {
    let rests_on = |raw: &Raw<Dataset>, terms: Terms, mut random: RandomSource| {
        let mut budget = Budget::without_allowance();
        let release = publish(raw, &Toy::new(), &terms, &mut budget, &mut random, &Silent);
        release.unwrap().manifest().guarantee.rests_on.join("\n")
    };
    let os = || RandomSource::os().unwrap();
    let plain = rests_on(&data(declared(), None), Terms::default(), os());
    assert!(plain.contains("chosen without looking"), "{plain}");
    assert!(
        plain.contains("names no owners"),
        "rows without owners are not people: {plain}"
    );
    assert!(plain.contains("operating system"), "{plain}");
    let looked = Terms {
        chosen_after_looking: true,
        ..Terms::default()
    };
    let looked = rests_on(&data(declared(), None), looked, os());
    assert!(
        looked.contains("after looking") && !looked.contains("without looking"),
        "{looked}"
    );
    let trips = Terms {
        unit: PrivacyUnit::Trip,
        ..Terms::default()
    };
    assert!(!rests_on(&data(declared(), None), trips, os()).contains("names no owners"));
    let seeded = RandomSource::insecure_seed(1);
    let seeded = rests_on(&data(declared(), None), Terms::default(), seeded);
    assert!(
        seeded.contains("Nobody knows the seed") && !seeded.contains("operating"),
        "{seeded}"
    );
}

#[test]
fn an_output_outside_the_universe_is_stopped() {
    let raw = data(declared(), None);
    let toy = Toy {
        emits: 2,
        ..Toy::new()
    };
    let mut budget = Budget::without_allowance();
    let mut random = RandomSource::insecure_seed(1);
    let error = publish(
        &raw,
        &toy,
        &Terms::default(),
        &mut budget,
        &mut random,
        &Silent,
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("outside the universe")
    );
}

#[test]
fn only_the_operating_systems_randomness_is_publishable() {
    let raw = data(declared(), None);
    for (mut random, publishable) in [
        (RandomSource::os().unwrap(), true),
        (RandomSource::insecure_seed(1), false),
    ] {
        let mut budget = Budget::without_allowance();
        let toy = Toy::new();
        let release = publish(
            &raw,
            &toy,
            &Terms::default(),
            &mut budget,
            &mut random,
            &Silent,
        )
        .unwrap();
        let manifest = release.manifest();
        assert_eq!(manifest.publishable, publishable);
        assert_eq!(manifest.not_publishable_because.is_none(), publishable);
    }
}

#[test]
fn manifests_follow_the_schema_and_survive_json() {
    let raw = data(declared(), None);
    let validator = jsonschema::validator_for(&manifest::schema()).unwrap();
    for unit in [
        PrivacyUnit::Owner,
        PrivacyUnit::OwnerBounded(3.try_into().unwrap()),
    ] {
        let mut budget = Budget::without_allowance();
        let mut random = RandomSource::os().unwrap();
        let terms = Terms {
            unit,
            ..Terms::default()
        };
        let toy = Toy::new();
        let release = publish(&raw, &toy, &terms, &mut budget, &mut random, &Silent).unwrap();
        let document = serde_json::to_value(release.manifest()).unwrap();
        if let Err(error) = validator.validate(&document) {
            panic!("{error} in {document:#}");
        }
        let back: manifest::Manifest = serde_json::from_value(document.clone()).unwrap();
        assert_eq!(&back, release.manifest());
        assert_eq!(document["guarantee"]["epsilon_exact"], "1/2");
        let mut without = document;
        without.as_object_mut().unwrap().remove("guarantee");
        assert!(
            validator.validate(&without).is_err(),
            "the schema asks for a guarantee"
        );
    }
}

#[test]
fn the_schema_on_file_is_the_schema_of_the_code() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schemas/manifest.schema.json"
    );
    let on_file = std::fs::read_to_string(path).unwrap_or_default();
    let current = format!("{:#}\n", manifest::schema());
    assert!(
        on_file == current,
        "write it anew: cargo run --release -- schema > schemas/manifest.schema.json"
    );
}
