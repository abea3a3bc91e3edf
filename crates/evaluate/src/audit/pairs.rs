//! Neighbouring data sets on which a mechanism has the hardest time.
//!
//! All are made up and public. The universe is tiny, so that a run takes microseconds: six
//! locations, 0 to 5, on two lines of three. Each pair differs by one owner with everything they
//! did, who comes last.

use std::sync::Arc;

use wayveil_core::{
    Dataset, Group, Location, Origin, Owners, Raw, Result, Sequences, Universe, UniverseDocument,
};

/// Two data sets that differ by one owner.
pub(super) struct Pair {
    /// What the extra owner does, in words.
    pub(super) about: String,
    /// Without the extra owner, and with.
    pub(super) data: [Raw<Dataset>; 2],
}

const LOCATIONS: u32 = 6;
/// Longer than any height that is audited in earnest.
const LONG: u32 = 24;
/// A path that a whole crowd walks.
const TALL: u32 = 12;

/// All pairs. A crowd has so many owners that its counts stand clear of the noise of usual
/// thresholds: sixty times the scale of the noise of the whole budget.
pub(super) fn pairs(epsilon: Option<f64>, trips: u32) -> Result<Vec<Pair>> {
    let scale = f64::from(trips) / epsilon.unwrap_or(1.0).max(1e-6);
    let crowd = (60.0 * scale).ceil().clamp(64.0, 5_000.0) as usize;
    let way = |length: u32| (0..length).map(|at| at % LOCATIONS).collect::<Vec<u32>>();
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
        pair(
            "several trips, all to the crowd's location",
            many(),
            &vec![vec![0]; trips.max(2) as usize],
        )?,
        pair(
            "several trips, each to another location",
            many(),
            &[vec![0], vec![1], vec![4, 2], vec![5]],
        )?,
    ];
    for size in [1, 2, 3, 5] {
        let about = format!("number {} at one location", size + 1);
        pairs.push(pair(&about, at_home(size), &[vec![0]])?);
    }
    Ok(pairs)
}

/// Owners who all do the same, one trip each.
struct Crowd {
    size: usize,
    way: Vec<u32>,
}

fn pair(about: &str, crowd: Crowd, extra: &[Vec<u32>]) -> Result<Pair> {
    let universe = universe()?;
    let data = |extra: &[Vec<u32>]| {
        let mut trips = Sequences::empty(false);
        (0..crowd.size).for_each(|_| trips.push(&crowd.way, &[]));
        extra.iter().for_each(|trip| trips.push(trip, &[]));
        let of_record: Vec<u32> = (0..trips.len())
            .map(|row| row.min(crowd.size) as u32)
            .collect();
        let owners = Owners::Known {
            of_record,
            labels: (0..crowd.size + usize::from(!extra.is_empty()))
                .map(|owner| owner.to_string())
                .collect(),
        };
        let population = "made up for an audit".into();
        Dataset::new(universe.clone(), None, trips, owners, vec![], population).map(Raw::new)
    };
    Ok(Pair {
        about: about.to_owned(),
        data: [data(&[])?, data(extra)?],
    })
}

fn universe() -> Result<Arc<Universe>> {
    let group = |label: &str| Group {
        label: label.into(),
        parent: None,
    };
    let locations = (0..LOCATIONS).map(|code| Location {
        label: code.to_string(),
        group: Some(code / 3),
        ..Location::default()
    });
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("made up for an audit".into()),
        locations: locations.collect(),
        groups: vec![group("first line"), group("second line")],
    })
    .map(Arc::new)
}
