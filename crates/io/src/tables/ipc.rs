//! Arrow's own files: the file form (Feather version 2) and the stream.
//!
//! Messages are read one at a time. Lengths are compared with the file's size before room is made
//! for them: a damaged file may announce anything.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{CompressionType, Message, MessageHeader, root_as_footer, root_as_message};
use arrow_schema::SchemaRef;
use wayveil_core::{Error, Result};

/// The first bytes of the file form.
pub(super) const MAGIC: &[u8; 6] = b"ARROW1";
/// The first bytes of a message.
pub(super) const CONTINUED: [u8; 4] = [0xff; 4];
/// What a batch may always grow to when it is decompressed.
const ALWAYS: u64 = 64 << 20;
/// What no batch may grow to.
const NEVER: u64 = 4 << 30;
/// How many times its size a batch may grow to.
const GROWTH: u64 = 1000;

/// Bytes on disk or in memory.
pub(super) trait Bytes: Read + Seek + Send {}
impl<T: Read + Seek + Send> Bytes for T {}

/// A file whose schema was read.
pub(super) struct IpcFile {
    source: Box<dyn Bytes>,
    size: u64,
    schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
    next: Next,
}

enum Next {
    /// Where the batches of a file begin, the last first.
    Listed(Vec<u64>),
    /// Where the next message of a stream begins.
    Stream(u64),
    End,
}

impl IpcFile {
    /// Opens the file form, which lists its batches at the end.
    pub(super) fn open_file(mut source: Box<dyn Bytes>) -> Result<Self> {
        const TAIL: u64 = 10;
        let size = source.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let end = size.checked_sub(TAIL).ok_or_else(cut_off)?;
        let tail = bytes_at(&mut source, end, TAIL)?;
        let Some((length, magic)) = tail.split_first_chunk::<4>() else {
            return Err(cut_off());
        };
        if magic != MAGIC {
            return Err(cut_off());
        }
        let length = u64::from(u32::from_le_bytes(*length));
        let start = end.checked_sub(length).ok_or_else(too_much)?;
        let footer = bytes_at(&mut source, start, length)?;
        let footer = root_as_footer(&footer).map_err(unreadable)?;
        let schema = footer.schema().ok_or_else(no_schema)?;
        check_order_of_bytes(schema)?;
        let schema = Arc::new(fb_to_schema(schema));
        let offsets = |blocks: Vec<i64>| -> Result<Vec<u64>> {
            let offsets = blocks.into_iter().map(u64::try_from);
            offsets.collect::<Result<_, _>>().map_err(|_| too_much())
        };
        let batches = footer.recordBatches();
        let mut batches = offsets(batches.iter().flatten().map(|it| it.offset()).collect())?;
        batches.reverse();
        let dictionaries = footer.dictionaries();
        let dictionaries = offsets(
            dictionaries
                .iter()
                .flatten()
                .map(|it| it.offset())
                .collect(),
        )?;
        let mut file = Self {
            source,
            size,
            schema,
            dictionaries: HashMap::new(),
            next: Next::Listed(batches),
        };
        for at in dictionaries {
            let read = file.message(at)?.ok_or_else(cut_off)?;
            file.take(read, &[])?;
        }
        Ok(file)
    }

    /// Opens a stream.
    pub(super) fn open_stream(mut source: Box<dyn Bytes>) -> Result<Self> {
        let size = source.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let mut stream = Self {
            source,
            size,
            schema: Arc::new(arrow_schema::Schema::empty()),
            dictionaries: HashMap::new(),
            next: Next::End,
        };
        let first = stream.message(0)?.ok_or_else(cut_off)?;
        let message = first.parse()?;
        let schema = message.header_as_schema().ok_or_else(no_schema)?;
        check_order_of_bytes(schema)?;
        stream.schema = Arc::new(fb_to_schema(schema));
        stream.next = Next::Stream(first.end);
        Ok(stream)
    }

    pub(super) fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// The next batch, with these columns.
    pub(super) fn next_batch(&mut self, columns: &[usize]) -> Result<Option<RecordBatch>> {
        loop {
            let (at, listed) = match &mut self.next {
                Next::Listed(batches) => match batches.pop() {
                    Some(at) => (at, true),
                    None => return Ok(None),
                },
                Next::Stream(at) => (*at, false),
                Next::End => return Ok(None),
            };
            match self.message(at)? {
                Some(read) => {
                    if !listed {
                        self.next = Next::Stream(read.end);
                    }
                    if let Some(batch) = self.take(read, columns)? {
                        return Ok(Some(batch));
                    }
                }
                None if listed => return Err(cut_off()),
                None => self.next = Next::End,
            }
        }
    }

