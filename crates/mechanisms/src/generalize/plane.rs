//! A public square on the earth, cut into a grid of integers.
//!
//! Exact noise needs integers, and a bounded sum needs a bounded region. The plane touches the earth in
//! the middle of public places; a place is drawn at its true distance and direction from there
//! (azimuthal equidistant), so that the antimeridian and the poles are like any other place. Distances
//! between two places are true to about 1 % within 1,500 km of the middle, and grow beyond.

use rayon::prelude::*;
use wayveil_core::{Coordinate, Error, Result};

use super::sphere::{Vector, normalised, place, vector};

/// Grid positions lie from −REACH to REACH on both axes.
pub const REACH: i64 = 1000;

/// The least half side of the square in radians: six metres, for places that are all the same.
const LEAST_HALF: f64 = 1e-6;

/// A position on the grid, both coordinates within ±[`REACH`].
pub type GridPoint = [i64; 2];

/// A square about the middle of some public places.
#[derive(Clone, Debug)]
pub struct Plane {
    middle: Vector,
    east: Vector,
    north: Vector,
    /// One step of the grid, in radians.
    step: f64,
}

impl Plane {
    /// The least square, about the middle of these places, that holds them all. They must be public: a
    /// universe's locations, or the corners of a box.
    pub fn around(places: &[Coordinate]) -> Result<Self> {
        let first = places.first().ok_or_else(|| {
            Error::input("there are no places to lay a plane through")
                .hint("clusters need public places: give a universe with coordinates")
        })?;
        let sum = places.iter().fold([0.0; 3], |sum, &place| {
            let vector = vector(place);
            [sum[0] + vector[0], sum[1] + vector[1], sum[2] + vector[2]]
        });
        // Places all around the earth have no middle; any of them will do.
        let lost = sum
            .iter()
            .all(|part| part.abs() < 1e-9 * places.len() as f64);
        let middle = normalised(sum).filter(|_| !lost).unwrap_or(vector(*first));
        let east = normalised([-middle[1], middle[0], 0.0]).unwrap_or([0.0, 1.0, 0.0]);
        let north = cross(middle, east);
        let mut plane = Self {
            middle,
            east,
            north,
            step: 1.0,
        };
        let half = places
            .par_iter()
            .map(|&place| {
                let [x, y] = plane.project(place);
                x.abs().max(y.abs())
            })
            .reduce(|| LEAST_HALF, f64::max);
        plane.step = half / REACH as f64;
        Ok(plane)
    }

    /// Radians to the east and to the north.
    fn project(&self, place: Coordinate) -> [f64; 2] {
        let point = vector(place);
        let (x, y) = (dot(point, self.east), dot(point, self.north));
        let sine = x.hypot(y);
        let angle = sine.atan2(dot(point, self.middle));
        match sine > 0.0 {
            true => [angle * x / sine, angle * y / sine],
            // The middle itself, or its antipode, which lies in every direction.
            false => [angle, 0.0],
        }
    }

    /// The grid position of a place. What lies outside the square comes to its border, so that the
    /// bound on a coordinate holds for every place whatever.
    pub fn grid(&self, place: Coordinate) -> GridPoint {
        // A cast saturates, and makes zero of what is no number.
        let step = |radians: f64| ((radians / self.step).round() as i64).clamp(-REACH, REACH);
        self.project(place).map(step)
    }

    /// The place of a grid position.
    pub fn place(&self, [x, y]: GridPoint) -> Coordinate {
        let (x, y) = (x as f64 * self.step, y as f64 * self.step);
        let angle = x.hypot(y);
        let (sine, cosine) = angle.sin_cos();
        let (east, north) = match angle > 0.0 {
            true => (x / angle * sine, y / angle * sine),
            false => (0.0, 0.0),
        };
        place(std::array::from_fn(|axis| {
            self.middle[axis] * cosine + self.east[axis] * east + self.north[axis] * north
        }))
    }
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::generalize::sphere::squared_chord;

    fn at(lat: f64, lng: f64) -> Coordinate {
        Coordinate { lat, lng }
    }

    #[test]
    fn a_square_by_hand() {
        let plane =
            Plane::around(&[at(1.0, 0.0), at(-1.0, 0.0), at(0.0, 1.0), at(0.0, -1.0)]).unwrap();
        assert_eq!(plane.grid(at(0.0, 0.0)), [0, 0]);
        assert_eq!(plane.grid(at(1.0, 0.0)), [0, REACH]);
        assert_eq!(plane.grid(at(0.0, -0.5)), [-REACH / 2, 0]);
        assert_eq!(plane.grid(at(0.0, 77.0)), [REACH, 0]);
        assert!(Plane::around(&[]).is_err());
    }

    #[test]
    fn the_antimeridian_and_the_poles_are_ordinary_places() {
        let across = Plane::around(&[at(0.0, 179.0), at(0.0, -179.0)]).unwrap();
        assert_eq!(across.grid(at(0.0, 180.0)), [0, 0]);
        assert_eq!(across.grid(at(0.0, -179.0)), [REACH, 0]);
        let corners: Vec<_> = [0.0, 90.0, 180.0, -90.0].map(|lng| at(89.0, lng)).into();
        let pole = Plane::around(&corners).unwrap();
        let mut seen: Vec<_> = corners.iter().map(|&corner| pole.grid(corner)).collect();
        seen.sort();
        let full = |point: &GridPoint| point[0].abs() + point[1].abs() >= REACH;
        assert!(seen.iter().all(full), "{seen:?}");
        seen.dedup();
        assert_eq!(seen.len(), 4);
        assert_eq!(pole.grid(at(90.0, 12.0)), [0, 0]);
    }

    #[test]
    fn one_place_and_places_without_a_middle_have_a_plane() {
        let one = Plane::around(&[at(45.0, 7.0)]).unwrap();
        assert_eq!(one.grid(at(45.0, 7.0)), [0, 0]);
        let around = [at(0.0, 0.0), at(0.0, 90.0), at(0.0, 180.0), at(0.0, -90.0)];
        let plane = Plane::around(&around).unwrap();
        for place in around {
            let [x, y] = plane.grid(place);
            assert!(x.abs() <= REACH && y.abs() <= REACH);
        }
    }

    proptest! {
        #[test]
        fn there_and_back_within_a_step(
            middle in (-90.0..=90.0f64, -180.0..=180.0f64), x in -REACH..=REACH, y in -REACH..=REACH,
        ) {
            let north = if middle.0 > 89.0 { -0.5 } else { 0.5 };
            let plane = Plane::around(&[at(middle.0, middle.1), at(middle.0 + north, middle.1)]).unwrap();
            prop_assert_eq!(plane.grid(plane.place([x, y])), [x, y]);
        }

        #[test]
        fn every_place_lies_within_reach(
            places in prop::collection::vec((-90.0..=90.0f64, -180.0..=180.0f64), 2..6),
        ) {
            let places: Vec<_> = places.into_iter().map(|(lat, lng)| at(lat, lng)).collect();
            let plane = Plane::around(&places[1..]).unwrap();
            for &place in &places {
                let [x, y] = plane.grid(place);
                prop_assert!(x.abs() <= REACH && y.abs() <= REACH);
            }
            // What the plane was laid around is not moved by more than a step.
            for &place in &places[1..] {
                let back = plane.place(plane.grid(place));
                let moved = squared_chord(&vector(place), &vector(back)).sqrt();
                prop_assert!(moved <= plane.step * 1.5 + 1e-9, "{} {}", moved, plane.step);
            }
        }
    }
}
