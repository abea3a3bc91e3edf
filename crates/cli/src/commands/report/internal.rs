//! What a report shows of raw data.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use wayveil_core::{Dataset, RandomSource, Result};
use wayveil_evaluate::attack::{Again, AttackSettings, People};
use wayveil_evaluate::evaluation::{Measured, error_of_nothing, measure};
use wayveil_evaluate::metrics::{self, Better};
use wayveil_evaluate::reference::References;
use wayveil_evaluate::repeated::{Repeated, Repeats, prediction, repeat};
use wayveil_evaluate::{Compared, Portrait, Settings, Side, Task};
use wayveil_io::Published;
use wayveil_ledger::Chain;
use wayveil_report::page::{InternalPart, Interval, TaskError, UtilityRow};

use super::super::attack::Attacks;
use super::super::compare::without_times;
use super::super::evaluate::side;
use super::budget::budget;
use crate::terminal::Terminal;

/// Runs in memory are for the publisher alone. Each release has a seed of its own: what chance does to
/// one is not what it does to the next.
const SEED: u64 = 1;
/// The longest that one attack may make releases again.
const EACH_ATTACK: Duration = Duration::from_secs(20);

/// How much is to be computed.
pub(crate) struct Wanted {
    /// How often the release is made again, where it is.
    pub(crate) repeats: Option<Repeats>,
    /// Attacks, where they are wanted.
    pub(crate) attacks: Option<AttackSettings>,
    /// Settings of the metrics.
    pub(crate) settings: Settings,
}

/// Everything that was computed from raw data.
pub(crate) struct Seen {
    /// What the page is given.
    pub(crate) part: InternalPart,
    /// The lines of every metric.
    pub(super) references: References,
    /// The attacks, where they were made.
    pub(super) attacks: Option<Attacks>,
    /// What is to be said of the comparison.
    pub(super) remarks: Vec<String>,
}

impl Seen {
    /// Computes it. What comes of it has seen raw data: to be called inside `Raw::inspect`.
    pub(super) fn of(
        data: &Dataset,
        release: &(PathBuf, Published),
        wanted: &Wanted,
        chain: Option<&Chain>,
        terminal: &Terminal,
    ) -> Result<Self> {
        let (path, published) = release;
        let mut remarks = Vec::new();
        // Timed data holds everything that untimed data does.
        let data = &*match (data.time(), published.time()) {
            (Some(_), None) => {
                remarks.push(WITHOUT_TIMES.into());
                Cow::Owned(without_times(data)?)
            }
            _ => Cow::Borrowed(data),
        };
        let released = released_side(published);
        let placed = |error: wayveil_core::Error| error.in_file(path.display().to_string());
        let compared = Compared::new(side(data), released).map_err(placed)?;
        terminal.say("counting what the raw data shows");
        let raw = portrait(data, published, &compared).map_err(placed)?;
        terminal.say("measuring the release");
        let measured = measure(&compared, metrics::ALL, &wanted.settings, terminal)?;
        terminal.say("measuring another sample, and knowing nothing");
        let references = References::of(data, metrics::ALL, &wanted.settings, terminal)?;
        let runs = runs(data, published, &compared, wanted, terminal)?;
        let attacks = match &wanted.attacks {
            None => None,
            Some(settings) => {
                let releases = std::slice::from_ref(release);
                Some(Attacks::make(
                    data,
                    releases,
                    settings,
                    Some(EACH_ATTACK),
                    terminal,
                )?)
            }
        };
        let (repeats, no_intervals_because, runs) = match runs {
            Ok(runs) => (runs.len(), None, runs),
            Err(reason) => (0, Some(reason), Vec::new()),
        };
        let part = InternalPart {
            raw,
            tasks: tasks(side(data), published, &measured, &runs, &wanted.settings)?,
            utility: utility(&measured, &runs, &references),
            repeats,
            no_intervals_because,
            no_attacks_because: attacks.is_none().then(|| "they were not asked for".into()),
            attacks: attacks.as_ref().map(Attacks::chart),
            budget: chain
                .and_then(|chain| budget(chain, data.population(), &published.manifest().id)),
        };
        Ok(Self {
            part,
            references,
            attacks,
            remarks,
        })
    }
}

const WITHOUT_TIMES: &str =
    "The release has no times: it is compared with the raw data without them.";

/// A release as metrics take it.
pub(in super::super) fn released_side(release: &Published) -> Side<'_> {
    Side {
        universe: release.universe(),
        time: release.time(),
        sequences: release.trajectories(),
    }
}

/// What the raw data shows, in the release's codes.
fn portrait(data: &Dataset, release: &Published, compared: &Compared<'_>) -> Result<Portrait> {
    let of = |sequences| Portrait::of(sequences, release.universe(), data.time());
    match compared.released {
        Cow::Borrowed(_) => of(data.trips()),
        Cow::Owned(_) => {
            let turned = Compared::new(released_side(release), side(data))?;
            of(&turned.released)
        }
    }
}

