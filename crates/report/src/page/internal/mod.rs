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
use super::model::{InternalPart, ReleasePart};
use super::publishable::{Tile, in_short};
use super::wording::percent;
use crate::attack_chart::{AttackBar, AttackVerdict};
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

/// The error from which on a task is called badly served.
const BAD: f64 = 0.5;

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

fn tiles(part: &ReleasePart<'_>, internal: &InternalPart) -> Vec<Tile> {
    let mut tiles = vec![Tile {
        alarm: part.release.manifest().guarantee.model.name() == "none",
        ..Tile::new(
            in_short(&part.release.manifest().guarantee.model),
            "promised",
        )
    }];
    for entry in &internal.tasks {
        if let Some(error) = entry.error.filter(|it| it.is_finite()) {
            tiles.push(Tile {
                alarm: error >= BAD,
                ..Tile::new(percent(error), error_words(entry.task))
            });
        }
    }
    if let Some(attacks) = &internal.attacks {
        let bars = attacks.groups.iter().flat_map(|group| &group.rows);
        let on_release = bars.flat_map(|row| row.bars.iter().skip(1));
        let better = on_release.filter(|bar| {
            matches!(
                bar,
                AttackBar::Found {
                    verdict: AttackVerdict::Better,
                    ..
                }
            )
        });
        let better = better.count();
        tiles.push(Tile {
            alarm: better > 0,
            ..Tile::new(
                better.to_string(),
                match better {
                    1 => "attack on the release does better than chance",
                    _ => "attacks on the release do better than chance",
                },
            )
        });
    }
    if let Some(left) = internal.budget.as_ref().and_then(|it| it.left.as_deref()) {
        tiles.push(Tile::new(harmless(left), "of the budget left"));
    }
    tiles
}

/// What a task's error is, shortly.
pub(super) fn error_words(task: Task) -> &'static str {
    task.error_in_words()
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
