//! A made-up metro, raw against a made-up release: `cargo run --example sample > sample.svg`.
//!
//! With `bars`, the same without coordinates; with `text`, for a terminal.

use wayveil_core::Coordinate;
use wayveil_report::{Comparison, Flow, Line, Row, Station, bar_table, histogram_text, picture};

/// A line: its name, where it starts, passes and ends, and how many stations it has.
const LINES: [(&str, Course, usize); 4] = [
    (
        "Harbour line",
        [[48.095, 11.30], [48.125, 11.58], [48.09, 11.86]],
        19,
    ),
    (
        "University line",
        [[48.20, 11.31], [48.172, 11.58], [48.205, 11.85]],
        19,
    ),
    (
        "Market line",
        [[48.235, 11.47], [48.15, 11.52], [48.04, 11.64]],
        17,
    ),
    (
        "Stadium line",
        [[48.235, 11.74], [48.15, 11.65], [48.045, 11.51]],
        17,
    ),
];
type Course = [[f64; 2]; 3];
const FIRST: [&str; 17] = [
    "North",
    "South",
    "East",
    "West",
    "Old",
    "New",
    "Upper",
    "Lower",
    "Saint Mary",
    "King",
    "Queen",
    "Mill",
    "Castle",
    "Garden",
    "River",
    "Stone",
    "Linden",
];
const SECOND: [&str; 7] = [
    "Gate", "Bridge", "Square", "Park", "Hill", "Street", "Field",
];

fn main() {
    let comparison = metro();
    match std::env::args().nth(1).as_deref() {
        Some("bars") => print!("{}", picture(&without_places(comparison))),
        Some("text") => print_text(&comparison),
        _ => print!("{}", picture(&comparison)),
    }
}

fn metro() -> Comparison {
    let mut noise = Noise(11);
    let mut stations: Vec<Station> = Vec::new();
    let mut lines = Vec::new();
    for (name, course, count) in LINES {
        let mut line = Line {
            name: name.into(),
            stations: Vec::new(),
        };
        for stop in 0..count {
            let at = along(course, stop as f64 / (count - 1) as f64);
            let crossing = stations.iter().position(|station| {
                let there = station.at.expect("every station has a place");
                (there.lat - at.lat).hypot(0.67 * (there.lng - at.lng)) < 0.0086
            });
            line.stations.push(crossing.unwrap_or(stations.len()));
            if crossing.is_none() {
                stations.push(station(stations.len(), at, &mut noise));
            }
        }
        lines.push(line);
    }
    for line in &lines {
        for &stop in &line.stations {
            stations[stop].raw *= 1.06;
        }
    }
    for station in &mut stations {
        station.raw = station.raw.round();
        station.released = (station.raw + 160.0 * noise.next()).max(0.0).round();
    }
    let flows_raw = flows(&lines, &stations);
    let flows_released = flows_raw
        .iter()
        .map(|flow| Flow {
            count: flow.count * (1.0 + 0.25 * noise.next()),
            ..*flow
        })
        .collect();
    Comparison {
        title: format!("A made-up metro of {} stations, one week", stations.len()),
        note: "Whatever this release shows, it would have shown with nearly the same probability \
               (within a factor of e^1) without any one person's trajectories. This holds \
               whatever else an attacker knows."
            .into(),
        release_name: "Release (ε = 1)".into(),
        stations,
        lines,
        lengths: lengths(&mut noise),
        flows_raw,
        flows_released,
    }
}

fn station(index: usize, at: Coordinate, noise: &mut Noise) -> Station {
    let from_centre = (at.lat - 48.14).hypot(0.67 * (at.lng - 11.58));
    let name = format!("{} {}", FIRST[index % 17], SECOND[index % 7]);
    Station {
        label: format!("S{index:02}"),
        name: Some(name),
        at: Some(at),
        raw: 5200.0 * (-from_centre / 0.055).exp() * (1.0 + 0.5 * noise.next()) + 180.0,
        released: 0.0,
    }
}

/// A gentle curve through three points.
fn along([start, middle, end]: Course, t: f64) -> Coordinate {
    let at = |axis: usize| {
        let bend = 2.0 * middle[axis] - (start[axis] + end[axis]) / 2.0;
        (1.0 - t).powi(2) * start[axis] + 2.0 * t * (1.0 - t) * bend + t * t * end[axis]
    };
    Coordinate {
        lat: at(0),
        lng: at(1),
    }
}

fn flows(lines: &[Line], stations: &[Station]) -> Vec<Flow> {
    let mut flows = Vec::new();
    for line in lines {
        for (near, &from) in line.stations.iter().enumerate() {
            for (far, &to) in line.stations.iter().enumerate() {
                let hops = near.abs_diff(far) as f64;
                let count =
                    stations[from].raw * stations[to].raw / 3e4 * (-(hops - 5.0).abs()).exp();
                if from != to && count > 1.0 {
                    flows.push(Flow { from, to, count });
                }
            }
        }
    }
    flows
}

fn lengths(noise: &mut Noise) -> Vec<Row> {
    let row = |length: usize| {
        let raw = 9000.0 * (length as f64).powf(1.3) * (-(length as f64) / 2.6).exp();
        let released = (raw + 150.0 * noise.next()).max(0.0);
        let label = if length > 20 {
            "more".into()
        } else {
            length.to_string()
        };
        Row::new(label, raw, released)
    };
    (1..=21).map(row).collect()
}

fn without_places(mut comparison: Comparison) -> Comparison {
    for station in &mut comparison.stations {
        station.at = None;
    }
    comparison
}

fn print_text(comparison: &Comparison) {
    let row = |station: &Station| {
        Row::new(
            station.name.as_deref().unwrap_or_default(),
            station.raw,
            station.released,
        )
    };
    let mut rows: Vec<Row> = comparison.stations.iter().map(row).collect();
    rows.sort_by(|a, b| b.raw.total_cmp(&a.raw));
    rows.truncate(12);
    println!("{}", bar_table(&rows, 90));
    let lengths: Vec<(String, f64)> = comparison
        .lengths
        .iter()
        .map(|row| (row.label.clone(), row.released))
        .collect();
    print!("{}", histogram_text(&lengths, 60));
}

/// Numbers between −1 and 1, the same in every run; decoration, not privacy.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
