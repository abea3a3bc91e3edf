//! Small databases, and what is true of them by looking at every sequence.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use wayveil_core::{Rational, Sequences, Silent};

use crate::suppress::{
    Mode, Options, Outcome, Preserve, Requirement, SensitiveColumn, Table, Variant, suppress,
};

/// Bin and location.
pub(super) type Doublet = (u32, u32);
pub(super) type Sequence = Vec<Doublet>;

/// A database in the plainest form.
#[derive(Clone, Debug, Default)]
pub(super) struct Database {
    /// Visits as they come: repeated, unsorted.
    pub(super) records: Vec<Vec<Doublet>>,
    pub(super) owners: Option<Vec<u32>>,
    /// Columns of values, and which of the values are sensitive.
    pub(super) columns: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Database {
    /// Records such as `a1 b3`, each a letter for a place and a bin; one column of values.
    pub(super) fn parse(records: &[&str], values: &[u32], sensitive: &[u32]) -> Self {
        let doublet = |text: &str| {
            let place = u32::from(text.as_bytes()[0] - b'a');
            (text[1..].parse().unwrap(), place)
        };
        let record = |text: &&str| text.split_whitespace().map(doublet).collect();
        let columns = match values.is_empty() {
            true => Vec::new(),
            false => vec![(values.to_vec(), sensitive.to_vec())],
        };
        Self {
            records: records.iter().map(record).collect(),
            owners: None,
            columns,
        }
    }

    pub(super) fn table(&self) -> Table {
        let mut trips = Sequences::empty(true);
        for record in &self.records {
            let (bins, places): (Vec<u32>, Vec<u32>) = record.iter().copied().unzip();
            trips.push(&places, &bins);
        }
        let columns: Vec<SensitiveColumn<'_>> = self
            .columns
            .iter()
            .map(|(of_record, sensitive)| SensitiveColumn {
                of_record,
                sensitive,
            })
            .collect();
        Table::new(&trips, self.owners.as_deref(), &columns).unwrap()
    }

    /// What is left of it.
    pub(super) fn after(&self, outcome: &Outcome) -> Self {
        let pick = |column: &Vec<u32>| -> Vec<u32> {
            outcome
                .kept
                .iter()
                .map(|&record| column[record as usize])
                .collect()
        };
        let record = |at: usize| {
            let bins = outcome.trips.bins_of(at).iter().copied();
            bins.zip(outcome.trips.codes_of(at).iter().copied())
                .collect()
        };
        let columns = self.columns.iter();
        Self {
            records: (0..outcome.trips.len()).map(record).collect(),
            owners: self.owners.as_ref().map(pick),
            columns: columns
                .map(|(column, secret)| (pick(column), secret.clone()))
                .collect(),
        }
    }

    fn owner(&self, record: usize) -> u32 {
        self.owners
            .as_ref()
            .map_or(record as u32, |owners| owners[record])
    }

    /// Every sequence that occurs, up to a length, with its records.
    pub(super) fn sequences(&self, length: usize) -> BTreeMap<Sequence, Vec<usize>> {
        let mut all: BTreeMap<Sequence, Vec<usize>> = BTreeMap::new();
        for (at, record) in self.records.iter().enumerate() {
            let set: BTreeSet<Doublet> = record.iter().copied().collect();
            let set: Vec<Doublet> = set.into_iter().collect();
            for mask in 1_u32..1 << set.len() {
                if mask.count_ones() as usize <= length {
                    let part = set
                        .iter()
                        .enumerate()
                        .filter(|(bit, _)| mask >> bit & 1 == 1);
                    let part = part.map(|(_, &doublet)| doublet).collect();
                    all.entry(part).or_default().push(at);
                }
            }
        }
        all
    }

    /// Whether a sequence with these records breaks the requirement.
    fn breaks(&self, records: &[usize], requirement: &Requirement) -> bool {
        let owners = |records: &[usize]| -> u64 {
            let owners: BTreeSet<u32> = records.iter().map(|&record| self.owner(record)).collect();
            owners.len() as u64
        };
        let exceeds = |part: u64, all: u64| Rational::new(part, all).unwrap() > requirement.c;
        let confident = self.columns.iter().any(|(column, sensitive)| {
            sensitive.iter().any(|&secret| {
                let with = records
                    .iter()
                    .copied()
                    .filter(|&record| column[record] == secret);
                let with: Vec<usize> = with.collect();
                exceeds(with.len() as u64, records.len() as u64)
                    || exceeds(owners(&with), owners(records))
            })
        });
        owners(records) < u64::from(requirement.k) || confident
    }

    /// Every sequence that breaks the requirement.
    pub(super) fn violating(&self, requirement: &Requirement) -> BTreeSet<Sequence> {
        let length = requirement.l.map_or(usize::MAX, |l| l.get() as usize);
        let all = self.sequences(length).into_iter();
        let bad = all.filter(|(_, records)| self.breaks(records, requirement));
        bad.map(|(sequence, _)| sequence).collect()
    }

    /// Those of them in which nothing shorter does.
    pub(super) fn minimal_violating(&self, requirement: &Requirement) -> BTreeSet<Sequence> {
        let bad = self.violating(requirement);
        let minimal = |sequence: &&Sequence| {
            let within = |other: &Sequence| {
                other.len() < sequence.len() && other.iter().all(|d| sequence.contains(d))
            };
            !bad.iter().any(within)
        };
        bad.iter().filter(minimal).cloned().collect()
    }
}

pub(super) fn requirement(k: u32, c: (u64, u64), l: Option<u32>) -> Requirement {
    Requirement {
        k,
        c: Rational::new(c.0, c.1).unwrap(),
        l: l.and_then(NonZeroU32::new),
    }
}

pub(super) fn options(requirement: &Requirement) -> Options {
    Options {
        requirement: requirement.clone(),
        mode: Mode::Local,
        preserve: Preserve::Instances,
        variant: Variant::Repaired,
    }
}

/// The database after suppression, with the outcome.
pub(super) fn run(database: &Database, options: &Options) -> (Database, Outcome) {
    let outcome = suppress(&database.table(), options, &Silent).unwrap();
    (database.after(&outcome), outcome)
}
