//! Sizes that a Parquet file announces, checked before anything trusts them.
//!
//! Parquet's reader makes room for whatever a header asks for; a damaged or hostile file of a few
//! hundred bytes could ask for terabytes, and a failed allocation ends the program. So the footer and
//! the headers of all pages are walked beforehand, and compared with the size of the file.

mod thrift;

use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::ChunkReader;
use wayveil_core::{Error, Result};

use thrift::walk;

/// How much of a page's beginning is looked at first; headers are mostly much shorter.
const HEADER: u64 = 256;
/// A page may always have so many bytes; usual ones have a megabyte.
const ALWAYS_ALLOWED: u64 = 64 << 20;
/// A larger page may have so many times the bytes that it takes in the file.
const SUSPICIOUS: u64 = 1000;

/// Whether the metadata at the file's end can be what it announces.
pub(crate) fn check_footer(source: &impl ChunkReader) -> Result<()> {
    const TAIL: u64 = 8;
    let size = source.len();
    let start = size.checked_sub(TAIL).filter(|&start| start >= 4);
    let start = start.ok_or_else(cut_off)?;
    let tail = source.get_bytes(start, TAIL as usize).map_err(unreadable)?;
    let Some((length, b"PAR1")) = tail.split_first_chunk::<4>() else {
        return Err(match tail.ends_with(b"PARE") {
            true => encrypted(),
            false => cut_off(),
        });
    };
    let length = u64::from(u32::from_le_bytes(*length));
    let footer = start.checked_sub(length).ok_or_else(damaged)?;
    let footer = source.get_bytes(footer, length as usize);
    let footer = footer.map_err(unreadable)?;
    let mut plausible = true;
    let mut see = |path: &[i64], value: i64| {
        // How many children an element of the schema has.
        plausible &= path != [2, 5] || (0..=length as i64).contains(&value);
    };
    let walked = walk(&footer, &mut see);
    match walked.is_some() && plausible {
        true => Ok(()),
        false => Err(damaged()),
    }
}

/// Whether all pages of a file can hold what their headers announce.
pub(crate) fn check_all_pages(source: &impl ChunkReader, metadata: &ParquetMetaData) -> Result<()> {
    let groups = metadata.row_groups().iter();
    let mut chunks = groups.flat_map(|group| group.columns());
    chunks.try_for_each(|chunk| check_pages(source, chunk))
}

/// Whether the pages of a column can hold what their headers announce.
pub(crate) fn check_pages(source: &impl ChunkReader, chunk: &ColumnChunkMetaData) -> Result<()> {
    let (mut at, length) = chunk.byte_range();
    let end = at.checked_add(length).filter(|&end| end <= source.len());
    let end = end.ok_or_else(damaged)?;
    // Tables say how much each form can grow at most, per byte.
    let growth = match chunk.compression() {
        Compression::UNCOMPRESSED => 1,
        Compression::SNAPPY => 64,
        Compression::LZ4 | Compression::LZ4_RAW => 256,
        Compression::GZIP(_) => 1100,
        _ => 40_000,
    };
    while at < end {
        let page = page_header(source, at, end)?;
        let most = page
            .compressed
            .saturating_mul(growth)
            .saturating_add(1 << 16);
        if page.plain > most || page.distinct > page.plain {
            return Err(damaged());
        }
        if page.plain > ALWAYS_ALLOWED && page.plain / SUSPICIOUS > page.compressed {
            return Err(bomb());
        }
        at = at
            .saturating_add(page.header)
            .saturating_add(page.compressed);
    }
    Ok(())
}

#[derive(Default)]
struct Page {
    header: u64,
    plain: u64,
    compressed: u64,
    /// The values of a dictionary.
    distinct: u64,
}

fn page_header(source: &impl ChunkReader, at: u64, end: u64) -> Result<Page> {
    let mut length = HEADER;
    loop {
        let available = length.min(end - at);
        let bytes = source.get_bytes(at, available as usize);
        let bytes = bytes.map_err(unreadable)?;
        let mut page = Page::default();
        let mut negative = false;
        let mut see = |path: &[i64], value: i64| {
            let into = match path {
                [2] => &mut page.plain,
                [3] => &mut page.compressed,
                [7, 1] => &mut page.distinct,
                _ => return,
            };
            negative |= value < 0;
            *into = value.unsigned_abs();
        };
        match walk(&bytes, &mut see) {
            Some(_) if negative => return Err(damaged()),
            Some(header) => {
                page.header = header as u64;
                return Ok(page);
            }
            None if available < length => return Err(damaged()),
            None => length *= 16,
        }
    }
}

/// A failure of Parquet's reader.
pub(crate) fn unreadable(cause: impl std::fmt::Display) -> Error {
    Error::input(format!("the Parquet file cannot be read: {cause}"))
        .hint("it may be damaged; fetch or write it again")
}

fn bomb() -> Error {
    Error::input("a page of the Parquet file would decompress to more than 1000 times its size")
        .hint("write it again with smaller pages, if it is sound")
}

fn damaged() -> Error {
    Error::input("the Parquet file is damaged: it announces more than it can hold")
        .hint("fetch or write it again")
}

fn cut_off() -> Error {
    Error::input("the Parquet file is cut off: its end is missing").hint("fetch or write it again")
}

fn encrypted() -> Error {
    Error::input("the Parquet file is encrypted").hint("write it again without encryption")
}
