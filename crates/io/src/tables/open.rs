//! Recognises a columnar file by its content, and reads it batch by batch.

use std::io::Cursor;
use std::path::Path;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use parquet::file::reader::{ChunkReader, Length};
use serde_json::Value;
use wayveil_core::{Error, Result};

use super::ipc::{self, IpcFile};
use super::parquet_file::{ParquetFile, Source};
use crate::announced::unreadable;
use crate::columns::{DESCRIPTION_KEY, guarded};
use crate::csv::Header;
use crate::native;

/// A file whose columns are known.
pub(super) struct TableFile {
    pub(super) name: String,
    pub(super) schema: SchemaRef,
    /// How many rows there are, where the file says it.
    pub(super) rows: Option<u64>,
    body: Body,
}

enum Body {
    Parquet(Box<ParquetFile>),
    Ipc(Box<IpcFile>),
    Memory(Handed),
}

/// Batches that another program hands over in memory; nothing of them is copied.
pub type Handed = Box<dyn RecordBatchReader + Send>;

impl TableFile {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let source = Source::Disk(crate::input::open_file(path)?);
        Self::from_source(path.display().to_string(), source)
    }

    pub(super) fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self> {
        Self::from_source(name.to_owned(), Source::Memory(bytes.into()))
    }

    /// Batches in memory, under a name for error messages.
    pub(super) fn from_memory(name: &str, batches: Handed, rows: Option<u64>) -> Self {
        Self {
            name: name.to_owned(),
            schema: batches.schema(),
            rows,
            body: Body::Memory(batches),
        }
    }

    fn from_source(name: String, source: Source) -> Result<Self> {
        let opened = guarded(|| {
            let body = recognise(source)?;
            let (schema, rows) = match &body {
                Body::Parquet(file) => (file.schema(), file.rows()),
                Body::Ipc(file) => (file.schema(), None),
                Body::Memory(batches) => (batches.schema(), None),
            };
            if let Some(description) = schema.metadata().get(DESCRIPTION_KEY) {
                return Err(our_own(description));
            }
            Ok((schema, rows, body))
        });
        let (schema, rows, body) = opened.map_err(|error| error.in_file(&name))?;
        Ok(Self {
            name,
            schema,
            rows,
            body,
        })
    }

    /// The names of the columns.
    pub(super) fn header(&self) -> Header {
        let names = self.schema.fields().iter();
        Header::without_line(&self.name, names.map(|it| it.name().clone()).collect())
    }

    /// The rows, with these columns alone, and so many at most at a time.
    pub(super) fn read(self, wanted: &[usize], rows: usize) -> Result<Batches> {
        let mut columns = wanted.to_vec();
        columns.sort_unstable();
        columns.dedup();
        let decoder = match self.body {
            Body::Parquet(file) => {
                let reader = guarded(|| file.read(&columns, rows));
                Decoder::Parquet(Box::new(reader.map_err(|error| error.in_file(&self.name))?))
            }
            Body::Ipc(file) => Decoder::Ipc(file),
            Body::Memory(batches) => Decoder::Memory(batches),
        };
        Ok(Batches {
            name: self.name,
            columns,
            decoder,
            rows,
            rest: None,
            row: 0,
        })
    }
}

/// Rows in the order of the file.
pub(super) struct Batches {
    name: String,
    /// Which columns are read, in the order of the file.
    columns: Vec<usize>,
    decoder: Decoder,
    rows: usize,
    /// What is left of a larger batch.
    rest: Option<RecordBatch>,
    row: u64,
}

enum Decoder {
    Parquet(Box<ParquetRecordBatchReader>),
    Ipc(Box<IpcFile>),
    Memory(Handed),
}

/// Some rows of a file.
pub(super) struct Piece {
    /// The number of the first, counted from 1.
    pub(super) first_row: u64,
    pub(super) batch: RecordBatch,
}

impl Batches {
    /// Where a column of the file stands in the pieces.
    pub(super) fn place_of(&self, column: usize) -> usize {
        // Every column that is looked for was asked for.
        self.columns.partition_point(|&other| other < column)
    }

    /// The next rows.
    pub(super) fn next_piece(&mut self) -> Result<Option<Piece>> {
        loop {
            if let Some(batch) = self.rest.take().filter(|rest| rest.num_rows() > 0) {
                let count = batch.num_rows().min(self.rows);
                let left = batch.num_rows() - count;
                if left > 0 {
                    self.rest = Some(batch.slice(count, left));
                }
                let first_row = self.row + 1;
                self.row += count as u64;
                let batch = batch.slice(0, count);
                return Ok(Some(Piece { first_row, batch }));
            }
            let (decoder, columns) = (&mut self.decoder, &self.columns);
            let next = guarded(|| match decoder {
                Decoder::Parquet(reader) => reader.next().transpose().map_err(unreadable),
                Decoder::Ipc(file) => file.next_batch(columns),
                Decoder::Memory(batches) => {
                    let batch = batches.next().transpose().map_err(unreadable)?;
                    batch
                        .map(|batch| batch.project(columns).map_err(unreadable))
                        .transpose()
                }
            });
            self.rest = next.map_err(|error| error.in_file(&self.name))?;
            match &self.rest {
                None => return Ok(None),
                Some(batch) if batch.num_columns() != self.columns.len() => {
                    return Err(super::place::unexpected_type().in_file(&self.name));
                }
                Some(_) => {}
            }
        }
    }
}

fn recognise(source: Source) -> Result<Body> {
    let length = Length::len(&source).min(8) as usize;
    let start = source.get_bytes(0, length).map_err(unreadable)?;
    if start.is_empty() {
        return Err(Error::input("the file is empty").hint("check the path"));
    }
    if start.starts_with(b"PAR1") {
        return ParquetFile::open(source).map(|file| Body::Parquet(Box::new(file)));
    }
    let is_file = start.starts_with(ipc::MAGIC);
    if !is_file && !start.starts_with(&ipc::CONTINUED) {
        return Err(foreign(&start));
    }
    let bytes: Box<dyn ipc::Bytes> = match source {
        Source::Disk(file) => Box::new(file),
        Source::Memory(bytes) => Box::new(Cursor::new(bytes)),
    };
    let file = match is_file {
        true => IpcFile::open_file(bytes),
        false => IpcFile::open_stream(bytes),
    };
    file.map(|file| Body::Ipc(Box::new(file)))
}

fn foreign(start: &[u8]) -> Error {
    let error = Error::input("this is neither a Parquet nor an Arrow file");
    if start.starts_with(&[0x1f, 0x8b]) || start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        error.hint("decompress it first: gzip -d FILE or zstd -d FILE")
    } else if start.starts_with(b"FEA1") {
        error.hint("it is Feather version 1; write it again as version 2")
    } else if start.starts_with(b"PARE") {
        error.hint("it is encrypted Parquet; write it again without encryption")
    } else {
        error.hint("say what it is: --format events for text")
    }
}

fn our_own(description: &str) -> Error {
    let value: Value = serde_json::from_str(description).unwrap_or_default();
    if value["format"] == native::FORMAT {
        Error::input("this is a data file of wayveil already; there is nothing to import")
            .hint("use it as it is, for instance: wayveil info FILE")
    } else {
        Error::input("this file is part of a release of wayveil")
            .hint("name the release's folder, or its trajectories.parquet")
    }
}
