//! Records as an attack sees them.

use wayveil_core::{Attribute, Dataset, Owners, PrivacyUnit, Sequences};

/// A column of attributes, one value for each record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Each record's value.
    pub of_record: Vec<Box<str>>,
}

/// Records with the columns beside them: one record for each unit of privacy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    /// The trajectories.
    pub sequences: Sequences,
    /// The columns beside them.
    pub columns: Vec<Column>,
}

impl People {
    /// Trajectories without columns, such as released ones.
    pub fn bare(sequences: Sequences) -> Self {
        Self {
            sequences,
            columns: Vec::new(),
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
        }
    }

    /// The units of privacy in a data set. Where a person's rows are joined, a column has the value
    /// of the first of them.
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
        Self {
            columns: data.attributes().iter().map(column).collect(),
            sequences: data.bounded(unit).into_owned(),
        }
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
        let rows = People::of(&data, PrivacyUnit::Trip);
        assert_eq!((rows.len(), rows.columns[0].of_record.len()), (4, 4));
    }
}
