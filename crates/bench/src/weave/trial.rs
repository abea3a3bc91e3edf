//! One method on one data set at one ε: its runs, and of a tree with many heights the best for every number.

use wayveil_core::{RandomSource, Silent, Terms};
use wayveil_evaluate::Settings;
use wayveil_evaluate::evaluation::{Candidate, Outcome, Trial, try_out};
use wayveil_evaluate::metrics::{self, Metric};
use wayveil_evaluate::samples::Samples;

use super::data::{Data, Source};
use super::numbers::{METRICS, NUMBERS, Number};
use wayveil_reproduce::kept::{Kept, Key, Run};

/// The heights of which a tree may choose its best, number by number.
const HEIGHTS: [&str; 5] = ["2", "3", "4", "6", "12"];
/// So many runs tell which heights are worth all of them.
const SCREENED: usize = 2;
/// Groups of the hybrid tree where the data has no taxonomy.
const FAN_OUT: &str = "8";

/// A method, with every setting that it may choose from.
pub(super) struct Method {
    /// As it was asked for.
    pub(super) name: String,
    settings: Vec<Candidate>,
}

impl Method {
    /// A method with parameters, as `wayveil evaluate --publish` takes them; trees have every height unless one is given.
    pub(super) fn read(text: &str, source: &Source) -> Result<Self, String> {
        let candidate: Candidate = text
            .parse()
            .map_err(|it: wayveil_core::Error| it.to_string())?;
        let candidate = match candidate.method == "hybrid-tree" && !source.taxonomy() {
            true => candidate.with("fan-out", FAN_OUT),
            false => candidate,
        };
        let given = candidate
            .parameters
            .iter()
            .any(|(name, _)| name == "height");
        let settings = match is_tree(&candidate.method) && !given {
            true => HEIGHTS
                .map(|height| candidate.with("height", height))
                .into(),
            false => vec![candidate],
        };
        Ok(Self {
            name: text.to_owned(),
            settings,
        })
    }

    /// Whether it is one of those to compare with.
    pub(super) fn is_tree(&self) -> bool {
        is_tree(&self.settings[0].method)
    }
}

fn is_tree(method: &str) -> bool {
    method.ends_with("-tree")
}

/// A method's numbers on one data set at one ε, in the order of [`NUMBERS`].
pub(super) struct Row {
    pub(super) data: String,
    pub(super) epsilon: String,
    pub(super) method: String,
    pub(super) tree: bool,
    pub(super) cells: Vec<Cell>,
}

/// One number over all runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) samples: Samples,
    /// The setting that gave it.
    pub(super) setting: String,
}

impl Cell {
    /// Whether its mean is better than another's, or the only one.
    pub(super) fn beats(&self, other: &Self, number: &Number) -> bool {
        match (self.samples.mean(), other.samples.mean()) {
            (Some(mean), Some(other)) => number.is_better(mean, other),
            (mean, other) => mean.is_some() && other.is_none(),
        }
    }
}

/// Makes the runs that are not kept yet, and gathers the row. Without `source`, only what is kept counts.
pub(super) fn run(
    kept: &mut Kept,
    source: &mut Source,
    epsilon: &str,
    method: &Method,
    repeats: usize,
) -> Result<Row, String> {
    let few = match method.settings.len() {
        1 => repeats,
        _ => repeats.min(SCREENED),
    };
    for setting in &method.settings {
        repeat(kept, source, epsilon, setting, few)?;
    }
    let screened = cells(kept, source, epsilon, &method.settings, few);
    let worth = |setting: &&Candidate| {
        let name = setting.words();
        screened.iter().any(|cell| cell.setting == name)
    };
    let best: Vec<Candidate> = method.settings.iter().filter(worth).cloned().collect();
    for setting in &best {
        repeat(kept, source, epsilon, setting, repeats)?;
    }
    Ok(Row {
        data: source.name.clone(),
        epsilon: epsilon.to_owned(),
        method: method.name.clone(),
        tree: method.is_tree(),
        cells: cells(kept, source, epsilon, &best, repeats),
    })
}

fn key(source: &Source, epsilon: &str, setting: &Candidate, run: usize) -> Key {
    Key {
        data: source.name.clone(),
        epsilon: epsilon.to_owned(),
        setting: setting.words(),
        run,
    }
}

