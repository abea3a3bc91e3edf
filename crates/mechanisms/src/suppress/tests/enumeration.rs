//! Minimal violating sequences and clean ones, against looking at every sequence.

use std::collections::BTreeSet;

use wayveil_core::Silent;

use super::brute::{Database, Sequence};
use super::random::each_random_database;
use crate::suppress::enumerate::enumerate;
use crate::suppress::tally::Judge;
use crate::suppress::working::Working;
use crate::suppress::{Requirement, Table};

fn decode(table: &Table, sequence: &[u32]) -> Sequence {
    sequence.iter().map(|&code| table.doublet(code)).collect()
}

/// What the engine finds, with records checked.
pub(super) fn found(database: &Database, requirement: &Requirement) -> BTreeSet<Sequence> {
    let table = database.table();
    let working = Working::new(&table);
    let judge = Judge::new(requirement.limits().unwrap(), &table);
    let length = requirement.length(working.longest()).unwrap();
    let (found, clean) = enumerate(&working, &judge, length, &Silent).unwrap();

    let truth = database.sequences(length);
    let bad = database.violating(requirement);
    let originals = |records: &[u32]| -> Vec<usize> {
        let mut all: Vec<usize> = records
            .iter()
            .map(|&r| table.original(r) as usize)
            .collect();
        all.sort_unstable();
        all
    };
    let all = (0..found.len() as u32).map(|mvs| {
        let sequence = decode(&table, found.sequence(mvs));
        assert_eq!(originals(found.records(mvs)), truth[&sequence]);
        sequence
    });
    let all: Vec<Sequence> = all.collect();
    let distinct: BTreeSet<Sequence> = all.iter().cloned().collect();
    assert_eq!(distinct.len(), all.len());

    // Clean is what occurs and holds nothing violating.
    let holds = |sequence: &Sequence, other: &Sequence| other.iter().all(|d| sequence.contains(d));
    let clean: BTreeSet<Sequence> = clean
        .sequences()
        .into_iter()
        .map(|(sequence, row)| {
            let records: Vec<u32> = (0..working.len())
                .filter(|&record| working.holds_all(record, &sequence))
                .collect();
            assert_eq!(row, judge.tally(&table, &records));
            decode(&table, &sequence)
        })
        .collect();
    let expected = truth
        .into_keys()
        .filter(|sequence| !bad.iter().any(|b| holds(sequence, b)));
    assert_eq!(clean, expected.collect());
    distinct
}

#[test]
fn finds_exactly_the_minimal_violating_sequences() {
    each_random_database(1, 1500, |database, requirement| {
        assert_eq!(
            found(database, requirement),
            database.minimal_violating(requirement),
            "{database:?} {requirement:?}"
        );
    });
}
