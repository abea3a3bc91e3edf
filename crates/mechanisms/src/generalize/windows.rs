//! Which pieces of a record count, where it has more of them than one record may give.
//!
//! Every way to choose looks at one record alone, and at coins of its own. So none of them changes what
//! a unit can add to the counts: at most m journeys for each of its records, all different. This is all
//! that the guarantee asks; which m they are decides how useful a release is.

use std::num::NonZeroU64;

use rand_core::Rng;
use wayveil_noise::below;

/// Records cut into pieces of n points, one after the other. What is left at the end of a record is
/// left out; a record of fewer than n points is one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// n: points of a piece.
    pub points: u32,
    /// m: the most pieces of one record. Equal pieces of a record count as one.
    pub most: u32,
    /// Which of its different pieces, where there are more.
    pub choice: Choice,
}

/// Which pieces of a record are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Those that the record has most often; of equally frequent ones those that come first.
    Usual,
    /// Those that come first.
    First,
    /// Drawn one after the other, each in proportion to how often the record has it, until there are m
    /// different ones.
    Random,
}

impl Choice {
    /// All ways to choose, with the default first.
    pub const ALL: [Self; 3] = [Self::Usual, Self::First, Self::Random];

    /// Its name, as given.
    pub fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::First => "first",
            Self::Random => "random",
        }
    }
}

/// A piece of a record and how often the record has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece<'a> {
    symbols: &'a [u32],
    times: u64,
}

/// The pieces of one record that count, in the order in which they come first, and how many other
/// different pieces there are. `record` has at least n points, and n is above 0.
pub(super) fn chosen<'a, R: Rng + ?Sized>(
    record: &'a [u32],
    windows: Windows,
    coins: &mut R,
) -> (Vec<&'a [u32]>, usize) {
    let pieces = different(
        record
            .chunks_exact(windows.points.max(1) as usize)
            .collect(),
    );
    let most = (windows.most as usize).min(pieces.len());
    let mut kept: Vec<usize> = match windows.choice {
        _ if most == pieces.len() => (0..most).collect(),
        Choice::First => (0..most).collect(),
        Choice::Usual => {
            let mut order: Vec<usize> = (0..pieces.len()).collect();
            order.sort_unstable_by_key(|&at| (std::cmp::Reverse(pieces[at].times), at));
            order.truncate(most);
            order
        }
        Choice::Random => drawn(&pieces, most, coins),
    };
    kept.sort_unstable();
    let left = pieces.len() - kept.len();
    (
        kept.into_iter().map(|at| pieces[at].symbols).collect(),
        left,
    )
}

/// The different pieces, in the order in which they come first.
fn different(pieces: Vec<&[u32]>) -> Vec<Piece<'_>> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_unstable_by_key(|&at| (pieces[at], at));
    let mut groups: Vec<(usize, u64)> = Vec::new();
    for at in order {
        match groups.last_mut() {
            Some((first, times)) if pieces[*first] == pieces[at] => *times += 1,
            _ => groups.push((at, 1)),
        }
    }
    groups.sort_unstable();
    let piece = |(first, times): (usize, u64)| Piece {
        symbols: pieces[first],
        times,
    };
    groups.into_iter().map(piece).collect()
}

