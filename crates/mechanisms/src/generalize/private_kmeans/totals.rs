//! The exact sums that noise is added to.

use rayon::prelude::*;
use wayveil_core::Sequences;

use super::Contribution;
use crate::generalize::plane::GridPoint;

/// Places of one piece of work.
const PIECE: usize = 4096;

/// The weight in a cluster and the sums of its grid coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total {
    pub(super) weight: i64,
    pub(super) sums: [i64; 2],
}

impl Total {
    fn add(&mut self, other: &Total) {
        self.weight = self.weight.saturating_add(other.weight);
        for (sum, more) in self.sums.iter_mut().zip(other.sums) {
            *sum = sum.saturating_add(more);
        }
    }
}

/// How much weight the records lay on each place. Each record's share depends on it alone.
///
/// A sum stays far below 2⁶³: 2³² records of weight 10⁴ at coordinate 10³ make less than 2⁵⁶.
pub(super) fn weight_of_locations(
    records: &Sequences,
    places: usize,
    contribution: Contribution,
) -> Vec<i64> {
    let mut weights = vec![0i64; places];
    for codes in records.iter() {
        let (taken, weight) = contribution.of_length(codes.len());
        for nth in 0..taken {
            let place = codes[nth * codes.len() / taken] as usize;
            weights[place] = weights[place].saturating_add(weight as i64);
        }
    }
    weights
}

/// The totals of every cluster. Each place belongs to the nearest centre.
pub(super) fn totals(weights: &[i64], grid: &[GridPoint], centres: &[GridPoint]) -> Vec<Total> {
    let empty = || vec![Total::default(); centres.len()];
    let pieces = weights.par_chunks(PIECE).zip(grid.par_chunks(PIECE));
    pieces
        .fold(empty, |mut totals, (weights, grid)| {
            for (&weight, point) in weights.iter().zip(grid) {
                if weight > 0 {
                    totals[nearest(centres, point)].add(&Total {
                        weight,
                        sums: point.map(|coordinate| coordinate.saturating_mul(weight)),
                    });
                }
            }
            totals
        })
        .reduce(empty, |mut totals, others| {
            for (total, other) in totals.iter_mut().zip(&others) {
                total.add(other);
            }
            totals
        })
}

/// The nearest centre, of several the first; 0 where there are none.
pub(super) fn nearest(centres: &[GridPoint], point: &GridPoint) -> usize {
    let squared = |centre: &GridPoint| {
        let (x, y) = (centre[0] - point[0], centre[1] - point[1]);
        x * x + y * y
    };
    let distances = centres.iter().map(squared).enumerate();
    distances
        .min_by_key(|&(number, distance)| (distance, number))
        .map_or(0, |(number, _)| number)
}
