//! Grids.

use proptest::prelude::*;
use wayveil_core::Origin;

use super::super::*;
use super::{box_of, point_in, share};

fn grid(area: &str, rows: u32, columns: u32) -> Places {
    Places::grid(area.parse().unwrap(), rows, columns).unwrap()
}

fn label(places: &Places, lat: f64, lng: f64) -> Option<&str> {
    places
        .code(lat, lng)
        .map(|code| places.universe().label(code))
}

/// Two rows and three columns over 0,0 to 1,3: every edge by hand.
#[test]
fn edges_belong_to_the_north_and_the_east() {
    let places = grid("0,0,1,3", 2, 3);
    assert_eq!(
        places.universe().origin(),
        &Origin::Declared("grid of 2 × 3 cells over 0,0,1,3".into())
    );
    for (lat, lng, cell) in [
        (0.0, 0.0, "r0c0"),
        (0.25, 1.5, "r0c1"),
        (0.499_999, 0.999_999, "r0c0"),
        (0.5, 1.0, "r1c1"),
        (0.5, 0.5, "r1c0"),
        (0.2, 2.0, "r0c2"),
        (1.0, 0.5, "r1c0"),
        (0.2, 3.0, "r0c2"),
        (1.0, 3.0, "r1c2"),
    ] {
        assert_eq!(label(&places, lat, lng), Some(cell), "{lat}, {lng}");
    }
    for (lat, lng) in [
        (-1e-12, 1.0),
        (1.000_000_1, 1.0),
        (0.5, -1e-12),
        (0.5, 3.000_000_1),
    ] {
        assert_eq!(label(&places, lat, lng), None, "{lat}, {lng}");
        assert!(!places.encloses(lat, lng));
    }
}

/// 0.3 begins row 3 of ten rows over 0 to 1, although 3 · 0.1 is more than 0.3 in binary.
#[test]
fn round_edges_are_where_people_write_them() {
    let places = grid("0,0,1,1", 10, 10);
    for step in 0..10 {
        let at: f64 = format!("0.{step}").parse().unwrap();
        assert_eq!(places.code(at, at), Some(step * 11));
    }
}

#[test]
fn labels_sort_like_codes() {
    let places = grid("0,0,1,1", 11, 101);
    let labels: Vec<_> = places
        .universe()
        .locations()
        .iter()
        .map(|l| &l.label)
        .collect();
    assert!(labels.is_sorted());
    assert_eq!(
        (labels[0].as_str(), labels[1110].as_str()),
        ("r00c000", "r10c100")
    );
    assert_eq!(grid("0,0,1,1", 10, 1).universe().label(9), "r9c0");
}

#[test]
fn columns_go_on_across_the_180th_meridian() {
    let places = grid("-10,170,10,-170", 1, 4);
    for (lng, column) in [
        (170.0, 0),
        (174.9, 0),
        (175.0, 1),
        (179.9, 1),
        (180.0, 2),
        (-180.0, 2),
        (-175.0, 3),
        (-170.0, 3),
    ] {
        assert_eq!(places.code(0.0, lng), Some(column), "{lng}");
    }
    let middles: Vec<_> = places
        .universe()
        .locations()
        .iter()
        .map(|l| l.at.unwrap().lng)
        .collect();
    assert_eq!(middles, [172.5, 177.5, -177.5, -172.5]);
    for (area, column) in [
        ("0,170,1,180", 9),
        ("0,170,1,-180", 9),
        ("0,-180,1,-170", 0),
        ("0,180,1,-170", 0),
        ("0,-180,1,180", 0),
    ] {
        let places = grid(area, 1, 10);
        assert_eq!(places.code(0.5, 180.0), Some(column), "{area}");
        assert_eq!(places.code(0.5, -180.0), Some(column), "{area}");
    }
}

#[test]
fn reaches_the_poles() {
    let places = grid("-90,-180,90,180", 2, 2);
    assert_eq!(places.code(90.0, 10.0), Some(3));
    assert_eq!(places.code(-90.0, -10.0), Some(0));
    assert_eq!(places.code(0.0, 0.0), Some(3));
}

/// A degree of latitude is 111,195.08 m on the sphere; at 60° a degree of longitude is half of it.
#[test]
fn metres_are_measured_at_the_middle_latitude() {
    let of = |area: &str, metres: f64| {
        let places = Places::grid_of_metres(area.parse().unwrap(), metres).unwrap();
        match places.universe().origin() {
            Origin::Declared(words) => words.clone(),
            Origin::FromData => String::new(),
        }
    };
    assert_eq!(
        of("59,0,61,2", 11_119.508),
        "grid of 20 × 10 cells over 59,0,61,2"
    );
    assert_eq!(
        of("-61,179,-59,-179", 11_119.508),
        "grid of 20 × 10 cells over -61,179,-59,-179"
    );
    // 222,390 / 30,000 = 7.4 and 111,195 / 30,000 = 3.7.
    assert_eq!(
        of("59,0,61,2", 30_000.0),
        "grid of 7 × 4 cells over 59,0,61,2"
    );
    assert_eq!(of("59,0,61,2", 1e9), "grid of 1 × 1 cells over 59,0,61,2");
}

