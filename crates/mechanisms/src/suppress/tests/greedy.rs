//! Every step against brute force: counts, violations, validity and scores.

use std::collections::BTreeSet;

use wayveil_core::Silent;

use super::brute::{Database, Sequence};
use super::random::{each_confident_database, each_random_database};
use crate::suppress::Requirement;
use crate::suppress::clean::Clean;
use crate::suppress::enumerate::enumerate;
use crate::suppress::greedy::{EVERYWHERE, Greedy, Step, Turn};
use crate::suppress::tally::Judge;
use crate::suppress::utility::Utility;
use crate::suppress::utility::instances::Instances;
use crate::suppress::utility::mfs::MaximalFrequent;
use crate::suppress::violations::is_subset;
use crate::suppress::working::Working;

/// The database as it is now.
fn now(database: &Database, working: &Working<'_>) -> Database {
    let mut now = database.clone();
    for record in 0..working.len() {
        let doublets = working.record(record).iter();
        let doublets = doublets.map(|&code| working.table.doublet(code));
        now.records[working.table.original(record) as usize] = doublets.collect();
    }
    now
}

fn decode(working: &Working<'_>, sequence: &[u32]) -> Sequence {
    sequence
        .iter()
        .map(|&code| working.table.doublet(code))
        .collect()
}

fn holders(working: &Working<'_>, sequence: &[u32]) -> Vec<u32> {
    let all = 0..working.len();
    all.filter(|&record| working.holds_all(record, sequence))
        .collect()
}

/// Counts of clean sequences are those of a recount, and none is missing.
fn check_clean(greedy: &Greedy<'_, '_>, database: &Database, requirement: &Requirement) {
    let bad = database.violating(requirement);
    let mut clean = BTreeSet::new();
    for (sequence, row) in greedy.clean.sequences() {
        let records = holders(greedy.working, &sequence);
        if !records.is_empty() {
            assert_eq!(row, greedy.judge.tally(greedy.working.table, &records));
            clean.insert(decode(greedy.working, &sequence));
        }
    }
    let holds = |sequence: &Sequence, other: &Sequence| other.iter().all(|d| sequence.contains(d));
    let truth = database.sequences(greedy.length).into_keys();
    let truth = truth.filter(|sequence| !bad.iter().any(|bad| holds(sequence, bad)));
    // What nobody with a sensitive value shares is of no interest where one owner is enough.
    let secret = |&at: &usize| {
        let mut columns = database.columns.iter();
        columns.any(|(values, sensitive)| sensitive.contains(&values[at]))
    };
    let sequences = database.sequences(greedy.length);
    let harmful = |sequence: &Sequence| {
        requirement.k > 1 || greedy.judge.counts_secrets() && sequences[sequence].iter().any(secret)
    };
    let truth = truth.filter(harmful);
    clean.retain(harmful);
    assert_eq!(clean, truth.collect());
}

/// Living sequences are the minimal violating ones, in the right records.
fn check_violations(greedy: &Greedy<'_, '_>, minimal: &BTreeSet<Sequence>) {
    let violations = &greedy.violations;
    let living = violations.all().filter(|&mvs| violations.lives(mvs));
    let living = living.map(|mvs| {
        let sequence = violations.sequence(mvs);
        assert_eq!(violations.records(mvs), holders(greedy.working, sequence));
        decode(greedy.working, sequence)
    });
    assert_eq!(&living.collect::<BTreeSet<_>>(), minimal);
}

/// All steps, with scores worked out anew; whether each is valid.
fn all_steps(
    greedy: &mut Greedy<'_, '_>,
    database: &Database,
    requirement: &Requirement,
    minimal: &BTreeSet<Sequence>,
) -> Vec<(Step, bool)> {
    let living: Vec<u32> = greedy.violations.all().collect();
    let living: Vec<u32> = living
        .into_iter()
        .filter(|&m| greedy.violations.lives(m))
        .collect();
    let mut steps = Vec::new();
    for doublet in 0..greedy.working.table.doublets() as u32 {
        let with: Vec<u32> = living
            .iter()
            .copied()
            .filter(|&mvs| greedy.violations.sequence(mvs).contains(&doublet))
            .collect();
        for &mvs in &with {
            let records = greedy.violations.records(mvs).to_vec();
            let goes = |&&other: &&u32| is_subset(greedy.violations.records(other), &records);
            let step = Step {
                gain: with.iter().filter(goes).count() as u32,
                loss: greedy.utility.loss(greedy.working, doublet, &records),
                mvs,
                doublet,
            };
            assert_eq!(greedy.score(doublet, mvs), Some(step));
            let mut after = greedy.working.clone();
            after.remove(doublet, &records);
            let after = now(database, &after).minimal_violating(requirement);
            let valid = after.is_subset(minimal);
            assert_eq!(greedy.check(doublet, &records).is_some(), valid);
            steps.push((step, valid));
        }
        if !with.is_empty() {
            let step = Step {
                gain: with.len() as u32,
                loss: greedy.utility.loss_everywhere(greedy.working, doublet),
                mvs: EVERYWHERE,
                doublet,
            };
            assert_eq!(greedy.score(doublet, EVERYWHERE), Some(step));
            steps.push((step, true));
        }
    }
    steps
}

fn follow(database: &Database, requirement: &Requirement, utility: &mut dyn Utility) {
    let table = database.table();
    let mut working = Working::new(&table);
    let judge = Judge::new(requirement.limits().unwrap(), &table);
    let length = requirement.length(working.longest()).unwrap();
    let found: (_, Clean) = enumerate(&working, &judge, length, &Silent).unwrap();
    let mut greedy = Greedy::new(&mut working, &judge, found, utility, length, true);
    greedy.start();
    let mut put_off: BTreeSet<(u32, u32)> = BTreeSet::new();
    loop {
        let current = now(database, greedy.working);
        let minimal = current.minimal_violating(requirement);
        check_clean(&greedy, &current, requirement);
        check_violations(&greedy, &minimal);
        let steps = all_steps(&mut greedy, database, requirement, &minimal);
        let best = steps
            .iter()
            .filter(|(step, valid)| *valid && !put_off.contains(&(step.doublet, step.mvs)));
        let best = best.map(|&(step, _)| step).max();
        let invalid = steps.iter().filter(|(_, valid)| !valid);
        put_off.extend(invalid.map(|(step, _)| (step.doublet, step.mvs)));

        let before = greedy.steps;
        let mut taken = None;
        while greedy.steps == before {
            match greedy.advance() {
                Turn::Tried(step) => taken = Some(step),
                Turn::PutOff => {}
                Turn::Done => break,
            }
        }
        let Some(best) = best else { break };
        let taken = taken.expect("a step was taken");
        assert!(taken >= best, "{taken:?} was taken before {best:?}");
    }
    assert!(greedy.violations.is_empty());
}

fn follow_both(database: &Database, requirement: &Requirement) {
    follow(database, requirement, &mut Instances);
    let table = database.table();
    let mut frequent = MaximalFrequent::new(&Working::new(&table), requirement.k + 1);
    follow(database, requirement, &mut frequent);
}

#[test]
fn every_step_is_valid_and_the_best() {
    each_random_database(5, 400, follow_both);
    each_confident_database(6, 400, follow_both);
}
