//! One round after the other: centres to the means of their points, points to the nearest centres.

use rayon::prelude::*;

use crate::generalize::nearest::{CentreIndex, SLACK};
use crate::generalize::sphere::{Vector, normalised, squared_chord};

/// Points of one piece of work.
const PIECE: usize = 8192;
/// Coordinates are summed as multiples of 2⁻⁵².
const UNIT: f64 = (1u64 << 52) as f64;
/// A point that lies nearer than this to its centre (less than a millimetre on the earth) is no centre
/// of its own.
const SAME_PLACE: f64 = 1e-10;

/// What is known of a point.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Its centre is at most this far.
    upper: f64,
    /// Every other centre is at least this far.
    lower: f64,
    centre: u32,
}

/// An exact weighted sum of vectors. |coordinate| ≤ 2⁵², weight < 2³² and fewer than 2⁴³ points keep
/// it within 127 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    weight: i128,
    coordinates: [i128; 3],
}

impl Sum {
    pub(super) fn add(&mut self, vector: &Vector, weight: i128) {
        self.weight += weight;
        for (sum, coordinate) in self.coordinates.iter_mut().zip(vector) {
            *sum += i128::from((coordinate * UNIT).round() as i64) * weight;
        }
    }

    fn join(&mut self, other: &Sum) {
        self.weight += other.weight;
        for (sum, more) in self.coordinates.iter_mut().zip(other.coordinates) {
            *sum += more;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.weight == 0
    }

    /// The mean, brought to the sphere; none where it has no direction.
    pub(super) fn centre(&self) -> Option<Vector> {
        normalised(self.coordinates.map(|sum| sum as f64))
    }
}

/// Points, their centres and what is known of their distances. Between rounds every point is at its
/// nearest centre, and the sums are those of the clusters.
pub(super) struct State<'a> {
    points: &'a [Vector],
    weights: Option<&'a [u32]>,
    index: CentreIndex,
    bounds: Vec<Bounds>,
    sums: Vec<Sum>,
}

impl<'a> State<'a> {
    pub(super) fn new(
        points: &'a [Vector],
        weights: Option<&'a [u32]>,
        index: CentreIndex,
    ) -> Self {
        let bounds: Vec<Bounds> = points
            .par_iter()
            .map(|point| {
                let guess = index.guess(point).unwrap_or(0);
                let found = index.nearest_two(point, guess);
                Bounds {
                    upper: found.distance,
                    lower: found.second,
                    centre: found.centre,
                }
            })
            .collect();
        let mut state = Self {
            points,
            weights,
            sums: vec![Sum::default(); index.centres().len()],
            index,
            bounds,
        };
        state.sums = state.add_up();
        state
    }

    fn weight(weights: Option<&[u32]>, point: usize) -> i128 {
        weights.map_or(1, |weights| i128::from(weights[point]))
    }

    fn add_up(&self) -> Vec<Sum> {
        let pieces = self
            .points
            .par_chunks(PIECE)
            .zip(self.bounds.par_chunks(PIECE));
        let empty = || vec![Sum::default(); self.sums.len()];
        pieces
            .enumerate()
            .fold(empty, |mut sums, (piece, (points, bounds))| {
                for (at, (point, bounds)) in points.iter().zip(bounds).enumerate() {
                    let weight = Self::weight(self.weights, piece * PIECE + at);
                    sums[bounds.centre as usize].add(point, weight);
                }
                sums
            })
            .reduce(empty, joined)
    }

    /// Moves the centres and assigns the points again; whether nothing has changed.
    pub(super) fn round(&mut self) -> bool {
        let mut centres: Vec<Vector> = self.index.centres().to_vec();
        for (centre, sum) in centres.iter_mut().zip(&self.sums) {
            *centre = sum.centre().unwrap_or(*centre);
        }
        let refilled = self.refill(&mut centres);
        let moved: Vec<f64> = centres
            .iter()
            .zip(self.index.centres())
            .map(|(new, old)| squared_chord(new, old).sqrt())
            .collect();
        if !refilled && moved.iter().all(|&moved| moved == 0.0) {
            return true;
        }
        self.index = CentreIndex::of_vectors(centres);
        let changes = self.assign(&moved);
        for (sum, change) in self.sums.iter_mut().zip(changes.iter().flatten()) {
            sum.join(change);
        }
        changes.is_none() && !refilled
    }

    /// Gives each cluster without points the point that lies farthest from its own centre, of several
    /// the first, unless that would empty another cluster.
    fn refill(&mut self, centres: &mut [Vector]) -> bool {
        let mut refilled = false;
        for empty in 0..centres.len() {
            if !self.sums[empty].is_empty() {
                continue;
            }
            let Some(point) = self.farthest(centres) else {
                break;
            };
            let weight = Self::weight(self.weights, point);
            let vector = &self.points[point];
            let from = self.bounds[point].centre as usize;
            self.sums[from].add(vector, -weight);
            self.sums[empty].add(vector, weight);
            for cluster in [from, empty] {
                centres[cluster] = self.sums[cluster].centre().unwrap_or(centres[cluster]);
            }
            // Nothing is known of it now: the next assignment will ask.
            self.bounds[point] = Bounds {
                upper: f64::INFINITY,
                lower: 0.0,
                centre: empty as u32,
            };
            refilled = true;
        }
        refilled
    }

