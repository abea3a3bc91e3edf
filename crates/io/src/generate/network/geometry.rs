//! Points and directions in the plane, and numbers that look random but are fixed.

/// A point or a direction; kilometres east and north of the city's centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::generate) struct Point {
    pub(in crate::generate) x: f64,
    pub(in crate::generate) y: f64,
}

impl Point {
    pub(in crate::generate) fn distance(self, other: Point) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        (x * x + y * y).sqrt()
    }

    /// This point moved by `steps` times a direction.
    pub(super) fn moved(self, steps: f64, direction: Point) -> Point {
        Point {
            x: self.x + steps * direction.x,
            y: self.y + steps * direction.y,
        }
    }

    /// The direction a quarter turn to the left.
    pub(super) fn left(self) -> Point {
        Point {
            x: -self.y,
            y: self.x,
        }
    }

    /// The direction turned left by the angle between east and `by`.
    pub(super) fn turned(self, by: Point) -> Point {
        let turned = Point {
            x: self.x * by.x - self.y * by.y,
            y: self.x * by.y + self.y * by.x,
        };
        let length = turned.distance(Point::default());
        Point {
            x: turned.x / length,
            y: turned.y / length,
        }
    }
}

/// East.
pub(super) const EAST: Point = Point { x: 1.0, y: 0.0 };

/// The golden angle, 137.5°: its multiples fill a circle evenly however many are taken.
pub(super) const GOLDEN: Point = Point {
    x: -0.737_368_878_078_319_7,
    y: 0.675_490_294_261_523_8,
};

/// A number that depends on nothing but its arguments (splitmix64's finaliser).
pub(in crate::generate) fn hashed(purpose: u64, index: u64) -> u64 {
    let mut z = purpose
        .wrapping_mul(0xd1b5_4a32_d192_ed03)
        .wrapping_add(index)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// As [`hashed`], between −1 and 1.
pub(in crate::generate) fn jitter(purpose: u64, index: u64) -> f64 {
    // 53 bits fit a double exactly.
    (hashed(purpose, index) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_stays_in_range_and_looks_even() {
        let values: Vec<f64> = (0..10_000).map(|index| jitter(3, index)).collect();
        assert!(values.iter().all(|value| (-1.0..1.0).contains(value)));
        let mean = values.iter().sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 0.03, "mean {mean}");
    }

    #[test]
    fn turning_keeps_length_one() {
        let mut direction = EAST;
        for _ in 0..10_000 {
            direction = direction.turned(GOLDEN);
        }
        assert!((direction.distance(Point::default()) - 1.0).abs() < 1e-12);
    }
}
