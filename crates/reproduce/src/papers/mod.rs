//! The five papers, with every table, figure and erratum.

mod campaigns;
mod fastpub;
mod generalize;
mod hybrid_tree;
mod prefix_tree;
mod suppress;
mod suppression_times;
mod suppressions;
mod town;
mod trees;

use wayveil_core::{Error, Result};
use wayveil_evaluate::Settings;
use wayveil_evaluate::evaluation::Candidate;

use crate::entry::{Entry, Form, Made, Panel, Paper, Point, Run, Series, Task};
use crate::scale::Source;

static PAPERS: [Paper; 5] = [
    prefix_tree::PAPER,
    generalize::PAPER,
    suppress::PAPER,
    fastpub::PAPER,
    hybrid_tree::PAPER,
];

/// The papers, by number.
pub fn papers() -> &'static [Paper] {
    &PAPERS
}

/// Every entry with its paper.
pub fn entries() -> impl Iterator<Item = (&'static Paper, &'static Entry)> {
    PAPERS
        .iter()
        .flat_map(|paper| paper.entries.iter().map(move |entry| (paper, entry)))
}

/// The entries of a name: `000/table-3`, all of a paper by `000`, or `all` that can be run.
pub fn find(name: &str) -> Result<Vec<(&'static Paper, &'static Entry)>> {
    let found: Vec<_> = entries()
        .filter(|(paper, entry)| match name {
            "all" => !matches!(entry.made, Made::Drawing),
            _ => name == paper.id || name == full_name(paper, entry),
        })
        .collect();
    match found.is_empty() {
        false => Ok(found),
        true => Err(Error::input(format!(
            "there is no table or figure {name:?}"
        ))),
    }
}

/// `000/table-3`.
pub(crate) fn full_name(paper: &Paper, entry: &Entry) -> String {
    format!("{}/{}", paper.id, entry.name)
}

/// A line that the paper has as well.
const fn series(name: &'static str, form: Form, beside: Option<&'static str>) -> Series {
    Series {
        name,
        form,
        beside,
        promise: "",
    }
}

/// A method with parameters in one line.
fn candidate(text: &str) -> Candidate {
    text.parse().unwrap_or_else(|_| Candidate {
        method: String::new(),
        parameters: Vec::new(),
    })
}

/// Publishing in memory, and metrics.
fn publish(
    source: Source,
    text: &str,
    metrics: &'static [&'static str],
    settings: &Settings,
) -> Run {
    Run {
        source,
        task: Task::Publish {
            candidate: candidate(text),
            metrics,
            settings: settings.clone(),
        },
    }
}

/// Looking at data itself.
fn describe(source: Source) -> Run {
    let sensitive = match source {
        Source::Generated { preset, .. } => preset.info().attribute.map(|column| column.sensitive),
        Source::Given => None,
    };
    Run {
        source,
        task: Task::Describe {
            per_record: 1,
            sensitive: sensitive.unwrap_or_default(),
        },
    }
}

/// Numbers of data itself: of a panel, under a heading, by name.
fn described(
    run: &Run,
    beside: &'static str,
    numbers: impl Iterator<Item = (&'static str, String, String)>,
) -> Vec<Point> {
    let point = |(panel, at, number): (&'static str, String, String)| Point {
        panel: Panel {
            title: format!("{}: {panel}", run.source.name()),
            reported: panel,
            better: None,
        },
        series: series("this data", Form::Data, Some(beside)),
        at,
        runs: vec![run.clone()],
        number,
    };
    numbers.map(point).collect()
}
