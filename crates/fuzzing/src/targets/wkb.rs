//! Points in well-known binary, as the one value of a sound GeoParquet-like stream. The first byte
//! chooses the places, the type of the column, and what to do with invalid points.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray};
use wayveil_core::Silent;
use wayveil_io::{Arrangement, EventsOptions, Position, import_columns_from};

use crate::Target;
use crate::check::{accepted, options};
use crate::tables::{as_stream, geometry, wkb};
use crate::visits::{all_rows_are_accounted_for, invalid, places};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "wkb",
    run,
    seeds,
    words: &["\x01\x01\0\0\0", "\0\0\0\0\x01", "\x01\x01\0\0\x20"],
    longest: 64,
};

fn seeds() -> Vec<Vec<u8>> {
    let (x, y) = (-73.56, 45.5);
    let with = |chosen: u8, bytes: Vec<u8>| [&[chosen][..], bytes.as_slice()].concat();
    vec![
        with(0, wkb(true, 1, None, &[x, y])),
        with(1, wkb(false, 1, None, &[x, y])),
        with(2, wkb(true, 1001, None, &[x, y, 9.0])),
        with(8, wkb(true, 0xc000_0001, None, &[x, y, 9.0, 8.0])),
        with(16, wkb(false, 0x2000_0001, Some(4326), &[x, y])),
        with(4, wkb(true, 1, None, &[f64::NAN, f64::NAN])),
        with(0, wkb(true, 1, None, &[f64::NAN, y])),
        with(4, wkb(true, 1, None, &[400.0, y])),
        with(0, wkb(true, 2, None, &[x, y])),
        with(0, wkb(true, 0x2000_0001, Some(3857), &[x, y])),
        with(0, Vec::new()),
    ]
}

fn run(data: &[u8]) -> bool {
    let (chosen, bytes) = options(data);
    let column: ArrayRef = match chosen >> 3 & 3 {
        0 => Arc::new(BinaryArray::from_iter_values([bytes])),
        1 => Arc::new(LargeBinaryArray::from_iter_values([bytes])),
        _ => Arc::new(BinaryViewArray::from_iter_values([bytes])),
    };
    let places = places(chosen & 3);
    let position = Position::Point {
        lat: "lat".into(),
        lng: "lng".into(),
        places: places.clone(),
        invalid: invalid(chosen & 4 != 0),
    };
    let options = EventsOptions::new(position, Arrangement::new("riders"));
    let stream = as_stream(&geometry(column));
    let imported = import_columns_from("input", stream, &options, &Silent);
    let Some((raw, summary)) = accepted(imported.and_then(|it| it.into_dataset(&Silent))) else {
        return false;
    };
    let summary = summary.for_publisher_only();
    assert_eq!(summary.rows, 1);
    all_rows_are_accounted_for(&raw, &summary);
    if let Some((x, y)) = plain_point(bytes) {
        let is_somewhere = places.code(y, x).is_some();
        assert_eq!(summary.symbols, u64::from(is_somewhere));
    }
    true
}

/// The commonest form: little endian, two coordinates.
fn plain_point(bytes: &[u8]) -> Option<(f64, f64)> {
    let (x, y) = bytes.strip_prefix(b"\x01\x01\0\0\0")?.split_first_chunk()?;
    Some((
        f64::from_le_bytes(*x),
        f64::from_le_bytes(y.try_into().ok()?),
    ))
}