    fn farthest(&self, centres: &[Vector]) -> Option<usize> {
        let far = |point: usize| {
            let bounds = &self.bounds[point];
            let cluster = bounds.centre as usize;
            let weight = Self::weight(self.weights, point);
            let squared = squared_chord(&self.points[point], &centres[cluster]);
            let movable = weight > 0
                && self.sums[cluster].weight > weight
                && squared > SAME_PLACE * SAME_PLACE;
            movable.then_some((squared, point))
        };
        let farthest = (0..self.points.len())
            .into_par_iter()
            .filter_map(far)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        farthest.map(|(_, point)| point)
    }

    /// Brings every point to its nearest centre after the centres have moved this far; how the sums
    /// change, if any point changed sides.
    fn assign(&mut self, moved: &[f64]) -> Option<Vec<Sum>> {
        let (farthest, second) = farthest_two(moved);
        let half: Vec<f64> = (0..moved.len() as u32)
            .map(|centre| self.index.to_nearest_other(centre) / 2.0)
            .collect();
        let (index, weights, clusters) = (&self.index, self.weights, moved.len());
        let pieces = self
            .points
            .par_chunks(PIECE)
            .zip(self.bounds.par_chunks_mut(PIECE));
        let piece = |(piece, (points, bounds)): (usize, (&[Vector], &mut [Bounds]))| {
            let mut changes: Option<Vec<Sum>> = None;
            for (at, (point, bounds)) in points.iter().zip(bounds).enumerate() {
                let from = bounds.centre;
                let own = from as usize;
                // What is added and taken covers the rounding of the distances.
                bounds.upper += moved[own] + SLACK;
                let others_moved = if own == farthest {
                    moved[second]
                } else {
                    moved[farthest]
                };
                bounds.lower -= others_moved + SLACK;
                let safe = bounds.lower.max(half[own]) - SLACK;
                if bounds.upper < safe {
                    continue;
                }
                bounds.upper = squared_chord(point, &index.centres()[own]).sqrt();
                if bounds.upper < safe {
                    continue;
                }
                let found = index.nearest_two(point, from);
                (bounds.upper, bounds.lower, bounds.centre) =
                    (found.distance, found.second, found.centre);
                if found.centre != from {
                    let changes = changes.get_or_insert_with(|| vec![Sum::default(); clusters]);
                    let weight = Self::weight(weights, piece * PIECE + at);
                    changes[own].add(point, -weight);
                    changes[found.centre as usize].add(point, weight);
                }
            }
            changes
        };
        let joined = |a: Option<Vec<Sum>>, b: Option<Vec<Sum>>| match (a, b) {
            (Some(a), Some(b)) => Some(joined(a, b)),
            (a, b) => a.or(b),
        };
        pieces.enumerate().map(piece).reduce(|| None, joined)
    }

    /// The centres that have points, and each point's among them. A point without weight whose centre
    /// is left out goes to the nearest of the others.
    pub(super) fn into_clusters(self) -> (Vec<Vector>, Vec<u32>) {
        let kept: Vec<Vector> = self
            .index
            .centres()
            .iter()
            .zip(&self.sums)
            .filter(|(_, sum)| !sum.is_empty())
            .map(|(centre, _)| *centre)
            .collect();
        if kept.len() == self.sums.len() {
            let of_point = self.bounds.iter().map(|bounds| bounds.centre).collect();
            return (kept, of_point);
        }
        let index = CentreIndex::of_vectors(kept.clone());
        let nearest = |point: &Vector| {
            let guess = index.guess(point).unwrap_or(0);
            index.nearest_two(point, guess).centre
        };
        let of_point = self.points.par_iter().map(nearest).collect();
        (kept, of_point)
    }
}

fn joined(mut sums: Vec<Sum>, others: Vec<Sum>) -> Vec<Sum> {
    for (sum, other) in sums.iter_mut().zip(&others) {
        sum.join(other);
    }
    sums
}

/// The numbers of the greatest and the second greatest value; the same of a single one.
fn farthest_two(moved: &[f64]) -> (usize, usize) {
    let mut order: Vec<usize> = (0..moved.len()).collect();
    order.sort_unstable_by(|&a, &b| moved[b].total_cmp(&moved[a]).then(a.cmp(&b)));
    let first = order.first().copied().unwrap_or(0);
    (first, order.get(1).copied().unwrap_or(first))
}