    /// The message at a place; none where the stream ends.
    fn message(&mut self, at: u64) -> Result<Option<Received>> {
        let left = self.size.checked_sub(at).ok_or_else(too_much)?;
        if left == 0 {
            return Ok(None);
        }
        let word = |bytes: Vec<u8>| -> Result<[u8; 4]> { bytes.try_into().map_err(|_| cut_off()) };
        let mut begin = at + 4;
        let mut length = word(self.bytes(at, 4)?)?;
        if length == CONTINUED {
            length = word(self.bytes(begin, 4)?)?;
            begin += 4;
        }
        let length = u64::from(u32::from_le_bytes(length));
        if length == 0 {
            return Ok(None);
        }
        let head = self.bytes(begin, length)?;
        let body_length = root_as_message(&head).map_err(unreadable)?.bodyLength();
        let body_length = u64::try_from(body_length).map_err(|_| too_much())?;
        let start = begin + length;
        self.check(start, body_length)?;
        let mut body = MutableBuffer::from_len_zeroed(body_length as usize);
        self.source
            .seek(SeekFrom::Start(start))
            .and_then(|_| self.source.read_exact(&mut body))
            .map_err(unreadable)?;
        Ok(Some(Received {
            head,
            body: body.into(),
            end: start + body_length,
        }))
    }

    fn check(&self, at: u64, length: u64) -> Result<()> {
        match at.checked_add(length) {
            Some(end) if end <= self.size => Ok(()),
            _ => Err(cut_off()),
        }
    }

    fn bytes(&mut self, at: u64, length: u64) -> Result<Vec<u8>> {
        self.check(at, length)?;
        bytes_at(&mut self.source, at, length)
    }

    /// Takes in a message: a batch comes back, a dictionary is kept.
    fn take(&mut self, read: Received, columns: &[usize]) -> Result<Option<RecordBatch>> {
        let message = read.parse()?;
        let version = message.version();
        if message.header_type() == MessageHeader::DictionaryBatch {
            let dictionary = message.header_as_dictionary_batch().ok_or_else(too_much)?;
            check_growth(dictionary.data(), &read.body)?;
            read_dictionary(
                &read.body,
                dictionary,
                &self.schema,
                &mut self.dictionaries,
                &version,
            )
            .map_err(unreadable)?;
            return Ok(None);
        }
        let batch = message.header_as_record_batch().ok_or_else(|| {
            unreadable(format!(
                "a batch is missing, found {:?}",
                message.header_type()
            ))
        })?;
        check_growth(Some(batch), &read.body)?;
        let batch = read_record_batch(
            &read.body,
            batch,
            self.schema.clone(),
            &self.dictionaries,
            Some(columns),
            &version,
        );
        batch.map(Some).map_err(unreadable)
    }
}

/// A message's two parts, and where the next one begins.
struct Received {
    head: Vec<u8>,
    body: Buffer,
    end: u64,
}

impl Received {
    fn parse(&self) -> Result<Message<'_>> {
        root_as_message(&self.head).map_err(unreadable)
    }
}

fn bytes_at(source: &mut Box<dyn Bytes>, at: u64, length: u64) -> Result<Vec<u8>> {
    let mut bytes = vec![0; length as usize];
    source
        .seek(SeekFrom::Start(at))
        .and_then(|_| source.read_exact(&mut bytes))
        .map_err(unreadable)?;
    Ok(bytes)
}

/// Refuses a batch that would grow beyond measure when it is decompressed.
fn check_growth(batch: Option<arrow_ipc::RecordBatch<'_>>, body: &[u8]) -> Result<()> {
    let Some(batch) = batch else {
        return Err(too_much());
    };
    if batch.length() < 0 {
        return Err(too_much());
    }
    let Some(compression) = batch.compression() else {
        return Ok(());
    };
    if ![CompressionType::LZ4_FRAME, CompressionType::ZSTD].contains(&compression.codec()) {
        return Err(unreadable("its compression is not known"));
    }
    let most = NEVER.min(ALWAYS.max((body.len() as u64).saturating_mul(GROWTH)));
    let mut total: u64 = 0;
    for buffer in batch
        .buffers()
        .iter()
        .flatten()
        .filter(|it| it.length() > 0)
    {
        let start = usize::try_from(buffer.offset()).map_err(|_| too_much())?;
        let own = body.get(start..).and_then(|rest| rest.first_chunk::<8>());
        // A negative number says that the part is not compressed.
        let grown = i64::from_le_bytes(*own.ok_or_else(too_much)?).max(0);
        total = total.saturating_add(grown.unsigned_abs());
    }
    if total > most {
        return Err(Error::input(format!(
            "a batch of the Arrow file announces {total} bytes, more than {most}"
        ))
        .hint("if the file is not damaged, write it again in batches of fewer rows"));
    }
    Ok(())
}

fn check_order_of_bytes(schema: arrow_ipc::Schema<'_>) -> Result<()> {
    match schema.endianness().equals_to_target_endianness() {
        true => Ok(()),
        false => Err(unreadable(
            "it was written on a machine with another order of bytes",
        )),
    }
}

/// A failure of Arrow's reader.
fn unreadable(cause: impl std::fmt::Display) -> Error {
    Error::input(format!("the Arrow file cannot be read: {cause}"))
        .hint("it may be damaged; fetch or write it again")
}

fn cut_off() -> Error {
    Error::input("the Arrow file is cut off").hint("fetch or write it again")
}

fn too_much() -> Error {
    Error::input("the Arrow file is damaged: it announces more than it can hold")
        .hint("fetch or write it again")
}

fn no_schema() -> Error {
    unreadable("it has no schema")
}
