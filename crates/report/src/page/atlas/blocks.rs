//! Cells that are too many to be drawn one by one, gathered in squares.

use std::collections::BTreeMap;

use super::{Atlas, Shape};

/// More cells than this are gathered.
const MOST_CELLS: usize = 6_000;
/// About so many squares cover a map.
const SQUARES: f64 = 4_000.0;

/// A square of a map with the cells whose centres lie in it.
pub(in crate::page) struct Block {
    pub(in crate::page) corner: (f64, f64),
    pub(in crate::page) codes: Vec<u32>,
}

/// Squares of one size.
pub(in crate::page) struct Blocks {
    pub(in crate::page) side: f64,
    pub(in crate::page) blocks: Vec<Block>,
}

impl Blocks {
    /// The squares of a map; none where its places are few enough, or no cells.
    pub(in crate::page) fn of(atlas: &Atlas, shown: &[u32]) -> Option<Self> {
        if atlas.shape == Shape::Circle || shown.len() <= MOST_CELLS {
            return None;
        }
        let placed = || {
            (0_u32..)
                .zip(&atlas.places)
                .filter_map(|(code, at)| Some((code, (*at)?)))
        };
        let ends = |part: fn((f64, f64)) -> f64| {
            let values = placed().map(|(_, at)| part(at));
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (value.min(low), value.max(high))
            })
        };
        let (left, right) = ends(|at| at.0);
        let (top, foot) = ends(|at| at.1);
        let side = ((right - left) * (foot - top) / SQUARES).sqrt();
        if !(side > 0.0 && side.is_finite()) {
            return None;
        }
        let mut blocks: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for (code, (x, y)) in placed() {
            let place = |from: f64, to: f64| ((to - from) / side) as u32;
            blocks
                .entry((place(top, y), place(left, x)))
                .or_default()
                .push(code);
        }
        let block = |((row, column), codes): ((u32, u32), Vec<u32>)| Block {
            corner: (left + side * f64::from(column), top + side * f64::from(row)),
            codes,
        };
        Some(Self {
            side,
            blocks: blocks.into_iter().map(block).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_lies_in_one_square() {
        let places = (0..10_000)
            .map(|code| Some((f64::from(code % 100) * 5.0, f64::from(code / 100) * 3.0)));
        let atlas = Atlas {
            places: places.collect(),
            shape: Shape::Cell(Vec::new()),
            per_km: Some(1.0),
            angles: Vec::new(),
            without_place: 0,
        };
        let shown: Vec<u32> = (0..10_000).collect();
        let blocks = Blocks::of(&atlas, &shown).unwrap();
        let mut codes: Vec<u32> = blocks
            .blocks
            .iter()
            .flat_map(|it| it.codes.clone())
            .collect();
        codes.sort_unstable();
        assert_eq!(codes, shown);
        for block in &blocks.blocks {
            for &code in &block.codes {
                let (x, y) = atlas.place(code).unwrap();
                let inside =
                    |at: f64, from: f64| (-1e-9..blocks.side + 1e-9).contains(&(at - from));
                assert!(inside(x, block.corner.0) && inside(y, block.corner.1));
            }
        }
        assert!(blocks.blocks.len() < 5_000);
        assert!(Blocks::of(&atlas, &shown[..100]).is_none());
    }
}
