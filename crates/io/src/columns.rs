//! Trajectories as Arrow lists of labels and back, and how all Parquet files here are written.
//!
//! Files hold labels, not codes, so that anyone can read them without Wayveil. In memory labels
//! are dictionaries: a batch's labels are looked up once, not once per visit.

use std::cell::Cell;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int32Array, ListArray, StringArray, UInt32Array,
};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use wayveil_core::{Error, Result, Sequences, Universe};

/// The key under which a file's own description stands in its metadata.
pub(crate) const DESCRIPTION_KEY: &str = "wayveil";
/// Visits in a batch, unless one record alone has more.
pub(crate) const BATCH_VISITS: u64 = 1 << 17;
/// Records in a batch.
const BATCH_RECORDS: usize = 1 << 14;
/// Visits after which a row group ends.
pub(crate) const GROUP_VISITS: usize = 1 << 21;

/// Strings by dictionary, in memory only.
pub(crate) fn dictionary_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// The item field of a list; its name is what the Parquet standard wants.
pub(crate) fn item(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("element", data_type, false))
}

/// A list column.
pub(crate) fn list_field(name: &str, items: DataType) -> Field {
    Field::new(name, DataType::List(item(items)), false)
}

/// A writer whose bytes depend on the data alone: no time, no machine, no library version.
pub(crate) fn writer<W: Write + Send>(
    out: W,
    schema: SchemaRef,
    description: Option<String>,
    distinct_column: Option<&str>,
) -> Result<ArrowWriter<W>> {
    let level = ZstdLevel::try_new(1).map_err(|cause| Error::system("cannot compress", cause))?;
    let description = description.map(|text| vec![KeyValue::new(DESCRIPTION_KEY.to_owned(), text)]);
    let mut properties = WriterProperties::builder()
        .set_created_by("wayveil version 1".into())
        .set_compression(Compression::ZSTD(level))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_max_row_group_row_count(Some(GROUP_VISITS))
        .set_key_value_metadata(description);
    if let Some(column) = distinct_column {
        let path = ColumnPath::from(column);
        properties = properties.set_column_dictionary_enabled(path, false);
    }
    let options = ArrowWriterOptions::new()
        .with_properties(properties.build())
        .with_skip_arrow_metadata(true);
    ArrowWriter::try_new_with_options(out, schema, options).map_err(parquet_failed)
}

/// A failure while encoding or writing Parquet.
pub(crate) fn parquet_failed(cause: impl std::fmt::Display) -> Error {
    Error::system("cannot write Parquet", cause)
}

/// Strings as one array, which can hold two gigabytes of text.
pub(crate) fn string_array<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Result<ArrayRef> {
    let bytes: usize = texts.clone().map(str::len).sum();
    if bytes > i32::MAX as usize {
        return Err(Error::input(
            "the labels are too long: more than two gigabytes together",
        ));
    }
    Ok(Arc::new(StringArray::from_iter_values(texts)))
}

/// Some records' values of an attribute; `values` is shared by all batches of a file.
pub(crate) fn value_array(of_record: &[u32], values: &ArrayRef) -> Result<ArrayRef> {
    let keys = Int32Array::from_iter_values(of_record.iter().map(|&value| value as i32));
    let column = DictionaryArray::try_new(keys, values.clone()).map_err(parquet_failed)?;
    Ok(Arc::new(column))
}

/// The universe's labels as one array, shared by all batches of a file.
pub(crate) fn label_array(universe: &Universe) -> Result<ArrayRef> {
    let labels = universe
        .locations()
        .iter()
        .map(|location| location.label.as_str());
    string_array(labels)
}

/// The records of a set in batches of bounded size.
pub(crate) fn batches(sequences: &Sequences) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= sequences.len() {
            return None;
        }
        let offsets = sequences.offsets();
        let most = (start + BATCH_RECORDS).min(sequences.len());
        let full = offsets[start] + BATCH_VISITS;
        let fitting = offsets[start + 1..=most].partition_point(|&end| end <= full);
        let end = start + fitting.max(1);
        Some(std::mem::replace(&mut start, end)..end)
    })
}

