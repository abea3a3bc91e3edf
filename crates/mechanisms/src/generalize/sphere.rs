//! Places on the earth as unit vectors, where neither the antimeridian nor a pole is special.

use wayveil_core::Coordinate;

/// A point on the unit sphere, or, between two of them, in the ball.
pub(crate) type Vector = [f64; 3];

/// The unit vector of a place.
pub(crate) fn vector(place: Coordinate) -> Vector {
    let (lat, lng) = (place.lat.to_radians(), place.lng.to_radians());
    [lat.cos() * lng.cos(), lat.cos() * lng.sin(), lat.sin()]
}

/// The place in the direction of a vector. At a pole the longitude is 0; of the zero vector the
/// place is latitude 0, longitude 0.
pub(crate) fn place([x, y, z]: Vector) -> Coordinate {
    Coordinate {
        lat: z.atan2(x.hypot(y)).to_degrees(),
        // At a pole nothing but rounding is left of x and y.
        lng: match x.hypot(y) <= 1e-15 {
            true => 0.0,
            false => y.atan2(x).to_degrees(),
        },
    }
}

/// The vector of length 1 in this direction; none of the zero vector.
pub(crate) fn normalised([x, y, z]: Vector) -> Option<Vector> {
    let length = (x * x + y * y + z * z).sqrt();
    (length > 0.0).then(|| [x / length, y / length, z / length])
}

/// The squared length of the chord between two points: it grows with the way along the ground.
#[inline]
pub(crate) fn squared_chord(a: &Vector, b: &Vector) -> f64 {
    let (x, y, z) = (a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    x * x + y * y + z * z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (lat, lng) in [
            (0.0, 0.0),
            (45.5, -73.6),
            (-33.0, 179.9),
            (90.0, 0.0),
            (-90.0, 0.0),
        ] {
            let back = place(vector(Coordinate { lat, lng }));
            assert!((back.lat - lat).abs() < 1e-12 && (back.lng - lng).abs() < 1e-12);
        }
    }

    #[test]
    fn a_pole_has_one_vector_and_the_antimeridian_two_sides() {
        let at = |lat, lng| vector(Coordinate { lat, lng });
        assert!(squared_chord(&at(90.0, 10.0), &at(90.0, -120.0)) < 1e-30);
        assert!(squared_chord(&at(10.0, 180.0), &at(10.0, -180.0)) < 1e-30);
        let opposite = squared_chord(&at(0.0, 0.0), &at(0.0, 180.0));
        assert!((opposite - 4.0).abs() < 1e-12);
        assert_eq!(place(at(90.0, 77.0)).lng, 0.0);
    }

    #[test]
    fn the_zero_vector_has_no_direction() {
        assert_eq!(normalised([0.0; 3]), None);
        assert_eq!(normalised([0.0, 0.0, -3.0]), Some([0.0, 0.0, -1.0]));
        assert_eq!(place([0.0; 3]), Coordinate { lat: 0.0, lng: 0.0 });
    }
}
