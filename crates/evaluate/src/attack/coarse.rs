//! Places and times as someone knows them who was not quite there. All of it is public.

use wayveil_core::{Coordinate, Result, Sequences, Universe};

/// A way to take several locations for one.
pub(super) struct Places {
    /// `places-4`, or `groups`.
    pub(super) name: String,
    /// What each location is taken for; none where it is itself.
    group_of: Option<Vec<u32>>,
}

impl Places {
    /// What a location is taken for.
    pub(super) fn taken_for(&self, location: u32) -> u32 {
        match &self.group_of {
            Some(group_of) => group_of[location as usize],
            None => location,
        }
    }
}

/// The ways to be rough about places: one for each size where all locations have coordinates;
/// else exact ones and, where there is a taxonomy, its groups.
pub(super) fn places(universe: &Universe, sizes: &[usize]) -> Vec<Places> {
    let named = |name: String, group_of| Places { name, group_of };
    let coordinates: Option<Vec<Coordinate>> =
        (universe.locations().iter()).map(|it| it.at).collect();
    if let Some(coordinates) = coordinates {
        let sized = |&size: &usize| {
            let groups = (size > 1).then(|| median_split(&coordinates, size));
            named(format!("places-{size}"), groups)
        };
        return sizes.iter().map(sized).collect();
    }
    let mut ways = vec![named("places-1".into(), None)];
    if let Some(taxonomy) = universe.taxonomy() {
        let groups = taxonomy.group_of_location().to_vec();
        ways.push(named("groups".into(), Some(groups)));
    }
    ways
}

/// Groups of at most `size` locations: the wider side of all is cut at the median, then that of
/// each half, and so on. Equal coordinates are cut in the order of codes.
fn median_split(coordinates: &[Coordinate], size: usize) -> Vec<u32> {
    let mut group_of = vec![0; coordinates.len()];
    let mut groups = 0;
    let mut left: Vec<Vec<u32>> = vec![(0..coordinates.len() as u32).collect()];
    while let Some(mut group) = left.pop() {
        if group.len() <= size.max(1) {
            for location in group {
                group_of[location as usize] = groups;
            }
            groups += 1;
            continue;
        }
        let at = |location: u32| coordinates[location as usize];
        let width = |side: &dyn Fn(Coordinate) -> f64| {
            let sides = group.iter().map(|&it| side(at(it)));
            let ends = sides.fold((f64::MAX, f64::MIN), |(low, high), it| {
                (low.min(it), high.max(it))
            });
            ends.1 - ends.0
        };
        let (lat, lng) = (|it: Coordinate| it.lat, |it: Coordinate| it.lng);
        // A degree of longitude is shorter away from the equator.
        let squeeze = at(group[0]).lat.to_radians().cos();
        let north = width(&lat) >= width(&lng) * squeeze;
        let side = |location| {
            if north {
                lat(at(location))
            } else {
                lng(at(location))
            }
        };
        group.sort_by(|&a, &b| side(a).total_cmp(&side(b)).then(a.cmp(&b)));
        let half = group.split_off(group.len() / 2);
        left.push(half);
        left.push(group);
    }
    group_of
}

/// Records with several locations, and several bins, taken for one.
pub(super) fn coarsened(records: &Sequences, places: &Places, bins: u32) -> Result<Sequences> {
    let codes = records.codes().iter();
    let codes = codes.map(|&code| places.taken_for(code)).collect();
    let merged = |times: &[u32]| times.iter().map(|&bin| bin / bins.max(1)).collect();
    Sequences::new(
        records.offsets().to_vec(),
        codes,
        records.bins().map(merged),
    )
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Group, Location, Origin, Taxonomy, UniverseDocument};

    use super::super::testing;
    use super::*;

    #[test]
    fn groups_are_small_and_near() {
        // A row of seven from west to east, and one far in the north.
        let mut row: Vec<Coordinate> = (0..7)
            .map(|at| Coordinate {
                lat: 45.0,
                lng: f64::from((at * 3) % 7),
            })
            .collect();
        let groups = median_split(&row, 2);
        let members = |group| (0..7).filter(move |&it| groups[it] == group);
        // By longitude the codes are 0 5 3 1 6 4 2: cut to 0 5 3 | 1 6 4 2, then 0 | 5 3, 1 6 | 4 2.
        let members: Vec<Vec<usize>> = (0..4).map(|it| members.clone()(it).collect()).collect();
        assert_eq!(members, [vec![0], vec![3, 5], vec![1, 6], vec![2, 4]]);
        row.push(Coordinate {
            lat: 80.0,
            lng: 3.0,
        });
        let groups = median_split(&row, 4);
        assert_eq!(groups.iter().max(), Some(&1));
        for size in 1..9 {
            let groups = median_split(&row, size);
            let largest = (0..8).map(|group| groups.iter().filter(|&&it| it == group).count());
            assert!(largest.max() <= Some(size));
        }
        assert_eq!(median_split(&[row[0]; 5], 1).len(), 5);
    }

    #[test]
    fn without_coordinates_there_are_the_taxonomys_groups() {
        let names = |universe: &Universe| {
            let ways = places(universe, &[1, 2]);
            ways.into_iter().map(|it| it.name).collect::<Vec<_>>()
        };
        let bare = testing::places(3);
        assert_eq!(names(&bare), ["places-1"]);
        let line = |label: &str| Group {
            label: label.into(),
            parent: None,
        };
        let taxonomy = Taxonomy::new(vec![line("a"), line("b")], vec![1, 0, 1]).unwrap();
        let grouped = bare.with_taxonomy(taxonomy).unwrap();
        assert_eq!(names(&grouped), ["places-1", "groups"]);
        let records = Sequences::new(vec![0, 2], vec![2, 1], Some(vec![5, 7])).unwrap();
        let coarse = coarsened(&records, &places(&grouped, &[])[1], 3).unwrap();
        assert_eq!(
            (coarse.codes_of(0), coarse.bins_of(0)),
            (&[1, 0][..], &[1, 2][..])
        );
        let located = UniverseDocument {
            origin: Origin::FromData,
            locations: vec![Location {
                label: "x".into(),
                at: Some(Coordinate { lat: 0.0, lng: 0.0 }),
                ..Location::default()
            }],
            groups: vec![],
        };
        let located = Universe::try_from(located).unwrap();
        assert_eq!(names(&located), ["places-1", "places-2"]);
    }
}
