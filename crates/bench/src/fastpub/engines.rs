//! Both engines on the same campaigns, once: numbers of clients against every client.

use rayon::prelude::*;
use wayveil_core::{Epsilon, RandomSource, Result};
use wayveil_evaluate::samples::Samples;
use wayveil_federated::campaign::Campaign;
use wayveil_federated::simulate::{Options, per_client};

use super::NAME;
use super::data::Data;
use super::measure::{Measure, Outcome, Truths};
use wayveil_reproduce::campaigns::{Method, Setting, of_findings, parameters};

use super::plan::Plan;

/// The settings in the middle.
pub(super) fn settings(data: &Data) -> Vec<Setting> {
    let by_length = data.settings.chunk_by(|a, b| a.length == b.length);
    by_length
        .filter_map(|settings| settings.get(settings.len() / 2).copied())
        .collect()
}

/// F1 and query error of one setting by both engines.
pub(super) struct Engines {
    pub(super) setting: Setting,
    pub(super) epsilon: &'static str,
    /// Aggregated, then every client.
    pub(super) f1: [Samples; 2],
    pub(super) error: [Samples; 2],
}

/// Runs the per-client engine as often as the aggregated one was run, for a method and ε.
pub(super) fn compare(
    plan: &Plan,
    data: &Data,
    truths: &Truths<'_>,
    aggregated: &Outcome,
) -> Result<Vec<Engines>> {
    let (method, epsilon) = (aggregated.method, aggregated.epsilon);
    let value: Epsilon = epsilon.parse()?;
    let one = |setting: Setting| {
        let run = |repeat: u64| {
            let seed = 1_000 * u64::from(setting.length) + repeat;
            let purpose = format!("{NAME} by client");
            let mut random = RandomSource::insecure_seed_for(&purpose, seed);
            let parameters = parameters(method, &data.population(), setting, &value);
            let campaign = Campaign::new(parameters)?;
            let form = campaign.parameters().form;
            let options = Options::default();
            let found = per_client(campaign, &data.clients(), &options, &mut random)?;
            truths.compare(repeat, &of_findings(form, setting, &found))
        };
        let runs = (0..plan.repeats(method)).into_par_iter().map(run);
        let every = Outcome {
            method,
            epsilon,
            runs: runs.collect::<Result<_>>()?,
        };
        let both = |measure| [aggregated, &every].map(|outcome| outcome.at(measure, setting));
        Ok(Engines {
            setting,
            epsilon,
            f1: both(Measure::F1),
            error: both(Measure::Error),
        })
    };
    settings(data).into_iter().map(one).collect()
}

/// The method that is run by both.
pub(super) const METHOD: Method = Method::PerCandidate;
