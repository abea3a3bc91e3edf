//! Reading CSV in blocks of whole records, and writing its fields.
//!
//! The usual rules (RFC 4180): a field may be quoted with `"`, a quote inside is doubled, a quoted
//! field may hold line ends. A quote inside an unquoted field is an ordinary character. Text after
//! a closing quote is an error. Records are limited to [`RECORD_LIMIT`], so that a forgotten quote
//! cannot pull the whole file into memory.

mod blocks;
mod header;
mod scan;
mod table;
mod write;

pub(crate) use blocks::{Block, Blocks};
pub(crate) use header::Header;
pub(crate) use scan::{Field, Scanned, scan};
pub(crate) use table::{Cursor, Layout, Table};
pub(crate) use write::write_field;

/// The longest record in bytes.
pub(crate) const RECORD_LIMIT: usize = 1 << 20;
