//! Which places lie near which, by public inputs alone.

use wayveil_core::{Coordinate, Universe};

/// How many neighbours a place has.
const NEIGHBOURS: usize = 4;
/// Up to this many places all distances are looked at; beyond, places near in latitude.
const ALL_PAIRS: usize = 4096;
/// How many places around one in the order of latitude are looked at beyond that.
const BAND: usize = 256;

/// What neighbourhood was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearness {
    /// Coordinates.
    Distance,
    /// The taxonomy: places of one group, in the universe's order.
    Group,
    /// Nothing but the order in which the universe lists its places.
    Order,
}

/// The neighbours of every place, nearest first; never empty unless there is one place only.
pub(super) fn neighbours(universe: &Universe) -> (Nearness, Vec<Vec<u32>>) {
    let at: Option<Vec<Coordinate>> = universe.locations().iter().map(|it| it.at).collect();
    if let Some(at) = at {
        return (Nearness::Distance, by_distance(&at));
    }
    let places = universe.len();
    let Some(taxonomy) = universe.taxonomy() else {
        return (
            Nearness::Order,
            (0..places).map(|it| beside(it, places)).collect(),
        );
    };
    let mut members = vec![Vec::new(); taxonomy.groups().len()];
    for place in 0..places as u32 {
        members[taxonomy.group_of(place) as usize].push(place);
    }
    let mut near = vec![Vec::new(); places];
    for group in &members {
        for (at, &place) in group.iter().enumerate() {
            let within = beside(at, group.len()).into_iter();
            near[place as usize] = within.map(|it| group[it as usize]).collect();
        }
    }
    for (place, near) in near.iter_mut().enumerate() {
        // A way out of the group, and a way for those who are alone in theirs.
        near.extend(beside(place, places).into_iter().take(1));
    }
    (Nearness::Group, near)
}

/// The places before and after one in a ring of so many.
fn beside(place: usize, places: usize) -> Vec<u32> {
    let mut near = Vec::new();
    for step in [1, places.saturating_sub(1)] {
        let other = ((place + step) % places.max(1)) as u32;
        if other as usize != place && !near.contains(&other) {
            near.push(other);
        }
    }
    near
}

fn by_distance(at: &[Coordinate]) -> Vec<Vec<u32>> {
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by(|&a, &b| at[a].lat.total_cmp(&at[b].lat).then(a.cmp(&b)));
    let mut near = vec![Vec::new(); at.len()];
    for (rank, &place) in order.iter().enumerate() {
        let range = match at.len() <= ALL_PAIRS {
            true => 0..order.len(),
            false => rank.saturating_sub(BAND)..(rank + BAND + 1).min(order.len()),
        };
        let mut others: Vec<(f64, usize)> = order[range]
            .iter()
            .filter(|&&other| other != place)
            .map(|&other| (squared(at[place], at[other]), other))
            .collect();
        let nearest = NEIGHBOURS.min(others.len());
        if nearest > 0 && nearest < others.len() {
            others.select_nth_unstable_by(nearest - 1, |a, b| {
                a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
            });
        }
        others.truncate(nearest);
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near[place] = others.into_iter().map(|(_, other)| other as u32).collect();
    }
    near
}

/// A squared distance that orders places rightly within a region: degrees, with longitudes as wide as
/// they are at that latitude, the short way around.
pub(super) fn squared(a: Coordinate, b: Coordinate) -> f64 {
    let north = a.lat - b.lat;
    let around = (a.lng - b.lng).abs();
    let east = around.min(360.0 - around) * ((a.lat + b.lat) / 2.0).to_radians().cos();
    north * north + east * east
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Group, Location, Origin, UniverseDocument};

    use super::*;

    fn universe(at: &[Option<(f64, f64)>], groups: &[u32]) -> Universe {
        let location = |(index, at): (usize, &Option<(f64, f64)>)| Location {
            label: index.to_string(),
            at: at.map(|(lat, lng)| Coordinate { lat, lng }),
            group: groups.get(index).copied(),
            ..Location::default()
        };
        let count = groups.iter().max().map_or(0, |it| it + 1);
        Universe::try_from(UniverseDocument {
            origin: Origin::Declared("test".into()),
            locations: at.iter().enumerate().map(location).collect(),
            groups: (0..count)
                .map(|group| Group {
                    label: group.to_string(),
                    parent: None,
                })
                .collect(),
        })
        .unwrap()
    }

    #[test]
    fn coordinates_come_first_and_the_antimeridian_is_crossed() {
        let at = [(0.0, 179.9), (0.0, -179.9), (0.0, 179.0), (9.0, 0.0)].map(Some);
        let (nearness, near) = neighbours(&universe(&at, &[0, 1, 0, 1]));
        assert_eq!(nearness, Nearness::Distance);
        assert_eq!(near[0], [1, 2, 3]);
        assert_eq!(near[2][0], 0);
    }

    #[test]
    fn a_group_is_a_ring_with_a_way_out() {
        let (nearness, near) = neighbours(&universe(&[None; 4], &[0, 1, 0, 0]));
        assert_eq!(nearness, Nearness::Group);
        assert_eq!(near[0], [2, 3, 1]);
        assert_eq!(near[1], [2], "alone in its group");
    }

    #[test]
    fn without_either_the_order_decides() {
        let (nearness, near) = neighbours(&universe(&[None, None, Some((0.0, 0.0))], &[]));
        assert_eq!((nearness, &near[0][..]), (Nearness::Order, &[1, 2][..]));
        assert!(neighbours(&universe(&[None], &[])).1[0].is_empty());
    }
}
