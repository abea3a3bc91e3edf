//! Whether a doublet can be taken out of some records without a new violation, and what that does
//! to the counts.
//!
//! Taking `p` out of records `R` changes the counts of no sequence but those that hold `p` and occur
//! in `R`. Each is one of three:
//!
//! 1. clean. Its new counts are the old ones less what `R` contributes, and must not violate.
//! 2. minimal violating. It is gone when all its records are in `R`; it still violates when too few
//!    owners are left, or when the confidence is still too high. Otherwise it has *vanished*: it
//!    occurs and violates no more.
//! 3. longer than a minimal violating one in it. While one of these violates, this one is no new
//!    minimal one. When all of them have vanished it is *uncovered*, and must not violate.
//!
//! This is checked against the counts of the table as it is, which are exact at all times.

use std::collections::BTreeMap;

use super::clean::{Clean, Node};
use super::table::{NO_SECRET, Table};
use super::tally::Judge;
use super::violations::{Mvs, Violations};
use super::working::{Working, contains_all};

/// What taking a doublet out would do to the sequences that hold it.
#[derive(Default)]
pub(super) struct Consequences {
    /// The minimal violating sequences that lose records, rising.
    pub(super) touched: Vec<Mvs>,
    /// Those of them that occur and violate no more.
    pub(super) vanished: Vec<Mvs>,
    /// What becomes clean, shorter ones first, with counts.
    uncovered: Vec<(Vec<u32>, Vec<u32>)>,
}

/// What clean sequences lose; buffers are kept.
#[derive(Default)]
pub(super) struct Losses {
    rows: Vec<u32>,
    touched: Vec<Node>,
    path: Vec<u32>,
}

/// The table as it is, and what is known about it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) working: &'a Working<'a>,
    pub(super) judge: &'a Judge,
    pub(super) clean: &'a Clean,
    pub(super) violations: &'a Violations,
    /// The greatest length of a sequence.
    pub(super) length: usize,
}

impl View<'_> {
    /// What follows from taking a doublet out of these records (rising, all holding it); nothing
    /// where that would make a new minimal violating sequence. What clean sequences lose is left in
    /// `losses`.
    pub(super) fn check(
        &self,
        doublet: u32,
        records: &[u32],
        losses: &mut Losses,
    ) -> Option<Consequences> {
        losses.gather(self, doublet, records);
        let width = self.judge.width();
        let mut after = vec![0; width];
        for &node in &losses.touched {
            let lost = &losses.rows[node as usize * width..][..width];
            for ((after, count), lost) in after.iter_mut().zip(self.clean.row(node)).zip(lost) {
                *after = count - lost;
            }
            if self.judge.violates(&after) {
                return None;
            }
        }
        self.violating(doublet, records)
    }

    /// The second and third kind of sequences.
    fn violating(&self, doublet: u32, records: &[u32]) -> Option<Consequences> {
        let touched = self
            .violations
            .touched(self.working.table, doublet, records);
        let mut vanished: Vec<(Mvs, Vec<u32>)> = Vec::new();
        if self.judge.counts_secrets() {
            for &mvs in &touched {
                let left = self.violations.records(mvs).iter().copied();
                let left: Vec<u32> = left.filter(|r| records.binary_search(r).is_err()).collect();
                let row = self.judge.tally(self.working.table, &left);
                if !left.is_empty() && !self.judge.violates(&row) {
                    vanished.push((mvs, left));
                }
            }
        }
        let uncovered = self.uncovered(&vanished)?;
        Some(Consequences {
            touched,
            vanished: vanished.into_iter().map(|(mvs, _)| mvs).collect(),
            uncovered,
        })
    }

    /// What becomes clean when these vanish, each with the records that still hold it; nothing where
    /// one of them violates.
    fn uncovered(&self, vanished: &[(Mvs, Vec<u32>)]) -> Option<Vec<(Vec<u32>, Vec<u32>)>> {
        let mut uncovered: BTreeMap<(usize, Vec<u32>), Vec<u32>> = BTreeMap::new();
        for (mvs, left) in vanished {
            let core = self.violations.sequence(*mvs);
            let mut longer: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
            for &record in left {
                let row = self.working.record(record);
                for_each_superset(row, core, self.length, &mut |sequence| {
                    longer.entry(sequence.to_vec()).or_default().push(record);
                });
            }
            for (sequence, records) in longer {
                if self.still_covered(&sequence, records[0], vanished) {
                    continue;
                }
                let row = self.judge.tally(self.working.table, &records);
                if self.judge.violates(&row) {
                    return None;
                }
                uncovered.insert((sequence.len(), sequence), row);
            }
        }
        let shorter_first = uncovered.into_iter();
        Some(
            shorter_first
                .map(|((_, sequence), row)| (sequence, row))
                .collect(),
        )
    }

    /// Whether a minimal violating sequence that has not vanished is in this one, which occurs in
    /// `record`.
    fn still_covered(&self, sequence: &[u32], record: u32, vanished: &[(Mvs, Vec<u32>)]) -> bool {
        let table = self.working.table;
        let here = sequence
            .iter()
            .flat_map(|&doublet| self.violations.at(table, record, doublet));
        here.into_iter().any(|mvs| {
            let gone = vanished.iter().any(|(other, _)| other == mvs);
            !gone && contains_all(sequence, self.violations.sequence(*mvs))
        })
    }
}

