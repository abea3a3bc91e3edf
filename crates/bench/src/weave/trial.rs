//! One method on one data set at one ε.

use std::time::Instant;

use wayveil_core::{RandomSource, Silent, Terms};
use wayveil_evaluate::Settings;
use wayveil_evaluate::evaluation::{Candidate, Measured, Outcome, Trial, try_out};
use wayveil_evaluate::metrics::{self, Metric};

use super::data::Data;
use super::table::Row;

const METRICS: [&str; 6] = [
    "count-query-error",
    "top-patterns",
    "length-divergence",
    "trip-divergence",
    "transition-divergence",
    "flow-error",
];
/// The heights of which a tree may choose its best, number by number.
const HEIGHTS: [&str; 5] = ["2", "3", "4", "6", "12"];
/// Groups of the hybrid tree where the data has no taxonomy.
const FAN_OUT: &str = "8";

/// Settings of one method; of a tree with several heights the best number of each metric counts.
pub(super) type Settled = (String, Vec<Candidate>);

/// The methods to run: those asked for, or ours and both trees with every height.
pub(super) fn methods(
    asked: &[String],
    epsilon: &str,
    data: &Data,
) -> Result<Vec<Settled>, String> {
    let usual = ["weave", "prefix-tree", "hybrid-tree"].map(String::from);
    let asked = if asked.is_empty() { &usual[..] } else { asked };
    asked
        .iter()
        .map(|text| {
            let candidate = read(text)?.with("epsilon", epsilon);
            let tree = candidate.method.ends_with("-tree");
            let candidate = match candidate.method == "hybrid-tree" && !data.taxonomy {
                true => candidate.with("fan-out", FAN_OUT),
                false => candidate,
            };
            let all = match tree && !text.contains("height") {
                true => HEIGHTS
                    .map(|height| candidate.with("height", height))
                    .into(),
                false => vec![candidate],
            };
            Ok((text.clone(), all))
        })
        .collect()
}

fn read(text: &str) -> Result<Candidate, String> {
    let mut words = text.split_whitespace();
    let method = words.next().ok_or("an empty method")?.to_owned();
    let pair = |word: &str| {
        let (name, value) = word.split_once('=').ok_or(format!("{word}: no value"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    Ok(Candidate {
        method,
        parameters: words.map(pair).collect::<Result<_, String>>()?,
    })
}

pub(super) fn run(
    data: &Data,
    epsilon: &str,
    (name, candidates): &Settled,
    repeats: usize,
) -> Result<Row, String> {
    let metrics: Vec<&'static Metric> = METRICS
        .iter()
        .filter_map(|name| metrics::find(name))
        .collect();
    let terms = Terms {
        universe_from_data: true,
        ..Terms::default()
    };
    let settings = Settings {
        count_queries: 20_000,
        ..Settings::default()
    };
    let started = Instant::now();
    let mut best: Option<Vec<Measured>> = None;
    for candidate in candidates {
        let mut random = RandomSource::insecure_seed_for("weave against trees", 1);
        let trial = Trial {
            terms: &terms,
            repeats,
            metrics: &metrics,
            settings: &settings,
        };
        let tried = try_out(&data.raw, candidate, &trial, &mut random, &Silent);
        match tried.map_err(|it| it.to_string())?.for_publisher_only() {
            Outcome::Refused(reason) => eprintln!("{name} on {}: {reason}", data.name),
            Outcome::Measured(measured) => {
                best = Some(match best {
                    None => measured,
                    Some(old) => better_of(old, measured),
                });
            }
        }
    }
    Ok(Row {
        data: data.name.clone(),
        epsilon: epsilon.to_owned(),
        method: name.clone(),
        measured: best.unwrap_or_default(),
        seconds: started.elapsed().as_secs_f64() / (repeats * candidates.len()) as f64,
    })
}

/// For every number the better of two settings.
fn better_of(old: Vec<Measured>, new: Vec<Measured>) -> Vec<Measured> {
    use wayveil_evaluate::metrics::Better;
    old.into_iter()
        .map(|old| {
            let Some(other) = new.iter().find(|it| it.name() == old.name()) else {
                return old;
            };
            let (a, b) = (old.samples.mean(), other.samples.mean());
            let wins = match (a, b, old.better) {
                (None, Some(_), _) => true,
                (Some(a), Some(b), Better::Lower) => b < a,
                (Some(a), Some(b), Better::Higher) => b > a,
                _ => false,
            };
            if wins { other.clone() } else { old }
        })
        .collect()
}
