//! Noisy counts and what a model expects, weighed against each other: post-processing.
//!
//! Cells are gathered by what the model expects of them. How true counts scatter around such an expectation
//! is not assumed but learned, from the noisy counts of all cells with about that expectation: the ratio of
//! count to expectation has a distribution that is constant between grid points, with an atom at zero, and
//! its weights are fitted by expectation maximisation under the known law of the noise (an empirical Bayes
//! estimate; Efron 2016). Where the model is good the noise is then shrunk towards it, and where it is bad it
//! is not listened to.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::law::Law;

/// Ratios between which the distribution is constant: powers of √2.
const LOWEST: i32 = -8;
const HIGHEST: i32 = 22;
const SEGMENTS: usize = (HIGHEST - LOWEST) as usize + 1;
/// Cells of one class that the distribution is fitted to; more are thinned out evenly.
const SAMPLE: usize = 4_000;
/// Fewer cells than this are not worth another thread.
const SMALLEST_PIECE: usize = 256;
const ROUNDS: usize = 60;
/// Weight of what is believed before any count is seen, in cells.
const BELIEF: f64 = 10.0;

/// An estimate whose deviation is above this part of it is vague.
const VAGUE: f64 = 0.4;

/// An estimate of a count, with its uncertainty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Estimate {
    pub(super) mean: f64,
    pub(super) deviation: f64,
}

/// Expectations below the least that can be told from nothing are classed by powers of two down to this one.
const FAINTEST: f64 = -8.0;

/// Estimates for all cells from noisy counts with noise of this law and what a model expects. Cells of
/// which it expects nothing at all are left at nothing.
pub(super) fn denoise(noisy: &[i64], expected: &[f64], law: Law) -> Vec<Estimate> {
    estimates(noisy, expected, law, None)
}

/// As [`denoise`], for counts whose errors matter relative to their size, or to `least` where they are smaller:
/// instead of the mean the estimate whose expected relative error is least, and never more than the mean. A
/// cell that may well hold next to nothing is then not given the share of the few among its like that hold much.
pub(super) fn denoise_relative(
    noisy: &[i64],
    expected: &[f64],
    law: Law,
    least: f64,
) -> Vec<Estimate> {
    estimates(noisy, expected, law, Some(least))
}

fn estimates(noisy: &[i64], expected: &[f64], law: Law, least: Option<f64>) -> Vec<Estimate> {
    // Below this an expectation cannot be told from nothing.
    let floor = law.scale() / 8.0;
    let class =
        |expected: f64| ((expected / floor).log2().max(FAINTEST) - FAINTEST).round() as usize;
    let mut members: Vec<Vec<u32>> = Vec::new();
    for (cell, &expected) in expected
        .iter()
        .enumerate()
        .filter(|(_, expected)| **expected > 0.0)
    {
        let class = class(expected);
        if members.len() <= class {
            members.resize(class + 1, Vec::new());
        }
        members[class].push(cell as u32);
    }
    let mut estimates = vec![Estimate::default(); noisy.len()];
    for members in members.iter().filter(|members| !members.is_empty()) {
        let grid = |cell: u32| Grid::new(expected[cell as usize].max(floor), law);
        let stride = members.len().div_ceil(SAMPLE);
        let sample: Vec<u32> = members.iter().copied().step_by(stride).collect();
        let likelihoods: Vec<[f64; SEGMENTS + 1]> = sample
            .par_iter()
            .with_min_len(SMALLEST_PIECE)
            .map(|&cell| grid(cell).likelihoods(noisy[cell as usize] as f64))
            .collect();
        let model: f64 = members.iter().map(|&cell| expected[cell as usize]).sum();
        let counted: f64 = members
            .iter()
            .map(|&cell| noisy[cell as usize] as f64)
            .sum();
        let size = members.len() as f64;
        let mut weights = fit(&likelihoods, &belief((model / size / floor).min(1.0)));
        // What the class has in all is known better than what any cell has.
        let (of_noise, of_model) = (size * law.variance(), model * model / 4.0);
        let total = (counted * of_model + model * of_noise) / (of_model + of_noise);
        let mean = |weights: &[f64; SEGMENTS + 1]| {
            let estimate = |&cell: &u32| {
                grid(cell)
                    .estimate(noisy[cell as usize] as f64, weights)
                    .mean
            };
            let sum: f64 = sample
                .par_iter()
                .with_min_len(SMALLEST_PIECE)
                .map(estimate)
                .collect::<Vec<f64>>()
                .iter()
                .sum();
            sum / sample.len() as f64
        };
        settle(&mut weights, total.max(0.0) / size, mean);
        let own: Vec<Estimate> = members
            .par_iter()
            .with_min_len(SMALLEST_PIECE)
            .map(|&cell| {
                let (grid, noisy) = (grid(cell), noisy[cell as usize] as f64);
                let estimate = grid.estimate(noisy, &weights);
                // A count that is seen well keeps its mean: segments are too wide to tell its middle.
                let vague = estimate.deviation > VAGUE * estimate.mean;
                let least = least.filter(|_| vague);
                let middle = least.and_then(|least| grid.middle(noisy, &weights, least));
                Estimate {
                    mean: estimate.mean.min(middle.unwrap_or(f64::INFINITY)),
                    ..estimate
                }
            })
            .collect();
        for (&cell, estimate) in members.iter().zip(own) {
            estimates[cell as usize] = estimate;
        }
    }
    estimates
}

