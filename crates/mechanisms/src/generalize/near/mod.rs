//! Nearly equal journeys into one, among those that are released.
//!
//! This is post-processing: it must be given released keys and released counts, and no others. Before
//! noise is added one more person could join two groups, or part them, and so change any number of
//! counts.
//!
//! The rule: keys are taken by descending count, equal counts in the order of their symbols. A key
//! within the bound of an earlier one that stands for itself goes into the first such; else it stands for
//! itself. So a key goes into a more frequent one, chains do not form, and the result does not depend on
//! the order of the input.

mod distance;

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHasher};
use wayveil_core::{Error, Result, Sequences};

use distance::within;

/// Nearly equal keys merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearlyMerged {
    /// The keys that stand for themselves, in the order of the input.
    pub keys: Sequences,
    /// Their counts with those of the keys that went into them.
    pub counts: Vec<i64>,
    /// For each key of the input, the number in `keys` of the one that it went into.
    pub into: Vec<u32>,
}

/// Merges released keys whose edit distance (symbols put in, left out or replaced) is at most `bound`.
///
/// It does not compare all pairs. A key that stands for itself is cut into bound + 1 pieces. So few
/// edits leave at least one of them whole, moved by at most `bound` places; a table of pieces then tells
/// which keys to compare with (Li, Deng, Wang and Feng 2011). Where that table would cost more than to
/// compare with all that stand for themselves, for they are few or the bound is large, it is not used.
pub fn merge_near(keys: &Sequences, counts: &[i64], bound: u32) -> Result<NearlyMerged> {
    if keys.is_timed() || counts.len() != keys.len() {
        return Err(Error::input(
            "keys to be merged must be plain symbols, with one count each",
        ));
    }
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_unstable_by_key(|&key| {
        let key = key as usize;
        (std::cmp::Reverse(counts[key]), keys.codes_of(key), key)
    });
    let mut leaders = Leaders::new(bound);
    let mut keys_of_leaders: Vec<u32> = Vec::new();
    let mut leader_of = vec![0; keys.len()];
    for &key in &order {
        let symbols = keys.codes_of(key as usize);
        leader_of[key as usize] = match leaders.first_near(symbols) {
            Some(leader) => keys_of_leaders[leader as usize],
            None => {
                leaders.push(symbols);
                keys_of_leaders.push(key);
                key
            }
        };
    }
    Ok(collected(keys, counts, &leader_of))
}

fn collected(keys: &Sequences, counts: &[i64], leader_of: &[u32]) -> NearlyMerged {
    let mut number = vec![0; keys.len()];
    let mut merged = NearlyMerged {
        keys: Sequences::empty(false),
        counts: Vec::new(),
        into: Vec::new(),
    };
    for (key, &leader) in leader_of.iter().enumerate() {
        if leader as usize == key {
            number[key] = merged.counts.len() as u32;
            merged.keys.push(keys.codes_of(key), &[]);
            merged.counts.push(0);
        }
    }
    for (&leader, &count) in leader_of.iter().zip(counts) {
        let into = number[leader as usize];
        let sum = &mut merged.counts[into as usize];
        *sum = sum.saturating_add(count);
        merged.into.push(into);
    }
    merged
}

/// The keys that stand for themselves, found by their pieces.
pub(super) struct Leaders {
    bound: usize,
    /// In the order in which they came, which is that of preference.
    keys: Sequences,
    /// By length, number and symbols of a piece, hashed: positions in `keys`, ascending.
    by_piece: FxHashMap<u64, Vec<u32>>,
    /// The lengths of those that are cut into pieces.
    lengths: BTreeSet<usize>,
    /// Those too short to be cut into so many pieces.
    short: Vec<u32>,
    work: u64,
}

impl Leaders {
    /// None yet.
    pub(super) fn new(bound: u32) -> Self {
        Self {
            bound: bound as usize,
            keys: Sequences::empty(false),
            by_piece: FxHashMap::default(),
            lengths: BTreeSet::new(),
            short: Vec::new(),
            work: 0,
        }
    }

    /// One more, which comes after all others. Returns its position.
    pub(super) fn push(&mut self, symbols: &[u32]) -> u32 {
        let position = self.keys.len() as u32;
        self.keys.push(symbols, &[]);
        if symbols.len() <= self.bound {
            self.short.push(position);
            return position;
        }
        self.lengths.insert(symbols.len());
        for number in 0..=self.bound {
            let range = piece(symbols.len(), number, self.bound + 1);
            let hash = hash(symbols.len(), number, &symbols[range]);
            self.by_piece.entry(hash).or_default().push(position);
        }
        position
    }

