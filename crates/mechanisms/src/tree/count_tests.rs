//! The fast counter against a slow one, and against a worked example.

use std::borrow::Cow;
use std::collections::BTreeMap;

use proptest::prelude::*;
use wayveil_core::{ColumnNames, Origin, PrivacyUnit, PublicInputs, Universe};

use super::*;

fn with_counter<R>(
    sequences: Sequences,
    locations: usize,
    bins: u32,
    height: u32,
    run: impl FnOnce(&mut InMemory<'_>) -> R,
) -> R {
    let labels = (0..locations).map(|code| format!("L{code}"));
    let universe = Universe::from_labels(labels, Origin::Declared("test".into())).unwrap();
    let records = Records {
        public: PublicInputs {
            universe: &universe,
            time: None,
            unit: PrivacyUnit::Owner,
            columns: ColumnNames::default(),
        },
        sequences: Cow::Owned(sequences),
        attributes: Vec::new(),
        owners: None,
        units: None,
    };
    let alphabet = Alphabet::new(locations, bins).unwrap();
    run(&mut InMemory::new(&records, alphabet, height))
}

/// Every prefix with its count, by descending everywhere.
fn all_counts(counter: &mut InMemory<'_>, height: u32) -> BTreeMap<Vec<u32>, u64> {
    let mut found = BTreeMap::new();
    let mut frontier: Vec<Vec<u32>> = vec![vec![]];
    let mut level = counter.root().unwrap();
    for depth in 0..height {
        let mut next = Vec::new();
        for (node, path) in frontier.iter().enumerate() {
            for child in level.children(node) {
                let mut longer = path.clone();
                longer.push(level.symbols[child]);
                found.insert(longer.clone(), level.counts[child]);
                next.push(longer);
            }
        }
        if depth + 1 < height {
            level = counter
                .descend(&(0..level.symbols.len()).collect::<Vec<_>>())
                .unwrap();
        }
        frontier = next;
    }
    found
}

#[test]
fn the_tree_of_the_eight_sample_records() {
    // L1 … L4 are codes 0 … 3.
    let records: [&[u32]; 8] = [
        &[0, 1, 2],
        &[0, 1],
        &[2, 1, 0],
        &[0, 1, 3],
        &[0, 1, 2],
        &[2, 1],
        &[0, 1, 3, 0],
        &[2, 0],
    ];
    let found = with_counter(Sequences::from_codes(records), 4, 1, 4, |c| {
        all_counts(c, 4)
    });
    let expected: [(&[u32], u64); 9] = [
        (&[0], 5),
        (&[0, 1], 5),
        (&[0, 1, 2], 2),
        (&[0, 1, 3], 2),
        (&[0, 1, 3, 0], 1),
        (&[2], 3),
        (&[2, 0], 1),
        (&[2, 1], 2),
        (&[2, 1, 0], 1),
    ];
    assert_eq!(
        found,
        expected.iter().map(|(p, c)| (p.to_vec(), *c)).collect()
    );
}

#[test]
fn a_record_that_goes_back_in_time_is_cut_there() {
    let timed = Sequences::new(vec![0, 3], vec![0, 1, 1], Some(vec![2, 2, 1])).unwrap();
    let found = with_counter(timed, 2, 3, 5, |counter| all_counts(counter, 5));
    assert_eq!(found, BTreeMap::from([(vec![4], 1), (vec![4, 5], 1)]));
}

#[test]
fn symbols_are_locations_in_bins() {
    let alphabet = Alphabet::new(10, 4).unwrap();
    assert_eq!(alphabet.symbols(), 40);
    assert_eq!(alphabet.first_bin(None), 0);
    assert_eq!(alphabet.first_bin(Some(27)), 2);
    assert_eq!(alphabet.symbol(7, 2), 27);
    assert_eq!((alphabet.bin(27), alphabet.location(27)), (2, 7));
    assert!(Alphabet::new(1 << 20, 1 << 20).is_none());
}

proptest! {
    #[test]
    fn equals_counting_prefixes_one_by_one(
        records in prop::collection::vec(prop::collection::vec((0u32..5, 0u32..3), 0..7), 0..40),
        timed: bool,
        height in 1u32..6,
    ) {
        let mut sequences = Sequences::empty(timed);
        let mut expected: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for record in &records {
            let codes: Vec<u32> = record.iter().map(|&(code, _)| code).collect();
            let bins: Vec<u32> = record.iter().map(|&(_, bin)| bin).collect();
            sequences.push(&codes, if timed { &bins } else { &[] });
            let mut prefix = Vec::new();
            for at in 0..codes.len().min(height as usize) {
                if timed && at > 0 && bins[at] < bins[at - 1] {
                    break;
                }
                prefix.push(if timed { bins[at] * 5 + codes[at] } else { codes[at] });
                *expected.entry(prefix.clone()).or_default() += 1;
            }
        }
        let bins = if timed { 3 } else { 1 };
        let found = with_counter(sequences, 5, bins, height, |c| all_counts(c, height));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn descending_to_some_children_answers_for_those(
        records in prop::collection::vec(prop::collection::vec(0u32..4, 0..5), 0..60),
        choice in any::<u64>(),
    ) {
        let sequences = Sequences::from_codes(&records);
        with_counter(sequences, 4, 1, 5, |counter| {
            let root = counter.root().unwrap();
            let kept: Vec<usize> =
                (0..root.symbols.len()).filter(|at| choice >> at & 1 == 1).collect();
            let level = counter.descend(&kept).unwrap();
            assert_eq!(level.starts.len(), kept.len() + 1);
            for (node, &child) in kept.iter().enumerate() {
                let below: u64 = level.children(node).map(|at| level.counts[at]).sum();
                let first = root.symbols[child];
                let expected =
                    records.iter().filter(|r| r.len() > 1 && r[0] == first).count() as u64;
                assert_eq!(below, expected);
            }
        });
    }
}
