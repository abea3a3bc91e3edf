//! Raw data and a release, counted the same way, for the publisher to look at.

use std::collections::BTreeMap;

use wayveil_core::{Dataset, Release, Sequences, Universe};
use wayveil_report::{Comparison, Flow, Line, Row, Station};

use crate::facts::Facts;

/// Flows worth drawing; more only cover each other.
const FLOWS: usize = 30;

/// Counts both sides. The result has seen raw data: call it inside `Raw::inspect`.
pub(crate) fn compare(data: &Dataset, release: &Release, title: String) -> Comparison {
    let universe = data.universe();
    let raw = Facts::of(data.trips(), universe);
    let released = Facts::of(release.trajectories(), universe);
    let stations = universe
        .locations()
        .iter()
        .enumerate()
        .map(|(code, location)| Station {
            label: location.label.clone(),
            name: location.name.clone(),
            at: location.at,
            raw: raw.visits[code] as f64,
            released: released.visits[code] as f64,
        })
        .collect();
    let manifest = release.manifest();
    let epsilon = manifest
        .method
        .parameters
        .get("epsilon")
        .and_then(|value| value.as_str());
    Comparison {
        title,
        note: manifest.guarantee.in_words.clone(),
        release_name: epsilon.map_or("Release".into(), |epsilon| {
            format!("Release (ε = {epsilon})")
        }),
        stations,
        lines: lines(universe),
        lengths: lengths(&raw, &released),
        flows_raw: flows(data.trips()),
        flows_released: flows(release.trajectories()),
    }
}

/// The stations of each group of the taxonomy, in the universe's order.
fn lines(universe: &Universe) -> Vec<Line> {
    let Some(taxonomy) = universe.taxonomy() else {
        return Vec::new();
    };
    let mut lines: Vec<Line> = taxonomy
        .groups()
        .iter()
        .map(|group| Line {
            name: group.label.clone(),
            stations: Vec::new(),
        })
        .collect();
    for code in 0..universe.len() {
        lines[taxonomy.group_of(code as u32) as usize]
            .stations
            .push(code);
    }
    lines.retain(|line| !line.stations.is_empty());
    lines
}

/// Lengths up to the longest released one by themselves; what is longer, together.
fn lengths(raw: &Facts, released: &Facts) -> Vec<Row> {
    let at = |facts: &Facts, length: usize| facts.lengths.get(length).copied().unwrap_or(0) as f64;
    let last = released.max_length.max(raw.max_length.min(6));
    let mut rows: Vec<Row> = (1..=last)
        .map(|length| Row::new(length.to_string(), at(raw, length), at(released, length)))
        .collect();
    let longer: u64 = raw.lengths.iter().skip(last + 1).sum();
    if longer > 0 {
        rows.push(Row::new("more", longer as f64, 0.0));
    }
    rows
}

/// The most frequent moves from one location to the next.
fn flows(sequences: &Sequences) -> Vec<Flow> {
    let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for record in sequences.iter() {
        for pair in record.windows(2).filter(|pair| pair[0] != pair[1]) {
            *counts.entry((pair[0], pair[1])).or_default() += 1;
        }
    }
    let mut flows: Vec<((u32, u32), u64)> = counts.into_iter().collect();
    flows.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
    flows
        .into_iter()
        .take(FLOWS)
        .map(|((from, to), count)| Flow {
            from: from as usize,
            to: to as usize,
            count: count as f64,
        })
        .collect()
}
