use std::borrow::Cow;

use wayveil_core::{ColumnNames, Origin, PrivacyUnit, Sequences, Silent, TimeAxis, Universe};

use super::*;

fn mechanism(given: &[(&str, &str)]) -> Fastpub {
    let mut all = vec![("epsilon", "2"), ("k", "1000")];
    all.retain(|(name, _)| given.iter().all(|(other, _)| other != name));
    all.extend_from_slice(given);
    let values = Parameters::new(Fastpub::PARAMETERS, all).unwrap();
    Fastpub {
        options: FastpubOptions::read(&values).unwrap(),
    }
}

fn universe() -> Universe {
    let labels = (0..6).map(|code: u32| code.to_string());
    Universe::from_labels(labels, Origin::Declared("test".into())).unwrap()
}

fn public(universe: &Universe) -> PublicInputs<'_> {
    PublicInputs {
        universe,
        time: None,
        unit: PrivacyUnit::Owner,
        columns: ColumnNames::of(&[]),
    }
}

fn run(mechanism: &Fastpub, public: PublicInputs<'_>, rows: Sequences) -> Output {
    let records = Records {
        public,
        units: Some(rows.len() as u64),
        sequences: Cow::Owned(rows),
        attributes: Vec::new(),
        owners: None,
    };
    let random = &mut RandomSource::insecure_seed(5);
    mechanism.run(&records, random, &Silent).unwrap()
}

/// A third goes 0 1 2, a third 3 4, a third stays at 5, with two who go a way of their own.
fn crowds(size: usize) -> Sequences {
    let ways: [&[u32]; 3] = [&[0, 1, 2], &[3, 4], &[5]];
    let many = (0..3 * size).map(|person| ways[person % 3]);
    Sequences::from_codes(many.chain([&[2, 5][..], &[2, 5]]))
}

#[test]
fn what_crowds_do_is_published_with_its_count_and_nothing_else() {
    let universe = universe();
    let out = run(&mechanism(&[]), public(&universe), crowds(30_000));
    let fragments = out.fragments.unwrap();
    fragments.check(6).unwrap();
    let found: Vec<&[u32]> = fragments.fragments.iter().collect();
    for expected in [
        &[0][..],
        &[1],
        &[2],
        &[3],
        &[4],
        &[5],
        &[0, 1],
        &[1, 2],
        &[3, 4],
        &[0, 1, 2],
    ] {
        assert!(found.contains(&expected), "{expected:?} in {found:?}");
    }
    assert_eq!(found.len(), 10, "{found:?}");
    for (at, fragment) in fragments.fragments.iter().enumerate() {
        let error = (fragments.count[at] as f64 - 30_000.0).abs();
        let allowed = 6.0 * fragments.standard_error[at];
        assert!(error < allowed, "{fragment:?} {}", fragments.count[at]);
        assert!(fragments.low[at] <= fragments.count[at]);
        assert!(fragments.count[at] <= fragments.high[at]);
    }
    // As many trajectories as records, of the same ways.
    assert_eq!(out.trajectories.len(), 90_002);
    assert!(out.trajectories.iter().is_sorted());
    let long = out.trajectories.iter().filter(|way| **way == [0, 1, 2]);
    assert!((24_000..36_000).contains(&long.count()));
}

#[test]
fn as_published_only_the_longest_are_released() {
    let universe = universe();
    let given = [("as-published", "true"), ("epsilon", "10")];
    let out = run(&mechanism(&given), public(&universe), crowds(30_000));
    let fragments = out.fragments.unwrap();
    let found: Vec<&[u32]> = fragments.fragments.iter().collect();
    assert_eq!(found, [[0, 1, 2]]);
}

#[test]
fn both_engines_publish_the_same_crowds() {
    let universe = universe();
    let given = [("engine", "numbers")];
    let mechanism = mechanism(&given);
    let out = run(&mechanism, public(&universe), crowds(30_000));
    assert_eq!(out.fragments.unwrap().len(), 10);
    let claim = mechanism.claim(&public(&universe)).unwrap();
    assert_eq!(claim.guarantee.model.name(), "none");
    assert!(claim.cost.amount().is_none());
}

#[test]
fn a_record_pays_for_all_its_clients() {
    let universe = universe();
    let claim = |given| mechanism(given).claim(&public(&universe)).unwrap();
    let one = claim(&[]);
    assert_eq!(one.cost, Cost::pure("2".parse().unwrap()));
    assert!(one.guarantee.model.units_are_public());
    assert!(one.guarantee.in_words.contains("locally"));
    let many = claim(&[("clients-per-record", "100")]);
    assert_eq!(many.cost, Cost::pure("200".parse().unwrap()));
    let rests = many.guarantee.rests_on.join(" ");
    assert!(
        rests.contains("100 simulated clients with epsilon 2 each"),
        "{rests}"
    );
}

#[test]
fn a_practically_truthful_bit_is_called_so() {
    let universe = universe();
    let says = |epsilon| {
        let claim = mechanism(&[("epsilon", epsilon)]).claim(&public(&universe));
        claim
            .unwrap()
            .limits
            .join(" ")
            .contains("practically a truthful")
    };
    assert!(says("10") && says("4.5") && !says("2"));
}

#[test]
fn too_few_clients_and_no_clients_release_nothing() {
    let universe = universe();
    for rows in [Sequences::empty(false), crowds(3)] {
        let records = rows.len();
        let out = run(&mechanism(&[]), public(&universe), rows);
        assert!(out.fragments.unwrap().is_empty());
        assert_eq!(out.trajectories.len(), records);
        assert!(out.trajectories.iter().all(<[u32]>::is_empty));
    }
}

#[test]
fn times_are_left_out() {
    let universe = universe();
    let axis = TimeAxis::new(4, Origin::Declared("test".into()));
    let mut rows = Sequences::empty(true);
    (0..20_000).for_each(|_| rows.push(&[0, 1], &[1, 3]));
    let public = PublicInputs {
        time: Some(&axis),
        ..public(&universe)
    };
    let out = run(&mechanism(&[]), public, rows);
    assert!(out.trajectories.is_timed());
    assert!(out.trajectories.bins().unwrap().iter().all(|&bin| bin == 0));
    assert!(out.trajectories.symbols() > 0);
}
