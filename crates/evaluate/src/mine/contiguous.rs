//! Fragments: patterns without anything between their symbols.
//!
//! Support falls as fragments grow, as it does for sequential patterns, so rare ones are left out
//! on the way. Results come in the order of all results.

use std::ops::RangeInclusive;

use rayon::prelude::*;
use wayveil_core::{Progress, Result, Sequences};

use super::levels::Levels;
use super::top::Best;
use super::{Pattern, check_lengths, check_support, condense, sort};

/// A fragment and how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fragment {
    /// Its symbols.
    pub codes: Vec<u32>,
    /// How many records hold it.
    pub support: u64,
    /// How often it occurs in all, overlaps included.
    pub occurrences: u64,
}

/// All fragments of `n` symbols with both counts: by falling support, then codes.
pub fn fragments(sequences: &Sequences, n: usize) -> Result<Vec<Fragment>> {
    check_lengths(&(n..=n))?;
    let mut found = Vec::new();
    let mut levels = Levels::new(sequences)?;
    while levels.length() < n && levels.grow(1) {}
    if levels.length() == n {
        levels.each(|codes, gram| {
            found.push(Fragment {
                codes: codes.to_vec(),
                support: gram.support,
                occurrences: gram.occurrences,
            });
        });
    }
    found.par_sort_unstable_by(|a, b| {
        (b.support.cmp(&a.support)).then_with(|| a.codes.cmp(&b.codes))
    });
    Ok(found)
}

/// The `k` fragments with a length within bounds that most records hold.
pub fn top_k(
    sequences: &Sequences,
    k: usize,
    lengths: RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    check_lengths(&lengths)?;
    let mut best = Best::new(k);
    let mut levels = Levels::new(sequences)?;
    progress.begin("finding fragments, length by length", None);
    while levels.length() < *lengths.end() && levels.grow(best.least_support()) {
        progress.advance(1);
        if lengths.contains(&levels.length()) {
            levels.each(|codes, gram| best.offer(codes, gram.support));
        }
    }
    progress.end();
    Ok(best.sorted())
}

/// All fragments with a length within bounds that at least `min_support` records hold.
pub fn frequent(
    sequences: &Sequences,
    min_support: u64,
    lengths: RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    check_lengths(&lengths)?;
    check_support(min_support)?;
    let mut patterns = Vec::new();
    let mut levels = Levels::new(sequences)?;
    progress.begin("finding fragments, length by length", None);
    while levels.length() < *lengths.end() && levels.grow(min_support) {
        progress.advance(1);
        if lengths.contains(&levels.length()) {
            levels.each(|codes, gram| {
                patterns.push(Pattern {
                    codes: codes.to_vec(),
                    support: gram.support,
                });
            });
        }
    }
    progress.end();
    sort(&mut patterns);
    Ok(patterns)
}

/// As [`super::closed`], for fragments.
pub fn closed(
    sequences: &Sequences,
    min_support: u64,
    lengths: RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    check_lengths(&lengths)?;
    let all = frequent(sequences, min_support, 1..=*lengths.end(), progress)?;
    Ok(condense::closed(all, lengths, ends, progress))
}

/// As [`super::maximal`], for fragments.
pub fn maximal(
    sequences: &Sequences,
    min_support: u64,
    lengths: RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    check_lengths(&lengths)?;
    let all = frequent(sequences, min_support, 1..=*lengths.end(), progress)?;
    Ok(condense::maximal(all, lengths, ends, progress))
}

/// Only the first and the last symbol can be taken from a fragment and leave a fragment.
fn ends(length: usize) -> [usize; 2] {
    [0, length.saturating_sub(1)]
}
