//! Cells of the H3 grid.

use h3o::{CellIndex, LatLng, Resolution};
use rustc_hash::{FxHashMap, FxHashSet};
use wayveil_core::{Coordinate, Error, Location, Origin, Result, Universe, UniverseDocument};

use super::MAX_CELLS;
use super::geobox::GeoBox;
use super::meets::arc_meets;
use super::sphere::{in_range, vector};

/// Degrees by which the box is grown while its cells are gathered, about 0.1 mm: rounding at an
/// edge cannot leave a point of the box without a cell.
const MARGIN: f64 = 1e-9;

/// Cells with codes, and the box that points must lie in.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    resolution: Resolution,
    /// The stated box; none where the cells themselves were stated.
    stated: Option<GeoBox>,
    /// A box that holds all cells, or the stated one.
    extent: GeoBox,
    codes: FxHashMap<u64, u32>,
}

impl Cells {
    /// All cells of a resolution that meet a box, in the order of their ids.
    pub(super) fn over(area: GeoBox, resolution: u8) -> Result<(Self, Universe)> {
        let resolution = checked(resolution)?;
        check_number(&area, resolution)?;
        let cells = cells_that_meet(&area, resolution)?;
        let locations = cells
            .iter()
            .map(|&cell| {
                let centre = LatLng::from(cell);
                Location {
                    label: cell.to_string(),
                    at: Some(Coordinate {
                        lat: centre.lat(),
                        lng: centre.lng(),
                    }),
                    ..Location::default()
                }
            })
            .collect();
        let universe = Universe::try_from(UniverseDocument {
            origin: Origin::Declared(format!(
                "H3 cells of resolution {} that meet {area}",
                u8::from(resolution)
            )),
            locations,
            groups: Vec::new(),
        })?;
        let codes = cells.iter().map(|&cell| u64::from(cell)).zip(0..).collect();
        let cells = Self {
            resolution,
            stated: Some(area),
            extent: area,
            codes,
        };
        Ok((cells, universe))
    }

    /// The cells whose ids are the labels of a universe.
    pub(super) fn of(universe: &Universe, resolution: u8) -> Result<Self> {
        let resolution = checked(resolution)?;
        let mut codes = FxHashMap::default();
        let mut centres = Vec::with_capacity(universe.len());
        let mut reach = 0_f64;
        for (location, code) in universe.locations().iter().zip(0_u32..) {
            let cell = cell_of(&location.label, resolution)?;
            if let Some(first) = codes.insert(u64::from(cell), code) {
                return Err(Error::input(format!(
                    "the labels {:?} and {:?} are the same H3 cell",
                    universe.label(first),
                    location.label
                ))
                .hint("remove one of the two; a location has one place in the universe"));
            }
            let centre = LatLng::from(cell);
            for &corner in cell.boundary().iter() {
                reach = reach.max(centre.distance_rads(corner));
            }
            centres.push((centre.lat(), centre.lng()));
        }
        Ok(Self {
            resolution,
            stated: None,
            extent: GeoBox::around(&centres, reach.to_degrees()),
            codes,
        })
    }

    pub(super) fn extent(&self) -> &GeoBox {
        &self.extent
    }

    pub(super) fn code(&self, lat: f64, lng: f64) -> Option<u32> {
        let inside = match &self.stated {
            Some(area) => area.contains(lat, lng),
            None => in_range(lat, lng),
        };
        if !inside {
            return None;
        }
        let cell = LatLng::new(lat, lng).ok()?.to_cell(self.resolution);
        self.codes.get(&u64::from(cell)).copied()
    }
}

fn checked(resolution: u8) -> Result<Resolution> {
    Resolution::try_from(resolution).map_err(|_| {
        Error::input(format!(
            "invalid H3 resolution (got {resolution}): resolutions are 0 to 15"
        ))
        .hint("9 has cells of about 0.1 km², 8 of 0.7 km², 7 of 5 km²")
    })
}

