//! The law of noise as whatever is made of noisy counts needs it: post-processing.

use std::f64::consts::SQRT_2;

use super::normal;

/// How the noise of one cell is distributed, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Law {
    /// Of this scale.
    Laplace(f64),
    /// Of this standard deviation.
    Gaussian(f64),
}

impl Law {
    /// The standard deviation.
    pub(super) fn deviation(self) -> f64 {
        match self {
            Self::Laplace(scale) => SQRT_2 * scale,
            Self::Gaussian(deviation) => deviation,
        }
    }

    /// The scale of Laplace noise with this standard deviation.
    pub(super) fn scale(self) -> f64 {
        match self {
            Self::Laplace(scale) => scale,
            Self::Gaussian(deviation) => deviation / SQRT_2,
        }
    }

    /// The variance.
    pub(super) fn variance(self) -> f64 {
        match self {
            Self::Laplace(scale) => 2.0 * scale * scale,
            Self::Gaussian(deviation) => deviation * deviation,
        }
    }

    /// The density.
    pub(super) fn density(self, z: f64) -> f64 {
        match self {
            Self::Laplace(scale) => (-z.abs() / scale).exp() / (2.0 * scale),
            Self::Gaussian(deviation) => normal::density(z / deviation) / deviation,
        }
    }

    /// Mass, mean and mean square of the noise between each of these ascending points and the next; what lies beyond
    /// each point is worked out once.
    pub(super) fn between<const POINTS: usize>(self, points: [f64; POINTS]) -> [[f64; 3]; POINTS] {
        let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        // The left half is the right one's mirror image.
        let mirrored = |a: [f64; 3]| [a[0], -a[1], a[2]];
        let beyond = points.map(|z| self.beyond(z.abs()));
        std::array::from_fn(|at| match at + 1 == POINTS {
            true => [0.0; 3],
            false => match (points[at] < 0.0, points[at + 1] > 0.0) {
                (false, _) => minus(beyond[at], beyond[at + 1]),
                (true, false) => mirrored(minus(beyond[at + 1], beyond[at])),
                (true, true) => {
                    let half = self.beyond(0.0);
                    let (left, right) = (minus(half, beyond[at]), minus(half, beyond[at + 1]));
                    let left = mirrored(left);
                    [left[0] + right[0], left[1] + right[1], left[2] + right[2]]
                }
            },
        })
    }

    /// Mass, mean and mean square of the noise from z ≥ 0 on.
    fn beyond(self, z: f64) -> [f64; 3] {
        match self {
            Self::Laplace(scale) => {
                let tail = 0.5 * (-z / scale).exp();
                [
                    tail,
                    tail * (z + scale),
                    tail * (z * z + 2.0 * scale * z + 2.0 * scale * scale),
                ]
            }
            // ∫ xφ = φ and ∫ x²φ = zφ + ∫ φ.
            Self::Gaussian(deviation) => {
                let z = z / deviation;
                let (tail, density) = normal::tail_and_density(z);
                [
                    tail,
                    deviation * density,
                    deviation * deviation * (z * density + tail),
                ]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_agree_with_numbers_summed_up() {
        for law in [Law::Laplace(2.5), Law::Gaussian(2.5)] {
            for (lower, upper) in [(-3.0, 5.0), (1.0, 2.0), (-7.0, -0.5), (0.0, 40.0)] {
                let steps = 100_000;
                let width = (upper - lower) / f64::from(steps);
                let mut sum = [0.0; 3];
                for step in 0..steps {
                    let z: f64 = lower + (f64::from(step) + 0.5) * width;
                    let mass = law.density(z) * width;
                    sum = [sum[0] + mass, sum[1] + z * mass, sum[2] + z * z * mass];
                }
                let [exact, _] = law.between([lower, upper]);
                for (exact, sum) in exact.iter().zip(sum) {
                    assert!((exact - sum).abs() < 1e-6, "{law:?}: {exact} {sum}");
                }
            }
        }
    }

    #[test]
    fn many_points_give_what_two_at_a_time_do() {
        let points = [-9.0, -4.0, -0.5, 2.0, 3.0, 80.0];
        for law in [Law::Laplace(2.5), Law::Gaussian(2.5)] {
            let all = law.between(points);
            for (at, ends) in points.windows(2).enumerate() {
                let [pair, rest] = law.between([ends[0], ends[1]]);
                assert_eq!((pair, rest), (all[at], [0.0; 3]));
                assert!(pair[0] > 0.0 && pair[2] > 0.0);
            }
        }
    }

    #[test]
    fn deviations_are_roots_of_whole_second_moments() {
        for law in [Law::Laplace(3.0), Law::Gaussian(3.0)] {
            let [[mass, mean, square], _] = law.between([-1e4, 1e4]);
            assert!((mass - 1.0).abs() < 1e-12 && mean.abs() < 1e-9);
            assert!((square - law.variance()).abs() < 1e-9);
            assert!((law.deviation().powi(2) - law.variance()).abs() < 1e-9);
            assert!((law.scale() * SQRT_2 - law.deviation()).abs() < 1e-12);
        }
    }
}
