//! The transit network: a public input, made by a fixed rule.
//!
//! Lines are smooth curves. Each has stations of its own and stops at stations of other lines
//! that lie in its way; those are where passengers change. Positions are computed with the four
//! operations and square roots alone, which are exact to the last bit on every platform, so that
//! a universe of a given size has one digest everywhere.

mod curve;
mod document;
mod geometry;
mod names;
mod nearby;
mod survey;

pub(super) use document::coordinate;
pub(super) use geometry::{Point, hashed, jitter};

/// What runs on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Metro,
    Bus,
}

/// What the modes differ in.
pub(super) struct Habit {
    /// The name of the mode and, with a number, of its lines.
    pub(super) name: &'static str,
    /// The letter that its stations' labels begin with.
    pub(super) letter: char,
    /// The least number of digits in a label.
    pub(super) digits: usize,
    /// What a stop's name ends in.
    pub(super) suffix: &'static str,
    /// Stations that a line has of its own, about.
    pub(super) stations_per_line: u32,
    /// Stations of other lines that a line stops at, about.
    pub(super) shared_per_line: f64,
    /// Kilometres between two stations, about.
    pub(super) spacing: f64,
    /// A line stops at another line's station within this many kilometres of its course. Metro
    /// lines that cross always meet; buses may miss each other by a block.
    pub(super) snap: f64,
    /// How many times more passengers a station or a line attracts than one of another mode.
    pub(super) appeal: u64,
}

impl Mode {
    pub(super) fn habit(self) -> &'static Habit {
        match self {
            Mode::Metro => &Habit {
                name: "metro",
                letter: 'M',
                digits: 2,
                suffix: "",
                stations_per_line: 17,
                shared_per_line: 2.0,
                spacing: 0.95,
                snap: 0.7,
                appeal: 7,
            },
            Mode::Bus => &Habit {
                name: "bus",
                letter: 'B',
                digits: 4,
                suffix: " Street",
                stations_per_line: 30,
                shared_per_line: 6.0,
                spacing: 0.45,
                snap: 0.2,
                appeal: 1,
            },
        }
    }
}

/// A place where passengers get on and off.
#[derive(Clone, Debug)]
pub(super) struct Station {
    pub(super) mode: Mode,
    /// The line it belongs to: the lowest-numbered one that stops there.
    pub(super) line: u32,
    /// Kilometres east and north of the city's centre.
    pub(super) at: Point,
}

/// The stations of a line in the order in which it stops there.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) mode: Mode,
    pub(super) stops: Vec<u32>,
}

/// A line at a station, and the position of the station among the line's stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) line: u32,
    pub(super) position: u32,
}

/// Lines and stations. Every station is on a line with another station, and all are connected.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) stations: Vec<Station>,
    pub(super) lines: Vec<Line>,
    calls: Vec<Vec<Call>>,
}

impl Network {
    /// Builds the modes one after the other, so that later ones can stop at stations of earlier
    /// ones.
    pub(super) fn build(stations_by_mode: &[(Mode, u32)]) -> Self {
        let mut survey = survey::Survey::default();
        for &(mode, stations) in stations_by_mode {
            survey.lay_out(mode, stations);
        }
        let (stations, lines) = survey.finish();
        let mut calls = vec![Vec::new(); stations.len()];
        for (line, Line { stops, .. }) in (0u32..).zip(&lines) {
            // Nobody can ride on a line with one stop.
            let stops = if stops.len() < 2 {
                &[]
            } else {
                stops.as_slice()
            };
            for (position, &station) in (0u32..).zip(stops) {
                calls[station as usize].push(Call { line, position });
            }
        }
        Self {
            stations,
            lines,
            calls,
        }
    }

    /// The lines that stop at a station; at least one.
    pub(super) fn calls(&self, station: u32) -> &[Call] {
        &self.calls[station as usize]
    }

    /// Whether one line stops at both stations.
    pub(super) fn share_a_line(&self, one: u32, other: u32) -> bool {
        let others = self.calls(other);
        self.calls(one)
            .iter()
            .any(|call| others.iter().any(|other| other.line == call.line))
    }

    /// The distance between two stations as the crow flies, in kilometres.
    pub(super) fn distance(&self, one: u32, other: u32) -> f64 {
        let [one, other] = [one, other].map(|station| self.stations[station as usize].at);
        one.distance(other)
    }
}

#[cfg(test)]
mod tests;
