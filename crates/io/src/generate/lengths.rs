//! How long the records are, decided for all of them before anyone rides.
//!
//! Planning the lengths first makes the total exact: the mean of a data set is then the preset's
//! to every printed digit, instead of nearly so.

use rand_core::Rng;

use super::draw;
use super::preset::PresetInfo;

/// From so many records up, one of them has the greatest length. Fewer records would be dominated
/// by it.
const RECORDS_WITH_LONGEST: u64 = 1_000;

/// The length of every record, in random order.
pub(super) fn shuffled<R: Rng>(info: &PresetInfo, records: u64, rng: &mut R) -> Vec<u16> {
    let counts = plan(info, records);
    let mut lengths = Vec::with_capacity(records as usize);
    for (length, &count) in counts.iter().enumerate() {
        lengths.extend(std::iter::repeat_n(length as u16, count as usize));
    }
    draw::shuffle(&mut lengths, rng);
    lengths
}

/// How many records there are of each length, from 0 (none) up.
fn plan(info: &PresetInfo, records: u64) -> Vec<u64> {
    let total = (records * u64::from(info.mean_hundredths) + 50) / 100;
    let longest = usize::from(info.longest);
    if records < RECORDS_WITH_LONGEST {
        return fit(records, total, longest);
    }
    let mut counts = fit(records - 1, total - u64::from(info.longest), longest);
    counts[longest] += 1;
    counts
}

/// Counts with exactly this many records and symbols, in a heavy-tailed shape.
fn fit(records: u64, symbols: u64, longest: usize) -> Vec<u64> {
    let shares = solve(symbols as f64 / records as f64, longest);
    let all: f64 = shares.iter().sum();
    let mut counts = vec![0; longest + 1];
    let (mut below, mut placed) = (0.0, 0);
    for length in 1..=longest {
        below += shares[length];
        let target = ((below / all * records as f64 + 0.5) as u64).min(records);
        counts[length] = target.max(placed) - placed;
        placed = target.max(placed);
    }
    counts[1] += records - placed;
    settle(&mut counts, symbols);
    counts
}

/// Moves single records to the next length, a few at each length, until the total is right.
fn settle(counts: &mut [u64], symbols: u64) {
    let longest = counts.len() - 1;
    let mut total: u64 = (0u64..).zip(&*counts).map(|(n, &count)| n * count).sum();
    while total != symbols {
        let before = total;
        for length in 1..longest {
            if total < symbols && counts[length] > 0 {
                counts[length] -= 1;
                counts[length + 1] += 1;
                total += 1;
            } else if total > symbols && counts[length + 1] > 0 {
                counts[length + 1] -= 1;
                counts[length] += 1;
                total -= 1;
            }
        }
        if total == before {
            break;
        }
    }
}

/// The shape whose mean is this one. The mean grows with the scale, so halving finds it.
fn solve(mean: f64, longest: usize) -> Vec<f64> {
    let (mut low, mut high) = (1e-3, 1e4);
    for _ in 0..100 {
        let scale = (low + high) / 2.0;
        let shares = shape(scale, longest);
        let all: f64 = shares.iter().sum();
        let sum: f64 = (0u32..)
            .zip(&shares)
            .map(|(n, share)| f64::from(n) * share)
            .sum();
        if sum < mean * all {
            low = scale;
        } else {
            high = scale;
        }
    }
    shape(low, longest)
}

/// Shares ∝ n²/(n + scale)⁷: a mode at two or three symbols and a tail that falls like n⁻⁵, so
/// that a few in a million ride all week. Odd lengths are a quarter likelier, because who comes
/// back by the way they went has visited an odd number of stations.
fn shape(scale: f64, longest: usize) -> Vec<f64> {
    let share = |length: usize| {
        let n = length as f64;
        let reach = n / scale + 1.0;
        let cube = reach * reach * reach;
        let odd = if length % 2 == 1 && length > 1 {
            1.25
        } else {
            1.0
        };
        odd * n * n / (cube * cube * reach)
    };
    (0..=longest).map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Preset;

    #[test]
    fn records_total_and_longest_are_exact_at_every_size() {
        for preset in Preset::all() {
            let info = preset.info();
            for records in [1, 2, 3, 7, 10, 99, 500, 1_000, 1_001, 50_000, info.records] {
                let counts = plan(info, records);
                assert_eq!(counts.iter().sum::<u64>(), records, "{preset} {records}");
                assert_eq!(counts[0], 0);
                let total: u64 = (0u64..).zip(&counts).map(|(n, &count)| n * count).sum();
                let wanted = (records * u64::from(info.mean_hundredths) + 50) / 100;
                assert_eq!(total, wanted, "{preset} {records}");
                assert!(records < 1_000 || counts[usize::from(info.longest)] > 0);
            }
        }
    }

    #[test]
    fn the_tail_is_heavy_but_thin() {
        let info = Preset::Metro.info();
        let counts = plan(info, info.records);
        let mode = (1..counts.len()).max_by_key(|&n| counts[n]).unwrap();
        assert!((2..=3).contains(&mode), "mode {mode}");
        let long: u64 = counts[21..].iter().sum();
        assert!(
            (info.records / 1_000..info.records / 50).contains(&long),
            "{long}"
        );
        assert!(counts[90] < 20);
    }
}