/// The numbers of releases that are made like this one, or why there are none.
fn runs(
    data: &Dataset,
    release: &Published,
    compared: &Compared<'_>,
    wanted: &Wanted,
    terminal: &Terminal,
) -> Result<Result<Vec<Vec<Measured>>, String>> {
    let Some(repeats) = wanted.repeats else {
        return Ok(Err("they were not asked for".into()));
    };
    let manifest = release.manifest();
    let people = People::of(data, manifest.guarantee.unit);
    // Another taxonomy over the same locations leaves the codes alone.
    let universe = match compared.released {
        Cow::Borrowed(_) => Arc::clone(release.universe()),
        Cow::Owned(_) => Arc::clone(data.universe()),
    };
    let again = match Again::from_manifest(manifest, &people, &universe, data.time()) {
        Ok(again) => again,
        Err(reason) => return Ok(Err(reason)),
    };
    terminal.say("publishing it again in memory");
    let mut random = RandomSource::insecure_seed_for(&format!("report {}", manifest.id), SEED);
    let repeated = repeat(
        &again,
        repeats,
        side(data),
        metrics::ALL,
        &wanted.settings,
        &mut random,
        terminal,
    );
    match repeated {
        Ok(Repeated::Runs(runs)) => Ok(Ok(runs)),
        Ok(Repeated::NoChance) => Ok(Err(
            "two runs gave the same release: the method has no noise".into(),
        )),
        Err(error) if error.exit_code() == 1 => {
            Ok(Err(format!("it cannot be made again: {}", error.message())))
        }
        Err(error) => Err(error),
    }
}

/// Errors are not below zero, and shares not above one either.
fn interval((low, high): (f64, f64), better: Better, share: bool) -> Interval {
    let low = match better {
        Better::Higher if !share => low,
        _ => low.max(0.0),
    };
    let high = if share { high.min(1.0) } else { high };
    Interval { low, high }
}

/// Whether a number of a metric lies between 0 and 1 by its definition.
fn is_share(metric: &str, value: &str) -> bool {
    match metric {
        "lost-instances" | "lost-maximal-sequences" | "pattern-f1" | "hot-spot-ndcg" => true,
        "top-patterns-missed" => value.starts_with("lost-share-"),
        _ => false,
    }
}

/// Tasks that the release can serve: rows that are made up do not pretend to be true.
fn tasks(
    raw: Side<'_>,
    release: &Published,
    measured: &[Measured],
    runs: &[Vec<Measured>],
    settings: &Settings,
) -> Result<Vec<TaskError>> {
    let of = |task: Task| {
        let share = matches!(task, Task::Patterns | Task::Truthful);
        let cut = |ends| interval(ends, Better::Lower, share);
        Ok(TaskError {
            task,
            error: task.error(measured),
            interval: prediction(runs, |run| task.error(run)).map(cut),
            nothing: error_of_nothing(raw, task, settings)?,
        })
    };
    let served = Task::served_by(release.manifest());
    served.into_iter().map(of).collect()
}

/// A row for every number that the release or one of the lines has.
fn utility(
    measured: &[Measured],
    runs: &[Vec<Measured>],
    references: &References,
) -> Vec<UtilityRow> {
    let row = |entry: &Measured| {
        let metric = metrics::find(entry.metric)?;
        let share = is_share(entry.metric, &entry.value);
        let cut = |ends| interval(ends, entry.better, share);
        let row = UtilityRow {
            metric: entry.metric.into(),
            value_name: entry.value.clone(),
            about: metric.about.into(),
            better: entry.better,
            value: entry.samples.mean(),
            interval: prediction(runs, |run| same(run, entry)).map(cut),
            as_good_as_raw: same(&references.another_sample, entry),
            as_good_as_nothing: same(&references.nothing, entry),
        };
        let numbers = [row.value, row.as_good_as_raw, row.as_good_as_nothing];
        numbers.iter().any(Option::is_some).then_some(row)
    };
    measured.iter().filter_map(row).collect()
}

/// The number of the same name.
fn same(all: &[Measured], like: &Measured) -> Option<f64> {
    let named = |it: &&Measured| it.metric == like.metric && it.value == like.value;
    all.iter().find(named)?.samples.mean()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_end_where_numbers_do() {
        let ends = |better, share| {
            let cut = interval((-0.5, 1.5), better, share);
            (cut.low, cut.high)
        };
        assert_eq!(ends(Better::Lower, false), (0.0, 1.5));
        assert_eq!(ends(Better::Lower, true), (0.0, 1.0));
        assert_eq!(ends(Better::Higher, true), (0.0, 1.0));
        // A rank correlation, for one, can be negative.
        assert_eq!(ends(Better::Higher, false), (-0.5, 1.5));
        assert!(is_share("top-patterns-missed", "lost-share-100"));
        assert!(!is_share("top-patterns-missed", "false-drops-100"));
        assert!(!is_share("flow-error", "transitions"));
    }
}
