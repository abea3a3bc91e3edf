//! The made-up city of the taxis: streets in a grid, and where people go.

use rand_core::Rng;

use super::Fix;
use crate::generate::draw;
use crate::generate::grid::Grid;

/// The public box that holds every point: south, west, north, east, in degrees.
pub const AREA: [f64; 4] = [45.4, -73.75, 45.6, -73.45];
/// Its south-western corner and its size in millionths of a degree.
const SOUTH: i32 = 45_400_000;
const WEST: i32 = -73_750_000;
const HEIGHT: i64 = 200_000;
const WIDTH: i64 = 300_000;

/// Centimetres between two streets.
const APART: i64 = 25_000;
/// Streets in each direction, from 1; the first and the last lie well within the box, which is
/// 22.24 km high and 23.382 km wide.
const AVENUES: i64 = 92;
const STREETS: i64 = 88;

/// A crossing of an avenue (counted from the west) and a street (from the south).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossing {
    avenue: i64,
    street: i64,
}

const CENTRE: Crossing = Crossing {
    avenue: 46,
    street: 44,
};
const STATION: Crossing = Crossing {
    avenue: 38,
    street: 50,
};
const AIRPORT: Crossing = Crossing {
    avenue: 82,
    street: 16,
};

/// A point in the plane, in centimetres from the south-western corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) x: i64,
    pub(super) y: i64,
}

impl Crossing {
    /// Where people go: the centre, the station, the airport, and everywhere else, more towards
    /// the middle.
    pub(super) fn draw<R: Rng>(rng: &mut R) -> Self {
        let (hot_spot, around) = match draw::below(100, rng) {
            0..35 => (CENTRE, 8),
            35..45 => (STATION, 1),
            45..52 => (AIRPORT, 1),
            _ => (CENTRE, 45),
        };
        // The sum of two uniform steps is more often small than large.
        let mut near = |at: i64, most: i64| {
            let steps = draw::below(around + 1, rng) + draw::below(around + 1, rng);
            (at + steps as i64 - around as i64).clamp(1, most)
        };
        Self {
            avenue: near(hot_spot.avenue, AVENUES),
            street: near(hot_spot.street, STREETS),
        }
    }

    pub(super) fn blocks_to(self, other: Self) -> u64 {
        self.avenue.abs_diff(other.avenue) + self.street.abs_diff(other.street)
    }
}

/// A way along streets: along one, along an avenue, and along another street.
pub(super) struct Way {
    from: Crossing,
    to: Crossing,
    /// The avenue.
    via: i64,
}

impl Way {
    /// A shortest way, with a random place to turn.
    pub(super) fn draw<R: Rng>(from: Crossing, to: Crossing, rng: &mut R) -> Self {
        let between = from.avenue.abs_diff(to.avenue);
        let low = from.avenue.min(to.avenue);
        Self {
            from,
            to,
            via: low + draw::below(between + 1, rng) as i64,
        }
    }

    /// In centimetres.
    pub(super) fn length(&self) -> i64 {
        self.from.blocks_to(self.to) as i64 * APART
    }

    /// Where one is after so many centimetres.
    pub(super) fn at(&self, gone: i64) -> Place {
        let (from, to) = (self.from, self.to);
        let legs = [
            (self.via - from.avenue) * APART,
            (to.street - from.street) * APART,
            (to.avenue - self.via) * APART,
        ];
        let mut left = gone;
        let [first, second, third] = legs.map(|leg| {
            let part = left.min(leg.abs());
            left -= part;
            part * leg.signum()
        });
        Place {
            x: from.avenue * APART + first + third,
            y: from.street * APART + second,
        }
    }
}

/// Millionths of a degree north and east: 111.2 and 77.94 km to the degree.
pub(super) fn degrees(place: Place) -> (i32, i32) {
    let north = (place.y * 25 / 278) as i32;
    let east = (place.x * 500 / 3897) as i32;
    (SOUTH + north, WEST + east)
}

/// The cell of a grid over [`AREA`].
pub(super) fn cell(grid: Grid, fix: &Fix) -> u32 {
    let (x, y) = (fix.lng_micro - WEST, fix.lat_micro - SOUTH);
    grid.cell(x.into(), y.into(), WIDTH, HEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayveil_core::RandomSource;

    fn crossing(avenue: i64, street: i64) -> Crossing {
        Crossing { avenue, street }
    }

    #[test]
    fn a_way_follows_streets() {
        let way = Way {
            from: crossing(2, 5),
            to: crossing(6, 4),
            via: 3,
        };
        assert_eq!(way.length(), 5 * APART);
        let at = |blocks_tenths: i64| {
            let Place { x, y } = way.at(blocks_tenths * APART / 10);
            (x * 10 / APART, y * 10 / APART)
        };
        let places = [0, 5, 10, 15, 20, 35, 50].map(at);
        let worked_out = [
            (20, 50),
            (25, 50),
            (30, 50),
            (30, 45),
            (30, 40),
            (45, 40),
            (60, 40),
        ];
        assert_eq!(places, worked_out);
        let back = Way {
            from: crossing(6, 4),
            to: crossing(2, 5),
            via: 6,
        };
        assert_eq!(
            back.at(APART / 2),
            Place {
                x: 6 * APART,
                y: 4 * APART + APART / 2
            }
        );
    }

    #[test]
    fn every_crossing_lies_in_the_box_with_room_around() {
        let mut rng = RandomSource::insecure_seed(1).stream();
        for corner in [crossing(1, 1), crossing(AVENUES, STREETS)] {
            let way = Way::draw(corner, corner, &mut rng);
            let (lat, lng) = degrees(way.at(0));
            assert!((SOUTH + 500..SOUTH + HEIGHT as i32 - 500).contains(&lat));
            assert!((WEST + 500..WEST + WIDTH as i32 - 500).contains(&lng));
        }
        let centre = (0..10_000).filter(|_| Crossing::draw(&mut rng).blocks_to(CENTRE) <= 16);
        assert!((3_000..6_000).contains(&centre.count()));
        let [south, west, north, east] = AREA.map(|degrees| (degrees * 1e6).round() as i64);
        assert_eq!((south, west), (SOUTH.into(), WEST.into()));
        assert_eq!((north - south, east - west), (HEIGHT, WIDTH));
    }
}
