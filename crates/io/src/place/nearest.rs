//! The nearest of stated locations.

use wayveil_core::{Coordinate, Error, Result, Universe};

use super::geobox::GeoBox;
use super::sphere::{EARTH_RADIUS, in_range, vector};
use super::tree::Tree;

/// The largest distance that makes sense, in metres: just over half the way round the earth.
const FARTHEST: f64 = 20_100_000.0;

/// Metres that rounding may add to a distance; "within" includes the distance itself.
const ROUNDING: f64 = 1e-7;

/// Locations with coordinates, to be found from within a distance.
#[derive(Clone, Debug)]
pub(super) struct Nearest {
    tree: Tree,
    /// The square of the straight line through the earth at the distance, in earth radii.
    within: f64,
    extent: GeoBox,
}

impl Nearest {
    pub(super) fn new(universe: &Universe, metres: f64) -> Result<Self> {
        if !(metres > 0.0 && metres <= FARTHEST) {
            return Err(Error::input(format!(
                "invalid distance to the nearest location (got {metres} m): more than 0 and at \
                 most {FARTHEST} m"
            ))
            .hint("state how far from a location a point may be, for example 300m"));
        }
        let points = coordinates(universe)?;
        let angle = (metres + ROUNDING) / EARTH_RADIUS;
        let within = if angle >= std::f64::consts::PI {
            f64::INFINITY
        } else {
            (2.0 * (angle / 2.0).sin()).powi(2)
        };
        Ok(Self {
            tree: Tree::new(points.iter().map(|&(lat, lng)| vector(lat, lng))),
            within,
            extent: GeoBox::around(&points, angle.to_degrees()),
        })
    }

    pub(super) fn extent(&self) -> &GeoBox {
        &self.extent
    }

    pub(super) fn code(&self, lat: f64, lng: f64) -> Option<u32> {
        if !in_range(lat, lng) || !self.extent.contains(lat, lng) {
            return None;
        }
        self.tree.nearest(&vector(lat, lng), self.within)
    }
}

fn coordinates(universe: &Universe) -> Result<Vec<(f64, f64)>> {
    let mut points = Vec::with_capacity(universe.len());
    let mut without = Vec::new();
    for location in universe.locations() {
        match location.at {
            Some(Coordinate { lat, lng }) => points.push((lat, lng)),
            None => without.push(location.label.as_str()),
        }
    }
    if without.is_empty() {
        return Ok(points);
    }
    let named = without.iter().take(3).map(|label| format!("{label:?}"));
    let named = named.collect::<Vec<_>>().join(", ");
    let more = if without.len() > 3 { ", …" } else { "" };
    Err(Error::input(format!(
        "{} of {} locations of the universe have no coordinates: {named}{more}",
        without.len(),
        universe.len()
    ))
    .hint(
        "points can be given to the nearest location only if every location has a place: state \
         the universe as a table with the columns label, lat and lng",
    ))
}
