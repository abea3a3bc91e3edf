//! A regular grid, recognised from public coordinates alone.

use wayveil_core::{Coordinate, Universe};

/// Metres of a degree of latitude, on a sphere of radius 6,371,008.8 m.
const DEGREE: f64 = 111_195.08;
/// The finest level of blocks: 2⁷ by 2⁷.
const FINEST: u32 = 7;
/// How far a step may differ from its neighbours, as a part of it.
const UNEVEN: f64 = 1e-3;

/// A grid of locations numbered row by row, with the size of its cells in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Lattice {
    pub(super) rows: usize,
    pub(super) columns: usize,
    height: f64,
    width: f64,
}

impl Lattice {
    /// The grid that all locations form; none where they form another pattern or have no coordinates.
    pub(super) fn of(universe: &Universe) -> Option<Self> {
        let at: Vec<Coordinate> = universe
            .locations()
            .iter()
            .map(|location| location.at)
            .collect::<Option<_>>()?;
        let first = at.first()?;
        let columns = at.iter().take_while(|it| it.lat == first.lat).count();
        let rows = at.len() / columns;
        if rows < 2 || columns < 2 || rows * columns != at.len() {
            return None;
        }
        let aligned = at.iter().enumerate().all(|(code, it)| {
            it.lat == at[code / columns * columns].lat && it.lng == at[code % columns].lng
        });
        let north = at[columns].lat - first.lat;
        let east = eastwards(first, &at[1]);
        let even = |step: f64, own: f64| (own - step).abs() <= UNEVEN * step.abs();
        let rows_even =
            (1..rows).all(|row| even(north, at[row * columns].lat - at[(row - 1) * columns].lat));
        let columns_even = (1..columns).all(|c| even(east, eastwards(&at[c - 1], &at[c])));
        if !aligned || !rows_even || !columns_even || north == 0.0 || east == 0.0 {
            return None;
        }
        let middle = f64::midpoint(first.lat, at[at.len() - 1].lat).to_radians();
        Some(Self {
            rows,
            columns,
            height: north.abs() * DEGREE,
            width: east * DEGREE * middle.cos(),
        })
    }

    /// How many locations it has.
    pub(super) fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The distance of two locations in metres, on the plane.
    pub(super) fn metres(&self, a: u32, b: u32) -> f64 {
        let ((ra, ca), (rb, cb)) = (self.place(a), self.place(b));
        self.length(ra.abs_diff(rb), ca.abs_diff(cb))
    }

    /// The length of a way of so many rows and columns.
    pub(super) fn length(&self, rows: usize, columns: usize) -> f64 {
        (rows as f64 * self.height).hypot(columns as f64 * self.width)
    }

    /// From one corner to the opposite one.
    pub(super) fn diagonal(&self) -> f64 {
        self.length(self.rows - 1, self.columns - 1)
    }

    /// The shorter side of a cell.
    pub(super) fn shortest(&self) -> f64 {
        self.height.min(self.width)
    }

    pub(super) fn place(&self, code: u32) -> (usize, usize) {
        let code = code as usize;
        (code / self.columns, code % self.columns)
    }

    /// The finest level of blocks in which no block is empty.
    pub(super) fn finest(&self) -> u32 {
        self.rows.min(self.columns).ilog2().min(FINEST)
    }

    /// The sector of a location, of so many at each side.
    pub(super) fn sector(&self, side: u32, code: u32) -> u32 {
        let ((row, column), side) = (self.place(code), side as usize);
        (row * side / self.rows * side + column * side / self.columns) as u32
    }

    /// The block of a location at a level: 2^level by 2^level of them, each made of four of the next level.
    pub(super) fn block(&self, level: u32, code: u32) -> u32 {
        let (row, column) = self.place(code);
        let (down, across) = ((row << level) / self.rows, (column << level) / self.columns);
        ((down << level) + across) as u32
    }
}

fn eastwards(from: &Coordinate, to: &Coordinate) -> f64 {
    (to.lng - from.lng).rem_euclid(360.0)
}

/// The block of the level before that holds this one.
pub(super) fn parent(level: u32, block: u32) -> u32 {
    let (down, across) = (block >> level, block & ((1 << level) - 1));
    ((down / 2) << (level - 1)) + across / 2
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Location, Origin, UniverseDocument};

    use super::*;

    fn universe(places: impl IntoIterator<Item = (f64, f64)>) -> Universe {
        let location = |(number, (lat, lng)): (usize, (f64, f64))| Location {
            label: format!("L{number}"),
            at: Some(Coordinate { lat, lng }),
            ..Location::default()
        };
        Universe::try_from(UniverseDocument {
            origin: Origin::Declared("a test".into()),
            locations: places.into_iter().enumerate().map(location).collect(),
            groups: Vec::new(),
        })
        .unwrap()
    }

    fn grid(rows: usize, columns: usize, west: f64) -> Vec<(f64, f64)> {
        let wrapped = |lng: f64| if lng > 180.0 { lng - 360.0 } else { lng };
        let at = |code: usize| {
            (
                10.0 + 0.01 * (code / columns) as f64,
                wrapped(west + 0.02 * (code % columns) as f64),
            )
        };
        (0..rows * columns).map(at).collect()
    }

    #[test]
    fn a_grid_is_recognised_and_nothing_else() {
        let found = Lattice::of(&universe(grid(5, 7, 116.0))).unwrap();
        assert_eq!((found.rows, found.columns), (5, 7));
        assert!((found.length(1, 0) - 1_111.95).abs() < 0.1);
        assert!((found.metres(0, 8) - found.length(1, 1)).abs() < 1e-9);
        assert!(Lattice::of(&universe(grid(4, 9, 179.95))).is_some());
        let mut moved = grid(5, 7, 116.0);
        moved[11].1 += 0.001;
        assert!(Lattice::of(&universe(moved)).is_none());
        let mut missing = grid(5, 7, 116.0);
        missing.pop();
        assert!(Lattice::of(&universe(missing)).is_none());
        let mut uneven = grid(5, 7, 116.0);
        uneven[28..].iter_mut().for_each(|at| at.0 += 0.003);
        assert!(Lattice::of(&universe(uneven)).is_none());
        let labels = Universe::from_labels(["A", "B"], Origin::FromData).unwrap();
        assert!(Lattice::of(&labels).is_none());
    }

    #[test]
    fn blocks_lie_within_each_other_and_none_is_empty() {
        let found = Lattice::of(&universe(grid(11, 9, 0.0))).unwrap();
        assert_eq!(found.finest(), 3);
        for level in 1..=3 {
            let mut seen = vec![false; 1 << (2 * level)];
            for code in 0..99 {
                let block = found.block(level, code);
                seen[block as usize] = true;
                assert_eq!(parent(level, block), found.block(level - 1, code));
            }
            assert!(seen.iter().all(|&it| it));
        }
    }
}
