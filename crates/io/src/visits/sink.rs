//! Where records go: into memory, into a data file, or nowhere.

use std::io::Write;

use wayveil_core::{Attribute, Labels, Owners, Result, Sequences};

use super::assemble::Sink;
use super::gather::OwnerAttribute;
use crate::columns::BATCH_VISITS;
use crate::native::Writer;

/// Records in memory.
pub(super) struct Memory {
    trips: Sequences,
    owner_of_record: Vec<u32>,
}

impl Memory {
    pub(super) fn new(timed: bool) -> Self {
        Self {
            trips: Sequences::empty(timed),
            owner_of_record: Vec::new(),
        }
    }

    /// The records, their owners and attributes; owners without records are not among them, nor
    /// are values that only these have.
    pub(super) fn finish(
        self,
        owners: Labels,
        attributes: Vec<OwnerAttribute>,
    ) -> (Sequences, Owners, Vec<Attribute>) {
        let of_records = |attribute| of_records(attribute, &self.owner_of_record);
        let attributes = attributes.into_iter().map(of_records).collect();
        let mut kept: Vec<u32> = self.owner_of_record.clone();
        kept.dedup();
        let owners = if kept.len() == owners.len() {
            Owners::Known {
                of_record: self.owner_of_record,
                labels: owners,
            }
        } else {
            let number = |owner: &u32| kept.partition_point(|other| other < owner) as u32;
            Owners::Known {
                of_record: self.owner_of_record.iter().map(number).collect(),
                labels: kept
                    .iter()
                    .map(|&owner| owners.get(owner as usize))
                    .collect(),
            }
        };
        (self.trips, owners, attributes)
    }
}

/// An attribute by record, its values in the order in which records have them.
fn of_records(attribute: OwnerAttribute, owner_of_record: &[u32]) -> Attribute {
    let mut numbers: Vec<Option<u32>> = vec![None; attribute.values.len()];
    let mut kept: Vec<u32> = Vec::new();
    let mut number = |owner: &u32| {
        let value = attribute.of_owner[*owner as usize];
        *numbers[value as usize].get_or_insert_with(|| {
            kept.push(value);
            kept.len() as u32 - 1
        })
    };
    Attribute {
        of_record: owner_of_record.iter().map(&mut number).collect(),
        values: (kept.iter())
            .map(|&value| attribute.values.get(value))
            .collect(),
        name: attribute.name,
    }
}

impl Sink for Memory {
    fn record(&mut self, owner: u32, codes: &[u32], bins: &[u32]) -> Result<()> {
        self.trips.push(codes, bins);
        self.owner_of_record.push(owner);
        Ok(())
    }
}

/// Records on their way into a data file, a batch at a time.
pub(super) struct ToFile<'a, W: Write + Send> {
    writer: Writer<'a, W>,
    attributes: &'a [OwnerAttribute],
    timed: bool,
    batch: Sequences,
    owners: Vec<u32>,
}

impl<'a, W: Write + Send> ToFile<'a, W> {
    pub(super) fn new(
        writer: Writer<'a, W>,
        attributes: &'a [OwnerAttribute],
        timed: bool,
    ) -> Self {
        Self {
            writer,
            attributes,
            timed,
            batch: Sequences::empty(timed),
            owners: Vec::new(),
        }
    }

    fn flush(&mut self) -> Result<()> {
        let values: Vec<Vec<u32>> = (self.attributes.iter())
            .map(|attribute| {
                let of_record = self.owners.iter();
                of_record
                    .map(|&owner| attribute.of_owner[owner as usize])
                    .collect()
            })
            .collect();
        let values: Vec<&[u32]> = values.iter().map(Vec::as_slice).collect();
        self.writer
            .write(&self.batch, 0..self.batch.len(), &self.owners, &values)?;
        self.batch = Sequences::empty(self.timed);
        self.owners.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<()> {
        if !self.batch.is_empty() {
            self.flush()?;
        }
        self.writer.finish()
    }
}

impl<W: Write + Send> Sink for ToFile<'_, W> {
    fn record(&mut self, owner: u32, codes: &[u32], bins: &[u32]) -> Result<()> {
        self.batch.push(codes, bins);
        self.owners.push(owner);
        if self.batch.symbols() as u64 >= BATCH_VISITS {
            self.flush()?;
        }
        Ok(())
    }
}

/// Counts only.
pub(super) struct Nowhere;

impl Sink for Nowhere {
    fn record(&mut self, _owner: u32, _codes: &[u32], _bins: &[u32]) -> Result<()> {
        Ok(())
    }
}
