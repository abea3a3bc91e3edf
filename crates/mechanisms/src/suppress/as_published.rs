//! The paper's algorithm to the letter, with its errors. Its outputs may violate; it is here to be
//! compared with, and is not made to be fast.
//!
//! - Procedure 1 joins doublets of different bins only, so that it never sees two in one bin, and
//!   prunes by the level before only.
//! - Procedure 2 leaves out every doublet of every minimal violating sequence that holds the one to
//!   be suppressed, and so overlooks sequences from the third doublet on.
//! - Algorithm 1 checks a local suppression when it is scored, not when it is made.

use std::collections::{BTreeMap, BTreeSet};

use super::greedy::{EVERYWHERE, Step, Steps};
use super::tally::Judge;
use super::utility::Utility;
use super::violations::Mvs;
use super::working::{Working, contains_all};

type Sequence = Vec<u32>;

/// Procedure 1: what it takes for the minimal violating sequences.
pub(super) fn violating(working: &Working<'_>, judge: &Judge, length: usize) -> Vec<Sequence> {
    let doublets = 0..working.table.doublets() as u32;
    let mut candidates: Vec<(Sequence, Vec<u32>)> = doublets
        .map(|doublet| (vec![doublet], working.holders(doublet).collect()))
        .collect();
    let mut all = Vec::new();
    for _ in 0..length {
        candidates.retain(|(_, records)| !records.is_empty());
        let (bad, good): (Vec<_>, Vec<_>) = candidates
            .into_iter()
            .partition(|(_, records)| judge.violates(&judge.tally(working.table, records)));
        let bad: BTreeSet<Sequence> = bad.into_iter().map(|(sequence, _)| sequence).collect();
        candidates = join(working, &good, &bad);
        all.extend(bad);
    }
    all
}

/// Pairs of sequences that differ in the last doublet only, by rising bins; none with a part in
/// `bad`.
fn join(
    working: &Working<'_>,
    good: &[(Sequence, Vec<u32>)],
    bad: &BTreeSet<Sequence>,
) -> Vec<(Sequence, Vec<u32>)> {
    let mut joined = Vec::new();
    let groups = good.chunk_by(|(a, _), (b, _)| a[..a.len() - 1] == b[..b.len() - 1]);
    for group in groups {
        for (at, (x, in_x)) in group.iter().enumerate() {
            for (y, in_y) in &group[at + 1..] {
                let mut sequence = x.clone();
                sequence.extend(y.last());
                let has_bad = (0..sequence.len()).any(|left_out| {
                    let mut part = sequence.clone();
                    part.remove(left_out);
                    bad.contains(&part)
                });
                if bins_rise(working, &sequence) && !has_bad {
                    joined.push((sequence, common(in_x, in_y)));
                }
            }
        }
    }
    joined
}

fn bins_rise(working: &Working<'_>, sequence: &[u32]) -> bool {
    let bin = |doublet| working.table.doublet(doublet).0;
    sequence.windows(2).all(|pair| bin(pair[0]) < bin(pair[1]))
}

/// What two rising lists have in common.
fn common(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut rest = other.iter().peekable();
    let mut both = Vec::new();
    for &item in one {
        while rest.next_if(|&&next| next < item).is_some() {}
        if rest.peek() == Some(&&item) {
            both.push(item);
        }
    }
    both
}

/// Algorithm 1, from line 3 on.
pub(super) fn run(
    working: &mut Working<'_>,
    judge: &Judge,
    utility: &mut dyn Utility,
    length: usize,
    local: bool,
) -> (u64, Steps) {
    let sequences = violating(working, judge, length);
    let found = sequences.len() as u64;
    let mut with_doublet: BTreeMap<u32, BTreeSet<Mvs>> = BTreeMap::new();
    for (mvs, sequence) in sequences.iter().enumerate() {
        for &doublet in sequence {
            with_doublet.entry(doublet).or_default().insert(mvs as Mvs);
        }
    }
    let all: Vec<u32> = with_doublet.keys().copied().collect();
    let mut state = State {
        working,
        judge,
        utility,
        length,
        local,
        sequences,
        with_doublet,
        scores: BTreeSet::new(),
        score_of: BTreeMap::new(),
        steps: Steps::default(),
    };
    state.update(&all);
    while let Some(step) = state.scores.pop_last() {
        state.take(step);
    }
    (found, state.steps)
}

struct State<'a, 'w> {
    working: &'a mut Working<'w>,
    judge: &'a Judge,
    utility: &'a mut dyn Utility,
    length: usize,
    local: bool,
    sequences: Vec<Sequence>,
    /// V(p): the sequences left that hold each doublet.
    with_doublet: BTreeMap<u32, BTreeSet<Mvs>>,
    scores: BTreeSet<Step>,
    score_of: BTreeMap<(u32, Mvs), Step>,
    steps: Steps,
}

impl State<'_, '_> {
    fn records(&self, mvs: Mvs) -> Vec<u32> {
        let sequence = &self.sequences[mvs as usize];
        let holders = self.working.holders(sequence[0]);
        holders
            .filter(|&record| self.working.holds_all(record, sequence))
            .collect()
    }

