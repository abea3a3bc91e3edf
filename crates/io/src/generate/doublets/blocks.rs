//! A town of square blocks, the middle ones busy, people mostly going to one not far off.

use rand_core::Rng;
use wayveil_core::{Location, Origin, Result, Universe, UniverseDocument};

use super::Town;
use crate::generate::Preset;
use crate::generate::draw::{self, Cumulative};
use crate::generate::network::{Point, coordinate, hashed};
use crate::generate::route::Route;

/// Kilometres from one block to the next.
const BLOCK: f64 = 0.5;
/// Numbers drawn by [`hashed`] for these purposes differ from all others.
const CHARM: u64 = 201;
const HOME: u64 = 202;
/// What weights are fractions of.
const WEIGHT: u64 = 1 << 32;

/// Blocks in rows, as nearly square as their number allows.
pub(super) struct Blocks {
    count: u32,
    columns: u32,
    homes: Cumulative,
    places: Cumulative,
}

impl Blocks {
    pub(super) fn new(count: u32) -> Self {
        let columns = u64::from(count).isqrt() as u32;
        let columns = columns + u32::from(columns * columns < count);
        let rows = count.div_ceil(columns);
        let charm = |purpose, block: u32| 50 + hashed(purpose, block.into()) % 100;
        // Twice the distance, so that the centre of an even number of blocks is an integer too.
        let from_centre = |block: u32| {
            let x = (2 * (block % columns) + 1).abs_diff(columns);
            let y = (2 * (block / columns) + 1).abs_diff(rows);
            u64::from(x) * u64::from(x) + u64::from(y) * u64::from(y)
        };
        let soft = u64::from(count) / 3 + 1;
        let pull = |block| charm(CHARM, block) * WEIGHT / (soft + from_centre(block));
        Self {
            count,
            columns,
            homes: Cumulative::new((0..count).map(|block| charm(HOME, block))),
            places: Cumulative::new((0..count).map(pull)),
        }
    }

    fn at(&self, block: u32) -> (u32, u32) {
        (block % self.columns, block / self.columns)
    }

    /// How many blocks one walks between two.
    fn apart(&self, one: u32, other: u32) -> u32 {
        let ((x, y), (to_x, to_y)) = (self.at(one), self.at(other));
        x.abs_diff(to_x) + y.abs_diff(to_y)
    }

    /// A block beside another; two blocks or more have neighbours.
    fn beside<R: Rng>(&self, block: u32, rng: &mut R) -> u32 {
        let (x, _) = self.at(block);
        let candidates = [
            (x > 0).then(|| block - 1),
            (x + 1 < self.columns).then_some(block + 1),
            block.checked_sub(self.columns),
            Some(block + self.columns),
        ];
        let inside = candidates.into_iter().flatten();
        let inside = inside.filter(|&other| other < self.count);
        draw::weighted(inside.map(|other| (other, 1)), rng).unwrap_or(0)
    }

    /// The block halfway between two, going sideways first.
    fn halfway(&self, one: u32, other: u32) -> u32 {
        let ((x, y), (to_x, to_y)) = (self.at(one), self.at(other));
        (x + to_x) / 2 + (y + to_y) / 2 * self.columns
    }
}

impl Town for Blocks {
    const STAYING: u64 = 5;

    fn universe(&self, preset: Preset) -> Result<Universe> {
        let digits = self.count.to_string().len().max(2);
        let rows = self.count.div_ceil(self.columns);
        let location = |block| {
            let (x, y) = self.at(block);
            let middle =
                |cell: u32, cells: u32| BLOCK * (f64::from(cell) + 0.5 - f64::from(cells) / 2.0);
            Location {
                label: format!("B{:0digits$}", block + 1),
                name: Some(format!("Block {} of row {}", x + 1, y + 1)),
                at: Some(coordinate(Point {
                    x: middle(x, self.columns),
                    y: middle(y, rows),
                })),
                group: None,
            }
        };
        Universe::try_from(UniverseDocument {
            origin: Origin::Declared(format!("generator {preset}")),
            locations: (0..self.count).map(location).collect(),
            groups: Vec::new(),
        })
    }

    fn home<R: Rng>(&self, rng: &mut R) -> u32 {
        self.homes.draw(rng)
    }

    /// Next door, or to the nearest of three attractive blocks.
    fn way<R: Rng>(&self, from: u32, rng: &mut R) -> Route {
        let drawn = [0; 3].map(|_: u8| self.places.draw(rng));
        let others = drawn.into_iter().filter(|&to| to != from);
        let to = match others.min_by_key(|&to| self.apart(from, to)) {
            Some(to) if !draw::percent(15, rng) => to,
            _ => self.beside(from, rng),
        };
        let mut route = Route::from(from);
        let halfway = self.halfway(from, to);
        if self.apart(from, to) > 2
            && halfway < self.count
            && ![from, to].contains(&halfway)
            && draw::percent(60, rng)
        {
            route.push(halfway);
        }
        route.push(to);
        route
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::LOCATIONS;
    use wayveil_core::RandomSource;

    #[test]
    fn ways_go_to_other_blocks_mostly_near_ones() {
        let mut rng = RandomSource::insecure_seed(1).stream();
        for count in [2, 3, 5, 26, 200, 5_000, *LOCATIONS.end()] {
            let town = Blocks::new(count);
            let mut walked = 0;
            for _ in 0..2_000 {
                let home = town.home(&mut rng);
                let way = town.way(home, &mut rng);
                let mut stops = way.stops().to_vec();
                assert!(stops.len() >= 2 && stops[0] == home);
                walked += town.apart(home, way.end());
                stops.sort_unstable();
                stops.dedup();
                assert_eq!(stops.len(), way.stops().len(), "{way:?}");
                assert!(stops.iter().all(|&block| block < count));
            }
            let side = u64::from(count).isqrt() as u32;
            assert!(walked <= 2_000 * side.max(2) * 2 / 3, "{count}: {walked}");
        }
    }

    #[test]
    fn the_centre_attracts_and_every_block_is_somebodys_home() {
        let town = Blocks::new(26);
        assert_eq!((town.columns, town.at(25)), (6, (1, 4)));
        let mut rng = RandomSource::insecure_seed(2).stream();
        let (mut homes, mut places) = ([0; 26], [0; 26]);
        for _ in 0..20_000 {
            homes[town.homes.draw(&mut rng) as usize] += 1;
            places[town.places.draw(&mut rng) as usize] += 1;
        }
        assert!(homes.iter().all(|&people| people > 200));
        assert!(places[14] > 3 * places[0], "{places:?}");
    }
}
