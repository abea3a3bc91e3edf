//! From degrees to pixels: equirectangular, one scale in both directions.

use wayveil_core::Coordinate;

use crate::bounds::Bounds;

const KM_PER_DEGREE: f64 = 111.2;

/// A smaller part of the earth than this (about 11 m) is drawn as a point.
const LEAST_EXTENT: f64 = 1e-4;

/// Where points of the earth lie in a frame.
pub(crate) struct Projection {
    bounds: Bounds,
    scale: f64,
    centre: (f64, f64),
}

impl Projection {
    /// Fits all points into a frame of this size, in its middle; none where there is no point.
    pub(crate) fn fit(points: &[Coordinate], size: (f64, f64), padding: f64) -> Option<Self> {
        let bounds = Bounds::of(points)?;
        let width = (bounds.width() * bounds.squeeze()).max(LEAST_EXTENT);
        let height = (bounds.north - bounds.south).max(LEAST_EXTENT);
        let room = |pixels: f64| (pixels - 2.0 * padding).max(1.0);
        Some(Self {
            bounds,
            scale: (room(size.0) / width).min(room(size.1) / height),
            centre: (size.0 / 2.0, size.1 / 2.0),
        })
    }

    /// The pixel of a point.
    pub(crate) fn place(&self, at: Coordinate) -> (f64, f64) {
        let bounds = &self.bounds;
        let east = bounds.east_of_west(at.lng) - bounds.width() / 2.0;
        let north = at.lat - (bounds.south + bounds.north) / 2.0;
        (
            self.centre.0 + east * bounds.squeeze() * self.scale,
            self.centre.1 - north * self.scale,
        )
    }

    /// Pixels of a kilometre in the middle of the map.
    pub(crate) fn pixels_per_km(&self) -> f64 {
        self.scale / KM_PER_DEGREE
    }
}

/// Whether it is a point at all.
pub(crate) fn is_point(at: Coordinate) -> bool {
    at.lat.abs() <= 90.0 && at.lng.abs() <= 360.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lng: f64) -> Coordinate {
        Coordinate { lat, lng }
    }

    #[test]
    fn north_is_up_and_everything_is_inside() {
        let points = [at(48.0, 11.0), at(48.2, 11.5), at(48.1, 11.9)];
        let map = Projection::fit(&points, (400.0, 200.0), 10.0).unwrap();
        for point in points {
            let (x, y) = map.place(point);
            assert!((9.9..390.1).contains(&x) && (9.9..190.1).contains(&y));
        }
        assert!(map.place(points[1]).1 < map.place(points[0]).1);
        assert!(map.place(points[1]).0 > map.place(points[0]).0);
    }

    #[test]
    fn a_kilometre_is_as_long_in_both_directions() {
        let points = [at(60.0, 10.0), at(60.1, 10.2)];
        let map = Projection::fit(&points, (400.0, 200.0), 0.0).unwrap();
        let (west, east) = (map.place(at(60.05, 10.0)), map.place(at(60.05, 10.2)));
        let (south, north) = (map.place(points[0]), map.place(at(60.1, 10.0)));
        let ratio = (east.0 - west.0) / (south.1 - north.1);
        assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
    }

    #[test]
    fn one_point_lies_in_the_middle_and_fiji_is_one_country() {
        let map = Projection::fit(&[at(1.0, 2.0)], (100.0, 60.0), 5.0).unwrap();
        assert_eq!(map.place(at(1.0, 2.0)), (50.0, 30.0));
        let fiji = [at(-17.0, 179.5), at(-17.5, -179.5)];
        let map = Projection::fit(&fiji, (100.0, 100.0), 0.0).unwrap();
        assert!(map.pixels_per_km() > 0.5);
        assert!(Projection::fit(&[], (1.0, 1.0), 0.0).is_none());
    }
}
