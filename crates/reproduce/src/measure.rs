//! One run: some data, something that is done with it, and the numbers that come of it.

use std::collections::BTreeMap;
use std::time::Instant;

use wayveil_core::{
    Dataset, Epsilon, NonPrivate, PrivacyUnit, Progress, RandomSource, Raw, Result, Sequences,
    Terms, Within,
};
use wayveil_evaluate::Settings;
use wayveil_evaluate::evaluation::{Candidate, Outcome, Trial, try_out};
use wayveil_evaluate::fragments::FragmentTruth;
use wayveil_evaluate::metrics::{self, Metric};

use crate::campaigns::{
    Counted, Method, Pool, Population, Published, Setting, fastpub, of_findings, parameters, sfp,
    triehh,
};
use crate::entry::{Changed, Task};
use crate::kept::Run;

/// Does a task once.
pub(crate) fn measure(
    raw: &Raw<Dataset>,
    task: &Task,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Run> {
    match task {
        Task::Publish {
            candidate,
            metrics,
            settings,
        } => {
            let metrics: Vec<&'static Metric> =
                metrics.iter().filter_map(|it| metrics::find(it)).collect();
            publish(raw, candidate, &metrics, settings, random, progress)
        }
        Task::Time(candidate) => {
            let start = Instant::now();
            let settings = Settings::default();
            let mut run = publish(raw, candidate, &[], &settings, random, progress)?;
            if run.refused.is_none() {
                let seconds = start.elapsed().as_secs_f64();
                run.numbers.insert("seconds".into(), seconds);
            }
            Ok(run)
        }
        Task::Campaign {
            method,
            setting,
            per_record,
            epsilon,
            changed,
        } => {
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
                campaign(*method, &population, *setting, &epsilon, changed, random)
            };
            let numbers = raw.inspect(because, run).for_publisher_only()?;
            Ok(Run {
                numbers,
                refused: None,
            })
        }
        Task::Describe => {
            let because = NonPrivate::because("says what generated or given data is like");
            let numbers = raw.inspect(because, describe).for_publisher_only();
            Ok(Run {
                numbers,
                refused: None,
            })
        }
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

/// Asks simulated clients, and compares what is found with the truth.
fn campaign(
    method: Method,
    population: &Population<'_>,
    setting: Setting,
    epsilon: &Epsilon,
    changed: &Changed,
    random: &mut RandomSource,
) -> Result<BTreeMap<String, f64>> {
    let mut numbers = BTreeMap::new();
    let published = match method {
        _ if method.is_sfp() => sfp(method, population, &[setting], epsilon, random)?.pop(),
        _ if !method.is_fastpub() => triehh(method, population, &[setting], epsilon, random)?.pop(),
        _ => {
            let mut parameters = parameters(method, population, setting, epsilon);
            if let Some(share) = changed.share {
                parameters = parameters.with_share(share);
            }
            parameters.per_client = changed.per_client.unwrap_or(parameters.per_client);
            parameters.lambda = changed.lambda.unwrap_or(parameters.lambda);
            let form = parameters.form;
            let found = fastpub(parameters, &Pool::new(population.clients()), random)?;
            let cleaned: u64 = found.extents.iter().map(|it| it.cleaned).sum();
            let asked: usize = found.extents.iter().map(|it| it.candidates).sum();
            let of = cleaned + asked as u64;
            if of > 0 {
                numbers.insert("cleaned".into(), cleaned as f64 / of as f64);
            }
            Some(of_findings(form, setting, &found))
        }
    };
    if let Some(published) = published {
        compare(population, setting, &published, &mut numbers)?;
    }
    Ok(numbers)
}

/// Numbers of the greatest length, which are the paper's.
fn compare(
    population: &Population<'_>,
    setting: Setting,
    published: &Published,
    numbers: &mut BTreeMap<String, f64>,
) -> Result<()> {
    let length = setting.length as usize;
    let truth = FragmentTruth::count(population.records, population.per_record, setting.k, length)?;
    let compare = |counted: &Counted| truth.compare(&counted.fragments, &counted.counts);
    let released = compare(&published.released)?;
    let answers = match &published.answers {
        Some(answers) => compare(answers)?,
        None => released.clone(),
    };
    let scores = released.longest();
    let named = [
        ("precision", scores.precision),
        ("recall", scores.recall),
        ("f1", scores.f1),
        ("query-error", answers.longest().query_error),
        ("bits-up", Some(published.sent.bits_up)),
        ("bits-down", Some(published.sent.bits_down)),
        ("to-find", Some(scores.truth as f64)),
    ];
    for (name, number) in named {
        if let Some(number) = number {
            numbers.insert(name.into(), number);
        }
    }
    Ok(())
}

fn describe(data: &Dataset) -> BTreeMap<String, f64> {
    let trips = data.bounded(PrivacyUnit::Owner);
    let records = trips.len() as f64;
    let longest = trips.iter().map(<[u32]>::len).max().unwrap_or(0);
    let locations = data.universe().len() as f64;
    let doublets = locations * data.time().map_or(1.0, |axis| f64::from(axis.bins));
    let mut numbers = BTreeMap::from([
        ("records".to_owned(), records),
        ("locations".to_owned(), locations),
        ("doublets".to_owned(), doublets),
        ("longest".to_owned(), longest as f64),
    ]);
    if records > 0.0 {
        let mean = trips.symbols() as f64 / records;
        numbers.insert("mean-length".into(), mean);
        for most in LENGTHS {
            let short = trips.iter().filter(|trip| trip.len() <= most).count();
            numbers.insert(format!("share-up-to-{most}"), short as f64 / records);
        }
    }
    numbers
}

/// Lengths up to which records are counted.
pub(crate) const LENGTHS: [usize; 8] = [2, 4, 6, 8, 12, 16, 24, 48];
