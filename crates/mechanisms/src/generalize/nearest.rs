//! The nearest of some centres, without asking all of them.

use rayon::prelude::*;
use wayveil_core::Coordinate;

use super::sphere::{Vector, squared_chord, vector};

/// Distances on the unit sphere are exact to well below this; two that differ by less are compared
/// by the one formula that decides.
pub(super) const SLACK: f64 = 1e-14;

/// Centres, each with the others in the order of their distance from it.
///
/// If x lies at distance u from centre a, and two centres are known within distance v of x, then by the
/// triangle inequality a centre farther than u + v from a is farther than v from x, and so is neither
/// nearest nor second. The others of a are therefore asked in their order, until one lies too far
/// (Newling and Fleuret 2016, whose ball this is, drawn closer while it is searched).
///
/// Ties go to the lower number.
#[derive(Debug)]
pub struct CentreIndex {
    centres: Vec<Vector>,
    /// For each centre, the other centres with their distances, nearest first.
    others: Vec<Other>,
    /// A few centres, one of which a search without a guess begins at.
    pivots: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Other {
    distance: f64,
    centre: u32,
}

/// The nearest centre of a point, and how far the nearest two are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NearestTwo {
    pub(super) centre: u32,
    pub(super) distance: f64,
    /// Infinite where there is only one centre.
    pub(super) second: f64,
}

impl CentreIndex {
    /// An index of some places.
    pub fn new(centres: &[Coordinate]) -> Self {
        Self::of_vectors(centres.iter().copied().map(vector).collect())
    }

    pub(super) fn of_vectors(centres: Vec<Vector>) -> Self {
        let others = (0..centres.len())
            .into_par_iter()
            .flat_map_iter(|from| by_distance(&centres, from))
            .collect();
        let step = (centres.len() as f64).sqrt().ceil().max(1.0) as usize;
        let pivots = (0..centres.len() as u32).step_by(step).collect();
        Self {
            centres,
            others,
            pivots,
        }
    }

    /// The number of the centre nearest to a place; none where there are no centres.
    pub fn nearest(&self, place: Coordinate) -> Option<u32> {
        let point = vector(place);
        let guess = self.guess(&point)?;
        Some(self.nearest_two(&point, guess).centre)
    }

    pub(super) fn centres(&self) -> &[Vector] {
        &self.centres
    }

    fn others(&self, centre: u32) -> &[Other] {
        let each = self.centres.len() - 1;
        &self.others[centre as usize * each..][..each]
    }

    /// How far the nearest other centre is; infinite where there is none.
    pub(super) fn to_nearest_other(&self, centre: u32) -> f64 {
        self.others(centre)
            .first()
            .map_or(f64::INFINITY, |other| other.distance)
    }

    /// A centre that is not far, found by asking the pivots.
    pub(super) fn guess(&self, point: &Vector) -> Option<u32> {
        let distance = |pivot: &u32| squared_chord(point, &self.centres[*pivot as usize]);
        let nearest = self
            .pivots
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.copied()
    }

    /// The nearest two centres, searched from one of them.
    pub(super) fn nearest_two(&self, point: &Vector, from: u32) -> NearestTwo {
        let first = squared_chord(point, &self.centres[from as usize]);
        let to_start = first.sqrt();
        let mut nearest = (first, from);
        let (mut second, mut reach) = (f64::INFINITY, f64::INFINITY);
        for other in self.others(from) {
            if other.distance > reach {
                break;
            }
            let squared = squared_chord(point, &self.centres[other.centre as usize]);
            if squared < nearest.0 || (squared == nearest.0 && other.centre < nearest.1) {
                second = nearest.0;
                nearest = (squared, other.centre);
            } else if squared < second {
                second = squared;
            } else {
                continue;
            }
            reach = to_start + second.sqrt() + SLACK;
        }
        NearestTwo {
            centre: nearest.1,
            distance: nearest.0.sqrt(),
            second: second.sqrt(),
        }
    }
}

fn by_distance(centres: &[Vector], from: usize) -> Vec<Other> {
    let mut others: Vec<Other> = (0..centres.len())
        .filter(|&centre| centre != from)
        .map(|centre| Other {
            distance: squared_chord(&centres[from], &centres[centre]).sqrt(),
            centre: centre as u32,
        })
        .collect();
    others.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance));
    others
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Places on a coarse grid, so that ties and equal places are common.
    fn places(most: usize) -> impl Strategy<Value = Vec<Coordinate>> {
        let place = (-6i32..=6, -12i32..=12).prop_map(|(lat, lng)| Coordinate {
            lat: f64::from(lat) * 15.0,
            lng: f64::from(lng) * 15.0,
        });
        prop::collection::vec(place, 1..most)
    }

    proptest! {
        #[test]
        fn agrees_with_asking_all(centres in places(40), points in places(60)) {
            let index = CentreIndex::new(&centres);
            for point in points {
                let x = vector(point);
                let mut all: Vec<(f64, u32)> = index.centres().iter().zip(0..)
                    .map(|(centre, number)| (squared_chord(&x, centre), number)).collect();
                all.sort_by(|a, b| a.partial_cmp(b).unwrap());
                prop_assert_eq!(index.nearest(point), Some(all[0].1));
                for from in 0..centres.len() as u32 {
                    let found = index.nearest_two(&x, from);
                    let second = all.get(1).map_or(f64::INFINITY, |second| second.0.sqrt());
                    let expected = NearestTwo { centre: all[0].1, distance: all[0].0.sqrt(), second };
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }

    #[test]
    fn no_centre_is_nearest_to_nothing() {
        let index = CentreIndex::new(&[]);
        assert_eq!(index.nearest(Coordinate { lat: 0.0, lng: 0.0 }), None);
    }

    #[test]
    fn across_the_antimeridian() {
        let at = |lat, lng| Coordinate { lat, lng };
        let index = CentreIndex::new(&[at(0.0, 170.0), at(0.0, -179.0)]);
        assert_eq!(index.nearest(at(0.0, 179.0)), Some(1));
        assert_eq!(index.nearest(at(89.0, 10.0)), Some(0));
    }
}
