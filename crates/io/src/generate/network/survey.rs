//! Puts stations on the courses of lines.
//!
//! Where a course comes near a station of another line, the line stops there instead of opening a
//! station of its own: that is what makes transfers, and keeps stations apart.

use super::curve::{self, Curve};
use super::nearby::Nearby;
use super::{Line, Mode, Point, Station};

/// How far a bus goes out of its way to call at a metro station, in kilometres.
const WALK: f64 = 1.0;
/// How far from the centre a city may reach, in kilometres; a larger one is drawn smaller.
const CITY: f64 = 25.0;

/// A stop that a line would make.
#[derive(Clone, Copy)]
enum Stop {
    At(u32),
    New(Point),
}

/// A network in the making.
#[derive(Default)]
pub(super) struct Survey {
    stations: Vec<Station>,
    lines: Vec<Line>,
    nearby: Nearby,
}

impl Survey {
    /// Adds the lines of a mode, with exactly so many stations of their own.
    pub(super) fn lay_out(&mut self, mode: Mode, stations: u32) {
        let per_line = mode.habit().stations_per_line;
        let lines = ((stations + per_line / 2) / per_line).max(1);
        let before = self.stations.len() as u32;
        let courses = curve::courses(mode, lines, stations / lines);
        for (index, course) in (0..lines).zip(courses) {
            // Differences of a running total, so that the sum is exact.
            let part = |lines_done: u32| {
                (u64::from(stations) * u64::from(lines_done) / u64::from(lines)) as usize
            };
            self.add_line(mode, &course, part(index + 1) - part(index));
        }
        self.feed(before);
    }

    fn add_line(&mut self, mode: Mode, course: &Curve, own: usize) {
        let stops = self.stops_along(course, own, mode.habit().snap);
        let line = self.lines.len() as u32;
        let mut codes: Vec<u32> = Vec::with_capacity(stops.len());
        let mut connected = self.stations.is_empty();
        for stop in stops {
            codes.push(match stop {
                Stop::At(station) => {
                    connected = true;
                    station
                }
                Stop::New(at) => {
                    self.stations.push(Station { mode, line, at });
                    self.stations.len() as u32 - 1
                }
            });
        }
        let first_own = self.stations.len() - own;
        if !connected {
            self.connect(&mut codes);
        }
        for station in first_own..self.stations.len() {
            self.nearby
                .insert(station as u32, self.stations[station].at);
        }
        self.lines.push(Line { mode, stops: codes });
    }

    /// Lets a line that meets no other call at the station nearest to any of its own, which are
    /// not among the nearby ones yet. The search widens until there is one.
    fn connect(&self, stops: &mut Vec<u32>) {
        let reaches = std::iter::successors(Some(1.0), |reach| Some(reach * 2.0));
        for reach in reaches.take(12) {
            let links = (0..stops.len()).filter_map(|position| {
                let at = self.stations[stops[position] as usize].at;
                let station = self.nearby.nearest(&self.stations, at, reach, |_| true)?;
                let apart = self.stations[station as usize].at.distance(at);
                Some((apart, position, station))
            });
            if let Some((_, position, station)) =
                links.min_by(|one, other| one.0.total_cmp(&other.0))
            {
                stops.insert(position + 1, station);
                return;
            }
        }
    }

    /// Stops at even steps along a course, as few as hold `own` new stations.
    fn stops_along(&self, course: &Curve, own: usize, reach: f64) -> Vec<Stop> {
        for points in own..=3 * own + 20 {
            let mut stops: Vec<Stop> = Vec::with_capacity(points);
            let mut new = 0;
            for index in 0..points {
                let at = course.at(step(index, points));
                match self.nearby.nearest(&self.stations, at, reach, |_| true) {
                    None => {
                        stops.push(Stop::New(at));
                        new += 1;
                    }
                    Some(station) if self.is_welcome(station, &stops) => {
                        stops.push(Stop::At(station));
                    }
                    Some(_) => {}
                }
                if new == own {
                    return stops;
                }
            }
        }
        // The course lies on other lines all the way; it gets its stations all the same.
        let points = (0..own).map(|index| Stop::New(course.at(step(index, own))));
        points.collect()
    }

    /// Whether a line that has made these stops makes one at another line's station: not twice, and
    /// not along that line for more than two stations.
    fn is_welcome(&self, station: u32, stops: &[Stop]) -> bool {
        let again = |stop: &Stop| matches!(*stop, Stop::At(other) if other == station);
        let line = |station: u32| self.stations[station as usize].line;
        let along = match stops {
            [.., Stop::At(one), Stop::At(other)] => {
                line(*one) == line(station) && line(*other) == line(station)
            }
            _ => false,
        };
        !along && !stops.iter().any(again)
    }

    /// Lets lines of the latest mode, whose stations begin at `before`, call at stations of
    /// earlier modes close by, as buses do at metro stations.
    fn feed(&mut self, before: u32) {
        let mut served = vec![false; before as usize];
        let first_line = self.stations.get(before as usize).map_or(0, |s| s.line) as usize;
        for &stop in self.lines[first_line..].iter().flat_map(|line| &line.stops) {
            if stop < before {
                served[stop as usize] = true;
            }
        }
        for station in (0..before).filter(|&station| !served[station as usize]) {
            let at = self.stations[station as usize].at;
            let own = |other| other >= before;
            let Some(stop) = self.nearby.nearest(&self.stations, at, WALK, own) else {
                continue;
            };
            let line = self.stations[stop as usize].line as usize;
            let stops = &mut self.lines[line].stops;
            if let Some(position) = stops.iter().position(|&other| other == stop) {
                stops.insert(position + 1, station);
            }
        }
    }

    /// The finished network, at the size of a city.
    pub(super) fn finish(mut self) -> (Vec<Station>, Vec<Line>) {
        let centre = Point::default();
        let reach = self
            .stations
            .iter()
            .map(|station| station.at.distance(centre));
        let reach = reach.fold(0.0, f64::max);
        if reach > CITY {
            for station in &mut self.stations {
                station.at = centre.moved(CITY / reach, station.at);
            }
        }
        (self.stations, self.lines)
    }
}

/// The place of a point among equally spaced ones, from −1 to 1.
fn step(index: usize, points: usize) -> f64 {
    if points < 2 {
        return 0.0;
    }
    2.0 * index as f64 / (points - 1) as f64 - 1.0
}
