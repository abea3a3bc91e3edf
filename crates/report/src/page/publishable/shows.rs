//! What a release shows: a map and charts.

use wayveil_core::{Result, TimeAxis, Universe};
use wayveil_evaluate::Portrait;
use wayveil_evaluate::portrait::{Flows, Times};

use crate::page::charts::bars::{self, Bar, Row};
use crate::page::charts::columns::{self, Series};
use crate::page::charts::matrix;
use crate::page::charts::scale::Scale;
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::html::Html;
use crate::page::spread::{self, Step};
use crate::page::views;
use crate::page::wording::{counted, full_name, grouped, name, path, percent};

/// Bars of a chart.
const MOST_BARS: usize = 20;
/// Rows and columns of the matrix of trips.
const MOST_ENDS: usize = 20;

/// Figures, and remarks on those that cannot be drawn.
#[derive(Default)]
pub(super) struct Shows {
    pub(super) figures: Vec<Html>,
    pub(super) remarks: Vec<String>,
}

/// Everything that can be drawn of a portrait.
pub(super) fn figures(
    universe: &Universe,
    time: Option<&TimeAxis>,
    portrait: &Portrait,
) -> Result<Shows> {
    let mut shows = Shows::default();
    if portrait.symbols == 0 {
        shows.remarks.push(match portrait.records {
            0 => "The release has no records: there is nothing to draw.".into(),
            records => format!(
                "All {} records are empty: there is nothing to draw.",
                grouped(records)
            ),
        });
        return Ok(shows);
    }
    let mut figures = vec![views::map_of_visits(universe, portrait)];
    figures.push(visits(universe, portrait));
    figures.push(lengths(portrait));
    match &portrait.times {
        Some(times) => figures.push(time_of_day(times, time)),
        None => shows
            .remarks
            .push("The release has no times of visits.".into()),
    }
    match portrait.flows.strongest.is_empty() {
        false => figures.push(flows(universe, &portrait.flows)),
        true => shows
            .remarks
            .push("No record goes from one location to another.".into()),
    }
    if !portrait.trips.strongest.is_empty() {
        figures.push(trips(universe, &portrait.trips));
    }
    match portrait.patterns.is_empty() {
        false => figures.push(patterns(universe, portrait)),
        true => shows
            .remarks
            .push("No two locations follow each other in any record.".into()),
    }
    for figure in figures {
        shows.figures.push(figure.html()?);
    }
    Ok(shows)
}

fn visits(universe: &Universe, portrait: &Portrait) -> Figure {
    let order = portrait.most_visited();
    let all = portrait.symbols as f64;
    let mut table = Table::new("Visits by location", &["location", "#visits", "#share"]);
    for &code in order.iter() {
        let visits = portrait.visits[code as usize];
        let share = visits as f64 / all;
        table.row([
            full_name(universe, code).into(),
            Cell::count(visits),
            Cell::shown(percent(share), share),
        ]);
    }
    let rows: Vec<Row> = order
        .iter()
        .take(MOST_BARS)
        .map(|&code| {
            let visits = portrait.visits[code as usize];
            let tip = format!(
                "{}: {} visits, {}",
                full_name(universe, code),
                grouped(visits),
                percent(visits as f64 / all)
            );
            Row {
                label: name(universe, code),
                bars: vec![Bar::new(visits as f64, grouped(visits), "bar release", tip)],
            }
        })
        .collect();
    let top: u64 = order
        .iter()
        .take(MOST_BARS)
        .map(|&code| portrait.visits[code as usize])
        .sum();
    let caption = format!(
        "The {} most visited of {} visited locations, with {} of all visits.",
        rows.len(),
        grouped(order.len() as u64),
        percent(top as f64 / all)
    );
    let largest = order
        .first()
        .map_or(0, |&code| portrait.visits[code as usize]);
    let heading = "Most visited locations";
    let drawing = bars::draw(&rows, &Scale::up_to(largest as f64)).finish(heading, "");
    Figure::new("visits", heading, caption, drawing, table.capped())
}

fn sums(steps: &[Step], counts: &[u64]) -> Vec<u64> {
    steps.iter().map(|step| step.sum(counts)).collect()
}

fn lengths(portrait: &Portrait) -> Figure {
    let steps = spread::lengths(&[&portrait.lengths]);
    let values = sums(&steps, &portrait.lengths);
    let labels: Vec<String> = steps.iter().map(|step| step.label.clone()).collect();
    let mut table = Table::new(
        "Records by number of visits",
        &["visits", "#records", "#share"],
    );
    for (step, &count) in steps.iter().zip(&values) {
        let share = count as f64 / portrait.records.max(1) as f64;
        table.row([
            step.label.clone().into(),
            Cell::count(count),
            Cell::shown(percent(share), share),
        ]);
    }
    let tip = |at: usize| {
        format!(
            "{} visits: {}",
            labels[at],
            counted(values[at], "record", "records")
        )
    };
    let series = [Series {
        class: "bar release",
        values: &values,
    }];
    let heading = "Lengths of records";
    let drawing =
        columns::draw(&labels, &series, ("visits in a record", "records"), tip).finish(heading, "");
    Figure::new(
        "lengths",
        heading,
        "How many records have so many visits.",
        drawing,
        table,
    )
}

