//! Hands parsed batches to the gatherer, and gives its errors their place.

use wayveil_core::{Error, Result};

use super::parse::Batch;
use crate::visits::Gatherer;

/// Rows whose owners are looked up together.
const TOGETHER: usize = 256;

/// The third stage.
pub(super) struct Collector {
    gatherer: Gatherer,
    with_attributes: bool,
    found: Vec<Option<u32>>,
    owners: Vec<u32>,
}

impl Collector {
    pub(super) fn new(gatherer: Gatherer, with_attributes: bool) -> Self {
        Self {
            gatherer,
            with_attributes,
            found: Vec::new(),
            owners: Vec::new(),
        }
    }

    /// Takes in a batch; its own error comes after those of its rows.
    pub(super) fn add(&mut self, batch: Batch) -> Result<()> {
        self.find_owners(&batch)?;
        let owners = std::mem::take(&mut self.owners);
        for (row, &owner) in owners.iter().enumerate() {
            if self.with_attributes {
                let line = batch.line(row);
                self.gatherer
                    .attributes(owner, line, batch.attributes(row))
                    .map_err(|error| error.in_file(&batch.file.name).at_line(line))?;
            }
            let trip = match batch.trip(row) {
                Some(name) => self.gatherer.trip(name)?,
                None => 0,
            };
            self.gatherer
                .push(owner, trip, batch.times[row], batch.codes[row])?;
        }
        self.owners = owners;
        batch.failed.map_or(Ok(()), Err)
    }

    pub(super) fn finish(self) -> Gatherer {
        self.gatherer
    }

    fn find_owners(&mut self, batch: &Batch) -> Result<()> {
        self.owners.clear();
        if let Some((uid, key)) = &batch.file.owner {
            if batch.rows() > 0 {
                let named = self.gatherer.owner(uid, *key);
                let owner = named.map_err(|error| error.in_file(&batch.file.name))?;
                self.owners.resize(batch.rows(), owner);
            }
            return Ok(());
        }
        for start in (0..batch.rows()).step_by(TOGETHER) {
            let end = (start + TOGETHER).min(batch.rows());
            let mut found = std::mem::take(&mut self.found);
            self.gatherer
                .find_owners(&batch.keys[start..end], &mut found);
            for (row, &owner) in (start..end).zip(&found) {
                let owner = match owner {
                    Some(owner) => owner,
                    None => self.owner(batch, row)?,
                };
                self.owners.push(owner);
            }
            self.found = found;
        }
        Ok(())
    }

    /// An owner that was not found at once: in another slot, with a long id, or new.
    fn owner(&mut self, batch: &Batch, row: usize) -> Result<u32> {
        let named = self.gatherer.owner(batch.uid(row), batch.keys[row]);
        named.map_err(|error: Error| {
            error
                .in_file(&batch.file.name)
                .at_line(batch.line(row))
                .at_column(&batch.file.uid_column)
        })
    }
}
