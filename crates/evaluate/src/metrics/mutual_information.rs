//! How much a release tells about the raw record in the same place.

use rayon::prelude::*;
use wayveil_core::{Result, Sequences};

use super::counting::{check_codes, pair};
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Mutual information of raw and released records.
pub(super) static METRIC: Metric = Metric {
    name: "mutual-information",
    about: "how many bits a released record tells about the raw record in the same place",
    definition: "`bits` = Σₜ Σ Pr(x(t), y(t)) log₂ (Pr(x(t), y(t)) / (Pr(x(t)) Pr(y(t)))), in bits, \
                 with x(t) and y(t) the t-th location of a raw record and of the released record in \
                 the same place of the data set, or `none` beyond its end; in timed data the last \
                 location in bin t. Probabilities are shares of the records. `share` = bits / Σₜ \
                 H(x(t)), 1 where the release tells everything. Less is more private, not more \
                 useful: zero means independent. It is meant for releases that keep records in \
                 place (generalised, perturbed); a synthetic release has no records in place, and \
                 what is shown then is chance. Chance alone gives about (X − 1)(Y − 1)/(2N ln 2) \
                 bits per t, X and Y the numbers of outcomes and N the records. Times are summed as \
                 if independent, so it is no bound on what a whole record gives away. Undefined \
                 where the sides differ in their number of records or have none; `share` also where \
                 all raw records are the same. A release of merged journeys (generalize, as \
                 published or repaired) has no records in place either. With --publish, y(t) is then \
                 what the release shows of that record: the cluster of its t-th point where the \
                 journey that it lies in is released, else `none`, as if a recipient knew which \
                 journey is whose; t counts points. Merging and decoys do not change that number, and \
                 a count does not enter it at all.",
    source: "Kulkarni, after Li, Zhu, Zhang and Xu, Achieving differential privacy of trajectory \
             data publishing in participatory sensing, 2017; how x and y are paired is not said \
             there.",
    better: Better::Lower,
    spatial: false,
    run,
};

const NAMES: [&str; 2] = ["bits", "share"];
/// Why nothing can be said of two files.
const NO_PLACES: &str = "rows of this release do not correspond to records, and its files do not say \
                         what they show of each. Where the method knows it, as generalize does, `wayveil \
                         evaluate RAW --publish 'METHOD ...'` measures it";
/// Beyond the end of a record. No location has this code.
const ABSENT: u32 = u32::MAX;

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    check_codes(compared)?;
    let told = match &compared.in_place {
        Some(in_place) => information(&in_place.records, &in_place.shown),
        None => information(compared.raw, &compared.released),
    };
    Ok(match told {
        Some(Information { bits, share }) => {
            vec![Value::new(NAMES[0], bits), Value::of(NAMES[1], share)]
        }
        None => NAMES
            .map(|name| Value::undefined_because(name, NO_PLACES))
            .to_vec(),
    })
}

/// What released records tell about raw ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Information {
    /// Σₜ I(x(t); y(t)).
    pub bits: f64,
    /// The share of Σₜ H(x(t)); none where that is zero.
    pub share: Option<f64>,
}

/// The mutual information of raw records and of the released ones in the same places, as
/// `mutual-information` defines it; none where the sides differ in their number of records or have
/// none. Codes are bare outcomes: the two sides may have different universes. A side without time bins
/// counts positions, so that a released side whose bins are positions can leave points out.
pub fn information(raw: &Sequences, released: &Sequences) -> Option<Information> {
    let records = raw.len();
    if records == 0 || records != released.len() {
        return None;
    }
    let pairs = by_time(raw, released);
    let each: Vec<(f64, f64)> = pairs
        .chunk_by(|a, b| a.0 == b.0)
        .map(|at_time| at_one_time(at_time, records))
        .collect();
    let bits: f64 = each.iter().map(|pair| pair.0).sum();
    let entropy: f64 = each.iter().map(|pair| pair.1).sum();
    let share = (entropy > 0.0).then(|| (bits / entropy).min(1.0));
    Some(Information { bits, share })
}

/// Times with the pair of locations, as a key, of the records in the same place; ascending. Pairs of
/// which both are absent are left out.
fn by_time(raw: &Sequences, released: &Sequences) -> Vec<(u64, u64)> {
    let mut pairs = Vec::with_capacity(raw.symbols().max(released.symbols()));
    for record in 0..raw.len() {
        let mut raw = located(raw, record).peekable();
        let mut released = located(released, record).peekable();
        loop {
            let time = match (raw.peek(), released.peek()) {
                (Some(a), Some(b)) => a.0.min(b.0),
                (Some(a), None) => a.0,
                (None, Some(b)) => b.0,
                (None, None) => break,
            };
            let x = raw.next_if(|at| at.0 == time).map_or(ABSENT, |at| at.1);
            let y = released
                .next_if(|at| at.0 == time)
                .map_or(ABSENT, |at| at.1);
            pairs.push((time, pair(x, y)));
        }
    }
    pairs.par_sort_unstable();
    pairs
}

