//! What all ways share; each way has a file of its own.

use proptest::prelude::*;
use wayveil_core::{Coordinate, Location, Origin, Universe, UniverseDocument};

use super::*;

mod cells;
mod geobox;
mod grid;
mod nearest;

/// A box from any south-western corner and extent, also across the 180th meridian.
pub(super) fn box_of(south: f64, west: f64, height: f64, width: f64) -> GeoBox {
    let (west, east) = if width >= 360.0 {
        (-180.0, 180.0)
    } else {
        (west, sphere::wrapped(west + width))
    };
    GeoBox::new(south, west, (south + height).min(90.0), east).unwrap()
}

/// The point at shares (0 to 1) of a box's height and width.
pub(super) fn point_in(area: &GeoBox, (up, along): (f64, f64)) -> (f64, f64) {
    let lat = (area.south() + up * area.height()).clamp(area.south(), area.north());
    let lng = if along >= 1.0 {
        area.east()
    } else {
        sphere::wrapped(area.west() + along * area.width())
    };
    (lat, lng)
}

/// Shares of a box with many on its edges and next to them.
pub(super) fn share() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => 0.0..1.0_f64,
        1 => Just(0.0),
        1 => Just(1.0),
        1 => 0.0..1e-6_f64,
        1 => (0.0..1e-6_f64).prop_map(|gap| 1.0 - gap),
    ]
}

pub(super) fn located(places: &[(f64, f64)]) -> Universe {
    let locations = places
        .iter()
        .enumerate()
        .map(|(index, &(lat, lng))| Location {
            label: format!("s{index}"),
            at: Some(Coordinate { lat, lng }),
            ..Location::default()
        })
        .collect();
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("table of locations".into()),
        locations,
        groups: Vec::new(),
    })
    .unwrap()
}

/// What is no point has no code, in every way, and does not stop the program.
#[test]
fn what_is_no_point_has_no_code() {
    let world = GeoBox::new(-90.0, -180.0, 90.0, 180.0).unwrap();
    let crossing = GeoBox::new(-90.0, 10.0, 90.0, -10.0).unwrap();
    let cell = Universe::from_labels(["89283082803ffff"], Origin::Declared("list".into())).unwrap();
    let ways = [
        Places::grid(world, 4, 8).unwrap(),
        Places::grid(crossing, 4, 8).unwrap(),
        Places::h3(world, 0).unwrap(),
        Places::h3(crossing, 0).unwrap(),
        Places::h3_of(cell, 9).unwrap(),
        Places::nearest(located(&[(0.0, 0.0), (90.0, 0.0)]), 20_100_000.0).unwrap(),
    ];
    let odd = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e300,
        -1e300,
        181.0,
        -180.000_000_000_1,
    ];
    for places in &ways {
        for value in odd {
            for (lat, lng) in [(value, 20.0), (20.0, value), (value, value)] {
                assert_eq!(places.code(lat, lng), None, "{lat}, {lng}");
                assert!(!places.encloses(lat, lng), "{lat}, {lng}");
            }
        }
        assert_eq!(places.code(91.0, 20.0), None);
        assert_eq!(places.code(-0.0, -0.0), places.code(0.0, 0.0));
        assert_eq!(places.code(5e-324, -5e-324), places.code(0.0, -5e-324));
        assert_eq!(places.code(12.0, 180.0), places.code(12.0, -180.0));
    }
}

#[test]
fn places_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Places>();
}

#[test]
fn lengths_are_metres_unless_they_say_otherwise() {
    for (text, metres) in [
        ("300", 300.0),
        ("300m", 300.0),
        (" 300 m ", 300.0),
        ("1.5km", 1500.0),
        ("2 km", 2000.0),
        ("0.25", 0.25),
    ] {
        assert_eq!(parse_metres(text).unwrap(), metres, "{text}");
    }
    for text in [
        "", "m", "km", "0", "0m", "-3", "nan", "inf", "infm", "1e400", "1e306km", "3 miles",
        "3,5km", "3mm", "300 M",
    ] {
        let error = parse_metres(text).unwrap_err();
        assert!(error.message().contains(&format!("{text:?}")), "{error}");
        assert!(error.advice().is_some());
    }
}
