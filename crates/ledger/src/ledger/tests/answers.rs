//! Answers that were private before they arrived: one entry for all that is made of them, until it is done.

use super::*;
use wayveil_core::{Collected, publish_collected};

fn answers(population: &str, epsilon: &str, name: &str) -> Spent {
    Spent {
        source: Source::Answers(name.into()),
        ..pure(population, epsilon)
    }
}

fn booked(path: &Path) -> usize {
    let chain = Ledger::read(path).unwrap();
    let entries = chain.entries().iter();
    entries
        .filter(|it| matches!(it.event, Event::Booked(_)))
        .count()
}

#[test]
fn what_was_not_finished_is_gone_on_with_and_an_allowance_of_one_suffices() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    allow(&mut ledger, "p", "1", "0");
    let first = ledger.spend(answers("p", "1", "a")).unwrap();
    assert_eq!(first.warnings, [""; 0]);
    // By another process, after a crash.
    let mut again = Ledger::open(&path).unwrap();
    for _ in 0..3 {
        let booking = again.spend(answers("p", "1", "a")).unwrap();
        assert_eq!(booking.entry, first.entry);
        assert!(
            booking.warnings[0].contains("nothing more is spent"),
            "{booking:?}"
        );
        assert_eq!(again.booked(), Some(first.entry.as_str()));
    }
    assert_eq!(booked(&path), 1);
    let account = &again.chain().unwrap().accounts()["p"];
    assert_eq!(account.spent, amount("1", "0"));
    again.done(&first.entry).unwrap();
    assert!(again.chain().unwrap().is_done(&first.entry));
    let after = again.spend(answers("p", "1", "a")).unwrap_err();
    assert_eq!(after.exit_code(), 1, "what is done is not open: {after}");
}

#[test]
fn what_differs_in_anything_is_another_entry() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    let first = ledger.spend(answers("p", "1", "a")).unwrap().entry;
    let mut changed: Vec<Spent> = vec![
        answers("p", "1", "b"),
        answers("q", "1", "a"),
        answers("p", "2", "a"),
    ];
    let changes: [fn(&mut Spent); 4] = [
        |spent| spent.unit.push('x'),
        |spent| spent.method.push('x'),
        |spent| spent.variant.push('x'),
        |spent| spent.promise = Promise::NotComposing("none".into()),
    ];
    for change in changes {
        let mut spent = answers("p", "1", "a");
        change(&mut spent);
        changed.push(spent);
    }
    for (at, spent) in changed.into_iter().enumerate() {
        let booking = ledger.spend(spent).unwrap();
        assert_ne!(booking.entry, first, "change {at}");
        assert_eq!(booked(&path), at + 2);
    }
    let other = ledger.spend(answers("r", "1", "a")).unwrap();
    let warnings = other.warnings.join("\n");
    assert!(
        warnings.contains("the same answers were booked before as the population \"p\""),
        "{warnings}"
    );
}

#[test]
fn a_spend_on_records_is_always_another_entry() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    for (at, source) in [
        Source::Unknown,
        Source::Unknown,
        Source::Records("f".into()),
        Source::Records("f".into()),
    ]
    .into_iter()
    .enumerate()
    {
        let spent = Spent {
            source,
            ..pure("p", "1")
        };
        ledger.spend(spent).unwrap();
        assert_eq!(booked(&path), at + 1);
    }
}

/// Promises what a client promised, and fails when told to, after it was booked.
struct Local {
    fails: bool,
}

impl Mechanism for Local {
    fn name(&self) -> &'static str {
        "local"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let epsilon: Epsilon = "1".parse()?;
        Ok(Claim {
            guarantee: Guarantee::local(&epsilon, public.unit),
            cost: Cost::pure(epsilon),
            variant: "collected",
            parameters: BTreeMap::new(),
            limits: vec![],
            noise: "elsewhere".into(),
            columns: vec![],
        })
    }

    fn run(&self, _: &Records<'_>, _: &mut RandomSource, _: &dyn Progress) -> Result<Output> {
        match self.fails {
            true => Err(Error::system("cannot draw", "no room")),
            false => Ok(Output {
                trajectories: Sequences::empty(false),
                attributes: vec![],
                counts: None,
                fragments: None,
                expected_error: None,
                transcript: Transcript::none(),
            }),
        }
    }
}

/// The same mechanism through both doors: one goes on with its entry, the other never does.
#[test]
fn only_the_door_of_answers_goes_on() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    allow(&mut ledger, "phones", "1", "0");
    let universe = Universe::from_labels(["A"], Origin::Declared("test".into())).unwrap();
    let universe = Arc::new(universe);
    let collected = Collected {
        universe: universe.clone(),
        population: "phones".into(),
        units: 3,
        answers: [9; 32],
    };
    let mut random = RandomSource::os().unwrap();
    let mut publish = |ledger: &mut Ledger, fails| {
        publish_collected(&collected, &Local { fails }, ledger, &mut random, &Silent)
    };
    for _ in 0..2 {
        assert!(publish(&mut ledger, true).is_err());
        assert_eq!(booked(&path), 1);
    }
    let release = publish(&mut ledger, false).unwrap();
    assert_eq!(booked(&path), 1);
    let chain = ledger.chain().unwrap();
    assert!(chain.is_about(release.entry(), &[9; 32]));
    assert!(!chain.is_about(release.entry(), &[8; 32]) && !chain.is_about("e", &[9; 32]));

    let data = Dataset::new(
        universe,
        None,
        Sequences::empty(false),
        Owners::EachRecord,
        vec![],
        "house".into(),
    );
    let raw = Raw::new(data.unwrap());
    let terms = Terms::default();
    for at in 1..4 {
        let fails = Local { fails: true };
        let outcome = publish_booked(&raw, &fails, &terms, &mut ledger, &mut random, &Silent);
        assert!(outcome.is_err());
        assert_eq!(booked(&path), 1 + at);
    }
}
