//! The records as sets of doublets, in the order that everything else relies on.
//!
//! A doublet is a location at a time bin. Doublets have one total order (bin, then location) and
//! are numbered in it from 0, so that a record is a sorted list of numbers, whatever order its
//! visits had and however many fall into one bin. Records are sorted by owner: one owner's records
//! lie side by side, and distinct owners in a sorted list of records are counted in one pass.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wayveil_core::{Error, Result, Sequences};

/// Stands for a record without a sensitive value in a column.
pub(super) const NO_SECRET: u32 = u32::MAX;

/// A column beside the trajectories, and which of its values are sensitive.
#[derive(Clone, Copy, Debug)]
pub struct SensitiveColumn<'a> {
    /// Every record's value.
    pub of_record: &'a [u32],
    /// The values that nobody may be tied to.
    pub sensitive: &'a [u32],
}

/// Records as sorted sets of doublets, with owners and sensitive values.
#[derive(Clone, Debug)]
pub struct Table {
    /// Bin and location of each doublet, rising.
    doublets: Vec<(u32, u32)>,
    pub(super) starts: Vec<u32>,
    pub(super) codes: Vec<u32>,
    /// The record's position in the data that the table was made from.
    original: Vec<u32>,
    /// Numbers from 0, never falling.
    pub(super) owners: Vec<u32>,
    /// Whether somebody owns several records.
    pub(super) shared_owners: bool,
    /// For each record, one entry per column: a number below `secrets`, or [`NO_SECRET`].
    pub(super) secret_of: Vec<u32>,
    pub(super) columns: usize,
    /// How many sensitive values occur, over all columns.
    pub(super) secrets: usize,
}

impl Table {
    /// Takes timed trajectories apart. Every record has an owner of its own unless `owners` tells
    /// otherwise.
    ///
    /// Untimed trajectories are refused: what an adversary knows of them is an ordered list with
    /// repeats, not a set of doublets, and nothing here would hold for it.
    pub fn new(
        trips: &Sequences,
        owners: Option<&[u32]>,
        columns: &[SensitiveColumn<'_>],
    ) -> Result<Self> {
        let Some(bins) = trips.bins() else {
            return Err(
                Error::input("suppression needs to know the times of visits")
                    .hint("import the data with --bin-width, --bin-origin and --bins"),
            );
        };
        let records = trips.len();
        if u32::try_from(trips.symbols()).is_err() || u32::try_from(records).is_err() {
            return Err(Error::input(
                "suppression works on at most 4,294,967,295 visits and records",
            ));
        }
        let fits = |column: &[u32]| column.len() == records;
        if !owners.is_none_or(fits) || !columns.iter().all(|column| fits(column.of_record)) {
            return Err(Error::input(
                "the columns beside the trajectories do not fit them",
            ));
        }

        let doublets = distinct(bins, trips.codes());
        let number: FxHashMap<(u32, u32), u32> = doublets.iter().copied().zip(0..).collect();
        let mut original: Vec<u32> = (0..records as u32).collect();
        if let Some(owners) = owners {
            original.sort_by_key(|&record| owners[record as usize]);
        }
        let mut starts = Vec::with_capacity(records + 1);
        starts.push(0);
        let mut codes = Vec::with_capacity(trips.symbols());
        let mut set = Vec::new();
        for &record in &original {
            let record = record as usize;
            set.clear();
            let visits = trips.bins_of(record).iter().zip(trips.codes_of(record));
            set.extend(visits.filter_map(|(&bin, &place)| number.get(&(bin, place)).copied()));
            set.sort_unstable();
            set.dedup();
            codes.extend_from_slice(&set);
            starts.push(codes.len() as u32);
        }
        let owners = match owners {
            Some(owners) => numbered(original.iter().map(|&r| owners[r as usize])),
            None => original.clone(),
        };
        let (secret_of, secrets) = secrets(columns, &original);
        Ok(Self {
            doublets,
            starts,
            codes,
            shared_owners: owners.windows(2).any(|pair| pair[0] == pair[1]),
            original,
            owners,
            secret_of,
            columns: columns.len(),
            secrets,
        })
    }

    /// How many records there are, empty ones included.
    pub fn len(&self) -> usize {
        self.original.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.original.is_empty()
    }

    /// How many different doublets occur.
    pub fn doublets(&self) -> usize {
        self.doublets.len()
    }

    /// How many doublets the records hold together.
    pub fn instances(&self) -> usize {
        self.codes.len()
    }

    /// The time bin and the location of a doublet.
    pub fn doublet(&self, code: u32) -> (u32, u32) {
        self.doublets[code as usize]
    }

    /// The position that a record had in the data that the table was made from.
    pub fn original(&self, record: u32) -> u32 {
        self.original[record as usize]
    }

    /// The doublets of a record, rising.
    pub fn record(&self, record: u32) -> &[u32] {
        let record = record as usize;
        &self.codes[self.starts[record] as usize..self.starts[record + 1] as usize]
    }

    /// The place of a doublet of a record among all instances.
    #[inline]
    pub(super) fn instance(&self, record: u32, doublet: u32) -> u32 {
        let before = self.record(record).partition_point(|&code| code < doublet);
        self.starts[record as usize] + before as u32
    }

    /// The sensitive value of a record in each column, or [`NO_SECRET`].
    #[inline]
    pub(super) fn secrets_of(&self, record: u32) -> &[u32] {
        let first = record as usize * self.columns;
        &self.secret_of[first..first + self.columns]
    }

    /// All records of a record's owner.
    pub(super) fn siblings(&self, record: u32) -> std::ops::Range<u32> {
        let owner = self.owners[record as usize];
        let (mut first, mut end) = (record, record + 1);
        while first > 0 && self.owners[first as usize - 1] == owner {
            first -= 1;
        }
        while self.owners.get(end as usize) == Some(&owner) {
            end += 1;
        }
        first..end
    }
}

fn distinct(bins: &[u32], places: &[u32]) -> Vec<(u32, u32)> {
    let mut all: Vec<(u32, u32)> = bins.iter().copied().zip(places.iter().copied()).collect();
    all.par_sort_unstable();
    all.dedup();
    all.shrink_to_fit();
    all
}

/// Owners in rising order, numbered from 0.
fn numbered(owners: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut before = None;
    let mut number = 0;
    owners
        .map(|owner| {
            if before.is_some_and(|before| before != owner) {
                number += 1;
            }
            before = Some(owner);
            number
        })
        .collect()
}

/// Every record's sensitive values, numbered over all columns, and how many numbers there are.
fn secrets(columns: &[SensitiveColumn<'_>], original: &[u32]) -> (Vec<u32>, usize) {
    let mut numbers: FxHashMap<(usize, u32), u32> = FxHashMap::default();
    for (position, column) in columns.iter().enumerate() {
        for &value in column.sensitive {
            let next = numbers.len() as u32;
            numbers.entry((position, value)).or_insert(next);
        }
    }
    let mut secret_of = Vec::with_capacity(original.len() * columns.len());
    for &record in original {
        for (position, column) in columns.iter().enumerate() {
            let value = column.of_record[record as usize];
            let secret = numbers.get(&(position, value)).copied();
            secret_of.push(secret.unwrap_or(NO_SECRET));
        }
    }
    (secret_of, numbers.len())
}
