//! Where in a columnar file an error lies: it has rows, not lines.

use arrow_schema::DataType;
use wayveil_core::error::Kind;
use wayveil_core::{Error, Result};

use crate::csv::Header;

/// Gives an error of the input its row, counted from 1, and its column.
pub(super) fn in_row(error: Error, file: &str, row: u64, column: &str) -> Error {
    if error.kind() != Kind::Input {
        return error;
    }
    let placed = Error::input(format!("row {row}: {}", error.message()))
        .in_file(file)
        .at_column(column);
    match error.advice() {
        Some(advice) => placed.hint(advice),
        None => placed,
    }
}

/// A null where a value is needed.
pub(super) fn missing(what: &str) -> Error {
    Error::input(format!("the {what} is missing (null)"))
        .hint("every row needs one; remove the row or fill it in")
}

/// A file and its columns, for checks before any row is read.
pub(super) struct Table<'a> {
    pub(super) file: &'a str,
    pub(super) header: &'a Header,
    pub(super) types: Vec<&'a DataType>,
}

impl Table<'_> {
    /// Refuses a column whose type cannot be what it is read as.
    pub(super) fn expect(
        &self,
        column: usize,
        fits: impl Fn(&DataType) -> bool,
        what: &str,
        wanted: &str,
    ) -> Result<()> {
        match self.types.get(column) {
            Some(data_type) if fits(data_type) => Ok(()),
            Some(data_type) => Err(Error::input(format!(
                "the column is of the type {data_type}, which is no {what}"
            ))
            .in_file(self.file)
            .at_column(self.header.column(column))
            .hint(format!(
                "a {what} is {wanted}; convert the column, or name another"
            ))),
            None => Err(Error::input("a column is missing").in_file(self.file)),
        }
    }
}

/// For what cannot be, since the types were checked before.
pub(super) fn unexpected_type() -> Error {
    Error::input("the file is damaged: a column is not of the type that the file states")
        .hint("import or fetch the original again")
}
