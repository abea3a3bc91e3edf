//! Takes out of each record by itself what must go: the record keeps its most valuable part that
//! holds no minimal violating sequence.
//!
//! All records choose at once, by the counts of the table as it is. Sequences that were shared by
//! enough may then not be shared by enough any more, so that this is a round of several; each takes
//! out at least one instance, and violations are enumerated from scratch between rounds.
//!
//! A record does not choose by its own sensitive value, and every record of a violating sequence
//! gives it up: that something is missing tells of the places and not of the person's value.

use rayon::prelude::*;

use super::clean::{Clean, Node};
use super::lists::Lists;
use super::part::{Choice, best_part};
use super::utility::Utility;
use super::violations::{Found, Mvs};
use super::working::Working;

/// Lets every record choose; returns how many instances went.
pub(super) fn round(
    working: &mut Working<'_>,
    (found, clean): &(Found, Clean),
    utility: &mut dyn Utility,
    length: usize,
) -> u64 {
    let choosing = Choosing {
        working,
        found,
        clean,
        utility,
        length,
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

/// What records look at when they choose.
struct Choosing<'a> {
    working: &'a Working<'a>,
    found: &'a Found,
    clean: &'a Clean,
    utility: &'a dyn Utility,
    length: usize,
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
        let choose = |record: u32| {
            let violating = in_record.get(record);
            let gone = match violating {
                [] => Vec::new(),
                _ => self.one(record, violating),
            };
            gone.into_iter().map(move |doublet| (doublet, record))
        };
        let records = (0..self.working.len()).into_par_iter();
        records.flat_map_iter(choose).collect()
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
            shared: &|part| self.least_shared(&pick(row, part)),
        };
        let kept = best_part(&choice);
        let gone = (0..row.len()).filter(|place| kept.binary_search(place).is_err());
        gone.map(|place| row[place]).collect()
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
