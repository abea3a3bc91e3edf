//! Maps of visits and flows, and of how they differ from the raw data.

use wayveil_core::Universe;
use wayveil_evaluate::Portrait;

use crate::page::atlas::{Atlas, Painter, Shape, Spot};
use crate::page::charts::matrix::shade;
use crate::page::figure::{Cell, Figure, Key, Layer, Table};
use crate::page::views::shade_keys;
use crate::page::wording::{counted, full_name, grouped, name, path, percent};

/// The difference from which on a place has the strongest shade, as a share of the raw visits.
const STRONG: f64 = 0.5;
const SLIGHT: f64 = 0.1;

/// What a map shows.
pub(in crate::page) enum Shown<'a> {
    /// A release.
    Visits {
        universe: &'a Universe,
        portrait: &'a Portrait,
    },
    /// A release against raw data.
    Difference {
        universe: &'a Universe,
        raw: &'a Portrait,
        release: &'a Portrait,
    },
}

/// Draws a map, or a schematic where there are no coordinates.
pub(in crate::page) fn map(shown: &Shown<'_>) -> Figure {
    match *shown {
        Shown::Visits { universe, portrait } => visits(universe, portrait),
        Shown::Difference {
            universe,
            raw,
            release,
        } => difference(universe, raw, release),
    }
}

fn visits(universe: &Universe, portrait: &Portrait) -> Figure {
    let order = portrait.most_visited();
    let flows: Vec<(u32, u32)> = portrait
        .flows
        .strongest
        .iter()
        .map(|it| (it.from, it.to))
        .collect();
    let atlas = Atlas::of(universe, &order, &flows);
    let largest = order
        .first()
        .map_or(1, |&code| portrait.visits[code as usize])
        .max(1);
    let spots: Vec<Spot> = order
        .iter()
        .map(|&code| {
            let visits = portrait.visits[code as usize];
            Spot {
                code,
                part: visits as f64 / largest as f64,
                circle: "place",
                dot: "dots",
                cell: format!("cell q{}", shade(visits, largest)),
                shape: 0,
            }
        })
        .collect();
    let mut painter = Painter::new(&atlas);
    if atlas.shape == Shape::Circle {
        painter.ground();
    }
    let cells = atlas.shape != Shape::Circle;
    let tip = |code: u32| {
        let visits = portrait.visits[code as usize];
        format!(
            "{}: {} visits, {}",
            full_name(universe, code),
            grouped(visits),
            percent(visits as f64 / portrait.symbols.max(1) as f64)
        )
    };
    let strongest = portrait
        .flows
        .strongest
        .first()
        .map_or(1, |flow| flow.count) as f64;
    let lines: Vec<(u32, u32, f64)> = portrait
        .flows
        .strongest
        .iter()
        .map(|flow| (flow.from, flow.to, flow.count as f64 / strongest))
        .collect();
    let flow_tip = |index: usize| {
        let flow = &portrait.flows.strongest[index];
        format!(
            "{}: {} moves",
            path(universe, &[flow.from, flow.to]),
            grouped(flow.count)
        )
    };
    let drawn_flows = if cells {
        painter.places(&spots, tip);
        painter.flows(&lines, flow_tip)
    } else {
        let drawn = painter.flows(&lines, flow_tip);
        painter.places(&spots, tip);
        drawn
    };
    let named = has_names(universe, &atlas);
    if named {
        painter.names(&spots, |code| name(universe, code));
    }
    let drawn = painter.drawn;

    let mut table = Table::new(
        "Visits by location",
        &["location", "#latitude", "#longitude", "#visits"],
    );
    for &code in order.iter().take(crate::page::figure::MOST_ROWS) {
        let at = universe.locations()[code as usize].at;
        table.row([
            full_name(universe, code).into(),
            at.map_or("–".into(), |at| Cell::from(format!("{:.5}", at.lat))),
            at.map_or("–".into(), |at| Cell::from(format!("{:.5}", at.lng))),
            Cell::count(portrait.visits[code as usize]),
        ]);
    }
    table.note = rows_note(table.rows.len(), order.len());
    let schematic = atlas.is_schematic();
    let heading = if schematic {
        "Locations and flows, schematic"
    } else {
        "Map of visits and flows"
    };
    let mut caption = match schematic {
        true => format!(
            "The locations have no coordinates: the {} most visited stand on a ring, beside those they \
             exchange most with.",
            drawn.0
        ),
        false => places_caption(&atlas, drawn, order.len()),
    };
    if drawn_flows > 0 {
        caption += &format!(
            " Lines are the {} strongest flows between them, bent to the right of their way; \
             an arrow head shows it.",
            drawn_flows
        );
    }
    let mut keys = match cells {
        true => shade_keys(largest, "visits"),
        false => vec![Key::new(
            "circle place",
            format!("visits, by area: the largest has {}", grouped(largest)),
        )],
    };
    if drawn_flows > 0 {
        keys.push(Key::new(
            "line-flow",
            format!(
                "moves, by width: the widest has {}",
                grouped(strongest as u64)
            ),
        ));
    }
    let mut layers = vec![
        Layer {
            name: "places",
            words: if cells {
                "cells".into()
            } else {
                "places".into()
            },
        },
        Layer {
            name: "flows",
            words: "flows".into(),
        },
    ];
    layers.extend(named.then(names_layer));
    let drawing = painter.finish(heading);
    let mut figure = Figure::new("map", heading, caption, drawing, table)
        .keys(keys)
        .wide();
    (figure.map, figure.layers) = (true, layers);
    figure
}

