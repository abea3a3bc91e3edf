//! Reads a small table record by record, on the calling thread.

use std::borrow::Cow;

use wayveil_core::{Error, Result};

use super::blocks::too_long;
use super::scan::is_blank;
use super::{Block, Blocks, Field, Header, RECORD_LIMIT, Scanned, scan};
use crate::input::Input;

/// A position in a block that is being read record by record.
pub(crate) struct Cursor {
    at: usize,
    line: u64,
}

impl Cursor {
    pub(crate) fn new(block: &Block) -> Self {
        Self {
            at: 0,
            line: block.first_line,
        }
    }

    /// Passes over the rest of a line.
    fn skip_line(&mut self, block: &Block) {
        let rest = &block.text.as_bytes()[self.at..];
        self.line += u64::from(!rest.is_empty());
        self.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    }

    /// The fields of the next record that is not an empty line, and its line; none at the end of
    /// the block. Adds the number of empty lines passed to `blank`.
    pub(crate) fn next_record(
        &mut self,
        text: &str,
        delimiter: u8,
        name: &str,
        fields: &mut Vec<Field>,
        blank: &mut u64,
    ) -> Result<Option<u64>> {
        let bytes = text.as_bytes();
        while self.at < bytes.len() {
            let (start, line) = (self.at, self.line);
            match scan(bytes, start, delimiter, true, fields) {
                Ok(Scanned::Record { next, quoted }) => {
                    if next - start > RECORD_LIMIT {
                        return Err(too_long(name, line));
                    }
                    self.at = next;
                    self.line += if quoted {
                        memchr::memchr_iter(b'\n', &bytes[start..next]).count() as u64
                    } else {
                        1
                    };
                    if !is_blank(fields, quoted) {
                        return Ok(Some(line));
                    }
                    *blank += 1;
                }
                Ok(Scanned::Incomplete) => return Err(too_long(name, line)),
                Err(problem) => return Err(problem.at(name, line)),
            }
        }
        Ok(None)
    }
}

/// A table with a header.
pub(crate) struct Table {
    pub(crate) header: Header,
    pub(crate) blocks: Blocks,
    /// The block that holds the header, and where its next record begins.
    pub(crate) first: Block,
    pub(crate) cursor: Cursor,
    /// Empty lines before the header.
    pub(crate) blank: u64,
}

/// Where a table's columns get their names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    /// Lines before the table.
    pub(crate) skipped_lines: u32,
    /// The columns of a table without a header.
    pub(crate) columns: Option<&'static [&'static str]>,
}

impl Table {
    /// Reads the header.
    pub(crate) fn open(input: Input, delimiter: Option<u8>) -> Result<Self> {
        Self::open_as(input, delimiter, Layout::default())
    }

    /// Reads up to the first row.
    pub(crate) fn open_as(input: Input, delimiter: Option<u8>, layout: Layout) -> Result<Self> {
        let mut blocks = Blocks::new(input, delimiter)?;
        if let Some(columns) = layout.columns {
            return Self::without_header(blocks, columns, layout.skipped_lines);
        }
        let (mut fields, mut blank) = (Vec::new(), 0);
        while let Some(first) = blocks.next_block()? {
            let mut cursor = Cursor::new(&first);
            let delimiter = blocks.delimiter();
            let found = cursor.next_record(
                &first.text,
                delimiter,
                blocks.name(),
                &mut fields,
                &mut blank,
            )?;
            if found.is_some() {
                let columns = fields
                    .iter()
                    .map(|field| field.text(&first.text).trim().to_owned());
                let header = Header::new(blocks.name(), columns.collect());
                return Ok(Self {
                    header,
                    blocks,
                    first,
                    cursor,
                    blank,
                });
            }
        }
        Err(Error::input("the file is empty")
            .in_file(blocks.name())
            .hint("the first line must name the columns"))
    }

    /// A table whose columns are known; its first lines are passed over, whatever they hold.
    fn without_header(mut blocks: Blocks, columns: &[&str], skipped_lines: u32) -> Result<Self> {
        let first = blocks.next_block()?.unwrap_or_default();
        let mut cursor = Cursor::new(&first);
        for _ in 0..skipped_lines {
            cursor.skip_line(&first);
        }
        let columns = columns.iter().map(|&name| name.to_owned());
        Ok(Self {
            header: Header::new(blocks.name(), columns.collect()),
            blocks,
            first,
            cursor,
            blank: 0,
        })
    }

    /// Calls `each` with the line and the fields of every record; all have the header's width.
    pub(crate) fn for_each(
        self,
        each: impl FnMut(u64, &[Cow<'_, str>]) -> Result<()>,
    ) -> Result<()> {
        self.for_each_counting_blank(each).map(|_| ())
    }

    /// The same; returns the number of empty lines.
    pub(crate) fn for_each_counting_blank(
        mut self,
        mut each: impl FnMut(u64, &[Cow<'_, str>]) -> Result<()>,
    ) -> Result<u64> {
        let (mut fields, mut blank) = (Vec::new(), self.blank);
        let (delimiter, name) = (self.blocks.delimiter(), self.blocks.name().to_owned());
        let (mut block, mut cursor) = (self.first, self.cursor);
        loop {
            while let Some(line) =
                cursor.next_record(&block.text, delimiter, &name, &mut fields, &mut blank)?
            {
                if fields.len() != self.header.len() {
                    return Err(self.header.wrong_width(line, fields.len()));
                }
                let texts: Vec<_> = fields.iter().map(|field| field.text(&block.text)).collect();
                each(line, &texts)?;
            }
            match self.blocks.next_block()? {
                Some(next) => block = next,
                None => return Ok(blank),
            }
            cursor = Cursor::new(&block);
        }
    }
}
