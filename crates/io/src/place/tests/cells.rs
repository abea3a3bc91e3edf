//! H3 cells.

use h3o::{CellIndex, LatLng, Resolution};
use proptest::prelude::*;
use wayveil_core::Origin;

use super::super::*;
use super::{box_of, point_in};

/// Every given point of the box has the cell that H3 gives it, and that cell is in the universe.
fn check(
    area: GeoBox,
    resolution: u8,
    points: impl IntoIterator<Item = (f64, f64)>,
) -> Result<Places, TestCaseError> {
    let places = Places::h3(area, resolution).unwrap();
    let level = Resolution::try_from(resolution).unwrap();
    for at in points {
        let (lat, lng) = point_in(&area, at);
        prop_assert!(area.contains(lat, lng));
        let cell = LatLng::new(lat, lng).unwrap().to_cell(level);
        let code = places.code(lat, lng);
        prop_assert!(
            code.is_some(),
            "{area} {resolution}: none for {lat}, {lng} in {cell}"
        );
        let label = code.map(|code| places.universe().label(code).to_owned());
        prop_assert_eq!(label, Some(cell.to_string()));
    }
    Ok(places)
}

/// No cell of the universe is away from the box: walking round each cell in small steps (or, for
/// a cell that holds the box, looking at a corner) comes to the box up to a step.
fn check_no_more(area: &GeoBox, places: &Places) -> Result<(), TestCaseError> {
    for location in places.universe().locations() {
        let cell: CellIndex = location.label.parse().unwrap();
        let corner = LatLng::new(area.south(), area.west()).unwrap();
        let centre = location.at.unwrap();
        let border = cell.boundary();
        let step = 1.0 / 400.0;
        let longest = border[0].distance_rads(border[1]).to_degrees() * 3.0 * step;
        let near = |lat: f64, lng: f64| {
            let aside = longest / lat.to_radians().cos().max(1e-9);
            let east_of_west = (lng - area.west()).rem_euclid(360.0);
            let lng_near = east_of_west <= area.width() + aside || east_of_west >= 360.0 - aside;
            lng_near && lat >= area.south() - longest && lat <= area.north() + longest
        };
        let on_border = || {
            (0..border.len()).any(|index| {
                let end = |index: usize| {
                    let corner = border[index % border.len()];
                    sphere::vector(corner.lat(), corner.lng())
                };
                let (a, b) = (end(index), end(index + 1));
                (0..400).any(|count| {
                    let share = f64::from(count) * step;
                    let point = sphere::combine(a, 1.0 - share, b, share);
                    near(sphere::latitude(point), sphere::longitude(point))
                })
            })
        };
        prop_assert!(
            area.contains(centre.lat, centre.lng)
                || corner.to_cell(cell.resolution()) == cell
                || on_border(),
            "{cell} does not meet {area}"
        );
    }
    Ok(())
}

