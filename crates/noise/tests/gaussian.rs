//! Discrete Gaussian noise against its exact law, and planted faults that must be caught.
//!
//! Every test has the false-alarm rate [`wayveil_noise::statistics::ALPHA`].

use wayveil_noise::statistics::{assert_plausible, assert_rejected, fit_cdf, fit_integers};
use wayveil_noise::{DiscreteGaussian, RandomSource};

const DRAWS: usize = 500_000;
const VARIANCES: [(u64, u64); 7] = [
    (1, 10),
    (1, 2),
    (1, 1),
    (22, 7),
    (144, 1),
    (1_000_003, 70),
    (40_000, 1),
];

fn gaussian(num: u64, den: u64) -> DiscreteGaussian {
    DiscreteGaussian::new(num, den).unwrap()
}

/// Every value within twelve deviations has its own cell.
fn width(noise: &DiscreteGaussian) -> i64 {
    (12.0 * noise.std_dev()).ceil() as i64 + 2
}

fn fits(drawn: &[i64], noise: &DiscreteGaussian) -> wayveil_noise::statistics::Outcome {
    let w = width(noise);
    fit_integers(drawn, -w..=w, |x| noise.pmf(x)).unwrap()
}

#[test]
fn whole_distribution() {
    let mut rng = RandomSource::insecure_seed(111).stream();
    for (num, den) in VARIANCES {
        let noise = gaussian(num, den);
        let drawn: Vec<i64> = (0..DRAWS).map(|_| noise.sample(&mut rng)).collect();
        assert_plausible(&fits(&drawn, &noise));
        let w = width(&noise);
        let mut below = 0.0;
        let sums: Vec<f64> = (-w..=w)
            .map(|x| {
                below += noise.pmf(x);
                below
            })
            .collect();
        let cdf = |x: i64| match x {
            x if x < -w => 0.0,
            x if x > w => 1.0,
            x => sums[(x + w) as usize],
        };
        assert_plausible(&fit_cdf(&drawn, cdf));
    }
}

#[test]
fn too_little_noise_is_caught() {
    let mut rng = RandomSource::insecure_seed(112).stream();
    let (promised, actual) = (gaussian(144, 1), gaussian(137, 1)); // Two and a half per cent in σ.
    let drawn: Vec<i64> = (0..DRAWS).map(|_| actual.sample(&mut rng)).collect();
    assert_rejected(&fits(&drawn, &promised));
}

#[test]
fn a_lost_tail_is_caught() {
    let mut rng = RandomSource::insecure_seed(113).stream();
    let noise = gaussian(144, 1);
    let drawn: Vec<i64> = (0..DRAWS)
        .map(|_| noise.sample(&mut rng).clamp(-40, 40))
        .collect();
    assert_rejected(&fits(&drawn, &noise));
}
