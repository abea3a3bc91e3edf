//! The Parquet files of a release.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use serde::{Deserialize, Serialize};
use wayveil_core::{Error, NoisyCounts, Result, Sequences, Universe};

use crate::columns::{
    self, Collector, DESCRIPTION_KEY, dictionary_type, list_field, parquet_failed,
};

/// The whole universe stands in the metadata of `locations.parquet`: its columns have no room for
/// a taxonomy of several levels.
#[derive(Serialize, Deserialize)]
struct Description {
    format: String,
    version: u32,
    universe: Universe,
}

const FORMAT: &str = "wayveil-locations";
const VERSION: u32 = 1;

/// Lists of labels under `name`, lists of bins under `bins` where there are any.
fn list_fields(name: &str, bins: &str, timed: bool) -> Vec<Field> {
    let mut fields = vec![list_field(name, dictionary_type())];
    if timed {
        fields.push(list_field(bins, DataType::UInt32));
    }
    fields
}

fn list_arrays(
    sequences: &Sequences,
    records: Range<usize>,
    labels: &ArrayRef,
) -> Result<Vec<ArrayRef>> {
    let (locations, bins) = columns::lists(sequences, records, labels)?;
    let mut arrays: Vec<ArrayRef> = vec![Arc::new(locations)];
    arrays.extend(bins.map(|bins| Arc::new(bins) as ArrayRef));
    Ok(arrays)
}

/// Writes sequences and the columns that `beside` gives for a range of them.
fn write_lists(
    out: impl Write + Send,
    schema: Schema,
    sequences: &Sequences,
    universe: &Universe,
    beside: impl Fn(Range<usize>) -> Vec<ArrayRef>,
) -> Result<()> {
    let schema = Arc::new(schema);
    let labels = columns::label_array(universe)?;
    let mut writer = columns::writer(out, schema.clone(), None, None)?;
    let mut visits = 0;
    for records in columns::batches(sequences) {
        let mut arrays = list_arrays(sequences, records.clone(), &labels)?;
        arrays.extend(beside(records.clone()));
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(parquet_failed)?;
        writer.write(&batch).map_err(parquet_failed)?;
        visits += records
            .map(|record| sequences.length(record))
            .sum::<usize>();
        if visits >= columns::GROUP_VISITS {
            writer.flush().map_err(parquet_failed)?;
            visits = 0;
        }
    }
    writer.close().map_err(parquet_failed)?;
    Ok(())
}

pub(super) fn write_trajectories(
    out: impl Write + Send,
    sequences: &Sequences,
    universe: &Universe,
) -> Result<()> {
    let schema = Schema::new(list_fields("locations", "bins", sequences.is_timed()));
    write_lists(out, schema, sequences, universe, |_| Vec::new())
}

pub(super) fn write_counts(
    out: impl Write + Send,
    counts: &NoisyCounts,
    universe: &Universe,
) -> Result<()> {
    let rows = counts.prefixes.len();
    if [
        counts.noisy.len(),
        counts.estimate.len(),
        counts.standard_error.len(),
    ] != [rows; 3]
    {
        return Err(Error::input(
            "the columns of the counts do not fit together",
        ));
    }
    let mut fields = list_fields("prefix", "prefix_bins", counts.prefixes.is_timed());
    fields.push(Field::new("noisy_count", DataType::Int64, false));
    fields.push(Field::new("estimate", DataType::Float64, false));
    fields.push(Field::new("standard_error", DataType::Float64, false));
    write_lists(
        out,
        Schema::new(fields),
        &counts.prefixes,
        universe,
        |rows| {
            let noisy = counts.noisy[rows.clone()].iter().copied();
            let estimate = counts.estimate[rows.clone()].iter().copied();
            let error = counts.standard_error[rows].iter().copied();
            vec![
                Arc::new(Int64Array::from_iter_values(noisy)),
                Arc::new(Float64Array::from_iter_values(estimate)),
                Arc::new(Float64Array::from_iter_values(error)),
            ]
        },
    )
}

