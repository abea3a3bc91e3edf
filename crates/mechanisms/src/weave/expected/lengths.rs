//! `length-divergence`, against lengths that are plausible.

use rand_core::Rng;
use wayveil_core::Sequences;

use super::flows::divergence;
use super::plausible::{self, normal};
use crate::weave::denoise::Estimate;
use crate::weave::features::UNITS;

/// How much of the noise's deviation lengths that were joined, as noise could not tell them apart, may differ by.
const JOINED: f64 = 0.7;
/// How much of the noise's deviation lengths that were taken for nothing hold.
const NOTHING: f64 = 0.5;

/// The divergence for each of so many plausible truths, from estimates by length in units.
pub(super) fn errors(
    lengths: &[Estimate],
    released: &Sequences,
    draws: usize,
    rng: &mut impl Rng,
) -> Vec<f64> {
    let longest = (0..released.len())
        .map(|record| released.length(record))
        .max();
    let mut counts = vec![(0.0f64, 0.0f64); lengths.len().max(longest.unwrap_or(0) + 1)];
    for record in 0..released.len() {
        counts[released.length(record)].1 += 1.0;
    }
    let unit = UNITS as f64;
    let draw = |_| {
        for (stretch, own) in lengths
            .chunk_by(|a, b| a.mean == b.mean)
            .scan(0, |from, stretch| {
                let start = *from;
                *from += stretch.len();
                Some((stretch, start..*from))
            })
        {
            let (mean, deviation) = (stretch[0].mean / unit, stretch[0].deviation / unit);
            let size = stretch.len() as f64;
            let hidden = NOTHING * deviation * normal(rng).abs() / size.sqrt();
            for count in &mut counts[own] {
                count.0 = match (mean > 0.0, stretch.len()) {
                    (false, _) => hidden,
                    (true, 1) => plausible::amount(Estimate { mean, deviation }, rng),
                    (true, _) => {
                        let deviation = JOINED * deviation;
                        plausible::amount(Estimate { mean, deviation }, rng)
                    }
                };
            }
        }
        divergence(&counts)
    };
    (0..draws).map(draw).collect()
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;

    use super::*;

    #[test]
    fn sure_lengths_are_compared_as_they_are() {
        let sure = |count: f64| Estimate {
            mean: count * UNITS as f64,
            deviation: 0.0,
        };
        let lengths = [sure(0.0), sure(3.0), sure(1.0)];
        let released = Sequences::from_codes([vec![0u32], vec![1], vec![0, 1], vec![1, 0]]);
        let mut rng = RandomSource::insecure_seed(1).stream();
        let found = errors(&lengths, &released, 2, &mut rng);
        let by_hand = divergence(&[(3.0, 2.0), (1.0, 2.0)]);
        assert!((found[0] - by_hand).abs() < 1e-12 && found[0] == found[1]);
    }
}
