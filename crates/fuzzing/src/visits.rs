//! Options and invariants that the readers of visits share.

use std::sync::{Arc, LazyLock};

use wayveil_core::{
    Coordinate, Dataset, Internal, Location, Origin, Raw, Result, Silent, Universe,
    UniverseDocument,
};
use wayveil_io::{
    Arrangement, BinAxis, DateOptions, GeoBox, ImportSummary, Imported, Input, InvalidPoints,
    Places, PointOptions, ServiceDays, read_dataset,
};

use crate::check::{accepted, input, inside, options, same, survives_its_file};
use crate::scratch;

/// What a reader gives: the data and what it counted.
pub(crate) type Read = Result<(Raw<Dataset>, Internal<ImportSummary>)>;

/// A grid, H3 cells and stops, one of them at a pole and one at the 180th meridian.
static PLACES: LazyLock<[Arc<Places>; 3]> = LazyLock::new(|| {
    let area = || GeoBox::new(45.4, -74.0, 45.7, -73.4).expect("a sound box");
    let at = [
        (45.5, -73.56),
        (45.52, -73.6),
        (45.6, -73.5),
        (90.0, 0.0),
        (-1.0, 180.0),
    ];
    let stop = |(label, (lat, lng)): (u32, (f64, f64))| Location {
        label: format!("S{label}"),
        at: Some(Coordinate { lat, lng }),
        ..Location::default()
    };
    let stops = Universe::try_from(UniverseDocument {
        origin: Origin::Declared("seed".into()),
        locations: (1..).zip(at).map(stop).collect(),
        groups: Vec::new(),
    });
    [
        Places::grid(area(), 8, 8),
        Places::h3(area(), 5),
        stops.and_then(|stops| Places::nearest(stops, 3000.0)),
    ]
    .map(|places| Arc::new(places.expect("a sound set of places")))
});

/// One of three ways from a point to a location.
pub(crate) fn places(chosen: u8) -> Arc<Places> {
    PLACES[usize::from(chosen) % PLACES.len()].clone()
}

/// Leaves invalid points out, or not.
pub(crate) fn invalid(drop: bool) -> InvalidPoints {
    match drop {
        true => InvalidPoints::Drop,
        false => InvalidPoints::Error,
    }
}

/// The zone of dates.
pub(crate) fn dates(local: bool) -> DateOptions {
    DateOptions {
        zone: if local { "America/Montreal" } else { "UTC" }.into(),
        ..DateOptions::default()
    }
}

/// How visits become records: two bits for the gap, one for days, one for stays, two for bins.
pub(crate) fn arrangement(chosen: u8) -> Arrangement {
    let bit = |number: u8| chosen >> number & 1 == 1;
    let axis = |width, bins| {
        let made = BinAxis::new("2019-03-01", width, bins, &DateOptions::default());
        Some(made.expect("a sound axis"))
    };
    let days = || ServiceDays::new("03:00", "America/Montreal").expect("a sound start");
    Arrangement {
        max_gap: [None, Some(0), Some(3600), Some(u64::MAX)][usize::from(chosen & 3)],
        days: bit(2).then(days),
        collapse_stays: bit(3),
        axis: match chosen >> 4 & 3 {
            0 => None,
            1 => axis(3600, 24),
            2 => axis(u64::from(u32::MAX), 1),
            _ => axis(1, 1_000_000),
        },
        ..Arrangement::new("riders")
    }
}

/// The first byte chooses places, zone and what to do with invalid points; the second the
/// arrangement.
pub(crate) fn point_options(data: &[u8]) -> (PointOptions, &[u8]) {
    let (first, rest) = options(data);
    let (second, rest) = options(rest);
    let options = PointOptions {
        invalid: invalid(first & 4 != 0),
        dates: dates(first & 8 != 0),
        ..PointOptions::new(places(first & 3), arrangement(second))
    };
    (options, rest)
}

/// Nothing is dropped without being counted, and the counts are those of the data.
pub(crate) fn all_rows_are_accounted_for(raw: &Raw<Dataset>, summary: &ImportSummary) {
    inside(raw, |data| {
        assert_eq!(summary.symbols, data.trips().symbols() as u64);
        assert_eq!(summary.records, data.trips().len() as u64);
        assert_eq!(summary.locations, data.universe().len() as u64);
        let left_out = summary.unknown.visits
            + summary.outside_area
            + summary.invalid_points
            + summary.outside_axis
            + summary.duplicates
            + summary.stays_collapsed;
        assert_eq!(summary.rows, summary.symbols + left_out);
        assert!(summary.owners <= summary.records);
        assert!(summary.first <= summary.last);
        assert_eq!(data.time().is_some(), data.trips().is_timed());
        assert!(data.trips().iter().all(|record| !record.is_empty()));
    });
}

/// Checks what a reader of visits took; whether it took anything.
pub(crate) fn are_sound(read: Read) -> bool {
    let Some((raw, summary)) = accepted(read) else {
        return false;
    };
    all_rows_are_accounted_for(&raw, &summary.for_publisher_only());
    survives_its_file(&raw);
    true
}

/// The same for one of the forms of GPS data. The data set must also be the one that goes to a file
/// without ever being in memory as a whole.
pub(crate) fn points_are_sound(
    data: &[u8],
    import: impl Fn(Input, &PointOptions) -> Result<Imported>,
) -> bool {
    let (options, text) = point_options(data);
    let imported = || input(text).and_then(|text| import(text, &options));
    let Some((raw, summary)) = accepted(imported().and_then(|it| it.into_dataset(&Silent))) else {
        return false;
    };
    let summary = summary.for_publisher_only();
    all_rows_are_accounted_for(&raw, &summary);
    let (back, of_file) = scratch::with(|folder| {
        let path = folder.join("imported.parquet");
        let of_file = imported()
            .and_then(|it| it.into_file(&path, true, &Silent))
            .expect("what is read into memory can be read into a file");
        let back = read_dataset(&path).expect("what was written can be read");
        (back, of_file.for_publisher_only())
    });
    same(&raw, &back);
    assert_eq!(summary, of_file);
    true
}
