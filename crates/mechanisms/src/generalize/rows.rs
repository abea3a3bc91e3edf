//! From released journeys to released rows: near journeys into one, decoys among them, everything in
//! one order. All of it is post-processing.

use rand_core::Rng;
use wayveil_core::{Result, Sequences};

use super::counting::{Counting, Released};
use super::decoys::{Drawing, decoys};
use super::near::merge_near;
use super::options::{DecoyStyle, GeneralizeOptions};
use super::symbols::Symbols;

/// How often decoys are drawn for those that could not be used, first in the style that was asked for,
/// then uniformly as often again.
const TRIES: usize = 40;

/// Merges near journeys and puts decoys beside them, each different from every other journey, and
/// farther from it than what is merged. Nothing is put beside nothing. Returns both, apart.
pub(super) fn with_decoys<R: Rng + ?Sized>(
    options: &GeneralizeOptions,
    counting: &Counting,
    released: Released,
    symbols: Symbols,
    rng: &mut R,
) -> Result<(Released, Released)> {
    let own = match options.near {
        0 => released,
        near => {
            let merged = merge_near(&released.keys, &released.counts, near)?;
            Released {
                keys: merged.keys,
                counts: merged.counts,
            }
        }
    };
    let mut made_up = Released {
        keys: Sequences::empty(false),
        counts: Vec::new(),
    };
    let Some(lengths) = lengths(&own.keys) else {
        return Ok((own, made_up));
    };
    let mut all = own.keys.clone();
    let wanted = all.len() + options.decoys as usize;
    for attempt in 0..2 * TRIES {
        let missing = wanted - all.len();
        if missing == 0 {
            break;
        }
        let drawing = match options.decoy_style {
            DecoyStyle::Markov if attempt < TRIES => Drawing::LikeReleased(lengths.clone()),
            _ => Drawing::Uniform(lengths.clone()),
        };
        let drawn = decoys(missing, &drawing, symbols, &own.keys, &own.counts, rng);
        let mut keys = all.clone();
        for decoy in drawn.iter() {
            let stays = |pair: &[u32]| symbols.cluster(pair[0]) == symbols.cluster(pair[1]);
            // Where stays are collapsed, one that is not would tell a decoy.
            let tells = options.collapse && decoy.windows(2).any(stays);
            if !decoy.is_empty() && !tells {
                keys.push(decoy, &[]);
            }
        }
        // What was there before stands for itself, being far enough from each other; of the new ones
        // those do that are far enough from all of them.
        let order: Vec<i64> = (0..keys.len())
            .map(|key| i64::from(key < all.len()))
            .collect();
        all = merge_near(&keys, &order, options.near)?.keys;
    }
    for decoy in own.keys.len()..all.len() {
        made_up.keys.push(all.codes_of(decoy), &[]);
        made_up.counts.push(counting.of_decoy(rng));
    }
    Ok((own, made_up))
}

/// The shortest and the longest released journey.
fn lengths(released: &Sequences) -> Option<std::ops::RangeInclusive<u32>> {
    let lengths = || released.iter().map(|key| key.len() as u32);
    Some(lengths().min()?..=lengths().max()?)
}

