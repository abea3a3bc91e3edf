//! The table while doublets are being taken out of it.

use super::table::Table;

/// What is left of each record. Nothing is ever put back.
#[derive(Clone, Debug)]
pub(super) struct Working<'a> {
    pub(super) table: &'a Table,
    codes: Vec<u32>,
    /// How many doublets each record still has.
    lengths: Vec<u32>,
    /// How many records still hold each doublet.
    held: Vec<u32>,
    /// Where the records that held a doublet at first begin in `holders`.
    holder_starts: Vec<u32>,
    holders: Vec<u32>,
}

impl<'a> Working<'a> {
    pub(super) fn new(table: &'a Table) -> Self {
        let mut held = vec![0_u32; table.doublets()];
        for &code in &table.codes {
            held[code as usize] += 1;
        }
        let mut holder_starts = Vec::with_capacity(held.len() + 1);
        let mut end = 0;
        for &count in &held {
            holder_starts.push(end);
            end += count;
        }
        holder_starts.push(end);
        let mut next = holder_starts.clone();
        let mut holders = vec![0; table.codes.len()];
        for record in 0..table.len() as u32 {
            for &code in table.record(record) {
                let slot = &mut next[code as usize];
                holders[*slot as usize] = record;
                *slot += 1;
            }
        }
        Self {
            table,
            codes: table.codes.clone(),
            lengths: table
                .starts
                .windows(2)
                .map(|pair| pair[1] - pair[0])
                .collect(),
            held,
            holder_starts,
            holders,
        }
    }

    /// What is left of a record, rising.
    #[inline]
    pub(super) fn record(&self, record: u32) -> &[u32] {
        let start = self.table.starts[record as usize] as usize;
        &self.codes[start..start + self.lengths[record as usize] as usize]
    }

    #[inline]
    pub(super) fn holds(&self, record: u32, doublet: u32) -> bool {
        self.record(record).contains(&doublet)
    }

    /// Whether a record holds every doublet of a rising sequence.
    pub(super) fn holds_all(&self, record: u32, sequence: &[u32]) -> bool {
        contains_all(self.record(record), sequence)
    }

    /// How many records hold a doublet.
    pub(super) fn held(&self, doublet: u32) -> u32 {
        self.held[doublet as usize]
    }

    /// The records that hold a doublet, rising.
    pub(super) fn holders(&self, doublet: u32) -> impl Iterator<Item = u32> {
        let at = doublet as usize;
        let range = self.holder_starts[at] as usize..self.holder_starts[at + 1] as usize;
        let holders = match self.held[at] {
            0 => &[],
            _ => &self.holders[range],
        };
        // Most have not lost anything yet.
        let all = holders.len() == self.held[at] as usize;
        let holders = holders.iter().copied();
        holders.filter(move |&record| all || self.holds(record, doublet))
    }

    /// Takes a doublet out of records that hold it.
    pub(super) fn remove(&mut self, doublet: u32, records: &[u32]) {
        for &record in records {
            let start = self.table.starts[record as usize] as usize;
            let length = &mut self.lengths[record as usize];
            let row = &mut self.codes[start..start + *length as usize];
            if let Some(at) = row.iter().position(|&code| code == doublet) {
                row.copy_within(at + 1.., at);
                *length -= 1;
                self.held[doublet as usize] -= 1;
            }
        }
    }

    /// The length of the longest record.
    pub(super) fn longest(&self) -> usize {
        self.lengths.iter().copied().max().unwrap_or(0) as usize
    }

    /// How many records there were at first.
    pub(super) fn len(&self) -> u32 {
        self.lengths.len() as u32
    }
}

/// Whether one rising list holds all of another.
pub(super) fn contains_all(row: &[u32], sequence: &[u32]) -> bool {
    let mut row = row.iter();
    sequence.iter().all(|wanted| row.any(|code| code == wanted))
}