fn cell_of(label: &str, resolution: Resolution) -> Result<CellIndex> {
    let wanted = u8::from(resolution);
    let cell = label.parse::<CellIndex>().map_err(|_| {
        Error::input(format!("the label {label:?} is not the id of an H3 cell")).hint(
            "every label of the universe must be an H3 cell in hexadecimal, as 89283082803ffff",
        )
    })?;
    let found = u8::from(cell.resolution());
    if found != wanted {
        return Err(Error::input(format!(
            "the label {label:?} is an H3 cell of resolution {found}, not {wanted}"
        ))
        .hint("all cells of a universe have one resolution; state the one they have"));
    }
    Ok(cell)
}

/// About how many cells meet a box: its area by the mean area of a cell, and its border.
fn estimate(area: &GeoBox, resolution: Resolution) -> f64 {
    let (south, north) = (area.south().to_radians(), area.north().to_radians());
    let width = area.width().to_radians();
    let surface = width * (north.sin() - south.sin());
    let all = resolution.cell_count() as f64;
    let border = width * (north.cos() + south.cos()) + 2.0 * (north - south);
    // A border passes through about one cell per edge length.
    (surface / (4.0 * std::f64::consts::PI) * all + border / resolution.edge_length_rads()).min(all)
}

fn check_number(area: &GeoBox, resolution: Resolution) -> Result<()> {
    let cells = estimate(area, resolution);
    if cells > MAX_CELLS as f64 {
        return Err(too_many(area, resolution, &format!("about {cells:.0}")));
    }
    Ok(())
}

fn too_many(area: &GeoBox, resolution: Resolution, cells: &str) -> Error {
    let wanted = u8::from(resolution);
    let enough = (0..wanted)
        .rev()
        .filter_map(|coarser| Resolution::try_from(coarser).ok())
        .find(|&coarser| estimate(area, coarser) <= MAX_CELLS as f64)
        .map_or(0, u8::from);
    Error::input(format!(
        "there are {cells} H3 cells of resolution {wanted} over {area}; at most {MAX_CELLS} are \
         supported"
    ))
    .hint(format!(
        "take resolution {enough} or a coarser one, or state a smaller box"
    ))
}

/// The cells that meet a box, sorted.
///
/// A cell that meets the box holds its centre in the box, or its border meets the box, or the
/// whole box lies within it, with its corners. The cells of a box hang together, so that a walk
/// over neighbours from the corners finds them all.
fn cells_that_meet(area: &GeoBox, resolution: Resolution) -> Result<Vec<CellIndex>> {
    let grown = area.grown(MARGIN);
    let mut found = FxHashSet::default();
    let mut refused = FxHashSet::default();
    let mut waiting = Vec::new();
    for (lat, lng) in area.corners().into_iter().chain(grown.corners()) {
        if let Ok(corner) = LatLng::new(lat, lng) {
            let cell = corner.to_cell(resolution);
            if found.insert(cell) {
                waiting.push(cell);
            }
        }
    }
    while let Some(cell) = waiting.pop() {
        for near in cell.grid_disk::<Vec<_>>(1) {
            if found.contains(&near) || refused.contains(&near) {
                continue;
            }
            if !cell_meets(&grown, near) {
                refused.insert(near);
                continue;
            }
            found.insert(near);
            waiting.push(near);
        }
        if found.len() as u64 > MAX_CELLS {
            return Err(too_many(
                area,
                resolution,
                &format!("more than {MAX_CELLS}"),
            ));
        }
    }
    let mut cells: Vec<_> = found.into_iter().collect();
    cells.sort_unstable_by_key(|&cell| u64::from(cell));
    Ok(cells)
}

fn cell_meets(area: &GeoBox, cell: CellIndex) -> bool {
    let centre = LatLng::from(cell);
    if area.contains(centre.lat(), centre.lng()) {
        return true;
    }
    let border = cell.boundary();
    let corner = |index: usize| {
        let corner = border[index % border.len()];
        vector(corner.lat(), corner.lng())
    };
    (0..border.len()).any(|index| arc_meets(area, corner(index), corner(index + 1)))
}
