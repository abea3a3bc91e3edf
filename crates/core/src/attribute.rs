//! Columns beside the trajectory: a diagnosis, a fare class, an age.
//!
//! Mechanisms under differential privacy never see them. A truthful mechanism names in its claim
//! the ones that it reads, is given those, and may release them.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::labels::Labels;

/// A column of attributes beside the trajectory, one value per record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The column's name.
    pub name: String,
    /// Its distinct values.
    pub values: Labels,
    /// Each record's value as a position in `values`.
    pub of_record: Vec<u32>,
}

impl Attribute {
    /// The value of a record; panics when out of range, like indexing a slice.
    pub fn value(&self, record: usize) -> &str {
        self.values.get(self.of_record[record] as usize)
    }

    /// The same column for some records only, in the order given.
    #[must_use]
    pub fn of_records(&self, records: impl IntoIterator<Item = usize>) -> Self {
        Self {
            name: self.name.clone(),
            values: self.values.clone(),
            of_record: records.into_iter().map(|row| self.of_record[row]).collect(),
        }
    }

    /// The same column with its values in the order of their bytes, without those that no record
    /// has: neither tells what else there was, nor in which order.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let mut used = vec![false; self.values.len()];
        for &value in &self.of_record {
            used[value as usize] = true;
        }
        let mut order: Vec<usize> = (0..used.len()).filter(|&value| used[value]).collect();
        order.sort_unstable_by_key(|&value| self.values.get(value));
        let mut position = vec![0; used.len()];
        for (&value, at) in order.iter().zip(0..) {
            position[value] = at;
        }
        let of_record = self.of_record.iter();
        Self {
            name: self.name.clone(),
            values: order.iter().map(|&value| self.values.get(value)).collect(),
            of_record: of_record.map(|&value| position[value as usize]).collect(),
        }
    }

    /// Whether there is one value for each of `records` records, and each is known.
    pub(crate) fn fits(&self, records: usize) -> bool {
        fits(&self.of_record, self.values.len(), records)
    }
}

/// Whether a column of positions has the right length and stays below `values`.
pub(crate) fn fits(column: &[u32], values: usize, records: usize) -> bool {
    column.len() == records && column.iter().all(|&value| (value as usize) < values)
}

/// The names of the columns beside the trajectory, and nothing else about them: what a claim may
/// know.
#[derive(Clone, Copy, Default)]
pub struct ColumnNames<'a>(&'a [Attribute]);

impl<'a> ColumnNames<'a> {
    /// The names of these columns.
    pub fn of(attributes: &'a [Attribute]) -> Self {
        Self(attributes)
    }

    /// The names, in the order of the columns.
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'a str> {
        self.0.iter().map(|attribute| attribute.name.as_str())
    }

    /// Whether there is a column of this name.
    pub fn contains(self, name: &str) -> bool {
        self.iter().any(|other| other == name)
    }
}

impl fmt::Debug for ColumnNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// How far some columns tell records apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combinations {
    /// Records whose combination of values no other record has.
    pub unique: u64,
    /// Records in all.
    pub records: u64,
}

/// How many records are the only ones with their combination of values: who knows these values of
/// a person finds the record without any visit. Without columns there is nothing to know.
pub fn unique_combinations<'a>(
    columns: impl IntoIterator<Item = &'a Attribute>,
) -> Option<Combinations> {
    let mut columns = columns.into_iter();
    let first = columns.next()?;
    let mut combination = first.of_record.clone();
    let mut distinct = first.values.len();
    for column in columns {
        let mut known = FxHashMap::default();
        for (so_far, &value) in combination.iter_mut().zip(&column.of_record) {
            let next = known.len() as u32;
            *so_far = *known.entry((*so_far, value)).or_insert(next);
        }
        distinct = known.len();
    }
    let mut records_of = vec![0u64; distinct];
    for &combination in &combination {
        records_of[combination as usize] += 1;
    }
    Some(Combinations {
        unique: records_of.iter().filter(|&&records| records == 1).count() as u64,
        records: combination.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn column(name: &str, values: &[&str], of_record: &[u32]) -> Attribute {
        Attribute {
            name: name.into(),
            values: values.iter().collect(),
            of_record: of_record.to_vec(),
        }
    }

    #[test]
    fn a_canonical_column_keeps_what_records_say_and_nothing_else() {
        let raw = column("d", &["Flu", "HIV", "Fever", "Cold"], &[2, 0, 2]);
        let canonical = raw.canonical();
        assert_eq!(canonical, column("d", &["Fever", "Flu"], &[0, 1, 0]));
        assert_eq!(canonical.canonical(), canonical);
        let some = raw.of_records([1, 1]);
        assert_eq!((some.value(0), some.value(1)), ("Flu", "Flu"));
        assert_eq!(some.canonical(), column("d", &["Flu"], &[0, 0]));
        let none = raw.of_records([]).canonical();
        assert_eq!(none, column("d", &[], &[]));
    }

    #[test]
    fn names_say_nothing_about_values() {
        let columns = [column("age", &["secret"], &[0]), column("job", &[], &[])];
        let names = ColumnNames::of(&columns);
        assert_eq!(format!("{names:?}"), r#"["age", "job"]"#);
        assert!(names.contains("job") && !names.contains("secret"));
    }

    #[test]
    fn unique_combinations_by_hand() {
        let age = column("age", &["30", "40"], &[0, 0, 1, 1]);
        let job = column("job", &["nurse", "clerk"], &[0, 0, 0, 1]);
        let count = |columns: &[&Attribute]| {
            let found = unique_combinations(columns.iter().copied())?;
            Some((found.unique, found.records))
        };
        assert_eq!(count(&[&age]), Some((0, 4)));
        assert_eq!(count(&[&job]), Some((1, 4)), "one clerk");
        assert_eq!(count(&[&age, &job]), Some((2, 4)), "each of the two at 40");
        assert_eq!(count(&[]), None);
        let nobody = column("age", &["30"], &[]);
        assert_eq!(count(&[&nobody]), Some((0, 0)));
    }

    proptest! {
        #[test]
        fn unique_combinations_as_counted_one_by_one(
            rows in prop::collection::vec([0u32..3, 0..4, 0..3], 0..30),
        ) {
            let columns: Vec<Attribute> = (0..3)
                .map(|at| {
                    let values: Vec<u32> = rows.iter().map(|row| row[at]).collect();
                    column("c", &["a", "b", "c", "d"], &values)
                })
                .collect();
            let mut counts = BTreeMap::new();
            for row in &rows {
                *counts.entry(row).or_insert(0) += 1;
            }
            let unique = counts.values().filter(|&&count| count == 1).count() as u64;
            let found = unique_combinations(&columns).unwrap();
            prop_assert_eq!((found.unique, found.records), (unique, rows.len() as u64));
        }
    }
}
