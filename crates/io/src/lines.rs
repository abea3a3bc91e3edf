//! Reads lines of bounded length, so that a file without line ends cannot eat the memory.

use std::borrow::Cow;
use std::io::BufRead;

use memchr::memchr;
use wayveil_core::{Error, Result};

use crate::input::{Input, cannot_read};

/// Characters of a word that a message shows.
const EXCERPT: usize = 40;

/// A line and its number, counted from 1; the line end (`\n` or `\r\n`) is removed.
pub(crate) struct Line<'a> {
    pub(crate) number: u64,
    pub(crate) text: &'a str,
}

/// An error and the byte of its line at which it lies.
pub(crate) struct Problem {
    pub(crate) at: usize,
    pub(crate) error: Error,
}

impl Problem {
    /// Gives an error its place in the line.
    pub(crate) fn at(at: usize) -> impl FnOnce(Error) -> Self {
        move |error| Self { at, error }
    }
}

/// The words of a line, separated by blanks or tabs, and the byte at which each begins.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    text.split([' ', '\t'])
        .map(move |word| {
            let at = next;
            next += word.len() + 1;
            (at, word)
        })
        .filter(|(_, word)| !word.is_empty())
}

/// A whole number from 0 on, written in digits alone.
pub(crate) fn whole_number(word: &str) -> Option<u64> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| digits)
}

/// A word for a message: its beginning, where it is long.
pub(crate) fn excerpt(word: &str) -> Cow<'_, str> {
    match word.char_indices().nth(EXCERPT) {
        Some((end, _)) => Cow::Owned(format!("{}…", &word[..end])),
        None => Cow::Borrowed(word),
    }
}

/// Lines of an input, read into one buffer.
pub(crate) struct Lines {
    name: String,
    bytes: Box<dyn BufRead + Send>,
    buffer: Vec<u8>,
    number: u64,
    limit: usize,
}

impl Lines {
    /// Reads lines of at most `limit` bytes.
    pub(crate) fn new(input: Input, limit: usize) -> Self {
        let (name, bytes) = input.into_parts();
        Self {
            name,
            bytes,
            buffer: Vec::new(),
            number: 0,
            limit,
        }
    }

