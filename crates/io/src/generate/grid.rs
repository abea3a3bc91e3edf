//! A public grid of cells over a public box.

use wayveil_core::{Coordinate, Location, Origin, Result, Universe, UniverseDocument};

/// Rows from south to north and columns from west to east; a cell's code counts along rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) rows: u32,
    pub(super) columns: u32,
}

impl Grid {
    /// As nearly square as it gets, with about so many cells: exactly so many where that is a
    /// product of two nearly equal numbers.
    pub(super) fn about(cells: u32) -> Self {
        let side = u64::from(cells).isqrt() as u32;
        let columns = if u64::from(side) * u64::from(side + 1) < u64::from(cells) {
            side + 1
        } else {
            side.max(1)
        };
        let rows = ((cells + columns / 2) / columns).max(1);
        Self { rows, columns }
    }

    pub(super) fn cells(self) -> u32 {
        self.rows * self.columns
    }

    /// The cell of a point in a box of this width and height; a point outside counts to the
    /// nearest cell.
    pub(super) fn cell(self, x: i64, y: i64, width: i64, height: i64) -> u32 {
        let part = |at: i64, size: i64, parts: u32| {
            let size = size.max(1);
            let part = at.clamp(0, size - 1) as i128 * i128::from(parts) / i128::from(size);
            part as u32
        };
        part(y, height, self.rows) * self.columns + part(x, width, self.columns)
    }

    /// The cells as locations at their centres, over a box of degrees: south, west, north, east.
    pub(super) fn universe(self, area: [f64; 4], origin: Origin) -> Result<Universe> {
        let [south, west, north, east] = area;
        let digits = self.rows.max(self.columns).to_string().len().max(2);
        let centre = |low: f64, high: f64, part: u32, parts: u32| {
            let degrees = low + (high - low) * (f64::from(part) + 0.5) / f64::from(parts);
            (degrees * 1e6).round() / 1e6
        };
        let location = |cell: u32| {
            let (row, column) = (cell / self.columns, cell % self.columns);
            Location {
                label: format!("r{row:0digits$}c{column:0digits$}"),
                name: None,
                at: Some(Coordinate {
                    lat: centre(south, north, row, self.rows),
                    lng: centre(west, east, column, self.columns),
                }),
                group: None,
            }
        };
        Universe::try_from(UniverseDocument {
            origin,
            locations: (0..self.cells()).map(location).collect(),
            groups: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_about_as_many_cells_as_asked_for() {
        for (cells, rows, columns) in [
            (64, 8, 8),
            (1_024, 32, 32),
            (2, 2, 1),
            (3, 2, 2),
            (12, 4, 3),
        ] {
            assert_eq!(Grid::about(cells), Grid { rows, columns }, "{cells}");
        }
        for cells in 2..5_000 {
            let grid = Grid::about(cells);
            assert!(grid.cells().abs_diff(cells) <= grid.columns / 2, "{cells}");
            assert!(
                cells < 4 || grid.rows.abs_diff(grid.columns) <= 1,
                "{grid:?}"
            );
        }
    }

    #[test]
    fn cells_cover_the_box() {
        let grid = Grid {
            rows: 2,
            columns: 3,
        };
        let cell = |x, y| grid.cell(x, y, 300, 200);
        assert_eq!((cell(0, 0), cell(99, 99), cell(100, 99)), (0, 0, 1));
        assert_eq!((cell(299, 0), cell(0, 100), cell(299, 199)), (2, 3, 5));
        assert_eq!((cell(-5, -5), cell(300, 200)), (0, 5));
        let universe = grid
            .universe([10.0, 20.0, 12.0, 23.0], Origin::Declared("t".into()))
            .unwrap();
        assert_eq!(universe.len(), 6);
        assert_eq!(universe.label(5), "r01c02");
        let Coordinate { lat, lng } = universe.locations()[5].at.unwrap();
        assert_eq!((lat, lng), (11.5, 22.5));
    }
}
