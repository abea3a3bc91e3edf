//! The most frequent contiguous n-grams, without counting the others.

use std::cmp::Reverse;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wayveil_core::counting::{Listed, What};
use wayveil_core::{Result, Sequences};

use super::counting::{count, pair};
use crate::on_counts::OnCounts;

/// How many n-grams AdaTrace and LDPTrace compare.
pub(super) const TOP: usize = 100;
/// No n-gram that matters starts here.
const NONE: u32 = u32::MAX;
/// Records per piece of parallel work.
const CHUNK: usize = 1 << 14;

/// An n-gram with how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gram {
    pub(super) codes: Vec<u32>,
    pub(super) support: u64,
}

/// The `k` most frequent n-grams of 2 to `longest` locations, most frequent first; ties go to the
/// shorter one, then to the lower codes. Every occurrence counts, also within one record.
///
/// An n-gram occurs no more often than each of its two (n−1)-grams. So each round joins overlapping
/// occurrences of those alone that are at least as frequent as the k-th best known so far.
pub(super) fn top(sequences: &Sequences, longest: usize, k: usize) -> Vec<Gram> {
    let codes = sequences.codes();
    let mut best: Vec<Gram> = Vec::new();
    if longest < 2 || k == 0 {
        return best;
    }
    // By position: the gram that starts there. First, single locations that have a successor.
    let mut starts = codes.to_vec();
    let mut keys = pairs(sequences);
    for length in 2..=longest {
        if keys.is_empty() {
            break;
        }
        let counts = count(keys.iter().map(|&(_, key)| key).collect());
        let least = threshold(&best, &counts, k);
        let ids: FxHashMap<u64, u32> = counts
            .iter()
            .filter(|(_, support)| *support >= least)
            .zip(0..)
            .map(|((key, _), id)| (*key, id))
            .collect();
        starts.par_iter_mut().for_each(|start| *start = NONE);
        let mut examples = vec![0usize; ids.len()];
        for &(position, key) in &keys {
            if let Some(&id) = ids.get(&key) {
                starts[position] = id;
                examples[id as usize] = position;
            }
        }
        let supports = counts.iter().filter(|(_, support)| *support >= least);
        best.extend(supports.zip(&examples).map(|((_, support), &at)| Gram {
            codes: codes[at..at + length].to_vec(),
            support: *support,
        }));
        best.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        best.truncate(k);
        keys = joined(&starts);
    }
    best
}

/// The same of records that are only counted: each round asks for what follows the grams that are frequent enough.
pub(super) fn top_counted(counted: &OnCounts<'_>, longest: usize, k: usize) -> Result<Vec<Gram>> {
    let mut best: Vec<Gram> = Vec::new();
    let mut grams: Vec<Vec<u32>> = (0..counted.universe.len() as u32)
        .map(|it| vec![it])
        .collect();
    for _ in 2..=longest {
        if grams.is_empty() || k == 0 {
            break;
        }
        let what = What::Followers(Listed::of(&grams)?);
        let tally = counted.counting.ask(what)?;
        let counts: Vec<(u64, u64)> = tally
            .iter()
            .map(|((gram, next), support)| (pair(gram, next), support))
            .collect();
        let least = threshold(&best, &counts, k);
        let frequent = tally.iter().filter(|(_, support)| *support >= least);
        let kept = frequent.map(|((gram, next), support)| {
            let mut codes = grams[gram as usize].clone();
            codes.push(next);
            Gram { codes, support }
        });
        let kept: Vec<Gram> = kept.collect();
        grams = kept.iter().map(|gram| gram.codes.clone()).collect();
        best.extend(kept);
        best.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        best.truncate(k);
    }
    Ok(best)
}

fn order(gram: &Gram) -> (Reverse<u64>, usize, &[u32]) {
    (Reverse(gram.support), gram.codes.len(), &gram.codes)
}

/// Positions with the pair of locations that starts there.
fn pairs(sequences: &Sequences) -> Vec<(usize, u64)> {
    let mut found = Vec::with_capacity(sequences.symbols());
    for (record, codes) in sequences.iter().enumerate() {
        let start = sequences.offsets()[record] as usize;
        let windows = codes.windows(2).zip(start..);
        found.extend(windows.map(|(window, at)| (at, pair(window[0], window[1]))));
    }
    found
}

