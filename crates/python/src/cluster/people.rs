//! Trips of people as rows of a table: one row a person, without a name.
//!
//! | column | holds |
//! | --- | --- |
//! | `lengths` | how many visits each of the person's trips has |
//! | `codes` | the locations of all of them, one trip after another |
//! | `bins` | the time bins likewise; empty where there are none |
//! | `values` | for each trip its values in the columns beside it |
//!
//! A row without a trip is nobody's: its values are what reading a part of the records tells of itself. Clusters hand rows back in types of their own choice: lists and texts with offsets of either width, or as views.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use pyo3::prelude::*;
use wayveil_core::counting::Part;
use wayveil_core::{Attribute, Dataset, Error, Labels, NonPrivate, Owners, Result, Sequences};

use crate::data::Data;
use crate::failures::exception;
use crate::tables::Table;

const COLUMNS: [&str; 4] = ["lengths", "codes", "bins", "values"];
/// People in one batch.
const BATCH: usize = 1 << 14;

/// The people of data that was read on a cluster, for the cluster to keep.
#[pyfunction]
pub(crate) fn people_of(py: Python<'_>, data: &Data) -> PyResult<Table> {
    let because = NonPrivate::because(
        "rows of a cluster are read there, and go back to where they came from",
    );
    let raw = data.share();
    let rows = py.detach(|| raw.inspect(because, rows).for_publisher_only());
    let batches = rows.map_err(|error| exception(py, &error))?;
    let schema =
        schema(&batch(&[], &Sequences::empty(false), &[]).map_err(|error| exception(py, &error))?);
    Ok(Table::of_batches(schema, batches))
}

