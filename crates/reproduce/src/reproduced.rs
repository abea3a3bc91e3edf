//! What came of an entry.

use wayveil_evaluate::metrics::Better;
use wayveil_evaluate::samples::Samples;

use crate::entry::{Bound, Check, Entry, Form, Panel, Paper, Reported, Series};
use crate::runner::Request;

/// An entry with what came of it.
#[derive(Debug)]
pub struct Reproduced {
    /// The paper.
    pub paper: &'static Paper,
    /// Its table, figure or erratum.
    pub entry: &'static Entry,
    /// What was asked for.
    pub request: Request,
    /// The name of the data that was given.
    pub given: Option<String>,
    /// The data that was made up, in words.
    pub sources: Vec<String>,
    /// What was checked.
    pub checks: Vec<Check>,
    /// What was measured.
    pub cells: Vec<Cell>,
    /// When, as `YYYY-MM-DD`.
    pub date: String,
    /// How many runs were made.
    pub runs: usize,
    /// How many were kept from before.
    pub kept_runs: usize,
}

/// One measured number.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What is measured on which data.
    pub panel: Panel,
    /// By what.
    pub series: Series,
    /// The value of the parameter.
    pub at: String,
    /// What the runs gave.
    pub samples: Samples,
    /// Whether another run may give another number.
    pub random: bool,
    /// Why a run gave nothing.
    pub refused: Option<String>,
    /// What the paper has for it.
    pub paper: Option<Known>,
}

/// A number of a paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The paper's name for the method.
    pub series: &'static str,
    /// Whether it is the number or a bound on it.
    pub bound: Bound,
    /// The number.
    pub value: f64,
}

impl Known {
    /// In a few letters.
    pub fn words(&self) -> String {
        match self.bound {
            Bound::Is => number(self.value),
            Bound::Below => format!("< {}", number(self.value)),
            Bound::Above => format!("> {}", number(self.value)),
        }
    }
}

impl Reported {
    /// Its number at a value of the parameter.
    pub fn known(&self, at: &str) -> Option<Known> {
        let value = self.values.iter().find(|(known, _)| *known == at)?.1;
        Some(Known {
            series: self.series,
            bound: self.bound,
            value,
        })
    }
}

/// What a form is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// The method as the paper prints it, in the same run.
    AsPublished,
    /// The paper's own numbers for its own methods, on its data.
    Paper,
    /// A line of another author's method, in the same run.
    Peer(&'static str),
}

impl Against {
    /// In words.
    pub fn words(self) -> String {
        match self {
            Self::AsPublished => "as published, in the same run".into(),
            Self::Paper => "the paper's own numbers, on its data".into(),
            Self::Peer(line) => format!("{line}, in the same run"),
        }
    }

    /// In few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::AsPublished => "as published",
            Self::Paper => "the paper's numbers",
            Self::Peer(line) => line,
        }
    }
}

/// How one form compares with another, cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What is compared.
    pub form: Form,
    /// With what.
    pub with: Against,
    /// In how many cells it is better, by more than both intervals where there are intervals.
    pub better: usize,
    /// In how many it is worse.
    pub worse: usize,
    /// In how many it keeps what the paper states as a bound only: who knows no number is not beaten.
    pub within: usize,
    /// In how many both are there.
    pub of: usize,
}

impl Comparison {
    /// In one sentence.
    pub fn words(&self) -> String {
        let within = match self.within {
            0 => String::new(),
            cells => format!(" It keeps the paper's bound in {cells}."),
        };
        format!(
            "{} against {}: better in {} of {} cells, worse in {}.{within}",
            self.form.words(),
            self.with.words(),
            self.better,
            self.of,
            self.worse
        )
    }
}

impl Reproduced {
    pub(crate) fn new(paper: &'static Paper, entry: &'static Entry, request: Request) -> Self {
        Self {
            paper,
            entry,
            request,
            given: None,
            sources: Vec::new(),
            checks: Vec::new(),
            cells: Vec::new(),
            date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
            runs: 0,
            kept_runs: 0,
        }
    }

