//! A grid of equal steps in degrees over a box.

use wayveil_core::{Coordinate, Error, Location, Origin, Result, Universe, UniverseDocument};

use super::MAX_CELLS;
use super::geobox::GeoBox;
use super::sphere::{EARTH_RADIUS, wrapped};

/// The narrowest cell in degrees, about 0.1 mm: far above rounding, far below any use.
const NARROWEST: f64 = 1e-9;

/// The share of a step next to an edge in which rounding might decide.
const UNSURE: f64 = 1e-3;

/// One side of the grid: `count` steps over `span` degrees.
#[derive(Clone, Debug)]
struct Axis {
    from: f64,
    span: f64,
    count: u32,
    /// Steps per degree.
    per_degree: f64,
}

impl Axis {
    fn new(from: f64, span: f64, count: u32) -> Self {
        Self {
            from,
            span,
            count,
            per_degree: f64::from(count) / span,
        }
    }

    /// Where step `index` begins. Multiplied before it is divided, so that round numbers stay so.
    fn edge(&self, index: u32) -> f64 {
        self.from + self.span * f64::from(index) / f64::from(self.count)
    }

    /// The step that holds `at`: the last one that begins at or before it.
    #[inline]
    fn index(&self, at: f64) -> u32 {
        // Casts saturate. The position is off by far less than `UNSURE`, as steps are wide
        // compared with rounding; only close to an edge does the edge itself have to be asked.
        let position = (at - self.from) * self.per_degree;
        let guess = (position as u32).min(self.count - 1);
        let within = position - f64::from(guess);
        if within < UNSURE && at < self.edge(guess) {
            guess.saturating_sub(1)
        } else if within > 1.0 - UNSURE && guess + 1 < self.count && at >= self.edge(guess + 1) {
            guess + 1
        } else {
            guess
        }
    }

    fn middle(&self, index: u32) -> f64 {
        f64::midpoint(self.edge(index), self.edge(index + 1))
    }
}

/// A grid over a box.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    area: GeoBox,
    rows: Axis,
    columns: Axis,
}

impl Grid {
    pub(super) fn new(area: GeoBox, rows: u32, columns: u32) -> Result<Self> {
        let cells = u64::from(rows) * u64::from(columns);
        if cells == 0 {
            return Err(
                Error::input(format!("a grid of {rows} × {columns} cells has no cell"))
                    .hint("give at least one row and one column"),
            );
        }
        if cells > MAX_CELLS {
            return Err(Error::input(format!(
                "a grid of {rows} × {columns} has {cells} cells; at most {MAX_CELLS} are supported"
            ))
            .hint("take fewer rows and columns, or state a smaller box"));
        }
        let grid = Self {
            area,
            rows: Axis::new(area.south(), area.height(), rows),
            columns: Axis::new(area.west(), area.width(), columns),
        };
        let narrow = |axis: &Axis| axis.span / f64::from(axis.count) < NARROWEST;
        if narrow(&grid.rows) || narrow(&grid.columns) {
            return Err(Error::input(format!(
                "the cells of a grid of {rows} × {columns} over {area} are narrower than \
                 {NARROWEST} degrees"
            ))
            .hint("take fewer rows and columns, or state a larger box"));
        }
        Ok(grid)
    }

    pub(super) fn of_metres(area: GeoBox, metres: f64) -> Result<Self> {
        let degree = EARTH_RADIUS.to_radians();
        let middle = f64::midpoint(area.south(), area.north()).to_radians();
        let steps = |degrees: f64| (degrees * degree / metres).round().max(1.0);
        let (rows, columns) = (steps(area.height()), steps(area.width() * middle.cos()));
        let cells = rows * columns;
        if cells > MAX_CELLS as f64 {
            let enough = metres * (cells / MAX_CELLS as f64).sqrt() * 1.01;
            return Err(Error::input(format!(
                "a grid of {metres} m over {area} has about {cells:.0} cells; at most {MAX_CELLS} \
                 are supported"
            ))
            .hint(format!(
                "take cells of {enough:.0} m or more, or state a smaller box"
            )));
        }
        Self::new(area, rows as u32, columns as u32)
    }

    pub(super) fn area(&self) -> &GeoBox {
        &self.area
    }

    pub(super) fn universe(&self) -> Result<Universe> {
        let (rows, columns) = (self.rows.count, self.columns.count);
        let digits = |count: u32| (count - 1).checked_ilog10().unwrap_or(0) as usize + 1;
        let (row_digits, column_digits) = (digits(rows), digits(columns));
        let middles: Vec<_> = (0..columns)
            .map(|column| wrapped(self.columns.middle(column)))
            .collect();
        let mut locations = Vec::with_capacity(rows as usize * columns as usize);
        for row in 0..rows {
            let lat = self.rows.middle(row);
            for (column, &lng) in middles.iter().enumerate() {
                locations.push(Location {
                    label: format!("r{row:0row_digits$}c{column:0column_digits$}"),
                    at: Some(Coordinate { lat, lng }),
                    ..Location::default()
                });
            }
        }
        Universe::try_from(UniverseDocument {
            origin: Origin::Declared(format!(
                "grid of {rows} × {columns} cells over {}",
                self.area
            )),
            locations,
            groups: Vec::new(),
        })
    }

    #[inline]
    pub(super) fn code(&self, lat: f64, lng: f64) -> Option<u32> {
        if !self.area.contains(lat, lng) {
            return None;
        }
        // Longitudes are counted eastwards from the western edge; 180 is written −180 first, so
        // that one meridian has one column.
        let lng = if lng == 180.0 { -180.0 } else { lng };
        let lng = if lng < self.area.west() {
            lng + 360.0
        } else {
            lng
        };
        Some(self.rows.index(lat) * self.columns.count + self.columns.index(lng))
    }
}
