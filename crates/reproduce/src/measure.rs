//! One run: some data, something that is done with it, and the numbers that come of it.

mod campaign;
mod cleaning;
mod describe;
mod maximal;

use std::collections::BTreeMap;
use std::time::Instant;

use wayveil_core::{
    Dataset, NonPrivate, PrivacyUnit, Progress, RandomSource, Raw, Result, Sequences, Terms, Within,
};
use wayveil_evaluate::Settings;
use wayveil_evaluate::evaluation::{Candidate, Outcome, Trial, try_out};
use wayveil_evaluate::metrics::{self, Metric};

use crate::campaigns::{Population, Setting};
use crate::entry::Task;
use crate::kept::Run;
pub(crate) use describe::LENGTHS;
use maximal::FEWER;
pub(crate) use maximal::FEWER_SEQUENCES;

/// Does a task once, and with it its mates, which differ from it in k alone: a run for each.
pub(crate) fn measure(
    raw: &Raw<Dataset>,
    task: &Task,
    mates: &[Task],
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Vec<Run>> {
    let run = match task {
        Task::Publish {
            candidate,
            metrics,
            settings,
        } => {
            let metrics: Vec<&'static Metric> =
                metrics.iter().filter_map(|it| metric(it)).collect();
            publish(raw, candidate, &metrics, settings, random, progress)?
        }
        Task::Time(candidate) => {
            let start = Instant::now();
            let settings = Settings::default();
            let mut run = publish(raw, candidate, &[], &settings, random, progress)?;
            if run.refused.is_none() {
                let seconds = start.elapsed().as_secs_f64();
                run.numbers.insert("seconds".into(), seconds);
            }
            run
        }
        Task::Campaign {
            method,
            per_record,
            epsilon,
            changed,
            ..
        } => {
            let settings: Vec<Setting> = mates.iter().filter_map(Task::setting).collect();
            let because = NonPrivate::because("simulates clients, for whoever reads a figure");
            let run = |data: &Dataset| {
                let records = data.bounded(PrivacyUnit::Owner);
                let places = Sequences::from_codes(records.iter());
                let population = Population {
                    records: &places,
                    per_record: *per_record,
                    locations: data.universe().len() as u32,
                };
                let epsilon = epsilon.parse()?;
                campaign::run(*method, &population, &settings, &epsilon, changed, random)
            };
            let all = raw.inspect(because, run).for_publisher_only()?;
            return Ok(all.into_iter().map(measured).collect());
        }
        Task::Describe {
            per_record,
            sensitive,
        } => {
            let because = NonPrivate::because("says what generated or given data is like");
            let describe = |data: &Dataset| describe::describe(data, *per_record, sensitive);
            measured(raw.inspect(because, describe).for_publisher_only())
        }
    };
    Ok(vec![run])
}

fn measured(numbers: BTreeMap<String, f64>) -> Run {
    Run {
        numbers,
        refused: None,
    }
}

fn publish(
    raw: &Raw<Dataset>,
    candidate: &Candidate,
    metrics: &[&'static Metric],
    settings: &Settings,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Run> {
    let terms = Terms {
        universe_from_data: true,
        ..Terms::default()
    };
    let trial = Trial {
        terms: &terms,
        repeats: 1,
        metrics,
        settings,
    };
    let tried = try_out(raw, candidate, &trial, random, &Within(progress))?;
    Ok(match tried.for_publisher_only() {
        Outcome::Refused(reason) => Run {
            numbers: BTreeMap::new(),
            refused: Some(reason),
        },
        Outcome::Measured(measured) => Run {
            numbers: measured
                .iter()
                .filter_map(|it| Some((it.name(), it.samples.mean()?)))
                .collect(),
            refused: None,
        },
    })
}

/// A metric of the project, or one that only a paper has.
pub(crate) fn metric(name: &str) -> Option<&'static Metric> {
    let own = || Some(&FEWER).filter(|metric| metric.name == name);
    metrics::find(name).or_else(own)
}
