//! The raw data beside the release: visits, flows, trips, lengths, times, patterns.

use std::collections::BTreeMap;

use wayveil_core::{Result, Universe};
use wayveil_evaluate::Portrait;
use wayveil_evaluate::portrait::Flows;

use super::{Section, patterns};
use crate::page::charts::bars::{self, Bar, Row};
use crate::page::charts::columns::{self, Series};
use crate::page::charts::scale::Scale;
use crate::page::charts::scatter::{self, Lines, Point};
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::model::{InternalPart, ReleasePart};
use crate::page::spread;
use crate::page::views::{TimeView, beside, map_of_differences, off, signed};
use crate::page::wording::{counted, full_name, grouped, name, path};

const MOST_BARS: usize = 20;
const MOST_POINTS: usize = 800;

pub(super) fn section(part: &ReleasePart<'_>, internal: &InternalPart) -> Result<Section> {
    let section = Section::new("internal-beside", "Raw against release");
    let (universe, raw, release) = (part.release.universe(), &internal.raw, &part.portrait);
    let section = section.say(format!(
        "The raw data has {} with {}, the release {} with {}.",
        counted(raw.records, "record", "records"),
        counted(raw.symbols, "visit", "visits"),
        counted(release.records, "record", "records"),
        counted(release.symbols, "visit", "visits")
    ));
    if raw.symbols == 0 && release.symbols == 0 {
        return Ok(section.say("Neither has a visit: there is nothing to draw."));
    }
    let mut figures = vec![
        map_of_differences(universe, raw, release),
        visits(universe, raw, release),
        scatter_of_visits(universe, raw, release),
    ];
    if !(raw.flows.strongest.is_empty() && release.flows.strongest.is_empty()) {
        let words = ("internal-flows", "Flows", "moves");
        figures.push(pairs(universe, &raw.flows, &release.flows, words));
    }
    if !(raw.trips.strongest.is_empty() && release.trips.strongest.is_empty()) {
        let words = (
            "internal-trips",
            "Trips from first to last location",
            "records",
        );
        figures.push(pairs(universe, &raw.trips, &release.trips, words));
    }
    figures.push(lengths(raw, release));
    figures.extend(times(part, internal));
    figures.extend(patterns::figure(universe, raw, release));
    section.draw(figures)
}

fn sides() -> [Key; 2] {
    [Key::new("raw", "raw data"), Key::new("release", "release")]
}

/// The visits of a location on both sides.
fn both(raw: &Portrait, release: &Portrait, code: u32) -> (u64, u64) {
    let of = |portrait: &Portrait| portrait.visits.get(code as usize).copied().unwrap_or(0);
    (of(raw), of(release))
}

fn difference(counts: (u64, u64)) -> [Cell; 3] {
    [
        Cell::count(counts.0),
        Cell::count(counts.1),
        Cell::shown(signed(off(counts)), off(counts)),
    ]
}

fn pair_of_bars(counts: (u64, u64), tip: &str) -> Vec<Bar> {
    let bar = |value: u64, class| Bar::new(value as f64, grouped(value), class, tip.to_owned());
    vec![bar(counts.0, "bar raw"), bar(counts.1, "bar release")]
}

fn visits(universe: &Universe, raw: &Portrait, release: &Portrait) -> Figure {
    let order = raw.most_visited();
    let mut table = Table::new(
        "Visits by location",
        &["location", "#raw", "#release", "#difference"],
    );
    for &code in &order {
        let counts = both(raw, release, code);
        let [a, b, c] = difference(counts);
        table.row([full_name(universe, code).into(), a, b, c]);
    }
    let shown = &order[..order.len().min(MOST_BARS)];
    let rows: Vec<Row> = shown
        .iter()
        .map(|&code| {
            let counts = both(raw, release, code);
            Row {
                label: name(universe, code),
                bars: pair_of_bars(counts, &beside(&full_name(universe, code), counts)),
            }
        })
        .collect();
    let largest = shown
        .iter()
        .map(|&code| both(raw, release, code))
        .map(|it| it.0.max(it.1))
        .max();
    let heading = "Visits of the most visited locations";
    let drawing = bars::draw(&rows, &Scale::up_to(largest.unwrap_or(0) as f64)).finish(heading, "");
    let caption = format!(
        "The {} locations with the most visits in the raw data.",
        rows.len()
    );
    Figure::new("internal-visits", heading, caption, drawing, table.capped()).keys(sides())
}

