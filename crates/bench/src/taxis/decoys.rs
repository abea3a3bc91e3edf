//! Whether the paper's decoys can be told from taxis by whoever receives the release.

use std::collections::HashSet;

use wayveil_core::{RandomSource, Result};

use super::data::Data;
use super::publish::Published;

/// A count from here on is taken for a taxi's. Noise lies about the mean count, which is 1 where all
/// tracks differ: taxis have 2 and decoys 1, more or less.
const COUNT: f64 = 1.5;

/// What share of all journeys simple rules call rightly a taxi or a decoy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ToldApart {
    /// A taxi is where at least half of the steps stay in their cluster.
    pub(super) by_stays: f64,
    /// A taxi has a count of at least 1.5.
    pub(super) by_count: f64,
}

/// Tries both rules. None where nothing is released.
pub(super) fn told_apart(data: &Data, published: &Published) -> Result<Option<ToldApart>> {
    // Whole tracks are not drawn, so that the source plays no part.
    let mut random = RandomSource::insecure_seed(0);
    let of_taxis = published.canonical().journeys(&data.tracks, &mut random)?;
    let of_taxis: HashSet<&[u32]> = of_taxis.sequences.iter().collect();
    let all = published.journeys.len();
    let right = |calls_taxi: &dyn Fn(&[u32], f64) -> bool| {
        let journeys = published.journeys.iter().zip(&published.counts);
        let right = journeys
            .filter(|&(journey, &count)| calls_taxi(journey, count) == of_taxis.contains(journey))
            .count();
        right as f64 / all as f64
    };
    Ok((all > 0).then(|| ToldApart {
        by_stays: right(&|journey, _| stays(journey)),
        by_count: right(&|_, count| count >= COUNT),
    }))
}

/// Whether at least half of the steps stay where they are.
fn stays(journey: &[u32]) -> bool {
    let steps = journey.len().saturating_sub(1);
    let stays = journey.windows(2).filter(|step| step[0] == step[1]).count();
    2 * stays >= steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_steps_by_hand() {
        for (journey, expected) in [
            (&[1u32][..], true),
            (&[1, 2], false),
            (&[1, 1, 2], true),
            (&[1, 1, 2, 3], false),
        ] {
            assert_eq!(stays(journey), expected, "{journey:?}");
        }
    }
}
