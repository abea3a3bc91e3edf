//! Turns blocks of text into columns: places of the owners' ids, times, location codes.

use wayveil_core::{Error, Result};

use super::Columns;
use crate::csv::{Block, Cursor, Field, Header, Table};
use crate::dates::DateParser;
use crate::intern::Key;
use crate::universe::{LocationIndex, check_label};

/// A piece of text in a batch.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    start: u32,
    end: u32,
}

/// The rows of one block, and the error that ended it, if one did.
pub(super) struct Batch {
    text: String,
    /// Fields with doubled quotes, written out. Their pieces lie behind the end of `text`.
    unescaped: String,
    pub(super) first_line: u64,
    pub(super) uids: Vec<Piece>,
    pub(super) keys: Vec<Key>,
    pub(super) times: Vec<i64>,
    pub(super) codes: Vec<u32>,
    /// Lines after `first_line`, one per row.
    pub(super) lines: Vec<u32>,
    /// One per row and attribute, row by row.
    pub(super) attributes: Vec<Piece>,
    pub(super) failed: Option<Error>,
}

impl Batch {
    fn new(block: Block, rows: usize) -> Self {
        Self {
            text: block.text,
            unescaped: String::new(),
            first_line: block.first_line,
            uids: Vec::with_capacity(rows),
            keys: Vec::with_capacity(rows),
            times: Vec::with_capacity(rows),
            codes: Vec::with_capacity(rows),
            lines: Vec::with_capacity(rows),
            attributes: Vec::new(),
            failed: None,
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.times.len()
    }

    pub(super) fn get(&self, piece: Piece) -> &str {
        let (start, end) = (piece.start as usize, piece.end as usize);
        match start.checked_sub(self.text.len() + 1) {
            None => &self.text[start..end],
            Some(start) => &self.unescaped[start..end - self.text.len() - 1],
        }
    }

    fn piece(&mut self, field: &Field) -> Piece {
        let (start, end) = if field.doubled {
            let start = self.text.len() + 1 + self.unescaped.len();
            self.unescaped.push_str(&field.text(&self.text));
            (start, self.text.len() + 1 + self.unescaped.len())
        } else {
            (field.start, field.end)
        };
        // A block is at most a few megabytes.
        Piece {
            start: start as u32,
            end: end as u32,
        }
    }
}

/// The second stage: knows columns, dates and locations.
pub(super) struct Parser {
    file: String,
    header: Header,
    columns: Columns,
    delimiter: u8,
    dates: DateParser,
    locations: LocationIndex,
    blank_lines: u64,
    fields: Vec<Field>,
    rows_before: usize,
}

impl Parser {
    pub(super) fn new(
        table: &Table,
        columns: Columns,
        dates: DateParser,
        locations: LocationIndex,
    ) -> Self {
        Self {
            file: table.blocks.name().to_owned(),
            header: table.header.clone(),
            columns,
            delimiter: table.blocks.delimiter(),
            dates,
            locations,
            blank_lines: table.blank,
            fields: Vec::new(),
            rows_before: 0,
        }
    }

    /// The locations met, and the number of empty lines.
    pub(super) fn finish(self) -> (LocationIndex, u64) {
        (self.locations, self.blank_lines)
    }

    /// A batch without rows that carries an error.
    pub(super) fn failed(&self, error: Error) -> Batch {
        let mut batch = Batch::new(
            Block {
                text: String::new(),
                first_line: 0,
            },
            0,
        );
        batch.failed = Some(error);
        batch
    }

    /// Parses a block from the cursor on, up to its end or the first error.
    pub(super) fn parse(&mut self, block: Block, mut cursor: Cursor) -> Batch {
        let mut batch = Batch::new(block, self.rows_before + self.rows_before / 32);
        let mut fields = std::mem::take(&mut self.fields);
        loop {
            let next = cursor.next_record(
                &batch.text,
                self.delimiter,
                &self.file,
                &mut fields,
                &mut self.blank_lines,
            );
            let outcome = match next {
                Ok(Some(line)) => self.row(&mut batch, &fields, line),
                Ok(None) => break,
                Err(error) => Err(error),
            };
            if let Err(error) = outcome {
                batch.failed = Some(error);
                break;
            }
        }
        self.fields = fields;
        self.rows_before = batch.rows();
        batch
    }

    fn placed(&self, error: Error, line: u64, column: usize) -> Error {
        error
            .in_file(&self.file)
            .at_line(line)
            .at_column(self.header.column(column))
    }

    fn row(&mut self, batch: &mut Batch, fields: &[Field], line: u64) -> Result<()> {
        if fields.len() != self.header.len() {
            return Err(self.header.wrong_width(line, fields.len()));
        }
        let label = fields[self.columns.location].text(&batch.text);
        let code = match self.locations.find(&label) {
            Some(code) => code,
            None => check_label(&label, "location")
                .and_then(|()| self.locations.add(&label))
                .map_err(|error| self.placed(error, line, self.columns.location))?,
        };
        let date = fields[self.columns.datetime].text(&batch.text);
        let time = self.dates.parse(&date).map_err(|error| {
            let error = check_label(&date, "date").err().unwrap_or(error);
            self.placed(error, line, self.columns.datetime)
        })?;
        drop((label, date));
        let uid = batch.piece(&fields[self.columns.uid]);
        let text = batch.get(uid);
        let bare = text.trim();
        if !bare.is_empty() && bare.len() != text.len() {
            let error = Error::input(format!(
                "the person {text:?} has blanks around it, which would make two people of one"
            ))
            .hint("remove the blanks in the file");
            return Err(self.placed(error, line, self.columns.uid));
        }
        batch.keys.push(Key::of(batch.get(uid)));
        batch.uids.push(uid);
        batch.times.push(time);
        batch.codes.push(code);
        batch.lines.push((line - batch.first_line) as u32);
        for &column in &self.columns.attributes {
            let piece = batch.piece(&fields[column]);
            batch.attributes.push(piece);
        }
        Ok(())
    }
}
