//! Views that the publishable and the internal part share.

mod difference;
mod map;
mod visits;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use wayveil_core::TimeAxis;
use wayveil_evaluate::portrait::{Flows, Times};

pub(super) use self::difference::{beside, map_of_differences, off, signed};
pub(super) use self::visits::map_of_visits;
use super::charts::matrix::{SHADES, least_of};
use super::figure::Key;
use super::spread::{self, Step};
use super::wording::grouped;
use crate::words::harmless;

/// How times of visits are shown.
pub(super) struct TimeView {
    steps: Vec<Step>,
    pub(super) labels: Vec<String>,
    pub(super) heading: &'static str,
    pub(super) caption: String,
    pub(super) axis: String,
    pub(super) unit: &'static str,
}

impl TimeView {
    pub(super) fn of(times: &Times, axis: Option<&TimeAxis>) -> Self {
        match times {
            Times::Hours { zone, visits } => {
                let steps = spread::positions(visits.len());
                Self {
                    labels: (0..visits.len()).map(|hour| hour.to_string()).collect(),
                    steps,
                    heading: "Time of day",
                    caption: format!(
                        "Visits by the hour at which their time bin begins, in the zone {}.",
                        harmless(zone)
                    ),
                    axis: "hour of the day".into(),
                    unit: "hour",
                }
            }
            Times::Bins(visits) => {
                let steps = spread::positions(visits.len());
                let clock = axis.and_then(|axis| axis.clock.as_ref());
                Self {
                    labels: steps.iter().map(|step| step.label.clone()).collect(),
                    steps,
                    heading: "Visits over time",
                    caption: match clock {
                        Some(clock) => format!(
                            "Visits by time bin of {} s, from {} on.",
                            clock.bin_seconds,
                            harmless(&clock.starts)
                        ),
                        None => "Visits by time bin; bins are bare numbers.".into(),
                    },
                    axis: "time bin".into(),
                    unit: "time bin",
                }
            }
        }
    }

    /// Visits of each step.
    pub(super) fn sums(&self, times: &Times) -> Vec<u64> {
        let visits: &[u64] = match times {
            Times::Hours { visits, .. } => visits,
            Times::Bins(visits) => visits,
        };
        self.steps.iter().map(|step| step.sum(visits)).collect()
    }
}

/// The locations at which most trips begin or end.
pub(super) fn busiest_ends(trips: &Flows, most: usize) -> Vec<u32> {
    let mut ends: BTreeMap<u32, u64> = BTreeMap::new();
    for trip in &trips.strongest {
        for end in [trip.from, trip.to] {
            *ends.entry(end).or_default() += trip.count;
        }
    }
    let mut order: Vec<(u32, u64)> = ends.into_iter().collect();
    order.sort_by_key(|&(code, count)| (Reverse(count), code));
    order.truncate(most);
    order.into_iter().map(|(code, _)| code).collect()
}

/// How much flows between these locations, row by row.
pub(super) fn counts_between(flows: &Flows, codes: &[u32]) -> Vec<u64> {
    let place = |code: u32| codes.iter().position(|&it| it == code);
    let mut counts = vec![0; codes.len() * codes.len()];
    for flow in &flows.strongest {
        if let (Some(from), Some(to)) = (place(flow.from), place(flow.to)) {
            counts[from * codes.len() + to] = flow.count;
        }
    }
    counts
}

/// What the shades of a matrix or of cells stand for.
pub(super) fn shade_keys(largest: u64, what: &str) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    for shade in 1..=SHADES {
        let least = least_of(shade, largest);
        let next = if shade < SHADES {
            least_of(shade + 1, largest)
        } else {
            largest + 1
        };
        if next > least {
            let range = match next - 1 {
                last if last == least => grouped(least),
                last => format!("{}–{}", grouped(least), grouped(last)),
            };
            keys.push(Key::new(format!("box q{shade}"), range));
        }
    }
    if let Some(last) = keys.last_mut() {
        last.words += &format!(" {what}");
    }
    keys
}
