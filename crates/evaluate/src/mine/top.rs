//! The most frequent sequential patterns, best first.
//!
//! Whatever has the greatest support is grown next, so that hardly anything is grown that does not
//! make it into the result (the idea of TKS, Fournier-Viger et al., 2013). The worst of the best
//! `k` so far bounds the search. A pattern is left out only when `k` better ones are known, so the
//! result is exact and the same for any number of threads.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use rayon::prelude::*;
use wayveil_core::{Progress, Result, Sequences};

use super::columns::Columns;
use super::expand::{Child, Scratch, Verdict};
use super::{Pattern, rank};

/// Patterns grown between two looks at the bound, for each thread.
const BATCH: usize = 8;

pub(super) fn run(
    sequences: &Sequences,
    k: usize,
    lengths: &RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    let columns = Columns::new(sequences, 1, *lengths.start())?;
    let mut best = Best::new(k);
    let mut open = BinaryHeap::from([Open {
        support: u64::MAX,
        codes: Vec::new(),
        starts: columns.starts.clone(),
    }]);
    let (min_length, max_length) = (*lengths.start(), *lengths.end());
    progress.begin("growing patterns", None);
    loop {
        let bound = best.bound();
        let batch: Vec<Open> = std::iter::from_fn(|| open.pop())
            .filter(|open| bound.admits(open.support, min_length.max(open.codes.len() + 1)))
            .take(BATCH * rayon::current_num_threads())
            .collect();
        if batch.is_empty() {
            progress.end();
            return Ok(best.sorted());
        }
        let grow = |scratch: &mut Scratch, open: Open| {
            let length = open.codes.len() + 1;
            let children = columns.expand(&open.starts, scratch, |support| {
                if length < max_length && bound.admits(support, min_length.max(length + 1)) {
                    Verdict::Grow
                } else if length >= min_length && bound.admits(support, length) {
                    Verdict::Count
                } else {
                    Verdict::Drop
                }
            });
            progress.advance(1);
            (open.codes, children)
        };
        let grown: Vec<(Vec<u32>, Vec<Child>)> = batch
            .into_par_iter()
            .map_init(|| Scratch::new(&columns), grow)
            .collect();
        for (prefix, children) in grown {
            for child in children {
                let mut codes = Vec::with_capacity(prefix.len() + 1);
                codes.extend_from_slice(&prefix);
                codes.push(columns.names[child.symbol as usize]);
                if codes.len() >= min_length {
                    best.offer(&codes, child.support);
                }
                if !child.starts.is_empty() {
                    open.push(Open {
                        support: child.support,
                        codes,
                        starts: child.starts,
                    });
                }
            }
        }
    }
}

/// What a pattern needs to make it into the result: this support, and at equal support at most
/// this length.
#[derive(Clone, Copy)]
struct Bound {
    support: u64,
    length: usize,
}

impl Bound {
    fn admits(self, support: u64, length: usize) -> bool {
        (support, Reverse(length)) >= (self.support, Reverse(self.length))
    }
}

/// The best patterns so far, the worst of them on top.
pub(super) struct Best {
    k: usize,
    heap: BinaryHeap<Ranked>,
}

impl Best {
    pub(super) fn new(k: usize) -> Self {
        Self {
            k,
            heap: BinaryHeap::new(),
        }
    }

    fn bound(&self) -> Bound {
        match self.heap.peek() {
            Some(Ranked(worst)) if self.heap.len() == self.k => Bound {
                support: worst.support,
                length: worst.codes.len(),
            },
            _ if self.k == 0 => Bound {
                support: u64::MAX,
                length: 0,
            },
            _ => Bound {
                support: 1,
                length: usize::MAX,
            },
        }
    }

    /// The least support that can still make it.
    pub(super) fn least_support(&self) -> u64 {
        self.bound().support
    }

    pub(super) fn offer(&mut self, codes: &[u32], support: u64) {
        if !self.bound().admits(support, codes.len()) {
            return;
        }
        self.heap.push(Ranked(Pattern {
            codes: codes.to_vec(),
            support,
        }));
        if self.heap.len() > self.k {
            self.heap.pop();
        }
    }

    pub(super) fn sorted(self) -> Vec<Pattern> {
        let sorted = self.heap.into_sorted_vec();
        sorted.into_iter().map(|Ranked(pattern)| pattern).collect()
    }
}

/// Ordered as results are, so that the worst is the greatest.
#[derive(PartialEq, Eq)]
struct Ranked(Pattern);

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        rank(&self.0, &other.0)
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A pattern that may yet be grown; those of great support, and short ones, come first.
struct Open {
    support: u64,
    codes: Vec<u32>,
    starts: Vec<u32>,
}

impl Open {
    fn key(&self) -> (u64, Reverse<usize>) {
        (self.support, Reverse(self.codes.len()))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Open {}
