//! Weights for the pool, under which it counts as the noisy counts tell. Post-processing.
//!
//! Groups enter one after another, coarse ones first. A group that the pool was drawn from brings its targets
//! along. Of any other, what the pool expects when it enters is weighed against its noisy counts (`denoise`):
//! no noisy count is used twice. Then the weight of every candidate is multiplied by a factor for each of its
//! cells, again and again: improved iterative scaling, with steps shortened where the target is uncertain.
//! What comes out is the maximum-entropy reweighting of the pool for the targets, as far as it was run: until
//! the mean step of a candidate falls below [`SETTLED`], and so many rounds at most.

use rayon::prelude::*;
use wayveil_core::Sequences;

use super::denoise::{Estimate, denoise};
use super::features::UNITS;
use super::measure::{Counts, Measured};
use super::shape::Recent;
use super::times::Visits;

/// The mean absolute step of a candidate's logarithm over all groups, per round, at which fitting ends.
const SETTLED: f64 = 5e-3;
/// The most rounds over all groups: few for large pools, which take long and have been told much.
const FEWEST_ROUNDS: usize = 12;
const MOST_ROUNDS: usize = 48;
/// Candidates in all rounds together, between those bounds.
const WORK: usize = 20_000_000;
/// Rounds after each entry but the last.
const WARM_UP: usize = 1;
/// How much longer steps are at first than those that are sure not to overshoot, since a candidate's cells
/// seldom all pull one way; and how much at last where they do.
const BOLD: f64 = 1.5;
const TIMID: f64 = 0.5;
/// The largest step of a cell's logarithm in one round.
const STRIDE: f64 = 1.5;
/// Bounds of a candidate's logarithm, that no single one becomes a crowd.
const LEAST: f64 = -12.0;
const GREATEST: f64 = 5.0;
/// Strides change slowly: they are worked out anew every so many rounds.
const REFRESH: usize = 4;
/// Pieces of the pool: a fixed number, so that sums do not depend on threads.
const PIECES: usize = 4;
/// Fewer candidates than this are not worth another thread.
const SMALLEST_PIECE: usize = 1_024;
/// A cell that no candidate has.
const UNREACHED: u32 = u32::MAX;

/// A group to fit, with its targets where they are known beforehand.
pub(super) struct Wanted<'a> {
    pub(super) measured: &'a Measured,
    pub(super) targets: Option<Vec<Estimate>>,
    /// What is counted of candidates where it is not the pool itself.
    pub(super) lists: Option<&'a Sequences>,
}

/// What was known of a group when it entered: cells that a candidate has, by their number.
pub(super) struct Fitted<'a> {
    pub(super) measured: &'a Measured,
    pub(super) cells: Vec<u64>,
    /// What the noisy counts told of them, in units.
    pub(super) targets: Vec<Estimate>,
    /// What the pool had expected of them; empty where targets were known beforehand.
    pub(super) before: Vec<f64>,
    /// What cells that no candidate has are thought to hold together, in units.
    pub(super) beyond: f64,
}

/// The pool with its weights.
pub(super) struct Weighted<'a> {
    pool: &'a Sequences,
    /// Logarithms of the candidates' weights, relative to equal ones.
    logs: Vec<f64>,
    /// The weight of a candidate at logarithm zero.
    unit: f64,
    boldness: f64,
}

/// The cells of all candidates, numbered among those that a candidate has.
struct Group {
    offsets: Vec<u32>,
    cells: Vec<u32>,
    /// What a candidate counts in each of its cells, in units.
    units: Vec<u8>,
    targets: Vec<Estimate>,
    /// How far a step of a cell may go, as it was when last worked out.
    strides: Vec<f64>,
    /// Rounds so far.
    rounds: usize,
}

impl<'a> Weighted<'a> {
    pub(super) fn new(pool: &'a Sequences, records: f64) -> Self {
        Self {
            pool,
            logs: vec![0.0; pool.len()],
            unit: records / pool.len().max(1) as f64,
            boldness: BOLD,
        }
    }

    /// The weights of all candidates; they sum up to the number of records.
    pub(super) fn weights(&self) -> Vec<f64> {
        let mut weights: Vec<f64> = self
            .logs
            .par_iter()
            .with_min_len(SMALLEST_PIECE)
            .map(|log| log.exp())
            .collect();
        let all: f64 = weights.iter().sum();
        let scale = self.unit * self.pool.len() as f64 / all.max(f64::MIN_POSITIVE);
        weights.iter_mut().for_each(|weight| *weight *= scale);
        weights
    }

