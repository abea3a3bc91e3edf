//! What is listed: a table, a figure or an erratum of a paper, and how it is made.

use wayveil_core::Result;
use wayveil_evaluate::Settings;
use wayveil_evaluate::evaluation::Candidate;
use wayveil_evaluate::metrics::Better;

use crate::campaigns::{Method, Setting};
use crate::scale::{Scale, Source};

/// One of the five papers.
#[derive(Debug)]
pub struct Paper {
    /// Its number, as entries have it: `000`.
    pub id: &'static str,
    /// Authors and year.
    pub cited: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Its method's name in the list of mechanisms.
    pub method: &'static str,
    /// Its tables, figures and errata, in the order of the paper.
    pub entries: &'static [Entry],
}

/// A table, a figure or an erratum.
#[derive(Debug)]
pub struct Entry {
    /// `table-3`, `figure-4`, `erratum-1`.
    pub name: &'static str,
    /// What it shows, in our words.
    pub title: &'static str,
    /// What the paper's text says of it beyond [`Self::reported`], and what is only drawn there.
    pub says: &'static str,
    /// Numbers of the paper.
    pub reported: &'static [Reported],
    /// Where ours differ from the paper's in data or in definition.
    pub note: &'static str,
    /// How ours is made.
    pub made: Made,
}

/// Numbers that a paper's text or tables have, along one line.
#[derive(Clone, Copy, Debug)]
pub struct Reported {
    /// Which panel they belong to: the beginning of its title.
    pub panel: &'static str,
    /// The paper's name for the method.
    pub series: &'static str,
    /// Whether each is the number or a bound on it.
    pub bound: Bound,
    /// The values of the parameter with the numbers.
    pub values: &'static [(&'static str, f64)],
}

/// What is known of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The number itself.
    Is,
    /// That it is less.
    Below,
    /// That it is more.
    Above,
}

/// How ours is made.
#[derive(Debug)]
pub enum Made {
    /// A picture of a structure: nothing to run.
    Drawing,
    /// Worked out exactly.
    Checked(fn() -> Result<Vec<Check>>),
    /// Measured.
    Measured {
        /// What is varied.
        parameter: &'static str,
        /// What is measured where, for a scale.
        points: fn(&Scale) -> Vec<Point>,
    },
}

/// One thing that a paper says, beside what comes out here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What it is about.
    pub what: String,
    /// What the paper says, or what must come out.
    pub expected: String,
    /// What comes out.
    pub found: String,
}

impl Check {
    /// A check of two things that can be written down.
    pub fn new(
        what: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self {
            what: what.into(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// Whether both are the same.
    pub fn holds(&self) -> bool {
        self.expected == self.found
    }
}

/// Which form of a method a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// As the paper prints it.
    AsPublished,
    /// With the paper's errors repaired.
    Repaired,
    /// Our own method.
    Weave,
    /// Another paper's method, which the paper compares with.
    Peer,
    /// The data itself.
    Data,
}

impl Form {
    /// Its name.
    pub fn words(self) -> &'static str {
        match self {
            Self::AsPublished => "as published",
            Self::Repaired => "repaired",
            Self::Weave => "weave",
            Self::Peer => "peer",
            Self::Data => "data",
        }
    }
}

/// A line of a figure, or a row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Its name.
    pub name: &'static str,
    /// Which form it shows.
    pub form: Form,
    /// The paper's series that it is set beside.
    pub beside: Option<&'static str>,
    /// What is promised, where lines of a figure promise different things: only lines of one promise are compared.
    pub promise: &'static str,
}

/// What is measured on which data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// Data and measure.
    pub title: String,
    /// Where the paper's numbers for it stand.
    pub reported: &'static str,
    /// Which way is better; none where neither is.
    pub better: Option<Better>,
}

/// One number of an experiment.
#[derive(Clone, Debug)]
pub struct Point {
    /// What is measured on which data.
    pub panel: Panel,
    /// By what.
    pub series: Series,
    /// The value of the parameter.
    pub at: String,
    /// What is run; of several the mean counts, where it is defined.
    pub runs: Vec<Run>,
    /// Which number of the runs.
    pub number: String,
}

/// What is run on some data; it gives numbers by name.
#[derive(Clone, Debug)]
pub struct Run {
    /// The data.
    pub source: Source,
    /// What is done with it.
    pub task: Task,
}

/// What is done with data.
#[derive(Clone, Debug)]
pub enum Task {
    /// Publishing in memory and measuring, as `wayveil evaluate --publish` does.
    Publish {
        /// Method and parameters.
        candidate: Candidate,
        /// The metrics' names.
        metrics: &'static [&'static str],
        /// Their settings.
        settings: Settings,
    },
    /// Publishing in memory, to see how long it takes: `seconds`.
    Time(Candidate),
    /// A campaign for fragments: `precision`, `recall`, `f1`, `query-error`, `bits-up`, `bits-down`, `to-find`, and
    /// where they are defined `bits-down-integers`, `cleaned`, `cleaned-rightly`.
    Campaign {
        /// By what.
        method: Method,
        /// What is looked for.
        setting: Setting,
        /// Every k of the figure: of a method that serves all of them with one run, they are made by one.
        ks: Vec<u64>,
        /// How many clients a record stands for.
        per_record: u64,
        /// The budget of a client.
        epsilon: &'static str,
        /// What differs from the method's defaults.
        changed: Changed,
    },
    /// Counting what the data is: `records`, `locations`, `longest`, `mean-length`, and so on.
    Describe {
        /// How many clients a record stands for.
        per_record: u64,
        /// Which values of the column beside the trajectory are sensitive.
        sensitive: &'static [&'static str],
    },
}

/// What differs from the defaults of a campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Changed {
    /// The share of the clients that is asked in each round.
    pub share: Option<f64>,
    /// The most fragments in one question, C.
    pub per_client: Option<u32>,
    /// λ.
    pub lambda: Option<f64>,
}