fn repeat(
    kept: &mut Kept,
    source: &mut Source,
    epsilon: &str,
    setting: &Candidate,
    repeats: usize,
) -> Result<(), String> {
    for run in 0..repeats {
        let key = key(source, epsilon, setting, run);
        if kept.get(&key).is_some() {
            continue;
        }
        let Some(data) = source.data()? else {
            return Ok(());
        };
        let made = once(data, &setting.with("epsilon", epsilon), run)?;
        if let Some(reason) = &made.refused {
            eprintln!("{} on {}: {reason}", key.setting, key.data);
        }
        kept.put(key, made)?;
    }
    Ok(())
}

fn once(data: &Data, candidate: &Candidate, run: usize) -> Result<Run, String> {
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
    let trial = Trial {
        terms: &terms,
        repeats: 1,
        metrics: &metrics,
        settings: &settings,
    };
    let mut random = RandomSource::insecure_seed_for("weave against trees", 1 + run as u64);
    let tried = try_out(&data.raw, candidate, &trial, &mut random, &Silent);
    Ok(
        match tried.map_err(|it| it.to_string())?.for_publisher_only() {
            Outcome::Refused(reason) => Run {
                refused: Some(reason),
                ..Run::default()
            },
            Outcome::Measured(measured) => Run {
                numbers: measured
                    .iter()
                    .filter_map(|it| Some((it.name(), it.samples.mean()?)))
                    .collect(),
                refused: None,
            },
        },
    )
}

/// For every number the setting with the best mean.
fn cells(
    kept: &Kept,
    source: &Source,
    epsilon: &str,
    settings: &[Candidate],
    repeats: usize,
) -> Vec<Cell> {
    let cell = |setting: &Candidate, number: &Number| {
        let runs = (0..repeats).filter_map(|run| kept.get(&key(source, epsilon, setting, run)));
        Cell {
            samples: runs
                .filter_map(|run| run.numbers.get(number.name).copied())
                .collect(),
            setting: setting.words(),
        }
    };
    let best = |number: &Number| {
        let all = settings.iter().map(|setting| cell(setting, number));
        all.reduce(|best, new| match new.beats(&best, number) {
            true => new,
            false => best,
        })
        .unwrap_or_default()
    };
    NUMBERS.iter().map(best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(kept: &mut Kept, setting: &str, run: usize, length: f64, top: f64) {
        let key = Key {
            data: "msnbc".into(),
            epsilon: "1".into(),
            setting: setting.into(),
            run,
        };
        let numbers = [
            ("length-divergence".to_owned(), length),
            ("top-patterns.true-positives-300".to_owned(), top),
        ];
        let run = Run {
            numbers: numbers.into(),
            refused: None,
        };
        kept.put(key, run).unwrap();
    }

    #[test]
    fn every_number_has_the_height_that_serves_it_best() {
        let mut kept = Kept::default();
        for (height, length, top) in [
            ("2", 0.3, 100.0),
            ("3", 0.1, 90.0),
            ("4", 0.2, 120.0),
            ("6", 0.5, 20.0),
            ("12", 0.6, 10.0),
        ] {
            let setting = format!("prefix-tree height={height}");
            put(&mut kept, &setting, 0, length, top);
            put(&mut kept, &setting, 1, length + 0.02, top);
        }
        let mut source = Source::kept_only("msnbc");
        let method = Method::read("prefix-tree", &source).unwrap();
        let row = run(&mut kept, &mut source, "1", &method, 10).unwrap();
        let of = |name: &str| {
            let at = NUMBERS.iter().position(|it| it.name == name).unwrap();
            &row.cells[at]
        };
        assert_eq!(of("length-divergence").setting, "prefix-tree height=3");
        let mean = of("length-divergence").samples.mean().unwrap();
        assert!((mean - 0.11).abs() < 1e-12);
        let top = of("top-patterns.true-positives-300");
        assert_eq!(top.setting, "prefix-tree height=4");
        assert!(of("trip-divergence").samples.is_empty());
    }

    #[test]
    fn a_given_height_is_the_only_one() {
        let source = Source::kept_only("bike");
        let method = Method::read("hybrid-tree height=5", &source).unwrap();
        let names: Vec<String> = method.settings.iter().map(Candidate::words).collect();
        assert_eq!(names, ["hybrid-tree height=5 fan-out=8"]);
        assert!(method.is_tree());
        assert!(Method::read(" ", &source).is_err());
    }
}
