//! The ends of every range.

use super::brute::{Database, options, requirement, run};
use super::enumeration::found;
use crate::suppress::{MAX_KNOWLEDGE, Mode, Options, Table, Variant, suppress};
use wayveil_core::{Sequences, Silent};

/// Three share `a1 b2`, one has `a1` and `c3`.
fn four() -> Database {
    Database::parse(&["a1 b2", "a1 b2", "a1 b2", "a1 c3"], &[1, 1, 2, 3], &[1])
}

/// What is left, the same for both ways of suppressing in some records only.
fn left(database: &Database, options: &Options) -> Vec<Vec<(u32, u32)>> {
    let mut by_record = options.clone();
    by_record.mode = Mode::Record;
    let left = run(database, options).0.records;
    assert_eq!(run(database, &by_record).0.records, left);
    left
}

#[test]
fn one_owner_and_full_confidence_leave_everything() {
    let same = left(&four(), &options(&requirement(1, (1, 1), Some(3))));
    assert_eq!(same, four().records);
}

#[test]
fn more_owners_than_there_are_leave_nothing() {
    let (after, outcome) = run(&four(), &options(&requirement(5, (1, 1), Some(2))));
    assert!(after.records.is_empty() && outcome.kept.is_empty());
    assert_eq!(outcome.summary.records_dropped, 4);
    assert_eq!(outcome.summary.instances_after, 0);
}

#[test]
fn no_confidence_leaves_no_doublet_of_a_sensitive_record() {
    let after = left(&four(), &options(&requirement(1, (0, 1), Some(2))));
    assert_eq!(after, vec![vec![(3, 2)]]);
}

#[test]
fn confidence_alone_is_bounded() {
    // Two of three with a1 b2, two of four with a1: at most a half must not be exceeded.
    let required = requirement(1, (1, 2), None);
    let after = run(&four(), &options(&required)).0;
    assert!(after.violating(&required).is_empty());
    assert!(!after.records.is_empty());
    let exactly = requirement(1, (2, 3), None);
    assert_eq!(left(&four(), &options(&exactly)), four().records);
}

#[test]
fn k_anonymity_makes_whole_records_common() {
    let required = requirement(2, (1, 1), None);
    let after = left(&four(), &options(&required));
    assert_eq!(
        after,
        vec![vec![(1, 0), (2, 1)]; 3]
            .into_iter()
            .chain([vec![(1, 0)]])
            .collect::<Vec<_>>()
    );
}

#[test]
fn knowledge_longer_than_any_record_is_all_of_it() {
    let long = requirement(2, (1, 2), Some(1000));
    let all = requirement(2, (1, 2), None);
    assert_eq!(found(&four(), &long), found(&four(), &all));
    assert_eq!(
        left(&four(), &options(&long)),
        left(&four(), &options(&all))
    );
}

#[test]
fn a_value_that_nobody_has_changes_nothing_and_one_that_all_have_leaves_nothing() {
    let mut database = four();
    database.columns[0].1 = vec![77];
    let required = requirement(3, (1, 2), Some(2));
    let mut without = four();
    without.columns.clear();
    assert_eq!(
        left(&database, &options(&required)),
        left(&without, &options(&required))
    );

    database.columns[0] = (vec![1; 4], vec![1]);
    assert!(left(&database, &options(&required)).is_empty());
    // Unless confidence is free.
    let free = requirement(3, (1, 1), Some(2));
    assert_eq!(
        left(&database, &options(&free)),
        left(&without, &options(&free))
    );
}

#[test]
fn nothing_comes_of_nothing() {
    for variant in [Variant::Repaired, Variant::AsPublished] {
        for records in [&[][..], &["", ""]] {
            let database = Database::parse(records, &[], &[]);
            let mut options = options(&requirement(2, (1, 2), Some(3)));
            options.variant = variant;
            let (after, outcome) = run(&database, &options);
            assert!(after.records.is_empty());
            assert_eq!(outcome.summary.records_dropped, records.len() as u64);
        }
    }
}

#[test]
fn several_records_of_one_owner_count_once() {
    let mut database = Database::parse(&["a1 b2", "a1 b2", "a1"], &[], &[]);
    database.owners = Some(vec![4, 4, 9]);
    let after = left(&database, &options(&requirement(2, (1, 1), Some(2))));
    assert_eq!(after, vec![vec![(1, 0)]; 3]);
    // Confidence is bounded over owners and over records: one of two owners, two of three records.
    database.columns = vec![(vec![1, 1, 2], vec![1])];
    let half = requirement(2, (1, 2), Some(1));
    assert!(left(&database, &options(&half)).is_empty());
    let more = requirement(2, (2, 3), Some(1));
    assert_eq!(left(&database, &options(&more)), vec![vec![(1, 0)]; 3]);
}

#[test]
fn visits_may_repeat_and_come_in_any_order() {
    let tidy = Database::parse(&["a1 b1 c2", "a1 b1 c2", "b1 c2"], &[], &[]);
    let untidy = Database::parse(&["c2 b1 a1 b1", "b1 a1 c2 c2", "c2 b1"], &[], &[]);
    let required = requirement(3, (1, 1), Some(3));
    assert_eq!(
        left(&tidy, &options(&required)),
        left(&untidy, &options(&required))
    );
    assert_eq!(
        left(&tidy, &options(&required)),
        vec![vec![(1, 1), (2, 2)]; 3]
    );
}

#[test]
fn two_doublets_of_one_bin_are_a_sequence() {
    // a1 and b1 are common, together they are not.
    let database = Database::parse(&["a1 b1", "a1", "b1", "a1", "b1"], &[], &[]);
    let required = requirement(2, (1, 1), Some(2));
    assert_eq!(found(&database, &required).len(), 1);
    assert!(
        run(&database, &options(&required))
            .0
            .violating(&required)
            .is_empty()
    );
    let mut published = options(&required);
    published.variant = Variant::AsPublished;
    assert!(!run(&database, &published).0.violating(&required).is_empty());
}

#[test]
fn what_cannot_be_done_is_refused() {
    let table = four().table();
    let refused = |options: Options| suppress(&table, &options, &Silent).unwrap_err().to_string();
    assert!(refused(options(&requirement(0, (1, 2), Some(2)))).contains("got 0"));
    assert!(refused(options(&requirement(2, (3, 2), Some(2)))).contains("not from 0 to 1"));
    let untimed = Sequences::from_codes([[1u32, 2]]);
    let error = Table::new(&untimed, None, &[]).unwrap_err();
    assert!(error.to_string().contains("times of visits"), "{error}");
    let timed = Sequences::empty(true);
    assert!(Table::new(&timed, Some(&[1]), &[]).is_err());
}

#[test]
fn knowledge_has_a_greatest_length() {
    let record =
        |length: usize| -> Vec<(u32, u32)> { (0..length as u32).map(|bin| (bin, 0)).collect() };
    let database = |length| Database {
        records: vec![record(length); 2],
        ..Database::default()
    };
    let all = options(&requirement(2, (1, 2), None));
    let fits = database(MAX_KNOWLEDGE);
    assert_eq!(left(&fits, &all), fits.records);
    let long = database(MAX_KNOWLEDGE + 1).table();
    let error = suppress(&long, &all, &Silent).unwrap_err();
    assert!(error.to_string().contains("at most 16"), "{error}");
    let bounded = options(&requirement(2, (1, 2), Some(3)));
    assert!(suppress(&long, &bounded, &Silent).is_ok());
}
