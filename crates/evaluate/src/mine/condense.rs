//! From all frequent patterns to those that say it all.
//!
//! If a frequent pattern is contained in a longer frequent one, it is contained in one that is
//! longer by one symbol: between the two, every pattern is frequent, with a support between
//! theirs. So it is enough to take symbols away one at a time.

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use super::Pattern;

/// Every pattern that lacks one symbol of this one, by the position of that symbol.
pub(super) fn without_one(length: usize) -> RangeInclusive<usize> {
    0..=length.saturating_sub(1)
}

/// Keeps the patterns that no longer one contains with the same support.
///
/// `all` must hold every frequent pattern up to a length. `removable` tells the positions from
/// which a symbol may be taken.
pub(super) fn closed<P: IntoIterator<Item = usize>>(
    all: Vec<Pattern>,
    lengths: RangeInclusive<usize>,
    removable: impl Fn(usize) -> P,
) -> Vec<Pattern> {
    keep(all, lengths, removable, |shorter, longer| {
        shorter.support == longer.support
    })
}

/// Keeps the patterns that no longer one contains.
pub(super) fn maximal<P: IntoIterator<Item = usize>>(
    all: Vec<Pattern>,
    lengths: RangeInclusive<usize>,
    removable: impl Fn(usize) -> P,
) -> Vec<Pattern> {
    keep(all, lengths, removable, |_, _| true)
}

fn keep<P: IntoIterator<Item = usize>>(
    all: Vec<Pattern>,
    lengths: RangeInclusive<usize>,
    removable: impl Fn(usize) -> P,
    covers: impl Fn(&Pattern, &Pattern) -> bool,
) -> Vec<Pattern> {
    let mut covered = vec![false; all.len()];
    let position: FxHashMap<&[u32], usize> = all
        .iter()
        .enumerate()
        .map(|(at, pattern)| (pattern.codes.as_slice(), at))
        .collect();
    let mut shorter = Vec::new();
    for pattern in all.iter().filter(|pattern| pattern.codes.len() > 1) {
        for removed in removable(pattern.codes.len()) {
            shorter.clear();
            shorter.extend_from_slice(&pattern.codes[..removed]);
            shorter.extend_from_slice(&pattern.codes[removed + 1..]);
            if let Some(&at) = position.get(shorter.as_slice())
                && covers(&all[at], pattern)
            {
                covered[at] = true;
            }
        }
    }
    drop(position);
    let mut covered = covered.into_iter();
    let mut all = all;
    all.retain(|pattern| {
        let covered = covered.next().unwrap_or(false);
        !covered && lengths.contains(&pattern.codes.len())
    });
    all
}
