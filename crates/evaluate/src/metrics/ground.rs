//! Distances between locations, in metres on a sphere.

use rayon::prelude::*;
use wayveil_core::{Coordinate, Result, Sequences};

use super::counting::check_codes;
use crate::compared::Compared;

/// The earth's mean radius in metres (IUGG).
pub(super) const EARTH_RADIUS: f64 = 6_371_008.8;

/// A point of the unit sphere.
pub(super) type Direction = [f64; 3];

/// Where all locations are.
pub(super) struct Ground {
    /// In degrees, by code.
    pub(super) coordinates: Vec<Coordinate>,
    /// On the unit sphere, by code.
    pub(super) directions: Vec<Direction>,
}

impl Ground {
    /// None where a location of the universe has no coordinates.
    pub(super) fn of(compared: &Compared<'_>) -> Result<Option<Self>> {
        check_codes(compared)?;
        let coordinates: Option<Vec<Coordinate>> = compared
            .universe
            .locations()
            .iter()
            .map(|location| location.at)
            .collect();
        Ok(coordinates.map(|coordinates| Self {
            directions: coordinates.iter().copied().map(direction).collect(),
            coordinates,
        }))
    }

    /// Great-circle distance of two locations in metres.
    pub(super) fn distance(&self, a: u32, b: u32) -> f64 {
        metres(chord(
            self.directions[a as usize],
            self.directions[b as usize],
        ))
    }
}

/// Both sides' numbers, one for each record that visits a location at all.
pub(super) fn per_record(
    compared: &Compared<'_>,
    number: impl Fn(&[u32]) -> f64 + Sync,
) -> (Vec<f64>, Vec<f64>) {
    let of = |sequences: &Sequences| {
        (0..sequences.len())
            .into_par_iter()
            .map(|record| sequences.codes_of(record))
            .filter(|codes| !codes.is_empty())
            .map(&number)
            .collect()
    };
    (of(compared.raw), of(&compared.released))
}

/// A point of the earth on the unit sphere.
pub(super) fn direction(at: Coordinate) -> Direction {
    let (lat, lng) = (at.lat.to_radians(), at.lng.to_radians());
    [lat.cos() * lng.cos(), lat.cos() * lng.sin(), lat.sin()]
}

/// Squared straight distance through the unit sphere; grows with the distance on it.
pub(super) fn chord(a: Direction, b: Direction) -> f64 {
    let difference = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    difference.iter().map(|d| d * d).sum()
}

/// The distance along the earth's surface that belongs to a squared chord. This is the haversine
/// formula: the haversine of the angle is a quarter of the squared chord.
pub(super) fn metres(chord: f64) -> f64 {
    2.0 * EARTH_RADIUS * (chord.sqrt() / 2.0).min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
        let at = |(lat, lng)| direction(Coordinate { lat, lng });
        metres(chord(at(a), at(b)))
    }

    #[test]
    fn known_distances() {
        let quarter = std::f64::consts::FRAC_PI_2 * EARTH_RADIUS;
        for (a, b, expected) in [
            ((0.0, 0.0), (0.0, 90.0), quarter),
            ((0.0, 0.0), (0.0, 180.0), 2.0 * quarter),
            ((90.0, 0.0), (0.0, 33.0), quarter),
            ((0.0, 179.0), (0.0, -179.0), quarter / 45.0),
            ((12.0, 7.0), (12.0, 7.0), 0.0),
        ] {
            let found = distance(a, b);
            assert!((found - expected).abs() < 1e-6, "{a:?} {b:?}: {found}");
        }
        // A metre apart.
        let degree = 1.0 / (quarter / 90.0);
        assert!((distance((45.0, 9.0), (45.0 + degree, 9.0)) - 1.0).abs() < 1e-8);
    }
}
