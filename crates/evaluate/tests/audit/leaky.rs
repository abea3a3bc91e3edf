//! A mechanism that promises ε and δ and does whatever a test tells it to: the planted leaks' shell.

use std::collections::BTreeMap;

use wayveil_core::{
    Claim, Cost, Epsilon, Error, Guarantee, Mechanism, NoisyCounts, Output, Progress, PublicInputs,
    RandomSource, Records, Result, Sequences, Transcript,
};
use wayveil_noise::{DiscreteLaplace, Rate, Stream};

/// What a leak makes of the records: counts of prefixes, to be released as they are, and named
/// integers that a naive implementation would release as well.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) counts: BTreeMap<Vec<u32>, i64>,
    pub(crate) told: Vec<(String, i64)>,
    /// Floating-point numbers to release beside the counts of some prefixes.
    pub(crate) estimates: BTreeMap<Vec<u32>, f64>,
}

/// Promises ε and δ and runs a function.
pub(crate) struct Leaky {
    pub(crate) epsilon: &'static str,
    pub(crate) delta: String,
    pub(crate) make: fn(&Records<'_>, &mut RandomSource) -> Made,
}

impl Leaky {
    pub(crate) fn pure(
        epsilon: &'static str,
        make: fn(&Records<'_>, &mut RandomSource) -> Made,
    ) -> Self {
        Self {
            epsilon,
            delta: "0".into(),
            make,
        }
    }
}

impl Mechanism for Leaky {
    fn name(&self) -> &'static str {
        "leaky"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let epsilon: Epsilon = self.epsilon.parse()?;
        let delta = self.delta.parse()?;
        Ok(Claim {
            guarantee: Guarantee::differential_privacy(&epsilon, &delta, public.unit),
            cost: Cost::DifferentialPrivacy { epsilon, delta },
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: Vec::new(),
            noise: "not what it says".into(),
            columns: Vec::new(),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        _progress: &dyn Progress,
    ) -> Result<Output> {
        let made = (self.make)(records, random);
        let timed = records.public.time.is_some();
        let mut trajectories = Sequences::empty(timed);
        let mut counts = NoisyCounts {
            prefixes: Sequences::empty(timed),
            noisy: Vec::new(),
            estimate: Vec::new(),
            standard_error: Vec::new(),
        };
        for (prefix, &count) in &made.counts {
            let bins = vec![0; if timed { prefix.len() } else { 0 }];
            (0..count.clamp(0, 10_000)).for_each(|_| trajectories.push(prefix, &bins));
            counts.prefixes.push(prefix, &bins);
            counts.noisy.push(count);
            let estimate = made.estimates.get(prefix).copied();
            counts.estimate.push(estimate.unwrap_or(count as f64));
            counts.standard_error.push(1.0);
        }
        if counts.noisy.len() > 10_000 {
            return Err(Error::input("too many counts"));
        }
        Ok(Output {
            trajectories,
            attributes: Vec::new(),
            counts: Some(counts),
            fragments: None,
            expected_error: None,
            transcript: Transcript::told_by(move || made.told),
        })
    }
}

/// Exact noise for a budget of `numerator / denominator`.
pub(crate) fn noise(numerator: u64, denominator: u64, rng: &mut Stream) -> i64 {
    let rate = Rate::new(numerator, denominator).expect("a rate");
    DiscreteLaplace::new(rate).sample(rng)
}

/// How many records begin with each location.
pub(crate) fn first_locations(records: &Records<'_>) -> Vec<i64> {
    let mut counts = vec![0; records.public.universe.len()];
    for record in records.sequences.iter() {
        if let Some(&first) = record.first() {
            counts[first as usize] += 1;
        }
    }
    counts
}

/// The counts that reach a threshold, as something to release.
pub(crate) fn release(
    counts: impl IntoIterator<Item = (usize, i64)>,
    threshold: i64,
) -> BTreeMap<Vec<u32>, i64> {
    let passed = counts.into_iter().filter(|(_, count)| *count >= threshold);
    passed
        .map(|(location, count)| (vec![location as u32], count))
        .collect()
}
