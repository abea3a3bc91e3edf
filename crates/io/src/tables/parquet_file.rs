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

use crate::announced::{check_footer, check_pages, unreadable};

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