    /// Fits the pool to the groups, which enter in their order.
    pub(super) fn fit<'m>(&mut self, wanted: Vec<Wanted<'m>>) -> Vec<Fitted<'m>> {
        let mut groups: Vec<Group> = Vec::new();
        let mut told = Vec::with_capacity(wanted.len());
        let entries = wanted.len();
        let most = (WORK / self.pool.len().max(1)).clamp(FEWEST_ROUNDS, MOST_ROUNDS);
        for (at, wanted) in wanted.into_iter().enumerate() {
            let (group, fitted) = self.enter(wanted);
            groups.push(group);
            told.push(fitted);
            let last = at + 1 == entries;
            let rounds = if last { most } else { WARM_UP };
            let mut before = f64::INFINITY;
            for _ in 0..rounds {
                let step: f64 = groups.iter_mut().map(|group| self.round(group)).sum();
                if step < SETTLED {
                    break;
                }
                // Steps that grow have overshot.
                if step > 0.95 * before {
                    self.boldness = (0.75 * self.boldness).max(TIMID);
                }
                before = step;
            }
        }
        told
    }

    fn piece(&self) -> usize {
        self.pool.len().div_ceil(PIECES).max(SMALLEST_PIECE)
    }

    fn starts(&self) -> Vec<usize> {
        (0..self.pool.len()).step_by(self.piece()).collect()
    }

    fn enter<'m>(&self, wanted: Wanted<'m>) -> (Group, Fitted<'m>) {
        let measured = wanted.measured;
        let (noisy, known) = match &measured.counts {
            Counts::Dense(noisy) => (noisy, None),
            Counts::Sparse { cells, noisy } => (noisy, Some(cells)),
        };
        let mut group = self.gather(measured, known, wanted.lists.unwrap_or(self.pool));
        let mut number = vec![UNREACHED; noisy.len()];
        let mut reached: Vec<usize> = Vec::new();
        for cell in &mut group.cells {
            let own = &mut number[*cell as usize];
            if *own == UNREACHED {
                *own = reached.len() as u32;
                reached.push(*cell as usize);
            }
            *cell = *own;
        }
        let (mut before, beyond) = (Vec::new(), unreached(&wanted, &number));
        group.targets = match wanted.targets {
            Some(targets) => reached.iter().map(|&cell| targets[cell]).collect(),
            None => {
                let noisy: Vec<i64> = reached.iter().map(|&cell| noisy[cell]).collect();
                before = self.expected(&group, noisy.len());
                denoise(&noisy, &before, measured.law)
            }
        };
        if measured.features.kind.counts_every_record() {
            // How many records there are is known better than how many have what.
            let all: f64 = group.targets.iter().map(|target| target.mean).sum();
            let records = UNITS as f64 * self.unit * self.pool.len() as f64;
            if all > 0.0 {
                let scale = records / all;
                group
                    .targets
                    .iter_mut()
                    .for_each(|target| target.mean *= scale);
            }
        }
        let name = |&cell: &usize| known.map_or(cell as u64, |known| known[cell]);
        let fitted = Fitted {
            measured,
            cells: reached.iter().map(name).collect(),
            targets: group.targets.clone(),
            before,
            beyond,
        };
        (group, fitted)
    }

    /// The cells of every candidate, as they are numbered among the noisy counts.
    fn gather(&self, measured: &Measured, known: Option<&Vec<u64>>, lists: &Sequences) -> Group {
        let size = self.piece();
        let piece = |start: usize| {
            let (mut cells, mut counts, mut units) = (Vec::new(), Vec::new(), Vec::new());
            let (mut recent, mut own) = (Recent::default(), Vec::new());
            for candidate in start..(start + size).min(self.pool.len()) {
                let record = Visits::of(lists, candidate);
                units.push(measured.features.of(record, &mut recent, &mut own) as u8);
                let before = cells.len();
                match known {
                    None => cells.extend(own.iter().map(|&cell| cell as u32)),
                    Some(known) => {
                        let found = own.iter().filter_map(|cell| known.binary_search(cell).ok());
                        cells.extend(found.map(|at| at as u32));
                    }
                }
                counts.push((cells.len() - before) as u32);
            }
            (cells, counts, units)
        };
        let pieces: Vec<(Vec<u32>, Vec<u32>, Vec<u8>)> =
            self.starts().into_par_iter().map(piece).collect();
        let mut group = Group {
            offsets: Vec::with_capacity(self.pool.len() + 1),
            cells: Vec::with_capacity(pieces.iter().map(|(cells, ..)| cells.len()).sum()),
            units: Vec::with_capacity(self.pool.len()),
            targets: Vec::new(),
            strides: Vec::new(),
            rounds: 0,
        };
        group.offsets.push(0);
        let mut end = 0u32;
        for (cells, counts, units) in pieces {
            group.cells.extend(cells);
            group.units.extend(units);
            for count in counts {
                end += count;
                group.offsets.push(end);
            }
        }
        group
    }

    /// What the pool counts in each cell.
    fn expected(&self, group: &Group, cells: usize) -> Vec<f64> {
        self.summed(group, cells, |_| 1.0)
    }

    /// What the pool counts in each cell, with every candidate taken so many times.
    fn summed(&self, group: &Group, cells: usize, times: impl Fn(usize) -> f64 + Sync) -> Vec<f64> {
        let size = self.piece();
        let piece = |start: usize| {
            let mut sums = vec![0.0f64; cells];
            for candidate in start..(start + size).min(self.pool.len()) {
                let own = group.of(candidate);
                if own.is_empty() {
                    continue;
                }
                let units = f64::from(group.units[candidate]);
                let weight = units * self.unit * self.logs[candidate].exp() * times(candidate);
                own.iter().for_each(|&cell| sums[cell as usize] += weight);
            }
            sums
        };
        let pieces: Vec<Vec<f64>> = self.starts().into_par_iter().map(piece).collect();
        let mut sums = vec![0.0; cells];
        for piece in pieces {
            sums.iter_mut()
                .zip(piece)
                .for_each(|(sum, own)| *sum += own);
        }
        sums
    }

    /// For each cell one over the mean number of units that its candidates have in all their cells: how far a step
    /// may go that all of them take together.
    fn strides(&self, group: &Group, expected: &[f64]) -> Vec<f64> {
        let all =
            |candidate: usize| group.of(candidate).len() as f64 * f64::from(group.units[candidate]);
        let often = self.summed(group, expected.len(), all);
        let stride = |(&expected, often): (&f64, f64)| match often > 0.0 {
            true => expected / often,
            false => 0.0,
        };
        expected.iter().zip(often).map(stride).collect()
    }

    /// One round over one group; the mean absolute step of a candidate.
    fn round(&mut self, group: &mut Group) -> f64 {
        let expected = self.expected(group, group.targets.len());
        if group.rounds.is_multiple_of(REFRESH) {
            group.strides = self.strides(group, &expected);
        }
        group.rounds += 1;
        let group = &*group;
        let cells = group
            .targets
            .iter()
            .zip(expected.iter().zip(&group.strides));
        let step = |(target, (&expected, stride)): (&Estimate, (&f64, &f64))| {
            let slack = target.deviation + 0.5 * UNITS as f64;
            let log = ((target.mean + slack) / (expected + slack)).ln();
            self.boldness * stride * log.clamp(-STRIDE, STRIDE)
        };
        let steps: Vec<f64> = cells.map(step).collect();
        let size = self.piece();
        let moved: Vec<f64> = self
            .logs
            .par_chunks_mut(size)
            .enumerate()
            .map(|(piece, logs)| {
                let mut moved = 0.0;
                for (at, log) in logs.iter_mut().enumerate() {
                    let candidate = piece * size + at;
                    let own = group.of(candidate).iter();
                    let sum: f64 = own.map(|&cell| steps[cell as usize]).sum();
                    let step = sum * f64::from(group.units[candidate]);
                    *log = (*log + step).clamp(LEAST, GREATEST);
                    moved += step.abs();
                }
                moved
            })
            .collect();
        moved.iter().sum::<f64>() / self.pool.len().max(1) as f64
    }
}

/// What cells that no candidate has are thought to hold together: by their targets where those are known, and
/// else by their noisy counts, as far as the sum of those stands out of its noise.
fn unreached(wanted: &Wanted<'_>, number: &[u32]) -> f64 {
    let missed = |cell: &usize| number[*cell] == UNREACHED;
    match (&wanted.targets, &wanted.measured.counts) {
        (Some(targets), _) => {
            let cells = (0..targets.len()).filter(missed);
            cells.map(|cell| targets[cell].mean).sum()
        }
        (None, Counts::Dense(noisy)) => {
            let (mut sum, mut noise) = (0.0, 0.0);
            for cell in (0..noisy.len()).filter(missed) {
                sum += noisy[cell] as f64;
                noise += wanted.measured.law.variance();
            }
            match sum > 0.0 {
                true => sum * sum * sum / (sum * sum + noise),
                false => 0.0,
            }
        }
        (None, Counts::Sparse { .. }) => 0.0,
    }
}

impl Group {
    fn of(&self, candidate: usize) -> &[u32] {
        &self.cells[self.offsets[candidate] as usize..self.offsets[candidate + 1] as usize]
    }
}
