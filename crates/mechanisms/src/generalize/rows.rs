//! From released journeys to released rows: near journeys into one, decoys among them, everything in
//! one order. All of it is post-processing.

use std::num::NonZeroU32;

use rand_core::Rng;
use wayveil_core::{Result, Sequences};

use super::counting::{Counting, Released};
use super::decoys::{Drawing, Style, decoys};
use super::near::{Leaders, merge_near};
use super::options::{DecoyStyle, GeneralizeOptions};
use super::symbols::Symbols;

/// How often decoys are drawn for those that could not be used, first in the style that was asked for,
/// then uniformly as often again.
const TRIES: usize = 40;
/// The fewest that are drawn at once: of few that are possible a few more would hardly hit the last.
const LEAST_DRAWN: usize = 100;
/// The most symbols of rows with nobody behind them: decoys, and what passes by chance.
pub(super) const MOST_SYMBOLS: f64 = 5e7;
/// The most cells of tables of edit distances that are worth it to keep decoys apart.
const MOST_WORK: u64 = 100_000_000_000;

/// Merges near journeys and puts decoys beside them, each different from every other journey, and
/// farther from it than what is merged. Nothing is put beside nothing. Returns both, apart. There are
/// fewer decoys than asked for where there are not so many journeys, where their rows would have more
/// than the most symbols, or where it would take too long to find more.
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
    let stays = !options.collapse;
    let lengths = lengths(&own.keys);
    let domain = lengths.as_ref().and_then(|lengths| {
        let longest = NonZeroU32::new(*lengths.end())?;
        symbols.domain(longest, stays)
    });
    let (Some(lengths), Some(domain)) = (lengths, domain) else {
        return Ok((own, made_up));
    };
    let wanted = u64::from(options.decoys).min(affordable(counting, *lengths.end()));
    let taken = own.keys.len() as u64;
    let possible = domain.size_up_to(lengths.clone(), wanted.saturating_add(taken));
    let wanted = wanted.min(possible.saturating_sub(taken)) as usize;

    let mut others = Leaders::new(options.near);
    own.keys.iter().for_each(|key| _ = others.push(key));
    let mut style = match options.decoy_style {
        DecoyStyle::Markov => Style::LikeReleased,
        DecoyStyle::Uniform => Style::Uniform,
    };
    for attempt in 0..2 * TRIES {
        let before = made_up.keys.len();
        if before == wanted || others.work() > MOST_WORK {
            break;
        }
        if attempt == TRIES {
            style = Style::Uniform;
        }
        let drawing = Drawing {
            style,
            lengths: lengths.clone(),
            stays,
        };
        let number = (wanted - before).max(LEAST_DRAWN);
        let drawn = decoys(number, &drawing, symbols, &own.keys, &own.counts, rng);
        for decoy in drawn.iter() {
            if made_up.keys.len() == wanted || others.work() > MOST_WORK {
                break;
            }
            // What no record could be would tell a decoy.
            if domain.contains(decoy) && others.first_near(decoy).is_none() {
                others.push(decoy);
                made_up.keys.push(decoy, &[]);
            }
        }
        match (made_up.keys.len() > before, style) {
            (true, _) => {}
            (false, Style::LikeReleased) => style = Style::Uniform,
            (false, Style::Uniform) => break,
        }
    }
    made_up.counts = (0..made_up.keys.len())
        .map(|_| counting.of_decoy(rng))
        .collect();
    Ok((own, made_up))
}

/// How many decoys of so many points have no more than the most symbols in all their rows.
fn affordable(counting: &Counting, points: u32) -> u64 {
    (MOST_SYMBOLS / (counting.of_decoy_about() * f64::from(points))) as u64
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

    /// What would take hours and gigabytes otherwise: a million are wanted of thirty that there are.
    #[test]
    fn no_more_decoys_are_looked_for_than_there_can_be() {
        let given = [("epsilon", "30"), ("window", "2"), ("decoys", "1000000")];
        let all = drawn(&given, &[&[2, 1], &[3]], &[30, 40]);
        assert_eq!(all.keys.len(), 30);
        let given = [&given[..], &[("collapse", "true")]].concat();
        assert_eq!(drawn(&given, &[&[2, 1], &[3]], &[30, 40]).keys.len(), 25);
    }

    #[test]
    fn long_journeys_have_fewer_decoys() {
        // Twenty thousand points, at least 22 times each: more than a hundred would be too many symbols.
        let long: Vec<u32> = (0..20_000).map(|at| at * at % 5).collect();
        let given = [("window", "all"), ("decoys", "400000")];
        let all = drawn(&given, &[&long], &[30]);
        assert!((80..=114).contains(&all.keys.len()), "{}", all.keys.len());
        let symbols = |key: usize| all.keys.length(key) as i64 * all.counts[key];
        let symbols: i64 = (1..all.keys.len()).map(symbols).sum();
        assert!(symbols <= 6 * 10_i64.pow(7), "{symbols}");
    }

    /// Pieces of one or two symbols find everybody: it must come to an end all the same.
    #[test]
    fn a_large_bound_of_nearness_comes_to_an_end() {
        let long = |step: u32| -> Vec<u32> { (0..1000).map(|at| at * step % 5).collect() };
        let given = [("near", "500"), ("window", "1000")];
        let all = drawn(&given, &[&long(1), &long(2), &long(4)], &[30, 40, 50]);
        assert!(all.keys.len() <= 53);
        let again = merge_near(&all.keys, &all.counts, 500).unwrap();
        assert_eq!(again.keys.len(), all.keys.len());
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
