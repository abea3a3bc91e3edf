//! What comes out, as plain data.

use serde::Serialize;

use super::facts::Assumption;
use crate::evaluation::Candidate;
use crate::task::Task;

/// Where advice comes from. The three are never mixed unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Declared public facts, and data made up from them.
    Facts,
    /// Trajectories that were released already.
    Release,
    /// The raw data: internal, and the choice makes a guarantee conditional.
    Raw,
}

/// The mean error in one arena.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArenaError {
    /// The arena, in words.
    pub arena: String,
    /// The mean over its runs.
    pub mean: f64,
}

/// An expected error with all that is known of how sure it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean over arenas of their means.
    pub mean: f64,
    /// Half the width of its 95 % interval over repeats: what the method's own randomness leaves open.
    pub half_width: f64,
    /// The least mean of an arena, or the least run where there is one arena.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// Every arena.
    pub by_arena: Vec<ArenaError>,
}

/// The best setting of a method at one strength, and its error.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The method's name in the list of mechanisms.
    pub method: String,
    /// ε, exact as text; none for a method without one.
    pub epsilon: Option<String>,
    /// All parameters by name, ε among them.
    pub parameters: Vec<(String, String)>,
    /// The expected error.
    pub error: Spread,
    /// Whether it meets what was asked for.
    pub meets: bool,
    /// What the runs were of.
    pub tried: TriedOn,
}

/// What a point's error was measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TriedOn {
    /// Records of one run.
    pub records: u64,
    /// By how much ε was raised to make up for records left out; for campaigns, how many clients each stood for.
    pub each_for: u64,
    /// About how many people the run tells of: fewer than there are where there were too many to try and ε was too large
    /// to be raised. Errors are too large then.
    pub people: u64,
}

impl Point {
    /// As something that can be tried out and published.
    pub fn candidate(&self) -> Candidate {
        Candidate {
            method: self.method.clone(),
            parameters: self.parameters.clone(),
        }
    }
}

/// A method that was not considered, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftOut {
    /// Its name.
    pub method: String,
    /// The reason, in words.
    pub reason: String,
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Advice {
    /// What the release is for.
    #[serde(serialize_with = "task_name")]
    pub task: Task,
    /// How wrong it may be, where that was said.
    pub tolerance: Option<f64>,
    /// Where the advice comes from.
    pub source: Source,
    /// About how many people it is for.
    pub people: u64,
    /// How many people each record stood for in the runs of what is advised; 1 where all were tried.
    pub factor: u64,
    /// The arenas, in words.
    pub arenas: Vec<String>,
    /// Numbers that nobody gave.
    pub assumed: Vec<Assumption>,
    /// The error of releasing nothing at all: what any release must be compared with.
    pub nothing: f64,
    /// The best setting of each method at each strength.
    pub points: Vec<Point>,
    /// The one that is advised, as a position in `points`; where none meets what was asked for, the one
    /// with the least error.
    pub advised: Option<usize>,
    /// Whether it meets what was asked for.
    pub meets: bool,
    /// Whether it has the least ε that was tried, and a smaller one might do.
    pub smaller_untried: bool,
    /// What would help where it does not.
    pub would_help: Vec<String>,
    /// Methods that were not considered.
    pub left_out: Vec<LeftOut>,
    /// How often a method was run.
    pub runs: u64,
}

impl Advice {
    /// Where runs of the advised setting tell of fewer people than there are: of about how many.
    pub fn fewer_people(&self) -> Option<u64> {
        let people = self.advised()?.tried.people;
        // Rounding to whole parts is not worth a word.
        (people as f64 <= self.people as f64 * 0.95).then_some(people)
    }

    /// In how many arenas the advised setting would miss the tolerance.
    pub fn missing_in(&self) -> usize {
        let (Some(point), Some(most)) = (self.advised(), self.tolerance) else {
            return 0;
        };
        let each = point.error.by_arena.iter();
        each.filter(|it| it.mean > most).count()
    }

    /// The advised setting.
    pub fn advised(&self) -> Option<&Point> {
        self.points.get(self.advised?)
    }
}

fn task_name<S: serde::Serializer>(task: &Task, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(task.name())
}
