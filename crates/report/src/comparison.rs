//! What is compared: plain data, as the caller counted it.

use std::cmp::Reverse;

use wayveil_core::Coordinate;

use crate::number::{drawable, order};
use crate::words::cut;

/// Columns for each end of a flow, so that a long start does not hide the end.
const FLOW_END: usize = 13;

/// Raw data and a release of it, counted the same way.
///
/// Visits and flows are drawn as they are, on one common scale. Where shares are shown, each side
/// is divided by its own total.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// What is shown; the picture's heading.
    pub title: String,
    /// The guarantee in words, as in [`wayveil_core::Guarantee::in_words`].
    pub note: String,
    /// The heading over the release, such as "Release (ε = 1)".
    pub release_name: String,
    /// All locations.
    pub stations: Vec<Station>,
    /// Which stations are connected, to be drawn under the circles; may be empty.
    pub lines: Vec<Line>,
    /// How long trajectories are: a row for each length, the last perhaps "more".
    pub lengths: Vec<Row>,
    /// Moves between stations in the raw data; may be empty.
    pub flows_raw: Vec<Flow>,
    /// Moves between stations in the release; may be empty.
    pub flows_released: Vec<Flow>,
}

/// A location and how often it was visited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Station {
    /// Its label in the universe.
    pub label: String,
    /// A name for people, shown in the label's place.
    pub name: Option<String>,
    /// Where it is; without it, it is not on the maps.
    pub at: Option<Coordinate>,
    /// Visits in the raw data.
    pub raw: f64,
    /// Visits in the release.
    pub released: f64,
}

/// A group of stations that are connected in the given order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its name, shown in the legend; may be empty.
    pub name: String,
    /// Positions in [`Comparison::stations`]; others are passed over.
    pub stations: Vec<usize>,
}

/// How many moved from one station to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flow {
    /// Position of the start in [`Comparison::stations`].
    pub from: usize,
    /// Position of the end.
    pub to: usize,
    /// How many.
    pub count: f64,
}

/// A label with its value on both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// What the values are of.
    pub label: String,
    /// The value in the raw data.
    pub raw: f64,
    /// The value in the release.
    pub released: f64,
}

/// Which of the two is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Raw,
    Released,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Raw, Self::Released];

    /// Far apart in lightness, so that the two differ in print and to every eye.
    pub(crate) fn colour(self) -> &'static str {
        match self {
            Self::Raw => "#979ea9",
            Self::Released => "#3f3d8f",
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Released => "release",
        }
    }
}

impl Row {
    /// A row.
    pub fn new(label: impl Into<String>, raw: f64, released: f64) -> Self {
        Self {
            label: label.into(),
            raw,
            released,
        }
    }

    pub(crate) fn value(&self, side: Side) -> f64 {
        match side {
            Side::Raw => self.raw,
            Side::Released => self.released,
        }
    }
}

impl Station {
    /// What people call it.
    pub(crate) fn called(&self) -> &str {
        match &self.name {
            Some(name) if !name.trim().is_empty() => name,
            _ => &self.label,
        }
    }

    /// Visits that can be drawn.
    pub(crate) fn visits(&self, side: Side) -> f64 {
        drawable(match side {
            Side::Raw => self.raw,
            Side::Released => self.released,
        })
    }
}

impl Comparison {
    /// The stations most visited in the raw data, most visited first.
    pub(crate) fn most_visited(&self) -> Vec<usize> {
        let key = |&index: &usize| {
            let station = &self.stations[index];
            let visits = Side::BOTH.map(|side| order(station.visits(side)));
            (Reverse(visits), index)
        };
        let mut all: Vec<usize> = (0..self.stations.len()).collect();
        all.sort_by_key(key);
        all
    }

    /// Flows of one side that can be drawn, strongest first.
    pub(crate) fn strongest_flows(&self, side: Side) -> Vec<Flow> {
        let known = |index: usize| index < self.stations.len();
        let mut flows: Vec<Flow> = self
            .flows(side)
            .iter()
            .filter(|flow| known(flow.from) && known(flow.to) && flow.from != flow.to)
            .map(|flow| Flow {
                count: drawable(flow.count),
                ..*flow
            })
            .filter(|flow| flow.count > 0.0)
            .collect();
        flows.sort_by_key(|flow| (Reverse(order(flow.count)), flow.from, flow.to));
        flows
    }

    fn flows(&self, side: Side) -> &[Flow] {
        match side {
            Side::Raw => &self.flows_raw,
            Side::Released => &self.flows_released,
        }
    }

    /// Every station's share of visits, in percent, most visited first.
    pub(crate) fn visit_shares(&self) -> Vec<Row> {
        let row = |index: usize| {
            let station = &self.stations[index];
            Row::new(station.called(), station.raw, station.released)
        };
        percent(self.most_visited().into_iter().map(row).collect())
    }

    /// The raw data's strongest flows with both sides' shares, in percent.
    pub(crate) fn flow_shares(&self, at_most: usize) -> Vec<Row> {
        let raw = self.strongest_flows(Side::Raw);
        let released = self.strongest_flows(Side::Released);
        let total = |flows: &[Flow]| flows.iter().map(|flow| flow.count).sum();
        let totals: [f64; 2] = [total(&raw), total(&released)];
        let row = |flow: &Flow| {
            let same = |other: &&Flow| (other.from, other.to) == (flow.from, flow.to);
            let after = released.iter().find(same).map_or(0.0, |flow| flow.count);
            let called = |index: usize| cut(self.stations[index].called(), FLOW_END);
            Row::new(
                format!("{} → {}", called(flow.from), called(flow.to)),
                share(flow.count, totals[0]),
                share(after, totals[1]),
            )
        };
        raw.iter().take(at_most).map(row).collect()
    }
}

/// Each side as percent of its own total.
pub(crate) fn percent(mut rows: Vec<Row>) -> Vec<Row> {
    let total = |side| rows.iter().map(|row| drawable(row.value(side))).sum();
    let totals: [f64; 2] = Side::BOTH.map(total);
    for row in &mut rows {
        row.raw = share(drawable(row.raw), totals[0]);
        row.released = share(drawable(row.released), totals[1]);
    }
    rows
}

fn share(value: f64, total: f64) -> f64 {
    if total > 0.0 {
        100.0 * value / total
    } else {
        0.0
    }
}

/// The largest value on either side.
pub(crate) fn largest(rows: &[Row]) -> f64 {
    let values = rows.iter().flat_map(|row| [row.raw, row.released]);
    values.map(drawable).fold(0.0, f64::max)
}
