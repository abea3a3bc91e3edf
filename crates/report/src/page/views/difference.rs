//! The map of how a release differs from the raw data.

use std::cmp::Reverse;

use wayveil_core::Universe;
use wayveil_evaluate::Portrait;

use super::map::{Map, names_layer, rows_note};
use crate::page::atlas::{Painted, Painter, Spot};
use crate::page::figure::{Cell, Figure, Key, MOST_ROWS, Table};
use crate::page::wording::{full_name, grouped, name, percent};

/// From this difference on a place has the strongest shade, as a share of the raw visits.
const STRONG: f64 = 0.5;
const SLIGHT: f64 = 0.1;

/// How one step of difference looks: triangles for places, so that it is not told by colour alone.
struct Look {
    circle: &'static str,
    dot: &'static str,
    cell: &'static str,
    shape: usize,
    /// Its key, for cells and for places.
    keys: (&'static str, &'static str),
    words: &'static str,
}

const DOWN: usize = 4;
const UP: usize = 2;

/// From the greatest lack to the greatest surplus.
const LOOKS: [Look; 5] = [
    Look {
        circle: "place d1",
        dot: "dots d1",
        cell: "cell d1",
        shape: DOWN,
        keys: ("box d1", "down d1"),
        words: "share half as great or less",
    },
    Look {
        circle: "place d2",
        dot: "dots d2",
        cell: "cell d2",
        shape: DOWN,
        keys: ("box d2", "down d2"),
        words: "share too small by 10 % or more",
    },
    Look {
        circle: "place d3",
        dot: "dots d3",
        cell: "cell d3",
        shape: 0,
        keys: ("box d3", "circle d3"),
        words: "share within 10 %",
    },
    Look {
        circle: "place d4",
        dot: "dots d4",
        cell: "cell d4",
        shape: UP,
        keys: ("box d4", "up d4"),
        words: "share too great by 10 % or more",
    },
    Look {
        circle: "place d5",
        dot: "dots d5",
        cell: "cell d5",
        shape: UP,
        keys: ("box d5", "up d5"),
        words: "share too great by half or more",
    },
];

fn look(off: f64) -> &'static Look {
    &LOOKS[match off {
        o if o <= -STRONG => 0,
        o if o <= -SLIGHT => 1,
        o if o < SLIGHT => 2,
        o if o < STRONG => 3,
        _ => 4,
    }]
}

/// How far a released count is off, as a share of the raw one.
pub(in crate::page) fn off((raw, release): (u64, u64)) -> f64 {
    (release as f64 - raw as f64) / raw.max(1) as f64
}

/// How far the share of a count in all of its side is off, as a part of the share in the raw data.
fn share_off((raw, release): (u64, u64), (all_raw, all_release): (u64, u64)) -> f64 {
    match (raw, all_release) {
        (0, _) => release as f64,
        (_, 0) => -1.0,
        _ => {
            let of_raw = raw as f64 / all_raw.max(1) as f64;
            (release as f64 / all_release as f64 - of_raw) / of_raw
        }
    }
}

/// Both counts of something with their shares, in words.
fn shares_beside(words: &str, counts: (u64, u64), all: (u64, u64)) -> String {
    let share = |count: u64, all: u64| percent(count as f64 / all.max(1) as f64);
    format!(
        "{words}: raw {} ({}), release {} ({})",
        grouped(counts.0),
        share(counts.0, all.0),
        grouped(counts.1),
        share(counts.1, all.1)
    )
}

/// A share with its sign.
pub(in crate::page) fn signed(share: f64) -> String {
    match share {
        s if s > 0.0 => format!("+{}", percent(s)),
        s if s < 0.0 => format!("−{}", percent(-s)),
        _ => percent(0.0),
    }
}

/// Both counts of something, in words.
pub(in crate::page) fn beside(words: &str, counts: (u64, u64)) -> String {
    format!(
        "{words}: raw {}, release {} ({})",
        grouped(counts.0),
        grouped(counts.1),
        signed(off(counts))
    )
}

/// What is missing as a whole, in a sentence.
fn overall((raw, release): (u64, u64)) -> String {
    let all = format!(
        "The release has {} visits, the raw data {}",
        grouped(release),
        grouped(raw)
    );
    let part = match raw > release {
        true => format!(
            ": {} of the visits are missing",
            percent((raw - release) as f64 / raw as f64)
        ),
        false => String::new(),
    };
    format!("{all}{part}. Compared is each location’s share of all visits of its own side.")
}