    /// The position of the first that came within the bound of this key.
    pub(super) fn first_near(&mut self, symbols: &[u32]) -> Option<u32> {
        let one = comparison(symbols.len(), self.bound);
        let all = one.saturating_mul(self.keys.len() as u64);
        let probing = self.probing(symbols.len());
        let candidates = match all > probing {
            true => {
                self.work = self.work.saturating_add(probing);
                self.candidates(symbols)
            }
            false => None,
        };
        let candidates = candidates.unwrap_or_else(|| (0..self.keys.len() as u32).collect());
        let mut compared = 0;
        let first = candidates.into_iter().find(|&position| {
            compared += 1;
            within(self.keys.codes_of(position as usize), symbols, self.bound)
        });
        self.work = self.work.saturating_add(one.saturating_mul(compared));
        first
    }

    /// The work that was done, about in cells of tables of edit distances.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// The lengths that those within the bound of a key can have.
    fn lengths_near(&self, length: usize) -> impl Iterator<Item = usize> {
        let lengths = length.saturating_sub(self.bound)..=length + self.bound;
        self.lengths.range(lengths).copied()
    }

    /// The work of looking at the table of pieces, about in cells as well.
    fn probing(&self, length: usize) -> u64 {
        let (lengths, bound) = (self.lengths_near(length).count() as u64, self.bound as u64);
        // As many starts as `starts` allows for all pieces; a look costs some cells, and its hash.
        let looks = (bound * bound / 2 + bound + 1).saturating_mul(lengths);
        looks.saturating_mul(8 + length as u64 / (bound + 1))
    }

