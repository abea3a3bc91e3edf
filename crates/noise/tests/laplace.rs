//! Discrete Laplace noise against its exact law, and planted faults that must be caught.

use rand_core::Rng;
use wayveil_noise::statistics::{assert_plausible, assert_rejected, fit_cdf, fit_integers};
use wayveil_noise::{DiscreteLaplace, RandomSource, Rate};

const DRAWS: usize = 1_000_000;
const RATES: [(u64, u64); 7] = [
    (5, 1),
    (1, 1),
    (3, 7),
    (1, 12),
    (7, 240),
    (1, 100),
    (1, 1000),
];

fn laplace(num: u64, den: u64) -> DiscreteLaplace {
    DiscreteLaplace::new(Rate::new(num, den).unwrap())
}

/// Every value within forty scales has its own cell.
fn width(noise: &DiscreteLaplace) -> i64 {
    (40.0 / noise.rate().as_f64()).ceil() as i64
}

fn cdf(noise: &DiscreteLaplace, x: i64) -> f64 {
    let upper = |t: f64| {
        let rate = noise.rate().as_f64();
        (-rate * t).exp() / (1.0 + (-rate).exp())
    };
    if x >= 0 {
        1.0 - upper(x as f64 + 1.0)
    } else {
        upper(-(x as f64))
    }
}

fn draw(count: usize, mut sample: impl FnMut() -> i64) -> Vec<i64> {
    (0..count).map(|_| sample()).collect()
}

#[test]
fn whole_distribution() {
    let mut rng = RandomSource::insecure_seed(101).stream();
    for (num, den) in RATES {
        let noise = laplace(num, den);
        let drawn = draw(DRAWS, || noise.sample(&mut rng));
        let w = width(&noise);
        assert_plausible(&fit_integers(&drawn, -w..=w, |x| noise.pmf(x)).unwrap());
        assert_plausible(&fit_cdf(&drawn, |x| cdf(&noise, x)));
    }
}

#[test]
fn conditioned_on_a_threshold() {
    let mut rng = RandomSource::insecure_seed(102).stream();
    for (num, den) in RATES {
        let noise = laplace(num, den);
        for t in [0, 1, 3, 50] {
            let tail: f64 = noise.tail(t).as_f64();
            let drawn = draw(DRAWS / 5, || noise.sample_at_least(t, &mut rng));
            let t = t as i64;
            let law = |x| if x < t { 0.0 } else { noise.pmf(x) / tail };
            assert_plausible(&fit_integers(&drawn, t..=t + width(&noise), law).unwrap());
        }
    }
}

#[test]
fn the_tail_is_the_sum_of_the_mass() {
    for (num, den) in RATES {
        let noise = laplace(num, den);
        for t in [0_i64, 1, 2, 7] {
            let sum: f64 = (t..t + width(&noise)).map(|x| noise.pmf(x)).sum();
            assert!((noise.tail(t as u64).as_f64() / sum - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn too_little_noise_is_caught() {
    let mut rng = RandomSource::insecure_seed(103).stream();
    let promised = laplace(1, 12);
    let actual = laplace(21, 240); // Five per cent too small.
    let drawn = draw(DRAWS, || actual.sample(&mut rng));
    assert_rejected(&fit_integers(&drawn, -400..=400, |x| promised.pmf(x)).unwrap());
    assert_rejected(&fit_cdf(&drawn, |x| cdf(&promised, x)));
}

#[test]
fn a_doubled_zero_is_caught() {
    let mut rng = RandomSource::insecure_seed(104).stream();
    let noise = laplace(1, 12);
    let drawn = draw(DRAWS, || {
        let magnitude = noise.sample_at_least(0, &mut rng);
        if rng.next_u32() < 1 << 31 {
            magnitude
        } else {
            -magnitude
        }
    });
    assert_rejected(&fit_integers(&drawn, -400..=400, |x| noise.pmf(x)).unwrap());
}

#[test]
fn a_lost_tail_is_caught() {
    let mut rng = RandomSource::insecure_seed(105).stream();
    let noise = laplace(1, 12);
    let drawn = draw(DRAWS, || noise.sample(&mut rng).clamp(-60, 60));
    assert_rejected(&fit_integers(&drawn, -400..=400, |x| noise.pmf(x)).unwrap());
}
