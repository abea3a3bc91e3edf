//! Dates. With the highest bit of the options set, the first line is a format.

use jiff::Timestamp;
use wayveil_io::dates::DateParser;
use wayveil_io::{DateOptions, DateOrder};

use crate::Target;
use crate::check::{accepted, options};

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "dates",
    run,
    seeds,
    words: &[
        "2019-03-31",
        "T02:30:00",
        "12:00",
        "+02:00",
        "UTC",
        "AM",
        "pm",
        "1551423600",
        "%Y",
        "%m",
        "%d",
        "%H",
        "%M",
        "%S",
        "%z",
        "%s",
        "%f",
        "%b",
        "%j",
        "9999-12-31",
        "0000-01-01",
    ],
    longest: 80,
};

fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "\x002019-03-01T07:45:00Z",
        "\x042019-03-31 02:30:00",
        "\x042019-11-03 01:30",
        "\x012/3/2019 7:45 PM",
        "\x0212.31.2019 07:45:00,123456789",
        "\x001551423600.5",
        "\x00-1551423600123",
        "\x0020190301",
        "\x042019-03-01 23:59:60-05:30",
        "\x009999-12-31 23:59:59+23:59",
        "\x000000-01-01T00:00",
    ];
    let mut seeds: Vec<Vec<u8>> = texts.map(Vec::from).to_vec();
    let formatted: [&[u8]; 4] = [
        b"\x80%d %b %Y %H:%M:%S %z\n31 Mar 2019 02:30:00 +0100",
        b"\x84%Y%m%d%H%M%S\n20190331023000",
        b"\x80%s\n1551423600",
        b"\x0c2019-03-30 25:30:00",
    ];
    seeds.extend(formatted.map(Vec::from));
    seeds
}

fn run(data: &[u8]) -> bool {
    let (chosen, rest) = options(data);
    let Ok(text) = std::str::from_utf8(rest) else {
        return false;
    };
    let (format, text) = match text.split_once('\n') {
        Some((format, text)) if chosen & 0x80 != 0 => (Some(format.to_owned()), text),
        _ => (None, text),
    };
    let dates = DateOptions {
        order: [
            None,
            Some(DateOrder::Dmy),
            Some(DateOrder::Mdy),
            Some(DateOrder::Ymd),
        ][usize::from(chosen & 3)],
        zone: ["UTC", "America/Montreal"][usize::from(chosen >> 2 & 1)].into(),
        format,
        hours_beyond_midnight: chosen >> 3 & 1 == 1,
    };
    let Some(mut parser) = accepted(DateParser::new(&dates)) else {
        return false;
    };
    let micros = accepted(parser.parse(text));
    // The commonest form has a path of its own, which a blank around the text leads past.
    assert_eq!(accepted(parser.parse(&format!(" {text}"))), micros);
    // The zone remembers the days that it met.
    assert_eq!(accepted(parser.parse(text)), micros);
    let Some(instant) = micros.and_then(|micros| Timestamp::from_microsecond(micros).ok()) else {
        return micros.is_some();
    };
    let written = instant.to_string();
    if dates.format.is_none() && !written.starts_with('-') {
        assert_eq!(accepted(parser.parse(&written)), micros, "{written}");
    }
    true
}