    /// Those that a piece is shared with, and those that have none; ascending. None where pieces are
    /// shared with so many that it is better to compare with all.
    fn candidates(&self, symbols: &[u32]) -> Option<Vec<u32>> {
        let mut candidates = self.short.clone();
        for length in self.lengths_near(symbols.len()) {
            for number in 0..=self.bound {
                let own = piece(length, number, self.bound + 1);
                for start in starts(&own, number, length, symbols.len(), self.bound) {
                    let part = &symbols[start..start + own.len()];
                    if let Some(found) = self.by_piece.get(&hash(length, number, part)) {
                        candidates.extend(found);
                    }
                }
                if candidates.len() > self.keys.len() {
                    return None;
                }
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        Some(candidates)
    }
}

/// The cells of one comparison, at most.
fn comparison(length: usize, bound: usize) -> u64 {
    let band = (2 * bound + 1).min(length + bound);
    (band as u64).saturating_mul(length as u64).max(1)
}

/// Where the pieces of a key lie: of nearly equal length, the last ones longer.
fn piece(length: usize, number: usize, pieces: usize) -> Range<usize> {
    let short = length / pieces;
    let longer_from = pieces - length % pieces;
    let start = |number: usize| number * short + number.saturating_sub(longer_from);
    start(number)..start(number + 1)
}

/// Where a piece of a key of some length can lie in another, if it is the one to find it by.
///
/// Let eⱼ be the edits in piece j, d at most in all d + 1 pieces, and S(i) = e₀ + … + eᵢ₋₁ − i. S begins
/// at 0 and ends below 0, and falls by at most 1 from one piece to the next. Where it first falls below
/// 0, at piece i, S(i) = 0 and eᵢ = 0: that piece is whole, with i edits before it and at most d − i
/// after it. So it is moved by at most i from the beginning and by at most d − i from the end.
fn starts(
    piece: &Range<usize>,
    number: usize,
    length: usize,
    other_length: usize,
    bound: usize,
) -> Range<usize> {
    // From the end: start + (length − piece.end) moved by the difference of the lengths.
    let after = bound - number;
    let first = piece
        .start
        .saturating_sub(number)
        .max((piece.start + other_length).saturating_sub(length + after));
    let last =
        (piece.start + number).min((piece.start + other_length + after).saturating_sub(length));
    let room = (other_length + 1).saturating_sub(piece.len());
    match piece.start + other_length + after < length {
        true => 0..0,
        false => first..(last + 1).min(room).max(first),
    }
}

/// Pieces with equal hashes are compared in full, as parts of their keys.
fn hash(length: usize, number: usize, symbols: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    (length, number, symbols).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use proptest::prelude::*;
    use wayveil_noise::{RandomSource, below};

    use super::distance::edit_distance;
    use super::*;

    /// The rule, with all pairs.
    fn by_all_pairs(keys: &Sequences, counts: &[i64], bound: u32) -> NearlyMerged {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&key| (-counts[key], keys.codes_of(key).to_vec(), key));
        let mut leaders: Vec<usize> = Vec::new();
        let mut leader_of = vec![0; keys.len()];
        for key in order {
            let near = |leader: &&usize| {
                edit_distance(keys.codes_of(**leader), keys.codes_of(key)) <= bound as usize
            };
            let leader = leaders.iter().find(near).copied();
            if leader.is_none() {
                leaders.push(key);
            }
            leader_of[key] = leader.unwrap_or(key) as u32;
        }
        collected(keys, counts, &leader_of)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn agrees_with_all_pairs(
            keys in prop::collection::vec((prop::collection::vec(0u32..3, 0..10), -3i64..9), 0..60),
            bound in 0u32..5,
        ) {
            let sequences = Sequences::from_codes(keys.iter().map(|key| &key.0));
            let counts: Vec<i64> = keys.iter().map(|key| key.1).collect();
            let fast = merge_near(&sequences, &counts, bound).unwrap();
            prop_assert_eq!(&fast, &by_all_pairs(&sequences, &counts, bound));
            prop_assert_eq!(fast.counts.iter().sum::<i64>(), counts.iter().sum::<i64>());
        }

        #[test]
        fn pieces_cover_a_key(length in 0usize..40, pieces in 1usize..8) {
            let mut end = 0;
            for number in 0..pieces {
                let range = piece(length, number, pieces);
                prop_assert_eq!(range.start, end);
                prop_assert!(range.len() == length / pieces || range.len() == length / pieces + 1);
                end = range.end;
            }
            prop_assert_eq!(end, length);
        }
    }

    /// Many keys of few symbols, so that some are found by pieces and others by comparing with all.
    #[test]
    fn both_ways_to_look_agree_with_all_pairs() {
        let mut rng = RandomSource::insecure_seed(8).stream();
        let mut draw = |many: u64| below(NonZeroU64::new(many).unwrap(), &mut rng) as u32;
        for (symbols, bound) in [(2, 2), (40, 1), (40, 3), (5, 9)] {
            let keys: Vec<Vec<u32>> = (0..400)
                .map(|_| (0..9 + draw(4)).map(|_| draw(symbols)).collect())
                .collect();
            let counts: Vec<i64> = keys.iter().map(|_| i64::from(draw(9))).collect();
            let keys = Sequences::from_codes(&keys);
            let fast = merge_near(&keys, &counts, bound).unwrap();
            assert_eq!(
                fast,
                by_all_pairs(&keys, &counts, bound),
                "{symbols} {bound}"
            );
        }
    }

    #[test]
    fn few_long_keys_and_a_large_bound_cost_few_comparisons() {
        let mut leaders = Leaders::new(500);
        let key = |shift: u32| -> Vec<u32> { (0..1000).map(|at| (at * shift) % 97).collect() };
        (1..=4).for_each(|shift| _ = leaders.push(&key(shift)));
        for shift in 5..30 {
            leaders.first_near(&key(shift));
        }
        // A few comparisons each, of about a million cells; by pieces of every length that keys could
        // have it would be a thousand.
        assert!(leaders.work() <= 25 * 6_000_000, "{}", leaders.work());
    }

    #[test]
    fn many_short_keys_are_not_all_compared() {
        let mut leaders = Leaders::new(1);
        let key = |n: u32| [n % 20, n / 20 % 20, n / 400 % 20, n / 8000];
        (0..20_000).for_each(|n| _ = leaders.push(&key(n)));
        let before = leaders.work();
        leaders.first_near(&[30, 31, 32, 33]);
        assert!(leaders.work() - before < 1000, "{}", leaders.work());
    }

    #[test]
    fn by_hand() {
        // The second is one edit from the first, the third one from the second and two from the first.
        let keys = Sequences::from_codes([vec![1u32, 2, 3], vec![1, 2, 4], vec![1, 5, 4], vec![9]]);
        let merged = merge_near(&keys, &[10, 5, 7, 1], 1).unwrap();
        assert_eq!(merged.into, [0, 0, 1, 2]);
        assert_eq!(merged.counts, [15, 7, 1]);
        assert_eq!(merged.keys.codes_of(1), [1, 5, 4]);
        let same = merge_near(&keys, &[10, 5, 7, 1], 0).unwrap();
        assert_eq!((same.keys, same.counts), (keys.clone(), vec![10, 5, 7, 1]));
        assert_eq!(merge_near(&keys, &[10, 5, 7, 1], 9).unwrap().counts, [23]);
        assert!(merge_near(&keys, &[1], 1).is_err());
        let none = merge_near(&Sequences::empty(false), &[], 2).unwrap();
        assert!(none.keys.is_empty());
    }
}