/// Shares of a box as in [`super::share`], many from one number (splitmix64).
fn shares(seed: u64, count: usize) -> impl Iterator<Item = (f64, f64)> {
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let mut share = move || {
        let even = next() as f64 / u64::MAX as f64;
        match next() % 8 {
            0 => 0.0,
            1 => 1.0,
            2 => even * 1e-6,
            3 => 1.0 - even * 1e-6,
            _ => even,
        }
    };
    (0..count).map(move |_| (share(), share()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Coarse cells over wide boxes, from pole to pole and round the earth.
    #[test]
    fn wide_boxes(
        south in prop_oneof![1 => Just(-90.0), 4 => -90.0..85.0_f64],
        west in -180.0..180.0_f64, height in 0.1..180.0_f64,
        width in prop_oneof![4 => 0.1..359.0_f64, 1 => Just(360.0)],
        resolution in 0..=3_u8, seed in any::<u64>(),
    ) {
        let area = box_of(south, west, height, width);
        let places = check(area, resolution, shares(seed, 3000))?;
        if resolution <= 2 {
            check_no_more(&area, &places)?;
        }
    }

    /// From boxes within a single cell to boxes of many cells, at every resolution.
    #[test]
    fn small_boxes(
        south in -89.9..89.0_f64, west in -180.0..180.0_f64,
        height in 0.001..8.0_f64, width in 0.001..8.0_f64,
        resolution in 0..=15_u8, seed in any::<u64>(),
    ) {
        let level = Resolution::try_from(resolution).unwrap();
        let edge = level.edge_length_rads().to_degrees();
        let wide = (width * edge / south.to_radians().cos()).min(360.0);
        let area = box_of(south, west, height * edge, wide);
        let places = check(area, resolution, shares(seed, 1000))?;
        check_no_more(&area, &places)?;
    }

    /// Boxes that hold or touch a pole, the 180th meridian or a pentagon.
    #[test]
    fn odd_places(
        resolution in 0..=10_u8, place in 0..15_usize,
        shift in (0.0..1.0_f64, 0.0..1.0_f64), size in 0.01..6.0_f64, seed in any::<u64>(),
    ) {
        let level = Resolution::try_from(resolution).unwrap();
        let edge = level.edge_length_rads().to_degrees();
        let (lat, lng) = match place {
            12 => (90.0, shift.1 * 360.0 - 180.0),
            13 => (-90.0, shift.1 * 360.0 - 180.0),
            14 => (shift.0 * 170.0 - 85.0, 180.0),
            pentagon => {
                let centre = LatLng::from(level.pentagons().nth(pentagon).unwrap());
                (centre.lat(), centre.lng())
            }
        };
        let height = (size * edge).min(170.0);
        let south = (lat - shift.0 * height).clamp(-90.0, 90.0 - height);
        let width = (size * edge / lat.to_radians().cos()).clamp(height, 360.0);
        let area = box_of(south, sphere::wrapped(lng - shift.1 * width), height, width);
        let places = check(area, resolution, shares(seed, 1000))?;
        check_no_more(&area, &places)?;
    }

    /// Long, narrow boxes, which few centres and corners of cells lie in.
    #[test]
    fn narrow_boxes(
        south in -80.0..75.0_f64, west in -180.0..180.0_f64, long in 1.0..60.0_f64,
        thin in 1e-7..1e-2_f64, upright in any::<bool>(), resolution in 0..=4_u8,
        seed in any::<u64>(),
    ) {
        let (height, width) = if upright { (long.min(89.0 - south), thin) } else { (thin, long) };
        let area = box_of(south, west, height, width);
        let places = check(area, resolution, shares(seed, 3000))?;
        check_no_more(&area, &places)?;
    }
}

#[test]
fn the_world_has_all_cells() {
    let world: GeoBox = "-90,-180,90,180".parse().unwrap();
    for (resolution, cells) in [(0, 122), (1, 842), (2, 5882), (3, 41_162)] {
        assert_eq!(
            Places::h3(world, resolution).unwrap().universe().len(),
            cells
        );
    }
}

#[test]
fn cells_are_in_order_and_only_points_in_the_box_have_one() {
    let area: GeoBox = "45.50,-73.60,45.51,-73.59".parse().unwrap();
    let places = Places::h3(area, 9).unwrap();
    let universe = places.universe();
    assert_eq!(
        universe.origin(),
        &Origin::Declared("H3 cells of resolution 9 that meet 45.5,-73.6,45.51,-73.59".into())
    );
    let labels: Vec<_> = universe
        .locations()
        .iter()
        .map(|location| &location.label)
        .collect();
    assert!(labels.is_sorted() && labels.iter().all(|label| label.len() == 15));
    let mut outside = 0;
    for (location, code) in universe.locations().iter().zip(0..) {
        let at = location.at.unwrap();
        let inside = area.contains(at.lat, at.lng);
        outside += u32::from(!inside);
        assert_eq!(places.code(at.lat, at.lng), inside.then_some(code));
    }
    assert!(outside > 0, "no cell reaches over the edge");
}

/// A well-known example of the H3 documentation: San Francisco at resolution 9.
#[test]
fn listed_cells_are_the_universe() {
    let list = |labels: &[&str]| {
        Universe::from_labels(
            labels.iter().copied(),
            Origin::Declared("list of labels".into()),
        )
        .unwrap()
    };
    let here = LatLng::from("89283082803ffff".parse::<CellIndex>().unwrap());
    let other = LatLng::from("89283082877ffff".parse::<CellIndex>().unwrap());
    let universe = list(&["89283082877ffff", "89283082803FFFF"]);
    let places = Places::h3_of(universe.clone(), 9).unwrap();
    assert_eq!(places.universe(), &universe);
    assert_eq!(places.code(here.lat(), here.lng()), Some(1));
    assert_eq!(places.code(other.lat(), other.lng()), Some(0));
    assert_eq!(places.code(here.lat() + 0.5, here.lng()), None);
    assert!(!places.encloses(here.lng(), here.lat()));
    assert!(!places.encloses(here.lat() + 0.5, here.lng()));
    for (labels, resolution, reason) in [
        (
            vec!["89283082803ffff", "Central Station"],
            9,
            "\"Central Station\" is not the id",
        ),
        (vec!["89283082803ffff"], 8, "of resolution 9, not 8"),
        (
            vec!["89283082803ffff", "89283082803FFFF"],
            9,
            "are the same H3 cell",
        ),
        (vec!["ffffffffffffffff"], 9, "is not the id"),
        (vec!["89283082803ffff"], 16, "resolutions are 0 to 15"),
    ] {
        let error = Places::h3_of(list(&labels), resolution).unwrap_err();
        assert!(error.message().contains(reason), "{error}");
        assert!(error.advice().is_some());
    }
}

proptest! {
    /// Whatever has a code is enclosed, also round poles and pentagons.
    #[test]
    fn listed_cells_lie_in_their_extent(
        lat in prop_oneof![-90.0..=90.0_f64, Just(90.0), 89.0..90.0_f64], lng in -180.0..=180.0_f64,
        resolution in 0..=15_u8, reach in 0..3_u32, offsets in prop::collection::vec((-4.0..4.0_f64, -4.0..4.0_f64), 200),
    ) {
        let level = Resolution::try_from(resolution).unwrap();
        let cells = LatLng::new(lat, lng).unwrap().to_cell(level).grid_disk::<Vec<_>>(reach);
        let labels = cells.iter().map(ToString::to_string);
        let universe = Universe::from_labels(labels, Origin::Declared("list".into())).unwrap();
        let places = Places::h3_of(universe, resolution).unwrap();
        let edge = level.edge_length_rads().to_degrees();
        for (up, along) in offsets {
            let lat = (lat + up * edge).clamp(-90.0, 90.0);
            let aside = (along * edge / lat.to_radians().cos()).clamp(-180.0, 180.0);
            let lng = sphere::wrapped(lng + aside);
            let cell = LatLng::new(lat, lng).unwrap().to_cell(level);
            let code = places.code(lat, lng);
            prop_assert_eq!(code.is_some(), cells.contains(&cell));
            prop_assert!(code.is_none() || places.encloses(lat, lng));
        }
    }
}

#[test]
fn too_many_cells_are_refused_before_they_are_walked() {
    let country: GeoBox = "45,-10,55,10".parse().unwrap();
    let error = Places::h3(country, 15).unwrap_err();
    assert!(error.message().contains("at most 4000000"), "{error}");
    // About 1,112 km × 1,430 km: 1.6 million km² are 306,000 cells of 5.16 km², and seven times
    // as many of the next resolution.
    assert!(
        error.advice().unwrap().contains("resolution 8"),
        "{error:?}"
    );
    let thin: GeoBox = "45,-180,45.0000001,180".parse().unwrap();
    let error = Places::h3(thin, 13).unwrap_err();
    assert!(error.message().contains("there are about"), "{error}");
    assert!(
        Places::h3(country, 16)
            .unwrap_err()
            .message()
            .contains("0 to 15")
    );
}
