//! Maps without a map server: places, cells, flows between them, and a schematic where nothing is known
//! of where they lie.

mod blocks;
mod labels;
mod lattice;
mod layers;
mod ring;

use wayveil_core::{Coordinate, Universe};

pub(super) use self::blocks::Blocks;
pub(super) use self::layers::{Painted, Painter, Spot};
use crate::projection::{Projection, is_point};

/// The size of maps.
pub(super) const WIDTH: f64 = 760.0;
pub(super) const HEIGHT: f64 = 520.0;
const PADDING: f64 = 34.0;

/// How a place is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A circle, as large as its value.
    Circle,
    /// A cell: its corners around its centre, shaded by its value.
    Cell(Vec<(f64, f64)>),
}

/// Where the locations of a universe lie on a map.
pub(super) struct Atlas {
    /// By code; none for those that have no place on the map.
    pub(super) places: Vec<Option<(f64, f64)>>,
    pub(super) shape: Shape,
    /// Pixels of a kilometre; none on a schematic.
    pub(super) per_km: Option<f64>,
    /// Which way a place's name goes on a schematic: the angle from the middle.
    pub(super) angles: Vec<Option<f64>>,
    /// Locations that are shown but have no coordinates.
    pub(super) without_place: u64,
}

impl Atlas {
    /// A map of the locations that matter, the most important first; `flows` bring those of a schematic
    /// into an order.
    pub(super) fn of(universe: &Universe, shown: &[u32], flows: &[(u32, u32)]) -> Self {
        let at = |code: u32| {
            let location = universe.locations().get(code as usize);
            location.and_then(|it| it.at).filter(|it| is_point(*it))
        };
        let mut points: Vec<Coordinate> = shown.iter().filter_map(|&code| at(code)).collect();
        let all = || (0..universe.len() as u32).filter_map(at);
        if points.is_empty() && shown.is_empty() {
            points = all().collect();
        }
        let Some(projection) = Projection::fit(&points, (WIDTH, HEIGHT), PADDING) else {
            return ring::atlas(universe, shown, flows);
        };
        let everywhere: Vec<Coordinate> = all().collect();
        let places = (0..universe.len() as u32).map(|code| {
            let (x, y) = projection.place(at(code)?);
            // Places outside the part that is shown are left out.
            let inside = (0.0..=WIDTH).contains(&x) && (0.0..=HEIGHT).contains(&y);
            inside.then_some((x, y))
        });
        Self {
            places: places.collect(),
            shape: shape(&everywhere, &points, &projection),
            per_km: Some(projection.pixels_per_km()),
            angles: Vec::new(),
            without_place: shown.iter().filter(|&&code| at(code).is_none()).count() as u64,
        }
    }

    pub(super) fn is_schematic(&self) -> bool {
        self.per_km.is_none()
    }

    pub(super) fn place(&self, code: u32) -> Option<(f64, f64)> {
        self.places.get(code as usize).copied().flatten()
    }
}

fn shape(everywhere: &[Coordinate], shown: &[Coordinate], projection: &Projection) -> Shape {
    let (Some(cell), Some(centre)) = (lattice::cell(everywhere), shown.first()) else {
        return Shape::Circle;
    };
    // The shape of one cell stands for all: a map of a city is flat enough.
    let middle = projection.place(*centre);
    let from_middle = |north: f64, east: f64| {
        let lng = (centre.lng + east + 540.0).rem_euclid(360.0) - 180.0;
        let lat = centre.lat + north;
        let (x, y) = projection.place(Coordinate { lat, lng });
        (x - middle.0, y - middle.1)
    };
    let corner = |&(north, east): &(f64, f64)| {
        // What lies west of the map is placed all around the earth: the opposite corner is not.
        let (there, opposite) = (from_middle(north, east), from_middle(-north, -east));
        match there.0.abs() <= opposite.0.abs() {
            true => there,
            false => (-opposite.0, -opposite.1),
        }
    };
    let corners: Vec<(f64, f64)> = cell.corners.iter().map(corner).collect();
    let reach = corners
        .iter()
        .fold(0.0, |most: f64, it| most.max(it.0.abs()).max(it.1.abs()));
    match reach.is_finite() && reach < WIDTH {
        true => Shape::Cell(corners),
        false => Shape::Circle,
    }
}