/// Whether names help: those of cells are but numbers, unless they were given.
fn has_names(universe: &Universe, atlas: &Atlas) -> bool {
    atlas.shape == Shape::Circle || universe.locations().iter().any(|it| it.name.is_some())
}

fn names_layer() -> Layer {
    Layer {
        name: "names",
        words: "names".into(),
    }
}

fn places_caption(atlas: &Atlas, (own, common): (usize, usize), visited: usize) -> String {
    let kind = match &atlas.shape {
        Shape::Circle => "locations",
        Shape::Cell(corners) if corners.len() == 6 => "hexagons",
        Shape::Cell(_) => "cells",
    };
    let mut text = format!(
        "{} of {} visited {kind} are drawn",
        grouped((own + common) as u64),
        grouped(visited as u64)
    );
    if common > 0 {
        text += &format!(
            ", the {} most visited of them with their numbers",
            grouped(own as u64)
        );
    }
    text.push('.');
    if atlas.without_place > 0 {
        text += &format!(
            " {} no coordinates.",
            counted(atlas.without_place, "location has", "locations have")
        );
    }
    if atlas.shape == Shape::Circle {
        text += " Faint dots are public locations without a visit.";
    }
    text
}

fn rows_note(shown: usize, all: usize) -> String {
    match shown < all {
        true => format!("The first {shown} of {} rows.", grouped(all as u64)),
        false => String::new(),
    }
}

/// How far the visits of a place are off: none where there is nothing on either side.
fn off(raw: u64, release: u64) -> f64 {
    (release as f64 - raw as f64) / raw.max(1) as f64
}

/// The class of a difference: how strong, and which way.
fn step(off: f64) -> usize {
    match off {
        o if o <= -STRONG => 1,
        o if o <= -SLIGHT => 2,
        o if o < SLIGHT => 3,
        o if o < STRONG => 4,
        _ => 5,
    }
}

