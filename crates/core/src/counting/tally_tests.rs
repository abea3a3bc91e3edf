//! Each kind of question against a slow answer, and parts against the whole.

use proptest::prelude::*;

use super::*;
use crate::unit::PrivacyUnit;

fn asked(what: What) -> Question {
    Question {
        unit: PrivacyUnit::Trip,
        locations: 5,
        bins: None,
        columns: Vec::new(),
        what,
    }
}

fn counted(records: &[Vec<u32>], what: What) -> Tally {
    let sequences = Sequences::from_codes(records);
    alone(&asked(what), &sequences).unwrap()
}

fn alone(question: &Question, trips: &Sequences) -> Result<Tally> {
    let part = Part {
        trips,
        owners: &Owners::EachRecord,
        attributes: &[],
    };
    tally(question, &part)
}

fn listed(sequences: &[Vec<u32>]) -> Listed {
    let mut distinct = sequences.to_vec();
    distinct.sort();
    distinct.dedup();
    Listed::of(distinct).unwrap()
}

fn has_pattern(record: &[u32], pattern: &[u32]) -> bool {
    match (record, pattern) {
        (_, []) => true,
        ([], _) => false,
        ([a, rest @ ..], [b, left @ ..]) if a == b => has_pattern(rest, left),
        ([_, rest @ ..], _) => has_pattern(rest, pattern),
    }
}

fn has_fragment(record: &[u32], fragment: &[u32]) -> bool {
    fragment.is_empty() || record.windows(fragment.len()).any(|it| it == fragment)
}

proptest! {
    #[test]
    fn lists_are_counted_as_one_by_one(
        records in prop::collection::vec(prop::collection::vec(0u32..5, 0..7), 0..30),
        wanted in prop::collection::vec(prop::collection::vec(0u32..5, 0..4), 0..12),
    ) {
        let wanted = listed(&wanted);
        type Holds = fn(&[u32], &[u32]) -> bool;
        type Ask = fn(Listed) -> What;
        let kinds: [(Ask, Holds); 3] = [
            (What::Fragments, has_fragment),
            (What::Patterns, has_pattern),
            (What::Sets, |record, set| set.iter().all(|code| record.contains(code))),
        ];
        for (what, holds) in kinds {
            let found = counted(&records, what(wanted.clone()));
            for (number, sequence) in wanted.iter().enumerate() {
                let slow = records.iter().filter(|record| holds(record, sequence)).count();
                prop_assert_eq!(found.of((number as u32, 0)), slow as u64);
            }
        }
        let found = counted(&records, What::Followers(wanted.clone()));
        for (number, gram) in wanted.iter().enumerate() {
            for next in 0..5 {
                let longer: Vec<u32> = gram.iter().copied().chain([next]).collect();
                let slow = records.iter().flat_map(|record| record.windows(longer.len()));
                let slow = slow.filter(|window| *window == longer).count();
                prop_assert_eq!(found.of((number as u32, next)), slow as u64);
            }
        }
    }

    #[test]
    fn pairs_are_counted_once_a_record(
        records in prop::collection::vec(prop::collection::vec(0u32..5, 0..7), 0..30),
    ) {
        let found = counted(&records, What::Together);
        for a in 0..5 {
            for b in 0..5 {
                let both = |record: &&Vec<u32>| record.contains(&a) && record.contains(&b);
                let slow = if a <= b { records.iter().filter(both).count() } else { 0 };
                prop_assert_eq!(found.of((a, b)), slow as u64);
            }
        }
    }

    #[test]
    fn parts_of_whole_owners_add_up_under_every_unit(
        rows in prop::collection::vec((0u32..6, prop::collection::vec(0u32..5, 0..4)), 0..40),
        parts in 1u32..5,
    ) {
        let two = PrivacyUnit::OwnerBounded(std::num::NonZeroU32::new(2).unwrap());
        for unit in [PrivacyUnit::Owner, two, PrivacyUnit::Trip] {
            for what in [What::Records, What::Together] {
                let question = Question { unit, ..asked(what) };
                let of = |kept: &dyn Fn(u32) -> bool| {
                    let rows: Vec<_> = rows.iter().filter(|row| kept(row.0)).collect();
                    let owners = Owners::Known {
                        of_record: rows.iter().map(|row| row.0).collect(),
                        labels: ["a", "b", "c", "d", "e", "f"].into_iter().collect(),
                    };
                    let trips = Sequences::from_codes(rows.iter().map(|row| &row.1));
                    let part = Part { trips: &trips, owners: &owners, attributes: &[] };
                    tally(&question, &part).unwrap()
                };
                let mut sum = Tally::default();
                for part in 0..parts {
                    sum.merge(&of(&|owner| owner % parts == part)).unwrap();
                }
                prop_assert_eq!(sum, of(&|_| true));
            }
        }
    }
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let outside = Sequences::from_codes([[5u32]]);
    assert!(alone(&asked(What::Records), &outside).is_err());
    let timed = Sequences::new(vec![0, 1], vec![0], Some(vec![0])).unwrap();
    assert!(alone(&asked(What::Records), &timed).is_err());
    let mixed = Listed::of([vec![1], vec![1, 2]]).unwrap();
    let what = What::Children {
        height: 3,
        prefixes: mixed,
    };
    assert!(alone(&asked(what), &Sequences::empty(false)).is_err());
}
