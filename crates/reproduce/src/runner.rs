//! Makes an entry: checks what can be checked, and makes the runs that are not kept yet.

use std::collections::BTreeSet;

use serde_json::json;
use wayveil_core::error::Kind;
use wayveil_core::{
    Dataset, Error, NonPrivate, PrivacyUnit, Progress, RandomSource, Raw, Result, Silent,
};
use wayveil_evaluate::samples::Samples;
use wayveil_io::generate::{GenerateOptions, generate};

use crate::entry::{self, Entry, Made, Paper, Point, Task};
use crate::kept::{Kept, Key, Run};
use crate::measure::measure;
use crate::reproduced::{Cell, Known, Reproduced};
use crate::scale::{Scale, Source};

/// The same made-up data on every machine.
const DATA_SEED: u64 = 7;

/// Raised when the same campaign gives other numbers than before, so that what was kept of it is not taken for them.
const CAMPAIGN: u32 = 2;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Minutes instead of a night.
    pub quick: bool,
    /// Records of generated data, instead of its own number.
    pub records: Option<u64>,
    /// How often everything random is run, instead of 5 times, or 3 if quick.
    pub repeats: Option<usize>,
    /// What noise is made from.
    pub seed: u64,
}

impl Request {
    /// How often everything random is run.
    pub fn repeats(&self) -> usize {
        self.repeats
            .unwrap_or(if self.quick { 3 } else { 5 })
            .max(1)
    }
}

/// Real data, in place of what is made up.
pub struct Given {
    /// Its name for people.
    pub name: String,
    /// What tells it from other data, for kept runs.
    pub key: String,
    raw: Raw<Dataset>,
    records: u64,
}

impl Given {
    /// Takes data.
    pub fn new(name: String, key: String, raw: Raw<Dataset>) -> Self {
        let because = NonPrivate::because("how large an experiment gets, for whoever runs it");
        let count = |data: &Dataset| data.bounded(PrivacyUnit::Owner).len() as u64;
        let records = raw.inspect(because, count).for_publisher_only();
        Self {
            name,
            key,
            raw,
            records,
        }
    }
}

/// Where entries are made, one after the other.
pub struct Stage {
    request: Request,
    given: Option<Given>,
    kept: Kept,
    /// The data that was made up last.
    current: Option<(Source, Raw<Dataset>)>,
}

impl Stage {
    /// Nothing is made yet; what is kept need not be.
    pub fn new(request: Request, given: Option<Given>, kept: Kept) -> Self {
        Self {
            request,
            given,
            kept,
            current: None,
        }
    }

    /// Makes an entry of a paper.
    pub fn make(
        &mut self,
        paper: &'static Paper,
        entry: &'static Entry,
        progress: &dyn Progress,
    ) -> Result<Reproduced> {
        let mut made = Reproduced::new(paper, entry, self.request);
        made.given = self.given.as_ref().map(|given| given.name.clone());
        match entry.made {
            Made::Drawing => {}
            Made::Checked(check) => made.checks = check()?,
            Made::Measured { points, .. } => {
                let scale = Scale {
                    quick: self.request.quick,
                    records: self.request.records,
                    given: self.given.as_ref().map(|given| given.records),
                };
                let points = points(&scale);
                self.run_all(&points, &mut made, progress)?;
                made.cells = points.iter().map(|point| self.cell(entry, point)).collect();
                made.sources = sources(&points);
            }
        }
        Ok(made)
    }

    /// Makes the runs that are not kept, each of them once.
    fn run_all(
        &mut self,
        points: &[Point],
        made: &mut Reproduced,
        progress: &dyn Progress,
    ) -> Result<()> {
        let mut wanted: Vec<(Key, &entry::Run)> = Vec::new();
        let mut seen: BTreeSet<Key> = BTreeSet::new();
        for run in points.iter().flat_map(|point| &point.runs) {
            for repeat in 0..self.repeats(&run.task) {
                let key = self.key(run, repeat);
                if seen.insert(key.clone()) {
                    wanted.push((key, run));
                }
            }
        }
        let all = wanted.len();
        wanted.retain(|(key, _)| self.kept.get(key).is_none());
        (made.runs, made.kept_runs) = (wanted.len(), all - wanted.len());
        let step = format!("{}/{}", made.paper.id, made.entry.name);
        progress.begin(&step, Some(wanted.len() as u64));
        for (key, run) in wanted {
            let run = self.run(&key, run, progress)?;
            self.kept
                .put(key, run)
                .map_err(|cause| Error::system("cannot keep a run", cause))?;
            progress.advance(1);
        }
        progress.end();
        Ok(())
    }

    fn run(&mut self, key: &Key, run: &entry::Run, progress: &dyn Progress) -> Result<Run> {
        let purpose = format!("{} {}", key.data, key.setting);
        let seed = self.request.seed.wrapping_add(key.run as u64);
        let mut random = RandomSource::insecure_seed_for(&purpose, seed);
        let raw = self.data(run.source)?;
        match measure(raw, &run.task, &mut random, progress) {
            // Not every method can do with whatever data is given.
            Err(error) if run.source == Source::Given && error.kind() == Kind::Input => Ok(Run {
                refused: Some(error.message().to_owned()),
                ..Run::default()
            }),
            done => done,
        }
    }