/// Points of pairs of counts, on axes by powers of ten, and the line where both are equal.
fn cloud(points: Vec<Point>, heading: &str, what: &str) -> crate::page::html::Html {
    let largest = points
        .iter()
        .map(|point| point.x.max(point.y))
        .fold(1.0, f64::max);
    let (x, y) = (Scale::counts(largest), Scale::counts(largest));
    let lines = Lines {
        equal: true,
        ..Lines::default()
    };
    let (right, up) = (
        format!("{what} in the raw data"),
        format!("{what} in the release"),
    );
    scatter::draw(&points, (x, &right), (y, &up), &lines).finish(heading, "")
}

/// Lost ones, made-up ones and all others are marked differently.
fn series(counts: (u64, u64)) -> usize {
    match counts {
        (_, 0) => 4,
        (0, _) => 2,
        _ => 0,
    }
}

fn cloud_keys(counts: impl Iterator<Item = (u64, u64)>) -> Vec<Key> {
    let seen: Vec<usize> = counts.map(series).collect();
    let words = [
        (0, "mark s1", "in both"),
        (4, "mark s5", "missing in the release"),
        (2, "mark s3", "only in the release"),
    ];
    let mut keys: Vec<Key> = words
        .into_iter()
        .filter(|(series, ..)| seen.contains(series))
        .map(|(_, class, words)| Key::new(class, words))
        .collect();
    keys.push(Key::new("line-reference", "as in the raw data"));
    keys
}

fn scatter_of_visits(universe: &Universe, raw: &Portrait, release: &Portrait) -> Figure {
    let mut codes: Vec<u32> = (0..universe.len() as u32)
        .filter(|&code| both(raw, release, code) != (0, 0))
        .collect();
    codes.sort_by_key(|&code| {
        let (a, b) = both(raw, release, code);
        (std::cmp::Reverse(a.max(b)), code)
    });
    let all = codes.len();
    codes.truncate(MOST_POINTS);
    let points = codes.iter().map(|&code| {
        let counts = both(raw, release, code);
        Point {
            x: counts.0 as f64,
            y: counts.1 as f64,
            series: series(counts),
            tip: beside(&full_name(universe, code), counts),
        }
    });
    let heading = "Visits of all locations";
    let drawing = cloud(points.collect(), heading, "visits");
    let mut table = Table::new(
        "Locations whose visits differ most",
        &["location", "#raw", "#release", "#difference"],
    );
    let keys = cloud_keys(codes.iter().map(|&code| both(raw, release, code)));
    codes.sort_by_key(|&code| {
        let (a, b) = both(raw, release, code);
        (std::cmp::Reverse(a.abs_diff(b)), code)
    });
    for &code in &codes {
        let [a, b, c] = difference(both(raw, release, code));
        table.row([full_name(universe, code).into(), a, b, c]);
    }
    let caption = format!(
        "{} of {} locations with visits, on axes by powers of ten; on the dashed line both agree.",
        grouped(codes.len() as u64),
        grouped(all as u64)
    );
    Figure::new(
        "internal-scatter",
        heading,
        caption,
        drawing,
        table.capped(),
    )
    .keys(keys)
}

