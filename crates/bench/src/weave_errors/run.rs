//! One data set at one ε, published and measured again and again.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use wayveil_core::{Budget, NonPrivate, Progress, RandomSource, Silent, Terms, publish};
use wayveil_evaluate::evaluation::{Measured, measure};
use wayveil_evaluate::metrics::{self, Metric};
use wayveil_evaluate::{Compared, Settings, Side};
use wayveil_mechanisms::{Parameters, find};

use super::{Case, Number};
use crate::weave::data::Source;

const METRICS: [&str; 6] = [
    "count-query-error",
    "top-patterns",
    "flow-error",
    "transition-divergence",
    "trip-divergence",
    "length-divergence",
];

/// How long the step took in which the error is estimated.
#[derive(Default)]
struct Estimating(Mutex<(Option<Instant>, Duration)>);

impl Progress for Estimating {
    fn begin(&self, step: &str, _total: Option<u64>) {
        if let Ok(mut it) = self.0.lock() {
            it.0 = (step == "estimating its own error").then(Instant::now);
        }
    }
    fn advance(&self, _parts: u64) {}
    fn end(&self) {
        if let Ok(mut it) = self.0.lock() {
            let taken = it.0.take().map(|begun| begun.elapsed());
            it.1 += taken.unwrap_or_default();
        }
    }
    fn warn(&self, _warning: &str) {}
}

pub(super) fn run(source: &mut Source, epsilon: &str, repeats: usize) -> Result<Vec<Case>, String> {
    let name = source.name.clone();
    let Some(data) = source.data()? else {
        return Ok(Vec::new());
    };
    let metrics: Vec<&'static Metric> = METRICS
        .iter()
        .filter_map(|name| metrics::find(name))
        .collect();
    let entry = find("weave").map_err(|it| it.to_string())?;
    let parameters = Parameters::new(entry.parameters, [("epsilon", epsilon)]);
    let mechanism = (entry.build)(&parameters.map_err(|it| it.to_string())?);
    let mechanism = mechanism.map_err(|it| it.to_string())?;
    let terms = Terms {
        universe_from_data: true,
        ..Terms::default()
    };
    let settings = Settings {
        count_queries: 20_000,
        ..Settings::default()
    };
    let mut random = RandomSource::insecure_seed_for("errors of weave", 1);
    let mut cases = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let (started, estimating) = (Instant::now(), Estimating::default());
        let release = publish(
            &data.raw,
            mechanism.as_ref(),
            &terms,
            &mut Budget::without_allowance(),
            &mut random,
            &estimating,
        );
        let release = release.map_err(|it| it.to_string())?;
        let seconds = started.elapsed().as_secs_f64();
        let because = NonPrivate::because("estimates are held against the truth");
        let found = data.raw.inspect(because, |raw| {
            let records = raw.records(terms.unit, &[])?;
            let side = |sequences| Side {
                universe: raw.universe(),
                time: None,
                sequences,
            };
            let compared = Compared::new(side(&records.sequences), side(release.trajectories()))?;
            let off = records
                .sequences
                .len()
                .abs_diff(release.trajectories().len()) as f64;
            Ok((off, measure(&compared, &metrics, &settings, &Silent)?))
        });
        let found: wayveil_core::Result<(f64, Vec<Measured>)> = found.for_publisher_only();
        let (off, measured) = found.map_err(|it| it.to_string())?;
        let estimates = release.manifest().expected_error.as_ref();
        let estimates = estimates.map_or(&[][..], |it| &it.estimates);
        let number = |estimate: &wayveil_core::ErrorEstimate| {
            let actual = match estimate.name.as_str() {
                "records" => off,
                name => measured
                    .iter()
                    .find(|it| it.name() == name)?
                    .samples
                    .mean()?,
            };
            Some(Number {
                name: estimate.name.clone(),
                value: estimate.value,
                low: estimate.low,
                high: estimate.high,
                actual,
            })
        };
        cases.push(Case {
            data: name.clone(),
            epsilon: epsilon.to_owned(),
            seconds,
            estimating: estimating.0.lock().map_or(0.0, |it| it.1.as_secs_f64()),
            numbers: estimates.iter().filter_map(number).collect(),
        });
    }
    Ok(cases)
}
