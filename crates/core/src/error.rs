//! One error for the whole program: what went wrong, where, and what to do about it.
//!
//! Every crate builds this type, so that the program can print any failure in one shape and
//! turn it into a stable exit code.

use std::fmt;

/// The result type of fallible functions in all of Wayveil's crates.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of failure it is; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The question was understood and the answer is no: a budget that is spent, a check that
    /// fails.
    Refused,
    /// The command or its input is wrong and can be put right by the caller.
    Input,
    /// The machine failed: disk full, permission denied, out of entropy.
    System,
}

/// Where in the input the failure lies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file as the user named it.
    pub file: String,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Column: a name or a 1-based position, as the format has it.
    pub column: Option<String>,
}

/// A failure that a person can act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: Kind,
    message: String,
    place: Option<Place>,
    hint: Option<String>,
}

impl Error {
    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            place: None,
            hint: None,
        }))
    }

    /// Bad usage or bad input.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(Kind::Input, message)
    }

    /// A well-formed request that is answered with no.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(Kind::Refused, message)
    }

    /// A failure of the machine, with what was being done.
    pub fn system(doing: impl fmt::Display, cause: impl fmt::Display) -> Self {
        Self::new(Kind::System, format!("{doing}: {cause}"))
    }

    /// Adds the file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.0.place.get_or_insert_default().file = file.into();
        self
    }

    /// Adds the line, counted from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.0.place.get_or_insert_default().line = Some(line);
        self
    }

    /// Adds the column, by name or position.
    #[must_use]
    pub fn at_column(mut self, column: impl fmt::Display) -> Self {
        self.0.place.get_or_insert_default().column = Some(column.to_string());
        self
    }

    /// Adds what the reader should do, preferably a command that works.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The failure in one sentence, without place or advice.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where it happened, if the input has places.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// What to do about it.
    pub fn advice(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The program's exit code for this failure: 1 for "no", 2 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self.0.kind {
            Kind::Refused => 1,
            Kind::Input | Kind::System => 2,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        match &self.column {
            Some(column) if self.line.is_some() => write!(f, ", column {column}"),
            Some(column) => write!(f, " column {column}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.0.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_and_where() {
        let error = Error::input("unknown location \"X9\"")
            .in_file("taps.csv")
            .at_line(7)
            .at_column("location");
        assert_eq!(
            error.to_string(),
            "taps.csv:7, column location: unknown location \"X9\""
        );
        assert_eq!(error.exit_code(), 2);
        assert_eq!(Error::refused("no").exit_code(), 1);
    }
}
