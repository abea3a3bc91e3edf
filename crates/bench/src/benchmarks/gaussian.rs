//! Time per draw of exact discrete Gaussian noise, beside discrete Laplace noise of the same deviation.

use std::hint::black_box;

use wayveil_noise::{DiscreteGaussian, DiscreteLaplace, RandomSource, Rate};

use super::{Benchmark, Effort};
use crate::report::{Comparison, Goal};
use crate::rounds::{Work, interleaved};

/// Deviations.
const DEVIATIONS: [u64; 4] = [1, 12, 100, 6_000];

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "gaussian",
    about: "exact discrete Gaussian noise, beside our discrete Laplace noise",
    run,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    DEVIATIONS
        .iter()
        .map(|&deviation| compare(deviation, effort))
        .collect()
}

fn compare(deviation: u64, effort: Effort) -> Result<Comparison, String> {
    let (rounds, draws) = match effort {
        Effort::Quick => (5, 200_000),
        Effort::Full => (15, 2_000_000),
    };
    let gaussian =
        DiscreteGaussian::new(deviation * deviation, 1).map_err(|error| error.to_string())?;
    // Its deviation is about √2 over the rate.
    let rate = Rate::new(1_414, 1_000 * deviation).map_err(|error| error.to_string())?;
    let laplace = DiscreteLaplace::new(rate);
    let source = RandomSource::os().map_err(|error| error.to_string());
    let (mut source, mut sums) = (source?, (0_i64, 0_i64));
    let (mut one, mut other) = (source.stream(), source.stream());
    let mut ours = || {
        sums.0 = (0..draws).fold(sums.0, |sum, _| sum.wrapping_add(gaussian.sample(&mut one)));
        Ok(())
    };
    let mut peer = || {
        sums.1 = (0..draws).fold(sums.1, |sum, _| {
            sum.wrapping_add(laplace.sample(&mut other))
        });
        Ok(())
    };
    let (ours, peer) = interleaved(
        rounds,
        Work {
            run: &mut ours,
            units: draws,
        },
        Work {
            run: &mut peer,
            units: draws,
        },
    )?;
    black_box(sums);
    Ok(Comparison {
        case: format!("deviation {deviation}"),
        unit: "ns/draw",
        peer_name: "discrete Laplace",
        ours,
        peer,
        goal: Goal::ratio(0.1),
        size: None,
    })
}
