//! A column of text with one value per record, each distinct value kept once.

use wayveil_core::{Attribute, Error, Result};

use crate::intern::Interner;

/// A column while it is read.
#[derive(Default)]
pub(crate) struct TextColumn {
    pub(crate) values: Interner,
    pub(crate) of_record: Vec<u32>,
}

impl TextColumn {
    /// Appends the next record's value.
    pub(crate) fn push(&mut self, value: &str) -> Result<()> {
        let code = self.values.intern(value);
        let code = code.ok_or_else(|| Error::input("there are more than four billion values"))?;
        self.of_record.push(code);
        Ok(())
    }

    /// The value of the latest record; empty where there is none.
    pub(crate) fn last(&self) -> &str {
        match self.of_record.last() {
            Some(&code) => self.values.get(code),
            None => "",
        }
    }

    /// The finished column.
    pub(crate) fn into_attribute(self, name: String) -> Attribute {
        Attribute {
            name,
            values: self.values.into_labels(),
            of_record: self.of_record,
        }
    }
}