/// Makes nothing more or less likely until estimates have this mean. Counts that stand out are moved little.
fn settle(
    weights: &mut [f64; SEGMENTS + 1],
    wanted: f64,
    mean: impl Fn(&[f64; SEGMENTS + 1]) -> f64,
) {
    let with = |odds: f64| {
        let mut tried = *weights;
        tried[0] = tried[0].max(1e-3) * odds.exp();
        let all: f64 = tried.iter().sum();
        tried.map(|weight| weight / all)
    };
    let (mut low, mut high) = (-8.0, 12.0);
    if mean(&with(high)) > wanted {
        // Not to be had without denying counts that stand out.
        return;
    }
    for _ in 0..12 {
        let middle = (low + high) / 2.0;
        match mean(&with(middle)) > wanted {
            true => low = middle,
            false => high = middle,
        }
    }
    *weights = with((low + high) / 2.0);
}

/// What is believed of the ratio before any count is seen: that the model is right, where it expects this
/// much of what can be told from nothing.
fn belief(ratio: f64) -> [f64; SEGMENTS + 1] {
    let mut believed = [0.0; SEGMENTS + 1];
    for (at, weight) in believed.iter_mut().enumerate().skip(1) {
        // The segment around ratio 1 has the number 1 − LOWEST; belief halves with every factor of 2.
        let distance = f64::from((at as i32 - 1 + LOWEST).abs());
        *weight = 0.5f64.powf(distance);
    }
    let all: f64 = believed.iter().sum();
    let scale = (0.98 * ratio).max(1e-4) / all;
    believed.iter_mut().for_each(|weight| *weight *= scale);
    believed[0] = 1.0 - believed.iter().sum::<f64>();
    believed
}

/// The weights under which the sample is likeliest, with a little belief.
fn fit(sample: &[[f64; SEGMENTS + 1]], believed: &[f64; SEGMENTS + 1]) -> [f64; SEGMENTS + 1] {
    let mut weights = believed.map(|weight| weight / 2.0);
    weights[0] += 0.5;
    for _ in 0..ROUNDS {
        let mut sums = believed.map(|weight| weight * BELIEF);
        for likelihoods in sample {
            let total: f64 = likelihoods.iter().zip(&weights).map(|(l, w)| l * w).sum();
            if total > 0.0 {
                for ((sum, likelihood), weight) in sums.iter_mut().zip(likelihoods).zip(&weights) {
                    *sum += likelihood * weight / total;
                }
            }
        }
        let all: f64 = sums.iter().sum();
        weights = sums.map(|sum| sum / all);
    }
    weights
}

/// Ratios at which segments end: a fourth root of 2 above powers of √2, so that 1 lies within a segment.
static EDGES: LazyLock<[f64; SEGMENTS + 1]> = LazyLock::new(|| {
    std::array::from_fn(|number| match number {
        0 => 0.0,
        _ => 2f64.powf(f64::from(LOWEST + number as i32 - 1) / 2.0 + 0.25),
    })
});

/// The counts between which the density of a cell's true count is constant.
struct Grid {
    expected: f64,
    law: Law,
}

impl Grid {
    fn new(expected: f64, law: Law) -> Self {
        Self { expected, law }
    }

