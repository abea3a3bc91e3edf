//! Several releases side by side.

mod plots;

use askama::Template;
use wayveil_core::Result;
use wayveil_evaluate::Task;

use super::figure::{Cell, Table};
use super::html::Html;
use super::internal::nothing_of;
use super::model::{ComparedRelease, ReleaseComparison, TaskError};
use super::wording::percent;
use crate::words::harmless;

/// More cards than this are folded.
const MOST_CARDS: usize = 4;

/// A card of one release.
struct Card {
    name: String,
    method: String,
    guarantee: String,
    remarks: Vec<String>,
}

struct Section {
    id: &'static str,
    heading: &'static str,
    words: Vec<String>,
    figures: Vec<Html>,
}

#[derive(Template)]
#[template(path = "compare.html")]
struct Compare {
    internal: bool,
    table: Option<Table>,
    releases: Vec<Card>,
    /// Whether the cards are folded, being many.
    fold: bool,
    sections: Vec<Section>,
}

/// What stands in the contents.
pub(super) fn contents(comparison: &ReleaseComparison) -> Vec<(&'static str, &'static str)> {
    let mut contents = vec![("releases", "The releases")];
    if has_errors(comparison) {
        contents.push(("errors", "Error against ε"));
        contents.push(("tradeoff", "Privacy against utility"));
    }
    contents.push(("sizes", "What they tell themselves"));
    if !comparison.releases.is_empty() {
        contents.push(("cards", "Promises and limits"));
    }
    contents
}

fn has_errors(comparison: &ReleaseComparison) -> bool {
    comparison.releases.iter().any(|it| !it.errors.is_empty())
}

/// The page's content.
pub(super) fn render(comparison: &ReleaseComparison) -> Result<Html> {
    let releases = &comparison.releases;
    let mut sections = Vec::new();
    if has_errors(comparison) {
        sections.push(errors(releases)?);
        sections.push(tradeoff(releases)?);
    }
    sections.push(sizes(releases)?);
    let card = |it: &ComparedRelease| Card {
        name: harmless(&it.name),
        method: harmless(&it.method),
        guarantee: harmless(&it.guarantee),
        remarks: it.remarks.iter().map(|remark| harmless(remark)).collect(),
    };
    Html::of(&Compare {
        internal: comparison.internal,
        table: (!releases.is_empty()).then(|| table(releases)),
        releases: releases.iter().map(card).collect(),
        fold: releases.len() > MOST_CARDS,
        sections,
    })
}

/// What is known of a release in a task.
fn entry_of(release: &ComparedRelease, task: Task) -> Option<&TaskError> {
    release.errors.iter().find(|it| it.task == task)
}

/// The error of an empty release in a task: the same beside every release of the same raw data.
fn nothing_of_task(releases: &[ComparedRelease], task: Task) -> Option<f64> {
    let known = releases.iter().filter_map(|it| entry_of(it, task));
    known.filter_map(nothing_of).reduce(f64::min)
}

/// The error of a release in a task, where it is defined.
fn error_of(release: &ComparedRelease, task: Task) -> Option<f64> {
    entry_of(release, task)
        .and_then(|it| it.error)
        .filter(|it| it.is_finite())
}

/// Tasks in which some release has an error.
fn tasks(releases: &[ComparedRelease]) -> Vec<Task> {
    let has = |task: &Task| releases.iter().any(|it| error_of(it, *task).is_some());
    Task::ALL.into_iter().filter(has).collect()
}

fn table(releases: &[ComparedRelease]) -> Table {
    let tasks = tasks(releases);
    let mut titles = vec![
        "release".to_owned(),
        "method".into(),
        "promise".into(),
        "#records".into(),
        "#visits".into(),
    ];
    let errors = releases.iter().any(|it| it.standard_error.is_some());
    if errors {
        titles.push("#standard error of the noise".into());
    }
    titles.extend(tasks.iter().map(|task| format!("#error, {task}")));
    let attacks = releases.iter().any(|it| it.attack_advantage.is_some());
    if attacks {
        titles.push("#attack advantage".into());
    }
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let mut table = Table::new("Releases in the order given", &titles);
    for release in releases {
        let mut row: Vec<Cell> = vec![
            harmless(&release.name).into(),
            harmless(&release.method).into(),
            harmless(&release.promise).into(),
            Cell::count(release.records),
            Cell::count(release.symbols),
        ];
        if errors {
            row.push(Cell::number(release.standard_error));
        }
        let share = |value: Option<f64>| {
            let value = value.unwrap_or(f64::NAN);
            Cell::shown(percent(value), value)
        };
        row.extend(tasks.iter().map(|task| share(error_of(release, *task))));
        if attacks {
            row.push(match release.attack_advantage {
                Some(_) if !release.attack_shown => plots::NOT_SHOWN.into(),
                advantage => share(advantage),
            });
        }
        table.row(row);
    }
    let empty: Vec<String> = tasks
        .iter()
        .filter_map(|&task| {
            let nothing = nothing_of_task(releases, task)?;
            Some(format!("{task} {}", percent(nothing)))
        })
        .collect();
    if !empty.is_empty() {
        table.note = format!("An empty release would have: {}.", empty.join(", "));
    }
    table
}

fn errors(releases: &[ComparedRelease]) -> Result<Section> {
    let mut figures = Vec::new();
    for task in tasks(releases) {
        figures.push(plots::error_against_epsilon(releases, task).html()?);
    }
    Ok(Section {
        id: "errors",
        heading: "Error against ε",
        words: vec![
            "One plot for each task. 0 % is as good as the raw data, the dashed line as good as no data; further \
             left promises more. Intervals are 95 % prediction intervals of one more such release. Releases without an ε stand in a lane of their own: what they promise cannot be \
             compared with an ε."
                .into(),
        ],
        figures,
    })
}

fn tradeoff(releases: &[ComparedRelease]) -> Result<Section> {
    let mut figures = Vec::new();
    if releases.iter().any(|it| it.attack_advantage.is_some()) {
        for task in tasks(releases) {
            if let Some(figure) = plots::advantage_against_error(releases, task) {
                figures.push(figure.html()?);
            }
        }
    }
    let words = match figures.is_empty() {
        true => "No attacks were made on these releases, so that only their promises can be compared.".into(),
        false => "How far attacks are better on people who are in a release than on others, against its error. Down \
                  and left is better; an attack that fails proves nothing. Attacks are on releases made again from half \
                  of the people by the same method, so that the others can be compared with; not on these very files."
            .to_owned(),
    };
    Ok(Section {
        id: "tradeoff",
        heading: "Privacy against utility",
        words: vec![words],
        figures,
    })
}

fn sizes(releases: &[ComparedRelease]) -> Result<Section> {
    let mut figures = Vec::new();
    if !releases.is_empty() {
        figures.push(plots::sizes(releases).html()?);
    }
    if let Some(figure) = plots::standard_errors(releases) {
        figures.push(figure.html()?);
    }
    Ok(Section {
        id: "sizes",
        heading: "What they tell themselves",
        words: vec!["Known without raw data.".into()],
        figures,
    })
}
