//! Trips of people as rows of a table: one row a person, without a name.
//!
//! | column | holds |
//! | --- | --- |
//! | `lengths` | how many visits each of the person's trips has |
//! | `codes` | the locations of all of them, one trip after another |
//! | `bins` | the time bins likewise; empty where there are none |

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch};
use arrow_schema::{Field, Schema};
use pyo3::prelude::*;
use wayveil_core::{Dataset, Error, Labels, NonPrivate, Owners, Result, Sequences};

use crate::data::Data;
use crate::failures::exception;
use crate::tables::Table;

const COLUMNS: [&str; 3] = ["lengths", "codes", "bins"];
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
    let schema = batches
        .first()
        .map_or_else(empty_schema, RecordBatch::schema);
    Ok(Table::of_batches(schema, batches))
}

fn empty_schema() -> Arc<Schema> {
    let none: Vec<ArrayRef> = (0..3)
        .map(|_| Arc::new(Lists::default().0.finish()) as ArrayRef)
        .collect();
    schema(&none)
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
    people
        .chunks(BATCH)
        .map(|people| batch(trips, people))
        .collect()
}

fn batch(trips: &Sequences, people: &[Vec<usize>]) -> Result<RecordBatch> {
    let (mut lengths, mut codes, mut bins) = (Lists::default(), Lists::default(), Lists::default());
    for own in people {
        let all = |numbers: fn(&Sequences, usize) -> &[u32]| {
            own.iter()
                .flat_map(move |&trip| numbers(trips, trip))
                .map(|&number| number as usize)
        };
        lengths.push(own.iter().map(|&trip| trips.length(trip)))?;
        codes.push(all(Sequences::codes_of))?;
        bins.push(all(Sequences::bins_of))?;
    }
    let columns = [lengths, codes, bins].map(|mut lists| Arc::new(lists.0.finish()) as ArrayRef);
    RecordBatch::try_new(schema(&columns), columns.to_vec())
        .map_err(|cause| Error::system("cannot make a table of people", cause))
}

/// Reads rows of people again: their trips, and whose each is.
pub(super) fn read(batch: &RecordBatch, timed: bool) -> Result<(Sequences, Owners)> {
    let [lengths, codes, bins] = COLUMNS.map(|name| column(batch, name));
    let (lengths, codes, bins) = (lengths?, codes?, bins?);
    let mut trips = Sequences::empty(timed);
    let mut of_record = Vec::new();
    for person in 0..batch.num_rows() {
        let (own, codes) = (numbers(lengths, person)?, numbers(codes, person)?);
        let bins = numbers(bins, person)?;
        let visits: usize = own.iter().map(|&length| length as usize).sum();
        if visits != codes.len() || bins.len() != if timed { visits } else { 0 } {
            return Err(no_people());
        }
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
    Ok((trips, Owners::Known { of_record, labels }))
}

fn column<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a ListArray> {
    let found = batch
        .column_by_name(name)
        .and_then(|column| column.as_list_opt::<i32>());
    found.ok_or_else(no_people)
}

fn numbers(lists: &ListArray, row: usize) -> Result<Vec<u32>> {
    if lists.is_null(row) {
        return Err(no_people());
    }
    let values = lists.value(row);
    let values = values
        .as_primitive_opt::<Int32Type>()
        .ok_or_else(no_people)?;
    if values.null_count() > 0 {
        return Err(no_people());
    }
    let whole = values.values().iter().map(|&value| u32::try_from(value));
    whole.collect::<Result<_, _>>().map_err(|_| no_people())
}

fn no_people() -> Error {
    Error::input("these are not the rows of people that wayveil.spark has made")
        .hint("use one version of wayveil everywhere on the cluster")
}
