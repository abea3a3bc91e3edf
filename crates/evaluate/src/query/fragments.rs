//! Frequent contiguous fragments, to be counted in other data.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wayveil_core::{Result, Sequences, Silent};

use crate::mine::{Pattern, contiguous};

/// Records that are counted in one go, with tables of their own.
const PIECE: usize = 1 << 16;
/// The empty fragment.
const ROOT: u32 = 0;

/// The fragments of up to some length that at least so many records contain.
///
/// Every beginning of a frequent fragment is frequent, too, so they make a tree: one walk from each
/// place of a record meets all of them.
#[derive(Clone, Debug)]
pub struct Fragments {
    patterns: Vec<Pattern>,
    /// The fragment that another one (counted from 1, the root being 0) becomes by one location.
    children: FxHashMap<(u32, u32), u32>,
}

impl Fragments {
    /// Finds every fragment of 1 to `longest` locations that at least `least` records contain.
    pub fn frequent(sequences: &Sequences, longest: usize, least: u64) -> Result<Self> {
        Ok(Self::of(contiguous::frequent(
            sequences,
            least,
            1..=longest,
            &Silent,
        )?))
    }

    /// Every beginning of a pattern must be among them.
    fn of(mut patterns: Vec<Pattern>) -> Self {
        patterns.sort_unstable_by(|a, b| (a.codes.len(), &a.codes).cmp(&(b.codes.len(), &b.codes)));
        let mut fragments = Self {
            patterns: Vec::new(),
            children: FxHashMap::default(),
        };
        for (at, pattern) in patterns.iter().enumerate() {
            let Some((&last, beginning)) = pattern.codes.split_last() else {
                continue;
            };
            if let Some(parent) = fragments.node(beginning) {
                fragments.children.insert((parent, last), at as u32 + 1);
            }
        }
        Self {
            patterns,
            ..fragments
        }
    }

    fn node(&self, codes: &[u32]) -> Option<u32> {
        codes.iter().try_fold(ROOT, |node, &code| {
            self.children.get(&(node, code)).copied()
        })
    }

    /// How many records contain each of the listed fragments, frequent or not; the empty one is in
    /// every record.
    pub fn listed(listed: &Sequences, sequences: &Sequences) -> Vec<u64> {
        let mut beginnings: Vec<&[u32]> = listed
            .iter()
            .flat_map(|codes| (1..=codes.len()).map(|length| &codes[..length]))
            .collect();
        beginnings.sort_unstable();
        beginnings.dedup();
        let pattern = |codes: &[u32]| Pattern {
            codes: codes.to_vec(),
            support: 0,
        };
        let tree = Self::of(beginnings.into_iter().map(pattern).collect());
        let supports = tree.supports_in(sequences);
        let support = |codes: &[u32]| match tree.node(codes) {
            Some(ROOT) => sequences.len() as u64,
            Some(node) => supports[node as usize - 1],
            None => 0,
        };
        listed.iter().map(support).collect()
    }

    /// The fragments with their supports, shortest first.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// How many records of other data contain each fragment.
    pub fn supports_in(&self, sequences: &Sequences) -> Vec<u64> {
        let records = sequences.len();
        (0..records.div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| piece * PIECE..records.min((piece + 1) * PIECE))
            .fold(
                || vec![(0, usize::MAX); self.patterns.len()],
                |mut counts, piece| {
                    for record in piece {
                        self.meet(sequences.codes_of(record), |fragment| {
                            let (count, last) = &mut counts[fragment];
                            if *last != record {
                                *last = record;
                                *count += 1;
                            }
                        });
                    }
                    counts
                },
            )
            .map(|counts| counts.into_iter().map(|(count, _)| count).collect())
            .reduce(
                || vec![0; self.patterns.len()],
                |mut left: Vec<u64>, right| {
                    left.iter_mut().zip(right).for_each(|(l, r)| *l += r);
                    left
                },
            )
    }

    /// Calls back for each occurrence of a fragment.
    fn meet(&self, codes: &[u32], mut met: impl FnMut(usize)) {
        for start in 0..codes.len() {
            let mut node = ROOT;
            for &code in &codes[start..] {
                let Some(&child) = self.children.get(&(node, code)) else {
                    break;
                };
                met(child as usize - 1);
                node = child;
            }
        }
    }
}