fn schema(columns: &[ArrayRef]) -> Arc<Schema> {
    let fields = COLUMNS.iter().zip(columns);
    let fields = fields.map(|(name, column)| Field::new(*name, column.data_type().clone(), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

#[derive(Default)]
struct Lists(ListBuilder<Int32Builder>);

impl Lists {
    fn push(&mut self, numbers: impl IntoIterator<Item = usize>) -> Result<()> {
        for number in numbers {
            let number = i32::try_from(number)
                .map_err(|_| Error::input("a number beyond 2^31 on a cluster"))?;
            self.0.values().append_value(number);
        }
        self.0.append(true);
        Ok(())
    }
}

/// One row for each owner, in the order in which they appear; an owner's trips in their own.
fn rows(data: &Dataset) -> Result<Vec<RecordBatch>> {
    let trips = data.trips();
    let people: Vec<Vec<usize>> = match data.owners() {
        Owners::EachRecord => (0..trips.len()).map(|trip| vec![trip]).collect(),
        Owners::Known { of_record, labels } => {
            let mut of_owner = vec![Vec::new(); labels.len()];
            for (trip, &owner) in of_record.iter().enumerate() {
                of_owner[owner as usize].push(trip);
            }
            of_owner.retain(|trips| !trips.is_empty());
            of_owner
        }
    };
    let batches = people.chunks(BATCH).map(|people| {
        let columns = batch(people, trips, data.attributes())?;
        RecordBatch::try_new(schema(&columns), columns)
            .map_err(|cause| Error::system("cannot make a table of people", cause))
    });
    batches.collect()
}

/// The columns for some people, each given by their trips.
fn batch(people: &[Vec<usize>], trips: &Sequences, beside: &[Attribute]) -> Result<Vec<ArrayRef>> {
    let (mut lengths, mut codes, mut bins) = (Lists::default(), Lists::default(), Lists::default());
    let mut values = ListBuilder::new(StringBuilder::new());
    for own in people {
        let all = |numbers: fn(&Sequences, usize) -> &[u32]| {
            let numbers = own.iter().flat_map(move |&trip| numbers(trips, trip));
            numbers.map(|&number| number as usize)
        };
        lengths.push(own.iter().map(|&trip| trips.length(trip)))?;
        codes.push(all(Sequences::codes_of))?;
        bins.push(all(Sequences::bins_of))?;
        for &trip in own {
            for column in beside {
                values.values().append_value(column.value(trip));
            }
        }
        values.append(true);
    }
    let mut columns: Vec<ArrayRef> = Vec::new();
    for mut lists in [lengths, codes, bins] {
        columns.push(Arc::new(lists.0.finish()));
    }
    columns.push(Arc::new(values.finish()));
    Ok(columns)
}

/// People as they are tallied.
pub(super) struct People {
    trips: Sequences,
    owners: Owners,
    attributes: Vec<Attribute>,
}

impl People {
    pub(super) fn part(&self) -> Part<'_> {
        Part {
            trips: &self.trips,
            owners: &self.owners,
            attributes: &self.attributes,
        }
    }
}

/// Reads rows of people again: their trips, whose each is, and their values in these columns.
pub(super) fn read(batch: &RecordBatch, timed: bool, names: &[String]) -> Result<People> {
    let [lengths, codes, bins, values] = COLUMNS.map(|name| column(batch, name));
    let (lengths, codes, bins, values) = (lengths?, codes?, bins?, values?);
    let mut trips = Sequences::empty(timed);
    let mut of_record = Vec::new();
    let mut beside = Beside::new(names);
    for person in 0..batch.num_rows() {
        let (own, codes) = (numbers(lengths, person)?, numbers(codes, person)?);
        if own.is_empty() && codes.is_empty() {
            // Nobody's.
            continue;
        }
        let bins = numbers(bins, person)?;
        let visits: usize = own.iter().map(|&length| length as usize).sum();
        if visits != codes.len() || bins.len() != if timed { visits } else { 0 } {
            return Err(no_people());
        }
        beside.push(values, person, own.len())?;
        let mut at = 0;
        for length in own {
            let trip = at..at + length as usize;
            at = trip.end;
            trips.push(&codes[trip.clone()], if timed { &bins[trip] } else { &[] });
            of_record.push(person as u32);
        }
    }
    // Who they are is not known here: numbers tell them apart.
    let labels: Labels = (0..batch.num_rows())
        .map(|person| person.to_string())
        .collect();
    Ok(People {
        trips,
        owners: Owners::Known { of_record, labels },
        attributes: beside.columns,
    })
}

/// The columns beside trips, as they grow.
struct Beside {
    columns: Vec<Attribute>,
    /// The number of each value of each column.
    known: Vec<HashMap<String, u32>>,
}

impl Beside {
    fn new(names: &[String]) -> Self {
        let column = |name: &String| Attribute {
            name: name.clone(),
            values: Labels::new(),
            of_record: Vec::new(),
        };
        Self {
            columns: names.iter().map(column).collect(),
            known: vec![HashMap::new(); names.len()],
        }
    }

    /// Adds a person's values: those of each trip, one trip after another.
    fn push(&mut self, values: &dyn Array, person: usize, trips: usize) -> Result<()> {
        let own = items(values, person)?;
        if own.len() != trips * self.columns.len() || own.null_count() > 0 {
            return Err(no_people());
        }
        if own.is_empty() {
            return Ok(());
        }
        for (at, value) in texts(&own)?.into_iter().enumerate() {
            let number = at % self.columns.len();
            let (column, known) = (&mut self.columns[number], &mut self.known[number]);
            let next = column.values.len() as u32;
            let code = *known.entry(value.to_owned()).or_insert(next);
            if code == next {
                column.values.push(value);
            }
            column.of_record.push(code);
        }
        Ok(())
    }
}

fn column<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a dyn Array> {
    let found = batch.column_by_name(name).map(AsRef::as_ref);
    found.ok_or_else(no_people)
}

/// What a list of a column holds.
fn items(lists: &dyn Array, row: usize) -> Result<ArrayRef> {
    if lists.is_null(row) {
        return Err(no_people());
    }
    Ok(match lists.data_type() {
        DataType::List(_) => lists.as_list::<i32>().value(row),
        DataType::LargeList(_) => lists.as_list::<i64>().value(row),
        DataType::ListView(_) => lists.as_list_view::<i32>().value(row),
        DataType::LargeListView(_) => lists.as_list_view::<i64>().value(row),
        _ => return Err(no_people()),
    })
}

fn numbers(lists: &dyn Array, row: usize) -> Result<Vec<u32>> {
    let values = items(lists, row)?;
    let values = values
        .as_primitive_opt::<Int32Type>()
        .ok_or_else(no_people)?;
    if values.null_count() > 0 {
        return Err(no_people());
    }
    let whole = values.values().iter().map(|&value| u32::try_from(value));
    whole.collect::<Result<_, _>>().map_err(|_| no_people())
}

fn texts(values: &ArrayRef) -> Result<Vec<&str>> {
    Ok(match values.data_type() {
        DataType::Utf8 => values.as_string::<i32>().iter().flatten().collect(),
        DataType::LargeUtf8 => values.as_string::<i64>().iter().flatten().collect(),
        DataType::Utf8View => values.as_string_view().iter().flatten().collect(),
        _ => return Err(no_people()),
    })
}

fn no_people() -> Error {
    Error::input("these are not the rows of people that wayveil.spark has made")
        .hint("use one version of wayveil everywhere on the cluster")
}
