//! Cuts an input into blocks of whole records.

use std::io::{BufRead, ErrorKind, Read};

use memchr::{memchr, memchr_iter, memrchr};
use wayveil_core::{Error, Result};

use super::RECORD_LIMIT;
use super::header::detect_delimiter;
use super::scan::{Field, Scanned, scan};
use crate::input::{Input, cannot_read};
use crate::lines::not_utf8;

/// How much is read at once, beyond what is left of the block before.
const BLOCK: usize = 1 << 20;

/// Whole records, and the line at which the first of them begins.
#[derive(Default)]
pub(crate) struct Block {
    pub(crate) text: String,
    pub(crate) first_line: u64,
}

/// The blocks of an input.
pub(crate) struct Blocks {
    name: String,
    bytes: Box<dyn BufRead + Send>,
    delimiter: u8,
    /// Read but not handed out: the beginning of the next block.
    carry: Vec<u8>,
    /// The line at which `carry` begins.
    line: u64,
    ended: bool,
    fields: Vec<Field>,
}

impl Blocks {
    /// Begins to read; the delimiter is taken from the first line unless given.
    pub(crate) fn new(input: Input, delimiter: Option<u8>) -> Result<Self> {
        let (name, bytes) = input.into_parts();
        let mut blocks = Self {
            name,
            bytes,
            delimiter: b',',
            carry: Vec::new(),
            line: 1,
            ended: false,
            fields: Vec::new(),
        };
        blocks.fill()?;
        let first_line = memchr(b'\n', &blocks.carry).unwrap_or(blocks.carry.len());
        blocks.delimiter =
            delimiter.unwrap_or_else(|| detect_delimiter(&blocks.carry[..first_line]));
        Ok(blocks)
    }

    /// The byte between fields.
    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The input's name, for error messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The next records, or none at the end.
    pub(crate) fn next_block(&mut self) -> Result<Option<Block>> {
        if self.carry.len() < BLOCK {
            self.fill()?;
        }
        if self.carry.is_empty() {
            return Ok(None);
        }
        let end = self.last_record_end()?;
        let rest = self.carry[end..].to_vec();
        let mut bytes = std::mem::replace(&mut self.carry, rest);
        bytes.truncate(end);
        let first_line = self.line;
        self.line += memchr_iter(b'\n', &bytes).count() as u64;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(Block { text, first_line })),
            Err(problem) => {
                let good = problem.utf8_error().valid_up_to();
                Err(self.bad_text(&problem.into_bytes()[..good], first_line))
            }
        }
    }

    /// Reads one block further, or to the end.
    fn fill(&mut self) -> Result<()> {
        self.carry.reserve_exact(BLOCK);
        let full = self.carry.len() + BLOCK;
        while !self.ended && self.carry.len() < full {
            let missing = (full - self.carry.len()) as u64;
            match self
                .bytes
                .by_ref()
                .take(missing)
                .read_to_end(&mut self.carry)
            {
                Ok(0) => self.ended = true,
                Ok(_) => {}
                Err(cause) if cause.kind() == ErrorKind::Interrupted => {}
                Err(cause) => return Err(cannot_read(&self.name, &cause)),
            }
        }
        Ok(())
    }

    /// Where the last whole record of `carry` ends; never zero.
    fn last_record_end(&mut self) -> Result<usize> {
        if memchr(b'"', &self.carry).is_none() {
            if self.ended {
                return Ok(self.carry.len());
            }
            return match memrchr(b'\n', &self.carry) {
                Some(end) => Ok(end + 1),
                None => Err(self.too_long()),
            };
        }
        let mut end = 0;
        while end < self.carry.len() {
            match scan(
                &self.carry,
                end,
                self.delimiter,
                self.ended,
                &mut self.fields,
            ) {
                Ok(Scanned::Record { next, .. }) => end = next,
                Ok(Scanned::Incomplete) if end == 0 => return Err(self.too_long()),
                Ok(Scanned::Incomplete) => break,
                Err(problem) if end == 0 => return Err(problem.at(&self.name, self.line)),
                // What comes before is handed out first, so that errors come in order.
                Err(_) => break,
            }
        }
        Ok(end)
    }

    fn too_long(&self) -> Error {
        too_long(&self.name, self.line)
    }

    /// The error for a block that is text only up to `good`.
    fn bad_text(&self, good: &[u8], first_line: u64) -> Error {
        let line_start = memrchr(b'\n', good).map_or(0, |end| end + 1);
        let line = first_line + memchr_iter(b'\n', good).count() as u64;
        let column = memchr_iter(self.delimiter, &good[line_start..]).count() + 1;
        not_utf8(&self.name, line).at_column(column)
    }
}

/// The error for a record beyond [`RECORD_LIMIT`].
pub(crate) fn too_long(name: &str, line: u64) -> Error {
    Error::input(format!(
        "the record is longer than {} MiB",
        RECORD_LIMIT >> 20
    ))
    .in_file(name)
    .at_line(line)
    .hint("look for a quote (\") that is not closed, or for missing line ends")
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn blocks(bytes: Vec<u8>) -> Blocks {
        Blocks::new(Input::from_reader("x", Cursor::new(bytes)).unwrap(), None).unwrap()
    }

    #[test]
    fn blocks_hold_whole_records_and_know_their_lines() {
        for row in ["abc,def\n", "\"a\nb\",c\n"] {
            let count = 3 * BLOCK / row.len();
            let mut blocks = blocks(row.repeat(count).into_bytes());
            let mut rows = 0;
            while let Some(block) = blocks.next_block().unwrap() {
                let lines_per_row = row.matches('\n').count();
                assert_eq!(block.first_line as usize, rows * lines_per_row + 1);
                assert_eq!(block.text.len() % row.len(), 0);
                rows += block.text.len() / row.len();
            }
            assert_eq!(rows, count);
        }
    }

    #[test]
    fn an_endless_record_is_an_error_with_its_line() {
        for start in ["a,b\nc,", "a,b\nc,\"d\n"] {
            let endless = Cursor::new(start).chain(std::io::repeat(b'x'));
            let input = Input::from_reader("x", endless).unwrap();
            let mut blocks = Blocks::new(input, None).unwrap();
            assert_eq!(blocks.next_block().unwrap().unwrap().text, "a,b\n");
            let error = blocks.next_block().err().unwrap();
            assert_eq!(error.message(), "the record is longer than 1 MiB");
            assert_eq!(error.place().unwrap().line, Some(2));
        }
    }
}
