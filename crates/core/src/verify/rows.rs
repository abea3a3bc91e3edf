//! The records as sorted rows of small numbers, one owner's side by side.

use std::collections::HashMap;

use crate::error::{Error, Result};
use rayon::prelude::*;

use super::Published;

/// Stands behind every row.
pub(super) const END: u32 = u32::MAX;

/// A record's place among the rows, and a place in the row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) row: u32,
    /// Counted over all rows.
    pub(super) at: u32,
}

/// All records.
pub(super) struct Rows {
    /// What each symbol stands for: bin and location, rising.
    names: Vec<(u32, u32)>,
    /// Rising symbols, row by row, each row followed by [`END`].
    symbols: Vec<u32>,
    /// Where rows begin in `symbols`.
    begins: Vec<u32>,
    /// The owner of each row, never falling.
    owners: Vec<u32>,
    /// Column and value of every sensitive value.
    secrets: Vec<(usize, u32)>,
    /// The sensitive values of each row, as positions in `secrets`, and where they begin.
    secret_begins: Vec<u32>,
    secret_items: Vec<u32>,
}

impl Rows {
    pub(super) fn new(published: &Published<'_>) -> Result<Self> {
        let trips = published.trips;
        let Some(bins) = trips.bins() else {
            return Err(Error::input(
                "(K, C)_L-privacy is about visits with times, and there are none",
            )
            .hint("verify data with time bins"));
        };
        let count = trips.len();
        let columns_fit = published
            .columns
            .iter()
            .all(|column| column.of_record.len() == count);
        if published.owners.is_some_and(|owners| owners.len() != count) || !columns_fit {
            return Err(Error::input(
                "the columns beside the trajectories do not fit them",
            ));
        }
        if trips.symbols() + count >= END as usize {
            return Err(Error::input(
                "at most 4 billion visits and records can be verified",
            ));
        }
        let mut names: Vec<(u32, u32)> = bins
            .iter()
            .copied()
            .zip(trips.codes().iter().copied())
            .collect();
        names.par_sort_unstable();
        names.dedup();

        let owner_of = |record: usize| {
            published
                .owners
                .map_or(record as u32, |owners| owners[record])
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&record| owner_of(record));
        let secrets = secrets(published);
        let position: HashMap<(usize, u32), u32> = secrets.iter().copied().zip(0..).collect();
        let mut rows = Self {
            names,
            symbols: Vec::with_capacity(trips.symbols() + count),
            begins: Vec::with_capacity(count),
            owners: order.iter().map(|&record| owner_of(record)).collect(),
            secrets,
            secret_begins: vec![0],
            secret_items: Vec::new(),
        };
        for record in order {
            let begin = rows.symbols.len();
            rows.begins.push(begin as u32);
            let visits = trips.bins_of(record).iter().zip(trips.codes_of(record));
            for (&bin, &place) in visits {
                let symbol = rows.names.partition_point(|&name| name < (bin, place));
                rows.symbols.push(symbol as u32);
            }
            rows.symbols[begin..].sort_unstable();
            dedup_from(&mut rows.symbols, begin);
            rows.symbols.push(END);
            for (column, values) in published.columns.iter().enumerate() {
                let value = values.of_record[record];
                rows.secret_items.extend(position.get(&(column, value)));
            }
            rows.secret_begins.push(rows.secret_items.len() as u32);
        }
        Ok(rows)
    }

    pub(super) fn len(&self) -> usize {
        self.begins.len()
    }

    /// How many different symbols there are.
    pub(super) fn width(&self) -> usize {
        self.names.len()
    }

    /// How many sensitive values there are over all columns, whether or not anybody has them.
    pub(super) fn secrets(&self) -> usize {
        self.secrets.len()
    }

    pub(super) fn secret(&self, position: usize) -> (usize, u32) {
        self.secrets[position]
    }

    pub(super) fn name(&self, symbols: &[u32]) -> Vec<(u32, u32)> {
        symbols
            .iter()
            .map(|&symbol| self.names[symbol as usize])
            .collect()
    }

    pub(super) fn owner(&self, row: u32) -> u32 {
        self.owners[row as usize]
    }

    /// The symbols of a row from a place on.
    pub(super) fn from(&self, spot: Spot) -> impl Iterator<Item = (u32, Spot)> {
        let rest = &self.symbols[spot.at as usize..];
        let rest = rest.iter().take_while(|&&symbol| symbol != END);
        rest.zip(spot.at + 1..)
            .map(move |(&symbol, at)| (symbol, Spot { row: spot.row, at }))
    }

    /// The beginning of every row.
    pub(super) fn spots(&self) -> impl Iterator<Item = Spot> {
        (0..).zip(&self.begins).map(|(row, &at)| Spot { row, at })
    }

    pub(super) fn row(&self, row: u32) -> &[u32] {
        let begin = self.begins[row as usize] as usize;
        let next = self.begins.get(row as usize + 1);
        let end = next.map_or(self.symbols.len(), |&next| next as usize) - 1;
        &self.symbols[begin..end]
    }

    pub(super) fn secrets_of(&self, row: u32) -> &[u32] {
        let row = row as usize;
        &self.secret_items[self.secret_begins[row] as usize..self.secret_begins[row + 1] as usize]
    }

    pub(super) fn longest(&self) -> usize {
        let lengths = (0..self.len()).map(|row| self.row(row as u32).len());
        lengths.max().unwrap_or(0)
    }
}

fn secrets(published: &Published<'_>) -> Vec<(usize, u32)> {
    let mut secrets: Vec<(usize, u32)> = published
        .columns
        .iter()
        .enumerate()
        .flat_map(|(column, values)| values.sensitive.iter().map(move |&value| (column, value)))
        .collect();
    secrets.sort_unstable();
    secrets.dedup();
    secrets
}

/// Drops equal neighbours from a place on.
fn dedup_from(symbols: &mut Vec<u32>, begin: usize) {
    let mut kept = begin;
    for at in begin..symbols.len() {
        if kept == begin || symbols[kept - 1] != symbols[at] {
            symbols[kept] = symbols[at];
            kept += 1;
        }
    }
    symbols.truncate(kept);
}