/// Flows of both sides; one that is not among the strongest of a side counts as none there.
fn pairs(
    universe: &Universe,
    raw: &Flows,
    release: &Flows,
    (id, heading, what): (&str, &str, &str),
) -> Figure {
    let mut counts: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
    for flow in &raw.strongest {
        counts.entry((flow.from, flow.to)).or_default().0 = flow.count;
    }
    for flow in &release.strongest {
        counts.entry((flow.from, flow.to)).or_default().1 = flow.count;
    }
    let mut order: Vec<((u32, u32), (u64, u64))> = counts.into_iter().collect();
    order.sort_by_key(|&(ends, (a, b))| (std::cmp::Reverse(a.max(b)), ends));
    order.truncate(MOST_POINTS);
    let points = order.iter().map(|&((from, to), counts)| Point {
        x: counts.0 as f64,
        y: counts.1 as f64,
        series: series(counts),
        tip: beside(&path(universe, &[from, to]), counts),
    });
    let drawing = cloud(points.collect(), heading, what);
    let mut table = Table::new(heading, &["from", "to", "#raw", "#release", "#difference"]);
    for &((from, to), counts) in &order {
        let [a, b, c] = difference(counts);
        table.row([
            full_name(universe, from).into(),
            full_name(universe, to).into(),
            a,
            b,
            c,
        ]);
    }
    let kept = raw.strongest.len().max(release.strongest.len()) as u64;
    let left_out = match raw.different.max(release.different) > kept {
        true => format!(
            " Of each side the {} strongest are compared: one that is weaker counts as none.",
            grouped(kept)
        ),
        false => String::new(),
    };
    let caption = format!(
        "The raw data has {} different ones with {} {what}, the release {} with {}.{left_out}",
        grouped(raw.different),
        grouped(raw.all),
        grouped(release.different),
        grouped(release.all)
    );
    let keys = cloud_keys(order.iter().map(|it| it.1));
    Figure::new(id, heading, caption, drawing, table.capped()).keys(keys)
}

fn paired_columns(
    labels: &[String],
    values: [&[u64]; 2],
    titles: (&str, &str),
) -> crate::page::drawing::Drawing {
    let series = [
        Series {
            class: "bar raw",
            values: values[0],
        },
        Series {
            class: "bar release",
            values: values[1],
        },
    ];
    let tip = |at: usize| {
        beside(
            &format!("{} {}", titles.0, labels[at]),
            (values[0][at], values[1][at]),
        )
    };
    columns::draw(labels, &series, titles, tip)
}

fn lengths(raw: &Portrait, release: &Portrait) -> Figure {
    let steps = spread::lengths(&[&raw.lengths, &release.lengths]);
    let sums = |portrait: &Portrait| -> Vec<u64> {
        steps
            .iter()
            .map(|step| step.sum(&portrait.lengths))
            .collect()
    };
    let (before, after) = (sums(raw), sums(release));
    let labels: Vec<String> = steps.iter().map(|step| step.label.clone()).collect();
    let mut table = Table::new(
        "Records by number of visits",
        &["visits", "#raw", "#release", "#difference"],
    );
    for (at, label) in labels.iter().enumerate() {
        let [a, b, c] = difference((before[at], after[at]));
        table.row([label.clone().into(), a, b, c]);
    }
    let heading = "Lengths of records";
    let drawing = paired_columns(
        &labels,
        [&before, &after],
        ("visits in a record", "records"),
    )
    .finish(heading, "");
    Figure::new(
        "internal-lengths",
        heading,
        "How many records have so many visits.",
        drawing,
        table,
    )
    .keys(sides())
}

fn times(part: &ReleasePart<'_>, internal: &InternalPart) -> Option<Figure> {
    let (raw, release) = (internal.raw.times.as_ref()?, part.portrait.times.as_ref()?);
    let view = TimeView::of(release, part.release.time());
    let (before, after) = (view.sums(raw), view.sums(release));
    let mut table = Table::new(
        view.heading,
        &[view.unit, "#raw", "#release", "#difference"],
    );
    for (at, label) in view.labels.iter().enumerate() {
        let [a, b, c] = difference((before[at], after[at]));
        table.row([label.clone().into(), a, b, c]);
    }
    let drawing = paired_columns(&view.labels, [&before, &after], (&view.axis, "visits"))
        .finish(view.heading, "");
    Some(
        Figure::new(
            "internal-times",
            view.heading,
            view.caption.clone(),
            drawing,
            table,
        )
        .keys(sides()),
    )
}