/// Calls `visit` with every part of `row` that holds all of `core` and has at most `length` doublets.
fn for_each_superset(row: &[u32], core: &[u32], length: usize, visit: &mut dyn FnMut(&[u32])) {
    fn add(others: &[u32], sequence: &[u32], room: usize, visit: &mut dyn FnMut(&[u32])) {
        visit(sequence);
        if room == 0 {
            return;
        }
        for (position, &other) in others.iter().enumerate() {
            let mut longer = sequence.to_vec();
            longer.insert(longer.partition_point(|&code| code < other), other);
            add(&others[position + 1..], &longer, room - 1, visit);
        }
    }
    let others: Vec<u32> = row
        .iter()
        .copied()
        .filter(|code| !core.contains(code))
        .collect();
    add(&others, core, length.saturating_sub(core.len()), visit);
}

impl Losses {
    /// Adds up what clean sequences with a doublet lose with these records.
    fn gather(&mut self, view: &View<'_>, doublet: u32, records: &[u32]) {
        let width = view.judge.width();
        for node in self.touched.drain(..) {
            self.rows[node as usize * width..][..width].fill(0);
        }
        self.rows.resize(view.clean.len() * width, 0);
        for &record in records {
            let row = view.working.record(record);
            let Ok(at) = row.binary_search(&doublet) else {
                continue;
            };
            let walk = Walk {
                view,
                records,
                record,
                before: &row[..at],
                doublet,
                after: &row[at + 1..],
            };
            self.path.clear();
            walk.towards(self, Clean::ROOT, 0);
        }
    }

    /// Takes what was gathered off the counts, and adds what has become clean.
    pub(super) fn apply(&self, clean: &mut Clean, consequences: &Consequences) {
        for &node in &self.touched {
            let row = clean.row_mut(node);
            let lost = &self.rows[node as usize * row.len()..][..row.len()];
            for (count, lost) in row.iter_mut().zip(lost) {
                *count -= lost;
            }
        }
        for (sequence, row) in &consequences.uncovered {
            if let Some((&last, begin)) = sequence.split_last()
                && let Some(parent) = clean.find(begin.iter().copied())
            {
                clean.insert(parent, last, row);
            }
        }
    }

    fn add(&mut self, walk: &Walk<'_>, node: Node) {
        let judge = walk.view.judge;
        let width = judge.width();
        let row = &mut self.rows[node as usize * width..][..width];
        // Every record counts in the last part.
        if row[width - judge.part] == 0 {
            self.touched.push(node);
        }
        let table = walk.view.working.table;
        if judge.both {
            let (owners, records) = row.split_at_mut(judge.part);
            records[0] += 1;
            owners[0] += u32::from(walk.owner_goes(table, &self.path, None));
            if judge.counts_secrets() {
                for secret in secrets_of(table, walk.record) {
                    let at = 1 + secret as usize;
                    records[at] += 1;
                    owners[at] += u32::from(walk.owner_goes(table, &self.path, Some(secret)));
                }
            }
        } else {
            row[0] += 1;
            if judge.counts_secrets() {
                for secret in secrets_of(table, walk.record) {
                    row[1 + secret as usize] += 1;
                }
            }
        }
    }
}

fn secrets_of(table: &Table, record: u32) -> impl Iterator<Item = u32> {
    let secrets = table.secrets_of(record).iter().copied();
    secrets.filter(|&secret| secret != NO_SECRET)
}

/// The way through the clean sequences of one record that hold a doublet.
struct Walk<'a> {
    view: &'a View<'a>,
    /// All records that lose the doublet.
    records: &'a [u32],
    record: u32,
    before: &'a [u32],
    doublet: u32,
    after: &'a [u32],
}

impl Walk<'_> {
    /// From a sequence without the doublet, which may take more of `before` from a place on.
    fn towards(&self, losses: &mut Losses, node: Node, from: usize) {
        let room = self.view.length - losses.path.len();
        if room > 1 {
            for at in from..self.before.len() {
                let next = self.before[at];
                if let Some(child) = self.view.clean.child(node, next) {
                    losses.path.push(next);
                    self.towards(losses, child, at + 1);
                    losses.path.pop();
                }
            }
        }
        if let Some(child) = self.view.clean.child(node, self.doublet) {
            losses.path.push(self.doublet);
            self.beyond(losses, child, 0);
            losses.path.pop();
        }
    }

    /// From a sequence with the doublet, which may take more of `after` from a place on.
    fn beyond(&self, losses: &mut Losses, node: Node, from: usize) {
        losses.add(self, node);
        if losses.path.len() == self.view.length {
            return;
        }
        for at in from..self.after.len() {
            let next = self.after[at];
            if let Some(child) = self.view.clean.child(node, next) {
                losses.path.push(next);
                self.beyond(losses, child, at + 1);
                losses.path.pop();
            }
        }
    }

    /// Whether this record is the first of its owner's that hold the sequence (and the secret), and
    /// none of them keeps the doublet.
    fn owner_goes(&self, table: &Table, sequence: &[u32], secret: Option<u32>) -> bool {
        let has = |record| secret.is_none_or(|secret| table.secrets_of(record).contains(&secret));
        let mut holders = table
            .siblings(self.record)
            .filter(|&record| has(record) && self.view.working.holds_all(record, sequence));
        let first = holders.next();
        first == Some(self.record)
            && holders.all(|record| self.records.binary_search(&record).is_ok())
    }
}
