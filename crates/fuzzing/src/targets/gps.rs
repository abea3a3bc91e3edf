//! Tables of points: a grid, H3 cells or stops by the first byte, records by the second.

use wayveil_core::Silent;
use wayveil_io::{EventsOptions, Position, read_events_from};

use crate::Target;
use crate::check::input;
use crate::visits::{are_sound, point_options};

/// The bit of the first byte for a column of trips.
const TRIPS: u8 = 16;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "gps",
    run,
    seeds,
    words: &[
        "uid,lat,lng,datetime\n",
        "trip",
        "45.5",
        "-73.56",
        "180",
        "-180",
        "90",
        "NaN",
        "1e-320",
        "2019-03-01 07:45:00",
        "1551423600",
        "\"",
        "\r\n",
    ],
    longest: 2048,
};

fn seeds() -> Vec<Vec<u8>> {
    let seeds: [&[u8]; 10] = [
        b"\x00\x00uid,lat,lng,datetime\nx,45.5,-73.56,2019-03-01 08:00\ny,45.6,-73.5,1551423600\nx,45.4,-74,2019-03-01\n",
        b"\x01\x08uid,lat,lng,datetime\nx,45.5,-73.56,2019-03-01 08:00\nx,45.5,-73.561,2019-03-01 08:01\nx,45.7,-73.4,2019-03-01 08:02\n",
        b"\x02\x02lng;lat;uid;datetime\n-73.56;45.5;x;2019-03-01 08:00\n180;-1;x;2019-03-01 08:30\n7;90;x;2019-03-01 09:31\n",
        b"\x04\x10uid,lat,lng,datetime\nx,,,2019-03-01 08:00\nx,45.5,NaN,2019-03-01 09:00\nx,45.5,-73.56,2019-03-02\nx,45.5,-73.56,2019-03-01 23:59:59\n",
        b"\x10\x2cuid,trip,lat,lng,datetime\nx,b,45.5,-73.56,2019-03-01 08:00\nx,a,45.5,-73.56,2019-03-01 07:00\nx,b,45.5,-73.56,2019-03-01 07:59\n",
        b"\x08\x04uid,lat,lng,datetime\nx,45.5,-73.56,2019-03-10 02:30:00\nx,45.5,-73.56,2019-03-10 03:30:00\nx,45.6,-73.56,2019-11-03 01:30:00\n",
        b"\x00\x30uid,lat,lng,datetime\nx,45.5,-73.56,2019-03-01 08:00\nx,45.5,-73.56,2019-03-01 08:00\nx,10,10,2019-03-01\n",
        b"\x00\x00uid,lat,lng,datetime\nx,-73.56,45.5,2019-03-01\n",
        b"\x00\x00uid,lat,lng,datetime\nx,91,-73.56,2019-03-01\n",
        b"\x06\x3fuid,lat,lng,datetime\n",
    ];
    seeds.map(Vec::from).to_vec()
}

fn run(data: &[u8]) -> bool {
    let (points, table) = point_options(data);
    let trips = data.first().is_some_and(|first| first & TRIPS != 0);
    let position = Position::Point {
        lat: "lat".into(),
        lng: "lng".into(),
        places: points.places,
        invalid: points.invalid,
    };
    let options = EventsOptions {
        trip: trips.then(|| "trip".into()),
        dates: points.dates,
        ..EventsOptions::new(position, points.arrangement)
    };
    are_sound(input(table).and_then(|table| read_events_from(table, &options, &Silent)))
}
