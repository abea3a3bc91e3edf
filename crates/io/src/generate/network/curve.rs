//! The course of each line, by rule.
//!
//! Metro lines cross the city in directions that a golden angle spreads evenly, each a little off
//! the centre, so that they meet in pairs around it. Buses run along the streets of a grid that
//! bends, and some of them from the edge towards the centre.

use std::f64::consts::PI;

use super::geometry::{EAST, GOLDEN, jitter};
use super::{Mode, Point};

/// Kilometres between parallel bus lines.
const STREETS_APART: f64 = 1.05;
/// Kilometres between metro lines, roughly.
const METROS_APART: f64 = 4.0;
/// The direction of the grid's first streets: the whole city is a little askew.
const AXIS: Point = Point { x: 0.96, y: 0.28 };

/// A curve through `mid`, straight but for a bend (to one side) and a twist (to both).
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    mid: Point,
    along: Point,
    half: f64,
    bend: f64,
    twist: f64,
}

impl Curve {
    /// The point at `t`, from −1 at one end to 1 at the other.
    pub(super) fn at(&self, t: f64) -> Point {
        let aside = self.bend * (t * t - 0.3) + self.twist * t * (1.0 - t * t);
        self.mid
            .moved(self.half * t, self.along)
            .moved(self.half * aside, self.along.left())
    }
}

/// The courses of a mode's lines, each with so many stations of its own.
pub(super) fn courses(mode: Mode, lines: u32, stations_per_line: u32) -> Vec<Curve> {
    let habit = mode.habit();
    let length = (f64::from(stations_per_line) + habit.shared_per_line) * habit.spacing;
    match mode {
        Mode::Metro => metro(lines, length),
        Mode::Bus => bus(lines, length),
    }
}

/// Midpoints spread evenly over a disc, like the seeds of a sunflower, with the direction in
/// which each lies.
fn sunflower(count: u32, radius: f64) -> impl Iterator<Item = (Point, Point)> {
    let mut direction = EAST;
    (0..count).map(move |index| {
        direction = direction.turned(GOLDEN);
        let from_centre = radius * (f64::from(index) / f64::from(count)).sqrt();
        (Point::default().moved(from_centre, direction), direction)
    })
}

fn metro(lines: u32, length: f64) -> Vec<Curve> {
    let count = f64::from(lines);
    // The disc that so many lines serve; few lines have their midpoints in its inner part.
    let served = (count * length * METROS_APART / 2.0 / PI).sqrt();
    sunflower(lines, served * count / (count + 6.0))
        .zip(0..)
        .map(|((mid, direction), index)| Curve {
            mid,
            along: match index {
                // The first lines cross in the middle; later ones run around and outward in turn.
                5.. if index % 2 == 1 => direction,
                _ => direction.left().turned(AXIS),
            },
            half: length / 2.0,
            bend: 0.35 * jitter(1, index),
            twist: 0.3 * jitter(2, index),
        })
        .collect()
}

fn bus(lines: u32, length: f64) -> Vec<Curve> {
    let radial = lines / 6;
    let streets = (lines - radial).div_ceil(2);
    let avenues = lines - radial - streets;
    let side = (f64::from(lines - radial) * length * STREETS_APART / 2.0).sqrt();
    let mut avenues = parallel(avenues, side, length, AXIS.left(), 4).into_iter();
    // In turn, so that every street finds an avenue to meet.
    let mut curves = Vec::with_capacity(lines as usize);
    for street in parallel(streets, side, length, AXIS, 3) {
        curves.push(street);
        curves.extend(avenues.next());
    }
    let spread = sunflower(
        radial,
        side * f64::from(radial) / f64::from(radial + 12) / 2.0,
    );
    curves.extend(spread.zip(0..).map(|((mid, direction), index)| Curve {
        mid,
        along: direction.left().turned(AXIS),
        half: length * 0.5,
        bend: 0.3 * jitter(5, index),
        twist: 0.3 * jitter(6, index),
    }));
    curves
}

/// Lines in one direction, the middle ones first; where the city is wider than a line is long,
/// several lines follow each other along one street.
fn parallel(lines: u32, side: f64, length: f64, along: Point, purpose: u64) -> Vec<Curve> {
    let per_street = ((side / length + 0.5) as u32).max(1);
    let streets = lines.div_ceil(per_street);
    let apart = side / f64::from(streets.max(1));
    (0..lines)
        .map(|index| {
            let (street, place) = (index / per_street, index % per_street);
            // 0, 1, −1, 2, −2, …
            let steps = f64::from(street.div_ceil(2)) * if street % 2 == 1 { 1.0 } else { -1.0 };
            let aside = apart * (steps + 0.15 * jitter(purpose, index.into()));
            let outward = aside / (side / 2.0);
            // The city is round rather than square.
            let reach = side * (1.0 - 0.35 * (outward * outward).min(1.0));
            let ahead = reach * ((f64::from(place) + 0.5) / f64::from(per_street) - 0.5);
            Curve {
                mid: Point::default()
                    .moved(ahead, along)
                    .moved(aside, along.left()),
                along,
                half: reach / f64::from(per_street) * 0.52,
                // Outer streets bend around the centre.
                bend: -0.18 * outward / f64::from(per_street)
                    + 0.02 * jitter(purpose + 10, index.into()),
                twist: 0.06 * jitter(purpose + 20, index.into()),
            }
        })
        .collect()
}
