//! Parquet and Arrow files of visits. The first byte chooses columns, the second the records.

use wayveil_core::Silent;
use wayveil_io::{EventsOptions, Position, UniverseChoice, Unknown, import_columns_from};

use crate::Target;
use crate::check::options;
use crate::samples::labels;
use crate::tables;
use crate::visits::{are_sound, arrangement, invalid, places};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "columns",
    run,
    seeds,
    words: &[
        "PAR1",
        "ARROW1",
        "\u{0}\u{0}\u{0}\u{0}",
        "uid",
        "trip",
        "location",
        "lat",
        "lng",
        "datetime",
        "fare",
        "geo",
        "geometry",
        "ARROW:schema",
        "primary_column",
        "WKB",
        "UTC",
    ],
    longest: 1 << 13,
};

fn seeds() -> Vec<Vec<u8>> {
    let with = |first: u8, second: u8| {
        move |file: Vec<u8>| [&[first, second][..], file.as_slice()].concat()
    };
    let mut seeds: Vec<_> = tables::visits_by_label()
        .into_iter()
        .map(with(0x30, 0))
        .collect();
    let points = tables::visits_by_point().into_iter();
    seeds.extend(points.map(with(0x39, 0x18)));
    seeds.extend(tables::geometry_files().into_iter().map(with(0x03, 0x12)));
    seeds.push(b"\0\0PAR1PAR1".to_vec());
    seeds
}

fn chosen_options(first: u8, second: u8) -> EventsOptions {
    let bit = |number: u8| first >> number & 1 == 1;
    let position = match bit(0) {
        true => Position::Point {
            lat: "lat".into(),
            lng: "lng".into(),
            places: places(first >> 1 & 3),
            invalid: invalid(bit(3)),
        },
        false => Position::Location {
            column: "location".into(),
            universe: match bit(1) {
                true => UniverseChoice::Declared(labels(&["A", "Berri"])),
                false => UniverseChoice::FromData,
            },
            unknown: match bit(2) {
                true => Unknown::Drop,
                false => Unknown::Error,
            },
        },
    };
    EventsOptions {
        trip: bit(4).then(|| "trip".into()),
        attributes: bit(5).then(|| "fare".into()).into_iter().collect(),
        datetime: match bit(6) {
            true => vec!["date".into(), "time".into()],
            false => vec!["datetime".into()],
        },
        ..EventsOptions::new(position, arrangement(second))
    }
}

fn run(data: &[u8]) -> bool {
    let (first, rest) = options(data);
    let (second, file) = options(rest);
    let options = chosen_options(first, second);
    let imported = import_columns_from("input", file.to_vec(), &options, &Silent);
    are_sound(imported.and_then(|it| it.into_dataset(&Silent)))
}
