//! Truncated discrete Laplace noise against its exact law, and planted faults that must be caught.

use wayveil_noise::statistics::{assert_plausible, assert_rejected, fit_integers};
use wayveil_noise::{DiscreteLaplace, RandomSource, Rate, TruncatedLaplace};

const DRAWS: usize = 500_000;

fn truncated(num: u64, den: u64, bound: u64) -> TruncatedLaplace {
    TruncatedLaplace::new(Rate::new(num, den).unwrap(), bound)
}

/// The law by its definition, summed up, and not by the formula of the code.
fn law(noise: &TruncatedLaplace) -> impl Fn(i64) -> f64 {
    let (rate, bound) = (noise.rate().as_f64(), noise.bound() as i64);
    let weight = move |x: i64| (-rate * x.abs() as f64).exp();
    let total: f64 = (-bound..=bound).map(weight).sum();
    move |x| {
        if x.abs() > bound {
            0.0
        } else {
            weight(x) / total
        }
    }
}

#[test]
fn whole_distribution() {
    let mut rng = RandomSource::insecure_seed(201).stream();
    for (num, den, bound) in [
        (1, 1, 1),
        (1, 1, 2),
        (5, 1, 4),
        (3, 7, 2),
        (3, 7, 3),
        (1, 12, 5),
        (1, 12, 12),
        (1, 12, 13),
        (1, 12, 250),
        (1, 1000, 50),
        (1, 100, 2000),
    ] {
        let noise = truncated(num, den, bound);
        let drawn: Vec<i64> = (0..DRAWS).map(|_| noise.sample(&mut rng)).collect();
        assert!(drawn.iter().all(|x| x.unsigned_abs() <= bound));
        let reach = bound as i64;
        let law = law(&noise);
        assert_plausible(&fit_integers(&drawn, -reach..=reach, &law).unwrap());
        for x in -reach - 1..=reach + 1 {
            assert!((noise.pmf(x) - law(x)).abs() < 1e-9, "{noise:?} {x}");
        }
    }
}

#[test]
fn clamping_instead_of_drawing_again_is_caught() {
    let mut rng = RandomSource::insecure_seed(202).stream();
    let noise = truncated(1, 12, 60);
    let whole = DiscreteLaplace::new(noise.rate());
    let drawn: Vec<i64> = (0..DRAWS)
        .map(|_| whole.sample(&mut rng).clamp(-60, 60))
        .collect();
    assert_rejected(&fit_integers(&drawn, -60..=60, law(&noise)).unwrap());
}

#[test]
fn a_bound_that_is_one_too_small_is_caught() {
    let mut rng = RandomSource::insecure_seed(203).stream();
    let (promised, actual) = (truncated(1, 12, 40), truncated(1, 12, 39));
    let drawn: Vec<i64> = (0..DRAWS).map(|_| actual.sample(&mut rng)).collect();
    assert_rejected(&fit_integers(&drawn, -40..=40, law(&promised)).unwrap());
}
