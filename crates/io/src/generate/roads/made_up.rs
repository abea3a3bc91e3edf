//! A road network of a town, by rule: always the same, about the size of Oldenburg's.
//!
//! Streets form a grid, denser towards the middle and nowhere straight. A river crosses it from
//! west to east under six bridges, a canal joins the river, and many streets have a dead end
//! beside them. The numbers of vertices and edges are those of Brinkhoff's network of Oldenburg.

use wayveil_core::Result;

use super::network::{Edge, RoadNetwork, UNIT};
use crate::generate::network::{Point, hashed, jitter};

/// Crossings in each direction.
const SIDE: u32 = 32;
/// The side of the town's box, before crossings are moved about.
const TOWN: f64 = 10_000.0;
/// Bends of each street between two crossings; so many streets have one more.
const BENDS: u32 = 2;
const MORE_BENDS: usize = 538;
/// Dead ends.
const DEAD_ENDS: usize = 635;
/// The river lies north of this row of streets; bridges are at these columns.
const RIVER: u32 = 12;
const BRIDGES: [u32; 6] = [3, 9, 14, 17, 22, 28];
/// The canal lies east of this column, along these rows.
const CANAL: u32 = 20;
const CANAL_ROWS: std::ops::Range<u32> = 13..17;
/// Purposes of fixed numbers, different from all others.
const PURPOSE: u64 = 300;

/// A network in the making.
#[derive(Default)]
struct Town {
    at: Vec<Point>,
    edges: Vec<(u32, u32)>,
    /// Bends that have no dead end yet, with the direction of their street.
    bends: Vec<(u32, Point)>,
}

pub(super) fn network() -> Result<RoadNetwork> {
    let town = Town::build();
    let whole = |number: f64| (number * UNIT).round() as i64;
    let at: Vec<(i64, i64)> = town
        .at
        .iter()
        .map(|at| (whole(at.x), whole(at.y)))
        .collect();
    let edges = town.edges.iter().map(|&(from, to)| {
        let length = town.at[from as usize].distance(town.at[to as usize]);
        Edge {
            from,
            to,
            length: whole(length) as u64,
        }
    });
    RoadNetwork::new(&at, edges.collect(), false)
}

impl Town {
    fn build() -> Self {
        let mut town = Self::default();
        let crossings = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
        town.at.extend(crossings.map(|(x, y)| crossing(x, y)));
        let streets = streets();
        let more = first_by_hash(streets.len(), MORE_BENDS, PURPOSE);
        for (number, &(from, to)) in streets.iter().enumerate() {
            town.add_street(number as u64, from, to, BENDS + u32::from(more[number]));
        }
        let chosen = first_by_hash(town.bends.len(), DEAD_ENDS, PURPOSE + 1);
        let bends = std::mem::take(&mut town.bends);
        for ((bend, along), _) in bends.into_iter().zip(chosen).filter(|(_, chosen)| *chosen) {
            town.add_dead_end(bend, along);
        }
        town
    }

    fn add(&mut self, at: Point) -> u32 {
        self.at.push(at);
        self.at.len() as u32 - 1
    }

    /// A street between two crossings, bent a little to either side.
    fn add_street(&mut self, number: u64, from: u32, to: u32, bends: u32) {
        let (start, end) = (self.at[from as usize], self.at[to as usize]);
        let (x, y) = (end.x - start.x, end.y - start.y);
        let mut last = from;
        for bend in 1..=bends {
            let part = f64::from(bend) / f64::from(bends + 1);
            let aside = 0.06 * jitter(PURPOSE + 2, 8 * number + u64::from(bend));
            let at = Point {
                x: start.x + part * x - aside * y,
                y: start.y + part * y + aside * x,
            };
            let vertex = self.add(at);
            self.edges.push((last, vertex));
            self.bends.push((vertex, Point { x, y }));
            last = vertex;
        }
        self.edges.push((last, to));
    }

    /// A short way off a street, to its left or right.
    fn add_dead_end(&mut self, bend: u32, along: Point) {
        let at = self.at[bend as usize];
        let aside = 0.25 + 0.1 * jitter(PURPOSE + 3, bend.into());
        let aside = match hashed(PURPOSE + 4, bend.into()) % 2 {
            0 => aside,
            _ => -aside,
        };
        let end = self.add(Point {
            x: at.x - aside * along.y,
            y: at.y + aside * along.x,
        });
        self.edges.push((bend, end));
    }
}

/// Pairs of neighbouring crossings with a street between them.
fn streets() -> Vec<(u32, u32)> {
    let mut streets = Vec::new();
    for y in 0..SIDE {
        for x in 0..SIDE {
            let here = y * SIDE + x;
            let canal = x == CANAL && CANAL_ROWS.contains(&y);
            if x + 1 < SIDE && !canal {
                streets.push((here, here + 1));
            }
            let river = y == RIVER && !BRIDGES.contains(&x);
            if y + 1 < SIDE && !river {
                streets.push((here, here + SIDE));
            }
        }
    }
    streets
}

/// Where a crossing is: closer together in the middle of the town, and moved about.
fn crossing(x: u32, y: u32) -> Point {
    let number = u64::from(y * SIDE + x);
    let place = |step: u32, purpose: u64| {
        let from_middle = 2.0 * f64::from(step) / f64::from(SIDE - 1) - 1.0;
        let moved = from_middle + 0.02 * jitter(purpose, number);
        TOWN / 2.0 * (1.0 + moved * (0.7 + 0.3 * moved * moved))
    };
    Point {
        x: place(x, PURPOSE + 5),
        y: place(y, PURPOSE + 6),
    }
}

/// Marks so many of the positions, spread by their fixed numbers.
fn first_by_hash(positions: usize, count: usize, purpose: u64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..positions).collect();
    order.sort_by_key(|&position| hashed(purpose, position as u64));
    let mut marked = vec![false; positions];
    for position in order.into_iter().take(count) {
        marked[position] = true;
    }
    marked
}
