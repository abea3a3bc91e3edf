//! Pairs in which one owner's trajectories are replaced by others, an empty one among them.
//!
//! Both data sets have the same owners, each with one record or more, so that they have as many records
//! once an owner's trips are joined. The replaced owner comes first: what a mechanism tells of each
//! record in turn is told of this one early, before there are too many names to keep.

use wayveil_core::{PrivacyUnit, Result, TimeAxis};

use super::{Crowd, LONG, Pair, TALL, axis, crowd_size, data, universe, way};

/// All pairs.
pub(super) fn pairs(epsilon: Option<f64>, unit: PrivacyUnit) -> Result<Vec<Pair>> {
    let size = crowd_size(epsilon, unit);
    let backwards: Vec<u32> = way(LONG).into_iter().rev().collect();
    let nobody = || at_home(0);
    let many = || at_home(size);
    let walking = |way: Vec<u32>| Crowd { size, way };
    let mut pairs = Vec::new();
    for (about, crowd, before, after) in [
        (
            "the only owner, from one location to another",
            nobody(),
            vec![0],
            vec![5],
        ),
        (
            "the only owner, from one location to an empty record",
            nobody(),
            vec![0],
            vec![],
        ),
        (
            "the only owner, from a long path to an empty record",
            nobody(),
            way(LONG),
            vec![],
        ),
        (
            "the only owner, from a long path to the same backwards",
            nobody(),
            way(LONG),
            backwards.clone(),
        ),
        (
            "from a crowd's location to one of one's own",
            many(),
            vec![0],
            vec![5],
        ),
        (
            "from a crowd's location to an empty record",
            many(),
            vec![0],
            vec![],
        ),
        (
            "from a location of one's own beside a crowd to an empty record",
            many(),
            vec![5],
            vec![],
        ),
        (
            "from a crowd's path to a long one that leaves it",
            walking(way(2)),
            way(2),
            way(LONG),
        ),
        (
            "from a crowd's tall path to an empty record",
            walking(way(TALL)),
            way(TALL),
            vec![],
        ),
        (
            "from a crowd's tall path to another",
            walking(way(TALL)),
            way(TALL),
            backwards,
        ),
    ] {
        pairs.push(pair(about, None, &crowd, [&[before], &[after]])?);
    }
    // Where single trips are protected, data sets that differ by several are no neighbours.
    if unit != PrivacyUnit::Trip {
        let several = [vec![0], vec![1], vec![4, 2], vec![5]];
        let about = "from several trips to one elsewhere";
        pairs.push(pair(about, None, &many(), [&several, &[vec![3]]])?);
        let alike = [vec![0], vec![0]];
        let about = "from several trips to an empty record";
        pairs.push(pair(about, None, &many(), [&alike, &[vec![]]])?);
    }
    for size in [1, 2, 3, 5] {
        let about = format!("from number {} at one location to another", size + 1);
        let sides: [&[Vec<u32>]; 2] = [&[vec![0]], &[vec![1]]];
        pairs.push(pair(&about, None, &at_home(size), sides)?);
    }
    for (about, crowd, before, after) in [
        (
            "timed: the only owner, from one location to another",
            nobody(),
            way(1),
            vec![5],
        ),
        (
            "timed: from a crowd's location to an empty record",
            many(),
            way(1),
            vec![],
        ),
        (
            "timed: from a crowd's location to a long path",
            many(),
            way(1),
            way(LONG),
        ),
    ] {
        pairs.push(pair(about, Some(axis()), &crowd, [&[before], &[after]])?);
    }
    Ok(pairs)
}

fn at_home(size: usize) -> Crowd {
    Crowd { size, way: vec![0] }
}

fn pair(
    about: &str,
    time: Option<TimeAxis>,
    crowd: &Crowd,
    [before, after]: [&[Vec<u32>]; 2],
) -> Result<Pair> {
    let universe = universe()?;
    let others = || std::iter::repeat_n(std::slice::from_ref(&crowd.way), crowd.size);
    let side = |own| {
        data(
            &universe,
            time.clone(),
            std::iter::once(own).chain(others()),
        )
    };
    Ok(Pair {
        about: about.to_owned(),
        data: [side(before)?, side(after)?],
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use wayveil_core::{Dataset, NonPrivate, Owners};

    use super::*;

    #[test]
    fn every_pair_differs_by_what_one_owner_did_and_nothing_else() {
        let one = PrivacyUnit::OwnerBounded(NonZeroU32::MIN);
        for unit in [PrivacyUnit::Owner, one, PrivacyUnit::Trip] {
            let pairs = pairs(Some(1.0), unit).unwrap();
            let (mut emptied, mut timed) = (0, 0);
            for pair in &pairs {
                let [before, after] = pair.data.each_ref().map(|raw| {
                    let because = NonPrivate::because("made up for this test");
                    raw.inspect(because, Clone::clone).for_publisher_only()
                });
                let about = &pair.about;
                assert_eq!(before.universe().digest(), after.universe().digest());
                assert_eq!(before.time(), after.time());
                timed += usize::from(before.time().is_some());
                // Every owner has a row in both, and only the first one's differ.
                let rows = |data: &Dataset| {
                    let Owners::Known { of_record, labels } = data.owners() else {
                        panic!("owners are named")
                    };
                    let trips = data.trips();
                    let mut rows = vec![Vec::new(); labels.len()];
                    for (row, &owner) in of_record.iter().enumerate() {
                        let trip = (trips.codes_of(row).to_vec(), trips.bins_of(row).to_vec());
                        rows[owner as usize].push(trip);
                    }
                    rows
                };
                let (before, after) = (rows(&before), rows(&after));
                assert_eq!(before.len(), after.len(), "{about}");
                assert_eq!(before[1..], after[1..], "{about}");
                assert_ne!(before[0], after[0], "{about}");
                assert!(before.iter().chain(&after).all(|rows| !rows.is_empty()));
                if unit == PrivacyUnit::Trip {
                    assert_eq!((before[0].len(), after[0].len()), (1, 1), "{about}");
                }
                emptied += usize::from(after[0].iter().all(|(codes, _)| codes.is_empty()));
            }
            assert!(emptied >= 5 && timed >= 3, "{emptied} {timed}");
        }
    }
}
