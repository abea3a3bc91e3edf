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

/// Rows that are drawn of each group; all stand in its table.
const MOST_HEADLINES: usize = 6;

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
    let outside = internal.utility.iter().filter(|row| lies_outside(row));
    let section = match outside.count() {
        0 => section,
        outside => section.say(format!(
            "In {outside} of {} numbers this release lies outside of its own interval.",
            internal.utility.len()
        )),
    };
    section
        .say(
            "Every metric has a scale of its own, drawn between two references: what another sample of the same \
             people would get, and what trajectories get that know nothing but how many records there are and how \
             long. Left is better.",
        )
        .draw(figures)
}

/// Whether a release's own number is none that such releases would have.
fn lies_outside(row: &UtilityRow) -> bool {
    let (Some(value), Some(interval)) = (row.value, row.interval) else {
        return false;
    };
    let (low, high) = (
        interval.low.min(interval.high),
        interval.low.max(interval.high),
    );
    value < low || value > high
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

/// What metrics are called here, by the beginnings of their names; the first that fits.
const PLAIN: [(&str, &str); 22] = [
    ("count-quer", "Counts of people at a set of places"),
    ("range-quer", "Counts inside circles and squares"),
    ("location", "Visits over places"),
    ("kendall", "Order of places by popularity"),
    ("hot-spot", "Ranking of the most visited places"),
    ("earth", "Metres that visits are moved"),
    ("flow", "Flow between places"),
    ("transition", "Moves from place to place"),
    ("trip", "Origins and destinations"),
    ("top-patterns-missed", "Most frequent patterns lost"),
    ("top-patterns", "Most frequent patterns kept"),
    ("pattern-support", "Counts of frequent runs of places"),
    ("pattern", "Frequent runs of places kept"),
    ("fragment-quer", "Counts of frequent fragments"),
    ("fragment", "Frequent fragments found"),
    ("lost-maximal", "Longest frequent sequences lost"),
    ("length", "Lengths of records"),
    ("diameter", "Extent of records"),
    ("distance", "Travelled distance"),
    ("radius", "Radius of movement"),
    ("lost-instances", "Visits lost"),
    ("mutual", "Bits told of the raw record"),
];

fn label(row: &UtilityRow) -> String {
    let plain = PLAIN
        .iter()
        .find(|(start, _)| row.metric.starts_with(start));
    let words = plain.map_or_else(|| row.metric.replace('-', " "), |it| it.1.to_owned());
    let value = row.value_name.as_str();
    harmless(&match (value, value.strip_prefix("lost-share-")) {
        ("", _) => words,
        (_, Some(number)) => format!("{words}, share of {number}"),
        _ => format!("{words}, {}", value.replace('-', " ")),
    })
}

/// The rows to draw: of each metric in turn, without those that tell the same as the share that is lost.
fn headlines<'a>(rows: &[&'a UtilityRow]) -> Vec<&'a UtilityRow> {
    let shares = rows
        .iter()
        .any(|row| row.value_name.starts_with("lost-share"));
    let repeats = |row: &UtilityRow| {
        let same = ["true-positives", "false-positives", "false-drops"];
        shares && same.iter().any(|name| row.value_name.starts_with(name))
    };
    let mut turns: Vec<(usize, usize)> = Vec::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| !repeats(row)) {
        let before = turns
            .iter()
            .filter(|(_, it)| rows[*it].metric == row.metric);
        turns.push((before.count(), at));
    }
    turns.sort_unstable();
    turns.truncate(MOST_HEADLINES);
    let mut shown: Vec<usize> = turns.into_iter().map(|(_, at)| at).collect();
    shown.sort_unstable();
    shown.into_iter().map(|at| rows[at]).collect()
}

fn better_words(row: &UtilityRow) -> &'static str {
    match row.better {
        Better::Lower => "lower",
        Better::Higher => "higher",
    }
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
        let better = better_words(row);
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
    }
    for row in headlines(rows) {
        let better = better_words(row);
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
    let more = match rows.len() - drawn.len() {
        0 => String::new(),
        more => format!(" {more} more stand in the table."),
    };
    let caption =
        format!("Each row has its own scale; the number at its end is the metric’s own.{more}");
    let mut keys = vec![Key::new("mark s1", "the release")];
    if drawn.iter().any(|row| row.interval.is_some()) {
        keys.push(Key::new(
            "line-whisker",
            "95 % prediction interval of one more such release",
        ));
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
    fn one_fact_is_drawn_once_and_every_metric_has_its_turn() {
        let named = |metric: &str, value: &str| UtilityRow {
            metric: metric.into(),
            value_name: value.into(),
            ..row(Better::Lower, None, None)
        };
        let mut rows = vec![
            named("top-patterns", "true-positives-10"),
            named("top-patterns-missed", "false-drops-10"),
            named("top-patterns-missed", "lost-share-10"),
        ];
        rows.extend((1..9).map(|size| named("fragments-found", &format!("recall-{size}"))));
        rows.push(named("pattern-f1", ""));
        let rows: Vec<&UtilityRow> = rows.iter().collect();
        let labels: Vec<String> = headlines(&rows).into_iter().map(label).collect();
        assert_eq!(labels.len(), MOST_HEADLINES);
        assert_eq!(labels[0], "Most frequent patterns lost, share of 10");
        assert_eq!(labels[1], "Frequent fragments found, recall 1");
        assert_eq!(labels[5], "Frequent runs of places kept");
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
