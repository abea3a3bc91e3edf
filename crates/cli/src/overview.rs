//! Trajectories at a glance: figures for machines, charts for people.

use serde_json::{Value, json};
use wayveil_core::{Coordinate, Result, Sequences, TimeAxis, Universe};
use wayveil_evaluate::portrait::{HOURS, Times};
use wayveil_report::{Bounds, histogram_text, map_text};

use crate::facts::{Facts, thousands};

/// Lengths shown one by one; longer ones share a line.
const LENGTHS_SHOWN: usize = 15;
const LOCATIONS_SHOWN: usize = 10;
const CHART_WIDTH: usize = 40;
/// Names of locations need more room than numbers.
const NAMES_WIDTH: usize = 56;
const MAP_WIDTH: usize = 60;

/// What there is to see in a set of trajectories.
pub(crate) struct Overview<'a> {
    facts: Facts,
    universe: &'a Universe,
    times: Option<Times>,
}

impl<'a> Overview<'a> {
    pub(crate) fn of(
        sequences: &Sequences,
        universe: &'a Universe,
        time: Option<&TimeAxis>,
    ) -> Result<Self> {
        Ok(Self {
            facts: Facts::of(sequences, universe),
            universe,
            times: time.map(|axis| Times::of(sequences, axis)).transpose()?,
        })
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut object = self.facts.to_json(self.universe);
        let top = self.facts.top_locations(LOCATIONS_SHOWN).into_iter();
        let top: Vec<Value> = top
            .map(|(code, visits)| {
                let location = &self.universe.locations()[code as usize];
                json!({
                    "location": location.label,
                    "name": location.name,
                    "visits": visits,
                    "share": visits as f64 / self.facts.symbols as f64,
                })
            })
            .collect();
        object["visits_per_location"] = json!({ "top": top, "unvisited": self.facts.unvisited() });
        object["time_of_day"] = match &self.times {
            Some(Times::Hours { visits, .. }) => json!(visits),
            _ => Value::Null,
        };
        let places: Vec<Coordinate> = self.points().into_iter().map(|(at, _)| at).collect();
        object["bounds"] = Bounds::of(&places).map_or(Value::Null, |bounds| {
            json!({
                "south": bounds.south,
                "west": bounds.west,
                "north": bounds.north,
                "east": bounds.east,
            })
        });
        object
    }

    pub(crate) fn text(&self) -> String {
        let facts = &self.facts;
        let figures = format!(
            "records       {}\nlocations     {}\nsymbols       {}\nmean length   {:.2}\n\
             max length    {}\n",
            thousands(facts.records),
            thousands(facts.locations),
            thousands(facts.symbols),
            facts.mean_length(),
            facts.max_length,
        );
        let lengths = histogram_text(&self.lengths(), CHART_WIDTH);
        let lengths = format!("records by length\n{lengths}");
        let charts = [Some(lengths), self.locations(), self.time(), self.map()];
        charts
            .into_iter()
            .flatten()
            .fold(figures, |text, chart| format!("{text}\n{chart}"))
    }

    fn lengths(&self) -> Vec<(String, f64)> {
        let lengths = &self.facts.lengths;
        let mut rows: Vec<(String, f64)> = lengths
            .iter()
            .enumerate()
            .take(LENGTHS_SHOWN + 1)
            .filter(|&(length, &records)| length > 0 || records > 0)
            .map(|(length, &records)| (length.to_string(), records as f64))
            .collect();
        let longer: u64 = lengths.iter().skip(LENGTHS_SHOWN + 1).sum();
        if longer > 0 {
            rows.push((format!("{}+", LENGTHS_SHOWN + 1), longer as f64));
        }
        rows
    }

    /// The most visited locations and their shares; none where nothing is visited.
    fn locations(&self) -> Option<String> {
        let top = self.facts.top_locations(LOCATIONS_SHOWN);
        if top.is_empty() {
            return None;
        }
        let row = |&(code, visits): &(u32, u64)| (self.name(code), visits as f64);
        let rows: Vec<(String, f64)> = top.iter().map(row).collect();
        let without = match self.facts.unvisited() {
            0 => "each has visits".into(),
            some => format!("{} without a visit", thousands(some)),
        };
        let mut text = format!(
            "most visited of {} locations, {without}\n",
            thousands(self.facts.locations)
        );
        let chart = histogram_text(&rows, NAMES_WIDTH);
        for (line, (_, visits)) in chart.lines().zip(top) {
            let percent = 100.0 * visits as f64 / self.facts.symbols as f64;
            text += &format!("{line}  {percent:>5.1} %\n");
        }
        Some(text)
    }

    /// A label, and the name where it says more.
    fn name(&self, code: u32) -> String {
        let location = &self.universe.locations()[code as usize];
        match &location.name {
            Some(name) if *name != location.label => format!("{} {name}", location.label),
            _ => location.label.clone(),
        }
    }

    fn time(&self) -> Option<String> {
        let (heading, rows) = match self.times.as_ref()? {
            Times::Hours { zone, visits } => (
                format!("visits by hour of the day at which their bin begins ({zone})"),
                hour_rows(visits),
            ),
            Times::Bins(visits) => ("visits by time bin".into(), bin_rows(visits)),
        };
        Some(format!("{heading}\n{}", histogram_text(&rows, CHART_WIDTH)))
    }

    /// Where locations are, with the visits of each.
    fn points(&self) -> Vec<(Coordinate, u64)> {
        let locations = self.universe.locations().iter().zip(&self.facts.visits);
        let located = locations.filter_map(|(location, &visits)| Some((location.at?, visits)));
        located.collect()
    }

    /// A map; none where no location has coordinates.
    fn map(&self) -> Option<String> {
        let points = self.points();
        if points.is_empty() {
            return None;
        }
        let lacking = self.universe.len() - points.len();
        let note = match lacking {
            0 => String::new(),
            1 => "1 location without coordinates is not on the map\n".into(),
            some => format!(
                "{} locations without coordinates are not on the map\n",
                thousands(some as u64)
            ),
        };
        let map = map_text(&points, MAP_WIDTH);
        Some(format!("locations by visits\n{map}{note}"))
    }
}

fn hour_rows(visits: &[u64; HOURS]) -> Vec<(String, f64)> {
    let hours = visits.iter().enumerate();
    hours
        .map(|(hour, &visits)| (format!("{hour:02}"), visits as f64))
        .collect()
}

/// A row for each bin, or for several in a row where there are many.
fn bin_rows(visits: &[u64]) -> Vec<(String, f64)> {
    let together = visits.len().div_ceil(HOURS).max(1);
    let groups = visits.chunks(together).enumerate();
    groups
        .map(|(group, visits)| {
            let first = group * together;
            let last = first + visits.len() - 1;
            let label = if first == last {
                first.to_string()
            } else {
                format!("{first}–{last}")
            };
            (label, visits.iter().sum::<u64>() as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_bins_share_rows() {
        let labels = |bins: usize| -> Vec<String> {
            let rows = bin_rows(&vec![1; bins]);
            assert!(rows.len() <= HOURS);
            assert_eq!(rows.iter().map(|row| row.1).sum::<f64>(), bins as f64);
            rows.into_iter().map(|row| row.0).collect()
        };
        assert_eq!(labels(3), ["0", "1", "2"]);
        assert_eq!(labels(24).len(), 24);
        let some = labels(25);
        assert_eq!((some.len(), some[0].as_str()), (13, "0–1"));
        assert_eq!(some[12], "24");
    }
}
