//! The small grammars of the command line: boxes, lengths, durations, days, axes and presets.

use jiff::Timestamp;
use wayveil_io::dates::DateParser;
use wayveil_io::generate::Preset;
use wayveil_io::place::parse_metres;
use wayveil_io::{BinAxis, Calendar, GeoBox, Places, ServiceDays, parse_duration};

use crate::Target;
use crate::check::{accepted, options};
use crate::visits::dates;

/// How it is fuzzed.
pub const TARGET: Target = Target {
    name: "words",
    run,
    seeds,
    words: &[
        "45.4,-73.98,45.71,-73.47",
        "-180",
        "180",
        "-90",
        "90",
        "1e-320",
        "km",
        "min",
        "4294967295",
        "03:00",
        "23:59",
        "America/Montreal",
        "UTC",
        "2019-03-01T00:00",
        "oldenburg",
        "stm-hours",
    ],
    longest: 80,
};

fn seeds() -> Vec<Vec<u8>> {
    [
        "\x0045.40,-73.98,45.71,-73.47",
        "\0-90,-180,90,180",
        "\0-1, 170 ,1,-170",
        "\089.9,0,90,0.000000001",
        "\x00300m",
        "\x001.5 km",
        "\x0015min",
        "\x0049710d",
        "\x0003:00",
        "\x002019-03-10 02:30",
        "\x011880-01-01",
        "\x01-009999-01-02",
        "\0Europe/Lisbon",
        "\0oldenburg",
        "\0",
    ]
    .map(Vec::from)
    .to_vec()
}

fn run(data: &[u8]) -> bool {
    let (chosen, text) = options(data);
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    [
        accepted(text.parse()).map(is_a_box),
        accepted(parse_metres(text)).map(is_a_length),
        accepted(parse_duration(text)).map(is_a_duration),
        accepted(ServiceDays::new(text, "UTC")).map(drop),
        accepted(ServiceDays::new("03:00", text)).map(drop),
        axis(text, chosen & 1 == 1),
        accepted(text.parse::<Preset>()).map(is_a_preset),
    ]
    .iter()
    .any(Option::is_some)
}

fn is_a_box(area: GeoBox) {
    assert_eq!(area.to_string().parse::<GeoBox>().ok(), Some(area));
    // The poles apart, where all longitudes meet, every corner has its cell.
    let corners = [area.south(), area.north()]
        .into_iter()
        .flat_map(|lat| [(lat, area.west()), (lat, area.east())]);
    let grid = accepted(Places::grid(area, 3, 2));
    let cells = accepted(Places::h3(area, 0));
    for places in grid.iter().chain(&cells) {
        for (lat, lng) in corners.clone() {
            assert!(area.contains(lat, lng) && places.encloses(lat, lng));
            let code = places.code(lat, lng).expect("a corner belongs to the box");
            assert!((code as usize) < places.universe().len());
        }
    }
}

fn is_a_length(metres: f64) {
    assert!(metres.is_finite() && metres > 0.0);
    assert_eq!(accepted(parse_metres(&format!("{metres} m"))), Some(metres));
}

fn is_a_duration(seconds: u64) {
    let written = format!("{seconds}s");
    assert_eq!(accepted(parse_duration(&written)), Some(seconds));
}

fn is_a_preset(preset: Preset) {
    assert_eq!(preset.to_string().parse::<Preset>().ok(), Some(preset));
}

/// An axis must have a place in the calendar, and begin where it was told to.
fn axis(origin: &str, local: bool) -> Option<()> {
    let dates = dates(local);
    let axis = accepted(BinAxis::new(origin, 3600, 24, &dates))?;
    let calendar = Calendar::of(axis.time_axis());
    let calendar = calendar.expect("its bins lie in the calendar");
    assert!(calendar.expect("it has a clock").hour_of(23) < 24);
    let clock = axis.time_axis().clock.as_ref().expect("it has a clock");
    let starts: Timestamp = clock.starts.parse().expect("it begins at an instant");
    let told = DateParser::new(&dates).and_then(|mut parser| parser.parse(origin));
    let told = told.expect("the axis was made of it");
    assert_eq!(starts.as_second(), told.div_euclid(1_000_000));
    assert_eq!(clock.starts.len(), "2019-03-01T00:00:00+00:00".len());
    Some(())
}
