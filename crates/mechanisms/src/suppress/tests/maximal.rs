//! Maximal frequent sequences and their losses, against looking at every sequence.

use std::collections::BTreeSet;

use super::brute::{options, run};
use super::random::each_random_database;
use crate::suppress::utility::Utility;
use crate::suppress::utility::maximal::mine;
use crate::suppress::utility::mfs::MaximalFrequent;
use crate::suppress::working::Working;
use crate::suppress::{Preserve, count_maximal_frequent};

#[test]
fn mines_exactly_the_maximal_frequent_sequences() {
    for min_support in 1..=4 {
        each_random_database(u64::from(min_support), 500, |database, _| {
            let table = database.table();
            let mut frequent = database.sequences(usize::MAX);
            frequent.retain(|_, records| records.len() >= min_support as usize);
            let expected: BTreeSet<(Vec<(u32, u32)>, u32)> = frequent
                .iter()
                .filter(|(sequence, _)| {
                    !frequent.keys().any(|longer| {
                        longer.len() > sequence.len() && sequence.iter().all(|d| longer.contains(d))
                    })
                })
                .map(|(sequence, records)| (sequence.clone(), records.len() as u32))
                .collect();
            let mined: BTreeSet<_> = mine(&Working::new(&table), min_support)
                .into_iter()
                .map(|(sequence, support)| {
                    let sequence = sequence.into_iter().map(|code| table.doublet(code));
                    (sequence.collect::<Vec<_>>(), support)
                })
                .collect();
            assert_eq!(mined, expected, "{database:?}");
        });
    }
}

#[test]
fn losses_are_those_of_a_recount() {
    each_random_database(11, 500, |database, requirement| {
        let table = database.table();
        let min_support = requirement.k - 1;
        let mut working = Working::new(&table);
        let mut tree = MaximalFrequent::new(&working, min_support);
        let mut left = mine(&working, min_support);
        for doublet in 0..table.doublets() as u32 {
            // Every other record that holds it.
            let records: Vec<u32> = working.holders(doublet).step_by(2).collect();
            let loss = tree.loss(&working, doublet, &records);
            let everywhere = tree.loss_everywhere(&working, doublet);
            let with = left
                .iter()
                .filter(|(sequence, _)| sequence.contains(&doublet));
            assert_eq!(everywhere as usize, with.count());
            tree.removing(&working, doublet, &records);
            working.remove(doublet, &records);
            let before = left.len();
            left.retain(|(sequence, _)| {
                let holders = (0..working.len()).filter(|&r| working.holds_all(r, sequence));
                holders.count() >= min_support as usize
            });
            assert_eq!(loss as usize, before - left.len());
            assert_eq!(tree.frequent_left() as usize, left.len());
        }
    });
}

#[test]
fn a_summary_tells_how_many_are_left() {
    let mut lost = 0;
    each_random_database(12, 500, |database, requirement| {
        let min_support = requirement.k;
        let mut options = options(requirement);
        options.preserve = Preserve::MaximalFrequent { min_support };
        let (after, outcome) = run(database, &options);
        let table = database.table();
        let raw = mine(&Working::new(&table), min_support);
        assert_eq!(
            count_maximal_frequent(&table, min_support),
            raw.len() as u64
        );
        let left = raw.iter().filter(|(sequence, _)| {
            let sequence = sequence.iter().map(|&code| table.doublet(code));
            let sequence: Vec<(u32, u32)> = sequence.collect();
            let holders = after.records.iter();
            let holders = holders.filter(|record| sequence.iter().all(|d| record.contains(d)));
            holders.count() >= min_support as usize
        });
        let summary = outcome.summary;
        assert_eq!(summary.frequent_before, raw.len() as u64);
        assert_eq!(
            summary.frequent_after,
            left.count() as u64,
            "{database:?} {after:?}"
        );
        lost += summary.frequent_before - summary.frequent_after;
    });
    assert!(lost > 0);
}
