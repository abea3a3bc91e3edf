//! The first record: which column is where.

use wayveil_core::{Error, Result};

/// The column names of a table.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    name: String,
    columns: Vec<String>,
    /// The line on which the names stand, where the format has lines.
    line: Option<u64>,
}

impl Header {
    pub(crate) fn new(name: &str, columns: Vec<String>) -> Self {
        Self {
            name: name.to_owned(),
            columns,
            line: Some(1),
        }
    }

    /// The columns of a file that is no text, and whose names stand on no line.
    pub(crate) fn without_line(name: &str, columns: Vec<String>) -> Self {
        Self {
            line: None,
            ..Self::new(name, columns)
        }
    }

    fn placed(&self, error: Error) -> Error {
        let error = error.in_file(&self.name);
        match self.line {
            Some(line) => error.at_line(line),
            None => error,
        }
    }

    /// How many columns there are.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The name of a column, or its number counted from 1 where it has none.
    pub(crate) fn column(&self, index: usize) -> String {
        match self.columns.get(index) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => (index + 1).to_string(),
        }
    }

    /// Where a column is, if there is one of this name; two are an error.
    pub(crate) fn find(&self, wanted: &str) -> Result<Option<usize>> {
        let mut found = (0..self.len()).filter(|&index| self.columns[index] == wanted);
        let first = found.next();
        if found.next().is_some() {
            let error = Error::input(format!("two columns are called {wanted:?}"));
            return Err(self
                .placed(error)
                .at_column(wanted)
                .hint("rename one of them in the header"));
        }
        Ok(first)
    }

    /// Where a needed column is; `flag` is the option by which the user says another name.
    pub(crate) fn require(&self, wanted: &str, flag: &str) -> Result<usize> {
        self.need(wanted, format!("name the right one with {flag} NAME"))
    }

    /// Where a needed column is; the hint says what to do where there is none.
    pub(crate) fn need(&self, wanted: &str, hint: impl Into<String>) -> Result<usize> {
        self.find(wanted)?.ok_or_else(|| {
            let found: Vec<String> = (0..self.len()).map(|index| self.column(index)).collect();
            let error = Error::input(format!(
                "there is no column {wanted:?}; the columns are: {}",
                found.join(", ")
            ));
            self.placed(error).hint(match self.columns.as_slice() {
                columns if columns.iter().any(|it| it.contains('\r')) => {
                    "lines end in a carriage return alone: convert them with tr '\\r' '\\n'".into()
                }
                [only] if only.contains('|') => "--delimiter '|'".into(),
                _ => hint.into(),
            })
        })
    }

    /// The error for a record with another number of columns than the header.
    pub(crate) fn wrong_width(&self, line: u64, fields: usize) -> Error {
        Error::input(format!(
            "the row has {fields} columns and the header has {}",
            self.len()
        ))
        .in_file(&self.name)
        .at_line(line)
        .at_column(self.column(fields.min(self.len())))
        .hint("every row needs the header's columns; quote fields that contain the delimiter")
    }
}

/// The delimiter of a first line: the most frequent of comma, semicolon and tab outside quotes,
/// in this order when equal.
pub(crate) fn detect_delimiter(line: &[u8]) -> u8 {
    let candidates = [b',', b';', b'\t'];
    let mut counts = [0usize; 3];
    let mut inside = false;
    for byte in line {
        if *byte == b'"' {
            inside = !inside;
        } else if !inside && let Some(which) = candidates.iter().position(|it| it == byte) {
            counts[which] += 1;
        }
    }
    let most = counts.into_iter().max().unwrap_or(0);
    let which = counts.iter().position(|&count| count == most).unwrap_or(0);
    candidates[which]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_the_delimiter() {
        assert_eq!(detect_delimiter(b"uid,location"), b',');
        assert_eq!(detect_delimiter(b"uid;location;a,b"), b';');
        assert_eq!(detect_delimiter(b"uid\tlocation"), b'\t');
        assert_eq!(detect_delimiter(b"\"a;b;c\",d"), b',');
        assert_eq!(detect_delimiter(b"label"), b',');
    }
}