/// The locations of some records as lists of labels, and their bins where there are any.
pub(crate) fn lists(
    sequences: &Sequences,
    records: Range<usize>,
    labels: &ArrayRef,
) -> Result<(ListArray, Option<ListArray>)> {
    let offsets = &sequences.offsets()[records.start..=records.end];
    let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
    if last - first > i32::MAX as u64 {
        return Err(Error::input("a record has more than two billion visits"));
    }
    let ends: Vec<i32> = offsets
        .iter()
        .map(|&offset| (offset - first) as i32)
        .collect();
    let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
    let visits = first as usize..last as usize;
    let keys = sequences.codes()[visits.clone()]
        .iter()
        .map(|&code| code as i32);
    let keys = Int32Array::from_iter_values(keys);
    let values = DictionaryArray::try_new(keys, labels.clone()).map_err(parquet_failed)?;
    let locations = ListArray::try_new(
        item(dictionary_type()),
        ends.clone(),
        Arc::new(values),
        None,
    )
    .map_err(parquet_failed)?;
    let bins = match sequences.bins() {
        Some(bins) => {
            let values = Arc::new(UInt32Array::from_iter_values(bins[visits].iter().copied()));
            let list = ListArray::try_new(item(DataType::UInt32), ends, values, None);
            Some(list.map_err(parquet_failed)?)
        }
        None => None,
    };
    Ok((locations, bins))
}

/// Collects lists of labels into trajectories over a universe.
pub(crate) struct Collector<'a> {
    universe: &'a Universe,
    offsets: Vec<u64>,
    codes: Vec<u32>,
    bins: Option<Vec<u32>>,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(universe: &'a Universe, timed: bool) -> Self {
        Self {
            universe,
            offsets: vec![0],
            codes: Vec::new(),
            bins: timed.then(Vec::new),
        }
    }

    /// Appends a batch of lists; none if a column is not of the expected type, has gaps, does not
    /// fit the others, or names a location outside the universe.
    pub(crate) fn add(&mut self, locations: &ArrayRef, bins: Option<&ArrayRef>) -> Option<()> {
        let lists = locations
            .as_list_opt::<i32>()
            .filter(|lists| lists.null_count() == 0)?;
        let labels = lists.values().as_dictionary_opt::<Int32Type>()?;
        let code_of_key: Vec<Option<u32>> = labels
            .values()
            .as_string_opt::<i32>()?
            .iter()
            .map(|label| self.universe.code(label?))
            .collect();
        let ends = lists.value_offsets();
        let (first, last) = (*ends.first()?, *ends.last()?);
        let keys = labels
            .keys()
            .slice(usize::try_from(first).ok()?, (last - first) as usize);
        if keys.null_count() > 0 {
            return None;
        }
        let base = self.codes.len() as u64;
        self.codes.reserve(keys.len());
        for &key in keys.values() {
            self.codes
                .push((*code_of_key.get(usize::try_from(key).ok()?)?)?);
        }
        self.offsets
            .extend(ends[1..].iter().map(|end| base + (end - first) as u64));
        match (&mut self.bins, bins) {
            (None, None) => Some(()),
            (Some(column), Some(bins)) => {
                let lists = bins
                    .as_list_opt::<i32>()
                    .filter(|lists| lists.null_count() == 0)?;
                let same = lists.value_offsets().windows(2).zip(ends.windows(2));
                let values = lists.values().as_primitive_opt::<UInt32Type>()?;
                let own = lists.value_offsets();
                let start = usize::try_from(*own.first()?).ok()?;
                let values = values.slice(start, (own.last()? - own.first()?) as usize);
                let fits = own.len() == ends.len()
                    && same
                        .into_iter()
                        .all(|(one, other)| one[1] - one[0] == other[1] - other[0]);
                if !fits || values.null_count() > 0 {
                    return None;
                }
                column.extend_from_slice(values.values());
                Some(())
            }
            _ => None,
        }
    }

    pub(crate) fn finish(self) -> Result<Sequences> {
        Sequences::new(self.offsets, self.codes, self.bins)
    }
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread decodes bytes that may be damaged: a panic is then caught, and a program's
/// panic hook need not speak of it.
pub fn panics_are_caught_here() -> bool {
    GUARDED.get()
}

/// Runs a decoder of foreign bytes. Parquet's reader is made for sound files and may panic on
/// damaged ones; that must end in an error like any other damage.
pub(crate) fn guarded<T>(decode: impl FnOnce() -> Result<T>) -> Result<T> {
    let before = GUARDED.replace(true);
    let decoded = std::panic::catch_unwind(std::panic::AssertUnwindSafe(decode));
    GUARDED.set(before);
    decoded.unwrap_or_else(|_| {
        Err(Error::input("the file is damaged").hint("import or fetch the original again"))
    })
}
