//! Our discrete Laplace noise against opendp's, an independent exact sampler.

use std::fmt::Debug;
use std::str::FromStr;

use opendp::traits::samplers::sample_discrete_laplace;
use wayveil_noise::statistics::{assert_plausible, assert_rejected, same_distribution};
use wayveil_noise::{DiscreteLaplace, RandomSource, Rate};

const DRAWS: usize = 200_000;
const WIDTH: i64 = 2000;

fn histogram(mut sample: impl FnMut() -> i64) -> Vec<u64> {
    let mut counts = vec![0; 2 * WIDTH as usize + 1];
    for _ in 0..DRAWS {
        let x = sample().clamp(-WIDTH, WIDTH);
        counts[(x + WIDTH) as usize] += 1;
    }
    counts
}

/// Generic, so that opendp's big-number types need not be named.
fn peer_histogram<Scale, Drawn, Failure>(
    sample: impl Fn(Scale) -> Result<Drawn, Failure>,
    scale: &str,
) -> Vec<u64>
where
    Scale: Clone + FromStr<Err: Debug>,
    Drawn: TryInto<i64, Error: Debug>,
    Failure: Debug,
{
    let scale: Scale = scale.parse().unwrap();
    histogram(|| sample(scale.clone()).unwrap().try_into().unwrap())
}

#[test]
fn both_draw_from_one_distribution() {
    let mut rng = RandomSource::insecure_seed(301).stream();
    for (num, den) in [(1, 1), (1, 12), (7, 240), (1, 100), (5, 2)] {
        let noise = DiscreteLaplace::new(Rate::new(num, den).unwrap());
        let ours = histogram(|| noise.sample(&mut rng));
        let theirs = peer_histogram(sample_discrete_laplace, &format!("{den}/{num}"));
        assert_plausible(&same_distribution(&ours, &theirs).unwrap());
    }
}

#[test]
fn a_scale_ten_per_cent_off_is_caught() {
    let mut rng = RandomSource::insecure_seed(302).stream();
    let noise = DiscreteLaplace::new(Rate::new(1, 11).unwrap());
    let ours = histogram(|| noise.sample(&mut rng));
    let theirs = peer_histogram(sample_discrete_laplace, "12");
    assert_rejected(&same_distribution(&ours, &theirs).unwrap());
}
