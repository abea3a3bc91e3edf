mod answers;
mod replacement;
mod tampering;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use rusqlite::Connection;
use tempfile::TempDir;
use wayveil_core::{
    Claim, Cost, Dataset, Guarantee, Knowledge, Mechanism, Neighbouring, Origin, Output, Owners,
    Progress, PublicInputs, RandomSource, Rational, Raw, Records, Sequences, Silent, Terms,
    TimeAxis, Transcript, Universe, publish_booked,
};

use super::*;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    (folder, path)
}

fn amount(epsilon: &str, delta: &str) -> Amount {
    Amount {
        epsilon: epsilon.parse().unwrap(),
        delta: delta.parse().unwrap(),
    }
}

fn spent(population: &str, promise: Promise) -> Spent {
    Spent {
        population: population.into(),
        promise,
        unit: "owner".into(),
        method: "toy".into(),
        variant: "repaired".into(),
        source: Source::Unknown,
    }
}

fn composes(amount: Amount) -> Promise {
    Promise::Composes {
        amount,
        neighbouring: Neighbouring::AddOrRemoveOneUnit,
    }
}

fn pure(population: &str, epsilon: &str) -> Spent {
    spent(population, composes(amount(epsilon, "0")))
}

fn allow(ledger: &mut Ledger, population: &str, epsilon: &str, delta: &str) -> Account {
    let (epsilon, delta) = (epsilon.parse().unwrap(), delta.parse().unwrap());
    ledger.allow(population, &epsilon, &delta).unwrap()
}

#[test]
fn spending_adds_up_to_the_allowance_and_not_beyond() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    let booking = ledger.spend(pure("p", "0.1")).unwrap();
    assert!(
        booking.warnings[0].contains("nothing limits"),
        "{booking:?}"
    );
    let account = allow(&mut ledger, "p", "0.3", "0");
    assert_eq!(account.left(), Some(amount("0.2", "0")));
    // By another process, so to speak: the file remembers.
    let mut again = Ledger::open(&path).unwrap();
    for _ in 0..2 {
        assert_eq!(again.spend(pure("p", "0.1")).unwrap().warnings, [""; 0]);
    }
    let refused = ledger.spend(pure("p", "0.1")).unwrap_err();
    assert_eq!(refused.exit_code(), 1);
    let advice = refused.advice().unwrap();
    assert!(
        advice.contains("wayveil ledger allow p --epsilon 0.4 --ledger"),
        "{advice}"
    );
    ledger.spend(pure("q", "0.1")).expect("another population");
    let accounts = ledger.chain().unwrap().accounts();
    assert_eq!(accounts["p"].spent, amount("3/10", "0"));
    assert_eq!((accounts["p"].booked, accounts["p"].done), (3, 0));
}

#[test]
fn an_entry_is_done_once_and_by_its_name() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    let entry = ledger.spend(pure("p", "1")).unwrap().entry;
    assert_eq!(entry.len(), 32);
    assert!(ledger.done("0123").is_err());
    ledger.done(&entry).unwrap();
    assert!(ledger.done(&entry).is_err());
    let chain = Ledger::read(&path).unwrap();
    assert_eq!(chain.accounts()["p"].done, 1);
    assert_eq!(chain.entries().len(), 3);
}

