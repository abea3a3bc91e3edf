//! The nearest location, against all distances by another formula.

use proptest::prelude::*;
use wayveil_core::Origin;

use super::super::*;
use super::located;

/// Haversine, with the arc by atan2.
fn metres_between(a: (f64, f64), b: (f64, f64)) -> f64 {
    let (lat_a, lat_b) = (a.0.to_radians(), b.0.to_radians());
    let (up, along) = (lat_b - lat_a, (b.1 - a.1).to_radians());
    let half = (up / 2.0).sin().powi(2) + lat_a.cos() * lat_b.cos() * (along / 2.0).sin().powi(2);
    2.0 * 6_371_008.8 * half.sqrt().atan2((1.0 - half).max(0.0).sqrt())
}

/// The stops that tie for the nearest, up to rounding, and whether it is within reach: none where
/// rounding decides.
fn by_hand(stops: &[(f64, f64)], at: (f64, f64), metres: f64) -> (Vec<u32>, Option<bool>) {
    let distances: Vec<_> = stops.iter().map(|&stop| metres_between(stop, at)).collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    // Close to the other side of the earth both formulas lose digits.
    let blur = if least > 19_000_000.0 { 1.0 } else { 1e-6 };
    let ties = (0..).zip(&distances).filter(|(_, d)| **d <= least + blur);
    let within = ((least - metres).abs() > blur).then_some(least < metres);
    (ties.map(|(code, _)| code).collect(), within)
}

fn check(stops: &[(f64, f64)], points: &[(f64, f64)], metres: f64) -> Result<(), TestCaseError> {
    let places = Places::nearest(located(stops), metres).unwrap();
    for &(lat, lng) in points {
        let code = places.code(lat, lng);
        let (ties, within) = by_hand(stops, (lat, lng), metres);
        match (code, within) {
            (Some(code), Some(true)) => prop_assert!(ties.contains(&code), "{lat}, {lng}: {code}"),
            (None, Some(true)) => prop_assert!(false, "{lat}, {lng}: none, but {ties:?}"),
            (Some(_), Some(false)) => prop_assert!(false, "{lat}, {lng} is too far"),
            (_, None) | (None, Some(false)) => {}
        }
        if let Some(code) = code {
            prop_assert!(places.encloses(lat, lng), "{lat}, {lng}");
            // Of stops at the same place, the first.
            let first = stops.iter().position(|stop| *stop == stops[code as usize]);
            prop_assert_eq!(first, Some(code as usize));
        }
    }
    Ok(())
}

/// Points about a centre, as a list of places on the earth.
fn about(centre: (f64, f64), radius: f64, count: usize) -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((-1.0..1.0_f64, -1.0..1.0_f64), 1..count).prop_map(move |offsets| {
        let near = |(up, along): (f64, f64)| {
            let lat = (centre.0 + up * radius).clamp(-90.0, 90.0);
            (lat, sphere::wrapped(centre.1 + along * radius))
        };
        offsets.into_iter().map(near).collect()
    })
}

fn anywhere(count: usize) -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((-90.0..=90.0_f64, -180.0..=180.0_f64), 1..count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn over_the_whole_earth(
        stops in anywhere(80), points in anywhere(60),
        metres in prop_oneof![1e4..3e6_f64, 1.0..2.01e7_f64],
    ) {
        check(&stops, &points, metres)?;
    }

    #[test]
    fn in_towns_at_odd_places(
        (stops, points) in prop::sample::select(vec![
            (45.5, -73.6), (0.0, 180.0), (-17.0, -179.99), (89.99, 20.0), (-90.0, 0.0), (0.0, 0.0),
        ]).prop_flat_map(|centre| (about(centre, 0.1, 120), about(centre, 0.12, 60))),
        metres in 1.0..5e3_f64,
    ) {
        check(&stops, &points, metres)?;
    }

    /// Few different places, so that there are many doubles, and points right on them.
    #[test]
    fn with_doubles(
        places in anywhere(6), picks in prop::collection::vec(0..6_usize, 1..90),
        points in anywhere(20), metres in 1.0..2e7_f64,
    ) {
        let stops: Vec<_> = picks.iter().map(|&pick| places[pick % places.len()]).collect();
        check(&stops, &points, metres)?;
        check(&stops, &stops, metres)?;
    }
}

