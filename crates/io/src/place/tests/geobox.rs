//! Boxes: reading, showing, containing.

use proptest::prelude::*;

use super::super::*;
use super::{box_of, point_in, share};

#[test]
fn is_read_as_it_is_shown() {
    for text in [
        "45.4,-73.98,45.71,-73.47",
        "-10,170,10,-170",
        "-90,-180,90,180",
    ] {
        assert_eq!(text.parse::<GeoBox>().unwrap().to_string(), text);
    }
    let spaced: GeoBox = " 1, -0.0 ,2.50, 3 ".parse().unwrap();
    assert_eq!(spaced.to_string(), "1,0,2.5,3");
}

#[test]
fn says_what_is_wrong() {
    for (text, reason) in [
        ("", "four numbers, and here are 0"),
        ("1,2,3", "four numbers, and here are 3"),
        ("1,2,3,4,5", "four numbers, and here are 5"),
        ("1,,3,4", "its west, \"\", is not a number"),
        ("a,2,3,4", "its south, \"a\", is not a number"),
        ("1,2,3;4,5", "its north, \"3;4\", is not a number"),
        ("-73.98,45.4,-73.47,145.7,", "four numbers"),
        ("45.4,-190,45.7,-73", "longitudes within ±180"),
        ("45.4,-73,91,-70", "latitudes lie within ±90"),
        ("nan,2,3,4", "latitudes lie within ±90"),
        ("1,2,inf,4", "latitudes lie within ±90"),
        ("45.7,-74,45.4,-73", "south must be less than north"),
        ("45,-74,45,-73", "south must be less than north"),
        ("45,7,46,7", "the same meridian"),
        ("45,0,46,-0", "the same meridian"),
        ("45,180,46,-180", "the same meridian"),
    ] {
        let error = text.parse::<GeoBox>().unwrap_err();
        assert!(error.message().contains(reason), "{text}: {error}");
        assert!(error.advice().unwrap().contains("south,west,north,east"));
    }
}

#[test]
fn is_closed_and_knows_the_180th_meridian() {
    let contains = |text: &str, lat, lng| text.parse::<GeoBox>().unwrap().contains(lat, lng);
    for (lat, lng) in [(1.0, 2.0), (1.0, 4.0), (3.0, 2.0), (3.0, 4.0), (2.0, 3.0)] {
        assert!(contains("1,2,3,4", lat, lng));
    }
    for (lat, lng) in [
        (0.999, 3.0),
        (3.001, 3.0),
        (2.0, 1.999),
        (2.0, 4.001),
        (2.0, -177.0),
    ] {
        assert!(!contains("1,2,3,4", lat, lng));
    }
    for lng in [170.0, 175.0, 180.0, -180.0, -175.0, -170.0] {
        assert!(contains("-1,170,1,-170", 0.0, lng), "{lng}");
    }
    for lng in [169.9, 0.0, -169.9] {
        assert!(!contains("-1,170,1,-170", 0.0, lng), "{lng}");
    }
    for text in [
        "-1,170,1,180",
        "-1,-180,1,-170",
        "-1,180,1,-170",
        "-1,170,1,-180",
    ] {
        assert!(
            contains(text, 0.0, 180.0) && contains(text, 0.0, -180.0),
            "{text}"
        );
        assert!(!contains(text, 0.0, 0.0), "{text}");
    }
    assert!(contains("-1,0,90,90", 90.0, 45.0) && !contains("-1,0,90,90", 90.0, -45.0));
}

proptest! {
    #[test]
    fn text_keeps_every_digit(
        south in -90.0..89.0_f64, west in -180.0..180.0_f64,
        height in 1e-9..1.0_f64, width in 1e-9..359.0_f64,
    ) {
        let area = box_of(south, west, height, width);
        prop_assert_eq!(area.to_string().parse::<GeoBox>().unwrap(), area);
    }

    #[test]
    fn grown_boxes_hold_the_box(
        south in -90.0..89.0_f64, west in -180.0..180.0_f64,
        height in 1e-9..180.0_f64, width in 1e-9..359.99_f64,
        at in (share(), share()), by in 1e-9..5.0_f64,
    ) {
        let area = box_of(south, west, height, width);
        let (lat, lng) = point_in(&area, at);
        prop_assert!(area.grown(by).contains(lat, lng));
        let more = area.grown(by).width() - area.width();
        prop_assert!(more <= 2.0 * by + 1e-9 && more > 0.0);
    }
}
