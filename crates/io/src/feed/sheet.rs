//! One table of a feed.

use std::borrow::Cow;

use wayveil_core::{Error, Result};

use crate::csv::Table;
use crate::input::Input;

/// An error and the column in which it lies.
pub(crate) type InColumn<T> = Result<T, (&'static str, Error)>;

/// A table whose header was read.
pub(crate) struct Sheet {
    table: Table,
    file: String,
}

impl Sheet {
    pub(super) fn open(input: Input) -> Result<Self> {
        let table = Table::open(input, Some(b','))?;
        let file = table.blocks.name().to_owned();
        Ok(Self { table, file })
    }

    /// What error messages call it.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Where a column is that GTFS requires.
    pub(crate) fn column(&self, wanted: &str) -> Result<usize> {
        let hint = "the file does not follow GTFS; fetch the feed again";
        self.table.header.need(wanted, hint)
    }

    /// Where a column is, if the table has it.
    pub(crate) fn optional_column(&self, wanted: &str) -> Result<Option<usize>> {
        self.table.header.find(wanted)
    }

    /// Calls `each` with every row and its line; its errors name their column and get file and
    /// line here.
    pub(crate) fn for_each(
        self,
        mut each: impl FnMut(u64, &[Cow<'_, str>]) -> InColumn<()>,
    ) -> Result<()> {
        let file = self.file;
        self.table.for_each(|line, fields| {
            each(line, fields)
                .map_err(|(column, error)| error.in_file(&file).at_line(line).at_column(column))
        })
    }
}

/// A field of a column that may be missing, without blanks around it.
pub(crate) fn text<'a>(fields: &'a [Cow<'_, str>], column: Option<usize>) -> &'a str {
    column.map_or("", |column| fields[column].trim())
}
