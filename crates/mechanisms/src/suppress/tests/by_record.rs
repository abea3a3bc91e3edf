//! What records give up by themselves, against brute force.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rand_core::Rng;
use wayveil_core::Silent;
use wayveil_noise::RandomSource;

use super::brute::{Database, Doublet, Sequence, options, requirement, run};
use super::random::{each_confident_database, each_random_database};
use crate::suppress::by_record::round;
use crate::suppress::enumerate::enumerate;
use crate::suppress::tally::Judge;
use crate::suppress::utility::instances::Instances;
use crate::suppress::working::Working;
use crate::suppress::{Mode, Requirement, suppress};

fn holds(set: &BTreeSet<Doublet>, sequence: &Sequence) -> bool {
    sequence.iter().all(|doublet| set.contains(doublet))
}

/// After a round, every record is as good a part of itself as there is: it holds nothing that
/// violated, none such is longer, none as long is shared by twice as many, and none of these has less
/// to do with violations.
fn check(database: &Database, requirement: &Requirement) {
    let table = database.table();
    let mut working = Working::new(&table);
    let judge = Judge::new(requirement.limits().unwrap(), &table);
    let length = requirement.length(working.longest()).unwrap();
    let found = enumerate(&working, &judge, length, &Silent).unwrap();
    let gone = round(
        &mut working,
        &judge,
        &found,
        &mut Instances,
        length,
        &Silent,
    );
    assert_eq!(gone == 0, found.0.is_empty());

    let bad = database.violating(requirement);
    let all = database.sequences(length.max(1));
    let owners = |records: &[usize]| -> usize {
        let owner = |&at: &usize| database.owners.as_ref().map_or(at as u32, |it| it[at]);
        records.iter().map(owner).collect::<BTreeSet<_>>().len()
    };
    let minimal = database.minimal_violating(requirement);
    let blame = |doublet: &Doublet| {
        let with = minimal.iter().filter(|sequence| sequence.contains(doublet));
        let with: usize = with.map(|sequence| all[sequence].len()).sum();
        (with * 1024 / all[&vec![*doublet]].len()) as u64
    };
    let value = |part: &BTreeSet<Doublet>| {
        let longest = length.min(part.len());
        let known = all
            .iter()
            .filter(|(sequence, _)| sequence.len() == longest && holds(part, sequence));
        let shared = known.map(|(_, records)| owners(records)).min();
        let crowds = shared.unwrap_or(0) / requirement.k as usize;
        let blame: u64 = part.iter().map(blame).sum();
        (part.len(), crowds.max(1).ilog2(), Reverse(blame))
    };
    for record in 0..working.len() {
        let before = &database.records[table.original(record) as usize];
        let before: BTreeSet<Doublet> = before.iter().copied().collect();
        let kept = working.record(record).iter();
        let kept: BTreeSet<Doublet> = kept.map(|&code| table.doublet(code)).collect();
        assert!(!bad.iter().any(|sequence| holds(&kept, sequence)));
        let before: Vec<Doublet> = before.into_iter().collect();
        for mask in 0_u32..1 << before.len() {
            let chosen = before
                .iter()
                .enumerate()
                .filter(|(bit, _)| mask >> bit & 1 == 1);
            let other: BTreeSet<Doublet> = chosen.map(|(_, &doublet)| doublet).collect();
            if !bad.iter().any(|sequence| holds(&other, sequence)) {
                assert!(
                    value(&other) <= value(&kept),
                    "{database:?}\n{requirement:?}\n{other:?} is better than {kept:?}"
                );
            }
        }
    }
}

#[test]
fn no_record_could_keep_more() {
    // Where one owner is enough, what is harmless is not counted, and ties fall otherwise.
    let counted = |database: &Database, requirement: &Requirement| {
        if requirement.k > 1 {
            check(database, requirement);
        }
    };
    each_random_database(15, 600, counted);
    each_confident_database(16, 600, counted);
}

#[test]
fn a_record_keeps_what_most_others_share() {
    let database = Database::parse(
        &["a1 b2", "a1 b2", "a1 b2", "a1 c3", "a1 c3", "a1 b2 c3"],
        &[],
        &[],
    );
    let mut options = options(&requirement(2, (1, 1), Some(2)));
    options.mode = Mode::Record;
    let (after, outcome) = run(&database, &options);
    assert_eq!(after.records[5], [(1, 0), (2, 1)]);
    assert_eq!(outcome.summary.record_suppressions, 1);
    assert_eq!(outcome.summary.instances_after, 12);
    // Everywhere, two or three of each go; locally, one would do as well.
    options.mode = Mode::Global;
    assert_eq!(run(&database, &options).1.summary.instances_after, 10);
}

#[test]
fn choices_do_not_depend_on_the_records_own_value() {
    // Values of records with equal visits are exchanged; what is kept of these stays.
    let visits = ["a1 b2 c3", "a1 b2 c3", "a1 b2", "a1 b2", "c3", "c3 d4"];
    let kept = |values: &[u32]| {
        let database = Database::parse(&visits, values, &[1]);
        let mut options = options(&requirement(2, (1, 2), Some(2)));
        options.mode = Mode::Record;
        run(&database, &options).0.records
    };
    assert_eq!(kept(&[1, 2, 2, 1, 2, 2]), kept(&[2, 1, 1, 2, 2, 2]));
}

/// People at independent places, of whom nearly all pairs are shared by just enough.
fn dense() -> Database {
    let mut rng = RandomSource::insecure_seed(3).stream();
    let mut below = |end: u32| ((u64::from(rng.next_u32()) * u64::from(end)) >> 32) as u32;
    let record = |_| {
        let all = (0..40).filter(|_| below(4) == 0);
        all.map(|doublet| (doublet / 4, doublet % 4)).collect()
    };
    Database {
        records: (0..1000).map(record).collect(),
        ..Database::default()
    }
}

#[test]
fn where_counts_are_just_enough_records_agree_on_what_goes() {
    let database = dense();
    let table = database.table();
    for (k, least) in [(42, 60), (48, 50), (54, 0)] {
        let kept = |mode| {
            let mut options = options(&requirement(k, (1, 1), Some(2)));
            options.mode = mode;
            let summary = suppress(&table, &options, &Silent).unwrap().summary;
            100 * summary.instances_after / summary.instances_before
        };
        assert!(kept(Mode::Record) >= least, "{}", kept(Mode::Record));
        // Less than half is left only where global suppression leaves no more.
        assert!(kept(Mode::Record) >= kept(Mode::Global).min(50));
    }
}