/// Each journey as often as its count says, in the order of places and times. `together` time bins made
/// one; without it a timed release has everything in its first bin.
pub(super) fn repeated(
    journeys: &Sequences,
    counts: &[i64],
    timed: bool,
    together: Option<u32>,
) -> Sequences {
    let mut order: Vec<usize> = (0..journeys.len()).collect();
    order.sort_unstable_by_key(|&key| (journeys.codes_of(key), journeys.bins_of(key)));
    let mut rows = Sequences::empty(timed);
    for key in order {
        let codes = journeys.codes_of(key);
        let bins: Vec<u32> = match (timed, together) {
            (false, _) => Vec::new(),
            (true, None) => vec![0; codes.len()],
            (true, Some(together)) => {
                let bins = journeys.bins_of(key).iter();
                bins.map(|bin| bin.saturating_mul(together)).collect()
            }
        };
        (0..counts[key]).for_each(|_| rows.push(codes, &bins));
    }
    rows
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;

    use super::*;
    use crate::generalize::testing::{counting, options};

    fn symbols() -> Symbols {
        Symbols::new(5, None).unwrap()
    }

    fn drawn(given: &[(&str, &str)], keys: &[&[u32]], counts: &[i64]) -> Released {
        let options = options(given);
        let released = Released {
            keys: Sequences::from_codes(keys),
            counts: counts.to_vec(),
        };
        let counting = counting(&options, symbols());
        let rng = &mut RandomSource::insecure_seed(5).stream();
        let (mut all, decoys) = with_decoys(&options, &counting, released, symbols(), rng).unwrap();
        decoys
            .keys
            .iter()
            .for_each(|decoy| all.keys.push(decoy, &[]));
        all.counts.extend(decoys.counts);
        all
    }

    #[test]
    fn decoys_look_like_released_journeys_and_equal_none() {
        let keys: [&[u32]; 2] = [&[0, 1, 2], &[3, 4, 3]];
        for style in ["markov", "uniform"] {
            let given = [
                ("decoys", "30"),
                ("decoy-style", style),
                ("collapse", "true"),
            ];
            let all = drawn(&given, &keys, &[40, 50]);
            assert_eq!((all.keys.len(), all.counts.len()), (32, 32), "{style}");
            assert_eq!(
                (all.keys.codes_of(0), all.counts[0]),
                (&[0u32, 1, 2][..], 40)
            );
            assert_eq!(
                (all.keys.codes_of(1), all.counts[1]),
                (&[3u32, 4, 3][..], 50)
            );
            let least = counting(&options(&given), symbols()).threshold as i64;
            assert!(all.counts.iter().all(|&count| count >= least), "{style}");
            let mut different: Vec<_> = all.keys.iter().collect();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), 32);
            assert!(all.keys.iter().all(|key| key.len() == 3));
            let stays = |key: &[u32]| key.windows(2).any(|pair| pair[0] == pair[1]);
            assert!(!all.keys.iter().any(stays));
        }
    }

    #[test]
    fn near_journeys_become_one_and_no_decoy_gives_itself_away_by_being_near() {
        let keys: [&[u32]; 3] = [&[0, 1, 2, 3], &[0, 1, 2, 4], &[4, 4, 4, 4]];
        let all = drawn(&[("near", "1"), ("decoys", "10")], &keys, &[30, 40, 50]);
        assert_eq!(all.keys.codes_of(0), [0, 1, 2, 4]);
        assert_eq!(&all.counts[..2], [70, 50]);
        assert_eq!(all.keys.len(), 12);
        let again = merge_near(&all.keys, &all.counts, 1).unwrap();
        assert_eq!(again.keys.len(), 12);
    }

    #[test]
    fn where_there_are_too_few_journeys_there_are_fewer_decoys() {
        let all = drawn(&[("decoys", "50")], &[&[2]], &[30]);
        assert_eq!(all.keys.len(), 5);
        let nothing = drawn(&[("decoys", "50")], &[], &[]);
        assert!(nothing.keys.is_empty() && nothing.counts.is_empty());
    }

    #[test]
    fn rows_stand_in_order_as_often_as_counts_say() {
        let journeys = Sequences::from_codes([vec![4u32, 1], vec![2], vec![4]]);
        let rows = repeated(&journeys, &[1, 2, 1], false, None);
        let expected: [&[u32]; 4] = [&[2], &[2], &[4], &[4, 1]];
        assert_eq!(rows, Sequences::from_codes(expected));
        assert_eq!(repeated(&journeys, &[0, 1, 0], true, None).bins_of(0), [0]);
        let mut timed = Sequences::empty(true);
        timed.push(&[3, 3], &[0, 2]);
        let rows = repeated(&timed, &[1], true, Some(6));
        assert_eq!(rows.bins_of(0), [0, 12]);
    }
}
