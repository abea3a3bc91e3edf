//! Places and walks over them.

use wayveil_core::{
    Clock, Coordinate, Group, Location, Sequences, TimeAxis, Universe, UniverseDocument,
};

use super::{MadeUp, approximate, declared, kcl, local, none, pure};

/// Numbers that only look random, the same on every machine.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below.max(1)
    }
}

fn universe(locations: Vec<Location>, groups: Vec<Group>) -> Universe {
    Universe::try_from(UniverseDocument {
        origin: declared(),
        locations,
        groups,
    })
    .unwrap()
}

fn at(lat: f64, lng: f64) -> Option<Coordinate> {
    Some(Coordinate { lat, lng })
}

const LINES: [(&str, [f64; 4], usize); 4] = [
    ("Harbour line", [48.095, 11.30, 48.13, 11.86], 19),
    ("University line", [48.20, 11.31, 48.12, 11.85], 19),
    ("Market line", [48.235, 11.47, 48.04, 11.64], 17),
    ("Stadium line", [48.235, 11.74, 48.045, 11.51], 17),
];
const FIRST: [&str; 12] = [
    "North", "Old", "New", "Upper", "Castle", "King", "Mill", "Garden", "River", "Stone", "Linden",
    "Abbey",
];
const SECOND: [&str; 7] = [
    "Gate", "Bridge", "Square", "Park", "Hill", "Street", "Field",
];

/// Four lines of stations, each a group of the taxonomy.
pub fn metro() -> Universe {
    let mut locations = Vec::new();
    for (group, (_, [lat, lng, to_lat, to_lng], count)) in LINES.into_iter().enumerate() {
        for index in 0..count {
            let way = index as f64 / (count - 1) as f64;
            let bend = 0.018 * (way * 3.1 + group as f64).sin();
            let number = locations.len();
            locations.push(Location {
                label: format!("S{number:02}"),
                name: Some(format!(
                    "{} {}",
                    FIRST[number % FIRST.len()],
                    SECOND[number % SECOND.len()]
                )),
                at: at(
                    lat + way * (to_lat - lat) + bend,
                    lng + way * (to_lng - lng) + 0.6 * bend,
                ),
                group: Some(group as u32),
            });
        }
    }
    let group = |(label, ..): (&str, _, _)| Group {
        label: label.into(),
        parent: None,
    };
    universe(locations, LINES.map(group).into())
}

/// A grid of cells, as the program names them.
pub fn grid(rows: u32, columns: u32) -> Universe {
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let location = |(row, column): (u32, u32)| Location {
        label: format!("r{row:03}c{column:03}"),
        at: at(
            52.3 + 0.3 * f64::from(row) / f64::from(rows),
            13.1 + 0.6 * f64::from(column) / f64::from(columns),
        ),
        ..Location::default()
    };
    universe(cells.map(location).collect(), Vec::new())
}

/// Hexagons around a middle.
pub fn hexagons(side: i32, lat: f64, lng: f64) -> Universe {
    let (step, turn) = (0.0062, 0.31_f64);
    let mut locations = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let x = step * (f64::from(column - side / 2) + 0.5 * f64::from(row.rem_euclid(2)));
            let y = step * f64::from(row - side / 2) * 0.75_f64.sqrt();
            let (east, north) = (
                x * turn.cos() - y * turn.sin(),
                x * turn.sin() + y * turn.cos(),
            );
            let far = lng + east / lat.to_radians().cos();
            locations.push(Location {
                label: format!("881f1d4{:08x}", locations.len()),
                at: at(lat + north, if far > 180.0 { far - 360.0 } else { far }),
                ..Location::default()
            });
        }
    }
    universe(locations, Vec::new())
}

/// Bare labels.
pub fn labels(count: usize) -> Universe {
    let location = |index: usize| Location {
        label: format!("zone-{index:02}"),
        ..Location::default()
    };
    universe((0..count).map(location).collect(), Vec::new())
}

/// Stops strewn over a city, more of them in its middle.
pub fn stops(count: usize) -> Universe {
    let location = |index: usize| {
        let turn = index as f64 * 2.399_963;
        let away = 0.0028 * (index as f64).sqrt() * (1.0 + 0.2 * (turn * 3.0).sin());
        Location {
            label: format!("stop:{index}"),
            name: Some(format!(
                "{} {} {index}",
                FIRST[index % FIRST.len()],
                SECOND[index % SECOND.len()]
            )),
            at: at(52.5 + away * turn.sin(), 13.4 + 1.6 * away * turn.cos()),
            ..Location::default()
        }
    };
    universe((0..count).map(location).collect(), Vec::new())
}

