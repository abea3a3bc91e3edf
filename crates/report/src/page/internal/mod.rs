//! The part of a page that is computed from raw data, for the publisher alone.

mod attacks;
mod beside;
mod budget;
mod errors;
mod patterns;
mod utility;

use askama::Template;
use wayveil_core::Result;
use wayveil_evaluate::Task;

use super::figure::{Figure, Table};
use super::html::Html;
use super::model::{BudgetFacts, InternalPart, ReleasePart, TaskError};
use super::publishable::{Tile, in_short};
use super::wording::percent;
use crate::attack_chart::{AttackBar, AttackChart, AttackVerdict};
use crate::words::harmless;

/// Sections of the internal part.
pub(super) const CONTENTS: [(&str, &str); 6] = [
    ("internal", "For the publisher"),
    ("internal-errors", "How wrong answers get"),
    ("internal-utility", "Measured quality"),
    ("internal-beside", "Raw against release"),
    ("internal-attacks", "Attacks"),
    ("internal-budget", "Budget"),
];

/// The part of an empty release's error from which on a task is called badly served.
const BAD: f64 = 0.75;

/// One section.
struct Section {
    id: &'static str,
    heading: &'static str,
    words: Vec<String>,
    figures: Vec<Html>,
    tables: Vec<(String, Table)>,
}

impl Section {
    fn new(id: &'static str, heading: &'static str) -> Self {
        Self {
            id,
            heading,
            words: Vec::new(),
            figures: Vec::new(),
            tables: Vec::new(),
        }
    }

    fn say(mut self, words: impl Into<String>) -> Self {
        self.words.push(words.into());
        self
    }

    fn draw(mut self, figures: impl IntoIterator<Item = Figure>) -> Result<Self> {
        for figure in figures {
            self.figures.push(figure.html()?);
        }
        Ok(self)
    }
}

#[derive(Template)]
#[template(path = "internal.html")]
struct Internal {
    tiles: Vec<Tile>,
    sections: Vec<Section>,
}

/// The internal part.
pub(super) fn render(part: &ReleasePart<'_>, internal: &InternalPart) -> Result<Html> {
    let sections = vec![
        errors::section(internal)?,
        utility::section(internal)?,
        beside::section(part, internal)?,
        attacks::section(internal)?,
        budget::section(internal)?,
    ];
    Html::of(&Internal {
        tiles: tiles(part, internal),
        sections,
    })
}

/// Whether a release serves a task hardly better than an empty one would.
pub(in crate::page) fn is_bad(entry: &TaskError) -> bool {
    match (entry.error, nothing_of(entry)) {
        (Some(error), Some(nothing)) => error >= BAD * nothing,
        _ => false,
    }
}

/// The error of an empty release, where it is known.
pub(in crate::page) fn nothing_of(entry: &TaskError) -> Option<f64> {
    entry.nothing.filter(|it| it.is_finite())
}

fn tiles(part: &ReleasePart<'_>, internal: &InternalPart) -> Vec<Tile> {
    let mut tiles = Vec::new();
    if part.portrait.records == 0 {
        tiles.push(Tile {
            alarm: true,
            ..Tile::new(
                "0 records",
                "The release is empty: whatever else stands here is about nothing.",
            )
        });
    }
    tiles.push(Tile {
        alarm: part.release.manifest().guarantee.model.name() == "none",
        ..Tile::new(
            in_short(&part.release.manifest().guarantee.model),
            "promised",
        )
    });
    for entry in &internal.tasks {
        if let Some(error) = entry.error.filter(|it| it.is_finite()) {
            let beside = nothing_of(entry).map_or_else(String::new, |nothing| {
                format!(" An empty release would have {}.", percent(nothing))
            });
            tiles.push(Tile {
                alarm: is_bad(entry),
                ..Tile::new(
                    percent(error),
                    format!("{}.{beside}", task_caption(entry.task)),
                )
            });
        }
    }
    tiles.extend(internal.attacks.as_ref().map(attack_tile));
    tiles.extend(internal.budget.as_ref().and_then(budget_tile));
    tiles
}

fn attack_tile(attacks: &AttackChart) -> Tile {
    let bars = attacks.groups.iter().flat_map(|group| &group.rows);
    let on_release = bars.flat_map(|row| row.bars.iter().skip(1));
    let (mut tried, mut better) = (0, 0);
    for bar in on_release {
        if let AttackBar::Found { verdict, .. } = bar {
            tried += 1;
            better += usize::from(*verdict == AttackVerdict::Better);
        }
    }
    Tile {
        alarm: better > 0,
        ..Tile::new(
            format!("{better} of {tried}"),
            match tried {
                1 => "attack shown to do better than chance, on releases made again",
                _ => "attacks shown to do better than chance, on releases made again",
            },
        )
    }
}

fn budget_tile(budget: &BudgetFacts) -> Option<Tile> {
    let left = harmless(budget.left.as_deref()?);
    let used_up = budget
        .allowance_epsilon
        .is_some_and(|allowance| budget.spent_epsilon >= allowance);
    let value = left
        .replace("epsilon ", "ε\u{a0}=\u{a0}")
        .replace("delta ", "δ\u{a0}=\u{a0}");
    Some(Tile {
        alarm: used_up,
        ..Tile::new(
            value,
            match used_up {
                true => "of the budget left: nothing more may be released of these people",
                false => "of the budget left",
            },
        )
    })
}

/// What a task's error is, as a whole caption.
pub(in crate::page) fn task_caption(task: Task) -> &'static str {
    match task {
        Task::Counts => "Mean relative error of counts of people who were at a set of places",
        Task::Patterns => "Share of the most frequent patterns that the release misses",
        Task::Flows => "Share of the flow between places that is wrong",
        Task::Truthful => "Share of the visits that are taken out",
    }
}

/// What a task is for, as a heading.
pub(in crate::page) fn task_heading(task: Task) -> &'static str {
    match task {
        Task::Counts => "Counts of people",
        Task::Patterns => "Most frequent routes",
        Task::Flows => "Flows between places",
        Task::Truthful => "True records",
    }
}
