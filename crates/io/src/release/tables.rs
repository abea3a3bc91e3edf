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
use wayveil_core::{Attribute, Error, NoisyCounts, Result, Sequences, Universe};

use crate::announced::{check_all_pages, check_footer};
use crate::columns::{
    self, Collector, DESCRIPTION_KEY, dictionary_type, list_field, parquet_failed,
};
use crate::text_column::TextColumn;

/// The whole universe stands in the metadata of `locations.parquet`: its columns have no room for
/// a taxonomy of several levels.
#[derive(Serialize, Deserialize)]
struct Description {
    format: String,
    version: u32,
    universe: Universe,
}

const UID: &str = "uid";
const LOCATIONS: &str = "locations";
const BINS: &str = "bins";
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
    beside: impl Fn(Range<usize>) -> Result<Vec<ArrayRef>>,
) -> Result<()> {
    let schema = Arc::new(schema);
    let labels = columns::label_array(universe)?;
    let mut writer = columns::writer(out, schema.clone(), None, None)?;
    let mut visits = 0;
    for records in columns::batches(sequences) {
        let mut arrays = list_arrays(sequences, records.clone(), &labels)?;
        arrays.extend(beside(records.clone())?);
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
    attributes: &[Attribute],
    universe: &Universe,
) -> Result<()> {
    let names = || attributes.iter().map(|attribute| attribute.name.as_str());
    check_names(names())?;
    let schema = Schema::new(trajectory_fields(sequences.is_timed(), names()));
    let values = attributes.iter().map(|attribute| {
        let values = &attribute.values;
        columns::string_array((0..values.len()).map(|value| values.get(value)))
    });
    let values: Vec<ArrayRef> = values.collect::<Result<_>>()?;
    write_lists(out, schema, sequences, universe, |rows| {
        let columns = attributes.iter().zip(&values);
        columns
            .map(|(it, values)| columns::value_array(&it.of_record[rows.clone()], values))
            .collect()
    })
}

/// Lists of visits, then a column of text for each attribute.
fn trajectory_fields<'a>(timed: bool, attributes: impl Iterator<Item = &'a str>) -> Vec<Field> {
    let mut fields = list_fields(LOCATIONS, BINS, timed);
    fields.extend(attributes.map(|name| Field::new(name, dictionary_type(), false)));
    fields
}

/// Refuses columns that a recipient could take for another one. Some tools do not tell small letters
/// from capitals.
fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut taken = vec![UID.to_owned(), LOCATIONS.to_owned(), BINS.to_owned()];
    for name in names {
        let same = name.to_lowercase();
        if same.is_empty() || taken.contains(&same) {
            return Err(Error::input(format!(
                "the column {name:?} cannot be in a release: it has no name, or is called like \
                 another one or like {UID}, {LOCATIONS} or {BINS}"
            ))
            .hint("import the data again with another name for it, or leave it out"));
        }
        taken.push(same);
    }
    Ok(())
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
            Ok(vec![
                Arc::new(Int64Array::from_iter_values(noisy)),
                Arc::new(Float64Array::from_iter_values(estimate)),
                Arc::new(Float64Array::from_iter_values(error)),
            ])
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
    let file = File::open(path).ok()?;
    check_footer(&file).ok()?;
    let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).ok()?;
    let entries = metadata.metadata().file_metadata().key_value_metadata()?;
    let entry = entries.iter().find(|entry| entry.key == DESCRIPTION_KEY)?;
    let description: Description = serde_json::from_str(entry.value.as_deref()?).ok()?;
    (description.format == FORMAT && description.version == VERSION).then_some(description.universe)
}

fn reader(path: &Path, fields: Vec<Field>) -> Option<ParquetRecordBatchReader> {
    let options = ArrowReaderOptions::new().with_schema(Arc::new(Schema::new(fields)));
    let file = File::open(path).ok()?;
    check_footer(&file).ok()?;
    let metadata = ArrowReaderMetadata::load(&file, options).ok()?;
    check_all_pages(&file, metadata.metadata()).ok()?;
    ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .build()
        .ok()
}

/// The trajectories of a release with the columns beside them, which the manifest names; none if the
/// file is damaged or has other columns.
pub(super) fn read_trajectories(
    path: &Path,
    universe: &Universe,
    timed: bool,
    names: &[String],
) -> Option<(Sequences, Vec<Attribute>)> {
    check_names(names.iter().map(String::as_str)).ok()?;
    let mut sequences = Collector::new(universe, timed);
    let mut attributes: Vec<TextColumn> = names.iter().map(|_| TextColumn::default()).collect();
    let fields = trajectory_fields(timed, names.iter().map(String::as_str));
    let lists = fields.len() - names.len();
    for batch in reader(path, fields)? {
        let batch = batch.ok()?;
        sequences.add(batch.column(0), timed.then(|| batch.column(1)))?;
        for (attribute, column) in attributes.iter_mut().zip(&batch.columns()[lists..]) {
            attribute.add_dictionary(column)?;
        }
    }
    let named = attributes.into_iter().zip(names);
    let attributes = named.map(|(column, name)| column.into_attribute(name.clone()).canonical());
    Some((sequences.finish().ok()?, attributes.collect()))
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
