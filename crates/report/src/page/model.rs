//! What pages are made of: plain data.

use wayveil_core::{Released, Result};
use wayveil_evaluate::metrics::Better;
use wayveil_evaluate::{Portrait, Task};

use crate::attack_chart::AttackChart;

/// A release and what it shows: what the publishable part of a page is made of.
///
/// Its fields are private and its one constructor takes a release, so that nothing raw can be put here.
pub struct ReleasePart<'a> {
    pub(super) release: &'a dyn Released,
    pub(super) portrait: Portrait,
}

impl<'a> ReleasePart<'a> {
    /// Counts what a release shows.
    pub fn of(release: &'a dyn Released) -> Result<Self> {
        let portrait = Portrait::of(release.trajectories(), release.universe(), release.time())?;
        Ok(Self { release, portrait })
    }

    /// What the release shows.
    pub fn portrait(&self) -> &Portrait {
        &self.portrait
    }
}

/// The ends of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// One number of a metric, with what it can be compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct UtilityRow {
    /// The metric's name.
    pub metric: String,
    /// Which number of it; empty where there is only one.
    pub value_name: String,
    /// What the metric tells, in one line.
    pub about: String,
    /// Which way is better.
    pub better: Better,
    /// The release's number; none where it is not defined.
    pub value: Option<f64>,
    /// Where the number of such a release lies, over repeated publishing in memory; none for a method
    /// without chance, or where it was not repeated.
    pub interval: Option<Interval>,
    /// The number of another sample of the same people: as good as anything can be.
    pub as_good_as_raw: Option<f64>,
    /// The number of trajectories that know nothing but the number and lengths of the records.
    pub as_good_as_nothing: Option<f64>,
}

/// How wrong answers get in one task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskError {
    /// The task.
    pub task: Task,
    /// Its error; none where it is not defined.
    pub error: Option<f64>,
    /// Where the error of such a release lies.
    pub interval: Option<Interval>,
    /// The error of an empty release: what this one should stay well below. Not always 1, since silence is
    /// right about what nobody does.
    pub nothing: Option<f64>,
}

/// A line of the books.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetEntry {
    /// The UTC date.
    pub date: String,
    /// The method.
    pub method: String,
    /// What it cost, in words.
    pub cost: String,
    /// The ε of it, to draw; none where the cost is of another kind.
    pub epsilon: Option<f64>,
    /// Whether it is the release that the page is about.
    pub this_one: bool,
}

/// What the books say of the people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BudgetFacts {
    /// Their name.
    pub population: String,
    /// What is spent, in words.
    pub spent: String,
    /// The ε of it.
    pub spent_epsilon: f64,
    /// What may be spent, in words, where an allowance was set.
    pub allowance: Option<String>,
    /// The ε of it.
    pub allowance_epsilon: Option<f64>,
    /// What is left of it, in words.
    pub left: Option<String>,
    /// The entries, oldest first.
    pub entries: Vec<BudgetEntry>,
}

/// What was computed from raw data: for the publisher alone.
#[derive(Clone, Debug)]
pub struct InternalPart {
    /// What the raw data shows, over the release's universe.
    pub raw: Portrait,
    /// How wrong answers get, by task.
    pub tasks: Vec<TaskError>,
    /// Metrics.
    pub utility: Vec<UtilityRow>,
    /// How often the release was made again in memory for the intervals.
    pub repeats: usize,
    /// Why there are no intervals, where there are none.
    pub no_intervals_because: Option<String>,
    /// Attacks on the raw data and on the release, where they were made.
    pub attacks: Option<AttackChart>,
    /// Why there are no attacks, where there are none.
    pub no_attacks_because: Option<String>,
    /// The books, where there are any.
    pub budget: Option<BudgetFacts>,
}

/// One of several releases.
#[derive(Clone, Debug)]
pub struct ComparedRelease {
    /// What it is called here: its folder.
    pub name: String,
    /// Its method with its parameters, in short.
    pub method: String,
    /// Its promise, in words.
    pub guarantee: String,
    /// Its promise, in short: `ε = 1`, `K = 5, C = 0.5, L = 2`, `none`.
    pub promise: String,
    /// Its ε, to draw; none where it promises something else.
    pub epsilon: Option<f64>,
    /// Trajectories in it.
    pub records: u64,
    /// Visits in them.
    pub symbols: u64,
    /// Typical standard error of its released counts, where it has some; known without raw data.
    pub standard_error: Option<f64>,
    /// Errors by task; empty where no raw data was given.
    pub errors: Vec<TaskError>,
    /// How far attacks are better on its people than on others: the greatest, from 0 to 1.
    pub attack_advantage: Option<f64>,
    /// By which attack.
    pub attack_name: Option<String>,
    /// Whether that is shown to be more than chance; where not, the number means nothing by itself.
    pub attack_shown: bool,
    /// Limits and warnings to be shown beside it.
    pub remarks: Vec<String>,
}

/// Several releases side by side.
#[derive(Clone, Debug)]
pub struct ReleaseComparison {
    /// The releases, in the order given.
    pub releases: Vec<ComparedRelease>,
    /// Whether raw data was looked at: then the page is for the publisher alone.
    pub internal: bool,
}
