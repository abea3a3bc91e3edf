//! Makes an entry: checks what can be checked, and makes the runs that are not kept yet.

use std::collections::BTreeSet;

use serde_json::json;
use sha2::{Digest, Sha256};
use wayveil_core::error::Kind;
use wayveil_core::{
    Dataset, Error, NonPrivate, PrivacyUnit, Progress, RandomSource, Raw, Result, Silent,
};
use wayveil_evaluate::samples::Samples;
use wayveil_io::generate::{GenerateOptions, generate};

use crate::campaigns::Setting;
use crate::entry::{self, Entry, Made, Paper, Point, Task};
use crate::kept::{Kept, Key, Run};
use crate::measure::measure;
use crate::reproduced::{Cell, Known, Reproduced};
use crate::scale::{Scale, Source};

/// The same made-up data on every machine.
const DATA_SEED: u64 = 7;

/// Raised when any run gives other numbers than before, so that what was kept is not taken for them. `tests/epoch.rs`
/// tells when.
const EPOCH: u32 = 3;

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
            // It may have been made with another.
            if self.kept.get(&key).is_none() {
                self.run(run, key.run, progress)?;
            }
            progress.advance(1);
        }
        progress.end();
        Ok(())
    }

    /// Makes a run, and those that come with it.
    fn run(&mut self, run: &entry::Run, repeat: usize, progress: &dyn Progress) -> Result<()> {
        let mut random = RandomSource::insecure_seed_for(
            &purpose(run),
            self.request.seed.wrapping_add(repeat as u64),
        );
        let mates = run.task.mates();
        let raw = self.data(run.source)?;
        let made = match measure(raw, &run.task, &mates, &mut random, progress) {
            // Not every method can do with whatever data is given.
            Err(error) if run.source == Source::Given && error.kind() == Kind::Input => {
                let refused = Run {
                    refused: Some(error.message().to_owned()),
                    ..Run::default()
                };
                vec![refused; mates.len()]
            }
            done => done?,
        };
        for (task, made) in mates.into_iter().zip(made) {
            let source = run.source;
            let key = self.key(&entry::Run { source, task }, repeat);
            self.kept
                .put(key, made)
                .map_err(|cause| Error::system("cannot keep a run", cause))?;
        }
        Ok(())
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
                "{} seed {} epoch {EPOCH}",
                run.task.words(),
                self.request.seed
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
            random: point.runs.iter().any(|run| run.task.is_random()),
            paper: point
                .series
                .beside
                .and_then(|series| known(entry, point.panel.reported, series, &point.at)),
        }
    }
}

/// What noise of a run is made from, beside the seed and the number of the repeat: everything that tells it from other
/// runs, but for a file's name and age, so that anyone who has the same data gets the same numbers.
fn purpose(run: &entry::Run) -> String {
    let first = run.task.mates().into_iter().next();
    let task = first.as_ref().unwrap_or(&run.task);
    let epsilon = task.epsilon().unwrap_or_default();
    let text = format!("{:?} ε {epsilon} {}", run.source, task.words());
    // A short name of fixed length: longer ones could fall together where they become a key.
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
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
                bins,
                lengths,
            } => {
                let info = preset.info();
                let locations = locations.unwrap_or(info.locations);
                let bins = bins.map_or(String::new(), |bins| format!(", {bins} time bins"));
                let lengths = lengths.map_or(String::new(), |it| {
                    let (least, most, mean) = (it.shortest, it.longest, it.mean());
                    format!(", records of {least} to {most} visits, {mean} on average")
                });
                format!(
                    "{records} {} of the preset `{}`, {locations} {}{bins}{lengths}",
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

    /// What is looked for in a campaign.
    pub(crate) fn setting(&self) -> Option<Setting> {
        match self {
            Self::Campaign { setting, .. } => Some(*setting),
            _ => None,
        }
    }

    /// The tasks that one run does: itself, or itself for every k where nothing that is sent depends on k.
    fn mates(&self) -> Vec<Self> {
        match self {
            Self::Campaign {
                method,
                setting,
                ks,
                ..
            } if method.serves_every_k() => {
                let with = |&k: &u64| {
                    let mut mate = self.clone();
                    if let Self::Campaign { setting: own, .. } = &mut mate {
                        *own = Setting { k, ..*setting };
                    }
                    mate
                };
                ks.iter().map(with).collect()
            }
            _ => vec![self.clone()],
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
                ks,
                per_record,
                changed,
                ..
            } => {
                let of = match method.serves_every_k() {
                    true => format!(" of {ks:?}"),
                    false => String::new(),
                };
                format!("campaign: {method:?} {setting:?}{of} × {per_record} {changed:?}")
            }
            Self::Describe {
                per_record,
                sensitive,
            } => format!("describe × {per_record}, sensitive {sensitive:?}"),
        }
    }
}