#[test]
fn refuses_what_is_too_much_or_nothing() {
    let area: GeoBox = "45,-74,46,-73".parse().unwrap();
    let hint = |result: Result<Places>| result.unwrap_err().advice().unwrap().to_owned();
    assert!(hint(Places::grid(area, 0, 5)).contains("at least one row"));
    assert!(hint(Places::grid(area, u32::MAX, u32::MAX)).contains("fewer rows"));
    assert!(hint(Places::grid(area, 2001, 2000)).contains("fewer rows"));
    let tiny: GeoBox = "45,-74,45.0000001,-73.9999999".parse().unwrap();
    assert!(hint(Places::grid(tiny, 1000, 1)).contains("larger box"));
    for metres in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(hint(Places::grid_of_metres(area, metres)).contains("500m"));
    }
    assert!(hint(Places::grid_of_metres(area, 1e-300)).contains("or more"));
    // The size that the hint names is enough: 111.2 km × 78.2 km in cells of 10 m are 87 million.
    let advice = hint(Places::grid_of_metres(area, 10.0));
    let size = advice.split(' ').nth(3).unwrap();
    assert_eq!(size, "47");
    assert!(Grid::of_metres(area, size.parse().unwrap()).is_ok());
}

/// As many columns as there can be, at edges and one step of rounding below them.
#[test]
fn the_finest_grids_are_exact_at_edges() {
    let count = MAX_CELLS as u32;
    for (west, east) in [
        (-180.0, 180.0),
        (100.0, -100.0),
        (-73.98, -73.47),
        (179.0, -179.99),
    ] {
        let area = GeoBox::new(45.0, west, 46.0, east).unwrap();
        let grid = Grid::new(area, 1, count).unwrap();
        for step in (1..count).step_by(997) {
            let begin = west + area.width() * f64::from(step) / f64::from(count);
            // Beyond 180 the turn back rounds; before it, nothing does.
            if begin < 180.0 {
                assert_eq!(grid.code(45.5, begin), Some(step), "{area}");
                assert_eq!(grid.code(45.5, begin.next_down()), Some(step - 1), "{area}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Against a search through all edges, from the rule as it is stated.
    #[test]
    fn agrees_with_a_search_through_the_edges(
        south in -90.0..89.0_f64, west in -180.0..180.0_f64,
        height in prop_oneof![1e-5..1.0_f64, 1.0..180.0_f64],
        width in prop_oneof![1e-5..1.0_f64, 1.0..360.0_f64],
        rows in 1..60_u32, columns in 1..60_u32,
        points in prop::collection::vec((share(), share()), 60),
        on_edges in prop::collection::vec((0..60_u32, 0..60_u32), 20),
    ) {
        let area = box_of(south, west, height, width);
        let places = Places::grid(area, rows, columns).unwrap();
        let search = |from: f64, span: f64, count: u32, at: f64| {
            let begins = |step: u32| from + span * f64::from(step) / f64::from(count);
            (0..count).rev().find(|&step| begins(step) <= at).unwrap_or(0)
        };
        let on_edges = on_edges.into_iter().map(|(row, column)| (
            f64::from(row % rows) / f64::from(rows),
            f64::from(column % columns) / f64::from(columns),
        ));
        for at in points.into_iter().chain(on_edges) {
            let (lat, lng) = point_in(&area, at);
            let unrolled = if lng < area.west() { lng + 360.0 } else { lng };
            let row = search(area.south(), area.height(), rows, lat);
            let column = search(area.west(), area.width(), columns, unrolled);
            prop_assert_eq!(places.code(lat, lng), Some(row * columns + column));
            prop_assert!(places.encloses(lat, lng));
        }
    }

    /// Every cell holds its middle, and a point is at most half a cell from its cell's middle.
    #[test]
    fn middles_lie_in_their_cells(
        south in -90.0..89.0_f64, west in -180.0..180.0_f64,
        height in 1e-4..180.0_f64, width in 1e-4..360.0_f64,
        rows in 1..40_u32, columns in 1..40_u32, at in (share(), share()),
    ) {
        let area = box_of(south, west, height, width);
        let places = Places::grid(area, rows, columns).unwrap();
        for (location, code) in places.universe().locations().iter().zip(0..) {
            let middle = location.at.unwrap();
            prop_assert_eq!(places.code(middle.lat, middle.lng), Some(code));
        }
        let (lat, lng) = point_in(&area, at);
        let code = places.code(lat, lng).unwrap();
        let middle = places.universe().locations()[code as usize].at.unwrap();
        let aside = (middle.lng - lng).abs();
        prop_assert!((middle.lat - lat).abs() <= area.height() / f64::from(rows) / 2.0 + 1e-12);
        prop_assert!(aside.min(360.0 - aside) <= area.width() / f64::from(columns) / 2.0 + 1e-12);
    }
}