/// Times, ascending, with the location of a record at each: positions, or bins with the last
/// location in each.
fn located(sequences: &Sequences, record: usize) -> impl Iterator<Item = (u64, u32)> {
    let codes = sequences.codes_of(record);
    let bins = sequences.bins_of(record);
    let time = move |at: usize| bins.get(at).map_or(at as u64, |&bin| u64::from(bin));
    let last_of_its_time = move |at: &usize| at + 1 >= codes.len() || time(at + 1) > time(*at);
    (0..codes.len())
        .filter(last_of_its_time)
        .map(move |at| (time(at), codes[at]))
}

/// Mutual information I(X; Y) = H(X) + H(Y) − H(X, Y), and H(X), of the sorted pairs of one time and
/// of as many absent ones as make up the number of records.
fn at_one_time(pairs: &[(u64, u64)], records: usize) -> (f64, f64) {
    let absent = records.saturating_sub(pairs.len());
    let joint: Vec<u64> = pairs.iter().map(|&(_, pair)| pair).collect();
    let raw: Vec<u32> = joint.iter().map(|pair| (pair >> 32) as u32).collect();
    let mut released: Vec<u32> = joint.iter().map(|pair| *pair as u32).collect();
    released.par_sort_unstable();
    let of_raw = entropy(&raw, ABSENT, absent);
    let of_released = entropy(&released, ABSENT, absent);
    let bits = of_raw + of_released - entropy(&joint, pair(ABSENT, ABSENT), absent);
    // It lies between zero and the smaller entropy but for rounding.
    (bits.clamp(0.0, of_raw.min(of_released)), of_raw)
}

/// Entropy in bits of a sorted sample to which `more` of the greatest outcome are added.
fn entropy<T: Ord>(sorted: &[T], greatest: T, more: usize) -> f64 {
    let n = (sorted.len() + more) as f64;
    let term = |count: usize| match count {
        0 => 0.0,
        _ => -(count as f64 / n) * (count as f64 / n).log2(),
    };
    let below = sorted.partition_point(|outcome| *outcome < greatest);
    let runs = sorted[..below].chunk_by(|a, b| a == b);
    let sum: f64 = runs.map(|run| term(run.len())).sum();
    // Of one outcome it is zero, not minus zero.
    (sum + term(sorted.len() - below + more)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_their_last_location() {
        let timed = Sequences::new(vec![0, 4], vec![5, 6, 7, 8], Some(vec![1, 1, 3, 3])).unwrap();
        assert_eq!(located(&timed, 0).collect::<Vec<_>>(), [(1, 6), (3, 8)]);
        let untimed = Sequences::from_codes([[5, 6]]);
        assert_eq!(located(&untimed, 0).collect::<Vec<_>>(), [(0, 5), (1, 6)]);
    }

    #[test]
    fn coarse_places_and_points_left_out() {
        // Four equally likely places in the first position, two clusters: one bit of two. In the
        // second position all are the same. In the third, two records are shown and two are not.
        let raw = Sequences::from_codes([[0, 9, 5], [1, 9, 6], [2, 9, 7], [3, 9, 8]]);
        let released = Sequences::new(
            vec![0, 2, 4, 6, 8],
            vec![0, 4, 0, 4, 1, 2, 1, 3],
            Some(vec![0, 2, 0, 2, 0, 1, 0, 1]),
        );
        let found = information(&raw, &released.unwrap()).unwrap();
        // The first position tells 1 bit; the third which half: 1 bit; the second nothing.
        assert_eq!(
            found,
            Information {
                bits: 2.0,
                share: Some(0.5)
            }
        );
        assert_eq!(information(&raw, &Sequences::empty(false)), None);
        assert_eq!(
            information(&Sequences::empty(false), &Sequences::empty(false)),
            None
        );
        let nothing = Sequences::from_codes([[0u32; 0]; 4]);
        assert_eq!(
            information(&raw, &nothing),
            Some(Information {
                bits: 0.0,
                share: Some(0.0)
            })
        );
    }

    #[test]
    fn by_hand() {
        let at = |pairs: &[(u32, u32)], records| {
            let pairs: Vec<(u64, u64)> = pairs.iter().map(|&(x, y)| (0, pair(x, y))).collect();
            at_one_time(&pairs, records)
        };
        // A fair bit that the release shows.
        assert_eq!(at(&[(0, 7), (1, 8)], 2), (1.0, 1.0));
        // The same, hidden: all four pairs are as likely.
        assert_eq!(at(&[(0, 0), (0, 1), (1, 0), (1, 1)], 4), (0.0, 1.0));
        // Half of the records end earlier, on both sides.
        assert_eq!(at(&[(3, 3)], 2), (1.0, 1.0));
        // The release ends all records earlier, and tells nothing.
        assert_eq!(at(&[(3, ABSENT)], 2), (0.0, 1.0));
        assert_eq!(at(&[], 2), (0.0, 0.0));
    }
}
