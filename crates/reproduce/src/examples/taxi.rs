//! The beginning of a file of T-Drive, as the paper about generalising prints it.

use std::sync::Arc;

use wayveil_core::{
    Coordinate, Dataset, Location, NonPrivate, Origin, Owners, Result, Silent, Universe,
    UniverseDocument,
};
use wayveil_io::points::import_tdrive_from;
use wayveil_io::{Arrangement, BinAxis, DateOptions, Input, Places, PointOptions};

use crate::entry::Check;

const ROWS: [&str; 8] = [
    "5,2008-02-02 13:43:04,116.62934,39.82726",
    "5,2008-02-02 13:53:04,116.62934,39.82725",
    "5,2008-02-02 14:03:04,116.62933,39.82725",
    "5,2008-02-02 14:13:04,116.61582,39.82817",
    "5,2008-02-02 14:23:08,116.59818,39.82816",
    "5,2008-02-02 14:33:04,116.62944,39.82734",
    "5,2008-02-02 14:43:04,116.62946,39.82743",
    "5,2008-02-02 14:53:04,116.62945,39.82746",
];

/// Places of which no two are nearer to each other than this many metres.
const APART: f64 = 0.4;

const DAY: u32 = 86_400;

/// The rows through the reader: each point to its own place, each time to its second of the day.
pub(crate) fn taxi_file() -> Result<Vec<Check>> {
    let mut arrangement = Arrangement::new("a paper's example");
    let midnight = "2008-02-02 00:00:00";
    arrangement.axis = Some(BinAxis::new(midnight, 1, DAY, &DateOptions::default())?);
    let options = PointOptions::new(Arc::new(Places::nearest(printed()?, APART)?), arrangement);
    let text = ROWS.map(|row| format!("{row}\n")).concat();
    let input = Input::from_reader("5.txt", std::io::Cursor::new(text))?;
    let (raw, _) = import_tdrive_from(input, &options, &Silent)?.into_dataset(&Silent)?;
    let because = NonPrivate::because("reads a paper's example");
    let read = raw.inspect(because, rows).for_publisher_only();
    let mut checks = vec![Check::new("points", "8", read.len().to_string())];
    let found = read.into_iter().map(Some).chain(std::iter::repeat(None));
    let check = |((number, row), found): ((u32, &str), Option<String>)| {
        Check::new(
            format!("row {number}"),
            row,
            found.unwrap_or_else(|| "nothing".into()),
        )
    };
    checks.extend((1..).zip(ROWS).zip(found).map(check));
    Ok(checks)
}

/// The printed points as a set of places.
fn printed() -> Result<Universe> {
    let number = |row: &str, column: usize| {
        let field = row.split(',').nth(column);
        field.and_then(|it| it.parse().ok()).unwrap_or(f64::NAN)
    };
    let location = |(at, row): (u32, &str)| Location {
        label: format!("point {at}"),
        at: Some(Coordinate {
            lat: number(row, 3),
            lng: number(row, 2),
        }),
        ..Location::default()
    };
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("the paper".into()),
        locations: (1..).zip(ROWS).map(location).collect(),
        groups: Vec::new(),
    })
}

/// What was read, written as it is printed.
fn rows(data: &Dataset) -> Vec<String> {
    let trips = data.trips();
    let mut rows = Vec::new();
    for record in 0..trips.len() {
        let taxi = match data.owners() {
            Owners::Known { of_record, labels } => labels.get(of_record[record] as usize),
            Owners::EachRecord => "?",
        };
        let first = trips.offsets()[record] as usize;
        for (at, &code) in trips.codes_of(record).iter().enumerate() {
            let second = trips.bins().map_or(0, |bins| bins[first + at]);
            let (hour, minute) = (second / 3600, second / 60 % 60);
            let place = data.universe().locations()[code as usize].at;
            let (lat, lng) = place.map_or((0.0, 0.0), |it| (it.lat, it.lng));
            rows.push(format!(
                "{taxi},2008-02-02 {hour:02}:{minute:02}:{:02},{lng},{lat}",
                second % 60
            ));
        }
    }
    rows
}
