//! A column of text with one value per record, each distinct value kept once.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef};
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

    /// Appends an Arrow column of strings; none if it is something else or has gaps.
    pub(crate) fn add_plain(&mut self, column: &ArrayRef) -> Option<()> {
        let texts = column
            .as_string_opt::<i32>()
            .filter(|texts| texts.null_count() == 0)?;
        self.of_record.reserve(texts.len());
        for text in texts.iter() {
            self.of_record.push(self.values.intern(text?)?);
        }
        Some(())
    }

    /// Appends an Arrow column of strings by dictionary; none if it is something else or has gaps.
    pub(crate) fn add_dictionary(&mut self, column: &ArrayRef) -> Option<()> {
        let column = column.as_dictionary_opt::<Int32Type>()?;
        let texts = column.values().as_string_opt::<i32>()?;
        let mut code_of_key = vec![None; texts.len()];
        for key in column.keys().iter() {
            let key = usize::try_from(key?).ok()?;
            let code = code_of_key.get_mut(key)?;
            if code.is_none() {
                *code = self.values.intern(texts.value(key));
            }
            self.of_record.push((*code)?);
        }
        Some(())
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
