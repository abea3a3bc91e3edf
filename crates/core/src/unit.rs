//! The unit of privacy: whose presence a release hides, and how it is enforced.
//!
//! The door applies the unit before a mechanism sees anything, so that no mechanism can forget
//! it. What is kept of an owner depends on that owner's own rows alone.

use std::borrow::Cow;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::dataset::{Dataset, Owners, TimeAxis};
use crate::sequences::Sequences;
use crate::universe::Universe;

/// Whose presence in the data a release hides.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case", tag = "unit", content = "max_trips")]
pub enum PrivacyUnit {
    /// One owner with everything they did: an owner's rows are joined to one record, in timed data
    /// in the order of time, else in their own.
    #[default]
    Owner,
    /// One owner with everything they did: at most this many of an owner's rows are kept, the
    /// first ones, each as a record of its own.
    OwnerBounded(NonZeroU32),
    /// One row. An owner with several rows is protected for each alone, not for all together.
    Trip,
}

impl PrivacyUnit {
    /// The most records that one unit can have among the records that a mechanism is given.
    pub fn records(self) -> u32 {
        match self {
            Self::Owner | Self::Trip => 1,
            Self::OwnerBounded(trips) => trips.get(),
        }
    }

    /// The unit in words, to follow "the presence or absence of".
    pub fn in_words(self) -> String {
        match self {
            Self::Owner => "any one person, with all their trips joined to one record".into(),
            Self::OwnerBounded(trips) => {
                format!("any one person, with their first {trips} trips at most")
            }
            Self::Trip => "any one trip (a person with several trips is less protected)".into(),
        }
    }
}

/// What is public about the data: all that may shape a claim.
#[derive(Clone, Copy, Debug)]
pub struct PublicInputs<'a> {
    /// The set of locations.
    pub universe: &'a Universe,
    /// The axis of time bins, in timed data.
    pub time: Option<&'a TimeAxis>,
    /// The unit of privacy.
    pub unit: PrivacyUnit,
}

/// What a mechanism is given: records in which one unit has at most [`PrivacyUnit::records`].
#[derive(Debug)]
pub struct Records<'a> {
    /// What is public.
    pub public: PublicInputs<'a>,
    /// The records.
    pub sequences: Cow<'a, Sequences>,
}

/// Applies the unit of privacy.
pub(crate) fn bound<'a>(data: &'a Dataset, unit: PrivacyUnit) -> Records<'a> {
    let public = PublicInputs {
        universe: data.universe(),
        time: data.time(),
        unit,
    };
    let sequences = match (unit, data.owners()) {
        (PrivacyUnit::Trip, _) | (_, Owners::EachRecord) => Cow::Borrowed(data.trips()),
        (_, Owners::Known { of_record, .. }) if strictly_increasing(of_record) => {
            Cow::Borrowed(data.trips())
        }
        (PrivacyUnit::Owner, Owners::Known { of_record, labels }) => {
            Cow::Owned(join(data.trips(), of_record, labels.len()))
        }
        (PrivacyUnit::OwnerBounded(trips), Owners::Known { of_record, labels }) => {
            Cow::Owned(keep_first(data.trips(), of_record, labels.len(), trips))
        }
    };
    Records { public, sequences }
}

fn strictly_increasing(column: &[u32]) -> bool {
    column.windows(2).all(|pair| pair[0] < pair[1])
}

/// Row numbers sorted by owner, each owner's rows in their order, and where each owner's begin.
fn by_owner(of_record: &[u32], owners: usize) -> (Vec<usize>, Vec<usize>) {
    let mut starts = vec![0usize; owners + 1];
    for &owner in of_record {
        starts[owner as usize + 1] += 1;
    }
    for owner in 0..owners {
        starts[owner + 1] += starts[owner];
    }
    let mut next = starts.clone();
    let mut rows = vec![0; of_record.len()];
    for (row, &owner) in of_record.iter().enumerate() {
        rows[next[owner as usize]] = row;
        next[owner as usize] += 1;
    }
    (rows, starts)
}

fn join(trips: &Sequences, of_record: &[u32], owners: usize) -> Sequences {
    let (rows, starts) = by_owner(of_record, owners);
    let mut joined = Sequences::empty(trips.is_timed());
    let (mut codes, mut bins) = (Vec::new(), Vec::new());
    for owner in 0..owners {
        let own = &rows[starts[owner]..starts[owner + 1]];
        if own.is_empty() {
            continue;
        }
        codes.clear();
        bins.clear();
        for &row in own {
            codes.extend_from_slice(trips.codes_of(row));
            bins.extend_from_slice(trips.bins_of(row));
        }
        if own.len() > 1 && !bins.is_sorted() {
            // Rows that overlap in time; visits of one bin keep the order of their rows.
            let mut order: Vec<usize> = (0..bins.len()).collect();
            order.sort_by_key(|&visit| bins[visit]);
            codes = order.iter().map(|&visit| codes[visit]).collect();
            bins = order.iter().map(|&visit| bins[visit]).collect();
        }
        joined.push(&codes, &bins);
    }
    joined
}