#[test]
fn delta_is_limited_too_and_what_does_not_compose_is_set_apart() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    allow(&mut ledger, "p", "9", "1e-6");
    let approximate = |delta| spent("p", composes(amount("1", delta)));
    ledger.spend(approximate("6e-7")).unwrap();
    let refused = ledger.spend(approximate("6e-7")).unwrap_err();
    assert!(
        refused.advice().unwrap().contains(
            "ask for at most epsilon 8 and delta 4e-7, or raise the allowance on purpose: \
                 wayveil ledger allow p --epsilon 9 --delta 1.2e-6 --ledger"
        ),
        "{refused:?}"
    );
    assert!(
        refused.message().contains(
            "costs epsilon 1 and delta 6e-7, but epsilon 1 and delta 6e-7 of epsilon 9 and delta \
             1e-6 are spent"
        ),
        "{refused}"
    );
    ledger.spend(approximate("4e-7")).unwrap();
    let refused = ledger.spend(approximate("1e-30")).unwrap_err();
    assert!(
        refused
            .advice()
            .unwrap()
            .starts_with("no delta is left: use a method without one and at most epsilon 7, or"),
        "{refused:?}"
    );
    let nothing = || spent("p", Promise::NotComposing("none".into()));
    let refused = ledger.spend(nothing()).unwrap_err();
    assert_eq!(refused.exit_code(), 1);
    assert!(
        refused.advice().unwrap().contains("--beside-allowance"),
        "{refused:?}"
    );
    assert_eq!(ledger.chain().unwrap().accounts()["p"].booked, 2);
    ledger.accept_beside_allowance();
    let booking = ledger.spend(nothing()).unwrap();
    assert!(booking.warnings[0].contains("does not add up"));
    let account = &ledger.chain().unwrap().accounts()["p"];
    assert_eq!(account.spent, amount("2", "1e-6"));
    assert_eq!((account.booked, account.not_composing), (3, 1));
}

#[test]
fn an_allowance_without_a_delta_admits_none_and_hints_name_it() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    let approximate = || spent("p", composes(amount("1", "1e-9")));
    let booking = ledger.spend(approximate()).unwrap();
    let limits = &booking.warnings[0];
    assert!(
        limits.contains("epsilon 1 and delta 1e-9 with this release"),
        "{limits}"
    );
    assert!(
        limits.contains("allow p --epsilon 1 --delta 1e-9"),
        "{limits}"
    );
    allow(&mut ledger, "p", "5", "0");
    let refused = ledger.spend(approximate()).unwrap_err();
    assert!(
        refused.message().contains("of epsilon 5 and delta 0"),
        "{refused}"
    );
    ledger
        .spend(pure("p", "1"))
        .expect_err("more delta is spent than is allowed now");
}

#[test]
fn the_same_data_under_another_name_is_noticed() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    let marked = |population, fingerprint: &str| Spent {
        source: Source::Records(fingerprint.into()),
        ..pure(population, "1")
    };
    let noticed = |booking: Booking| {
        booking
            .warnings
            .iter()
            .any(|it| it.contains("the same data"))
    };
    assert!(!noticed(ledger.spend(marked("p", "f")).unwrap()));
    assert!(!noticed(ledger.spend(marked("p", "f")).unwrap()));
    assert!(!noticed(ledger.spend(marked("q", "g")).unwrap()));
    assert!(noticed(ledger.spend(marked("r", "f")).unwrap()));
    assert!(!noticed(ledger.spend(pure("s", "1")).unwrap()));
    assert!(
        !noticed(ledger.spend(pure("t", "1")).unwrap()),
        "no data, no fingerprint"
    );
}

#[test]
fn the_table_is_append_only_for_other_programs_too() {
    let (_folder, path) = place();
    Ledger::open(&path).unwrap().spend(pure("p", "1")).unwrap();
    let connection = Connection::open(&path).unwrap();
    for change in [
        "UPDATE entries SET epsilon = '1/2'",
        "DELETE FROM entries WHERE number = 2",
        "INSERT INTO entries SELECT number + 7, kind, id, time, population, guarantee, promise, \
         epsilon, delta, unit, method, variant, fingerprint, hash, hash FROM entries LIMIT 1",
        "INSERT OR REPLACE INTO entries SELECT * FROM entries WHERE number = 2",
    ] {
        assert!(connection.execute(change, []).is_err(), "{change}");
    }
    assert_eq!(Ledger::read(&path).unwrap().entries().len(), 2);
}

