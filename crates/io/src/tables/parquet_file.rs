//! Parquet of other programs.

use std::fs::File;
use std::io::Read;

use arrow_schema::SchemaRef;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use wayveil_core::{Error, Result};

use super::thrift::walk;

/// How much of a page's beginning is looked at first; headers are mostly much shorter.
const HEADER: u64 = 256;

/// Bytes on disk or in memory.
pub(super) enum Source {
    Disk(File),
    Memory(Bytes),
}

impl Length for Source {
    fn len(&self) -> u64 {
        match self {
            Self::Disk(file) => Length::len(file),
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }
}

impl ChunkReader for Source {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(match self {
            Self::Disk(file) => Box::new(file.get_read(start)?),
            Self::Memory(bytes) => Box::new(bytes.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        match self {
            Self::Disk(file) => file.get_bytes(start, length),
            Self::Memory(bytes) => bytes.get_bytes(start, length),
        }
    }
}

/// A file whose metadata was read.
pub(super) struct ParquetFile {
    source: Source,
    metadata: ArrowReaderMetadata,
}

impl ParquetFile {
    pub(super) fn open(source: Source) -> Result<Self> {
        check_footer(&source)?;
        let metadata = ArrowReaderMetadata::load(&source, ArrowReaderOptions::new());
        let metadata = metadata.map_err(unreadable)?;
        Ok(Self { source, metadata })
    }

    pub(super) fn schema(&self) -> SchemaRef {
        self.metadata.schema().clone()
    }

    /// How many rows the file says it has.
    pub(super) fn rows(&self) -> Option<u64> {
        let rows = self.metadata.metadata().file_metadata().num_rows();
        u64::try_from(rows).ok()
    }

    /// Reads some columns, in the order of the file.
    pub(super) fn read(self, columns: &[usize], rows: usize) -> Result<ParquetRecordBatchReader> {
        let parquet = self.metadata.parquet_schema();
        let mask = ProjectionMask::roots(parquet, columns.iter().copied());
        for group in self.metadata.metadata().row_groups() {
            for (leaf, chunk) in group.columns().iter().enumerate() {
                if mask.leaf_included(leaf) {
                    check_codec(chunk)?;
                    check_pages(&self.source, chunk)?;
                }
            }
        }
        ParquetRecordBatchReaderBuilder::new_with_metadata(self.source, self.metadata)
            .with_projection(mask)
            .with_batch_size(rows)
            .build()
            .map_err(unreadable)
    }
}

/// Compression that this program cannot undo.
fn check_codec(chunk: &ColumnChunkMetaData) -> Result<()> {
    let codec = match chunk.compression() {
        Compression::BROTLI(_) => "Brotli",
        Compression::LZO => "LZO",
        _ => return Ok(()),
    };
    Err(Error::input(format!(
        "the file is compressed with {codec}, which is not supported"
    ))
    .at_column(chunk.column_path().string())
    .hint(
        "write it again with Zstandard, in Python: \
         pandas.read_parquet(FILE).to_parquet(NEW, compression=\"zstd\")",
    ))
}

/// Whether the metadata at the file's end can be what it announces.
fn check_footer(source: &Source) -> Result<()> {
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

/// Whether the pages of a column can hold what their headers announce.
fn check_pages(source: &Source, chunk: &ColumnChunkMetaData) -> Result<()> {
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

fn page_header(source: &Source, at: u64, end: u64) -> Result<Page> {
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
pub(super) fn unreadable(cause: impl std::fmt::Display) -> Error {
    Error::input(format!("the Parquet file cannot be read: {cause}"))
        .hint("it may be damaged; fetch or write it again")
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
