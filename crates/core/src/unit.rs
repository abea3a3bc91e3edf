//! The unit of privacy: whose presence a release hides, and how it is enforced.
//!
//! The door applies the unit before a mechanism sees anything, so that no mechanism can forget
//! it. What is kept of an owner depends on that owner's own rows alone.

use std::borrow::Cow;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::attribute::{Attribute, ColumnNames};
use crate::dataset::{Dataset, Owners, TimeAxis};
use crate::error::{Error, Result};
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

    /// What a unit did, in words, to follow "whatever" up to a full stop.
    pub(crate) fn doings_had_been(self) -> String {
        match self {
            Self::Owner => {
                "the trajectories of any one person had been, all joined to one record".into()
            }
            Self::OwnerBounded(trips) => format!(
                "the trajectories of any one person had been, of which the first {trips} at most \
                 are used"
            ),
            Self::Trip => {
                "any one trip had been (a person with several trips is less protected)".into()
            }
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
    /// The names of the columns beside the trajectory, not their values.
    pub columns: ColumnNames<'a>,
}

/// What a mechanism is given: records in which one unit has at most [`PrivacyUnit::records`].
#[derive(Debug)]
pub struct Records<'a> {
    /// What is public.
    pub public: PublicInputs<'a>,
    /// The records.
    pub sequences: Cow<'a, Sequences>,
    /// The columns that the claim names, in that order. None under differential privacy.
    pub attributes: Vec<Cow<'a, Attribute>>,
    /// A number of the owner of each record, where several records can have one owner; else each
    /// record has an owner of its own. None under differential privacy, where the unit alone counts.
    pub owners: Option<Cow<'a, [u32]>>,
    /// How many units there are, where the claimed relation makes that public (see
    /// [`crate::guarantee::Neighbouring::ReplaceOneUnit`]): there it may decide what is released, and
    /// be released. Elsewhere the number of records is a secret like any other.
    pub units: Option<u64>,
}

/// What is public.
pub(crate) fn public_inputs(data: &Dataset, unit: PrivacyUnit) -> PublicInputs<'_> {
    PublicInputs {
        universe: data.universe(),
        time: data.time(),
        unit,
        columns: ColumnNames::of(data.attributes()),
    }
}

/// Applies the unit of privacy. Nothing beside the trajectories is given.
pub(crate) fn bound(data: &Dataset, unit: PrivacyUnit) -> Records<'_> {
    Records {
        public: public_inputs(data, unit),
        sequences: bounded_rows(data.trips(), data.owners(), unit),
        attributes: Vec::new(),
        owners: None,
        units: None,
    }
}

/// Rows as records, by the unit of privacy. What becomes of an owner depends on that owner's own rows alone, so that
/// it does not matter who else is among them.
pub(crate) fn bounded_rows<'a>(
    trips: &'a Sequences,
    owners: &Owners,
    unit: PrivacyUnit,
) -> Cow<'a, Sequences> {
    Rows::of(owners, unit).sequences(trips)
}

/// A column beside rows as one beside records. An owner's rows that are joined must agree.
pub(crate) fn bounded_column<'a>(
    column: &'a Attribute,
    owners: &Owners,
    unit: PrivacyUnit,
) -> Result<Cow<'a, Attribute>> {
    Rows::of(owners, unit).column(column)
}

/// Applies the unit of privacy to trajectories and to some columns beside them, and tells whose
/// each record is.
pub(crate) fn bound_with<'a>(
    data: &'a Dataset,
    unit: PrivacyUnit,
    columns: &[String],
) -> Result<Records<'a>> {
    let rows = Rows::of(data.owners(), unit);
    let column = |name: &String| {
        let found = data.attributes().iter().find(|it| it.name == *name);
        let found = found.ok_or_else(|| no_column(name, ColumnNames::of(data.attributes())))?;
        rows.column(found)
    };
    Ok(Records {
        public: public_inputs(data, unit),
        attributes: columns.iter().map(column).collect::<Result<_>>()?,
        owners: match (unit, data.owners()) {
            (PrivacyUnit::Owner, _) | (_, Owners::EachRecord) => None,
            (_, Owners::Known { of_record, .. }) => rows.owners(of_record),
        },
        sequences: rows.sequences(data.trips()),
        units: None,
    })
}

pub(crate) fn no_column(name: &str, columns: ColumnNames<'_>) -> Error {
    let known: Vec<String> = columns.iter().map(|name| format!("{name:?}")).collect();
    Error::input(format!("there is no column {name:?} in the data")).hint(if known.is_empty() {
        "the data has no columns beside the trajectory; import it again with its attributes".into()
    } else {
        format!("the columns are: {}", known.join(", "))
    })
}

/// Which rows of the data make the records.
enum Rows {
    /// All, as they are.
    Same,
    /// These, each a record.
    Chosen(Vec<usize>),
    /// Sorted by owner; each owner with rows is a record. Also where each owner's begin.
    Joined(Vec<usize>, Vec<usize>),
}