#[test]
fn a_newer_ledger_and_other_files_are_refused() {
    let (folder, path) = place();
    drop(Ledger::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 2).unwrap();
    drop(connection);
    assert_eq!(Ledger::read(&path).unwrap_err().exit_code(), 1);
    assert!(Ledger::open(&path).is_err());

    let other = folder.path().join("other.sqlite");
    Connection::open(&other)
        .unwrap()
        .execute_batch("CREATE TABLE t (x)")
        .unwrap();
    let text = folder.path().join("text");
    std::fs::write(&text, "not a database".repeat(100)).unwrap();
    for path in [
        &other,
        &text,
        &folder.path().to_owned(),
        &folder.path().join("no/l"),
    ] {
        let advice = Ledger::read(path).unwrap_err().advice().unwrap().to_owned();
        assert!(advice.contains("--ledger FILE"), "{advice}");
        assert!(!advice.contains("room on the disk"), "{advice}");
        let before = std::fs::read(path).ok();
        assert!(Ledger::open(path).is_err(), "{path:?}");
        assert!(Ledger::read(path).is_err(), "{path:?}");
        assert_eq!(std::fs::read(path).ok(), before, "it was left alone");
    }
}

/// A guarantee of the future, chained as it should be: only its meaning is not known here.
#[test]
fn an_unknown_type_of_guarantee_is_refused_and_never_ignored() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger.spend(pure("p", "1")).unwrap();
    let chain = ledger.chain().unwrap();
    let event = Event::Booked(pure("p", "1"));
    let mut row = Row::following(chain.entries().last(), "id".into(), now(), &event);
    row.guarantee = "zero-concentrated".into();
    row.hash = row.computed_hash();
    let transaction = ledger.store.lock().unwrap();
    store::append(&transaction, &row).unwrap();
    transaction.commit().unwrap();
    for error in [
        ledger.spend(pure("another", "1")).unwrap_err(),
        Ledger::read(&path).unwrap_err(),
        Ledger::open(&path).err().unwrap(),
    ] {
        assert_eq!(error.exit_code(), 1);
        assert!(error.message().contains("zero-concentrated"), "{error}");
    }
}

