//! Which blocks of the grid are the cells of the release's model: small ones where people are. Post-processing.

use std::collections::BinaryHeap;

use super::lattice::{Lattice, parent};

/// The levels that are counted, from here to the finest one.
pub(super) const COARSEST: u32 = 2;
/// How uneven the four parts of a block are believed to be before they are seen: the square of their relative
/// deviation.
const UNEVEN: f64 = 0.7;

/// Noisy counts of the blocks of one level, with the variance of each.
pub(super) struct Level {
    pub(super) level: u32,
    pub(super) counts: Vec<f64>,
    pub(super) variance: f64,
}

/// The grid cut into leaves, each a block of some level.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    /// The leaf of every location.
    pub(super) leaf: Vec<u32>,
    /// The locations of every leaf.
    pub(super) members: Vec<Vec<u32>>,
    /// The level of every leaf.
    pub(super) levels: Vec<u32>,
    /// How much is believed to be at every location.
    pub(super) density: Vec<f64>,
}

impl Partition {
    /// Splits the block with most in it until there are so many leaves, or nothing is left worth splitting.
    pub(super) fn new(lattice: &Lattice, counted: Vec<Level>, leaves: usize) -> Self {
        let estimates = estimates(counted);
        let finest = COARSEST + estimates.len() as u32 - 1;
        let of = |level: u32, block: u32| estimates[(level - COARSEST) as usize][block as usize];
        let mut open: BinaryHeap<(u64, u32, u32)> = (0..1u32 << (2 * COARSEST))
            .map(|block| (of(COARSEST, block).max(0.0) as u64, COARSEST, block))
            .collect();
        let mut closed: Vec<(u32, u32)> = Vec::new();
        while let Some((mass, level, block)) = open.pop() {
            if level == finest || mass == 0 || open.len() + closed.len() + 4 > leaves {
                closed.push((level, block));
                continue;
            }
            for child in children(level, block) {
                open.push((of(level + 1, child).max(0.0) as u64, level + 1, child));
            }
        }
        closed.sort_unstable();
        let mut leaf = vec![0u32; lattice.cells()];
        let mut members = vec![Vec::new(); closed.len()];
        for code in 0..lattice.cells() as u32 {
            let own = (COARSEST..=finest)
                .find_map(|level| {
                    closed
                        .binary_search(&(level, lattice.block(level, code)))
                        .ok()
                })
                .unwrap_or(0);
            leaf[code as usize] = own as u32;
            members[own].push(code);
        }
        let mut sizes = vec![0.0f64; 1 << (2 * finest)];
        let blocks: Vec<u32> = (0..lattice.cells() as u32)
            .map(|code| lattice.block(finest, code))
            .collect();
        blocks
            .iter()
            .for_each(|&block| sizes[block as usize] += 1.0);
        let density = blocks
            .iter()
            .map(|&block| of(finest, block) / sizes[block as usize])
            .collect();
        Self {
            leaf,
            members,
            levels: closed.into_iter().map(|(level, _)| level).collect(),
            density,
        }
    }

    /// The record as leaves, neighbours that are alike taken once.
    pub(super) fn coarse(&self, record: &[u32], into: &mut Vec<u32>) {
        into.clear();
        into.extend(record.iter().map(|&code| self.leaf[code as usize]));
        into.dedup();
    }
}

fn children(level: u32, block: u32) -> [u32; 4] {
    let (down, across) = (block >> level, block & ((1 << level) - 1));
    let child = |i: u32, j: u32| ((2 * down + i) << (level + 1)) + 2 * across + j;
    [child(0, 0), child(0, 1), child(1, 0), child(1, 1)]
}

/// What is in every block: from the finest level up, every count is weighed against the sum of its parts;
/// then from the coarsest down every block is divided among its parts, evenly as far as noise hides more.
fn estimates(mut counted: Vec<Level>) -> Vec<Vec<f64>> {
    for at in (1..counted.len()).rev() {
        let (level, below) = (counted[at].level, counted[at].variance);
        let mut sums = vec![0.0; counted[at - 1].counts.len()];
        for (block, &count) in counted[at].counts.iter().enumerate() {
            sums[parent(level, block as u32) as usize] += count;
        }
        let above = &mut counted[at - 1];
        let (own, parts) = (1.0 / above.variance, 1.0 / (4.0 * below));
        for (count, sum) in above.counts.iter_mut().zip(sums) {
            *count = (own * *count + parts * sum) / (own + parts);
        }
        above.variance = 1.0 / (own + parts);
    }
    let mut estimates: Vec<Vec<f64>> = Vec::with_capacity(counted.len());
    for Level {
        level,
        counts,
        variance,
    } in &counted
    {
        let Some(above) = estimates.last() else {
            let mean = (counts.iter().sum::<f64>() / counts.len() as f64).max(0.0);
            estimates.push(divided(counts, mean * counts.len() as f64, *variance));
            continue;
        };
        let mut own = vec![0.0; counts.len()];
        for (block, &all) in above.iter().enumerate() {
            let parts = children(level - 1, block as u32);
            let seen = parts.map(|part| counts[part as usize]);
            for (part, estimate) in parts.into_iter().zip(divided(&seen, all, *variance)) {
                own[part as usize] = estimate;
            }
        }
        estimates.push(own);
    }
    estimates
}

/// Divides what there is among parts, by noisy counts of them as far as they can be trusted.
fn divided(seen: &[f64], all: f64, variance: f64) -> Vec<f64> {
    let even = all / seen.len() as f64;
    let believed = UNEVEN * even * even;
    let trust = believed / (believed + variance).max(f64::MIN_POSITIVE);
    let own: Vec<f64> = seen
        .iter()
        .map(|&seen| (even + trust * (seen - even)).max(0.02 * even))
        .collect();
    let sum: f64 = own.iter().sum();
    match sum > 0.0 {
        true => own.into_iter().map(|it| it * all / sum).collect(),
        false => vec![even; seen.len()],
    }
}
