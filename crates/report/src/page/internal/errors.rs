//! How wrong answers get, by task.

use wayveil_core::Result;

use super::{Section, is_bad, nothing_of, task_caption, task_heading};
use crate::page::charts::bars::{self, Bar, Row};
use crate::page::charts::scale::Scale;
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::model::{InternalPart, TaskError};
use crate::page::wording::percent;
use crate::words::harmless;

pub(super) fn section(internal: &InternalPart) -> Result<Section> {
    let section = Section::new("internal-errors", "How wrong answers get");
    let section = match (internal.repeats, internal.no_intervals_because.as_deref()) {
        (_, Some(why)) => section.say(format!("There are no intervals: {}.", harmless(why).trim_end_matches('.'))),
        (0 | 1, None) => section,
        (repeats, None) => section.say(format!(
            "Intervals are 95 % prediction intervals of one more such release, from {repeats} more runs in memory."
        )),
    };
    if internal.tasks.iter().all(|entry| entry.error.is_none()) {
        return Ok(section.say("No task has an error that is defined on this data."));
    }
    let outside: Vec<&str> = internal
        .tasks
        .iter()
        .filter(|it| lies_outside(it))
        .map(|it| task_heading(it.task))
        .collect();
    let section = match outside.is_empty() {
        true => section,
        false => section.say(format!(
            "This release lies outside of its own interval in: {}. It is an unusual one of its kind, or was made \
             in another way than the runs in memory.",
            outside.join(", ")
        )),
    };
    section.draw([figure(&internal.tasks)])
}

/// Whether a release's own error is none that such releases would have.
fn lies_outside(entry: &TaskError) -> bool {
    let (Some(error), Some(interval)) = (entry.error, entry.interval) else {
        return false;
    };
    error < interval.low || error > interval.high
}

fn figure(tasks: &[TaskError]) -> Figure {
    let mut table = Table::new(
        "Error by task",
        &[
            "task",
            "#error",
            "#from",
            "#to",
            "#empty release",
            "what it is",
        ],
    );
    let mut rows = Vec::new();
    let mut largest: f64 = 0.0;
    for entry in tasks {
        let shown = |value: Option<f64>| {
            Cell::shown(
                percent(value.unwrap_or(f64::NAN)),
                value.unwrap_or(f64::NAN),
            )
        };
        table.row([
            task_heading(entry.task).into(),
            shown(entry.error),
            shown(entry.interval.map(|it| it.low)),
            shown(entry.interval.map(|it| it.high)),
            shown(entry.nothing),
            task_caption(entry.task).into(),
        ]);
        let error = entry.error.unwrap_or(f64::NAN);
        let figure = if error.is_finite() {
            percent(error)
        } else {
            "not defined".into()
        };
        let beside = nothing_of(entry).map_or_else(String::new, |nothing| {
            format!("; an empty release would have {}", percent(nothing))
        });
        let class = if is_bad(entry) {
            "bar bad"
        } else {
            "bar release"
        };
        let tip = format!("{}: {figure}{beside}", task_caption(entry.task));
        let mut bar = Bar::new(error, figure, class, tip);
        bar.interval = entry.interval.map(|it| (it.low, it.high));
        bar.reference = nothing_of(entry);
        let ends = [Some(error), entry.interval.map(|it| it.high), entry.nothing];
        for end in ends.into_iter().flatten() {
            largest = if end.is_finite() {
                largest.max(end)
            } else {
                largest
            };
        }
        rows.push(Row {
            label: task_heading(entry.task).into(),
            bars: vec![bar],
        });
    }
    let heading = "Error by task";
    let drawing = bars::draw(&rows, &Scale::percent_up_to(largest)).finish(heading, "");
    let empty: Vec<String> = tasks
        .iter()
        .filter_map(|it| {
            Some(format!(
                "{} {}",
                task_heading(it.task).to_lowercase(),
                percent(nothing_of(it)?)
            ))
        })
        .collect();
    let caption = match empty.is_empty() {
        true => "0 % is as good as the raw data.".to_owned(),
        false => format!(
            "0 % is as good as the raw data. An empty release would have: {}. What comes near that is of no use.",
            empty.join(", ")
        ),
    };
    let mut keys = Vec::new();
    if tasks.iter().any(|entry| entry.interval.is_some()) {
        keys.push(Key::new(
            "line-whisker",
            "95 % prediction interval of one more such release",
        ));
    }
    if !empty.is_empty() {
        keys.push(Key::new("line-reference", "an empty release"));
    }
    if tasks.iter().any(is_bad) {
        keys.push(Key::new("bad", "hardly better than an empty release"));
    }
    Figure::new("internal-task-errors", heading, caption, drawing, table).keys(keys)
}
