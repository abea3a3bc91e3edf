//! Whoever counts on a cluster, asked through Python.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;
use wayveil_core::counting::{Engine, Question, Tally};
use wayveil_core::{Error, Result};

use super::tallier::COLUMNS;
use crate::listening::Stop;
use crate::mechanism::Slot;

/// A function that takes a question as text and returns a table of sums. What it raises is raised to whoever called.
pub(crate) struct PythonEngine {
    ask: Py<PyAny>,
    stop: Stop,
    slot: Slot,
}

impl PythonEngine {
    pub(crate) fn new(ask: Py<PyAny>, stop: Stop, slot: Slot) -> Self {
        Self { ask, stop, slot }
    }
}

impl Engine for PythonEngine {
    fn ask(&self, question: &Question) -> Result<Tally> {
        self.stop.heed();
        let text = question.to_text()?;
        let asked = Python::attach(|py| -> PyResult<_> {
            let table: PyRecordBatchReader = self.ask.bind(py).call1((text,))?.extract()?;
            table.into_reader()
        });
        // A failure, not an outcome: the door has charged for it, and writes nothing.
        let rows = asked.map_err(|raised| {
            let said = Error::system("the cluster did not count", &raised);
            if let Ok(mut slot) = self.slot.lock() {
                slot.get_or_insert(raised);
            }
            said
        })?;
        let mut tally = Tally::default();
        for batch in rows {
            let batch =
                batch.map_err(|cause| Error::system("cannot read what was counted", cause))?;
            add(&mut tally, &batch)?;
            question.check_size(&tally)?;
        }
        Ok(tally)
    }
}

/// Three columns of whole numbers, and nothing else: there is no place for more than counts.
fn add(tally: &mut Tally, batch: &RecordBatch) -> Result<()> {
    let schema = batch.schema();
    let names = schema.fields().iter().map(|field| field.name().as_str());
    if !names.eq(COLUMNS) {
        return Err(no_tally());
    }
    let mut columns = batch.columns().iter().map(|column| {
        let numbers = column
            .as_primitive_opt::<Int64Type>()
            .ok_or_else(no_tally)?;
        (numbers.null_count() == 0)
            .then(|| numbers.values())
            .ok_or_else(no_tally)
    });
    let mut next = || columns.next().ok_or_else(no_tally)?;
    let (first, second, counts) = (next()?, next()?, next()?);
    for row in 0..batch.num_rows() {
        let number = |value: i64| u32::try_from(value).map_err(|_| no_tally());
        let count = u64::try_from(counts[row]).map_err(|_| no_tally())?;
        tally.add((number(first[row])?, number(second[row])?), count)?;
    }
    Ok(())
}

fn no_tally() -> Error {
    Error::input("what came back from the cluster is no tally")
        .hint("use one version of wayveil everywhere on the cluster")
}
