//! Raw data and a release, counted the same way, for the publisher to look at.

use wayveil_core::Universe;
use wayveil_evaluate::Portrait;
use wayveil_evaluate::portrait::Flows;
use wayveil_report::{Comparison, Flow, Line, Row, Station};

/// Flows worth drawing; more only cover each other.
const FLOWS: usize = 30;

/// Puts both sides over one universe. The result has seen raw data: to be called inside `Raw::inspect`.
pub(crate) fn comparison(
    universe: &Universe,
    raw: &Portrait,
    released: &Portrait,
    words: Words,
) -> Comparison {
    let stations = universe
        .locations()
        .iter()
        .zip(raw.visits.iter().zip(&released.visits))
        .map(|(location, (&raw, &released))| Station {
            label: location.label.clone(),
            name: location.name.clone(),
            at: location.at,
            raw: raw as f64,
            released: released as f64,
        })
        .collect();
    Comparison {
        title: words.title,
        note: words.note,
        release_name: words.release_name,
        stations,
        lines: lines(universe),
        lengths: lengths(&raw.lengths, &released.lengths),
        flows_raw: strongest(&raw.flows),
        flows_released: strongest(&released.flows),
    }
}

/// What stands around the pictures.
pub(crate) struct Words {
    pub(crate) title: String,
    pub(crate) note: String,
    pub(crate) release_name: String,
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
fn lengths(raw: &[u64], released: &[u64]) -> Vec<Row> {
    let at = |lengths: &[u64], length: usize| lengths.get(length).copied().unwrap_or(0) as f64;
    let longest = |lengths: &[u64]| lengths.len().saturating_sub(1);
    let last = longest(released).max(longest(raw).min(6));
    let mut rows: Vec<Row> = (1..=last)
        .map(|length| Row::new(length.to_string(), at(raw, length), at(released, length)))
        .collect();
    let longer: u64 = raw.iter().skip(last + 1).sum();
    if longer > 0 {
        rows.push(Row::new("more", longer as f64, 0.0));
    }
    rows
}

/// The most frequent moves from one location to the next.
fn strongest(flows: &Flows) -> Vec<Flow> {
    let flow = |flow: &wayveil_evaluate::portrait::Flow| Flow {
        from: flow.from as usize,
        to: flow.to as usize,
        count: flow.count as f64,
    };
    flows.strongest.iter().take(FLOWS).map(flow).collect()
}
