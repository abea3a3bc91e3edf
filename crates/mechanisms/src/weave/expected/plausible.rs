//! Drawing what a count may be in truth. Post-processing: floats may decide here.

use rand_core::Rng;

use crate::weave::denoise::Estimate;
use crate::weave::draw::unit;

/// From this shape on a gamma variable is as good as normal.
const NORMAL: f64 = 400.0;

/// A whole number that a count with this estimate may be: gamma with its mean and deviation, which is never
/// negative and mostly nothing where the deviation is far above the mean, rounded up or down by chance.
pub(super) fn count(estimate: Estimate, rng: &mut impl Rng) -> f64 {
    (amount(estimate, rng) + unit(rng)).floor()
}

/// As [`count`], not rounded.
pub(super) fn amount(Estimate { mean, deviation }: Estimate, rng: &mut impl Rng) -> f64 {
    if mean <= 0.0 || deviation <= 0.0 {
        return mean.max(0.0);
    }
    let shape = (mean / deviation) * (mean / deviation);
    match shape > NORMAL {
        true => (mean + deviation * normal(rng)).max(0.0),
        false => gamma(shape, rng) * mean / shape,
    }
}

/// A standard normal variable (Box and Muller).
pub(super) fn normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * (1.0 - unit(rng)).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(rng)).cos()
}

/// A gamma variable of scale 1 (Marsaglia and Tsang 2000).
fn gamma(shape: f64, rng: &mut impl Rng) -> f64 {
    if shape < 1.0 {
        let boost = (1.0 - unit(rng)).powf(1.0 / shape);
        return gamma(shape + 1.0, rng) * boost;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let z = normal(rng);
        let v = (1.0 + c * z).powi(3);
        if v > 0.0 && (1.0 - unit(rng)).ln() < 0.5 * z * z + d * (1.0 - v + v.ln()) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;

    use super::*;

    #[test]
    fn draws_have_the_mean_and_the_deviation() {
        let mut rng = RandomSource::insecure_seed(3).stream();
        for (mean, deviation) in [(0.3, 1.5), (4.0, 4.0), (50.0, 7.0), (1e4, 30.0)] {
            let estimate = Estimate { mean, deviation };
            const DRAWS: usize = 60_000;
            let drawn: Vec<f64> = (0..DRAWS).map(|_| amount(estimate, &mut rng)).collect();
            let found = drawn.iter().sum::<f64>() / DRAWS as f64;
            let squares: f64 = drawn.iter().map(|it| (it - found).powi(2)).sum();
            let spread = (squares / DRAWS as f64).sqrt();
            assert!((found - mean).abs() < 0.03 * deviation, "{found} {mean}");
            assert!(
                (spread / deviation - 1.0).abs() < 0.06,
                "{spread} {deviation}"
            );
            assert!(drawn.iter().all(|it| *it >= 0.0));
        }
    }

    #[test]
    fn whole_numbers_are_right_on_average() {
        let mut rng = RandomSource::insecure_seed(4).stream();
        let sure = Estimate {
            mean: 2.25,
            deviation: 0.0,
        };
        let drawn: Vec<f64> = (0..20_000).map(|_| count(sure, &mut rng)).collect();
        assert!(drawn.iter().all(|it| *it == 2.0 || *it == 3.0));
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        assert!((mean - 2.25).abs() < 0.02, "{mean}");
        assert_eq!(count(Estimate::default(), &mut rng), 0.0);
    }
}
