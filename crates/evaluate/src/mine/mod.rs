//! Frequent patterns: what many records have in common.
//!
//! A *sequential pattern* is a subsequence: its symbols occur in this order, with anything between
//! them. A *fragment* ([`contiguous`]) occurs without anything between. The support of either is
//! the number of records that hold it, however often each does.
//!
//! All results come in one order (falling support, then rising length, then codes) and do not
//! depend on the number of threads. Symbols are location codes; bins are ignored unless
//! [`timed::symbols`] has put them into the codes.

mod columns;
mod condense;
pub mod contiguous;
mod expand;
mod frequent;
mod levels;
#[cfg(test)]
mod tests;
pub mod timed;
mod top;

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use rayon::prelude::*;
use wayveil_core::{Error, Progress, Result, Sequences};

pub use contiguous::{Fragment, fragments};

/// A pattern and how many records hold it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// Its symbols.
    pub codes: Vec<u32>,
    /// How many records hold it.
    pub support: u64,
}

/// The `k` most frequent sequential patterns with a length within bounds; fewer where there are
/// fewer.
pub fn top_k(
    sequences: &Sequences,
    k: usize,
    lengths: RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    check_lengths(&lengths)?;
    top::run(sequences, k, &lengths, progress)
}

/// All sequential patterns with a length within bounds that at least `min_support` records hold.
pub fn frequent(
    sequences: &Sequences,
    min_support: u64,
    lengths: RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    check_lengths(&lengths)?;
    check_support(min_support)?;
    let mut patterns = frequent::run(sequences, min_support, &lengths, progress)?;
    sort(&mut patterns);
    Ok(patterns)
}

/// The closed ones among the frequent sequential patterns of at most the greatest length: those
/// that no longer one of them contains with the same support.
///
/// The least length only hides shorter results; a pattern of the greatest length is always closed.
pub fn closed(
    sequences: &Sequences,
    min_support: u64,
    lengths: RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    let all = frequent(
        sequences,
        min_support,
        1..=*checked(&lengths)?.end(),
        progress,
    )?;
    Ok(condense::closed(
        all,
        lengths,
        condense::without_one,
        progress,
    ))
}

/// The maximal ones among the frequent sequential patterns of at most the greatest length: those
/// that no longer one of them contains.
///
/// The least length only hides shorter results; a pattern of the greatest length is always
/// maximal.
pub fn maximal(
    sequences: &Sequences,
    min_support: u64,
    lengths: RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Pattern>> {
    let all = frequent(
        sequences,
        min_support,
        1..=*checked(&lengths)?.end(),
        progress,
    )?;
    Ok(condense::maximal(
        all,
        lengths,
        condense::without_one,
        progress,
    ))
}

fn checked(lengths: &RangeInclusive<usize>) -> Result<&RangeInclusive<usize>> {
    check_lengths(lengths).map(|()| lengths)
}

fn check_lengths(lengths: &RangeInclusive<usize>) -> Result<()> {
    let (least, greatest) = (*lengths.start(), *lengths.end());
    if least == 0 {
        return Err(Error::input("a pattern has at least one symbol")
            .hint("ask for a least length of 1 or more"));
    }
    if least > greatest {
        return Err(Error::input(format!(
            "no pattern has a length from {least} to {greatest}"
        ))
        .hint("the least length must not exceed the greatest"));
    }
    Ok(())
}

fn check_support(min_support: u64) -> Result<()> {
    if min_support == 0 {
        return Err(
            Error::input("a minimum support of 0 would make everything frequent")
                .hint("ask for a support of 1 or more"),
        );
    }
    Ok(())
}

/// The order of all results.
fn rank(a: &Pattern, b: &Pattern) -> Ordering {
    (b.support.cmp(&a.support))
        .then(a.codes.len().cmp(&b.codes.len()))
        .then_with(|| a.codes.cmp(&b.codes))
}

fn sort(patterns: &mut [Pattern]) {
    patterns.par_sort_unstable_by(rank);
}