/// Positions where two grams overlap in all but one location each, so that they make one longer
/// gram. A gram has at least two locations, so the next position lies in the same record.
fn joined(starts: &[u32]) -> Vec<(usize, u64)> {
    starts
        .par_windows(2)
        .enumerate()
        .filter(|(_, window)| window[0] != NONE && window[1] != NONE)
        .map(|(position, window)| (position, pair(window[0], window[1])))
        .collect()
}

/// The support below which no gram can be among the `k` best of those known and those counted.
fn threshold(best: &[Gram], counts: &[(u64, u64)], k: usize) -> u64 {
    let mut supports: Vec<u64> = best
        .iter()
        .map(|gram| gram.support)
        .chain(counts.iter().map(|(_, support)| *support))
        .collect();
    if supports.len() <= k {
        return 0;
    }
    let (_, least, _) = supports.select_nth_unstable_by_key(k - 1, |&support| Reverse(support));
    *least
}

/// How often given n-grams occur.
pub(super) fn supports(sequences: &Sequences, grams: &[Gram]) -> Vec<u64> {
    let trie = Trie::of(grams);
    let chunks = sequences.len().div_ceil(CHUNK);
    (0..chunks)
        .into_par_iter()
        .map(|chunk| {
            let mut counts = vec![0u64; grams.len()];
            let records = chunk * CHUNK..((chunk + 1) * CHUNK).min(sequences.len());
            for record in records {
                let codes = sequences.codes_of(record);
                for start in 0..codes.len() {
                    trie.count(&codes[start..], &mut counts);
                }
            }
            counts
        })
        .reduce(
            || vec![0; grams.len()],
            |mut left, right| {
                for (a, b) in left.iter_mut().zip(right) {
                    *a += b;
                }
                left
            },
        )
}

/// Given n-grams by their prefixes; node 0 is the empty one.
struct Trie {
    children: FxHashMap<u64, u32>,
    gram: Vec<Option<usize>>,
}

impl Trie {
    fn of(grams: &[Gram]) -> Self {
        let mut trie = Self {
            children: FxHashMap::default(),
            gram: vec![None],
        };
        for (index, gram) in grams.iter().enumerate() {
            let mut node = 0;
            for &code in &gram.codes {
                let next = trie.gram.len() as u32;
                node = *trie.children.entry(pair(node, code)).or_insert(next);
                if node == next {
                    trie.gram.push(None);
                }
            }
            trie.gram[node as usize] = Some(index);
        }
        trie
    }

    /// Counts the grams that are prefixes of `codes`.
    fn count(&self, codes: &[u32], counts: &mut [u64]) {
        let mut node = 0;
        for &code in codes {
            let Some(&next) = self.children.get(&pair(node, code)) else {
                return;
            };
            node = next;
            if let Some(index) = self.gram[node as usize] {
                counts[index] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn naive(records: &[Vec<u32>], longest: usize) -> Vec<Gram> {
        let mut counts: BTreeMap<&[u32], u64> = BTreeMap::new();
        for length in 2..=longest {
            for window in records.iter().flat_map(|record| record.windows(length)) {
                *counts.entry(window).or_default() += 1;
            }
        }
        let mut grams: Vec<Gram> = counts
            .into_iter()
            .map(|(codes, support)| Gram {
                codes: codes.to_vec(),
                support,
            })
            .collect();
        grams.sort_by(|a, b| order(a).cmp(&order(b)));
        grams
    }

    #[test]
    fn ties_go_to_the_shorter() {
        let sequences = Sequences::from_codes([vec![3, 1, 2], vec![3, 1, 2], vec![0]]);
        let found: Vec<_> = top(&sequences, 8, 3).into_iter().map(|g| g.codes).collect();
        assert_eq!(found, [vec![1, 2], vec![3, 1], vec![3, 1, 2]]);
        assert_eq!(top(&sequences, 1, 3), []);
        assert_eq!(top(&sequences, 8, 0), []);
        assert_eq!(top(&Sequences::empty(false), 8, 3), []);
    }

    proptest! {
        #[test]
        fn as_counted_one_by_one(
            records in prop::collection::vec(prop::collection::vec(0u32..4, 0..9), 0..30),
            longest in 2usize..7,
            k in 1usize..40,
        ) {
            let sequences = Sequences::from_codes(&records);
            let all = naive(&records, longest);
            let found = top(&sequences, longest, k);
            prop_assert_eq!(&found[..], &all[..k.min(all.len())]);
            let expected: Vec<u64> = all.iter().map(|gram| gram.support).collect();
            prop_assert_eq!(supports(&sequences, &all), expected);
        }
    }
}
