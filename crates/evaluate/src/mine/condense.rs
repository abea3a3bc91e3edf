//! From all frequent patterns to those that say it all.
//!
//! If a frequent pattern is contained in a longer frequent one, it is contained in one that is
//! longer by one symbol: between the two, every pattern is frequent, with a support between
//! theirs. So it is enough to take symbols away one at a time.

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;
use wayveil_core::Progress;

use super::Pattern;

/// Patterns between two words of progress.
const PATTERNS_PER_WORD: usize = 1 << 14;

/// Tells of progress at every so many patterns.
fn tell(at: usize, progress: &dyn Progress) {
    if at > 0 && at.is_multiple_of(PATTERNS_PER_WORD) {
        progress.advance(PATTERNS_PER_WORD as u64);
    }
}

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
    progress: &dyn Progress,
) -> Vec<Pattern> {
    let covers = |shorter: &Pattern, longer: &Pattern| shorter.support == longer.support;
    keep(all, lengths, removable, covers, progress)
}

/// Keeps the patterns that no longer one contains.
pub(super) fn maximal<P: IntoIterator<Item = usize>>(
    all: Vec<Pattern>,
    lengths: RangeInclusive<usize>,
    removable: impl Fn(usize) -> P,
    progress: &dyn Progress,
) -> Vec<Pattern> {
    keep(all, lengths, removable, |_, _| true, progress)
}

fn keep<P: IntoIterator<Item = usize>>(
    all: Vec<Pattern>,
    lengths: RangeInclusive<usize>,
    removable: impl Fn(usize) -> P,
    covers: impl Fn(&Pattern, &Pattern) -> bool,
    progress: &dyn Progress,
) -> Vec<Pattern> {
    // Every pattern is noted once, and looked at once.
    progress.begin("comparing patterns", Some(2 * all.len() as u64));
    let mut covered = vec![false; all.len()];
    let mut position: FxHashMap<&[u32], usize> = FxHashMap::default();
    position.reserve(all.len());
    for (at, pattern) in all.iter().enumerate() {
        tell(at, progress);
        position.insert(&pattern.codes, at);
    }
    let mut shorter = Vec::new();
    for (at, pattern) in all.iter().enumerate() {
        tell(at, progress);
        // Nothing can be taken from a single symbol.
        if pattern.codes.len() == 1 {
            continue;
        }
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
    progress.end();
    let mut covered = covered.into_iter();
    let mut all = all;
    all.retain(|pattern| {
        let covered = covered.next().unwrap_or(false);
        !covered && lengths.contains(&pattern.codes.len())
    });
    all
}
