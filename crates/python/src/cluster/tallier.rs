//! Tallies the people of a part of a cluster, batch by batch.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;
use wayveil_core::Error;
use wayveil_core::counting::{Prepared, Question, Tally};

use super::people;
use crate::failures::exception;
use crate::tables::Table;

/// The columns of a tally; whole numbers as clusters have them.
pub(super) const COLUMNS: [&str; 3] = ["first", "second", "count"];

/// A question, made ready once for all batches, and what was counted for it so far. Only sums leave it: that is the
/// combining before anything is sent.
#[pyclass(frozen, module = "wayveil._wayveil")]
pub(crate) struct Tallier {
    question: Prepared,
    sum: Mutex<Tally>,
}

#[pymethods]
impl Tallier {
    #[new]
    fn new(py: Python<'_>, question: &str) -> PyResult<Self> {
        let question = Question::from_text(question)
            .and_then(Prepared::new)
            .map_err(|error| exception(py, &error))?;
        Ok(Self {
            question,
            sum: Mutex::default(),
        })
    }

    /// Tallies rows of people. All trips of a person stand in one row.
    fn add(&self, py: Python<'_>, batch: PyRecordBatch) -> PyResult<()> {
        let batch = batch.into_inner();
        let add = || {
            let asked = self.question.question();
            let people = people::read(&batch, asked.bins.is_some(), &asked.columns)?;
            let part = self.question.tally(&people.part())?;
            let mut sum = self.sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.merge(&part)?;
            asked.check_size(&sum)
        };
        py.detach(add).map_err(|error| exception(py, &error))
    }

    /// The sums, in rows of three numbers.
    fn table(&self, py: Python<'_>) -> PyResult<Table> {
        let sum = self.sum.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut first, mut second, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for ((one, other), count) in sum.iter() {
            first.push(i64::from(one));
            second.push(i64::from(other));
            let count = i64::try_from(count)
                .map_err(|_| exception(py, &Error::input("a count is beyond 2^63")))?;
            counts.push(count);
        }
        let columns = [first, second, counts].map(|it| Arc::new(Int64Array::from(it)) as ArrayRef);
        let fields = COLUMNS.map(|name| Field::new(name, DataType::Int64, false));
        let schema = Arc::new(Schema::new(fields.to_vec()));
        let batch =
            RecordBatch::try_new(Arc::clone(&schema), columns.to_vec()).map_err(|cause| {
                exception(py, &Error::system("cannot make a table of a tally", cause))
            })?;
        Ok(Table::of_batches(schema, vec![batch]))
    }
}
