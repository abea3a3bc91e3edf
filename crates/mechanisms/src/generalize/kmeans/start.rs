//! Where k-means begins.

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{Coordinate, Result};

use super::check;
use crate::generalize::sphere::{Vector, squared_chord, vector};

/// Points of one piece of work. Sums are formed piece by piece, so that threads do not show.
const PIECE: usize = 8192;

/// Start centres by k-means++ (Arthur and Vassilvitskii 2007): the first is a random point, each
/// further one a point drawn with probability proportional to its squared distance from the centres so
/// far, both times its weight. There are fewer than asked for where there are fewer different points.
pub fn plus_plus<R: Rng + ?Sized>(
    points: &[Coordinate],
    weights: Option<&[u32]>,
    clusters: usize,
    rng: &mut R,
) -> Result<Vec<Coordinate>> {
    check(points, weights)?;
    let vectors: Vec<Vector> = points.par_iter().copied().map(vector).collect();
    let weight = |point: usize| weights.map_or(1.0, |weights| f64::from(weights[point]));
    // Weight times squared distance; before the first centre every distance counts as 1.
    let mut squared = vec![1.0f64; points.len()];
    let mut chosen = Vec::new();
    while chosen.len() < clusters {
        let sums: Vec<f64> = squared
            .par_chunks(PIECE)
            .enumerate()
            .map(|(piece, squared)| {
                let weighted = squared.iter().zip(piece * PIECE..);
                weighted
                    .map(|(squared, point)| squared * weight(point))
                    .sum()
            })
            .collect();
        let Some(next) = draw(&sums, &squared, weight, rng) else {
            break;
        };
        let centre = vectors[next];
        squared
            .par_chunks_mut(PIECE)
            .zip(vectors.par_chunks(PIECE))
            .for_each(|(squared, vectors)| {
                for (least, vector) in squared.iter_mut().zip(vectors) {
                    let distance = squared_chord(vector, &centre);
                    *least = match chosen.is_empty() {
                        true => distance,
                        false => least.min(distance),
                    };
                }
            });
        chosen.push(points[next]);
    }
    Ok(chosen)
}

/// A point with probability proportional to its part of the sum; none where the sum is zero.
fn draw<R: Rng + ?Sized>(
    sums: &[f64],
    squared: &[f64],
    weight: impl Fn(usize) -> f64,
    rng: &mut R,
) -> Option<usize> {
    let total: f64 = sums.iter().sum();
    // 53 random bits: a number in [0, 1).
    let mut rest = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 * total;
    let mut last = None;
    for (piece, &sum) in sums.iter().enumerate() {
        if sum <= 0.0 {
            continue;
        }
        if rest >= sum {
            rest -= sum;
            last = Some(piece);
            continue;
        }
        if let Some(point) = draw_in(piece, squared, &weight, rest) {
            return Some(point);
        }
        last = Some(piece);
    }
    // Rounding has carried the number over the end: the last point that can be drawn.
    draw_in(last?, squared, &weight, f64::INFINITY)
}

fn draw_in(
    piece: usize,
    squared: &[f64],
    weight: impl Fn(usize) -> f64,
    mut rest: f64,
) -> Option<usize> {
    let mut last = None;
    let own = squared.iter().enumerate().skip(piece * PIECE).take(PIECE);
    for (point, squared) in own {
        let part = squared * weight(point);
        if part > 0.0 {
            last = Some(point);
            if rest < part {
                break;
            }
        }
        rest -= part;
    }
    last
}
