//! Time per draw of exact discrete Laplace noise, beside opendp's exact sampler.
//!
//! Both draw from the distribution without rounding. Ours reads ChaCha20 keyed by the operating
//! system; opendp, built without its OpenSSL feature, reads a generator that it does not call secure,
//! which favours it.

use std::hint::black_box;
use std::str::FromStr;

use opendp::traits::samplers::sample_discrete_laplace;
use wayveil_noise::{DiscreteLaplace, RandomSource, Rate};

use super::{Benchmark, Effort};
use crate::report::{Comparison, Goal};
use crate::rounds::{Work, interleaved};

/// Rates as fractions; the scale of the noise is the inverse.
const RATES: [(u32, u32); 4] = [(1, 1), (1, 12), (1, 100), (7, 240)];

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "laplace",
    about: "exact discrete Laplace noise, beside opendp",
    run,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    RATES
        .iter()
        .map(|&(num, den)| compare(num, den, effort))
        .collect()
}

fn compare(num: u32, den: u32, effort: Effort) -> Result<Comparison, String> {
    let (rounds, draws) = match effort {
        Effort::Quick => (5, 200_000),
        Effort::Full => (15, 4_000_000),
    };
    let peer_draws = draws / 50;
    let rate = Rate::new(num.into(), den.into()).map_err(|e| e.to_string())?;
    let noise = DiscreteLaplace::new(rate);
    let mut rng = RandomSource::os().map_err(|e| e.to_string())?.stream();
    let mut ours = || {
        let sum = (0..draws).fold(0_i64, |sum, _| sum.wrapping_add(noise.sample(&mut rng)));
        black_box(sum);
        Ok(())
    };
    let mut peer = peer_work(sample_discrete_laplace, format!("{den}/{num}"), peer_draws)?;
    let (ours, peer) = interleaved(
        rounds,
        Work {
            run: &mut ours,
            units: draws,
        },
        Work {
            run: &mut peer,
            units: peer_draws,
        },
    )?;
    Ok(Comparison {
        case: format!("rate {num}/{den}"),
        unit: "ns/draw",
        peer_name: "opendp",
        ours,
        peer,
        goal: Goal::ratio(20.0).and_at_most(70.0),
        size: None,
    })
}

/// Many draws of a peer's sampler, generic so that its big-number types need not be named.
fn peer_work<Scale, Drawn, Failure>(
    sample: impl Fn(Scale) -> Result<Drawn, Failure>,
    scale: String,
    draws: u64,
) -> Result<impl FnMut() -> Result<(), String>, String>
where
    Scale: Clone + FromStr,
    Failure: ToString,
{
    let scale: Scale = scale
        .parse()
        .map_err(|_| format!("the peer cannot read {scale}"))?;
    Ok(move || {
        for _ in 0..draws {
            black_box(sample(scale.clone()).map_err(|e| e.to_string())?);
        }
        Ok(())
    })
}