#[test]
fn many_hands_never_exceed_an_allowance() {
    let (_folder, path) = place();
    allow(&mut Ledger::open(&path).unwrap(), "p", "2", "0");
    let hands: Vec<_> = (0..8)
        .map(|_| {
            let path = path.clone();
            thread::spawn(move || {
                let mut ledger = Ledger::open(&path).unwrap();
                (0..3)
                    .filter(|_| match ledger.spend(pure("p", "1/7")) {
                        Ok(_) => true,
                        Err(error) => {
                            assert_eq!(error.exit_code(), 1, "{error}");
                            false
                        }
                    })
                    .count()
            })
        })
        .collect();
    let made: usize = hands.into_iter().map(|hand| hand.join().unwrap()).sum();
    assert_eq!(made, 14, "fourteen sevenths are two");
    let chain = Ledger::read(&path).unwrap();
    assert_eq!(chain.accounts()["p"].spent, amount("2", "0"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The ledger's decisions and sums against plain fractions kept beside it.
    #[test]
    fn sums_are_exact(
        allowance in 1u64..40,
        spends in prop::collection::vec((0u8..3, 1u64..60, 1u64..60, 0u64..4), 1..14),
    ) {
        let (_folder, path) = place();
        let mut ledger = Ledger::open(&path).unwrap();
        let limit = (BigRational::from(BigInt::from(allowance)), ratio(3, 1000));
        allow(&mut ledger, "p0", &allowance.to_string(), "3/1000");
        let mut sums = BTreeMap::new();
        for (who, numerator, denominator, thousandths) in spends {
            let cost = Amount {
                epsilon: Rational::new(numerator, denominator).unwrap(),
                delta: Rational::new(thousandths, 1000).unwrap(),
            };
            let population = format!("p{who}");
            let sum = sums
                .entry(population.clone())
                .or_insert((ratio(0, 1), ratio(0, 1)));
            let after = (&sum.0 + ratio(numerator, denominator), &sum.1 + ratio(thousandths, 1000));
            let fits = who > 0 || (after.0 <= limit.0 && after.1 <= limit.1);
            let outcome = ledger.spend(spent(&population, composes(cost)));
            prop_assert_eq!(outcome.is_ok(), fits);
            if fits {
                *sum = after;
            }
        }
        let accounts = Ledger::read(&path).unwrap().accounts();
        for (population, (epsilon, delta)) in sums {
            let spent = accounts.get(&population).map_or_else(Amount::zero, |it| it.spent.clone());
            prop_assert_eq!(spent.epsilon.exact_text(), epsilon.to_string());
            prop_assert_eq!(spent.delta.exact_text(), delta.to_string());
        }
    }
}

fn ratio(numerator: u64, denominator: u64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// Releases nothing, under a promise that does not add up.
struct Syntactic;

impl Mechanism for Syntactic {
    fn name(&self) -> &'static str {
        "syntactic"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        Ok(Claim {
            cost: Cost::NotComposing,
            guarantee: Guarantee::kcl(
                NonZeroU32::MIN,
                &"1/2".parse()?,
                Knowledge::All,
                vec![],
                public.unit,
            ),
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: vec![],
            noise: "none".into(),
            columns: vec![],
        })
    }

    fn run(&self, _: &Records<'_>, _: &mut RandomSource, _: &dyn Progress) -> Result<Output> {
        Ok(Output {
            trajectories: Sequences::empty(true),
            attributes: vec![],
            counts: None,
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

#[test]
fn a_promise_that_does_not_compose_is_booked_and_not_summed() {
    let (_folder, path) = place();
    let mut ledger = Ledger::open(&path).unwrap();
    ledger.accept_beside_allowance();
    // Nothing is left, and nothing is taken.
    allow(&mut ledger, "p", "1", "0");
    ledger.spend(pure("p", "1")).unwrap();
    let universe = Universe::from_labels(["A"], Origin::Declared("test".into())).unwrap();
    let data = Dataset::new(
        Arc::new(universe),
        Some(TimeAxis::new(2, Origin::Declared("test".into()))),
        Sequences::empty(true),
        Owners::EachRecord,
        vec![],
        "p".into(),
    );
    let raw = Raw::new(data.unwrap());
    let mut random = RandomSource::os().unwrap();
    let terms = Terms::default();
    let booked =
        publish_booked(&raw, &Syntactic, &terms, &mut ledger, &mut random, &Silent).unwrap();
    let warnings = booked.warnings().join("\n");
    assert!(
        warnings.contains("(k-c-l-privacy) does not add up"),
        "{warnings}"
    );
    assert!(warnings.contains("released 1 time before"), "{warnings}");
    let chain = ledger.chain().unwrap();
    let Some(Event::Booked(entry)) = chain.entries().last().map(|it| &it.event) else {
        panic!("it is not booked")
    };
    assert_eq!(entry.promise, Promise::NotComposing("k-c-l-privacy".into()));
    assert_eq!(
        (entry.method.as_str(), entry.unit.as_str()),
        ("syntactic", "owner")
    );
    let account = &chain.accounts()["p"];
    assert_eq!(account.spent, amount("1", "0"));
    assert_eq!((account.booked, account.not_composing), (2, 1));
    // What adds up is told, too, that there is something that does not.
    let ledger_of_another = ledger.spend(pure("q", "1")).unwrap();
    assert!(!ledger_of_another.warnings.join("\n").contains("together"));
    allow(&mut ledger, "p", "2", "0");
    let after = ledger.spend(pure("p", "1")).unwrap();
    assert!(after.warnings.join("\n").contains("together"), "{after:?}");
}
