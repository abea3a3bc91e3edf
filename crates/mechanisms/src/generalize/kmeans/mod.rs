//! k-means of places on the earth.
//!
//! Places are unit vectors; the distance between two is the chord, which orders pairs as the way along
//! the ground does. A cluster's centre is its mean, brought back to the sphere: of all places on the
//! sphere this one has the least sum of squared chords. So the antimeridian is no border and a pole no
//! exception. Where the mean is the middle of the earth (two opposite places) every place is as good,
//! and the centre stays.
//!
//! [`k_means`] is Lloyd's algorithm: each point to its nearest centre (ties to the lower number), each
//! centre to the mean of its points, until no assignment changes or a number of rounds is done. It does
//! not compute most of the distances: every point keeps how far its centre is at most and how far any
//! other one is at least (Hamerly 2010), and where these overlap the search asks only centres around
//! its own one ([`CentreIndex`]). Means are sums of integers, so that neither the order of summing nor
//! the number of threads shows, and a sum can be corrected by the points that changed sides.
//!
//! A cluster that has lost all its points takes the point that lies farthest from its own centre. What
//! is still empty at the end is left out: there are never more clusters than different points.
//!
//! The points must be public: centres tell where they lie. For people's points see
//! [`super::private_kmeans`].
//!
//! Libraries were considered: `linfa-clustering` computes every distance, knows no weights, counts an
//! old centre as a point of its cluster and fails where the rounds do not suffice.

mod rounds;
mod start;

use rayon::prelude::*;
use wayveil_core::{Coordinate, Error, Result};

use super::nearest::CentreIndex;
use super::sphere::{place, squared_chord, vector};
pub use start::plus_plus;

/// The most clusters; distances between all pairs of centres are kept.
pub const MAX_CLUSTERS: usize = 2048;

/// Clusters of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    /// The centres. Each has at least one point that has a weight.
    pub centres: Vec<Coordinate>,
    /// The number of each point's centre.
    pub of_point: Vec<u32>,
    /// How often the centres were moved.
    pub rounds: u32,
    /// Whether the last round changed nothing.
    pub settled: bool,
}

impl Clustering {
    /// For each cluster, the number of the point nearest to its centre; of several the first. The
    /// points are those that were clustered.
    pub fn representatives(&self, points: &[Coordinate]) -> Vec<u32> {
        let centres: Vec<_> = self.centres.iter().copied().map(vector).collect();
        let mut best = vec![(f64::INFINITY, 0); centres.len()];
        for (number, (&point, &cluster)) in points.iter().zip(&self.of_point).enumerate() {
            let distance = squared_chord(&vector(point), &centres[cluster as usize]);
            if distance < best[cluster as usize].0 {
                best[cluster as usize] = (distance, number as u32);
            }
        }
        best.into_iter().map(|(_, number)| number).collect()
    }
}

/// Clusters points, beginning at the given centres and moving them at most `rounds` times. A point of
/// weight w counts as w points; one of weight 0 belongs to a cluster without moving its centre. With no
/// rounds it only assigns the points to the centres, and leaves out those without points.
pub fn k_means(
    points: &[Coordinate],
    weights: Option<&[u32]>,
    start: &[Coordinate],
    rounds: u32,
) -> Result<Clustering> {
    check(points, weights)?;
    if start.is_empty() || start.len() > MAX_CLUSTERS {
        return Err(Error::input(format!(
            "invalid number of clusters (got {}): must be from 1 to {MAX_CLUSTERS}",
            start.len()
        ))
        .hint("choose another --clusters"));
    }
    let vectors: Vec<_> = points.par_iter().copied().map(vector).collect();
    let index = CentreIndex::new(start);
    let mut state = rounds::State::new(&vectors, weights, index);
    let (mut done, mut settled) = (0, false);
    while done < rounds && !settled {
        settled = state.round();
        done += 1;
    }
    let (centres, of_point) = state.into_clusters();
    Ok(Clustering {
        centres: centres.into_iter().map(place).collect(),
        of_point,
        rounds: done,
        settled,
    })
}

fn check(points: &[Coordinate], weights: Option<&[u32]>) -> Result<()> {
    if weights.is_some_and(|weights| weights.len() != points.len()) {
        return Err(Error::input("there must be one weight for each point"));
    }
    if points.is_empty() || weights.is_some_and(|weights| weights.iter().all(|&weight| weight == 0))
    {
        return Err(Error::input("there are no points to cluster")
            .hint("clusters are made of public places: give a universe with coordinates"));
    }
    match points
        .iter()
        .find(|point| !point.lat.is_finite() || !point.lng.is_finite())
    {
        Some(Coordinate { lat, lng }) => Err(Error::input(format!(
            "invalid coordinates (got latitude {lat}, longitude {lng}): both must be numbers"
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
