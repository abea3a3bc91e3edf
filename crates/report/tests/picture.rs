//! The picture is well-formed, honest about itself and calm, whatever it is given.

mod xml;

use wayveil_core::Coordinate;
use wayveil_report::{Comparison, Flow, Line, Row, Station, picture};

/// So many stations on a spiral, with flows between neighbours.
fn spiral(count: usize) -> Comparison {
    let station = |index: usize| {
        let turn = index as f64 * 0.3;
        let away = 0.002 * turn;
        Station {
            label: format!("S{index}"),
            name: None,
            at: Some(Coordinate {
                lat: 48.0 + away * turn.sin(),
                lng: 11.0 + away * turn.cos(),
            }),
            raw: (index % 97) as f64,
            released: (index % 97) as f64 + (index % 5) as f64 - 2.0,
        }
    };
    let flow = |index: usize| Flow {
        from: index,
        to: (index + 1) % count,
        count: (index % 31) as f64,
    };
    Comparison {
        title: "Spiral".into(),
        note: "Nothing is promised.".into(),
        release_name: "Release (ε = 1)".into(),
        stations: (0..count).map(station).collect(),
        lines: vec![Line {
            name: "one".into(),
            stations: (0..count).collect(),
        }],
        lengths: (1..=9)
            .map(|length| Row::new(length.to_string(), 10.0 - length as f64, 1.0))
            .collect(),
        flows_raw: (0..count).map(flow).collect(),
        flows_released: (0..count).map(flow).collect(),
    }
}

fn without_places(mut comparison: Comparison) -> Comparison {
    for station in &mut comparison.stations {
        station.at = None;
    }
    comparison
}

/// Draws, and checks everything that holds for every picture.
fn drawn(comparison: &Comparison) -> String {
    let svg = picture(comparison);
    if let Err(complaint) = xml::check(&svg) {
        panic!("not well-formed: {complaint}");
    }
    for word in ["NaN", "inf\"", "=\"inf", "-inf"] {
        assert!(!svg.contains(word), "contains {word}");
    }
    assert!(svg.contains("role=\"img\"") && svg.contains("<title>") && svg.contains("<desc>"));
    assert!(svg.contains("Internal: this picture contains raw data. Do not publish it.</text>"));
    for outside in ["<script", "href", "@import", "url("] {
        assert!(!svg.contains(outside), "refers to something: {outside}");
    }
    let sizes = xml::values_of(&svg, "font-size");
    assert!(sizes.iter().all(|size| *size >= 11.0), "text is too small");
    assert_eq!(svg, picture(comparison), "not the same twice");
    svg
}

#[test]
fn any_number_of_stations_can_be_drawn() {
    drawn(&Comparison::default());
    for count in [1, 2, 68, 5000] {
        let comparison = spiral(count);
        let svg = drawn(&comparison);
        assert!(svg.len() < 400_000, "{count}: {} bytes", svg.len());
        drawn(&without_places(comparison));
    }
}

#[test]
fn raw_and_release_lie_side_by_side() {
    let svg = drawn(&spiral(68));
    assert!(svg.contains("Raw (never leaves the house)") && svg.contains("Release (ε = 1)"));
    let circles = svg.matches("<circle").count();
    assert_eq!(circles, 2 * 68 + 2, "two maps and two in the legend");
}

#[test]
fn bars_take_the_place_of_maps_where_there_are_no_places() {
    let svg = drawn(&without_places(spiral(68)));
    assert!(!svg.contains("<circle"));
    assert!(svg.contains("Strongest moves"));
}

#[test]
fn labels_are_text_and_long_ones_are_cut() {
    let mut comparison = spiral(12);
    let nasty = "<&\">'\u{0}\u{202e} and a name that goes on and on and on and on and on";
    comparison.title = nasty.repeat(5);
    comparison.note = nasty.repeat(20);
    comparison.release_name = nasty.repeat(4);
    comparison.lines[0].name = nasty.into();
    comparison.lengths[2].label = nasty.into();
    for station in &mut comparison.stations {
        station.name = Some(nasty.into());
    }
    for comparison in [comparison.clone(), without_places(comparison)] {
        let svg = drawn(&comparison);
        assert!(svg.contains("&lt;&amp;&quot;&gt;&#39;\u{fffd}\u{fffd} and"));
        assert!(svg.contains("…</text>"));
    }
}

#[test]
fn nothing_and_nonsense_are_drawn_as_nothing() {
    let mut empty = spiral(7);
    for station in &mut empty.stations {
        (station.raw, station.released) = (0.0, 0.0);
    }
    for row in &mut empty.lengths {
        (row.raw, row.released) = (0.0, 0.0);
    }
    empty.flows_raw.clear();
    drawn(&empty);

    let strange = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -5.0,
        f64::MAX,
        5e-324,
    ];
    let mut nonsense = spiral(strange.len());
    for (index, value) in strange.into_iter().enumerate() {
        nonsense.stations[index].raw = value;
        nonsense.stations[index].released = -value;
        nonsense.lengths[index].raw = value;
        nonsense.flows_raw[index].count = value;
    }
    drawn(&nonsense);
    drawn(&without_places(nonsense.clone()));
    for (index, lng) in strange.into_iter().enumerate() {
        nonsense.stations[index].at = Some(Coordinate { lat: 90.0, lng });
    }
    drawn(&nonsense);
}

#[test]
fn positions_that_do_not_exist_are_passed_over() {
    let mut comparison = spiral(3);
    comparison.lines[0].stations = vec![0, 99, 1];
    comparison.flows_raw = vec![Flow {
        from: 0,
        to: 99,
        count: 1.0,
    }];
    comparison.flows_released = vec![Flow {
        from: 1,
        to: 1,
        count: 1.0,
    }];
    let svg = drawn(&comparison);
    assert!(!svg.contains(">moves<"), "no flow is left to explain");
}

#[test]
fn many_lengths_fold_into_more() {
    let mut comparison = spiral(3);
    let row = |length: usize| Row::new(length.to_string(), 1.0, 1.0);
    comparison.lengths = (1..=500).map(row).collect();
    let svg = drawn(&comparison);
    assert!(svg.contains(">more</text>") && !svg.contains(">500</text>"));
}