/// Draws `most` different pieces by their frequencies, in integers.
fn drawn<R: Rng + ?Sized>(pieces: &[Piece<'_>], most: usize, coins: &mut R) -> Vec<usize> {
    let mut weights: Vec<u64> = pieces.iter().map(|piece| piece.times).collect();
    let mut kept = Vec::with_capacity(most);
    for _ in 0..most {
        // What is drawn has no weight any more, so that it is not drawn again.
        let Some(all) = NonZeroU64::new(weights.iter().sum()) else {
            break;
        };
        let mut rank = below(all, coins);
        for (at, weight) in weights.iter_mut().enumerate() {
            if rank < *weight {
                *weight = 0;
                kept.push(at);
                break;
            }
            rank -= *weight;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use wayveil_noise::RandomSource;

    use super::*;

    fn cut(record: &[u32], points: u32, most: u32, choice: Choice) -> (Vec<Vec<u32>>, usize) {
        let windows = Windows {
            points,
            most,
            choice,
        };
        let coins = &mut RandomSource::insecure_seed(4).stream();
        let (kept, left) = chosen(record, windows, coins);
        (kept.into_iter().map(<[u32]>::to_vec).collect(), left)
    }

    #[test]
    fn usual_and_first_by_hand() {
        // Pieces 01 20 12 20 12 33, and one point more.
        let record = [0, 1, 2, 0, 1, 2, 2, 0, 1, 2, 3, 3, 0];
        let of = |most, choice| cut(&record, 2, most, choice);
        assert_eq!(of(1, Choice::First), (vec![vec![0, 1]], 3));
        // 20 and 12 are there twice; 20 comes first.
        assert_eq!(of(1, Choice::Usual), (vec![vec![2, 0]], 3));
        assert_eq!(of(2, Choice::Usual), (vec![vec![2, 0], vec![1, 2]], 2));
        // Of 01 and 33, once each, the earlier; in the order of the record.
        let three = vec![vec![0, 1], vec![2, 0], vec![1, 2]];
        assert_eq!(of(3, Choice::Usual), (three.clone(), 1));
        assert_eq!(of(3, Choice::First), (three, 1));
        for choice in Choice::ALL {
            let all = vec![vec![0, 1], vec![2, 0], vec![1, 2], vec![3, 3]];
            assert_eq!(of(9, choice), (all, 0), "{choice:?}");
        }
    }

    /// Piece 0 five times, 1 four times, 2 once.
    const RECORD: [u32; 10] = [0, 0, 1, 0, 1, 2, 1, 0, 1, 0];

    fn frequencies(most: u32) -> BTreeMap<Vec<u32>, f64> {
        let windows = Windows {
            points: 1,
            most,
            choice: Choice::Random,
        };
        let coins = &mut RandomSource::insecure_seed(7).stream();
        let mut times = BTreeMap::new();
        for _ in 0..20_000 {
            let kept = chosen(&RECORD, windows, coins).0.concat();
            *times.entry(kept).or_insert(0.0) += 1.0 / 20_000.0;
        }
        times
    }

    #[test]
    fn random_ones_are_drawn_by_their_frequencies() {
        // Standard deviations are at most 0.0036.
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.02, "{found}");
        let one = frequencies(1);
        near(one[&vec![0]], 0.5);
        near(one[&vec![1]], 0.4);
        near(one[&vec![2]], 0.1);
        // First the one, then the other among what is left.
        let two = frequencies(2);
        near(two[&vec![0, 1]], 0.5 * 4.0 / 5.0 + 0.4 * 5.0 / 6.0);
        near(two[&vec![0, 2]], 0.5 / 5.0 + 0.1 * 5.0 / 9.0);
        near(two[&vec![1, 2]], 0.4 / 6.0 + 0.1 * 4.0 / 9.0);
    }

    proptest! {
        /// Against a plain count: as many as may be, all different, pieces of the record, and with
        /// `usual` none that is left out is more frequent than one that is kept.
        #[test]
        fn kept_pieces_are_different_ones_of_the_record(
            record in prop::collection::vec(0u32..4, 3..60), points in 1u32..4, most in 1u32..6,
        ) {
            let pieces: Vec<&[u32]> = record.chunks_exact(points as usize).collect();
            let mut times: BTreeMap<&[u32], usize> = BTreeMap::new();
            pieces.iter().for_each(|&piece| *times.entry(piece).or_default() += 1);
            for choice in Choice::ALL {
                let (kept, left) = cut(&record, points, most, choice);
                prop_assert_eq!(kept.len(), times.len().min(most as usize));
                prop_assert_eq!(kept.len() + left, times.len());
                let is_kept = |piece: &[u32]| kept.iter().any(|own| own == piece);
                let found = times.keys().filter(|&&piece| is_kept(piece)).count();
                prop_assert_eq!(found, kept.len());
                let first = |piece: &[u32]| pieces.iter().position(|other| *other == piece);
                prop_assert!(kept.iter().map(|own| first(own)).is_sorted());
                if choice != Choice::Usual {
                    continue;
                }
                let rank = |piece: &[u32]| (std::cmp::Reverse(times[piece]), first(piece));
                let last = kept.iter().map(|own| rank(own)).max();
                let next = times.keys().filter(|&&it| !is_kept(it)).map(|&it| rank(it)).min();
                prop_assert!(next.is_none_or(|next| last < Some(next)));
            }
        }
    }
}
