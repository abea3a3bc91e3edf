//! All frequent sequential patterns, by PrefixSpan (Pei et al., 2001): patterns grow at their end,
//! and each looks only at what is left of the records that hold it.

use std::ops::RangeInclusive;

use rayon::prelude::*;
use wayveil_core::{Progress, Result, Sequences};

use super::Pattern;
use super::columns::Columns;
use super::expand::{Child, Scratch, Verdict};

/// Patterns shorter than this with at least `SPLIT_SUPPORT` are grown in parallel.
const SPLIT_DEPTH: usize = 3;
const SPLIT_SUPPORT: u64 = 1024;
/// Places that one thread looks at between two words of progress.
const PLACES_PER_WORD: usize = 1 << 16;

struct Search<'a> {
    columns: &'a Columns,
    min_support: u64,
    min_length: usize,
    max_length: usize,
    progress: &'a dyn Progress,
}

/// The patterns in no particular order.
pub(super) fn run(
    sequences: &Sequences,
    min_support: u64,
    lengths: &RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    let columns = Columns::new(sequences, min_support, *lengths.start())?;
    let search = Search {
        columns: &columns,
        min_support,
        min_length: *lengths.start(),
        max_length: *lengths.end(),
        progress,
    };
    let first = search.extensions(0, &columns.starts, &mut Scratch::new(&columns));
    progress.begin(
        "growing patterns from each symbol",
        Some(first.len() as u64),
    );
    let patterns = search.split(&[], first);
    progress.end();
    Ok(patterns)
}

impl Search<'_> {
    fn extensions(&self, length: usize, starts: &[u32], scratch: &mut Scratch) -> Vec<Child> {
        self.columns.expand(starts, scratch, |support| {
            if support < self.min_support {
                Verdict::Drop
            } else if length + 1 < self.max_length {
                Verdict::Grow
            } else {
                Verdict::Count
            }
        })
    }

    /// These children of `prefix` and everything that begins with them.
    fn split(&self, prefix: &[u32], children: Vec<Child>) -> Vec<Pattern> {
        // The parts of the work are single symbols with all that begins with them.
        let part = u64::from(prefix.is_empty());
        children
            .into_par_iter()
            .flat_map_iter(|child| {
                let mut codes = prefix.to_vec();
                codes.push(self.columns.names[child.symbol as usize]);
                let deeper = codes.len() < SPLIT_DEPTH && child.support >= SPLIT_SUPPORT;
                let patterns = if deeper {
                    let mut scratch = Scratch::new(self.columns);
                    let children = self.extensions(codes.len(), &child.starts, &mut scratch);
                    let mut patterns = self.split(&codes, children);
                    self.report(&codes, child.support, &mut patterns);
                    patterns
                } else {
                    self.grow(prefix.to_vec(), child)
                };
                self.progress.advance(part);
                patterns
            })
            .collect()
    }

    /// A child of `codes` and everything that begins with it. The stack is a list of its own, since
    /// patterns may be as long as records.
    fn grow(&self, mut codes: Vec<u32>, child: Child) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        let mut scratch = Scratch::new(self.columns);
        let mut stack = vec![(codes.len(), child)];
        let mut followed = 0;
        while let Some((parent, child)) = stack.pop() {
            codes.truncate(parent);
            codes.push(self.columns.names[child.symbol as usize]);
            self.report(&codes, child.support, &mut patterns);
            if !child.starts.is_empty() {
                followed += child.starts.len();
                if followed >= PLACES_PER_WORD {
                    followed = 0;
                    self.progress.advance(0);
                }
                let children = self.extensions(codes.len(), &child.starts, &mut scratch);
                stack.extend(children.into_iter().map(|child| (codes.len(), child)));
            }
        }
        patterns
    }

    fn report(&self, codes: &[u32], support: u64, patterns: &mut Vec<Pattern>) {
        if codes.len() >= self.min_length {
            patterns.push(Pattern {
                codes: codes.to_vec(),
                support,
            });
        }
    }
}