fn time_of_day(times: &Times, axis: Option<&TimeAxis>) -> Figure {
    let view = views::TimeView::of(times, axis);
    let values = view.sums(times);
    let mut table = Table::new(view.heading, &[view.unit, "#visits"]);
    for (label, &count) in view.labels.iter().zip(&values) {
        table.row([label.clone().into(), Cell::count(count)]);
    }
    let tip = |at: usize| {
        format!(
            "{}: {}",
            view.labels[at],
            counted(values[at], "visit", "visits")
        )
    };
    let series = [Series {
        class: "bar release",
        values: &values,
    }];
    let drawing =
        columns::draw(&view.labels, &series, (&view.axis, "visits"), tip).finish(view.heading, "");
    Figure::new("times", view.heading, view.caption.clone(), drawing, table)
}

fn flows(universe: &Universe, flows: &Flows) -> Figure {
    let mut table = Table::new(
        "The strongest flows",
        &["from", "to", "#moves", "#share of all moves"],
    );
    let all = flows.all.max(1) as f64;
    for flow in &flows.strongest {
        let share = flow.count as f64 / all;
        table.row([
            full_name(universe, flow.from).into(),
            full_name(universe, flow.to).into(),
            Cell::count(flow.count),
            Cell::shown(percent(share), share),
        ]);
    }
    let rows: Vec<Row> = flows
        .strongest
        .iter()
        .take(MOST_BARS)
        .map(|flow| {
            let words = path(universe, &[flow.from, flow.to]);
            let tip = format!("{words}: {}", counted(flow.count, "move", "moves"));
            Row {
                bars: vec![Bar::new(
                    flow.count as f64,
                    grouped(flow.count),
                    "bar release",
                    tip,
                )],
                label: words,
            }
        })
        .collect();
    let largest = flows.strongest.first().map_or(0, |flow| flow.count);
    let caption = format!(
        "Moves from one location to the next, the strongest of {} different ones.",
        grouped(flows.different)
    );
    let heading = "Strongest flows";
    let drawing = bars::draw(&rows, &Scale::up_to(largest as f64)).finish(heading, "");
    Figure::new("flows", heading, caption, drawing, table.capped())
}

fn trips(universe: &Universe, trips: &Flows) -> Figure {
    let ends = views::busiest_ends(trips, MOST_ENDS);
    let labels: Vec<String> = ends.iter().map(|&code| name(universe, code)).collect();
    let counts = views::counts_between(trips, &ends);
    let value = |from: usize, to: usize| counts[from * ends.len() + to];
    let tip = |from: usize, to: usize| {
        format!(
            "{} → {}: {}",
            labels[from],
            labels[to],
            counted(value(from, to), "record", "records")
        )
    };
    let mut table = Table::new(
        "From the first to the last location of records",
        &["from", "to", "#records"],
    );
    for trip in &trips.strongest {
        table.row([
            full_name(universe, trip.from).into(),
            full_name(universe, trip.to).into(),
            Cell::count(trip.count),
        ]);
    }
    let largest = counts.iter().copied().max().unwrap_or(0);
    let caption = format!(
        "Records by their first location (rows) and their last (columns), between the {} busiest ends; {} \
         records have two visits or more.",
        ends.len(),
        grouped(trips.all)
    );
    let heading = "Trips: origins and destinations";
    let drawing = matrix::draw(&labels, value, tip).finish(heading, "");
    Figure::new("trips", heading, caption, drawing, table.capped())
        .keys(views::shade_keys(largest, "records"))
}

fn patterns(universe: &Universe, portrait: &Portrait) -> Figure {
    let mut table = Table::new(
        "The most frequent patterns",
        &["pattern", "#locations", "#records"],
    );
    for pattern in &portrait.patterns {
        table.row([
            path(universe, &pattern.codes).into(),
            Cell::count(pattern.codes.len() as u64),
            Cell::count(pattern.support),
        ]);
    }
    let rows: Vec<Row> = portrait
        .patterns
        .iter()
        .take(MOST_BARS)
        .map(|pattern| {
            let words = path(universe, &pattern.codes);
            let tip = format!(
                "{words}: in {}",
                counted(pattern.support, "record", "records")
            );
            Row {
                bars: vec![Bar::new(
                    pattern.support as f64,
                    grouped(pattern.support),
                    "bar release",
                    tip,
                )],
                label: words,
            }
        })
        .collect();
    let largest = portrait
        .patterns
        .first()
        .map_or(0, |pattern| pattern.support);
    let heading = "Most frequent patterns";
    let drawing = bars::draw(&rows, &Scale::up_to(largest as f64)).finish(heading, "");
    let caption =
        "How many records visit these locations in this order, with anything between them.";
    Figure::new("patterns", heading, caption, drawing, table.capped()).keys(Vec::<Key>::new())
}
