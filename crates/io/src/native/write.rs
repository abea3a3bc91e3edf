//! Writes a data set, whole or record by record.

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use wayveil_core::{
    Dataset, Labels, NonPrivate, Owners, Raw, Result, Sequences, TimeAxis, Universe,
};

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
    let attributes = data.attributes().iter();
    let frame = Frame {
        universe: data.universe(),
        time: data.time(),
        population: data.population(),
        owners: match data.owners() {
            Owners::EachRecord => None,
            Owners::Known { labels, .. } => Some(labels),
        },
        attributes: attributes
            .map(|it| (it.name.as_str(), &it.values))
            .collect(),
    };
    let mut writer = Writer::new(out, &frame)?;
    for records in columns::batches(data.trips()) {
        let owners = match data.owners() {
            Owners::EachRecord => &[],
            Owners::Known { of_record, .. } => &of_record[records.clone()],
        };
        let values = data.attributes().iter();
        let values: Vec<&[u32]> = values.map(|it| &it.of_record[records.clone()]).collect();
        writer.write(data.trips(), records, owners, &values)?;
    }
    writer.finish()
}

/// All of a data set but its records.
pub(crate) struct Frame<'a> {
    pub(crate) universe: &'a Universe,
    pub(crate) time: Option<&'a TimeAxis>,
    pub(crate) population: &'a str,
    /// The owners' ids; none where every record has an owner of its own.
    pub(crate) owners: Option<&'a Labels>,
    /// Names and values of the attributes.
    pub(crate) attributes: Vec<(&'a str, &'a Labels)>,
}

impl Frame<'_> {
    fn schema(&self) -> Schema {
        let mut fields = Vec::new();
        if self.owners.is_some() {
            fields.push(Field::new(UID, DataType::Utf8, false));
        }
        fields.push(list_field(LOCATIONS, dictionary_type()));
        if self.time.is_some() {
            fields.push(list_field(BINS, DataType::UInt32));
        }
        for (name, _) in &self.attributes {
            fields.push(Field::new(*name, dictionary_type(), false));
        }
        Schema::new(fields)
    }

    fn describe(&self) -> Description {
        let names = self.attributes.iter();
        Description {
            format: FORMAT.into(),
            version: VERSION,
            population: self.population.to_owned(),
            owners: self.owners.is_some(),
            time: self.time.cloned(),
            attributes: names.map(|&(name, _)| name.to_owned()).collect(),
            universe: self.universe.clone(),
        }
    }
}

/// A data file that is being written.
pub(crate) struct Writer<'a, W: Write + Send> {
    file: ArrowWriter<W>,
    schema: SchemaRef,
    labels: ArrayRef,
    owners: Option<&'a Labels>,
    values: Vec<ArrayRef>,
    visits: usize,
}

impl<'a, W: Write + Send> Writer<'a, W> {
    pub(crate) fn new(out: W, frame: &Frame<'a>) -> Result<Self> {
        check_attribute_names(frame.attributes.iter().map(|&(name, _)| name))?;
        let schema = Arc::new(frame.schema());
        let description = serde_json::to_string(&frame.describe()).map_err(parquet_failed)?;
        let values = frame.attributes.iter().map(|(_, values)| {
            columns::string_array((0..values.len()).map(|value| values.get(value)))
        });
        Ok(Self {
            file: columns::writer(out, schema.clone(), Some(description), Some(UID))?,
            schema,
            labels: columns::label_array(frame.universe)?,
            owners: frame.owners,
            values: values.collect::<Result<_>>()?,
            visits: 0,
        })
    }

    /// Writes some records of `trips`. `owners` and `values` are about these records alone.
    pub(crate) fn write(
        &mut self,
        trips: &Sequences,
        records: Range<usize>,
        owners: &[u32],
        values: &[&[u32]],
    ) -> Result<()> {
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        if let Some(labels) = self.owners {
            let ids = owners.iter().map(|&owner| labels.get(owner as usize));
            arrays.push(columns::string_array(ids)?);
        }
        let (locations, bins) = columns::lists(trips, records, &self.labels)?;
        self.visits += locations.values().len();
        arrays.push(Arc::new(locations));
        if let Some(bins) = bins {
            arrays.push(Arc::new(bins));
        }
        for (of_record, values) in values.iter().zip(&self.values) {
            arrays.push(columns::value_array(of_record, values)?);
        }
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(parquet_failed)?;
        self.file.write(&batch).map_err(parquet_failed)?;
        if self.visits >= columns::GROUP_VISITS {
            self.file.flush().map_err(parquet_failed)?;
            self.visits = 0;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.file.close().map_err(parquet_failed)?;
        Ok(())
    }
}