    fn data(&mut self, source: Source) -> Result<&Raw<Dataset>> {
        let Source::Generated {
            preset,
            records,
            locations,
            bins,
            lengths,
        } = source
        else {
            let given = self.given.as_ref().map(|given| &given.raw);
            return given.ok_or_else(|| Error::input("no data was given"));
        };
        let current = match self.current.take() {
            Some((known, raw)) if known == source => (known, raw),
            _ => {
                let options = GenerateOptions {
                    records: Some(records),
                    locations,
                    bins,
                    lengths,
                    ..GenerateOptions::default()
                };
                let mut random = RandomSource::insecure_seed(DATA_SEED);
                (source, generate(preset, &options, &mut random, &Silent)?)
            }
        };
        Ok(&self.current.insert(current).1)
    }

    fn repeats(&self, task: &Task) -> usize {
        match task.is_random() {
            true => self.request.repeats(),
            false => 1,
        }
    }

    fn key(&self, run: &entry::Run, repeat: usize) -> Key {
        let data = match (&run.source, &self.given) {
            (Source::Given, Some(given)) => given.key.clone(),
            (source, _) => format!("{source:?}"),
        };
        Key {
            data,
            epsilon: run.task.epsilon().unwrap_or_default(),
            setting: format!(
                "{} seed {} wayveil {}",
                run.task.words(),
                self.request.seed,
                env!("CARGO_PKG_VERSION")
            ),
            run: repeat,
        }
    }

    /// What the runs of a point have given.
    fn cell(&self, entry: &Entry, point: &Point) -> Cell {
        let tasks = point.runs.iter().map(|run| self.repeats(&run.task));
        let mut samples = Samples::default();
        let mut refused = None;
        for repeat in 0..tasks.max().unwrap_or(0) {
            let keys = point.runs.iter().map(|run| self.key(run, repeat));
            let runs: Vec<&Run> = keys.filter_map(|key| self.kept.get(&key)).collect();
            let numbers = runs.iter().filter_map(|run| run.numbers.get(&point.number));
            samples.push(numbers.copied().collect::<Samples>().mean());
            refused = refused.or_else(|| runs.iter().find_map(|run| run.refused.clone()));
        }
        Cell {
            panel: point.panel.clone(),
            series: point.series.clone(),
            at: point.at.clone(),
            refused,
            samples,
            paper: point
                .series
                .beside
                .and_then(|series| known(entry, point.panel.reported, series, &point.at)),
        }
    }
}

/// What an entry's paper has for a point.
fn known(entry: &Entry, panel: &str, series: &str, at: &str) -> Option<Known> {
    let lines = entry.reported.iter();
    lines
        .filter(|line| line.panel == panel && line.series == series)
        .find_map(|line| line.known(at))
}

/// The different sources of points, in words.
fn sources(points: &[Point]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for run in points.iter().flat_map(|point| &point.runs) {
        let words = match run.source {
            Source::Given => continue,
            Source::Generated {
                preset,
                records,
                locations,
                ..
            } => {
                let info = preset.info();
                let locations = locations.unwrap_or(info.locations);
                format!(
                    "{records} {} of the preset `{}`, {locations} {}",
                    info.movers, info.name, info.places
                )
            }
        };
        if !all.contains(&words) {
            all.push(words);
        }
    }
    all
}

impl Task {
    /// Whether it gives other numbers every time.
    fn is_random(&self) -> bool {
        match self {
            Self::Publish { candidate, .. } => candidate.method != "suppress",
            Self::Time(_) | Self::Campaign { .. } => true,
            Self::Describe { .. } => false,
        }
    }

    fn epsilon(&self) -> Option<String> {
        match self {
            Self::Publish { candidate, .. } | Self::Time(candidate) => {
                let mut parameters = candidate.parameters.iter();
                let found = parameters.find(|(name, _)| name == "epsilon");
                found.map(|(_, value)| value.clone())
            }
            Self::Campaign { epsilon, .. } => Some((*epsilon).to_owned()),
            Self::Describe { .. } => None,
        }
    }

    /// All that decides about its numbers, beside data and seed.
    fn words(&self) -> String {
        match self {
            Self::Publish {
                candidate,
                metrics,
                settings,
            } => format!("{} {metrics:?} {}", candidate.words(), json!(settings)),
            Self::Time(candidate) => format!("time {}", candidate.words()),
            Self::Campaign {
                method,
                setting,
                per_record,
                changed,
                ..
            } => format!("campaign {CAMPAIGN}: {method:?} {setting:?} × {per_record} {changed:?}"),
            Self::Describe {
                per_record,
                sensitive,
            } => format!("describe × {per_record}, sensitive {sensitive:?}"),
        }
    }
}
