//! The nearest of many points on the sphere, by the straight line through the earth.
//!
//! A balanced tree: each inner node halves its points along one axis, each leaf holds a few. The
//! points lie in one array in the order of the leaves.

use super::sphere::Vector;

/// The most points of a leaf.
const LEAF: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Point {
    at: Vector,
    code: u32,
}

#[derive(Clone, Copy, Debug)]
struct Split {
    axis: usize,
    value: f64,
}

/// Points to search.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    points: Vec<Point>,
    /// Inner nodes; the children of `node` are `2 node + 1` and `2 node + 2`.
    splits: Vec<Split>,
}

/// The nearest so far: squared distance and code, which decides between equals.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Best(f64, u32);

impl Tree {
    /// A tree over points whose codes are their positions.
    pub(super) fn new(vectors: impl IntoIterator<Item = Vector>) -> Self {
        let mut points: Vec<_> = vectors
            .into_iter()
            .zip(0..)
            .map(|(at, code)| Point { at, code })
            .collect();
        let mut inner = 0;
        while points.len().div_ceil(inner + 1) > LEAF {
            inner = 2 * inner + 1;
        }
        let nowhere = Split {
            axis: 0,
            value: 0.0,
        };
        let mut splits = vec![nowhere; inner];
        build(&mut points, 0, &mut splits);
        Self { points, splits }
    }

    /// The code of the nearest point whose squared distance is at most `within`; of several at
    /// the same distance, the lowest.
    pub(super) fn nearest(&self, to: &Vector, within: f64) -> Option<u32> {
        let mut best = Best(within, u32::MAX);
        self.search(&self.points, 0, to, &mut best);
        (best.1 != u32::MAX).then_some(best.1)
    }

    fn search(&self, points: &[Point], node: usize, to: &Vector, best: &mut Best) {
        let Some(split) = self.splits.get(node) else {
            for point in points {
                let candidate = Best(squared_distance(&point.at, to), point.code);
                if candidate < *best {
                    *best = candidate;
                }
            }
            return;
        };
        let (below, above) = points.split_at(points.len() / 2);
        let beyond = to[split.axis] - split.value;
        let (near, far) = ((below, 2 * node + 1), (above, 2 * node + 2));
        let (near, far) = if beyond < 0.0 {
            (near, far)
        } else {
            (far, near)
        };
        self.search(near.0, near.1, to, best);
        // Rounding keeps order, so a point beyond the split is computed no nearer than the split.
        if beyond * beyond <= best.0 {
            self.search(far.0, far.1, to, best);
        }
    }
}

fn build(points: &mut [Point], node: usize, splits: &mut [Split]) {
    if node >= splits.len() {
        return;
    }
    let axis = widest_axis(points);
    let half = points.len() / 2;
    let (_, middle, _) =
        points.select_nth_unstable_by(half, |a, b| a.at[axis].total_cmp(&b.at[axis]));
    splits[node] = Split {
        axis,
        value: middle.at[axis],
    };
    let (below, above) = points.split_at_mut(half);
    build(below, 2 * node + 1, splits);
    build(above, 2 * node + 2, splits);
}

fn widest_axis(points: &[Point]) -> usize {
    let extent = |axis: usize| {
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in points {
            lowest = lowest.min(point.at[axis]);
            highest = highest.max(point.at[axis]);
        }
        highest - lowest
    };
    let extents = [extent(0), extent(1), extent(2)];
    (0..3).fold(0, |best, axis| {
        if extents[axis] > extents[best] {
            axis
        } else {
            best
        }
    })
}

fn squared_distance(a: &Vector, b: &Vector) -> f64 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    x * x + y * y + z * z
}