    /// The segment of a number from 1 on; the first begins at zero.
    fn segment(&self, number: usize) -> (f64, f64) {
        (
            self.expected * EDGES[number - 1],
            self.expected * EDGES[number],
        )
    }

    /// Mass, mean and mean square of the noise that a noisy count would have in every segment, from the first on.
    fn moments(&self, noisy: f64) -> [[f64; 3]; SEGMENTS + 1] {
        self.law
            .between(EDGES.map(|edge| self.expected * edge - noisy))
    }

    fn likelihoods(&self, noisy: f64) -> [f64; SEGMENTS + 1] {
        let moments = self.moments(noisy);
        std::array::from_fn(|number| match number {
            0 => self.law.density(noisy),
            _ => {
                let (lower, upper) = self.segment(number);
                moments[number - 1][0] / (upper - lower)
            }
        })
    }

    /// The count x with the least expected |x − true count| / max(true count, least): the median under weights
    /// that fall with the count. None where nothing is likely at all.
    fn middle(&self, noisy: f64, weights: &[f64; SEGMENTS + 1], least: f64) -> Option<f64> {
        let mut masses = self.likelihoods(noisy);
        masses[0] *= weights[0] / least;
        for (number, mass) in masses.iter_mut().enumerate().skip(1) {
            let (lower, upper) = self.segment(number);
            *mass *= weights[number] / (0.5 * (lower + upper)).max(least);
        }
        let all: f64 = masses.iter().sum();
        let mut left = 0.5 * all - masses[0];
        if left <= 0.0 {
            return (all > 0.0).then_some(0.0);
        }
        for (number, &mass) in masses.iter().enumerate().skip(1) {
            if left <= mass {
                let (lower, upper) = self.segment(number);
                return Some(lower + (upper - lower) * left / mass);
            }
            left -= mass;
        }
        None
    }

