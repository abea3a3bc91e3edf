//! Takes out of each record by itself what must go: the record keeps its most valuable part that
//! holds no minimal violating sequence.
//!
//! All records choose at once, by the counts of the table as it is. Sequences that were shared by
//! enough may then not be shared by enough any more, so that this is a round of several; each takes
//! out at least one instance, and violations are enumerated from scratch between rounds.
//!
//! Of parts of equal size a record keeps one whose rarest sequence is shared by many, in powers of
//! two of K, so that records agree on what most of them share. Among these it gives up the doublets
//! that have most to do with violations, so that what is lost is lost of few doublets and the
//! others' counts stay above K.
//!
//! What a record gives up follows from its doublets and the counts of the table: records with equal
//! doublets lose the same, whatever their sensitive values, and every record of a violating
//! sequence gives it up.

use std::cmp::Reverse;

use rayon::prelude::*;
use wayveil_core::Progress;

use super::clean::{Clean, Node};
use super::lists::Lists;
use super::part::{Choice, best_part};
use super::tally::Judge;
use super::utility::Utility;
use super::violations::{Found, Mvs};
use super::working::Working;

/// About as many records choose between two words of progress.
const RECORDS_PER_WORD: u32 = 64;

/// What a doublet in a violation per holder weighs.
const BLAME: u64 = 1 << 10;

/// Lets every record choose; returns how many instances went.
pub(super) fn round(
    working: &mut Working<'_>,
    judge: &Judge,
    (found, clean): &(Found, Clean),
    utility: &mut dyn Utility,
    length: usize,
    progress: &dyn Progress,
) -> u64 {
    let choosing = Choosing {
        working,
        judge,
        found,
        clean,
        utility,
        length,
        blame: blame(working, found),
        progress,
    };
    let mut gone = choosing.all();
    gone.par_sort_unstable();
    for same in gone.chunk_by(|a, b| a.0 == b.0) {
        let doublet = same[0].0;
        let records: Vec<u32> = same.iter().map(|&(_, record)| record).collect();
        utility.removing(working, doublet, &records);
        working.remove(doublet, &records);
    }
    gone.len() as u64
}

/// In how many violating sequences each doublet is, on the average over the records that hold it.
fn blame(working: &Working<'_>, found: &Found) -> Vec<u64> {
    let mut blame = vec![0_u64; working.table.doublets()];
    for mvs in 0..found.len() as Mvs {
        for &doublet in found.sequence(mvs) {
            blame[doublet as usize] += found.records(mvs).len() as u64;
        }
    }
    for (doublet, blame) in blame.iter_mut().enumerate() {
        *blame = *blame * BLAME / u64::from(working.held(doublet as u32)).max(1);
    }
    blame
}

/// What records look at when they choose.
struct Choosing<'a> {
    working: &'a Working<'a>,
    judge: &'a Judge,
    found: &'a Found,
    clean: &'a Clean,
    utility: &'a dyn Utility,
    length: usize,
    /// Of each doublet.
    blame: Vec<u64>,
    progress: &'a dyn Progress,
}

impl Choosing<'_> {
    /// What is to go: doublets and records.
    fn all(&self) -> Vec<(u32, u32)> {
        let found = self.found;
        let in_record = Lists::gather(self.working.len() as usize, || {
            (0..found.len() as Mvs).flat_map(|mvs| {
                let records = found.records(mvs).iter();
                records.map(move |&record| (record, mvs))
            })
        });
        let mut choosing: Vec<u32> = (0..self.working.len())
            .filter(|&record| !in_record.get(record).is_empty())
            .collect();
        // Records with equal doublets choose the same.
        let row = |&record: &u32| self.working.record(record);
        choosing.par_sort_unstable_by(|a, b| row(a).cmp(row(b)).then(a.cmp(b)));
        let same = choosing.par_chunk_by(|a, b| row(a) == row(b));
        same.flat_map_iter(|records| {
            // There may be as many choices as records, which need not all be told.
            if records[0].is_multiple_of(RECORDS_PER_WORD) {
                self.progress.advance(1);
            }
            let gone = self.one(records[0], in_record.get(records[0]));
            let of_all = move |doublet| records.iter().map(move |&record| (doublet, record));
            gone.into_iter().flat_map(of_all)
        })
        .collect()
    }

    /// What one record gives up.
    fn one(&self, record: u32, violating: &[Mvs]) -> Vec<u32> {
        let row = self.working.record(record);
        let place = |doublet: &u32| row.iter().position(|code| code == doublet);
        let violating: Vec<Vec<usize>> = violating
            .iter()
            .map(|&mvs| self.found.sequence(mvs).iter().filter_map(place).collect())
            .collect();
        let choice = Choice {
            length: row.len(),
            violating: &violating,
            held: &|part| self.utility.worth(&pick(row, part)),
            preference: &|part| self.preference(&pick(row, part)),
            looks: longest_parts(row.len(), self.length),
        };
        let kept = best_part(&choice);
        let gone = (0..row.len()).filter(|place| kept.binary_search(place).is_err());
        gone.map(|place| row[place]).collect()
    }

    /// Which of two parts of equal size is better.
    fn preference(&self, part: &[u32]) -> (u32, Reverse<u64>) {
        let crowds = self.least_shared(part) / self.judge.least_owners();
        let blame = part.iter().map(|&doublet| self.blame[doublet as usize]);
        (crowds.max(1).ilog2(), Reverse(blame.sum()))
    }

    /// How many owners share what the fewest share of a part. Longer sequences are shared by fewer,
    /// so only the longest that an attacker may know are looked at.
    fn least_shared(&self, part: &[u32]) -> u32 {
        fn least(clean: &Clean, node: Node, rest: &[u32], room: usize) -> u32 {
            if room == 0 {
                return clean.row(node)[0];
            }
            let last = rest.len().saturating_sub(room);
            let longer = (0..=last).map(|at| match clean.child(node, rest[at]) {
                Some(child) => least(clean, child, &rest[at + 1..], room - 1),
                // It is harmless.
                None => u32::MAX,
            });
            longer.min().unwrap_or(u32::MAX)
        }
        let room = self.length.min(part.len());
        least(self.clean, Clean::ROOT, part, room)
    }
}

fn pick(row: &[u32], part: &[usize]) -> Vec<u32> {
    part.iter().map(|&place| row[place]).collect()
}

/// How many parts of the greatest length that matters a record has.
fn longest_parts(places: usize, length: usize) -> usize {
    let length = length.min(places);
    (0..length).fold(1_usize, |parts, at| {
        parts.saturating_mul(places - at) / (at + 1)
    })
}