pub(super) fn write_locations(out: impl Write + Send, universe: &Universe) -> Result<()> {
    let text = |name: &str, gaps| Field::new(name, DataType::Utf8, gaps);
    let number = |name: &str| Field::new(name, DataType::Float64, true);
    let schema = Arc::new(Schema::new(vec![
        text("label", false),
        text("name", true),
        number("lat"),
        number("lng"),
        text("parent", true),
    ]));
    let all = universe.locations();
    let group = |code: usize| {
        let taxonomy = universe.taxonomy()?;
        Some(
            taxonomy.groups()[taxonomy.group_of(code as u32) as usize]
                .label
                .as_str(),
        )
    };
    let arrays: Vec<ArrayRef> = vec![
        columns::label_array(universe)?,
        Arc::new(
            all.iter()
                .map(|it| it.name.as_deref())
                .collect::<StringArray>(),
        ),
        Arc::new(
            all.iter()
                .map(|it| it.at.map(|at| at.lat))
                .collect::<Float64Array>(),
        ),
        Arc::new(
            all.iter()
                .map(|it| it.at.map(|at| at.lng))
                .collect::<Float64Array>(),
        ),
        Arc::new((0..all.len()).map(group).collect::<StringArray>()),
    ];
    let description = Description {
        format: FORMAT.into(),
        version: VERSION,
        universe: universe.clone(),
    };
    let description = serde_json::to_string(&description).map_err(parquet_failed)?;
    let mut writer = columns::writer(out, schema.clone(), Some(description), Some("label"))?;
    let batch = RecordBatch::try_new(schema, arrays).map_err(parquet_failed)?;
    writer.write(&batch).map_err(parquet_failed)?;
    writer.close().map_err(parquet_failed)?;
    Ok(())
}

/// The universe of a `locations.parquet`; none if it is damaged.
pub(super) fn read_universe(path: &Path) -> Option<Universe> {
    let metadata =
        ArrowReaderMetadata::load(&File::open(path).ok()?, ArrowReaderOptions::new()).ok()?;
    let entries = metadata.metadata().file_metadata().key_value_metadata()?;
    let entry = entries.iter().find(|entry| entry.key == DESCRIPTION_KEY)?;
    let description: Description = serde_json::from_str(entry.value.as_deref()?).ok()?;
    (description.format == FORMAT && description.version == VERSION).then_some(description.universe)
}

fn reader(path: &Path, fields: Vec<Field>) -> Option<ParquetRecordBatchReader> {
    let options = ArrowReaderOptions::new().with_schema(Arc::new(Schema::new(fields)));
    let file = File::open(path).ok()?;
    ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)
        .ok()?
        .build()
        .ok()
}

/// The trajectories of a release; none if the file is damaged.
pub(super) fn read_trajectories(
    path: &Path,
    universe: &Universe,
    timed: bool,
) -> Option<Sequences> {
    let mut sequences = Collector::new(universe, timed);
    for batch in reader(path, list_fields("locations", "bins", timed))? {
        let batch = batch.ok()?;
        sequences.add(batch.column(0), batch.columns().get(1))?;
    }
    sequences.finish().ok()
}

/// The counts of a release; none if the file is damaged.
pub(super) fn read_counts(path: &Path, universe: &Universe, timed: bool) -> Option<NoisyCounts> {
    let mut fields = list_fields("prefix", "prefix_bins", timed);
    fields.push(Field::new("noisy_count", DataType::Int64, false));
    fields.push(Field::new("estimate", DataType::Float64, false));
    fields.push(Field::new("standard_error", DataType::Float64, false));
    let lists = fields.len() - 3;
    let mut prefixes = Collector::new(universe, timed);
    let (mut noisy, mut estimate, mut standard_error) = (Vec::new(), Vec::new(), Vec::new());
    for batch in reader(path, fields)? {
        let batch = batch.ok()?;
        prefixes.add(batch.column(0), timed.then(|| batch.column(1)))?;
        noisy.extend_from_slice(
            batch
                .column(lists)
                .as_primitive_opt::<Int64Type>()?
                .values(),
        );
        let number = |at: usize| batch.column(at).as_primitive_opt::<Float64Type>();
        estimate.extend_from_slice(number(lists + 1)?.values());
        standard_error.extend_from_slice(number(lists + 2)?.values());
    }
    let prefixes = prefixes.finish().ok()?;
    Some(NoisyCounts {
        prefixes,
        noisy,
        estimate,
        standard_error,
    })
}
