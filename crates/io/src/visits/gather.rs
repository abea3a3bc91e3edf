//! Collects rows of visits: numbers owners and trips, checks that attributes agree.

use std::path::Path;

use wayveil_core::{Error, Labels, Result};

use super::spool::Spool;
use crate::intern::{Interner, Key};
use crate::universe::{LEFT_OUT, check_label};

/// An owner without a value yet.
const UNSET: u32 = u32::MAX;

/// An attribute's values, one per owner.
pub(super) struct OwnerAttribute {
    pub(super) name: String,
    pub(super) values: Interner,
    pub(super) of_owner: Vec<u32>,
}

/// Takes rows in the order of the input.
pub(crate) struct Gatherer {
    owners: Interner,
    /// The latest time of each owner so far.
    latest: Vec<i64>,
    trips: Interner,
    /// The trip's name of the row before, and its number.
    last_trip: (String, u32),
    unnamed_trips: u32,
    attributes: Vec<OwnerAttribute>,
    /// Where each owner's attributes were first seen; empty without attributes.
    first_lines: Vec<u64>,
    /// What the input has: lines or rows.
    lines_are_called: &'static str,
    spool: Spool,
    rows: u64,
    out_of_order: u64,
}

/// What a gatherer collected.
pub(super) struct Collected {
    pub(super) spool: Spool,
    pub(super) owners: Labels,
    pub(super) attributes: Vec<OwnerAttribute>,
    /// Whether the input names trips.
    pub(super) named_trips: bool,
    pub(super) rows: u64,
    pub(super) out_of_order: u64,
}

impl Collected {
    /// The rows; can be taken once.
    pub(super) fn take_rows(&mut self) -> Spool {
        std::mem::replace(&mut self.spool, Spool::empty())
    }
}

impl Gatherer {
    /// A gatherer with these attributes; long inputs are sorted on the disk of the folder.
    pub(crate) fn new(folder: &Path, attributes: impl IntoIterator<Item = String>) -> Self {
        let attribute = |name| OwnerAttribute {
            name,
            values: Interner::default(),
            of_owner: Vec::new(),
        };
        Self {
            owners: Interner::default(),
            latest: Vec::new(),
            trips: Interner::default(),
            last_trip: (String::new(), 0),
            unnamed_trips: 0,
            attributes: attributes.into_iter().map(attribute).collect(),
            first_lines: Vec::new(),
            lines_are_called: "line",
            spool: Spool::new(folder),
            rows: 0,
            out_of_order: 0,
        }
    }

    /// The same for an input without lines, whose rows are counted.
    pub(crate) fn of_rows(self) -> Self {
        Self {
            lines_are_called: "row",
            ..self
        }
    }

    /// The numbers of many owners, where they are found at once; a miss says nothing.
    pub(crate) fn find_owners(&self, keys: &[Key], found: &mut Vec<Option<u32>>) {
        self.owners.find_easy(keys, found);
    }

    /// The number of an owner, new or known. The error has no place.
    pub(crate) fn owner(&mut self, uid: &str, key: Key) -> Result<u32> {
        if let Some(owner) = self.owners.find(uid, key) {
            return Ok(owner);
        }
        check_owner(uid)?;
        self.latest.push(i64::MIN);
        let added = self.owners.insert_new(uid, key);
        added.ok_or_else(|| Error::input("there are more than four billion owners"))
    }

    /// The number of a trip's name, from one on: zero is for rows without. Trips of different
    /// owners may share a name.
    pub(crate) fn trip(&mut self, name: &str) -> Result<u32> {
        if self.last_trip.0 != name || self.last_trip.1 == 0 {
            check_unquoted(name, "trip")?;
            let number = self.trips.intern(name).and_then(|it| it.checked_add(1));
            let number =
                number.ok_or_else(|| Error::input("there are more than four billion trips"))?;
            self.last_trip = (name.to_owned(), number);
        }
        Ok(self.last_trip.1)
    }