fn difference(universe: &Universe, raw: &Portrait, release: &Portrait) -> Figure {
    let sides = |code: u32| {
        let of = |portrait: &Portrait| portrait.visits.get(code as usize).copied().unwrap_or(0);
        (of(raw), of(release))
    };
    let mut order: Vec<u32> = (0..universe.len() as u32)
        .filter(|&code| sides(code) != (0, 0))
        .collect();
    order.sort_by_key(|&code| {
        let (raw, release) = sides(code);
        (std::cmp::Reverse(raw.max(release)), code)
    });
    let flows: Vec<(u32, u32)> = raw
        .flows
        .strongest
        .iter()
        .map(|it| (it.from, it.to))
        .collect();
    let atlas = Atlas::of(universe, &order, &flows);
    let largest = order.first().map_or(1, |&code| {
        let (raw, release) = sides(code);
        raw.max(release)
    });
    const CIRCLES: [&str; 5] = ["place d1", "place d2", "place d3", "place d4", "place d5"];
    const DOTS: [&str; 5] = ["dots d1", "dots d2", "dots d3", "dots d4", "dots d5"];
    const SHAPES: [usize; 5] = [4, 4, 0, 2, 2];
    let spots: Vec<Spot> = order
        .iter()
        .map(|&code| {
            let (raw, release) = sides(code);
            let step = step(off(raw, release));
            Spot {
                code,
                part: raw.max(release) as f64 / largest.max(1) as f64,
                circle: CIRCLES[step - 1],
                dot: DOTS[step - 1],
                cell: format!("cell d{step}"),
                shape: SHAPES[step - 1],
            }
        })
        .collect();
    let words = |code: u32| {
        let (raw, release) = sides(code);
        format!(
            "{}: raw {}, release {} ({})",
            full_name(universe, code),
            grouped(raw),
            grouped(release),
            signed(off(raw, release))
        )
    };
    let mut painter = Painter::new(&atlas);
    painter.places(&spots, words);
    painter.hatch(&spots, |spot| spot.shape == SHAPES[0]);
    let named = has_names(universe, &atlas);
    if named {
        painter.names(&spots, |code| name(universe, code));
    }
    let drawn = painter.drawn;
    let mut table = Table::new(
        "Visits, raw and released",
        &["location", "#raw", "#release", "#difference"],
    );
    for &code in order.iter().take(crate::page::figure::MOST_ROWS) {
        let (raw, release) = sides(code);
        let off = off(raw, release);
        table.row([
            full_name(universe, code).into(),
            Cell::count(raw),
            Cell::count(release),
            Cell::shown(signed(off), off),
        ]);
    }
    table.note = rows_note(table.rows.len(), order.len());
    let cells = atlas.shape != Shape::Circle;
    let heading = "Where the release differs";
    let how = match cells {
        true => "Orange cells, hatched, have too few visits in the release, blue ones too many.",
        false => {
            "Size is the greater number of visits. Orange, pointing down: too few in the release; blue, pointing up: too many; a circle: within 10 %."
        }
    };
    let place = if atlas.is_schematic() {
        format!("The {} most visited locations on a ring.", drawn.0)
    } else {
        places_caption(&atlas, drawn, order.len())
            .replace(" Faint dots are public locations without a visit.", "")
    };
    let keys = match cells {
        true => vec![
            Key::new("box d1", "half or more missing"),
            Key::new("box d2", "10 % or more missing"),
            Key::new("box d3", "within 10 %"),
            Key::new("box d4", "10 % or more too many"),
            Key::new("box d5", "half or more too many"),
        ],
        false => vec![
            Key::new("down d1", "half or more missing"),
            Key::new("down d2", "10 % or more missing"),
            Key::new("circle d3", "within 10 %"),
            Key::new("up d4", "10 % or more too many"),
            Key::new("up d5", "half or more too many"),
        ],
    };
    let drawing = painter.finish(heading);
    let mut figure = Figure::new(
        "internal-map",
        heading,
        format!("{how} {place}"),
        drawing,
        table,
    )
    .keys(keys)
    .wide();
    figure.map = true;
    figure.layers = vec![Layer {
        name: "places",
        words: if cells {
            "cells".into()
        } else {
            "places".into()
        },
    }];
    figure.layers.extend(named.then(names_layer));
    figure
}

/// A share with its sign.
pub(in crate::page) fn signed(share: f64) -> String {
    match share {
        s if s > 0.0 => format!("+{}", percent(s)),
        s if s < 0.0 => format!("−{}", percent(-s)),
        _ => percent(0.0),
    }
}
