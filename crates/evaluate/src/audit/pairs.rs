//! Neighbouring data sets on which a mechanism has the hardest time.
//!
//! All are made up and public. The universe is tiny, so that a run takes microseconds: six
//! locations, 0 to 5, on two lines of three, and in timed data four bins. Each pair differs by one
//! owner with everything they did: who is there in the second data set only and comes last, or
//! (see [`replaced`]) who does something else there. Where single trips are protected, that owner has
//! one trip.

mod replaced;

use std::sync::Arc;

use wayveil_core::{
    Coordinate, Dataset, Group, Location, Neighbouring, Origin, Owners, PrivacyUnit, Raw, Result,
    Sequences, TimeAxis, Universe, UniverseDocument,
};

/// Two data sets that differ by one owner.
pub(super) struct Pair {
    /// What the extra owner does, or what the replaced one did and does instead, in words.
    pub(super) about: String,
    /// Without the extra owner, and with; or before the replacement, and after.
    pub(super) data: [Raw<Dataset>; 2],
}

const LOCATIONS: u32 = 6;
const BINS: u32 = 4;
/// Longer than any height that is audited in earnest.
const LONG: u32 = 24;
/// A path that a whole crowd walks.
const TALL: u32 = 12;

/// All pairs that are neighbours under a relation.
pub(super) fn pairs(
    epsilon: Option<f64>,
    unit: PrivacyUnit,
    relation: Neighbouring,
) -> Result<Vec<Pair>> {
    match relation {
        Neighbouring::AddOrRemoveOneUnit => added(epsilon, unit),
        Neighbouring::ReplaceOneUnit => replaced::pairs(epsilon, unit),
    }
}

/// A crowd has so many owners that its counts stand clear of the noise of usual thresholds: sixty times
/// the scale of the noise of the whole budget.
fn crowd_size(epsilon: Option<f64>, unit: PrivacyUnit) -> usize {
    let scale = f64::from(unit.records()) / epsilon.unwrap_or(1.0).max(1e-6);
    (60.0 * scale).ceil().clamp(64.0, 5_000.0) as usize
}

/// From location to location, in the order of their numbers.
fn way(length: u32) -> Vec<u32> {
    (0..length).map(|at| at % LOCATIONS).collect()
}

fn added(epsilon: Option<f64>, unit: PrivacyUnit) -> Result<Vec<Pair>> {
    let trips = unit.records();
    let crowd = crowd_size(epsilon, unit);
    let other_way: Vec<u32> = way(LONG).into_iter().rev().collect();
    let nobody = || Crowd {
        size: 0,
        way: vec![],
    };
    let at_home = |size| Crowd { size, way: vec![0] };
    let many = || at_home(crowd);
    let mut pairs = vec![
        pair("the only owner, at one location", nobody(), &[vec![0]])?,
        pair(
            "the only owner, on a long path",
            nobody(),
            std::slice::from_ref(&other_way),
        )?,
        pair("the only owner, with an empty record", nobody(), &[vec![]])?,
        pair("one more of a crowd at one location", many(), &[vec![0]])?,
        pair("a location of one's own beside a crowd", many(), &[vec![5]])?,
        pair("an empty record beside a crowd", many(), &[vec![]])?,
        pair(
            "a long path that leaves the crowd's",
            Crowd {
                size: crowd,
                way: way(2),
            },
            &[way(LONG)],
        )?,
        pair(
            "one more of a crowd on a tall path",
            Crowd {
                size: crowd,
                way: way(TALL),
            },
            &[way(TALL)],
        )?,
    ];
    // Where single trips are protected, data sets that differ by several are no neighbours.
    if unit != PrivacyUnit::Trip {
        let alike = vec![vec![0]; trips.max(2) as usize];
        let each_another = [vec![0], vec![1], vec![4, 2], vec![5]];
        pairs.push(pair(
            "several trips, all to the crowd's location",
            many(),
            &alike,
        )?);
        // Where noise is added only to what occurs, a key that is there twice or not at all.
        let own = vec![vec![5]; trips.max(2) as usize];
        pairs.push(pair(
            "several trips, all to a location of one's own",
            many(),
            &own,
        )?);
        pairs.push(pair(
            "several trips, each to another location",
            many(),
            &each_another,
        )?);
    }
    for size in [1, 2, 3, 5] {
        let about = format!("number {} at one location", size + 1);
        pairs.push(pair(&about, at_home(size), &[vec![0]])?);
    }
    for (about, crowd, extra) in [
        ("timed: the only owner, at one location", nobody(), way(1)),
        ("timed: one more of a crowd", many(), way(1)),
        (
            "timed: a long path that leaves the crowd's",
            many(),
            way(LONG),
        ),
        ("timed: an empty record beside a crowd", many(), way(0)),
    ] {
        pairs.push(made(about, Some(axis()), crowd, &[extra])?);
    }
    Ok(pairs)
}

