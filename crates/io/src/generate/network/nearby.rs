//! Which stations are near a point, without looking at all of them.

use std::collections::HashMap;

use super::{Point, Station};

/// The side of a cell in kilometres; most searches reach less far and look at few cells.
const CELL: f64 = 1.0;

/// Stations by the cell of the plane they lie in.
#[derive(Default)]
pub(super) struct Nearby {
    cells: HashMap<(i32, i32), Vec<u32>>,
}

impl Nearby {
    fn cell(at: Point) -> (i32, i32) {
        ((at.x / CELL).floor() as i32, (at.y / CELL).floor() as i32)
    }

    pub(super) fn insert(&mut self, station: u32, at: Point) {
        self.cells.entry(Self::cell(at)).or_default().push(station);
    }

    /// The nearest of `stations` that is wanted and at most `reach` away.
    pub(super) fn nearest(
        &self,
        stations: &[Station],
        at: Point,
        reach: f64,
        wanted: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let diagonal = Point { x: 1.0, y: 1.0 };
        let (left, bottom) = Self::cell(at.moved(-reach, diagonal));
        let (right, top) = Self::cell(at.moved(reach, diagonal));
        let around = (left..=right).flat_map(|x| (bottom..=top).map(move |y| (x, y)));
        around
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .filter(|&&station| wanted(station))
            .map(|&station| (stations[station as usize].at.distance(at), station))
            .filter(|&(distance, _)| distance <= reach)
            .min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)))
            .map(|(_, station)| station)
    }
}
