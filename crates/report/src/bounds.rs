//! The part of the earth that points lie in.

use wayveil_core::Coordinate;

/// A box of degrees around points, with its sides on parallels and meridians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least latitude.
    pub south: f64,
    /// The greatest latitude.
    pub north: f64,
    /// The longitude of the western side, −180 to 180.
    pub west: f64,
    /// The longitude of the eastern side, −180 to 180; less than `west` in a box across the
    /// antimeridian.
    pub east: f64,
}

impl Bounds {
    /// The smaller of the two boxes, one of which goes across the antimeridian; none where there
    /// is no point.
    ///
    /// ```
    /// use wayveil_core::Coordinate;
    /// let fiji = [179.5, -179.5].map(|lng| Coordinate { lat: -17.0, lng });
    /// let bounds = wayveil_report::Bounds::of(&fiji).unwrap();
    /// assert_eq!((bounds.west, bounds.east), (179.5, -179.5));
    /// ```
    pub fn of(points: &[Coordinate]) -> Option<Self> {
        let (south, north) = range(points.iter().map(|point| point.lat))?;
        let longitudes = points.iter().map(|point| point.lng);
        let plain = range(longitudes.clone())?;
        // From the first point of the eastern half to the last one of the western half.
        let eastern = range(longitudes.clone().filter(|lng| *lng >= 0.0));
        let western = range(longitudes.filter(|lng| *lng < 0.0));
        let (west, east) = match (eastern, western) {
            (Some((west, _)), Some((_, east))) if east + 360.0 - west < plain.1 - plain.0 => {
                (west, east)
            }
            _ => plain,
        };
        Some(Self {
            south,
            north,
            west,
            east,
        })
    }

    /// Degrees of longitude from side to side.
    pub(crate) fn width(&self) -> f64 {
        self.east_of_west(self.east)
    }

    /// How many degrees of longitude a meridian of the box lies east of its western side.
    pub(crate) fn east_of_west(&self, lng: f64) -> f64 {
        let east = lng - self.west;
        if east < 0.0 { east + 360.0 } else { east }
    }

    /// How much shorter a degree of longitude is than one of latitude, in the middle of the box.
    /// Near the poles it is nothing; a picture keeps some width.
    pub(crate) fn squeeze(&self) -> f64 {
        let middle = (self.south + self.north) / 2.0;
        middle.to_radians().cos().max(0.05)
    }
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(points: &[(f64, f64)]) -> Option<Bounds> {
        let points: Vec<Coordinate> = points
            .iter()
            .map(|&(lat, lng)| Coordinate { lat, lng })
            .collect();
        Bounds::of(&points)
    }

    #[test]
    fn the_smaller_box_is_taken() {
        assert_eq!(bounds(&[]), None);
        let point = bounds(&[(1.0, -2.0)]).unwrap();
        assert_eq!((point.west, point.east, point.width()), (-2.0, -2.0, 0.0));
        let europe = bounds(&[(38.0, -9.0), (60.0, 25.0)]).unwrap();
        assert_eq!(
            (europe.west, europe.east, europe.width()),
            (-9.0, 25.0, 34.0)
        );
        let fiji = bounds(&[(-17.0, 177.0), (-19.0, -178.0), (-16.0, 180.0)]).unwrap();
        assert_eq!((fiji.south, fiji.north), (-19.0, -16.0));
        assert_eq!((fiji.west, fiji.east, fiji.width()), (177.0, -178.0, 5.0));
        assert_eq!(fiji.east_of_west(180.0), 3.0);
        assert_eq!(fiji.east_of_west(-180.0), 3.0);
    }

    #[test]
    fn every_point_lies_inside_to_the_last_bit() {
        for step in 1..1800 {
            let west = -0.1 * f64::from(step);
            let points = [west, west + 1e-9 * f64::from(step), west + 0.3].map(|lng| (0.0, lng));
            let bounds = bounds(&points).unwrap();
            for (_, lng) in points {
                assert!(
                    bounds.east_of_west(lng) <= bounds.width(),
                    "{lng} {bounds:?}"
                );
            }
            assert!(bounds.width() < 0.31, "{bounds:?}");
        }
    }
}
