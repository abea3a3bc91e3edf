//! Collects batches into columns: numbers owners, checks that their attributes agree.
//!
//! Columns stay in one chunk per batch. One growing vector would have to be copied, and would hold
//! up to twice what it needs.

use wayveil_core::{Error, Labels, Result};

use super::Columns;
use super::parse::Batch;
use crate::csv::Header;
use crate::intern::Interner;
use crate::universe::{LEFT_OUT, check_label};

/// An owner without a value yet.
const UNSET: u32 = u32::MAX;
/// Rows whose owners are looked up together.
const TOGETHER: usize = 256;

/// Rows that are kept.
pub(super) struct Chunk {
    pub(super) owners: Vec<u32>,
    pub(super) times: Vec<i64>,
    pub(super) codes: Vec<u32>,
}

/// An attribute's values, one per owner.
pub(super) struct OwnerAttribute {
    pub(super) name: String,
    pub(super) values: Interner,
    pub(super) of_owner: Vec<u32>,
}

/// Everything that was read.
pub(super) struct Gathered {
    pub(super) rows: u64,
    pub(super) chunks: Vec<Chunk>,
    pub(super) owners: Labels,
    pub(super) attributes: Vec<OwnerAttribute>,
}

/// The third stage.
pub(super) struct Gatherer {
    file: String,
    uid_column: String,
    rows: u64,
    chunks: Vec<Chunk>,
    owners: Interner,
    attributes: Vec<OwnerAttribute>,
    /// Where each owner's attributes were first seen; empty without attributes.
    first_lines: Vec<u64>,
    found: Vec<Option<u32>>,
}

impl Gatherer {
    pub(super) fn new(file: &str, header: &Header, columns: &Columns) -> Self {
        let attribute = |&column: &usize| OwnerAttribute {
            name: header.column(column),
            values: Interner::default(),
            of_owner: Vec::new(),
        };
        Self {
            file: file.to_owned(),
            uid_column: header.column(columns.uid),
            rows: 0,
            chunks: Vec::new(),
            owners: Interner::default(),
            attributes: columns.attributes.iter().map(attribute).collect(),
            first_lines: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Takes in a batch; its own error comes after those of its rows.
    pub(super) fn add(&mut self, mut batch: Batch) -> Result<()> {
        let rows = batch.rows();
        let mut owners = Vec::with_capacity(rows);
        for start in (0..rows).step_by(TOGETHER) {
            let end = (start + TOGETHER).min(rows);
            let mut found = std::mem::take(&mut self.found);
            self.owners.find_easy(&batch.keys[start..end], &mut found);
            for (row, &owner) in (start..end).zip(&found) {
                owners.push(match owner {
                    Some(owner) => owner,
                    None => self.owner(&batch, row)?,
                });
            }
            self.found = found;
        }
        if !self.attributes.is_empty() {
            for (row, &owner) in owners.iter().enumerate() {
                self.check_attributes(&batch, row, owner)?;
            }
        }
        self.rows += rows as u64;
        if let Some(error) = batch.failed {
            return Err(error);
        }
        let mut chunk = Chunk {
            owners,
            times: std::mem::take(&mut batch.times),
            codes: std::mem::take(&mut batch.codes),
        };
        chunk.leave_out();
        self.chunks.push(chunk);
        Ok(())
    }

    pub(super) fn finish(self) -> Gathered {
        Gathered {
            rows: self.rows,
            chunks: self.chunks,
            owners: self.owners.into_labels(),
            attributes: self.attributes,
        }
    }

    /// An owner that was not found at once: in another slot, with a long id, or new.
    fn owner(&mut self, batch: &Batch, row: usize) -> Result<u32> {
        let (uid, key) = (batch.get(batch.uids[row]), batch.keys[row]);
        if let Some(owner) = self.owners.find(uid, key) {
            return Ok(owner);
        }
        let place = |error: Error| {
            let line = batch.first_line + u64::from(batch.lines[row]);
            error
                .in_file(&self.file)
                .at_line(line)
                .at_column(&self.uid_column)
        };
        check_label(uid, "uid").map_err(place)?;
        let added = self.owners.insert_new(uid, key);
        added.ok_or_else(|| Error::input("there are more than four billion owners"))
    }

    fn check_attributes(&mut self, batch: &Batch, row: usize, owner: u32) -> Result<()> {
        let line = batch.first_line + u64::from(batch.lines[row]);
        let at = owner as usize;
        if at >= self.first_lines.len() {
            self.first_lines.push(line);
        }
        let width = self.attributes.len();
        for (attribute, &piece) in self
            .attributes
            .iter_mut()
            .zip(&batch.attributes[row * width..(row + 1) * width])
        {
            let text = batch.get(piece);
            let place = |error: Error| {
                error
                    .in_file(&self.file)
                    .at_line(line)
                    .at_column(&attribute.name)
            };
            if attribute.of_owner.len() <= at {
                attribute.of_owner.resize(at + 1, UNSET);
            }
            let before = attribute.of_owner[at];
            if before == UNSET {
                check_value(text).map_err(place)?;
                let code = attribute.values.intern(text);
                attribute.of_owner[at] =
                    code.ok_or_else(|| Error::input("there are more than four billion values"))?;
            } else if attribute.values.get(before) != text {
                return Err(place(
                    Error::input(format!(
                        "the owner {:?} has the value {text:?} here and {:?} in line {}",
                        self.owners.get(owner),
                        attribute.values.get(before),
                        self.first_lines[at]
                    ))
                    .hint("an attribute belongs to the owner: make the rows agree, or leave the column out"),
                ));
            }
        }
        Ok(())
    }
}

/// An attribute's value may be empty, but is plain text on one line.
fn check_value(text: &str) -> Result<()> {
    if text.is_empty() {
        Ok(())
    } else {
        check_label(text, "value")
    }
}

impl Chunk {
    /// Removes rows whose location is outside the universe.
    fn leave_out(&mut self) {
        if !self.codes.contains(&LEFT_OUT) {
            return;
        }
        let mut kept = 0;
        for row in 0..self.codes.len() {
            if self.codes[row] != LEFT_OUT {
                self.owners[kept] = self.owners[row];
                self.times[kept] = self.times[row];
                self.codes[kept] = self.codes[row];
                kept += 1;
            }
        }
        self.owners.truncate(kept);
        self.times.truncate(kept);
        self.codes.truncate(kept);
    }
}
