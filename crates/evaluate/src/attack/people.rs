//! Records as an attack sees them.

use std::num::NonZeroU64;

use wayveil_core::{Attribute, Dataset, Owners, PrivacyUnit, Sequences};
use wayveil_noise::{Stream, below};

/// A column of attributes, one value for each record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Each record's value.
    pub of_record: Vec<Box<str>>,
}

/// Records with the columns beside them, and whose they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    /// The trajectories.
    pub sequences: Sequences,
    /// The columns beside them.
    pub columns: Vec<Column>,
    /// Whose each record is; without it every record has an owner of its own.
    pub owners: Option<Vec<u32>>,
}

impl People {
    /// Trajectories without columns, such as released ones.
    pub fn bare(sequences: Sequences) -> Self {
        Self {
            sequences,
            columns: Vec::new(),
            owners: None,
        }
    }

    /// Released trajectories with the columns that were released beside them.
    pub fn published(sequences: Sequences, attributes: &[Attribute]) -> Self {
        let column = |attribute: &Attribute| Column {
            name: attribute.name.clone(),
            of_record: (0..attribute.of_record.len())
                .map(|record| attribute.value(record).into())
                .collect(),
        };
        Self {
            sequences,
            columns: attributes.iter().map(column).collect(),
            owners: None,
        }
    }

    /// The people of a data set, in the records that a release under this unit of privacy is made
    /// of. Where a person's rows are joined, a column has the value of the first of them.
    pub fn of(data: &Dataset, unit: PrivacyUnit) -> Self {
        let rows = match (unit, data.owners()) {
            (PrivacyUnit::Owner, Owners::Known { of_record, .. }) => first_rows(of_record),
            (PrivacyUnit::OwnerBounded(most), Owners::Known { of_record, .. }) => {
                rows_within(of_record, most.get())
            }
            _ => (0..data.trips().len()).collect(),
        };
        let column = |attribute: &Attribute| Column {
            name: attribute.name.clone(),
            of_record: rows
                .iter()
                .map(|&row| {
                    attribute
                        .values
                        .get(attribute.of_record[row] as usize)
                        .into()
                })
                .collect(),
        };
        let owners = match (unit, data.owners()) {
            (PrivacyUnit::Owner, _) | (_, Owners::EachRecord) => None,
            (_, Owners::Known { of_record, .. }) => {
                Some(rows.iter().map(|&row| of_record[row]).collect())
            }
        };
        Self {
            columns: data.attributes().iter().map(column).collect(),
            sequences: data.bounded(unit).into_owned(),
            owners,
        }
    }

    /// The records with these numbers, in their order.
    pub(super) fn only(&self, numbers: &[u32]) -> Self {
        let column = |column: &Column| Column {
            name: column.name.clone(),
            of_record: (numbers.iter())
                .map(|&number| column.of_record[number as usize].clone())
                .collect(),
        };
        let owners = self.owners.as_ref();
        Self {
            sequences: records_of(&self.sequences, numbers),
            columns: self.columns.iter().map(column).collect(),
            owners: owners.map(|owners| numbers.iter().map(|&it| owners[it as usize]).collect()),
        }
    }

    /// The number of a record's owner.
    pub(super) fn owner(&self, record: usize) -> usize {
        match &self.owners {
            Some(owners) => owners[record] as usize,
            None => record,
        }
    }

    /// The first number that no owner has.
    pub(super) fn owners_end(&self) -> usize {
        match &self.owners {
            Some(owners) => owners.iter().max().map_or(0, |&last| last as usize + 1),
            None => self.len(),
        }
    }

