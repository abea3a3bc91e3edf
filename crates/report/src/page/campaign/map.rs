//! Where the admitted fragments are: circles for places, arrows from one to the next.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use wayveil_core::Universe;

use super::model::FragmentFacts;
use crate::page::atlas::{Atlas, Painter, Shape, Spot};
use crate::page::charts::matrix::shade;
use crate::page::figure::{Cell, Figure, Key, Layer, Table};
use crate::page::views::shade_keys;
use crate::page::wording::{full_name, grouped, name, path};

/// A map of what is admitted; none where nothing is.
pub(super) fn of(universe: &Universe, fragments: &[FragmentFacts]) -> Option<Figure> {
    let admitted = || fragments.iter().filter(|it| it.admitted);
    let places = largest(admitted(), 1);
    let moves = largest(admitted(), 2);
    let strongest = places.first()?.1.max(1);
    let order: Vec<u32> = places.iter().map(|(codes, _)| codes[0]).collect();
    let people: BTreeMap<u32, u64> = places.iter().map(|(codes, it)| (codes[0], *it)).collect();
    let ends: Vec<(u32, u32)> = moves.iter().map(|(it, _)| (it[0], it[1])).collect();
    let atlas = Atlas::of(universe, &order, &ends);
    let mut painter = Painter::new(&atlas);
    let spot = |(codes, count): &(&[u32], u64)| Spot {
        code: codes[0],
        part: *count as f64 / strongest as f64,
        circle: "place",
        dot: "dots",
        cell: format!("cell q{}", shade(*count, strongest)),
        shape: 0,
    };
    let spots: Vec<Spot> = places.iter().map(spot).collect();
    if atlas.shape == Shape::Circle {
        painter.ground();
    }
    painter.places(&spots, |code| {
        let count = people.get(&code).copied().unwrap_or(0);
        format!(
            "{}: about {} people",
            full_name(universe, code),
            grouped(count)
        )
    });
    let widest = moves.first().map_or(1, |it| it.1).max(1);
    let flows: Vec<(u32, u32, f64)> = (moves.iter())
        .map(|(codes, count)| (codes[0], codes[1], *count as f64 / widest as f64))
        .collect();
    let drawn = painter.flows(&flows, |at| {
        let (codes, count) = &moves[at];
        format!(
            "{}: about {} people",
            path(universe, codes),
            grouped(*count)
        )
    });
    painter.names(&spots, |code| name(universe, code));
    let heading = "What is admitted, on the map";
    let mut figure = Figure::new(
        "admitted-map",
        heading,
        caption(&atlas, drawn),
        painter.finish(heading),
        table(universe, &places, &moves),
    )
    .keys(keys(&atlas, strongest, drawn))
    .wide();
    figure.map = true;
    figure.layers = [
        ("places", "places"),
        ("flows", "arrows"),
        ("names", "names"),
    ]
    .map(|(name, words)| Layer {
        name,
        words: words.into(),
    })
    .into();
    Some(figure)
}

/// Every run of so many places that a fragment has, with the most people of any that has it, the largest
/// first. A longer fragment's people have each run of it.
fn largest<'a>(
    fragments: impl Iterator<Item = &'a FragmentFacts>,
    length: usize,
) -> Vec<(&'a [u32], u64)> {
    let mut most: BTreeMap<&[u32], u64> = BTreeMap::new();
    for fragment in fragments {
        for run in fragment.codes.windows(length) {
            let known = most.entry(run).or_default();
            *known = fragment.people().max(*known);
        }
    }
    let mut most: Vec<(&[u32], u64)> = most.into_iter().collect();
    most.sort_by_key(|(codes, people)| (Reverse(*people), *codes));
    most
}

fn caption(atlas: &Atlas, flows: usize) -> String {
    let mut caption = match atlas.is_schematic() {
        true => "The locations have no coordinates, and stand on a ring.".to_owned(),
        false => "Estimated from the answers of closed rounds.".to_owned(),
    };
    if flows > 0 {
        caption += " Arrows lead from one place of a fragment to the next, bent to the right of their way.";
    }
    if atlas.without_place > 0 && !atlas.is_schematic() {
        caption += &format!(
            " {} places without coordinates are missing.",
            atlas.without_place
        );
    }
    caption
}

fn keys(atlas: &Atlas, strongest: u64, flows: usize) -> Vec<Key> {
    let mut keys = match atlas.shape {
        Shape::Circle => vec![Key::new(
            "circle place",
            format!(
                "as large as the people who were there; the largest: {}",
                grouped(strongest)
            ),
        )],
        Shape::Cell(_) => shade_keys(strongest, "people"),
    };
    if flows > 0 {
        keys.push(Key::new("line-flow", "as wide as the people who went so"));
    }
    keys
}

fn table(universe: &Universe, places: &[(&[u32], u64)], moves: &[(&[u32], u64)]) -> Table {
    let titles = ["place or arrow", "#people, estimated"];
    let mut table = Table::new("What the map shows", &titles);
    for (codes, count) in places.iter().chain(moves) {
        table.row([path(universe, codes).into(), Cell::count(*count)]);
    }
    table.capped()
}
