//! The earth as a sphere: points as unit vectors, so that neither the 180th meridian nor the
//! poles are special.

/// The earth's mean radius in metres.
pub(super) const EARTH_RADIUS: f64 = 6_371_008.8;

/// A point on the unit sphere.
pub(super) type Vector = [f64; 3];

/// Whether the two numbers are degrees of a latitude and a longitude; not so for NaN.
pub(super) fn in_range(lat: f64, lng: f64) -> bool {
    lat.abs() <= 90.0 && lng.abs() <= 180.0
}

/// The unit vector of a point. One point has one vector, however its longitude is written: ±180
/// are the same, and at a pole every longitude is.
pub(super) fn vector(lat: f64, lng: f64) -> Vector {
    let lng = match (lat.abs() >= 90.0, lng == 180.0) {
        (true, _) => 0.0,
        (false, true) => -180.0,
        (false, false) => lng,
    };
    let (lat_sin, lat_cos) = lat.to_radians().sin_cos();
    let (lng_sin, lng_cos) = lng.to_radians().sin_cos();
    [lat_cos * lng_cos, lat_cos * lng_sin, lat_sin]
}

/// Latitude in degrees of a vector of any length but zero.
pub(super) fn latitude([x, y, z]: Vector) -> f64 {
    z.atan2(x.hypot(y)).to_degrees()
}

/// Longitude in degrees of a vector.
pub(super) fn longitude([x, y, _]: Vector) -> f64 {
    y.atan2(x).to_degrees()
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// `a·s + b·t`.
pub(super) fn combine(a: Vector, s: f64, b: Vector, t: f64) -> Vector {
    std::array::from_fn(|axis| a[axis] * s + b[axis] * t)
}

/// A longitude that left ±180 by less than a full turn, brought back.
pub(super) fn wrapped(lng: f64) -> f64 {
    if lng > 180.0 {
        lng - 360.0
    } else if lng < -180.0 {
        lng + 360.0
    } else {
        lng
    }
}
