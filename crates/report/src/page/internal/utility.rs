//! Metrics between two references: another sample of the raw data, and knowing nothing.

use wayveil_core::Result;
use wayveil_evaluate::metrics::Better;

use super::Section;
use crate::page::charts::ranges::{self, Row};
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::model::{InternalPart, UtilityRow};
use crate::page::wording::number_or_dash;
use crate::words::harmless;

/// References closer than this tell nothing.
const LEAST_DISTANCE: f64 = 1e-9;

/// Groups of metrics by what they are about, each with the beginnings of their names.
const GROUPS: [(&str, &str, &[&str]); 5] = [
    (
        "counts",
        "Counts of people and places",
        &[
            "count-query",
            "range-query",
            "location",
            "kendall",
            "hot-spot",
            "earth",
        ],
    ),
    ("flows", "Flows and trips", &["flow", "transition", "trip"]),
    (
        "routes",
        "Routes, patterns and fragments",
        &["top-patterns", "pattern", "fragment", "lost-maximal"],
    ),
    (
        "shape",
        "Shape of records",
        &["length", "diameter", "distance", "radius"],
    ),
    ("records", "Single records", &["lost-instances", "mutual"]),
];

pub(super) fn section(internal: &InternalPart) -> Result<Section> {
    let section = Section::new("internal-utility", "Measured quality");
    if internal.utility.is_empty() {
        return Ok(section.say("No metric was computed."));
    }
    let group_of = |row: &UtilityRow| {
        GROUPS
            .iter()
            .position(|(_, _, names)| names.iter().any(|name| row.metric.starts_with(name)))
    };
    let named = GROUPS
        .iter()
        .enumerate()
        .map(|(at, &(id, heading, _))| (Some(at), id, heading));
    let figures = named
        .chain([(None, "other", "Others")])
        .filter_map(|(at, id, heading)| {
            let rows: Vec<&UtilityRow> = internal
                .utility
                .iter()
                .filter(|row| group_of(row) == at)
                .collect();
            (!rows.is_empty()).then(|| figure(id, heading, &rows))
        });
    section
        .say(
            "Every metric has a scale of its own, drawn between two references: what another sample of the same \
             people would get, and what trajectories get that know nothing but how many records there are and how \
             long. Left is better.",
        )
        .draw(figures)
}

/// Where a value lies on the way from as good as raw to as good as nothing.
fn place(row: &UtilityRow, value: f64) -> Option<f64> {
    let (raw, nothing) = (row.as_good_as_raw?, row.as_good_as_nothing?);
    let distance = nothing - raw;
    let worse = match row.better {
        Better::Lower => distance > 0.0,
        Better::Higher => distance < 0.0,
    };
    let usable = worse && distance.abs() > LEAST_DISTANCE && value.is_finite();
    usable.then(|| (value - raw) / distance)
}

fn label(row: &UtilityRow) -> String {
    let words = row.metric.replace('-', " ");
    harmless(&match row.value_name.as_str() {
        "" => words,
        value => format!("{words}, {}", value.replace('-', " ")),
    })
}

fn figure(id: &str, heading: &str, rows: &[&UtilityRow]) -> Figure {
    let mut table = Table::new(
        heading,
        &[
            "metric",
            "#release",
            "#from",
            "#to",
            "#as good as raw",
            "#knowing nothing",
            "better",
            "what it tells",
        ],
    );
    let mut drawn = Vec::new();
    for row in rows {
        let better = match row.better {
            Better::Lower => "lower",
            Better::Higher => "higher",
        };
        table.row([
            label(row).into(),
            Cell::number(row.value),
            Cell::number(row.interval.map(|it| it.low)),
            Cell::number(row.interval.map(|it| it.high)),
            Cell::number(row.as_good_as_raw),
            Cell::number(row.as_good_as_nothing),
            better.into(),
            harmless(&row.about).into(),
        ]);
        let at = row.value.and_then(|value| place(row, value));
        let ends = row
            .interval
            .and_then(|it| Some((place(row, it.low)?, place(row, it.high)?)));
        drawn.push(Row {
            label: label(row),
            figure: number_or_dash(row.value),
            at,
            interval: ends.map(|(a, b)| (a.min(b), a.max(b))),
            tip: format!(
                "{}: {}; as good as raw {}, knowing nothing {}; {better} is better",
                label(row),
                number_or_dash(row.value),
                number_or_dash(row.as_good_as_raw),
                number_or_dash(row.as_good_as_nothing)
            ),
            instead: match row.value {
                None => "not defined here",
                Some(_) => "nothing to compare with",
            },
        });
    }
    let names = ("another sample", "knowing nothing");
    let drawing = ranges::draw(&drawn, names).finish(heading, "");
    let caption = "Each row has its own scale; the number at its end is the metric’s own.";
    let mut keys = vec![Key::new("mark s1", "the release")];
    if drawn.iter().any(|row| row.interval.is_some()) {
        keys.push(Key::new("line-whisker", "where such releases lie"));
    }
    keys.push(Key::new("line-good", "another sample of the raw data"));
    keys.push(Key::new("line-reference", "knowing nothing"));
    Figure::new(
        format!("internal-utility-{id}"),
        heading,
        caption,
        drawing,
        table,
    )
    .keys(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(better: Better, raw: Option<f64>, nothing: Option<f64>) -> UtilityRow {
        UtilityRow {
            metric: "kendall-tau".into(),
            value_name: String::new(),
            about: String::new(),
            better,
            value: Some(0.5),
            interval: None,
            as_good_as_raw: raw,
            as_good_as_nothing: nothing,
        }
    }

    #[test]
    fn left_is_better_whichever_way_a_metric_goes() {
        assert_eq!(
            place(&row(Better::Lower, Some(0.0), Some(2.0)), 0.5),
            Some(0.25)
        );
        assert_eq!(
            place(&row(Better::Higher, Some(1.0), Some(0.0)), 0.75),
            Some(0.25)
        );
        // References that are missing, equal or the wrong way round tell nothing.
        assert_eq!(place(&row(Better::Lower, None, Some(2.0)), 0.5), None);
        assert_eq!(place(&row(Better::Lower, Some(1.0), Some(1.0)), 0.5), None);
        assert_eq!(place(&row(Better::Higher, Some(0.0), Some(1.0)), 0.5), None);
        assert_eq!(
            place(&row(Better::Lower, Some(0.0), Some(1.0)), f64::NAN),
            None
        );
    }
}
