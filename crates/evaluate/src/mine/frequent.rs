//! All frequent sequential patterns, by PrefixSpan (Pei et al., 2001): patterns grow at their end,
//! and each looks only at what is left of the records that hold it.

use std::ops::RangeInclusive;

use rayon::prelude::*;
use wayveil_core::{Result, Sequences};

use super::Pattern;
use super::columns::Columns;
use super::expand::{Child, Scratch, Verdict};

/// Patterns shorter than this with at least `SPLIT_SUPPORT` are grown in parallel.
const SPLIT_DEPTH: usize = 3;
const SPLIT_SUPPORT: u64 = 1024;

struct Search<'a> {
    columns: &'a Columns,
    min_support: u64,
    min_length: usize,
    max_length: usize,
}

/// The patterns in no particular order.
pub(super) fn run(
    sequences: &Sequences,
    min_support: u64,
    lengths: &RangeInclusive<usize>,
) -> Result<Vec<Pattern>> {
    let columns = Columns::new(sequences, min_support, *lengths.start())?;
    let search = Search {
        columns: &columns,
        min_support,
        min_length: *lengths.start(),
        max_length: *lengths.end(),
    };
    Ok(search.split(&[], &columns.starts))
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

    /// Everything that begins with `prefix`, but not `prefix` itself.
    fn split(&self, prefix: &[u32], starts: &[u32]) -> Vec<Pattern> {
        let children = self.extensions(prefix.len(), starts, &mut Scratch::new(self.columns));
        children
            .into_par_iter()
            .flat_map_iter(|child| {
                let mut codes = prefix.to_vec();
                codes.push(self.columns.names[child.symbol as usize]);
                let deeper = codes.len() < SPLIT_DEPTH && child.support >= SPLIT_SUPPORT;
                if !deeper {
                    return self.grow(prefix.to_vec(), child);
                }
                let mut patterns = self.split(&codes, &child.starts);
                self.report(&codes, child.support, &mut patterns);
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
        while let Some((parent, child)) = stack.pop() {
            codes.truncate(parent);
            codes.push(self.columns.names[child.symbol as usize]);
            self.report(&codes, child.support, &mut patterns);
            if !child.starts.is_empty() {
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
