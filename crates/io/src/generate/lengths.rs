//! How long the records are, decided for all of them before anyone rides.
//!
//! Planning the lengths first makes the total exact: the mean of a data set is then the preset's
//! to every printed digit, instead of nearly so.

use rand_core::Rng;

use super::draw;

/// From so many records up, one of them has the greatest length. Fewer records would be dominated
/// by it.
const RECORDS_WITH_LONGEST: u64 = 1_000;

/// How long the records of a preset are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// The mean length of a record, in hundredths of a symbol: the total is then an integer sum.
    pub mean_hundredths: u32,
    /// The longest record.
    pub longest: u16,
    /// The shortest record that there may be, at least 1.
    pub shortest: u16,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Few symbols for most and very many for a few.
    HeavyTail,
    /// Shares by length, from 1 on.
    Shares(&'static [u16]),
}

impl Lengths {
    /// Sightings at a few hours of a day or two: mostly four to six.
    pub(super) const SIGHTINGS: Lengths = Lengths {
        mean_hundredths: 500,
        longest: 10,
        shortest: 1,
        shape: Shape::Shares(&[1, 5, 13, 22, 22, 19, 10, 5, 2, 1]),
    };

    pub(super) const fn heavy_tailed(mean_hundredths: u32, longest: u16) -> Self {
        Self::heavy_tailed_from(1, mean_hundredths, longest)
    }

    /// Few symbols for most and very many for a few, from a shortest length on.
    pub const fn heavy_tailed_from(shortest: u16, mean_hundredths: u32, longest: u16) -> Self {
        Self {
            mean_hundredths,
            longest,
            shortest,
            shape: Shape::HeavyTail,
        }
    }

    /// Whether records of these lengths can be made: the mean lies between the shortest and the longest.
    pub(super) fn possible(&self) -> bool {
        let mean = self.mean_hundredths;
        let hundredths = |length: u16| u32::from(length) * 100;
        self.shortest > 0 && (hundredths(self.shortest)..hundredths(self.longest)).contains(&mean)
    }

    /// The mean length of a record.
    pub fn mean(&self) -> f64 {
        f64::from(self.mean_hundredths) / 100.0
    }

    /// The symbols of so many records.
    pub fn total(&self, records: u64) -> u64 {
        (records * u64::from(self.mean_hundredths) + 50) / 100
    }

    /// The length of every record, in random order.
    pub(super) fn shuffled<R: Rng>(&self, records: u64, rng: &mut R) -> Vec<u16> {
        let counts = self.plan(records);
        let mut lengths = Vec::with_capacity(records as usize);
        for (length, &count) in counts.iter().enumerate() {
            lengths.extend(std::iter::repeat_n(length as u16, count as usize));
        }
        draw::shuffle(&mut lengths, rng);
        lengths
    }

    /// How many records there are of each length, from 0 (none) up.
    fn plan(&self, records: u64) -> Vec<u64> {
        let total = self.total(records);
        let longest = usize::from(self.longest);
        match self.shape {
            Shape::HeavyTail => {
                // What every record has at least is put before a tail that begins with one.
                let before = usize::from(self.shortest) - 1;
                let tail = total - records * before as u64;
                let mut counts = vec![0; before];
                counts.extend(tail_with_longest(records, tail, longest - before));
                counts
            }
            Shape::Shares(shares) => {
                let from_zero = std::iter::once(0.0).chain(shares.iter().copied().map(f64::from));
                fit(records, total, &from_zero.collect::<Vec<_>>())
            }
        }
    }
}

/// A heavy tail with one record of the greatest length, where there are enough others.
fn tail_with_longest(records: u64, symbols: u64, longest: usize) -> Vec<u64> {
    if records < RECORDS_WITH_LONGEST {
        return heavy_tail(records, symbols, longest);
    }
    let mut counts = heavy_tail(records - 1, symbols - longest as u64, longest);
    counts[longest] += 1;
    counts
}

/// Counts with exactly this many records and symbols, in a heavy-tailed shape.
fn heavy_tail(records: u64, symbols: u64, longest: usize) -> Vec<u64> {
    fit(
        records,
        symbols,
        &solve(symbols as f64 / records as f64, longest),
    )
}

/// Counts with exactly this many records and symbols, in about these shares by length.
fn fit(records: u64, symbols: u64, shares: &[f64]) -> Vec<u64> {
    let all: f64 = shares.iter().sum();
    let mut counts = vec![0; shares.len()];
    let (mut below, mut placed) = (0.0, 0);
    for length in 1..shares.len() {
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
    fn none_is_shorter_than_the_shortest() {
        let lengths = Lengths::heavy_tailed_from(3, 855, 121);
        for records in [10, 999, 1_000, 470_000] {
            let counts = lengths.plan(records);
            assert_eq!(counts[..3], [0; 3]);
            assert_eq!(counts.iter().sum::<u64>(), records);
            let symbols: u64 = (0..).zip(&counts).map(|(n, &count)| n * count).sum();
            assert_eq!(symbols, lengths.total(records));
            assert_eq!(counts.len(), 122);
        }
        assert!(lengths.possible());
        assert!(!Lengths::heavy_tailed_from(9, 855, 121).possible());
        assert!(!Lengths::heavy_tailed_from(3, 855, 8).possible());
        assert!(!Lengths::heavy_tailed_from(0, 855, 121).possible());
    }

    #[test]
    fn records_total_and_longest_are_exact_at_every_size() {
        for info in Preset::all().map(Preset::info) {
            let Some(lengths) = &info.lengths else {
                continue;
            };
            for records in [1, 2, 3, 7, 10, 99, 500, 1_000, 1_001, 50_000, info.records] {
                let counts = lengths.plan(records);
                assert_eq!(counts.iter().sum::<u64>(), records, "{records}: {info:?}");
                assert_eq!(counts[0], 0);
                assert_eq!(counts.len(), usize::from(lengths.longest) + 1);
                let total: u64 = (0u64..).zip(&counts).map(|(n, &count)| n * count).sum();
                let wanted = (records * u64::from(lengths.mean_hundredths) + 50) / 100;
                assert_eq!(total, wanted, "{records}: {info:?}");
                assert!(records < 1_000 || counts[usize::from(lengths.longest)] > 0);
            }
        }
    }

    #[test]
    fn the_tail_is_heavy_but_thin() {
        let info = Preset::Metro.info();
        let counts = info.lengths.as_ref().unwrap().plan(info.records);
        let mode = (1..counts.len()).max_by_key(|&n| counts[n]).unwrap();
        assert!((2..=3).contains(&mode), "mode {mode}");
        let long: u64 = counts[21..].iter().sum();
        assert!(
            (info.records / 1_000..info.records / 50).contains(&long),
            "{long}"
        );
        assert!(counts[90] < 20);
    }

    #[test]
    fn sightings_follow_their_shares() {
        let counts = Lengths::SIGHTINGS.plan(80_000);
        let shares = [0, 1, 5, 13, 22, 22, 19, 10, 5, 2, 1];
        assert_eq!(counts, shares.map(|share| share * 800));
    }
}
