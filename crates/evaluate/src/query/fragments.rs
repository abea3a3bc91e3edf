//! Frequent contiguous fragments, to be counted in other data.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wayveil_core::{Result, Sequences};

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
        let mut patterns = contiguous::frequent(sequences, least, 1..=longest)?;
        patterns.sort_unstable_by(|a, b| (a.codes.len(), &a.codes).cmp(&(b.codes.len(), &b.codes)));
        let mut children = FxHashMap::default();
        for (at, pattern) in patterns.iter().enumerate() {
            let Some((&last, beginning)) = pattern.codes.split_last() else {
                continue;
            };
            let parent = beginning
                .iter()
                .try_fold(ROOT, |node, &code| children.get(&(node, code)).copied());
            if let Some(parent) = parent {
                children.insert((parent, last), at as u32 + 1);
            }
        }
        Ok(Self { patterns, children })
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
