//! What was spent on these people, and what is left.

use wayveil_core::Result;

use super::Section;
use crate::page::charts::{TEXT, WIDTH};
use crate::page::drawing::{Drawing, Hold};
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::model::{BudgetFacts, InternalPart};
use crate::page::wording::{number, number_or_dash};
use crate::words::harmless;

pub(super) fn section(internal: &InternalPart) -> Result<Section> {
    let section = Section::new("internal-budget", "Budget");
    let Some(budget) = &internal.budget else {
        return Ok(section.say("There are no books for these people."));
    };
    let mut words = format!(
        "Of the people “{}”, {} is spent",
        harmless(&budget.population),
        harmless(&budget.spent)
    );
    words += &match (&budget.allowance, &budget.left) {
        (Some(allowance), Some(left)) => {
            format!(
                " of an allowance of {}; {} is left.",
                harmless(allowance),
                harmless(left)
            )
        }
        (Some(allowance), None) => format!(" of an allowance of {}.", harmless(allowance)),
        (None, _) => ". No allowance was set: nothing stops the sum from growing.".into(),
    };
    let Shares { before, this, left } = shares(budget);
    if before + this + left <= 0.0 {
        // Nothing that could be drawn: no release of theirs has an ε.
        return Ok(section.say(words));
    }
    section.say(words).draw([figure(budget)])
}

/// Parts of the bar.
struct Shares {
    before: f64,
    this: f64,
    left: f64,
}

fn shares(budget: &BudgetFacts) -> Shares {
    let sound = |value: f64| {
        if value.is_finite() {
            value.max(0.0)
        } else {
            0.0
        }
    };
    let this = budget
        .entries
        .iter()
        .filter(|it| it.this_one)
        .filter_map(|it| it.epsilon)
        .map(sound)
        .sum::<f64>();
    let spent = sound(budget.spent_epsilon).max(this);
    let left = budget.allowance_epsilon.map_or(0.0, sound) - spent;
    Shares {
        before: spent - this,
        this,
        left: left.max(0.0),
    }
}

fn figure(budget: &BudgetFacts) -> Figure {
    let shares = shares(budget);
    let all = (shares.before + shares.this + shares.left).max(1e-12);
    let mut drawing = Drawing::new(WIDTH, 78.0);
    let mut x = 2.0;
    let parts = [
        (shares.before, "bar spent", "other releases"),
        (shares.this, "bar release", "this release"),
        (shares.left, "bar left", "left"),
    ];
    for (value, class, words) in parts {
        if value <= 0.0 {
            continue;
        }
        let wide = (WIDTH - 4.0) * value / all;
        let tip = format!("{words}: ε = {}", number(value));
        drawing.bar((x, 14.0), (wide, 30.0), class, &tip);
        let text = number(value);
        if wide > crate::words::pixels(&text, TEXT) {
            drawing.text((x + wide / 2.0, 61.0), Hold::Middle, "soft", &text);
        }
        x += wide;
    }
    drawing.text((2.0, 76.0), Hold::Start, "soft small", "ε");
    let mut table = Table::new(
        "Entries of the books",
        &["date", "method", "cost", "#ε", ""],
    );
    table.columns[4].title = "which".into();
    for entry in &budget.entries {
        let epsilon = entry.epsilon;
        table.row([
            harmless(&entry.date).into(),
            harmless(&entry.method).into(),
            harmless(&entry.cost).into(),
            Cell::shown(number_or_dash(epsilon), epsilon.unwrap_or(f64::NAN)),
            if entry.this_one {
                "this release".into()
            } else {
                "".into()
            },
        ]);
    }
    let heading = "Spent and left";
    let caption = "ε of all releases of these people, which add up, and what the allowance leaves.";
    let mut keys = vec![
        Key::new("spent", "other releases"),
        Key::new("release", "this release"),
    ];
    if shares.left > 0.0 {
        keys.push(Key::new("left", "left"));
    }
    Figure::new(
        "internal-spent",
        heading,
        caption,
        drawing.finish(heading, ""),
        table.capped(),
    )
    .keys(keys)
}