    /// One eligible record of each owner who has any, in the order of owners. Of several, any with
    /// the same probability.
    pub(super) fn one_of_each(
        &self,
        eligible: impl Fn(usize) -> bool,
        random: &mut Stream,
    ) -> Vec<usize> {
        let records = (0..self.len()).filter(|&record| eligible(record));
        if self.owners.is_none() {
            return records.collect();
        }
        let mut of_owner: Vec<Option<(usize, NonZeroU64)>> = vec![None; self.owners_end()];
        for record in records {
            let one = &mut of_owner[self.owner(record)];
            *one = Some(match *one {
                None => (record, NonZeroU64::MIN),
                Some((before, seen)) => {
                    let seen = seen.saturating_add(1);
                    let taken = below(seen, random) == 0;
                    (if taken { record } else { before }, seen)
                }
            });
        }
        of_owner.into_iter().flatten().map(|(it, _)| it).collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sequences.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sequences.is_empty()
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// The records with these numbers, in their order.
pub(super) fn records_of(sequences: &Sequences, numbers: &[u32]) -> Sequences {
    let mut chosen = Sequences::empty(sequences.is_timed());
    for &number in numbers {
        let record = number as usize;
        chosen.push(sequences.codes_of(record), sequences.bins_of(record));
    }
    chosen
}

/// The first row of each owner, in the order of owners, as joining puts them.
fn first_rows(of_record: &[u32]) -> Vec<usize> {
    let owners = of_record.iter().max().map_or(0, |&most| most as usize + 1);
    let mut first = vec![usize::MAX; owners];
    for (row, &owner) in of_record.iter().enumerate().rev() {
        first[owner as usize] = row;
    }
    first.retain(|&row| row != usize::MAX);
    first
}

/// Each owner's rows up to so many, as bounding keeps them.
fn rows_within(of_record: &[u32], most: u32) -> Vec<usize> {
    let owners = of_record.iter().max().map_or(0, |&last| last as usize + 1);
    let mut kept = vec![0u32; owners];
    let mut keep = |&(_, &owner): &(usize, &u32)| {
        kept[owner as usize] += 1;
        kept[owner as usize] <= most
    };
    let rows = of_record.iter().enumerate();
    rows.filter(|row| keep(row)).map(|(row, _)| row).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wayveil_core::{Origin, Universe};

    use super::*;

    #[test]
    fn people_are_units_of_privacy_with_their_columns() {
        let universe = Universe::from_labels(["A", "B"], Origin::FromData).unwrap();
        let data = Dataset::new(
            Arc::new(universe),
            None,
            Sequences::from_codes([vec![0u32], vec![1], vec![1, 0], vec![0, 0]]),
            Owners::Known {
                of_record: vec![2, 0, 2, 0],
                labels: ["x", "nobody", "y"].into_iter().collect(),
            },
            vec![Attribute {
                name: "fare".into(),
                values: ["full", "half"].into_iter().collect(),
                of_record: vec![0, 1, 1, 0],
            }],
            "p".into(),
        )
        .unwrap();
        let people = People::of(&data, PrivacyUnit::Owner);
        let owners: Vec<_> = people.sequences.iter().collect();
        assert_eq!(owners, [&[1, 0, 0][..], &[0, 1, 0]]);
        let fares = &people.column("fare").unwrap().of_record;
        assert_eq!(
            fares.iter().map(|it| &**it).collect::<Vec<_>>(),
            ["half", "full"]
        );
        let one = PrivacyUnit::OwnerBounded(std::num::NonZeroU32::MIN);
        let first = People::of(&data, one);
        assert_eq!(first.sequences.iter().collect::<Vec<_>>(), [[0], [1]]);
        assert_eq!(&*first.columns[0].of_record[0], "full");
        assert_eq!((people.owners, first.owners), (None, Some(vec![2, 0])));
        let rows = People::of(&data, PrivacyUnit::Trip);
        assert_eq!((rows.len(), rows.columns[0].of_record.len()), (4, 4));
        assert_eq!(rows.owners, Some(vec![2, 0, 2, 0]));
        let only = rows.only(&[1, 2]);
        assert_eq!(
            only.sequences.iter().collect::<Vec<_>>(),
            [&[1][..], &[1, 0]]
        );
        assert_eq!(
            (only.owners, only.columns[0].of_record.len()),
            (Some(vec![0, 2]), 2)
        );
    }

    #[test]
    fn one_record_stands_for_each_owner() {
        let mut people = People::bare(Sequences::from_codes((0..6u32).map(|at| [at])));
        let mut random = wayveil_core::RandomSource::insecure_seed(1).stream();
        assert_eq!(
            people.one_of_each(|it| it != 2, &mut random),
            [0, 1, 3, 4, 5]
        );
        people.owners = Some(vec![5, 1, 1, 1, 5, 3]);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..3000 {
            let one = people.one_of_each(|it| it < 5, &mut random);
            *seen.entry(one).or_insert(0) += 1;
        }
        // Six choices, 500 times each on average, with a standard deviation of 20.
        assert_eq!(seen.len(), 6);
        assert!(
            seen.values().all(|&count: &i32| (count - 500).abs() < 140),
            "{seen:?}"
        );
    }

    #[test]
    fn chosen_records_keep_their_time() {
        let mut timed = Sequences::empty(true);
        timed.push(&[1, 2], &[3, 4]);
        timed.push(&[], &[]);
        timed.push(&[5], &[6]);
        let chosen = records_of(&timed, &[0, 2]);
        assert_eq!((chosen.len(), chosen.codes_of(1)), (2, &[5][..]));
        assert_eq!(chosen.bins_of(1), [6]);
    }
}
