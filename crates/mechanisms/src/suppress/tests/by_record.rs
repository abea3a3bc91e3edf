//! What records give up by themselves, against brute force.

use std::collections::BTreeSet;

use super::brute::{Database, Doublet, Sequence, options, requirement, run};
use super::random::{each_confident_database, each_random_database};
use crate::suppress::by_record::round;
use crate::suppress::enumerate::enumerate;
use crate::suppress::tally::Judge;
use crate::suppress::utility::instances::Instances;
use crate::suppress::working::Working;
use crate::suppress::{Mode, Requirement};

fn holds(set: &BTreeSet<Doublet>, sequence: &Sequence) -> bool {
    sequence.iter().all(|doublet| set.contains(doublet))
}

/// After a round, every record is as good a part of itself as there is: it holds nothing that
/// violated, none that holds nothing is longer, and none as long is shared by more.
fn check(database: &Database, requirement: &Requirement) {
    let table = database.table();
    let mut working = Working::new(&table);
    let judge = Judge::new(requirement.limits().unwrap(), &table);
    let length = requirement.length(working.longest()).unwrap();
    let found = enumerate(&working, &judge, length).unwrap();
    let gone = round(&mut working, &found, &mut Instances, length);
    assert_eq!(gone == 0, found.0.is_empty());

    let bad = database.violating(requirement);
    let all = database.sequences(length.max(1));
    let owners = |records: &[usize]| -> usize {
        let owner = |&at: &usize| database.owners.as_ref().map_or(at as u32, |it| it[at]);
        records.iter().map(owner).collect::<BTreeSet<_>>().len()
    };
    let value = |part: &BTreeSet<Doublet>| {
        let longest = length.min(part.len());
        let known = all
            .iter()
            .filter(|(sequence, _)| sequence.len() == longest && holds(part, sequence));
        let shared = known.map(|(_, records)| owners(records)).min();
        (part.len(), shared.unwrap_or(usize::MAX))
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