    /// The number of a trip without a name, other than all before.
    pub(crate) fn new_trip(&mut self) -> Result<u32> {
        let number = self.unnamed_trips.checked_add(1);
        self.unnamed_trips =
            number.ok_or_else(|| Error::input("there are more than four billion trips"))?;
        Ok(self.unnamed_trips)
    }

    /// Takes a row. A code of [`LEFT_OUT`] counts as read and is not kept.
    pub(crate) fn push(&mut self, owner: u32, trip: u32, time: i64, code: u32) -> Result<()> {
        self.rows += 1;
        if code == LEFT_OUT {
            return Ok(());
        }
        let latest = &mut self.latest[owner as usize];
        self.out_of_order += u64::from(time < *latest);
        *latest = time.max(*latest);
        self.spool.push(owner, trip, time, code)
    }

    /// Takes the attributes of a row, one text per attribute; all rows of an owner must agree. The
    /// error names the attribute as its column and has no other place.
    pub(crate) fn attributes<'a>(
        &mut self,
        owner: u32,
        line: u64,
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Result<()> {
        let at = owner as usize;
        if at >= self.first_lines.len() {
            self.first_lines.resize(at + 1, line);
        }
        for (attribute, text) in self.attributes.iter_mut().zip(texts) {
            if attribute.of_owner.len() <= at {
                attribute.of_owner.resize(at + 1, UNSET);
            }
            let before = attribute.of_owner[at];
            if before == UNSET {
                check_value(text).map_err(|error| error.at_column(&attribute.name))?;
                let code = attribute.values.intern(text);
                attribute.of_owner[at] =
                    code.ok_or_else(|| Error::input("there are more than four billion values"))?;
            } else if attribute.values.get(before) != text {
                // Neither who it is nor the values: errors end up in logs, and this may be a diagnosis.
                let error = Error::input(format!(
                    "the same owner has another value here than in {} {}",
                    self.lines_are_called, self.first_lines[at]
                ));
                return Err(error.at_column(&attribute.name).hint(
                    "an attribute belongs to the owner: make the rows agree, or leave the column \
                     out",
                ));
            }
        }
        Ok(())
    }

    /// Sorts in runs of so many rows, so that small tests need the disk too.
    #[cfg(test)]
    pub(super) fn with_runs_of(mut self, folder: &Path, rows: usize) -> Self {
        self.spool = Spool::with_runs_of(folder, rows);
        self
    }

    pub(super) fn finish(self) -> Collected {
        Collected {
            spool: self.spool,
            owners: self.owners.into_labels(),
            attributes: self.attributes,
            named_trips: self.trips.len() > 0 || self.unnamed_trips > 0,
            rows: self.rows,
            out_of_order: self.out_of_order,
        }
    }
}

/// Refuses ids that no one could see, or that look like another's.
pub(crate) fn check_owner(uid: &str) -> Result<()> {
    check_unquoted(uid, "uid")?;
    if uid.trim().len() != uid.len() {
        return Err(Error::input(
            "the uid has blanks around it, which would make two people of one",
        )
        .hint("remove the blanks in the file"));
    }
    Ok(())
}

/// An attribute's value may be empty, but is plain text on one line.
pub(crate) fn check_value(text: &str) -> Result<()> {
    if text.is_empty() {
        Ok(())
    } else {
        check_unquoted(text, "value")
    }
}

/// As [`check_label`], without a word of the text: whose row it is stands in its place alone.
fn check_unquoted(text: &str, what: &str) -> Result<()> {
    match text.chars().find(|character| character.is_control()) {
        Some(control) if !text.trim().is_empty() => {
            let code = u32::from(control);
            let said = format!("the {what} contains the control character U+{code:04X}");
            Err(Error::input(said).hint("remove it; this is plain text on one line"))
        }
        _ => check_label(text, what),
    }
}
