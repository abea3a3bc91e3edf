//! Releases that hide what people did and not who takes part, beside others.

use wayveil_core::Epsilon;

use super::*;

/// Releases nothing, under a promise about replacing one person's records.
struct Local;

impl Mechanism for Local {
    fn name(&self) -> &'static str {
        "local"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let epsilon: Epsilon = "1/3".parse()?;
        Ok(Claim {
            guarantee: Guarantee::local(&epsilon, public.unit),
            cost: Cost::pure(epsilon),
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: vec![],
            noise: "none".into(),
            columns: vec![],
        })
    }

    fn run(&self, _: &Records<'_>, _: &mut RandomSource, _: &dyn Progress) -> Result<Output> {
        Ok(Output {
            trajectories: Sequences::empty(false),
            attributes: vec![],
            counts: None,
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

fn publish_local(ledger: &mut Ledger) -> Result<Vec<String>> {
    let universe = Universe::from_labels(["A"], Origin::Declared("test".into()))?;
    let data = Dataset::new(
        Arc::new(universe),
        None,
        Sequences::from_codes([[0u32]]),
        Owners::EachRecord,
        vec![],
        "p".into(),
    )?;
    let mut random = RandomSource::os().unwrap();
    let terms = Terms::default();
    let booked = publish_booked(
        &Raw::new(data),
        &Local,
        &terms,
        ledger,
        &mut random,
        &Silent,
    )?;
    Ok(booked.warnings().to_vec())
}

const MIXED: &str = "does not hide who takes part";

#[test]
fn they_add_up_and_are_told_apart() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    allow(&mut ledger, "p", "1", "0");
    assert_eq!(
        publish_local(&mut ledger).unwrap(),
        [""; 0],
        "all of a kind"
    );
    assert_eq!(
        publish_local(&mut ledger).unwrap(),
        [""; 0],
        "all of a kind"
    );
    let mixed = ledger.spend(pure("p", "1/6")).unwrap().warnings.join("\n");
    assert!(mixed.contains(MIXED), "{mixed}");
    let refusal = publish_local(&mut ledger).unwrap_err();
    assert!(refusal.message().contains("is spent"), "{refusal}");
    let chain = Ledger::read(&path).unwrap();
    let account = &chain.accounts()["p"];
    assert_eq!(account.spent, amount("5/6", "0"));
    assert_eq!((account.booked, account.presence_shown), (3, 2));
    let Some(Event::Booked(entry)) = chain.entries().get(2).map(|it| &it.event) else {
        panic!("it is not booked")
    };
    assert!(entry.promise.shows_who_takes_part());
    assert_eq!(entry.method, "local");
}

#[test]
fn the_first_of_another_kind_is_told_too() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    allow(&mut ledger, "p", "1", "0");
    assert_eq!(ledger.spend(pure("p", "1/6")).unwrap().warnings, [""; 0]);
    let mixed = publish_local(&mut ledger).unwrap().join("\n");
    assert!(mixed.contains(MIXED), "{mixed}");
}

#[test]
fn an_older_version_would_not_know_them() {
    let promise = Promise::Composes {
        amount: amount("1", "0"),
        neighbouring: Neighbouring::ReplaceOneUnit,
    };
    let event = Event::Booked(spent("p", promise));
    let row = Row::following(None, "id".into(), "now".into(), &event);
    assert_ne!(row.guarantee, "differential-privacy");
}