/// Owners who all do the same, one trip each.
struct Crowd {
    size: usize,
    way: Vec<u32>,
}

fn pair(about: &str, crowd: Crowd, extra: &[Vec<u32>]) -> Result<Pair> {
    made(about, None, crowd, extra)
}

fn made(about: &str, time: Option<TimeAxis>, crowd: Crowd, extra: &[Vec<u32>]) -> Result<Pair> {
    let universe = universe()?;
    let way = std::slice::from_ref(&crowd.way);
    let crowd = || std::iter::repeat_n(way, crowd.size);
    let with = crowd().chain(std::iter::once(extra));
    Ok(Pair {
        about: about.to_owned(),
        data: [
            data(&universe, time.clone(), crowd())?,
            data(&universe, time, with)?,
        ],
    })
}

fn axis() -> TimeAxis {
    TimeAxis::new(BINS, Origin::Declared("a public list".into()))
}

/// The trips of each owner. In timed data the visits of a trip are spread over the bins.
fn data<'a>(
    universe: &Arc<Universe>,
    time: Option<TimeAxis>,
    owners: impl Iterator<Item = &'a [Vec<u32>]>,
) -> Result<Raw<Dataset>> {
    let bins = |trip: &[u32]| -> Vec<u32> {
        let visits = trip.len() as u32;
        match &time {
            Some(axis) => (0..visits).map(|at| at * axis.bins / visits).collect(),
            None => Vec::new(),
        }
    };
    let mut rows = Sequences::empty(time.is_some());
    let (mut of_record, mut names) = (Vec::new(), Vec::new());
    for (owner, trips) in owners.enumerate() {
        for trip in trips {
            rows.push(trip, &bins(trip));
            of_record.push(owner as u32);
        }
        names.push(owner.to_string());
    }
    let owners = Owners::Known {
        of_record,
        labels: names.into_iter().collect(),
    };
    let population = "riders".into();
    Dataset::new(universe.clone(), time, rows, owners, vec![], population).map(Raw::new)
}

fn universe() -> Result<Arc<Universe>> {
    let group = |label: &str| Group {
        label: label.into(),
        parent: None,
    };
    // Each line is a town of its own.
    let locations = (0..LOCATIONS).map(|code| Location {
        label: code.to_string(),
        group: Some(code / 3),
        at: Some(Coordinate {
            lat: 45.0 + f64::from(code / 3),
            lng: 7.0 + 0.01 * f64::from(code % 3),
        }),
        ..Location::default()
    });
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("a public list".into()),
        locations: locations.collect(),
        groups: vec![group("first line"), group("second line")],
    })
    .map(Arc::new)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use wayveil_core::NonPrivate;

    use super::*;

    #[test]
    fn every_pair_differs_by_one_unit_and_nothing_else() {
        let two = NonZeroU32::new(2).unwrap();
        let units = [
            PrivacyUnit::Owner,
            PrivacyUnit::OwnerBounded(two),
            PrivacyUnit::Trip,
        ];
        for unit in units {
            for pair in added(Some(1.0), unit).unwrap() {
                let [without, with] = pair.data.each_ref().map(|raw| {
                    let because = NonPrivate::because("made up for this test");
                    raw.inspect(because, Clone::clone).for_publisher_only()
                });
                let about = &pair.about;
                assert_eq!(without.universe().digest(), with.universe().digest());
                let (few, many) = (without.trips(), with.trips());
                assert!(few.iter().zip(many.iter()).all(|(a, b)| a == b), "{about}");
                let extra = many.len() - few.len();
                assert!(extra >= 1, "{about}");
                if unit == PrivacyUnit::Trip {
                    assert_eq!(extra, 1, "{about}");
                }
                let owners = |data: &Dataset| match data.owners() {
                    Owners::Known { of_record, .. } => of_record.clone(),
                    Owners::EachRecord => panic!("owners are named"),
                };
                let (before, after) = (owners(&without), owners(&with));
                assert_eq!(before, after[..few.len()], "{about}");
                let new = after[few.len()];
                assert!(!before.contains(&new), "{about}");
                assert!(after[few.len()..].iter().all(|&owner| owner == new));
            }
        }
    }
}
