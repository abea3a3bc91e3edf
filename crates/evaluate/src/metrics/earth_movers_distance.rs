//! How far visits would have to be moved to turn one side into the other.

use wayveil_core::{Coordinate, Result};

use super::counting::visits;
use super::ground::{Direction, Ground, chord, direction, metres};
use super::transport::least_cost;
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Earth mover's distance of the visits.
pub(super) static METRIC: Metric = Metric {
    name: "earth-movers-distance",
    about: "how many metres an average visit must be moved to turn the raw visits into the released",
    definition: "Earth mover's distance (Wasserstein-1) of the distributions of visits over \
                 locations, with distances in metres on a sphere of radius 6,371,008.8 m. Exact \
                 where at most 1,024 locations have different shares on the two sides. Beyond that, \
                 differences are first gathered in the cells of a 32 × 32 grid over the universe's \
                 box, at the mean coordinates of the cell's locations. `metres` is the result; the \
                 exact distance lies within `error-bound` metres of it, the cost of the gathering, \
                 which is 0 where the result is exact. Undefined where a side has no visit or a \
                 location no coordinates.",
    source: "Rubner, Tomasi and Guibas, The earth mover's distance as a metric for image retrieval, \
             2000.",
    better: Better::Lower,
    spatial: true,
    run,
};

const NAMES: [&str; 2] = ["metres", "error-bound"];
/// Cells along each side of the grid.
const GRID: usize = 32;
/// The most places that the exact method is asked to handle.
const EXACT: usize = GRID * GRID;

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    let undefined = || NAMES.map(Value::undefined).to_vec();
    let Some(ground) = Ground::of(compared)? else {
        return Ok(undefined());
    };
    let counts = visits(compared)?;
    let total = (
        compared.raw.symbols() as i128,
        compared.released.symbols() as i128,
    );
    if total.0 == 0 || total.1 == 0 {
        return Ok(undefined());
    }
    // Shares over the common denominator; what both sides have stays where it is, which is never
    // worse, because distances obey the triangle inequality.
    let surplus: Vec<i128> = counts
        .iter()
        .map(|&(a, b)| i128::from(a) * total.1 - i128::from(b) * total.0)
        .collect();
    let unit = total.0 as f64 * total.1 as f64;
    let (places, gathering) = match surplus.iter().filter(|&&s| s != 0).count() <= EXACT {
        true => (ground.directions.into_iter().zip(surplus).collect(), 0.0),
        false => gathered(&ground, &surplus),
    };
    Ok(vec![
        Value::new(NAMES[0], cost(&places) / unit),
        Value::new(NAMES[1], gathering / unit),
    ])
}

fn cost(places: &[(Direction, i128)]) -> f64 {
    let side = |sign: i128| -> (Vec<Direction>, Vec<u128>) {
        places
            .iter()
            .filter(|(_, surplus)| surplus.signum() == sign)
            .map(|(at, surplus)| (*at, surplus.unsigned_abs()))
            .unzip()
    };
    let ((from, supplies), (to, demands)) = (side(1), side(-1));
    least_cost(supplies, demands, |i, j| metres(chord(from[i], to[j])))
}

/// Surpluses by cell, and what it costs to bring them there: by the triangle inequality the
/// distance changes by no more.
fn gathered(ground: &Ground, surplus: &[i128]) -> (Vec<(Direction, i128)>, f64) {
    let lat = Axis::of(ground.coordinates.iter().map(|at| at.lat));
    let lng = Axis::of(ground.coordinates.iter().map(|at| at.lng));
    let cell = |at: &Coordinate| lat.cell(at.lat) * GRID + lng.cell(at.lng);
    // Per cell: locations, sums of latitudes and longitudes.
    let mut sums = vec![(0u32, 0.0, 0.0); EXACT];
    for at in &ground.coordinates {
        let sum = &mut sums[cell(at)];
        *sum = (sum.0 + 1, sum.1 + at.lat, sum.2 + at.lng);
    }
    let mut cells: Vec<(Direction, i128)> = sums
        .into_iter()
        .map(|(n, lat, lng)| {
            let n = f64::from(n.max(1));
            let (lat, lng) = (lat / n, lng / n);
            (direction(Coordinate { lat, lng }), 0)
        })
        .collect();
    let mut cost = 0.0;
    for (code, &surplus) in surplus.iter().enumerate() {
        let cell = &mut cells[cell(&ground.coordinates[code])];
        cell.1 += surplus;
        let moved = metres(chord(cell.0, ground.directions[code]));
        cost += surplus.unsigned_abs() as f64 * moved;
    }
    (cells, cost)
}

/// One side of the grid.
struct Axis {
    low: f64,
    length: f64,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        Self {
            low,
            length: high - low,
        }
    }

    fn cell(&self, value: f64) -> usize {
        if self.length > 0.0 {
            (((value - self.low) / self.length * GRID as f64) as usize).min(GRID - 1)
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;
    use wayveil_noise::below;

    use super::*;

    #[test]
    fn gathering_costs_no_more_than_its_bound() {
        let mut random = RandomSource::insecure_seed(4).stream();
        let mut below = |n: u64| below(n.try_into().unwrap(), &mut random);
        let coordinates: Vec<Coordinate> = (0..300)
            .map(|_| Coordinate {
                lat: 45.0 + below(1000) as f64 / 1e4,
                lng: 7.0 + below(1000) as f64 / 1e4,
            })
            .collect();
        let ground = Ground {
            directions: coordinates.iter().copied().map(direction).collect(),
            coordinates,
        };
        let mut surplus: Vec<i128> = (0..300).map(|_| i128::from(below(2001)) - 1000).collect();
        surplus[0] -= surplus.iter().sum::<i128>();
        let places: Vec<_> = ground
            .directions
            .iter()
            .copied()
            .zip(surplus.clone())
            .collect();
        let exact = cost(&places);
        let (cells, bound) = gathered(&ground, &surplus);
        assert_eq!(cells.iter().map(|cell| cell.1).sum::<i128>(), 0);
        let found = cost(&cells);
        assert!((found - exact).abs() <= bound, "{found} {exact} {bound}");
        assert!(bound < exact, "{bound} {exact}");
    }

    #[test]
    fn an_axis_without_length_has_one_cell() {
        let axis = Axis::of([3.0, 3.0].into_iter());
        assert_eq!(axis.cell(3.0), 0);
        let axis = Axis::of([3.0, 4.0].into_iter());
        assert_eq!([3.0, 3.5, 4.0].map(|v| axis.cell(v)), [0, 16, 31]);
    }
}
