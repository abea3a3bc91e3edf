//! How often a sequence occurs, altogether and with each sensitive value.
//!
//! A tally is a row of counts: the number of owners, then those with each sensitive value. Where
//! owners have several records, a second part with the numbers of records follows. A row of zeros
//! is a sequence that does not occur.

use super::requirement::Limits;
use super::table::{NO_SECRET, Table};

/// How rows of counts look, and when one is a violation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge {
    limits: Limits,
    /// Counts in one part: one for all, and one for each sensitive value that matters.
    pub(super) part: usize,
    /// Whether records are counted beside owners.
    pub(super) both: bool,
}

impl Judge {
    pub(super) fn new(limits: Limits, table: &Table) -> Self {
        let secrets = match limits.ignores_secrets() {
            true => 0,
            false => table.secrets,
        };
        Self {
            limits,
            part: 1 + secrets,
            both: table.shared_owners,
        }
    }

    /// How many numbers a row has.
    pub(super) fn width(&self) -> usize {
        self.part * (1 + usize::from(self.both))
    }

    /// K, at least 1.
    pub(super) fn least_owners(&self) -> u32 {
        self.limits.k.max(1)
    }

    /// Whether sensitive values are counted at all.
    pub(super) fn counts_secrets(&self) -> bool {
        self.part > 1
    }

    /// Whether the sequence of this row occurs, but in too few owners' records or with too high a
    /// confidence.
    pub(super) fn violates(&self, row: &[u32]) -> bool {
        row[0] > 0 && (self.too_few(row) || self.too_confident(row))
    }

    /// Whether too few owners share it. Fewer records do not put that right unless none is left.
    pub(super) fn too_few(&self, row: &[u32]) -> bool {
        row[0] < self.limits.k
    }

    /// Whether neither this sequence nor a longer one can violate, however many records are taken
    /// away: one owner is enough, and nobody who shares it has a sensitive value.
    pub(super) fn harmless(&self, row: &[u32]) -> bool {
        self.limits.k <= 1 && row[1..self.part].iter().all(|&count| count == 0)
    }

    fn too_confident(&self, row: &[u32]) -> bool {
        row.chunks_exact(self.part).any(|part| {
            let highest = part[1..].iter().copied().max().unwrap_or(0);
            self.limits.too_confident(highest, part[0])
        })
    }

    /// The row of a rising list of records.
    pub(super) fn tally(&self, table: &Table, records: &[u32]) -> Vec<u32> {
        let mut row = vec![0; self.width()];
        let mut last = vec![u32::MAX; self.memory()];
        for &record in records {
            let owner = table.owners[record as usize];
            self.add(owner, table.secrets_of(record), &mut row, &mut last);
        }
        row
    }

    /// How many numbers [`add`](Self::add) has to remember beside a row.
    pub(super) fn memory(&self) -> usize {
        if self.both { self.part } else { 0 }
    }

    /// Adds one record to a row. Records come by rising owner; `last` remembers, for each count of
    /// the first part, the owner that was counted last (at first [`u32::MAX`]).
    #[inline]
    pub(super) fn add(&self, owner: u32, secrets: &[u32], row: &mut [u32], last: &mut [u32]) {
        if !self.both {
            row[0] += 1;
            if self.counts_secrets() {
                for &secret in secrets.iter().filter(|&&secret| secret != NO_SECRET) {
                    row[1 + secret as usize] += 1;
                }
            }
            return;
        }
        let (owners, records) = row.split_at_mut(self.part);
        let mut count = |at: usize| {
            records[at] += 1;
            if last[at] != owner {
                last[at] = owner;
                owners[at] += 1;
            }
        };
        count(0);
        if self.counts_secrets() {
            for &secret in secrets.iter().filter(|&&secret| secret != NO_SECRET) {
                count(1 + secret as usize);
            }
        }
    }

    /// How many records a row has counted.
    pub(super) fn records(&self, row: &[u32]) -> u32 {
        row[row.len() - self.part]
    }
}