/// Walks between neighbours: `width` is how many places a step across is away, `favour` how much the first
/// places are preferred.
pub fn walks(universe: &Universe, records: usize, width: u64, seed: u64) -> Sequences {
    let places = universe.len() as u64;
    let mut dice = Dice::new(seed);
    let mut sequences = Sequences::empty(false);
    for _ in 0..records {
        let near = dice.next(1 + places / 2);
        let near = dice.next(1 + near);
        let mut here = (dice.next(1 + near) * 5 + places / 3) % places;
        let length = 1 + dice.next(5) + dice.next(5);
        let way = [1, places - 1, width, places - width % places][dice.next(4) as usize];
        let mut codes = Vec::new();
        for _ in 0..length {
            codes.push(here as u32);
            here = if dice.next(9) == 0 {
                (here + width + 1) % places
            } else {
                (here + way) % places
            };
        }
        sequences.push(&codes, &[]);
    }
    sequences
}

/// The same with the half hours of a day: busy in the morning and in the evening.
pub fn timed_walks(universe: &Universe, records: usize, width: u64, seed: u64) -> Sequences {
    let plain = walks(universe, records, width, seed);
    let mut dice = Dice::new(seed + 1);
    let mut sequences = Sequences::empty(true);
    for codes in plain.iter() {
        let peak = if dice.next(5) < 3 { 15 } else { 34 };
        let start = peak + dice.next(4) + dice.next(4) - 3;
        let bins: Vec<u32> = (0..codes.len() as u64)
            .map(|step| ((start + step / 2) % 48) as u32)
            .collect();
        sequences.push(codes, &bins);
    }
    sequences
}

pub fn half_hours() -> TimeAxis {
    TimeAxis {
        clock: Some(Clock {
            starts: "2026-03-02T00:00:00+01:00".into(),
            bin_seconds: 1800,
            zone: "Europe/Berlin".into(),
        }),
        ..TimeAxis::new(48, declared())
    }
}

/// A release by name, with the raw data that it might have been made of.
pub fn sample(name: &str) -> (MadeUp, Sequences) {
    match name {
        "metro" => {
            let (universe, raw) = (metro(), walks(&metro(), 6000, 19, 1));
            let released = walks(&universe, 5870, 19, 2);
            (
                MadeUp::new(universe, released, pure("1"), "hybrid-tree").with_counts(4.5),
                raw,
            )
        }
        "labels" => {
            let (universe, raw) = (labels(44), walks(&labels(44), 1500, 6, 1));
            let released = walks(&universe, 1400, 6, 3);
            let release = MadeUp::new(universe, released, kcl(), "suppress");
            (
                release
                    .with_column("diagnosis", &["Flu", "HIV", "Asthma", "none"])
                    .with_column("age", &["20–39", "40–59"]),
                raw,
            )
        }
        "timed" => {
            let (universe, raw) = (grid(24, 32), timed_walks(&grid(24, 32), 9000, 32, 1));
            let released = timed_walks(&universe, 8700, 32, 2);
            let release = MadeUp::new(universe, released, approximate("2", "1e-6"), "prefix-tree");
            (release.timed(half_hours()).with_counts(3.0), raw)
        }
        "hexagons" => {
            let (universe, raw) = (
                hexagons(26, 40.41, -3.70),
                walks(&hexagons(26, 40.41, -3.70), 8000, 26, 1),
            );
            let released = walks(&universe, 8000, 26, 5);
            (
                MadeUp::new(universe, released, local("3"), "fastpub").with_fragments(),
                raw,
            )
        }
        "nothing" => {
            let (universe, raw) = (metro(), walks(&metro(), 900, 19, 1));
            let released = raw.clone();
            (MadeUp::new(universe, released, none(), "sample"), raw)
        }
        "stops" => {
            let (universe, raw) = (stops(8688), walks(&stops(8688), 120_000, 3, 1));
            let released = walks(&universe, 118_000, 3, 2);
            (
                MadeUp::new(universe, released, pure("1/2"), "hybrid-tree").with_counts(9.0),
                raw,
            )
        }
        _ => {
            let (universe, raw) = (grid(250, 400), walks(&grid(250, 400), 90_000, 400, 1));
            let released = walks(&universe, 91_000, 400, 2);
            (
                MadeUp::new(universe, released, pure("4"), "generalize").with_counts(2.0),
                raw,
            )
        }
    }
}

/// The names of all samples; the last one has 100,000 cells.
pub const SAMPLES: [&str; 7] = [
    "metro", "labels", "timed", "hexagons", "nothing", "stops", "cells",
];