    /// The input's name, for error messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The next line, or none at the end.
    pub(crate) fn next_line(&mut self) -> Result<Option<Line<'_>>> {
        self.buffer.clear();
        self.number += 1;
        let ended = self.fill()?;
        if !ended && self.buffer.is_empty() {
            return Ok(None);
        }
        if self.buffer.last() == Some(&b'\r') {
            self.buffer.pop();
        }
        match std::str::from_utf8(&self.buffer) {
            Ok(text) => Ok(Some(Line {
                number: self.number,
                text,
            })),
            Err(problem) => {
                let before = String::from_utf8_lossy(&self.buffer[..problem.valid_up_to()]);
                Err(not_utf8(&self.name, self.number).at_column(before.chars().count() + 1))
            }
        }
    }

    /// Calls `each` with every line; its errors get file, line and column here. Returns the
    /// input's name.
    pub(crate) fn for_each(
        mut self,
        mut each: impl FnMut(Line<'_>) -> Result<(), Problem>,
    ) -> Result<String> {
        let file = self.name.clone();
        while let Some(line) = self.next_line()? {
            let (number, text) = (line.number, line.text);
            each(line).map_err(|problem| {
                let column = text[..problem.at].chars().count() + 1;
                let error = problem.error.in_file(&file).at_line(number);
                error.at_column(column)
            })?;
        }
        Ok(file)
    }

    /// Reads up to a line end, which is consumed and not kept; false when the input ends first.
    fn fill(&mut self) -> Result<bool> {
        loop {
            let available = match self.bytes.fill_buf() {
                Ok(available) => available,
                Err(cause) if cause.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(cause) => return Err(cannot_read(&self.name, &cause)),
            };
            if available.is_empty() {
                return Ok(false);
            }
            let end = memchr(b'\n', available);
            let taken = end.unwrap_or(available.len());
            if self.buffer.len() + taken > self.limit {
                return Err(Error::input(format!(
                    "the line is longer than {} MiB",
                    self.limit >> 20
                ))
                .in_file(&self.name)
                .at_line(self.number)
                .hint("check that this is a text file with line ends"));
            }
            self.buffer.extend_from_slice(&available[..taken]);
            self.bytes.consume(taken + usize::from(end.is_some()));
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

/// The error for bytes that are no UTF-8 text.
pub(crate) fn not_utf8(name: &str, line: u64) -> Error {
    Error::input("the text is not UTF-8")
        .in_file(name)
        .at_line(line)
        .hint(format!("iconv -f latin1 -t utf-8 {name} > utf8.csv"))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    fn lines(bytes: &[u8]) -> Result<Vec<String>> {
        let input = Input::from_reader("x", Cursor::new(bytes.to_vec()))?;
        let mut lines = Lines::new(input, 1 << 20);
        let mut all = Vec::new();
        while let Some(line) = lines.next_line()? {
            assert_eq!(line.number, all.len() as u64 + 1);
            all.push(line.text.to_owned());
        }
        Ok(all)
    }

    #[test]
    fn splits_lines_of_any_ending() {
        assert_eq!(lines(b"a\r\nb\n\nc").unwrap(), ["a", "b", "", "c"]);
        assert_eq!(lines(b"a\n").unwrap(), ["a"]);
        assert_eq!(lines(b"").unwrap(), [""; 0]);
        assert_eq!(lines(b"\n").unwrap(), [""]);
    }

    #[test]
    fn words_know_where_they_begin() {
        let found: Vec<_> = words(" é\t\tb  c ").collect();
        assert_eq!(found, [(1, "é"), (5, "b"), (8, "c")]);
        assert_eq!(words(" \t").count(), 0);
    }

    #[test]
    fn a_number_is_digits_alone() {
        assert_eq!(whole_number("007"), Some(7));
        assert_eq!(whole_number("18446744073709551615"), Some(u64::MAX));
        for word in [
            "",
            "+1",
            "-1",
            "1.0",
            "18446744073709551616",
            "\u{663}",
            "1\0",
        ] {
            assert_eq!(whole_number(word), None, "{word:?}");
        }
    }

    #[test]
    fn a_long_word_is_cut_for_messages() {
        assert_eq!(excerpt("é"), "é");
        assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(excerpt(&"é".repeat(41)), "é".repeat(40) + "…");
    }

    #[test]
    fn problems_get_their_place() {
        let input = Input::from_reader("x", Cursor::new(b"fine\n\xc3\xa9 bad")).unwrap();
        let outcome = Lines::new(input, 99).for_each(|line| match line.text.find("bad") {
            Some(at) => Err(Problem::at(at)(Error::input("bad"))),
            None => Ok(()),
        });
        let error = outcome.unwrap_err();
        let place = error.place().unwrap();
        assert_eq!((place.line, place.column.as_deref()), (Some(2), Some("3")));
    }

    #[test]
    fn names_the_place_of_what_is_not_text() {
        let error = lines(b"fine\n\xc3\xa9t\xe9\n").unwrap_err();
        let place = error.place().unwrap();
        assert_eq!((place.line, place.column.as_deref()), (Some(2), Some("3")));
        assert!(error.advice().unwrap().starts_with("iconv -f latin1"));
    }

    #[test]
    fn an_endless_line_stops_at_the_limit() {
        let endless = Cursor::new(b"a b\n").chain(std::io::repeat(b'x'));
        let mut lines = Lines::new(Input::from_reader("x", endless).unwrap(), 1 << 20);
        assert!(lines.next_line().unwrap().is_some());
        let error = lines.next_line().err().unwrap();
        assert_eq!(error.message(), "the line is longer than 1 MiB");
        assert_eq!(error.place().unwrap().line, Some(2));
    }
}
