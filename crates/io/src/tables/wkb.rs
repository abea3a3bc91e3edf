//! Points in well-known binary: the standard's form and the extended one with an SRID.
//!
//! | bytes | |
//! | --- | --- |
//! | 1 | order of bytes: 0 big, 1 little endian |
//! | 4 | type: 1 is a point; 1000, 2000 and 3000 more for Z, M and both, or flags in the top bits |
//! | 4 | the SRID, where a flag says so |
//! | 8 each | x, y, and what else the type says |

use wayveil_core::{Error, Result};

const HAS_Z: u32 = 0x8000_0000;
const HAS_M: u32 = 0x4000_0000;
const HAS_SRID: u32 = 0x2000_0000;
/// The SRID of longitude and latitude in degrees (WGS 84).
const DEGREES: u32 = 4326;

const NAMES: [&str; 8] = [
    "geometry of no known type",
    "Point",
    "LineString",
    "Polygon",
    "MultiPoint",
    "MultiLineString",
    "MultiPolygon",
    "GeometryCollection",
];

/// The x and y of a point, none for an empty point. The error has no place.
pub(super) fn point(bytes: &[u8]) -> Result<Option<(f64, f64)>> {
    let mut rest = Rest::new(bytes).ok_or_else(damaged)?;
    let code = rest.number().ok_or_else(damaged)?;
    let plain = code & !(HAS_Z | HAS_M | HAS_SRID);
    let (kind, dimensions) = (plain % 1000, plain / 1000);
    if kind != 1 || dimensions > 3 {
        let known = NAMES.get(kind as usize).filter(|_| dimensions <= 3);
        let name = known.unwrap_or(&NAMES[0]);
        return Err(
            Error::input(format!("the geometry is a {name}, not a Point"))
                .hint("give a file of points, one per visit"),
        );
    }
    if code & HAS_SRID != 0 {
        let srid = rest.number().ok_or_else(damaged)?;
        if srid != DEGREES && srid != 0 {
            return Err(reproject(&format!("the SRID {srid}")));
        }
    }
    let further = match dimensions {
        0 => usize::from(code & HAS_Z != 0) + usize::from(code & HAS_M != 0),
        3 => 2,
        _ => 1,
    };
    let x = rest.coordinate().ok_or_else(damaged)?;
    let y = rest.coordinate().ok_or_else(damaged)?;
    for _ in 0..further {
        rest.coordinate().ok_or_else(damaged)?;
    }
    if !rest.bytes.is_empty() {
        return Err(damaged());
    }
    Ok((!x.is_nan() || !y.is_nan()).then_some((x, y)))
}

fn damaged() -> Error {
    Error::input("the geometry is no well-known binary (WKB) of a point")
        .hint("write the column of points again as WKB")
}

/// Coordinates that are no degrees of longitude and latitude.
pub(super) fn reproject(what: &str) -> Error {
    Error::input(format!(
        "the points have {what}; longitude and latitude in degrees are needed"
    ))
    .hint("reproject the points first, in geopandas: frame.to_crs(4326)")
}

struct Rest<'a> {
    bytes: &'a [u8],
    little: bool,
}

impl<'a> Rest<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let (order, bytes) = bytes.split_first()?;
        (*order <= 1).then_some(Self {
            bytes,
            little: *order == 1,
        })
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<u32> {
        let bytes = self.take()?;
        Some(match self.little {
            true => u32::from_le_bytes(bytes),
            false => u32::from_be_bytes(bytes),
        })
    }

    fn coordinate(&mut self) -> Option<f64> {
        let bytes = self.take()?;
        Some(match self.little {
            true => f64::from_le_bytes(bytes),
            false => f64::from_be_bytes(bytes),
        })
    }
}