    fn estimate(&self, noisy: f64, weights: &[f64; SEGMENTS + 1]) -> Estimate {
        let at_zero = weights[0] * self.law.density(noisy);
        let moments = self.moments(noisy);
        let (mut mass, mut first, mut second) = (at_zero, 0.0, 0.0);
        for (number, &weight) in weights.iter().enumerate().skip(1) {
            if weight < 1e-12 {
                continue;
            }
            let (lower, upper) = self.segment(number);
            let [m0, m1, m2] = moments[number - 1];
            let density = weight / (upper - lower);
            mass += density * m0;
            first += density * (m1 + noisy * m0);
            second += density * (m2 + 2.0 * noisy * m1 + noisy * noisy * m0);
        }
        let top = self.segment(SEGMENTS).1;
        if mass < 1e-200 {
            return Estimate {
                mean: noisy.clamp(0.0, top),
                deviation: self.law.scale(),
            };
        }
        let mean = (first / mass).clamp(0.0, top);
        Estimate {
            mean,
            deviation: (second / mass - mean * mean).max(0.0).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;
    use wayveil_noise::DiscreteGaussian;

    use super::*;

    #[test]
    fn counts_far_above_the_noise_are_kept() {
        let noisy = [100_000, 52_000, 0];
        let expected = [60_000.0, 60_000.0, 60_000.0];
        for law in [Law::Laplace(10.0), Law::Gaussian(10.0)] {
            let estimates = denoise(&noisy, &expected, law);
            assert!((estimates[0].mean - 100_000.0).abs() < 20.0);
            assert!((estimates[1].mean - 52_000.0).abs() < 20.0);
            assert!(estimates[2].mean < 60.0);
        }
    }

    #[test]
    fn a_count_is_weighed_by_the_law_of_its_noise() {
        // A single cell of a class: what is believed hardly moves. Far out, Laplace noise shifts by about one scale
        // at any distance, and Gaussian noise by the more the farther.
        let shift = |law: Law| {
            let estimates = denoise(&[3_000], &[100.0], law);
            3_000.0 - estimates[0].mean
        };
        assert!(shift(Law::Gaussian(10.0)).abs() < 5.0);
        assert!(shift(Law::Laplace(10.0)).abs() < 5.0);
        let near = denoise(&[60], &[10.0], Law::Gaussian(40.0))[0];
        let heavy = denoise(
            &[60],
            &[10.0],
            Law::Laplace(40.0 / std::f64::consts::SQRT_2),
        )[0];
        assert!(near.mean > 0.0 && near.mean < 60.0 && heavy.mean < 60.0);
        assert!(near.deviation > 0.0 && near.deviation < 80.0);
    }

    #[test]
    fn gaussian_noise_is_shrunk_where_the_model_is_good() {
        let gaussian = DiscreteGaussian::new(57 * 57, 1).unwrap();
        let mut rng = RandomSource::insecure_seed(7).stream();
        let noisy: Vec<i64> = (0..400).map(|_| 50 + gaussian.sample(&mut rng)).collect();
        let good = denoise(&noisy, &[50.0; 400], Law::Gaussian(57.0));
        let error = good.iter().map(|it| (it.mean - 50.0).abs()).sum::<f64>() / 400.0;
        // Of noise alone it would be 45.
        assert!(error < 14.0, "{error}");
    }

    #[test]
    fn a_good_model_is_believed_and_a_bad_one_is_not() {
        // True counts of 50 in noise of scale 40; noise of a fixed pattern with that law's quantiles.
        let quantile = |at: usize| {
            let u = (at as f64 + 0.5) / 400.0;
            let z = if u < 0.5 {
                (2.0 * u).ln()
            } else {
                -(2.0 * (1.0 - u)).ln()
            };
            (40.0 * z).round() as i64
        };
        let noisy: Vec<i64> = (0..400).map(|at| 50 + quantile(at)).collect();
        let good = denoise(&noisy, &[50.0; 400], Law::Laplace(40.0));
        let error = |estimates: &[Estimate]| {
            estimates
                .iter()
                .map(|it| (it.mean - 50.0).abs())
                .sum::<f64>()
                / 400.0
        };
        assert!(error(&good) < 12.0, "{}", error(&good));
        let bad = denoise(&noisy, &[5.0; 400], Law::Laplace(40.0));
        // Of noise alone it would be 40.
        assert!(error(&bad) < 30.0, "{}", error(&bad));
    }

    #[test]
    fn the_middle_has_the_least_relative_error() {
        // Three in four are nothing or little, one in four is large; noise hides which.
        let grid = Grid::new(100.0, Law::Laplace(200.0));
        let mut weights = [0.0; SEGMENTS + 1];
        weights[0] = 0.45;
        weights[(1 - LOWEST) as usize - 4] = 0.3;
        weights[(1 - LOWEST) as usize + 4] = 0.25;
        for (noisy, least) in [(60.0, 20.0), (60.0, 400.0), (700.0, 20.0), (900.0, 400.0)] {
            let likelihoods = grid.likelihoods(noisy);
            let error = |guess: f64| {
                let mut sum = weights[0] * likelihoods[0] * guess / least;
                for number in (1..=SEGMENTS).filter(|&number| weights[number] > 0.0) {
                    let (lower, upper) = grid.segment(number);
                    // The law within a segment is taken for constant.
                    for step in 0..200 {
                        let truth = lower + (upper - lower) * (f64::from(step) + 0.5) / 200.0;
                        let weight = weights[number] * likelihoods[number] / 200.0;
                        sum += weight * (guess - truth).abs() / (0.5 * (lower + upper)).max(least);
                    }
                }
                sum
            };
            let middle = grid.middle(noisy, &weights, least).unwrap();
            let best = (0..2_000).map(|guess| error(f64::from(guess)));
            let best = best.fold(f64::INFINITY, f64::min);
            assert!(error(middle) <= best * 1.001, "{noisy} {least}: {middle}");
        }
    }

    #[test]
    fn what_may_be_nothing_is_not_given_the_mean_of_its_like() {
        // One in ten cells holds 2,000, the others nothing.
        let noisy: Vec<i64> = (0..200)
            .map(|cell| {
                if cell % 10 == 0 {
                    2_000
                } else {
                    cell % 7 * 40 - 120
                }
            })
            .collect();
        let even = [200.0; 200];
        let (means, middles) = (
            denoise(&noisy, &even, Law::Laplace(100.0)),
            denoise_relative(&noisy, &even, Law::Laplace(100.0), 50.0),
        );
        for (cell, (mean, middle)) in means.iter().zip(&middles).enumerate() {
            assert!(middle.mean <= mean.mean);
            match cell % 10 {
                0 => assert!((middle.mean - 2_000.0).abs() < 200.0, "{middle:?}"),
                _ => assert!(middle.mean < 0.8 * mean.mean + 1e-9, "{mean:?} {middle:?}"),
            }
        }
    }
}
