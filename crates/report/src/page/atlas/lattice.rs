//! Whether points are the centres of cells, and what the cells look like.
//!
//! A release names places by label and centre only. Centres of a grid, or of hexagons, tell their cells:
//! half the way to the next centre.

use wayveil_core::Coordinate;

/// Fewer places are drawn as such.
const FEWEST: usize = 12;
/// Centres whose neighbours are looked at.
const SAMPLES: usize = 60;
/// How far the six neighbours of a hexagon may differ in distance: H3's do, from pole to equator.
const HEXAGON_TOLERANCE: f64 = 0.35;
/// How far steps of a grid may differ.
const GRID_TOLERANCE: f64 = 0.02;

/// A cell around its centre, in degrees to the north and to the east.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) corners: Vec<(f64, f64)>,
}

/// The cell of all centres alike; none where they are no lattice.
pub(super) fn cell(points: &[Coordinate]) -> Option<Cell> {
    if points.len() < FEWEST {
        return None;
    }
    grid(points).or_else(|| hexagon(points))
}

/// Rows and columns in equal steps.
fn grid(points: &[Coordinate]) -> Option<Cell> {
    let first = points.first()?.lng;
    let lats = || points.iter().map(|point| point.lat);
    let lngs = || points.iter().map(|point| wrapped(point.lng - first));
    let (height, width) = (step(lats())?, step(lngs())?);
    let (rows, columns) = (distinct(lats()).len(), distinct(lngs()).len());
    // Nearly all crossings of rows and columns are cells: of hexagons in rows it is every second one, and of
    // scattered places very few.
    if 2 * rows * columns > 3 * points.len() {
        return None;
    }
    let (north, east) = (height / 2.0, width / 2.0);
    Some(Cell {
        corners: vec![
            (-north, -east),
            (-north, east),
            (north, east),
            (north, -east),
        ],
    })
}

fn distinct(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    sorted
}

/// The one step between neighbouring values, where all are whole multiples of it.
fn step(values: impl Iterator<Item = f64>) -> Option<f64> {
    let distinct = distinct(values);
    let steps = || distinct.windows(2).map(|pair| pair[1] - pair[0]);
    let least = steps().fold(f64::INFINITY, f64::min);
    let whole = |step: f64| {
        let times = step / least;
        (times - times.round()).abs() <= GRID_TOLERANCE * times
    };
    (distinct.len() > 1 && steps().all(whole)).then_some(least)
}

/// Six neighbours all around, in about equal distances.
fn hexagon(points: &[Coordinate]) -> Option<Cell> {
    let every = points.len().div_ceil(SAMPLES);
    let cells: Vec<Vec<(f64, f64)>> = points
        .iter()
        .step_by(every)
        .filter_map(|&centre| corners_around(centre, points))
        .collect();
    // Cells at the edge of the area have fewer neighbours.
    if 4 * cells.len() < points.len().div_ceil(every) || cells.is_empty() {
        return None;
    }
    Some(Cell {
        corners: cells[cells.len() / 2].clone(),
    })
}

/// The corners of a hexagon, each in the middle of three centres; none where it is no hexagon.
fn corners_around(centre: Coordinate, points: &[Coordinate]) -> Option<Vec<(f64, f64)>> {
    let squeeze = centre.lat.to_radians().cos().max(0.05);
    let mut near: Vec<(f64, (f64, f64))> = Vec::with_capacity(8);
    for point in points {
        let (north, east) = (point.lat - centre.lat, wrapped(point.lng - centre.lng));
        let distance = north.hypot(east * squeeze);
        let last = near.last().map_or(f64::INFINITY, |it| it.0);
        if distance == 0.0 || (near.len() == 7 && distance >= last) {
            continue;
        }
        let place = near.partition_point(|it| it.0 < distance);
        near.insert(place, (distance, (north, east)));
        near.truncate(7);
    }
    let [first, .., sixth, seventh] = near.as_slice() else {
        return None;
    };
    let even = sixth.0 < first.0 * (1.0 + HEXAGON_TOLERANCE);
    // The next ring is √3 as far away.
    let apart = seventh.0 > sixth.0 * 1.25;
    if near.len() < 7 || !even || !apart {
        return None;
    }
    near.truncate(6);
    let angle = |&(north, east): &(f64, f64)| north.atan2(east * squeeze);
    let mut ring: Vec<(f64, f64)> = near.into_iter().map(|it| it.1).collect();
    ring.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let corner = |at: usize| {
        let ((a, b), (c, d)) = (ring[at], ring[(at + 1) % 6]);
        ((a + c) / 3.0, (b + d) / 3.0)
    };
    Some((0..6).map(corner).collect())
}

