//! How wrong answers get, by task.

use wayveil_core::Result;

use super::{Section, error_words, task_heading};
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
            "Intervals are where such a release lies when it is made again: from {repeats} more runs in memory."
        )),
    };
    if internal.tasks.iter().all(|entry| entry.error.is_none()) {
        return Ok(section.say("No task has an error that is defined on this data."));
    }
    section.draw([figure(&internal.tasks)])
}

fn figure(tasks: &[TaskError]) -> Figure {
    let mut table = Table::new(
        "Error by task",
        &["task", "#error", "#from", "#to", "what it is"],
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
            error_words(entry.task).into(),
        ]);
        let error = entry.error.unwrap_or(f64::NAN);
        let figure = if error.is_finite() {
            percent(error)
        } else {
            "not defined".into()
        };
        let mut bar = Bar::new(
            error,
            figure.clone(),
            "bar release",
            format!(
                "{}: {figure} {}",
                task_heading(entry.task),
                error_words(entry.task)
            ),
        );
        bar.interval = entry.interval.map(|it| (it.low, it.high));
        for end in [Some(error), entry.interval.map(|it| it.high)]
            .into_iter()
            .flatten()
        {
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
    let caption = "0 % is as good as the raw data, 100 % as good as no data.";
    let intervals = tasks.iter().any(|entry| entry.interval.is_some());
    Figure::new("internal-task-errors", heading, caption, drawing, table)
        .keys(intervals.then(|| Key::new("line-whisker", "where such releases lie")))
}