/// Draws where the release has too few visits or too many.
pub(in crate::page) fn map_of_differences(
    universe: &Universe,
    raw: &Portrait,
    release: &Portrait,
) -> Figure {
    let counts = |code: u32| {
        let of = |portrait: &Portrait| portrait.visits.get(code as usize).copied().unwrap_or(0);
        (of(raw), of(release))
    };
    let all = (raw.symbols, release.symbols);
    let greater = |code: u32| counts(code).0.max(counts(code).1);
    let mut order: Vec<u32> = (0..universe.len() as u32)
        .filter(|&code| greater(code) > 0)
        .collect();
    order.sort_by_key(|&code| (Reverse(greater(code)), code));
    let map = Map::of(universe, order, raw);
    let largest = map.order.first().map_or(1, |&code| greater(code)).max(1);
    let spot = |&code: &u32| {
        let look = look(share_off(counts(code), all));
        Spot {
            code,
            part: greater(code) as f64 / largest as f64,
            circle: look.circle,
            dot: look.dot,
            cell: look.cell.into(),
            shape: look.shape,
        }
    };
    let spots: Vec<Spot> = map.order.iter().map(spot).collect();
    let mut painter = Painter::new(&map.atlas);
    match &map.blocks {
        Some(blocks) => {
            let painted = blocks.blocks.iter().filter_map(|block| {
                let sum =
                    |sum: (u64, u64), &code: &u32| (sum.0 + counts(code).0, sum.1 + counts(code).1);
                let sums = block.codes.iter().fold((0, 0), sum);
                let look = look(share_off(sums, all));
                (sums != (0, 0)).then(|| Painted {
                    corner: block.corner,
                    class: look.cell.into(),
                    hatched: look.shape == DOWN,
                    tip: shares_beside(&format!("{} cells", block.codes.len()), sums, all),
                })
            });
            painter.blocks(blocks.side, painted);
        }
        None => {
            painter.places(&spots, |code| {
                shares_beside(&full_name(universe, code), counts(code), all)
            });
            painter.hatch(&spots, |spot| spot.shape == DOWN);
        }
    }
    if map.has_names() {
        painter.names(&spots, |code| name(universe, code));
    }

    let mut table = Table::new(
        "Visits, raw and released",
        &[
            "location",
            "#raw",
            "#release",
            "#difference",
            "#difference of shares",
        ],
    );
    for &code in map.order.iter().take(MOST_ROWS) {
        let counts = counts(code);
        table.row([
            full_name(universe, code).into(),
            Cell::count(counts.0),
            Cell::count(counts.1),
            Cell::shown(signed(off(counts)), off(counts)),
            Cell::shown(signed(share_off(counts, all)), share_off(counts, all)),
        ]);
    }
    table.note = rows_note(table.rows.len(), map.order.len());
    let heading = "Where the release differs";
    let how = match map.has_cells() {
        true => {
            "Orange cells with a stroke have too small a share of the visits in the release, blue ones too great a one."
        }
        false => {
            "Size is the greater number of visits. Orange, pointing down: too small a share in the release; \
             blue, pointing up: too great a share; a circle: within 10 %."
        }
    };
    let drawn = match map.atlas.is_schematic() {
        true => format!(
            "The {} most visited locations stand on a ring.",
            painter.drawn.0
        ),
        false => map.in_words(painter.drawn),
    };
    let drawing = painter.finish(heading);
    let mut figure = map.figure(
        "internal-map",
        (heading, format!("{} {how} {drawn}", overall(all))),
        drawing,
        table,
    );
    figure.layers.extend(map.has_names().then(names_layer));
    let cells = map.has_cells();
    let key = |look: &Look| Key::new(if cells { look.keys.0 } else { look.keys.1 }, look.words);
    figure.keys = LOOKS.iter().map(key).collect();
    figure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_do_not_mind_that_much_is_missing() {
        // A tenth of everything is left, evenly: no location stands out.
        assert_eq!(share_off((500, 50), (1000, 100)), 0.0);
        assert_eq!(look(share_off((500, 50), (1000, 100))).shape, 0);
        assert_eq!(share_off((500, 25), (1000, 100)), -0.5);
        assert_eq!(share_off((500, 0), (1000, 0)), -1.0);
        assert!(share_off((0, 3), (1000, 100)) > STRONG);
        assert!(overall((1000, 100)).contains("90\u{a0}% of the visits are missing"));
    }
}