#[test]
fn ties_go_to_the_lower_code() {
    for stops in [
        [(0.0, 1.0), (0.0, -1.0)],
        [(0.0, -1.0), (0.0, 1.0)],
        [(1.0, 0.0), (-1.0, 0.0)],
    ] {
        let places = Places::nearest(located(&stops), 200_000.0).unwrap();
        assert_eq!(places.code(0.0, 0.0), Some(0));
    }
    // One place, written in two ways.
    for stops in [
        [(10.0, 180.0), (10.0, -180.0)],
        [(10.0, -180.0), (10.0, 180.0)],
        [(90.0, 10.0), (90.0, -100.0)],
        [(-90.0, 77.0), (-90.0, 0.0)],
    ] {
        let places = Places::nearest(located(&stops), 2_000_000.0).unwrap();
        for (lat, lng) in [stops[0], stops[1], (stops[0].0 * 0.99, 179.0)] {
            assert_eq!(
                places.code(lat, lng),
                Some(0),
                "{stops:?} from {lat}, {lng}"
            );
        }
    }
    // Forty doubles fill several leaves.
    let places = Places::nearest(located(&[(5.0, 5.0); 40]), 1.0).unwrap();
    assert_eq!(places.code(5.0, 5.0), Some(0));
}

/// A degree of a great circle is 111,195.0802 m.
#[test]
fn the_distance_is_included() {
    let degree = 6_371_008.8_f64.to_radians();
    for (stop, point) in [
        ((0.0, 0.0), (1.0, 0.0)),
        ((0.0, 0.0), (0.0, -1.0)),
        ((10.0, 20.0), (9.0, 20.0)),
        ((0.0, 179.5), (0.0, -179.5)),
        ((89.5, 30.0), (89.5, -150.0)),
    ] {
        let reach = |metres| {
            Places::nearest(located(&[stop]), metres)
                .unwrap()
                .code(point.0, point.1)
        };
        assert_eq!(reach(degree), Some(0), "{stop:?} {point:?}");
        assert_eq!(reach(degree - 1e-6), None, "{stop:?} {point:?}");
    }
    let other_side = Places::nearest(located(&[(30.0, 40.0)]), 20_100_000.0).unwrap();
    assert_eq!(other_side.code(-30.0, -140.0), Some(0));
}

/// Swapped coordinates lie far away.
#[test]
fn encloses_what_is_near() {
    let places = Places::nearest(located(&[(45.5, -73.6), (45.6, -73.5)]), 300.0).unwrap();
    assert!(places.encloses(45.55, -73.55) && places.encloses(45.5, -73.603));
    assert!(!places.encloses(-73.55, 45.55) && !places.encloses(45.5, -73.61));
    assert!(!places.encloses(45.4, -73.55) && !places.encloses(45.7, -73.55));
    let fiji = Places::nearest(located(&[(-17.0, 179.9), (-17.0, -179.9)]), 300.0).unwrap();
    assert!(fiji.encloses(-17.0, 180.0) && !fiji.encloses(-17.0, 0.0));
}

#[test]
fn keeps_the_universe_and_its_origin() {
    let universe = located(&[(1.0, 2.0)]);
    let places = Places::nearest(universe.clone(), 300.0).unwrap();
    assert_eq!(places.universe(), &universe);
}

#[test]
fn refuses_odd_distances_and_locations_without_a_place() {
    for metres in [0.0, -1.0, f64::NAN, f64::INFINITY, 20_100_001.0] {
        let error = Places::nearest(located(&[(0.0, 0.0)]), metres).unwrap_err();
        assert!(error.message().contains("invalid distance"), "{error}");
    }
    let bare = Universe::from_labels(["a", "b", "c", "d"], Origin::FromData).unwrap();
    let error = Places::nearest(bare, 300.0).unwrap_err();
    assert_eq!(
        error.message(),
        "4 of 4 locations of the universe have no coordinates: \"a\", \"b\", \"c\", …"
    );
    assert!(error.advice().unwrap().contains("label, lat and lng"));
}
