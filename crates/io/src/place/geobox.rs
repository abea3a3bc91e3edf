//! A stated box on the map.

use std::fmt;
use std::str::FromStr;

use wayveil_core::{Error, Result};

use super::sphere::{in_range, wrapped};

/// A stated box in degrees: south, west, north, east. Where west is greater than east it crosses
/// the 180th meridian.
///
/// The box is closed: its edges belong to it. ±180 are the same meridian, whichever is written; at
/// a pole the longitude counts as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeoBox {
    south: f64,
    west: f64,
    north: f64,
    east: f64,
}

impl GeoBox {
    /// A box between two latitudes (within ±90, south below north) and two longitudes (within
    /// ±180, not the same meridian; −180 to 180 is the full circle).
    pub fn new(south: f64, west: f64, north: f64, east: f64) -> Result<Self> {
        let wrong = |reason: &str| {
            Err(Error::input(format!(
                "invalid box (got {south},{west},{north},{east}): {reason}"
            ))
            .hint(ORDER))
        };
        if !in_range(south, west) || !in_range(north, east) {
            return wrong("latitudes lie within ±90 and longitudes within ±180");
        }
        if south >= north {
            return wrong("south must be less than north");
        }
        if west == east || (west == 180.0 && east == -180.0) {
            return wrong("west and east are the same meridian; the full circle is -180 to 180");
        }
        // Adding zero turns −0 into 0, which is how it should be shown.
        Ok(Self {
            south: south + 0.0,
            west: west + 0.0,
            north: north + 0.0,
            east: east + 0.0,
        })
    }

    /// The southern edge, in degrees.
    pub fn south(&self) -> f64 {
        self.south
    }

    /// The western edge, in degrees.
    pub fn west(&self) -> f64 {
        self.west
    }

    /// The northern edge, in degrees.
    pub fn north(&self) -> f64 {
        self.north
    }

    /// The eastern edge, in degrees; less than the western one where the box crosses the 180th
    /// meridian.
    pub fn east(&self) -> f64 {
        self.east
    }

    /// Degrees from south to north.
    pub(super) fn height(&self) -> f64 {
        self.north - self.south
    }

    /// Degrees from west to east: more than 0, at most 360.
    pub(super) fn width(&self) -> f64 {
        if self.west > self.east {
            self.east - self.west + 360.0
        } else {
            self.east - self.west
        }
    }

    /// Whether it goes all the way round.
    pub(super) fn is_full_circle(&self) -> bool {
        self.width() >= 360.0
    }

    /// Whether a point lies in the box or on its edge. False for what is no latitude and longitude.
    #[inline]
    pub fn contains(&self, lat: f64, lng: f64) -> bool {
        self.south <= lat && lat <= self.north && self.spans(lng)
    }

    /// Whether a longitude lies between west and east.
    #[inline]
    pub(super) fn spans(&self, lng: f64) -> bool {
        let between = |lng: f64| {
            if self.west > self.east {
                lng >= self.west || lng <= self.east
            } else {
                lng >= self.west && lng <= self.east
            }
        };
        lng.abs() <= 180.0 && (between(lng) || (lng.abs() == 180.0 && between(-lng)))
    }

    /// The four corners: latitude, longitude.
    pub(super) fn corners(&self) -> [(f64, f64); 4] {
        [
            (self.south, self.west),
            (self.south, self.east),
            (self.north, self.west),
            (self.north, self.east),
        ]
    }

    /// The box with `degrees` more on each side, as far as there is more.
    pub(super) fn grown(&self, degrees: f64) -> Self {
        self.widened(degrees, degrees)
    }

    fn widened(&self, lat: f64, lng: f64) -> Self {
        let (west, east) = if self.width() + 2.0 * lng >= 360.0 {
            (-180.0, 180.0)
        } else {
            (wrapped(self.west - lng), wrapped(self.east + lng))
        };
        Self {
            south: (self.south - lat).max(-90.0),
            west,
            north: (self.north + lat).min(90.0),
            east,
        }
    }

    /// A box that holds every point within an angle (in degrees) of one of the given points.
    pub(super) fn around(points: &[(f64, f64)], angle: f64) -> Self {
        let (mut south, mut north) = (90_f64, -90_f64);
        for &(lat, _) in points {
            (south, north) = (south.min(lat), north.max(lat));
        }
        let (west, east) = narrowest_arc(points.iter().map(|&(_, lng)| lng).collect());
        let tight = Self {
            south,
            west,
            north,
            east,
        };
        let angle = angle + SLACK;
        // The farthest meridian that a circle on the sphere touches, from its centre; a circle
        // round a pole (or almost) touches all.
        let polar = south.abs().max(north.abs());
        let aside = if polar + angle > 89.999 {
            360.0
        } else {
            (angle.to_radians().sin() / polar.to_radians().cos())
                .asin()
                .to_degrees()
                + SLACK
        };
        tight.widened(angle, aside)
    }
}

/// Degrees by which a surrounding box is wider than computed, against rounding.
const SLACK: f64 = 1e-6;

const ORDER: &str = "write south,west,north,east in degrees with decimal points, for example \
                     45.40,-73.98,45.71,-73.47; west is greater than east only where the box \
                     crosses the 180th meridian";

/// West and east of the shortest stretch that holds all longitudes.
fn narrowest_arc(mut longitudes: Vec<f64>) -> (f64, f64) {
    longitudes.sort_unstable_by(f64::total_cmp);
    let (Some(&first), Some(&last)) = (longitudes.first(), longitudes.last()) else {
        return (-180.0, 180.0);
    };
    let mut widest = first + 360.0 - last;
    let mut arc = (first, last);
    for pair in longitudes.windows(2) {
        if pair[1] - pair[0] > widest {
            widest = pair[1] - pair[0];
            arc = (pair[1], pair[0]);
        }
    }
    arc
}

impl fmt::Display for GeoBox {
    /// `S,W,N,E`, as it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{},{},{},{}",
            self.south, self.west, self.north, self.east
        )
    }
}

impl FromStr for GeoBox {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parts: Vec<_> = text.split(',').map(str::trim).collect();
        let &[south, west, north, east] = parts.as_slice() else {
            return Err(Error::input(format!(
                "invalid box (got {text:?}): it has four numbers, and here are {}",
                parts.iter().filter(|part| !part.is_empty()).count()
            ))
            .hint(ORDER));
        };
        let degrees = |name: &str, part: &str| {
            part.parse::<f64>().map_err(|_| {
                Error::input(format!(
                    "invalid box (got {text:?}): its {name}, {part:?}, is not a number"
                ))
                .hint(ORDER)
            })
        };
        Self::new(
            degrees("south", south)?,
            degrees("west", west)?,
            degrees("north", north)?,
            degrees("east", east)?,
        )
    }
}