    fn left_with(&self, doublet: u32) -> Vec<Mvs> {
        let left = self.with_doublet.get(&doublet);
        left.into_iter().flatten().copied().collect()
    }

    /// Those with a doublet in exactly these records (line 7).
    fn gone_with(&self, doublet: u32, records: &[u32]) -> Vec<Mvs> {
        let mut left = self.left_with(doublet);
        left.retain(|&mvs| self.records(mvs) == records);
        left
    }

    fn take(&mut self, step: Step) {
        let (records, gone) = if step.mvs == EVERYWHERE {
            self.steps.global += 1;
            let records = self.working.holders(step.doublet).collect();
            (records, self.left_with(step.doublet))
        } else {
            self.steps.local += 1;
            let records = self.records(step.mvs);
            let gone = self.gone_with(step.doublet, &records);
            (records, gone)
        };
        let mut changed = self.utility.removing(self.working, step.doublet, &records);
        self.working.remove(step.doublet, &records);
        for &mvs in &gone {
            for &doublet in &self.sequences[mvs as usize] {
                if let Some(left) = self.with_doublet.get_mut(&doublet) {
                    left.remove(&mvs);
                }
                if let Some(score) = self.score_of.remove(&(doublet, mvs)) {
                    self.scores.remove(&score);
                }
                changed.push(doublet);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        self.update(&changed);
    }

    /// Scores, and checks, all steps with these doublets anew (lines 3 and 14).
    fn update(&mut self, doublets: &[u32]) {
        for &doublet in doublets {
            let left = self.left_with(doublet);
            let everywhere = (!left.is_empty()).then(|| Step {
                gain: left.len() as u32,
                loss: self.utility.loss_everywhere(self.working, doublet),
                mvs: EVERYWHERE,
                doublet,
            });
            self.set((doublet, EVERYWHERE), everywhere);
            for mvs in left {
                let records = self.records(mvs);
                let valid = self.local && self.is_valid(doublet, &records);
                let step = valid.then(|| Step {
                    gain: self.gone_with(doublet, &records).len() as u32,
                    loss: self.utility.loss(self.working, doublet, &records),
                    mvs,
                    doublet,
                });
                self.set((doublet, mvs), step);
            }
        }
    }

    fn set(&mut self, key: (u32, Mvs), step: Option<Step>) {
        if let Some(old) = self.score_of.remove(&key) {
            self.scores.remove(&old);
        }
        if let Some(step) = step {
            self.score_of.insert(key, step);
            self.scores.insert(step);
        }
    }

    /// Procedure 2.
    fn is_valid(&self, doublet: u32, records: &[u32]) -> bool {
        let others = self.working.holders(doublet);
        let others: Vec<u32> = others
            .filter(|r| records.binary_search(r).is_err())
            .collect();
        let union = |records: &[u32]| -> BTreeSet<u32> {
            let rows = records
                .iter()
                .flat_map(|&record| self.working.record(record));
            rows.copied().collect()
        };
        let mut looked_at = &union(records) & &union(&others);
        let with = self.left_with(doublet);
        let single = |sequence: &&Sequence| sequence.len() == 1;
        let single: Vec<&Sequence> = self
            .left()
            .map(|(_, sequence)| sequence)
            .filter(single)
            .collect();
        let left_out = with
            .iter()
            .map(|&mvs| &self.sequences[mvs as usize])
            .chain(single);
        for other in left_out.flatten().filter(|&&other| other != doublet) {
            looked_at.remove(other);
        }
        let mut holders: BTreeMap<Sequence, Vec<u32>> = BTreeMap::new();
        for &record in &others {
            let row = self.working.record(record).iter().copied();
            let row: Vec<u32> = row.filter(|code| looked_at.contains(code)).collect();
            for_each_part(&row, self.length, &mut Vec::new(), &mut |part| {
                if bins_rise(self.working, part) {
                    holders.entry(part.to_vec()).or_default().push(record);
                }
            });
        }
        holders.iter().all(|(sequence, records)| {
            !self
                .judge
                .violates(&self.judge.tally(self.working.table, records))
                || self
                    .left()
                    .any(|(mvs, other)| !with.contains(&mvs) && contains_all(sequence, other))
        })
    }

    /// The sequences left.
    fn left(&self) -> impl Iterator<Item = (Mvs, &Sequence)> {
        let all = (0..).zip(&self.sequences);
        all.filter(|(mvs, sequence)| {
            let with_first = self.with_doublet.get(&sequence[0]);
            with_first.is_some_and(|left| left.contains(mvs))
        })
    }
}

/// Calls `visit` with every part of a rising list of 1 to `length` items.
fn for_each_part(row: &[u32], length: usize, part: &mut Sequence, visit: &mut dyn FnMut(&[u32])) {
    if part.len() == length {
        return;
    }
    for (at, &code) in row.iter().enumerate() {
        part.push(code);
        visit(part);
        for_each_part(&row[at + 1..], length, part, visit);
        part.pop();
    }
}
