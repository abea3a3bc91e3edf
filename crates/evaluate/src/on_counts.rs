//! Metrics of which exact counts of the raw records are enough, for records that stay elsewhere.
//!
//! Each is the metric of its name: only where the raw side's counts come from differs.

use std::borrow::Cow;

use wayveil_core::{Counting, Error, Progress, Result, Sequences, Universe};

use crate::compared::{Compared, Side};
use crate::evaluation::{Measured, measured};
use crate::metrics::{Metric, Value, count_queries, pattern_f1, pattern_support_error};
use crate::settings::Settings;

/// Raw records that are only counted, and released ones, over one universe.
pub struct OnCounts<'a> {
    /// The raw side's locations; both sides' codes are its codes.
    pub(crate) universe: &'a Universe,
    /// The raw records.
    pub(crate) counting: &'a dyn Counting,
    /// The released trajectories, in the raw side's codes.
    pub(crate) released: Cow<'a, Sequences>,
}

type Run = fn(&OnCounts<'_>, &Settings) -> Result<Vec<Value>>;

static ALL: &[(&Metric, Run)] = &[
    (&count_queries::METRIC, count_queries::run_on_counts),
    (&pattern_f1::METRIC, pattern_f1::run_on_counts),
    (
        &pattern_support_error::METRIC,
        pattern_support_error::run_on_counts,
    ),
];

/// The metrics that can be computed so.
pub fn metrics() -> Vec<&'static Metric> {
    ALL.iter().map(|(metric, _)| *metric).collect()
}

/// Computes metrics once. `public` is the raw side without its records.
pub fn measure(
    public: Side<'_>,
    counting: &dyn Counting,
    released: Side<'_>,
    metrics: &[&'static Metric],
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Vec<Measured>> {
    // Nothing is counted for a call that is refused.
    let runs = metrics.iter().map(|metric| run_of(metric));
    let runs: Vec<Run> = runs.collect::<Result<_>>()?;
    let compared = Compared::new(public, released)?;
    let counted = OnCounts {
        universe: compared.universe,
        counting,
        released: compared.released,
    };
    progress.begin("computing metrics", Some(metrics.len() as u64));
    let mut all = Vec::new();
    for (metric, run) in metrics.iter().zip(runs) {
        all.extend(measured(metric, run(&counted, settings)?));
        progress.advance(1);
    }
    progress.end();
    Ok(all)
}

/// What computes a metric from counts.
fn run_of(metric: &Metric) -> Result<Run> {
    let run = ALL.iter().find(|(known, _)| known.name == metric.name);
    let run = run.map(|(_, run)| *run);
    run.ok_or_else(|| {
        let known: Vec<&str> = ALL.iter().map(|(metric, _)| metric.name).collect();
        Error::input(format!(
            "{} looks at the records themselves, and these stay where they are",
            metric.name
        ))
        .hint(format!("counts are enough for: {}", known.join(", ")))
    })
}