impl Rows {
    fn of(owners: &Owners, unit: PrivacyUnit) -> Self {
        match (unit, owners) {
            (PrivacyUnit::Trip, _) | (_, Owners::EachRecord) => Self::Same,
            (_, Owners::Known { of_record, .. }) if strictly_increasing(of_record) => Self::Same,
            (PrivacyUnit::Owner, Owners::Known { of_record, labels }) => {
                let (rows, starts) = by_owner(of_record, labels.len());
                Self::Joined(rows, starts)
            }
            (PrivacyUnit::OwnerBounded(trips), Owners::Known { of_record, labels }) => {
                Self::Chosen(first_of_each(of_record, labels.len(), trips))
            }
        }
    }

    fn sequences<'a>(&self, trips: &'a Sequences) -> Cow<'a, Sequences> {
        match self {
            Self::Same => Cow::Borrowed(trips),
            Self::Chosen(rows) => {
                let mut kept = Sequences::empty(trips.is_timed());
                for &row in rows {
                    kept.push(trips.codes_of(row), trips.bins_of(row));
                }
                Cow::Owned(kept)
            }
            Self::Joined(rows, starts) => Cow::Owned(join(trips, rows, starts)),
        }
    }

    /// A column for the records. An owner's rows that are joined must agree: anything else would be
    /// made up.
    fn column<'a>(&self, attribute: &'a Attribute) -> Result<Cow<'a, Attribute>> {
        match self {
            Self::Same => Ok(Cow::Borrowed(attribute)),
            Self::Chosen(rows) => Ok(Cow::Owned(attribute.of_records(rows.iter().copied()))),
            Self::Joined(rows, starts) => {
                let value = |row: &usize| attribute.of_record[*row];
                let own = || groups(rows, starts);
                let disagree = |own: &&[usize]| own.iter().any(|row| value(row) != value(&own[0]));
                match own().filter(disagree).count() {
                    0 => Ok(Cow::Owned(attribute.of_records(own().map(|own| own[0])))),
                    people => Err(disagreement(&attribute.name, people)),
                }
            }
        }
    }

    /// Whose the records are, where two can have one owner.
    fn owners<'a>(&self, of_record: &'a [u32]) -> Option<Cow<'a, [u32]>> {
        match self {
            Self::Same if strictly_increasing(of_record) => None,
            Self::Same => Some(Cow::Borrowed(of_record)),
            Self::Chosen(rows) => Some(rows.iter().map(|&row| of_record[row]).collect()),
            Self::Joined(..) => None,
        }
    }
}

fn disagreement(column: &str, people: usize) -> Error {
    Error::input(format!(
        "the column {column:?} has several values for one person ({people} of them), and joining \
         their rows to one record would make one up"
    ))
    .hint("correct the data, or leave the column out")
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

/// The rows of each owner who has any.
fn groups<'r>(rows: &'r [usize], starts: &'r [usize]) -> impl Iterator<Item = &'r [usize]> {
    let all = starts.windows(2).map(|own| &rows[own[0]..own[1]]);
    all.filter(|own| !own.is_empty())
}

fn join(trips: &Sequences, rows: &[usize], starts: &[usize]) -> Sequences {
    let mut joined = Sequences::empty(trips.is_timed());
    let (mut codes, mut bins) = (Vec::new(), Vec::new());
    for own in groups(rows, starts) {
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

/// The first rows of each owner, in the order of the data.
fn first_of_each(of_record: &[u32], owners: usize, most: NonZeroU32) -> Vec<usize> {
    let mut kept_of_owner = vec![0u32; owners];
    let rows = of_record.iter().enumerate();
    rows.filter_map(|(row, &owner)| {
        let count = &mut kept_of_owner[owner as usize];
        (*count < most.get()).then(|| {
            *count += 1;
            row
        })
    })
    .collect()
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

    #[test]
    fn owners_are_told_apart_where_their_rows_stay_apart() {
        let data = data(vec![1, 0, 1, 1], &[&[0], &[2], &[1], &[2]]);
        let owners = |unit| {
            let records = bound_with(&data, unit, &[]).unwrap();
            records.owners.map(Cow::into_owned)
        };
        assert_eq!(owners(PrivacyUnit::Trip), Some(vec![1, 0, 1, 1]));
        let two = NonZeroU32::new(2).unwrap();
        assert_eq!(owners(PrivacyUnit::OwnerBounded(two)), Some(vec![1, 0, 1]));
        assert_eq!(owners(PrivacyUnit::Owner), None);
        assert!(bound(&data, PrivacyUnit::Trip).owners.is_none());
        let single = self::data(vec![0, 2], &[&[0], &[2]]);
        let records = bound_with(&single, PrivacyUnit::Trip, &[]).unwrap();
        assert!(records.owners.is_none(), "each row has an owner of its own");
    }
}
