//! The paper's algorithm to the letter, with its errors. Its outputs may violate; it is here to be
//! compared with on small data: tens of thousands of records take it minutes or more.
//!
//! - Procedure 1 joins doublets of different bins only, so that it never sees two in one bin, and
//!   prunes by the level before only.
//! - Procedure 2 leaves out every doublet of every minimal violating sequence that holds the one to
//!   be suppressed, and so overlooks sequences from the third doublet on.
//! - Algorithm 1 checks a local suppression when it is scored, not when it is made.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::greedy::{EVERYWHERE, Step, Steps};
use super::tally::Judge;
use super::utility::Utility;
use super::violations::Mvs;
use super::working::{Working, contains_all};

type Sequence = Vec<u32>;

/// Procedure 1: what it takes for the minimal violating sequences, with their records.
fn violating(
    working: &Working<'_>,
    judge: &Judge,
    length: usize,
) -> (Vec<Sequence>, Vec<Vec<u32>>) {
    let doublets = 0..working.table.doublets() as u32;
    let mut candidates: Vec<(Sequence, Vec<u32>)> = doublets
        .map(|doublet| (vec![doublet], working.holders(doublet).collect()))
        .collect();
    let (mut sequences, mut records) = (Vec::new(), Vec::new());
    for _ in 0..length {
        candidates.retain(|(_, records)| !records.is_empty());
        let (bad, good): (Vec<_>, Vec<_>) = candidates
            .into_iter()
            .partition(|(_, records)| judge.violates(&judge.tally(working.table, records)));
        let (bad, in_bad): (Vec<Sequence>, Vec<Vec<u32>>) = bad.into_iter().unzip();
        candidates = join(working, &good, &bad.iter().collect());
        sequences.extend(bad);
        records.extend(in_bad);
    }
    (sequences, records)
}

/// Pairs of sequences that differ in the last doublet only, by rising bins; none with a part in
/// `bad`.
fn join(
    working: &Working<'_>,
    good: &[(Sequence, Vec<u32>)],
    bad: &FxHashSet<&Sequence>,
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
    let (sequences, records) = violating(working, judge, length);
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
        records,
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
    /// T(m) as it is now.
    records: Vec<Vec<u32>>,
    /// V(p): the sequences left that hold each doublet.
    with_doublet: BTreeMap<u32, BTreeSet<Mvs>>,
    scores: BTreeSet<Step>,
    score_of: BTreeMap<(u32, Mvs), Step>,
    steps: Steps,
}

impl State<'_, '_> {
    fn left_with(&self, doublet: u32) -> Vec<Mvs> {
        let left = self.with_doublet.get(&doublet);
        left.into_iter().flatten().copied().collect()
    }

    /// Those with a doublet in exactly these records (line 7).
    fn gone_with(&self, doublet: u32, records: &[u32]) -> Vec<Mvs> {
        let mut left = self.left_with(doublet);
        left.retain(|&mvs| self.records[mvs as usize] == records);
        left
    }

    fn take(&mut self, step: Step) {
        let (records, gone) = if step.mvs == EVERYWHERE {
            self.steps.global += 1;
            let records = self.working.holders(step.doublet).collect();
            (records, self.left_with(step.doublet))
        } else {
            self.steps.local += 1;
            let records = self.records[step.mvs as usize].clone();
            let gone = self.gone_with(step.doublet, &records);
            (records, gone)
        };
        let mut changed = self.utility.removing(self.working, step.doublet, &records);
        self.working.remove(step.doublet, &records);
        for mvs in self.left_with(step.doublet) {
            self.records[mvs as usize].retain(|record| records.binary_search(record).is_err());
        }
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
            for (step, mvs) in self.local_steps(doublet, &left) {
                self.set((doublet, mvs), step);
            }
        }
    }

    /// The valid ones among the local steps with a doublet, by sequence.
    fn local_steps(&self, doublet: u32, left: &[Mvs]) -> Vec<(Option<Step>, Mvs)> {
        if !self.local {
            return Vec::new();
        }
        let mut gains: FxHashMap<&[u32], u32> = FxHashMap::default();
        let mut left_out: FxHashSet<u32> = FxHashSet::default();
        for &mvs in left {
            *gains.entry(&self.records[mvs as usize]).or_default() += 1;
            left_out.extend(&self.sequences[mvs as usize]);
        }
        left_out.remove(&doublet);
        let step = |mvs: Mvs| {
            let records = self.records[mvs as usize].as_slice();
            self.is_valid(doublet, records, &left_out).then(|| Step {
                gain: gains.get(records).copied().unwrap_or(0),
                loss: self.utility.loss(self.working, doublet, records),
                mvs,
                doublet,
            })
        };
        left.iter().map(|&mvs| (step(mvs), mvs)).collect()
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

    /// Procedure 2. Its line 3 leaves out the doublets of V(p), and those that violate alone.
    fn is_valid(&self, doublet: u32, records: &[u32], left_out: &FxHashSet<u32>) -> bool {
        let rows = records
            .iter()
            .flat_map(|&record| self.working.record(record));
        let looked_at: FxHashSet<u32> = rows
            .copied()
            .filter(|code| !left_out.contains(code) && !self.violates_alone(*code))
            .chain([doublet])
            .collect();
        let mut holders: FxHashMap<Sequence, Vec<u32>> = FxHashMap::default();
        let others = self.working.holders(doublet);
        for record in others.filter(|record| records.binary_search(record).is_err()) {
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
                || self.holds_another(sequence, doublet)
        })
    }

    fn violates_alone(&self, doublet: u32) -> bool {
        let with = self.with_doublet.get(&doublet).into_iter().flatten();
        with.take(1)
            .any(|&mvs| self.sequences[mvs as usize].len() == 1)
    }

    /// Whether one of the sequences left without a doublet is in this one (line 4).
    fn holds_another(&self, sequence: &[u32], doublet: u32) -> bool {
        let near = sequence.iter().flat_map(|&code| self.left_with(code));
        near.into_iter().any(|mvs| {
            let other = &self.sequences[mvs as usize];
            !other.contains(&doublet) && contains_all(sequence, other)
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