fn keep_first(trips: &Sequences, of_record: &[u32], owners: usize, most: NonZeroU32) -> Sequences {
    let mut kept_of_owner = vec![0u32; owners];
    let mut kept = Sequences::empty(trips.is_timed());
    for (row, &owner) in of_record.iter().enumerate() {
        let count = &mut kept_of_owner[owner as usize];
        if *count < most.get() {
            *count += 1;
            kept.push(trips.codes_of(row), trips.bins_of(row));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::universe::Origin;

    fn data(of_record: Vec<u32>, rows: &[&[u32]]) -> Dataset {
        let universe =
            Universe::from_labels(["A", "B", "C"], Origin::Declared("t".into())).unwrap();
        let owners = Owners::Known {
            of_record,
            labels: ["x", "y", "z"].into_iter().collect(),
        };
        let trips = Sequences::from_codes(rows);
        Dataset::new(Arc::new(universe), None, trips, owners, vec![], "p".into()).unwrap()
    }

    fn records(data: &Dataset, unit: PrivacyUnit) -> Vec<Vec<u32>> {
        bound(data, unit)
            .sequences
            .iter()
            .map(<[u32]>::to_vec)
            .collect()
    }

    #[test]
    fn an_owner_is_one_record_wherever_the_rows_stand() {
        let data = data(vec![1, 0, 1], &[&[0, 1], &[2], &[2, 2]]);
        assert_eq!(
            records(&data, PrivacyUnit::Owner),
            [vec![2], vec![0, 1, 2, 2]]
        );
    }

    #[test]
    fn a_bound_keeps_each_owners_first_rows() {
        let data = data(vec![1, 0, 1, 1], &[&[0], &[2], &[1], &[2]]);
        let two = NonZeroU32::new(2).unwrap();
        assert_eq!(
            records(&data, PrivacyUnit::OwnerBounded(two)),
            [vec![0], vec![2], vec![1]]
        );
    }

    #[test]
    fn time_bins_stay_with_their_locations() {
        let universe = Universe::from_labels(["A", "B"], Origin::Declared("t".into())).unwrap();
        let mut trips = Sequences::empty(true);
        trips.push(&[0, 1], &[4, 5]);
        trips.push(&[1], &[7]);
        trips.push(&[0, 0], &[5, 9]);
        trips.push(&[1], &[6]);
        let owners = Owners::Known {
            of_record: vec![1, 0, 1, 1],
            labels: ["x", "y"].into_iter().collect(),
        };
        let time = Some(TimeAxis::new(10, Origin::FromData));
        let data =
            Dataset::new(Arc::new(universe), time, trips, owners, vec![], "p".into()).unwrap();
        let timed = |unit| {
            let records = bound(&data, unit);
            let rows = 0..records.sequences.len();
            rows.map(|row| {
                let (codes, bins) = (
                    records.sequences.codes_of(row),
                    records.sequences.bins_of(row),
                );
                codes.iter().copied().zip(bins.iter().copied()).collect()
            })
            .collect::<Vec<Vec<(u32, u32)>>>()
        };
        // Rows that overlap are joined in the order of time.
        assert_eq!(
            timed(PrivacyUnit::Owner),
            [vec![(1, 7)], vec![(0, 4), (1, 5), (0, 5), (1, 6), (0, 9)]]
        );
        assert_eq!(
            timed(PrivacyUnit::OwnerBounded(NonZeroU32::MIN)),
            [vec![(0, 4), (1, 5)], vec![(1, 7)]]
        );
    }

    #[test]
    fn trips_stay_as_they_are() {
        let data = data(vec![1, 0, 1], &[&[0], &[2], &[1]]);
        assert_eq!(
            records(&data, PrivacyUnit::Trip),
            [vec![0], vec![2], vec![1]]
        );
    }

    #[test]
    fn removing_an_owner_changes_at_most_the_stated_number_of_records() {
        let rows: [&[u32]; 5] = [&[0], &[1], &[2], &[0, 1], &[1, 1]];
        let owners = [0, 1, 1, 1, 2];
        for unit in [
            PrivacyUnit::Owner,
            PrivacyUnit::OwnerBounded(NonZeroU32::new(2).unwrap()),
        ] {
            let all = records(&data(owners.to_vec(), &rows), unit);
            for gone in 0..3 {
                let kept: Vec<usize> = (0..5).filter(|&row| owners[row] != gone).collect();
                let fewer = records(
                    &data(
                        kept.iter().map(|&row| owners[row]).collect(),
                        &kept.iter().map(|&row| rows[row]).collect::<Vec<_>>(),
                    ),
                    unit,
                );
                let mut rest = all.clone();
                for record in &fewer {
                    let at = rest.iter().position(|other| other == record).expect("kept");
                    rest.remove(at);
                }
                assert!(rest.len() <= unit.records() as usize);
            }
        }
    }
}