    /// `000/table-3`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.paper.id, self.entry.name)
    }

    /// The name of its files.
    pub fn file_name(&self) -> String {
        file_name(self.paper, self.entry)
    }

    /// Whether everything that was checked came out as it should.
    pub fn holds(&self) -> bool {
        self.checks.iter().all(Check::holds)
    }

    /// The panels, in order.
    pub fn panels(&self) -> Vec<&Panel> {
        distinct(self.cells.iter().map(|cell| &cell.panel))
    }

    /// The values of the parameter in a panel, in order.
    pub fn values(&self, panel: &Panel) -> Vec<&str> {
        let cells = self.cells.iter().filter(|cell| cell.panel == *panel);
        distinct(cells.map(|cell| cell.at.as_str()))
    }

    /// The lines of a panel, in order.
    pub fn series(&self, panel: &Panel) -> Vec<&Series> {
        let cells = self.cells.iter().filter(|cell| cell.panel == *panel);
        distinct(cells.map(|cell| &cell.series))
    }

    /// The cell of a line.
    pub fn cell(&self, panel: &Panel, series: &Series, at: &str) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|cell| cell.panel == *panel && cell.series == *series && cell.at == at)
    }

    /// The repaired form and our own, each by its best line of a promise, against the published form of the same promise
    /// in the same run, against the paper's own numbers, and against every line of other authors in the same run.
    pub fn comparisons(&self) -> Vec<Comparison> {
        let lines = self.cells.iter().map(|cell| &cell.series);
        let peers = distinct(lines.filter(|line| line.form == Form::Peer)).into_iter();
        let mut with = vec![Against::AsPublished, Against::Paper];
        with.extend(peers.map(|line| Against::Peer(line.name)));
        let mut all = Vec::new();
        for form in [Form::Repaired, Form::Weave] {
            let found = with.iter().map(|&with| self.compare(form, with));
            all.extend(found.filter(|found| found.of > 0));
        }
        all
    }

    fn compare(&self, form: Form, with: Against) -> Comparison {
        let mut found = Comparison {
            form,
            with,
            better: 0,
            worse: 0,
            within: 0,
            of: 0,
        };
        for panel in self.panels() {
            let Some(better) = panel.better else {
                continue;
            };
            let promises = self.series(panel).into_iter().map(|series| series.promise);
            for (at, promise) in pairs(&self.values(panel), &distinct(promises)) {
                let best = |of: &dyn Fn(&Series) -> bool| {
                    let promised = |line: &Series| line.promise == promise && of(line);
                    self.best(panel, at, &promised, better)
                };
                let ours = best(&|line| line.form == form);
                let measured = |(value, half)| (value, half, Bound::Is);
                let theirs = match with {
                    Against::AsPublished => {
                        best(&|line| line.form == Form::AsPublished).map(measured)
                    }
                    Against::Peer(name) => best(&|line| line.name == name).map(measured),
                    Against::Paper => {
                        let known = self.papers(panel, at, better);
                        known.map(|known| (known.value, 0.0, known.bound))
                    }
                };
                let (Some((ours, half)), Some((theirs, their_half, bound))) = (ours, theirs) else {
                    continue;
                };
                let ahead = match better {
                    Better::Lower => theirs - ours,
                    Better::Higher => ours - theirs,
                };
                let unsure = half + their_half;
                found.of += 1;
                found.worse += usize::from(-ahead > unsure);
                match bound {
                    Bound::Is => found.better += usize::from(ahead > unsure),
                    Bound::Below | Bound::Above => found.within += usize::from(ahead > unsure),
                }
            }
        }
        found
    }

    /// The best mean of some lines, with half the width of its interval. A random number that was measured once has no
    /// interval, and is compared with nothing.
    fn best(
        &self,
        panel: &Panel,
        at: &str,
        of: &dyn Fn(&Series) -> bool,
        better: Better,
    ) -> Option<(f64, f64)> {
        let cells = self.cells.iter();
        cells
            .filter(|cell| cell.panel == *panel && cell.at == at && of(&cell.series))
            .filter_map(|cell| {
                let half = match cell.random {
                    true => cell.samples.half_width()?,
                    false => 0.0,
                };
                Some((cell.samples.mean()?, half))
            })
            .reduce(|a, b| if is_better(b.0, a.0, better) { b } else { a })
    }

    /// The best of the paper's numbers for its own methods: those that a line of ours stands beside which is not
    /// another author's. The paper's numbers for its peers are no mark of the paper's.
    fn papers(&self, panel: &Panel, at: &str, better: Better) -> Option<Known> {
        let cells = self.cells.iter().filter(|cell| cell.panel == *panel);
        let own = cells.filter(|cell| cell.series.form != Form::Peer);
        let own: Vec<&str> = own.filter_map(|cell| cell.series.beside).collect();
        let lines = self.entry.reported.iter();
        lines
            .filter(|line| line.panel == panel.reported && own.contains(&line.series))
            .filter_map(|line| line.known(at))
            .reduce(|a, b| {
                if is_better(b.value, a.value, better) {
                    b
                } else {
                    a
                }
            })
    }
}

/// The name of an entry's files.
pub(crate) fn file_name(paper: &Paper, entry: &Entry) -> String {
    format!("{}-{}", paper.id, entry.name)
}

fn is_better(a: f64, b: f64, better: Better) -> bool {
    match better {
        Better::Lower => a < b,
        Better::Higher => a > b,
    }
}

fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

fn pairs<A: Copy, B: Copy>(first: &[A], second: &[B]) -> Vec<(A, B)> {
    let with = |&a: &A| second.iter().map(move |&b| (a, b));
    first.iter().flat_map(with).collect()
}

/// A number for people.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 || value.fract() == 0.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
#[path = "reproduced_tests.rs"]
mod tests;