fn wrapped(degrees: f64) -> f64 {
    match degrees {
        d if d > 180.0 => d - 360.0,
        d if d < -180.0 => d + 360.0,
        d => d,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lng: f64) -> Coordinate {
        Coordinate { lat, lng }
    }

    fn hexagons(lat: f64, lng: f64, step: f64) -> Vec<Coordinate> {
        let squeeze = lat.to_radians().cos();
        let centre = |row: i32, column: i32| {
            let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
            let north = f64::from(row) * step * 0.75_f64.sqrt();
            let east = (f64::from(column) + shift) * step / squeeze;
            at(lat + north, wrapped(lng + east))
        };
        let cells = (0..12).flat_map(|row| (0..12).map(move |column| (row, column)));
        cells.map(|(row, column)| centre(row, column)).collect()
    }

    #[test]
    fn a_grid_is_known_by_its_steps() {
        let cells = (0..7).flat_map(|row| (0..9).map(move |column| (row, column)));
        let mut points: Vec<Coordinate> = cells
            .map(|(row, column)| {
                at(
                    48.0 + 0.01 * f64::from(row),
                    11.0 + 0.02 * f64::from(column),
                )
            })
            .collect();
        let whole = cell(&points).unwrap();
        assert_eq!(whole.corners.len(), 4);
        let (north, east) = whole.corners[2];
        assert!((north - 0.005).abs() < 1e-9 && (east - 0.01).abs() < 1e-9);
        let cells = (0..24).flat_map(|row| (0..32).map(move |column| (row, column)));
        let fine = cells.map(|(row, column)| {
            at(
                52.3 + 0.3 * f64::from(row) / 24.0,
                13.1 + 0.6 * f64::from(column) / 32.0,
            )
        });
        assert!(cell(&fine.collect::<Vec<_>>()).is_some_and(|it| it.corners.len() == 4));
        points.remove(30);
        assert_eq!(cell(&points).unwrap().corners.len(), 4);
        assert_eq!(cell(&points[..5]), None);
    }

    #[test]
    fn hexagons_are_known_by_their_neighbours() {
        for (lat, lng) in [(52.0, 13.0), (0.0, 0.0), (-17.0, 179.95)] {
            let cell = cell(&hexagons(lat, lng, 0.01)).unwrap();
            assert_eq!(cell.corners.len(), 6, "{lat} {lng}");
            let squeeze = lat.to_radians().cos();
            for (north, east) in cell.corners {
                let radius = north.hypot(east * squeeze);
                assert!((radius - 0.01 / 3_f64.sqrt()).abs() < 4e-4, "{radius}");
            }
        }
    }

    #[test]
    fn scattered_places_are_no_lattice() {
        let scattered: Vec<Coordinate> = (0..200)
            .map(|index| {
                let turn = f64::from(index) * 2.399;
                let away = 0.01 * f64::from(index).sqrt();
                at(
                    48.0 + away * turn.sin() + 1e-3 * (turn * 7.0).sin(),
                    11.0 + away * turn.cos(),
                )
            })
            .collect();
        assert_eq!(cell(&scattered), None);
        assert_eq!(cell(&[at(1.0, 1.0); 40]), None);
    }
}
