//! Errors of settings on the data itself, by queries and noise that nobody chose by.

use rayon::prelude::*;
use wayveil_core::{Dataset, Internal, RandomSource, Raw, Result, Silent, Terms};
use wayveil_evaluate::evaluation::{Candidate, Outcome, Trial, try_out};
use wayveil_evaluate::samples::Samples;
use wayveil_evaluate::{Settings, Task};

/// Other queries than the adviser's.
const QUERY_SEED: u64 = 1_000;
const QUERIES: usize = 10_000;

/// The errors of `repeats` runs of each setting; none where one is refused. `round` tells rounds apart.
pub(super) fn errors(
    raw: &Raw<Dataset>,
    task: Task,
    candidates: &[Candidate],
    repeats: usize,
    round: u64,
) -> Result<Vec<Option<Samples>>> {
    let settings = Settings {
        seed: QUERY_SEED,
        count_queries: QUERIES,
        ..Settings::default()
    };
    let one = |(at, candidate): (usize, &Candidate)| -> Result<Option<Samples>> {
        let seed = round.wrapping_mul(1_000_003).wrapping_add(at as u64);
        let mut random = RandomSource::insecure_seed_for("advice", seed);
        let mut samples = Vec::new();
        for _ in 0..repeats {
            let terms = Terms::default();
            let metrics = [task.metric()];
            let trial = Trial {
                terms: &terms,
                repeats: 1,
                metrics: &metrics,
                settings: &settings,
            };
            let tried = try_out(raw, candidate, &trial, &mut random, &Silent)?;
            match Internal::for_publisher_only(tried) {
                Outcome::Measured(measured) => samples.extend(task.error(&measured)),
                Outcome::Refused(_) => return Ok(None),
            }
        }
        Ok((samples.len() == repeats).then(|| samples.into_iter().collect()))
    };
    candidates.par_iter().enumerate().map(one).collect()
}

/// The mean of a setting's runs; the worst there is where it is refused.
pub(super) fn mean(samples: &Option<Samples>) -> f64 {
    samples
        .as_ref()
        .and_then(Samples::mean)
        .unwrap_or(f64::INFINITY)
}
