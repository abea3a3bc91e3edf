//! Reads a data set back.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::ParquetMetaData;
use wayveil_core::{Dataset, Error, Owners, Raw, Result};

use super::{BINS, Description, FORMAT, LOCATIONS, UID, VERSION};
use crate::announced::{check_all_pages, check_footer};
use crate::columns::{Collector, DESCRIPTION_KEY, dictionary_type, list_field};
use crate::text_column::TextColumn;

/// Records decoded at once.
const BATCH: usize = 1 << 14;

/// Reads a file that [`super::write_dataset`] wrote.
pub fn read_dataset(path: &Path) -> Result<Raw<Dataset>> {
    let file = crate::input::open_file(path)?;
    let name = path.display().to_string();
    crate::columns::guarded(|| read(file))
        .map(Raw::new)
        .map_err(|error| error.in_file(name))
}

fn read(file: File) -> Result<Dataset> {
    check_footer(&file).map_err(not_ours)?;
    let plain = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(unreadable)?;
    let description = description_of(plain.metadata())?;
    let schema = Arc::new(schema(&description));
    let options = ArrowReaderOptions::new().with_schema(schema);
    let metadata = ArrowReaderMetadata::try_new(plain.metadata().clone(), options)
        .map_err(|_| damaged("its columns are not those of its description"))?;
    check_all_pages(&file, plain.metadata())?;
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .with_batch_size(BATCH)
        .build()
        .map_err(unreadable)?;
    let mut trips = Collector::new(&description.universe, description.time.is_some());
    let mut owners = TextColumn::default();
    let mut attributes: Vec<TextColumn> = description
        .attributes
        .iter()
        .map(|_| TextColumn::default())
        .collect();
    for batch in reader {
        let batch = batch.map_err(unreadable)?;
        let mut columns = batch.columns().iter();
        let mut next = || columns.next().ok_or_else(|| damaged("a column is missing"));
        if description.owners {
            owners
                .add_plain(next()?)
                .ok_or_else(|| damaged("the column uid"))?;
        }
        let locations = next()?;
        let bins = if description.time.is_some() {
            Some(next()?)
        } else {
            None
        };
        trips
            .add(locations, bins)
            .ok_or_else(|| damaged("locations or bins do not fit the description"))?;
        for attribute in &mut attributes {
            attribute
                .add_dictionary(next()?)
                .ok_or_else(|| damaged("an attribute"))?;
        }
    }
    let trips = trips.finish()?;
    let owners = if description.owners {
        Owners::Known {
            of_record: owners.of_record,
            labels: owners.values.into_labels(),
        }
    } else {
        Owners::EachRecord
    };
    let named = attributes.into_iter().zip(description.attributes);
    let attributes = named.map(|(column, name)| column.into_attribute(name));
    Dataset::new(
        Arc::new(description.universe),
        description.time,
        trips,
        owners,
        attributes.collect(),
        description.population,
    )
    .map_err(|error| damaged(error.message()))
}

fn description_of(metadata: &ParquetMetaData) -> Result<Description> {
    let entries = metadata.file_metadata().key_value_metadata();
    let entry = entries.and_then(|all| all.iter().find(|entry| entry.key == DESCRIPTION_KEY));
    let text = entry
        .and_then(|entry| entry.value.as_deref())
        .ok_or_else(|| {
            Error::input("this Parquet file was not written by wayveil")
                .hint("import it first: wayveil import FILE --format parquet -o data.parquet")
        })?;
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|_| damaged("its description is no JSON"))?;
    if value["format"] != FORMAT {
        return Err(Error::input("this Parquet file is not a wayveil data set")
            .hint("a release is given as its folder, not as one of its files"));
    }
    if value["version"] != VERSION {
        return Err(Error::input(format!(
            "the file has format version {}, this program reads version {VERSION}",
            value["version"]
        ))
        .hint("use a newer wayveil, or import the original again"));
    }
    serde_json::from_value(value).map_err(|cause| damaged(&cause.to_string()))
}

/// The types in which the columns are to be decoded.
fn schema(description: &Description) -> Schema {
    let mut fields = Vec::new();
    if description.owners {
        fields.push(Field::new(UID, DataType::Utf8, false));
    }
    fields.push(list_field(LOCATIONS, dictionary_type()));
    if description.time.is_some() {
        fields.push(list_field(BINS, DataType::UInt32));
    }
    for name in &description.attributes {
        fields.push(Field::new(name, dictionary_type(), false));
    }
    Schema::new(fields)
}

/// The footer's own error, with the advice for files that are not ours.
fn not_ours(error: Error) -> Error {
    unreadable(error.message())
}

fn unreadable(cause: impl std::fmt::Display) -> Error {
    Error::input(format!("this is not a readable Parquet file: {cause}")).hint(
        "it may be cut off or damaged, or not Parquet at all; \
         import other formats with: wayveil import FILE --format FORMAT -o data.parquet",
    )
}

fn damaged(what: &str) -> Error {
    Error::input(format!("the data file is damaged: {what}")).hint("import the original again")
}
