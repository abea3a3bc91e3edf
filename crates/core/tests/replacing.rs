//! What the door does for promises under replacement, and for released fragments.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use wayveil_core::{
    Budget, Claim, Confidence, Cost, Dataset, Delta, Epsilon, FragmentCounts, Guarantee, Knowledge,
    Mechanism, NonPrivate, Origin, Output, Owners, PrivacyUnit, Progress, PublicInputs,
    RandomSource, Raw, Records, Rehearsal, Release, Result, Sequences, Silent, Terms, Transcript,
    Universe, publish,
};

#[derive(Clone, Copy, PartialEq)]
enum Promise {
    AddOrRemove,
    Replacing,
    Local,
    Syntactic,
}

/// Remembers how many units it was told of, and releases fixed fragments.
struct Toy {
    promise: Promise,
    fragments: Option<FragmentCounts>,
    told: Mutex<Vec<Option<u64>>>,
}

impl Toy {
    fn new(promise: Promise) -> Self {
        Self {
            promise,
            fragments: None,
            told: Mutex::default(),
        }
    }
}

impl Mechanism for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let (epsilon, unit): (Epsilon, _) = ("1/2".parse()?, public.unit);
        Ok(Claim {
            guarantee: match self.promise {
                Promise::AddOrRemove => Guarantee::pure(&epsilon, unit),
                Promise::Replacing => Guarantee::replacing(&epsilon, &Delta::zero(), unit),
                Promise::Local => Guarantee::local(&epsilon, unit),
                Promise::Syntactic => {
                    let c: Confidence = "1".parse()?;
                    Guarantee::kcl(NonZeroU32::MIN, &c, Knowledge::All, vec![], unit)
                }
            },
            cost: match self.promise {
                Promise::Syntactic => Cost::NotComposing,
                _ => Cost::pure(epsilon),
            },
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: Vec::new(),
            noise: "none".into(),
            columns: Vec::new(),
        })
    }

    fn run(&self, records: &Records<'_>, _: &mut RandomSource, _: &dyn Progress) -> Result<Output> {
        self.told.lock().unwrap().push(records.units);
        Ok(Output {
            trajectories: Sequences::empty(false),
            attributes: Vec::new(),
            counts: None,
            fragments: self.fragments.clone(),
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

/// Three owners, one of them with two trips and one with an empty one.
fn raw() -> Raw<Dataset> {
    let origin = Origin::Declared("a list".into());
    let universe = Arc::new(Universe::from_labels(["A", "B"], origin).unwrap());
    let trips = Sequences::from_codes([vec![0], vec![1, 0], vec![], vec![1]]);
    let owners = Owners::Known {
        of_record: vec![0, 1, 2, 0],
        labels: ["x", "y", "z"].into_iter().collect(),
    };
    Raw::new(Dataset::new(universe, None, trips, owners, vec![], "p".into()).unwrap())
}

fn published(toy: &Toy, unit: PrivacyUnit) -> Result<Release> {
    let terms = Terms {
        unit,
        ..Terms::default()
    };
    let mut random = RandomSource::insecure_seed(1);
    let mut budget = Budget::without_allowance();
    publish(&raw(), toy, &terms, &mut budget, &mut random, &Silent)
}

#[test]
fn the_number_of_units_is_told_where_the_relation_makes_it_public() {
    for (promise, unit, units) in [
        (Promise::AddOrRemove, PrivacyUnit::Owner, None),
        (Promise::AddOrRemove, PrivacyUnit::Trip, None),
        (Promise::Replacing, PrivacyUnit::Owner, Some(3)),
        (Promise::Local, PrivacyUnit::Owner, Some(3)),
        (Promise::Local, PrivacyUnit::Trip, Some(4)),
        (
            Promise::Local,
            PrivacyUnit::OwnerBounded(NonZeroU32::MIN),
            Some(3),
        ),
    ] {
        let toy = Toy::new(promise);
        let release = published(&toy, unit).unwrap();
        assert_eq!(*toy.told.lock().unwrap(), [units]);
        let manifest = release.manifest();
        assert_eq!(manifest.public_inputs.units, units);
        let document = serde_json::to_value(manifest).unwrap();
        let said = document["public_inputs"].get("units");
        assert_eq!(said.and_then(serde_json::Value::as_u64), units);
        let local = document["guarantee"].get("local").is_some();
        assert_eq!(local, promise == Promise::Local);
    }
}

#[test]
fn people_that_cannot_be_counted_by_their_records_are_refused() {
    let two = PrivacyUnit::OwnerBounded(NonZeroU32::new(2).unwrap());
    for promise in [Promise::Replacing, Promise::Local] {
        let toy = Toy::new(promise);
        let refusal = published(&toy, two).unwrap_err();
        assert!(refusal.message().contains("up to 2 trips"), "{refusal}");
        assert!(refusal.advice().unwrap().contains("--max-trips"));
        assert!(toy.told.lock().unwrap().is_empty(), "it saw the data");
    }
    assert!(published(&Toy::new(Promise::AddOrRemove), two).is_ok());
}

fn fragments() -> FragmentCounts {
    FragmentCounts {
        fragments: Sequences::from_codes([vec![1], vec![1, 0]]),
        count: vec![2, 1],
        standard_error: vec![0.5, 0.5],
        low: vec![1, 0],
        high: vec![3, 3],
    }
}

#[test]
fn fragments_are_released_and_rehearsed() {
    let toy = Toy {
        fragments: Some(fragments()),
        ..Toy::new(Promise::Local)
    };
    let release = published(&toy, PrivacyUnit::Owner).unwrap();
    assert_eq!(release.fragments(), Some(&fragments()));
    let (raw, mut random) = (raw(), RandomSource::insecure_seed(1));
    let because = NonPrivate::because("made up for this test");
    let stage = Rehearsal::new(&raw, &toy, &Terms::default(), &random, because).unwrap();
    let seen = stage.run(&mut random).for_publisher_only().unwrap();
    assert_eq!(seen.fragments, Some(fragments()));
    let none = published(&Toy::new(Promise::Local), PrivacyUnit::Owner).unwrap();
    assert!(none.fragments().is_none());
}

#[test]
fn fragments_outside_the_universe_or_out_of_order_or_beside_records_only_are_refused() {
    let changed = |change: fn(&mut FragmentCounts), promise| {
        let mut fragments = fragments();
        change(&mut fragments);
        let toy = Toy {
            fragments: Some(fragments),
            ..Toy::new(promise)
        };
        let refusal = published(&toy, PrivacyUnit::Owner).unwrap_err();
        refusal.message().to_owned()
    };
    let outside = changed(
        |it| it.fragments = Sequences::from_codes([vec![1], vec![1, 2]]),
        Promise::Local,
    );
    assert!(outside.contains("location code 2"), "{outside}");
    let disorder = changed(
        |it| it.fragments = Sequences::from_codes([vec![1, 0], vec![1]]),
        Promise::Local,
    );
    assert!(disorder.contains("out of order"), "{disorder}");
    let beside = changed(|_| (), Promise::Syntactic);
    assert!(beside.contains("about records only"), "{beside}");
}
