//! Writes a data set.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use wayveil_core::{Attribute, Dataset, NonPrivate, Owners, Raw, Result};

use super::{BINS, Description, FORMAT, LOCATIONS, UID, VERSION, check_attribute_names};
use crate::columns::{self, dictionary_type, list_field, parquet_failed};
use crate::output;

/// Writes raw data to a file of the publisher's own; complete or not at all.
pub fn write_dataset(path: &Path, raw: &Raw<Dataset>, overwrite: bool) -> Result<()> {
    let because = NonPrivate::because("raw data is kept in a file of the publisher's own");
    output::write_file(path, overwrite, |out| {
        raw.inspect(because, |data| write(out, data))
            .for_publisher_only()
    })
}

pub(super) fn write(out: impl Write + Send, data: &Dataset) -> Result<()> {
    let names = data
        .attributes()
        .iter()
        .map(|attribute| attribute.name.as_str());
    check_attribute_names(names)?;
    let schema = Arc::new(schema(data));
    let description = serde_json::to_string(&describe(data)).map_err(parquet_failed)?;
    let mut writer = columns::writer(out, schema.clone(), Some(description), Some(UID))?;
    let labels = columns::label_array(data.universe())?;
    let values: Vec<ArrayRef> = data
        .attributes()
        .iter()
        .map(values_of)
        .collect::<Result<_>>()?;
    let mut visits = 0;
    for records in columns::batches(data.trips()) {
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
        if let Owners::Known { of_record, labels } = data.owners() {
            let owners = of_record[records.clone()].iter();
            let ids = owners.map(|&owner| labels.get(owner as usize));
            arrays.push(columns::string_array(ids)?);
        }
        let (locations, bins) = columns::lists(data.trips(), records.clone(), &labels)?;
        visits += locations.values().len();
        arrays.push(Arc::new(locations));
        if let Some(bins) = bins {
            arrays.push(Arc::new(bins));
        }
        for (attribute, values) in data.attributes().iter().zip(&values) {
            let keys = attribute.of_record[records.clone()]
                .iter()
                .map(|&value| value as i32);
            let keys = Int32Array::from_iter_values(keys);
            let column = DictionaryArray::try_new(keys, values.clone()).map_err(parquet_failed)?;
            arrays.push(Arc::new(column));
        }
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(parquet_failed)?;
        writer.write(&batch).map_err(parquet_failed)?;
        if visits >= columns::GROUP_VISITS {
            writer.flush().map_err(parquet_failed)?;
            visits = 0;
        }
    }
    writer.close().map_err(parquet_failed)?;
    Ok(())
}

fn values_of(attribute: &Attribute) -> Result<ArrayRef> {
    let values = &attribute.values;
    columns::string_array((0..values.len()).map(|value| values.get(value)))
}

fn schema(data: &Dataset) -> Schema {
    let mut fields = Vec::new();
    if matches!(data.owners(), Owners::Known { .. }) {
        fields.push(Field::new(UID, DataType::Utf8, false));
    }
    fields.push(list_field(LOCATIONS, dictionary_type()));
    if data.trips().is_timed() {
        fields.push(list_field(BINS, DataType::UInt32));
    }
    for attribute in data.attributes() {
        fields.push(Field::new(&attribute.name, dictionary_type(), false));
    }
    Schema::new(fields)
}

fn describe(data: &Dataset) -> Description {
    Description {
        format: FORMAT.into(),
        version: VERSION,
        population: data.population().to_owned(),
        owners: matches!(data.owners(), Owners::Known { .. }),
        time: data.time().cloned(),
        attributes: data
            .attributes()
            .iter()
            .map(|attribute| attribute.name.clone())
            .collect(),
        universe: (**data.universe()).clone(),
    }
}
