//! From points on the earth to locations of a public universe.
//!
//! | way | its locations | a point belongs to | a point has none if |
//! | --- | --- | --- | --- |
//! | [grid](Places::grid) | the cells of a grid of equal steps in degrees over a stated box | the cell that holds it | it lies outside the box |
//! | [H3](Places::h3) | the H3 cells of a resolution that meet a stated box | its H3 cell | it lies outside the box |
//! | [listed H3](Places::h3_of) | the H3 cells that are the labels of a stated universe | its H3 cell | its cell is not listed |
//! | [nearest](Places::nearest) | those of a stated universe, with coordinates | the nearest by great circle | none is within the stated distance |
//!
//! All that the ways rest on is stated: boxes, sizes, resolutions, distances and lists are public
//! inputs, and none is taken from the points. A universe that is made here says in its origin what
//! it was made from; one that was given keeps its own origin.
//!
//! **Grid.** Row 0 is the southernmost, column 0 the westernmost; the label of a cell is
//! `r<row>c<column>`, padded with zeros so that labels sort like codes. Row k begins at
//! south + (north − south) · k / rows, and columns likewise. A point on an inner edge belongs to the
//! cell north or east of it; the box's northern and eastern edges belong to the last row and column.
//! Round the full circle the 180th meridian is an inner edge, so that it belongs to column 0. At a
//! pole the column goes by the longitude as it is written.
//!
//! **H3.** A cell meets the box if it has a point in common with it, or comes within 10⁻⁹ degrees
//! (0.1 mm): then its centre lies in the box, or one of its edges (which are great circles) crosses
//! into it, or it holds the whole box. Every point of the box has its cell in the universe; a point
//! outside the box has none, also if its cell does. Cells are in the order of their ids, and labels
//! are the ids in lower-case hexadecimal.
//!
//! **Nearest.** Distances are great circles on a sphere of radius 6,371,008.8 m, and the stated
//! distance is included. Of several locations at the same distance the one with the lowest code
//! is taken.

mod cells;
mod geobox;
mod grid;
mod meets;
mod nearest;
mod sphere;
mod tree;

use wayveil_core::{Error, Result, Universe};

use cells::Cells;
pub use geobox::GeoBox;
use grid::Grid;
use nearest::Nearest;

/// The most cells of a grid or of an H3 resolution over a box.
const MAX_CELLS: u64 = 4_000_000;

/// A public universe and the way from a point to one of its locations.
#[derive(Clone, Debug)]
pub struct Places {
    universe: Universe,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Grid(Grid),
    Cells(Cells),
    Nearest(Nearest),
}

impl Places {
    /// The cells of a grid of equal steps in degrees over a box.
    pub fn grid(area: GeoBox, rows: u32, columns: u32) -> Result<Self> {
        Self::of_grid(Grid::new(area, rows, columns)?)
    }

    /// A grid whose cells are about `metres` wide and high: the box's height, and its width at its
    /// middle latitude, divided by `metres` and rounded to the nearest whole number of rows and
    /// columns, at least one. The earth is a sphere of radius 6,371,008.8 m.
    pub fn grid_of_metres(area: GeoBox, metres: f64) -> Result<Self> {
        if !(metres.is_finite() && metres > 0.0) {
            return Err(Error::input(format!(
                "invalid size of grid cells (got {metres} m): it must be more than 0"
            ))
            .hint("state a size in metres, for example 500m"));
        }
        Self::of_grid(Grid::of_metres(area, metres)?)
    }

    fn of_grid(grid: Grid) -> Result<Self> {
        Ok(Self {
            universe: grid.universe()?,
            way: Way::Grid(grid),
        })
    }

    /// All H3 cells of a resolution (0 to 15) that meet a box.
    pub fn h3(area: GeoBox, resolution: u8) -> Result<Self> {
        let (cells, universe) = Cells::over(area, resolution)?;
        Ok(Self {
            universe,
            way: Way::Cells(cells),
        })
    }

    /// A universe whose labels are H3 cells of a resolution. There is no box: a point belongs to
    /// the universe if its cell is listed.
    pub fn h3_of(universe: Universe, resolution: u8) -> Result<Self> {
        Ok(Self {
            way: Way::Cells(Cells::of(&universe, resolution)?),
            universe,
        })
    }

    /// The nearest location of a universe, if it is within `metres` (more than 0, at most
    /// 20,100,000). Every location needs coordinates.
    pub fn nearest(universe: Universe, metres: f64) -> Result<Self> {
        Ok(Self {
            way: Way::Nearest(Nearest::new(&universe, metres)?),
            universe,
        })
    }

    /// The locations.
    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    /// The code of the location to which a point belongs, if there is one. None also for what is
    /// no point, such as NaN or a latitude above 90.
    #[inline]
    pub fn code(&self, lat: f64, lng: f64) -> Option<u32> {
        match &self.way {
            Way::Grid(grid) => grid.code(lat, lng),
            Way::Cells(cells) => cells.code(lat, lng),
            Way::Nearest(nearest) => nearest.code(lat, lng),
        }
    }

    /// Whether a point lies in the stated box or, where there is none, in a box that holds every
    /// point with a location. Quick; true for every point that has a code. Points of which few pass
    /// as they are and most with latitude and longitude exchanged were written the other way round.
    pub fn encloses(&self, lat: f64, lng: f64) -> bool {
        match &self.way {
            Way::Grid(grid) => grid.area(),
            Way::Cells(cells) => cells.extent(),
            Way::Nearest(nearest) => nearest.extent(),
        }
        .contains(lat, lng)
    }
}

/// Reads a length: `300`, `300m` or `1.5km`; metres if no unit is written.
pub fn parse_metres(text: &str) -> Result<f64> {
    let trimmed = text.trim();
    let (number, unit) = if let Some(number) = trimmed.strip_suffix("km") {
        (number, 1000.0)
    } else if let Some(number) = trimmed.strip_suffix('m') {
        (number, 1.0)
    } else {
        (trimmed, 1.0)
    };
    match number.trim_end().parse::<f64>().map(|value| value * unit) {
        Ok(metres) if metres.is_finite() && metres > 0.0 => Ok(metres),
        _ => Err(Error::input(format!(
            "invalid length (got {text:?}): it must be a number above 0, in metres or kilometres"
        ))
        .hint("write for example 300, 300m or 1.5km")),
    }
}

#[cfg(test)]
mod tests;
