//! What is left of the records of one doublet behind it, side by side.
//!
//! Everything that begins with a doublet is counted in a small piece of memory of its own, however
//! far apart its records lie.

use super::working::Working;

/// A line of a projection and a place in it, counted over all lines.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    pub(super) line: u32,
    pub(super) from: u32,
}

/// The records that hold a doublet, as lines of symbols: doublets, numbered as they come.
#[derive(Default)]
pub(super) struct Projection {
    symbols: Vec<u32>,
    /// Where each line ends.
    ends: Vec<u32>,
    pub(super) records: Vec<u32>,
    pub(super) owners: Vec<u32>,
    secrets: Vec<u32>,
    columns: usize,
    /// The doublet of each symbol.
    pub(super) names: Vec<u32>,
    /// What is known of each doublet: nothing, that it is left out, or its symbol and 2.
    numbers: Vec<u32>,
    looked_up: Vec<u32>,
}

impl Projection {
    /// Takes the records that hold `first`, and of what is behind it only the doublets that `joins`
    /// admits. Lines without any are left out.
    pub(super) fn fill(&mut self, working: &Working<'_>, first: u32, joins: impl Fn(u32) -> bool) {
        self.symbols.clear();
        self.ends.clear();
        self.records.clear();
        self.owners.clear();
        self.secrets.clear();
        self.names.clear();
        self.columns = working.table.columns;
        self.numbers.resize(working.table.doublets(), 0);
        for record in working.holders(first) {
            let before = self.symbols.len();
            let row = working.record(record);
            let behind = row.partition_point(|&code| code <= first);
            for &doublet in &row[behind..] {
                let number = &mut self.numbers[doublet as usize];
                if *number == 0 {
                    self.looked_up.push(doublet);
                    *number = 1;
                    if joins(doublet) {
                        *number = self.names.len() as u32 + 2;
                        self.names.push(doublet);
                    }
                }
                if *number > 1 {
                    self.symbols.push(*number - 2);
                }
            }
            if self.symbols.len() > before {
                self.ends.push(self.symbols.len() as u32);
                self.records.push(record);
                self.owners.push(working.table.owners[record as usize]);
                self.secrets
                    .extend_from_slice(working.table.secrets_of(record));
            }
        }
        for doublet in self.looked_up.drain(..) {
            self.numbers[doublet as usize] = 0;
        }
    }

    /// The beginnings of all lines.
    pub(super) fn rests(&self) -> impl Iterator<Item = Rest> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        (0..self.ends.len() as u32)
            .zip(starts)
            .map(|(line, from)| Rest { line, from })
    }

    /// The symbols of a line from a place on.
    #[inline]
    pub(super) fn behind(&self, rest: Rest) -> &[u32] {
        &self.symbols[rest.from as usize..self.ends[rest.line as usize] as usize]
    }

    #[inline]
    pub(super) fn secrets_of(&self, rest: Rest) -> &[u32] {
        let first = rest.line as usize * self.columns;
        &self.secrets[first..first + self.columns]
    }
}
