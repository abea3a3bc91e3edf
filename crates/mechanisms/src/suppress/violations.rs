//! The minimal violating sequences that are left, where they occur, and what each doublet has to do
//! with them.

use super::lists::Lists;
use super::table::Table;
use super::working::Working;

/// Whether all of one rising list are in another.
pub(super) fn is_subset(small: &[u32], large: &[u32]) -> bool {
    small.iter().all(|item| large.binary_search(item).is_ok())
}

/// Stands for the first record of a dead one.
const NOWHERE: u32 = u32::MAX;

/// Number of a minimal violating sequence.
pub(super) type Mvs = u32;

/// The minimal violating sequences with the records that hold them.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    sequences: Lists,
    records: Lists,
}

impl Found {
    pub(super) fn push(&mut self, sequence: &[u32], records: &[u32]) {
        self.sequences.push(sequence);
        self.records.push(records);
    }

    pub(super) fn append(&mut self, other: Found) {
        self.sequences.append(other.sequences);
        self.records.append(other.records);
    }

    pub(super) fn len(&self) -> usize {
        self.sequences.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn sequence(&self, mvs: Mvs) -> &[u32] {
        self.sequences.get(mvs)
    }

    pub(super) fn records(&self, mvs: Mvs) -> &[u32] {
        self.records.get(mvs)
    }
}

/// The same while they are being removed.
#[derive(Clone, Debug)]
pub(super) struct Violations {
    found: Found,
    /// Those that each instance is part of: by place in the table's records.
    at_instance: Lists,
    /// Those that hold each doublet, dead ones too.
    with_doublet: Lists,
    /// The first record of each, for quick looks; [`NOWHERE`] where it is dead.
    firsts: Vec<u32>,
    /// How many living ones hold each doublet.
    gains: Vec<u32>,
    living: usize,
}

impl Violations {
    pub(super) fn new(found: Found, working: &Working<'_>) -> Self {
        let (known, table) = (&found, working.table);
        let all = || 0..known.len() as Mvs;
        let at_instance = Lists::gather(table.instances(), || {
            all().flat_map(|mvs| {
                let doublets = move || known.sequence(mvs).iter();
                let here =
                    move |&record| doublets().map(move |&d| (table.instance(record, d), mvs));
                known.records(mvs).iter().flat_map(here)
            })
        });
        let with_doublet = Lists::gather(working.table.doublets(), || {
            all().flat_map(|mvs| {
                known
                    .sequence(mvs)
                    .iter()
                    .map(move |&doublet| (doublet, mvs))
            })
        });
        let doublets = 0..table.doublets() as u32;
        let gains = doublets.map(|doublet| with_doublet.get(doublet).len() as u32);
        let first = |mvs| known.records(mvs).first().copied().unwrap_or(NOWHERE);
        Self {
            gains: gains.collect(),
            firsts: all().map(first).collect(),
            living: found.len(),
            at_instance,
            with_doublet,
            found,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.living == 0
    }

    /// Living and dead ones.
    pub(super) fn all(&self) -> std::ops::Range<Mvs> {
        0..self.found.len() as Mvs
    }

    pub(super) fn sequence(&self, mvs: Mvs) -> &[u32] {
        self.found.sequence(mvs)
    }

    /// The records that hold it now; none where it is dead.
    #[inline]
    pub(super) fn records(&self, mvs: Mvs) -> &[u32] {
        self.found.records(mvs)
    }

    pub(super) fn lives(&self, mvs: Mvs) -> bool {
        self.firsts[mvs as usize] != NOWHERE
    }

    /// Those in a record that hold a doublet of it.
    #[inline]
    pub(super) fn at(&self, table: &Table, record: u32, doublet: u32) -> &[Mvs] {
        self.at_instance.get(table.instance(record, doublet))
    }

    /// The living ones that hold a doublet.
    pub(super) fn with_doublet(&self, doublet: u32) -> impl Iterator<Item = Mvs> {
        let all = self.with_doublet.get(doublet).iter().copied();
        all.filter(|&mvs| self.lives(mvs))
    }

    /// How many living ones hold a doublet: the gain of suppressing it everywhere.
    pub(super) fn global_gain(&self, doublet: u32) -> u32 {
        self.gains[doublet as usize]
    }

    /// How many go when a doublet of `mvs` is taken out of the records of `mvs`: those that hold the
    /// doublet and occur nowhere else.
    pub(super) fn local_gain(&self, table: &Table, doublet: u32, mvs: Mvs) -> u32 {
        let records = self.records(mvs);
        let goes = |other: Mvs, record: u32| {
            // Counted once, at its first record.
            self.firsts[other as usize] == record && is_subset(self.records(other), records)
        };
        let gain = |&record: &u32| {
            let here = self.at(table, record, doublet).iter();
            here.filter(|&&other| goes(other, record)).count() as u32
        };
        records.iter().map(gain).sum()
    }

    /// Those that hold a doublet and occur in one of these records, rising, each once.
    pub(super) fn touched(&self, table: &Table, doublet: u32, records: &[u32]) -> Vec<Mvs> {
        let here = records
            .iter()
            .flat_map(|&record| self.at(table, record, doublet));
        let mut touched: Vec<Mvs> = here.copied().collect();
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Notes that a doublet is gone from these records (rising), that all `touched` ones hold it, and
    /// that `vanished` ones of them violate no more.
    pub(super) fn remove(
        &mut self,
        table: &Table,
        touched: &[Mvs],
        doublet: u32,
        records: &[u32],
        vanished: &[Mvs],
    ) {
        for &record in records {
            let gone = self.at(table, record, doublet).to_vec();
            for mvs in gone {
                self.leave(table, mvs, record);
            }
        }
        for &mvs in touched {
            self.found
                .records
                .retain(mvs, |record| records.binary_search(&record).is_err());
            if vanished.contains(&mvs) {
                for record in self.records(mvs).to_vec() {
                    self.leave(table, mvs, record);
                }
                self.found.records.retain(mvs, |_| false);
            }
            let first = self.records(mvs).first();
            self.firsts[mvs as usize] = first.copied().unwrap_or(NOWHERE);
            if !self.lives(mvs) {
                self.living -= 1;
                for &doublet in self.found.sequences.get(mvs) {
                    self.gains[doublet as usize] -= 1;
                }
            }
        }
    }

    /// Forgets that a record holds a sequence.
    fn leave(&mut self, table: &Table, mvs: Mvs, record: u32) {
        for &doublet in self.found.sequences.get(mvs) {
            let instance = table.instance(record, doublet);
            self.at_instance.retain(instance, |other| other != mvs);
        }
    }
}
