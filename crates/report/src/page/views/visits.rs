//! The map of a release: how much each place is visited, and the strongest flows.

use wayveil_core::Universe;
use wayveil_evaluate::Portrait;

use super::map::{Map, names_layer, rows_note};
use super::shade_keys;
use crate::page::atlas::{Painted, Painter, Spot};
use crate::page::charts::matrix::shade;
use crate::page::figure::{Cell, Figure, Key, Layer, MOST_ROWS, Table};
use crate::page::wording::{full_name, grouped, name, number, path, percent};

/// Draws visits and flows, as a schematic where there are no coordinates.
pub(in crate::page) fn map_of_visits(universe: &Universe, portrait: &Portrait) -> Figure {
    let map = Map::of(universe, portrait.most_visited(), portrait);
    let visits = |code: u32| portrait.visits.get(code as usize).copied().unwrap_or(0);
    let mut largest = map.order.first().map_or(1, |&code| visits(code)).max(1);
    let mut painter = Painter::new(&map.atlas);
    let spot = |&code: &u32| Spot {
        code,
        part: visits(code) as f64 / largest as f64,
        circle: "place",
        dot: "dots",
        cell: format!("cell q{}", shade(visits(code), largest)),
        shape: 0,
    };
    let spots: Vec<Spot> = map.order.iter().map(spot).collect();
    let tip = |code: u32| {
        let (count, all) = (visits(code), portrait.symbols.max(1));
        let share = percent(count as f64 / all as f64);
        format!(
            "{}: {} visits, {share}",
            full_name(universe, code),
            grouped(count)
        )
    };
    let moves = Moves::of(universe, portrait);
    let drawn_flows = if let Some(blocks) = &map.blocks {
        let mean = |codes: &[u32]| {
            let sum: u64 = codes.iter().map(|&code| visits(code)).sum();
            sum as f64 / codes.len().max(1) as f64
        };
        let most = blocks
            .blocks
            .iter()
            .map(|block| mean(&block.codes))
            .fold(1.0, f64::max);
        largest = most.ceil() as u64;
        let painted = blocks.blocks.iter().filter_map(|block| {
            let mean = mean(&block.codes);
            let words = format!(
                "{} cells, {} visits in each on average",
                block.codes.len(),
                number(mean)
            );
            (mean > 0.0).then(|| Painted {
                corner: block.corner,
                class: format!("cell q{}", shade(mean.ceil() as u64, largest)),
                hatched: false,
                tip: words,
            })
        });
        painter.blocks(blocks.side, painted);
        moves.draw(&mut painter)
    } else if map.has_cells() {
        painter.places(&spots, tip);
        moves.draw(&mut painter)
    } else {
        painter.ground();
        let drawn = moves.draw(&mut painter);
        painter.places(&spots, tip);
        drawn
    };
    if map.has_names() {
        painter.names(&spots, |code| name(universe, code));
    }

    let schematic = map.atlas.is_schematic();
    let heading = if schematic {
        "Locations and flows, schematic"
    } else {
        "Map of visits and flows"
    };
    let caption = caption(&map, painter.drawn, drawn_flows);
    let drawing = painter.finish(heading);
    let mut figure = map.figure("map", (heading, caption), drawing, table(&map, visits));
    figure.keys = match (&map.blocks, map.has_cells()) {
        (Some(_), _) => shade_keys(largest, "visits in a cell, on average"),
        (None, true) => shade_keys(largest, "visits"),
        (None, false) => {
            let words = format!("visits, by area: the largest has {}", grouped(largest));
            vec![Key::new("circle place", words)]
        }
    };
    if drawn_flows > 0 {
        let words = format!(
            "moves, by width: the widest has {}",
            grouped(moves.strongest)
        );
        figure.keys.push(Key::new("line-flow", words));
        figure.layers.push(Layer {
            name: "flows",
            words: "flows".into(),
        });
    }
    figure.layers.extend(map.has_names().then(names_layer));
    figure
}

/// The flows of a map.
struct Moves<'a> {
    universe: &'a Universe,
    portrait: &'a Portrait,
    strongest: u64,
}

impl<'a> Moves<'a> {
    fn of(universe: &'a Universe, portrait: &'a Portrait) -> Self {
        let strongest = portrait.flows.strongest.first();
        Self {
            universe,
            portrait,
            strongest: strongest.map_or(1, |flow| flow.count).max(1),
        }
    }

    /// Draws the strongest, and says how many.
    fn draw(&self, painter: &mut Painter<'_>) -> usize {
        let flows = &self.portrait.flows.strongest;
        let part = |count: u64| count as f64 / self.strongest as f64;
        let lines: Vec<(u32, u32, f64)> = flows
            .iter()
            .map(|flow| (flow.from, flow.to, part(flow.count)))
            .collect();
        painter.flows(&lines, |index| {
            let flow = &flows[index];
            let way = path(self.universe, &[flow.from, flow.to]);
            format!("{way}: {} moves", grouped(flow.count))
        })
    }
}

fn caption(map: &Map<'_>, drawn: (usize, usize), flows: usize) -> String {
    let mut caption = match map.atlas.is_schematic() {
        true => format!(
            "The locations have no coordinates: the {} most visited stand on a ring, beside those they \
             exchange most with.",
            drawn.0
        ),
        false => map.in_words(drawn),
    };
    if !map.has_cells() && !map.atlas.is_schematic() && map.order.len() < map.universe.len() {
        caption += " Faint dots are public locations without a visit.";
    }
    if flows > 0 {
        caption += &format!(
            " Lines are the {flows} strongest flows between them, bent to the right of their way; an arrow \
             head shows it."
        );
    }
    caption
}

fn table(map: &Map<'_>, visits: impl Fn(u32) -> u64) -> Table {
    let titles = ["location", "#latitude", "#longitude", "#visits"];
    let mut table = Table::new("Visits by location", &titles);
    for &code in map.order.iter().take(MOST_ROWS) {
        let at = map.universe.locations()[code as usize].at;
        let degrees =
            |value: Option<f64>| value.map_or("–".into(), |it| Cell::from(format!("{it:.5}")));
        table.row([
            full_name(map.universe, code).into(),
            degrees(at.map(|it| it.lat)),
            degrees(at.map(|it| it.lng)),
            Cell::count(visits(code)),
        ]);
    }
    table.note = rows_note(table.rows.len(), map.order.len());
    table
}
