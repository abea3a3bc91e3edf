//! Tables of taps.

use wayveil_core::Silent;
use wayveil_io::{
    Arrangement, DateOptions, DateOrder, EventsOptions, Position, UniverseChoice, Unknown,
    read_events_from,
};

use crate::Target;
use crate::check::{input, options};
use crate::samples::labels;
use crate::visits::are_sound;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "events",
    run,
    seeds,
    words: &[
        "uid",
        "location",
        "datetime",
        "fare",
        "uid,location,datetime\n",
        "\"",
        "\"\"",
        "\r\n",
        ";",
        "\t",
        "2019-03-01",
        "2019-03-01 07:45:00",
        "1551423600",
        "01/02/2019",
    ],
    longest: 2048,
};

fn seeds() -> Vec<Vec<u8>> {
    let seeds: [&[u8]; 9] = [
        b"\x00uid,location,datetime\nx,B,2019-03-01 08:00\ny,A,1551423600\nx,A,2019-03-01\n",
        b"\x02datetime;uid;location\n2019-03-01 08:00:00;x;\"A;\"\"b\"\"\"\r\n\r\n2019-03-02;x;B\r\n",
        b"\x04uid,location,datetime\n1,A,02/03/2019 7:45 PM\n1,A,01/03/2019 07:45\n",
        b"\x30uid,location,datetime\nx,Z,2019-03-01 08:00\nx,A,2019-03-01 08:00\nx,A,2019-03-01 08:00\n",
        b"\x40uid\tlocation\tdatetime\tfare\nx\tA\t2019-03-01\tadult\nx\tB\t2019-03-02\tadult\ny\tB\t2019-03-02\t\n",
        b"\x80uid,location,datetime\nx,A,2019-03-10 02:30:00\nx,B,2019-11-03 01:30:00\n",
        b"\x00\xef\xbb\xbfuid,location,datetime\nx,\"two\nlines\",2019-03-01\n",
        b"\x00uid,location,datetime\n,A,2019-03-01\n x,A,2019-03-01\n",
        b"\x00uid,location,datetime\n",
    ];
    seeds.map(Vec::from).to_vec()
}

fn chosen_options(chosen: u8) -> EventsOptions {
    let bit = |number: u8| chosen >> number & 1 == 1;
    let universe = match bit(4) {
        true => UniverseChoice::Declared(labels(&["A", "B", "Berri"])),
        false => UniverseChoice::FromData,
    };
    let position = Position::Location {
        column: "location".into(),
        universe,
        unknown: if bit(5) {
            Unknown::Drop
        } else {
            Unknown::Error
        },
    };
    let orders = [
        None,
        Some(DateOrder::Dmy),
        Some(DateOrder::Mdy),
        Some(DateOrder::Ymd),
    ];
    EventsOptions {
        delimiter: [None, Some(b','), Some(b';'), Some(b'\t')][usize::from(chosen & 3)],
        dates: DateOptions {
            order: orders[usize::from(chosen >> 2 & 3)],
            format: None,
            zone: if bit(7) { "America/Montreal" } else { "UTC" }.into(),
            hours_beyond_midnight: bit(7),
        },
        attributes: if bit(6) {
            vec!["fare".into()]
        } else {
            Vec::new()
        },
        ..EventsOptions::new(position, Arrangement::new("riders"))
    }
}

fn run(data: &[u8]) -> bool {
    let (chosen, table) = options(data);
    let options = chosen_options(chosen);
    are_sound(input(table).and_then(|table| read_events_from(table, &options, &Silent)))
}
