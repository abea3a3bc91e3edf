//! The network as a universe: stations with coordinates, and a taxonomy of lines.

use wayveil_core::{Coordinate, Group, Location, Origin, Result, Universe, UniverseDocument};

use super::{Mode, Network, Point, names};
use crate::generate::Preset;

/// The centre of the invented city.
const CENTRE: Coordinate = Coordinate {
    lat: 45.5,
    lng: -73.6,
};
/// Kilometres in a degree of latitude, and of longitude at the centre.
const DEGREE: Point = Point { x: 77.94, y: 111.2 };

impl Network {
    /// The public set of locations; a station's code is its position. The taxonomy's groups are
    /// lines, within modes where there are several.
    pub(in crate::generate) fn universe(&self, preset: Preset) -> Result<Universe> {
        let mut modes: Vec<Mode> = self.lines.iter().map(|line| line.mode).collect();
        modes.dedup();
        let mut groups = Vec::new();
        if modes.len() > 1 {
            groups.extend(modes.iter().map(|mode| Group {
                label: mode.habit().name.to_owned(),
                parent: None,
            }));
        }
        let above = groups.len();
        for (parent, &mode) in (0u32..).zip(&modes) {
            let lines = self.lines.iter().filter(|line| line.mode == mode);
            groups.extend((1..).zip(lines).map(|(number, _)| Group {
                label: format!("{}-{number}", mode.habit().name),
                parent: (above > 0).then_some(parent),
            }));
        }
        Universe::try_from(UniverseDocument {
            origin: Origin::Declared(format!("generator {preset}")),
            locations: self.locations(above as u32),
            groups,
        })
    }

    fn locations(&self, first_line_group: u32) -> Vec<Location> {
        let count = |mode| self.stations.iter().filter(|s| s.mode == mode).count();
        let counts = [count(Mode::Metro), count(Mode::Bus)];
        let mut numbers = [0; 2];
        let mut locations = Vec::with_capacity(self.stations.len());
        for station in &self.stations {
            let mode = station.mode as usize;
            numbers[mode] += 1;
            locations.push(Location {
                label: names::label(station.mode, numbers[mode], counts[mode]),
                name: Some(names::name(station.mode, numbers[mode])),
                at: Some(coordinate(station.at)),
                group: Some(first_line_group + station.line),
            });
        }
        locations
    }
}

/// Degrees to six decimals, a tenth of a metre.
pub(in crate::generate) fn coordinate(at: Point) -> Coordinate {
    let round = |degrees: f64| (degrees * 1e6).round() / 1e6;
    Coordinate {
        lat: round(CENTRE.lat + at.y / DEGREE.y),
        lng: round(CENTRE.lng + at.x / DEGREE.x),
    }
}
