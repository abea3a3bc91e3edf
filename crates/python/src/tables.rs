//! Tables that pass between Python and Rust by Arrow's C interface, without copies.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, Float64Array, RecordBatch, RecordBatchIterator,
    RecordBatchReader, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use pyo3_arrow::{PyRecordBatchReader, PyTable};
use wayveil_core::{Error, FragmentCounts, Universe};
use wayveil_io::tables::Handed;

use crate::failures::exception;

/// A table in memory: batches that were read, or a stream that can be read once.
#[pyclass(frozen, module = "wayveil._wayveil")]
pub(crate) struct Table {
    schema: SchemaRef,
    body: Mutex<Body>,
}

enum Body {
    Stream(Handed),
    Batches(Vec<RecordBatch>),
    Taken,
}

impl Table {
    pub(crate) fn of_batches(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self {
            schema,
            body: Mutex::new(Body::Batches(batches)),
        }
    }

    /// The rows, to be read once by a session; a stream is gone then.
    pub(crate) fn take(&self) -> PyResult<Handed> {
        let mut body = self.body.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *body, Body::Taken) {
            Body::Stream(stream) => Ok(stream),
            Body::Batches(batches) => {
                *body = Body::Batches(batches.clone());
                Ok(reader(&self.schema, batches))
            }
            Body::Taken => Err(PyValueError::new_err("the stream was read already")),
        }
    }

    /// All rows; a stream is read and kept.
    fn batches(&self, py: Python<'_>) -> PyResult<Vec<RecordBatch>> {
        let rows = self.take()?;
        let read: Result<Vec<RecordBatch>, ArrowError> = py.detach(|| rows.collect());
        let read = read.map_err(|cause| PyValueError::new_err(cause.to_string()))?;
        let mut body = self.body.lock().unwrap_or_else(PoisonError::into_inner);
        *body = Body::Batches(read.clone());
        Ok(read)
    }
}

fn reader(schema: &SchemaRef, batches: Vec<RecordBatch>) -> Handed {
    let rows = batches.into_iter().map(Ok);
    Box::new(RecordBatchIterator::new(rows, Arc::clone(schema)))
}

#[pymethods]
impl Table {
    /// Names of columns, with their types.
    fn columns(&self) -> Vec<(String, String)> {
        let fields = self.schema.fields().iter();
        fields
            .map(|field| (field.name().clone(), kind(field.data_type()).to_owned()))
            .collect()
    }

    /// How many rows there are.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.batches(py)?.iter().map(RecordBatch::num_rows).sum())
    }

    /// The columns as Python's lists, of the first rows where a number is given.
    #[pyo3(signature = (rows=None))]
    fn to_lists<'py>(&self, py: Python<'py>, rows: Option<usize>) -> PyResult<Bound<'py, PyDict>> {
        let batches = self.batches(py)?;
        let columns = PyDict::new(py);
        for (at, field) in self.schema.fields().iter().enumerate() {
            let values = PyList::empty(py);
            for batch in &batches {
                let column = batch.column(at);
                let left = rows.map_or(usize::MAX, |rows| rows.saturating_sub(values.len()));
                for row in 0..column.len().min(left) {
                    values.append(value(py, column, row)?)?;
                }
            }
            columns.set_item(field.name(), values)?;
        }
        Ok(columns)
    }

    /// Arrow's C interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = PyTable::try_new(self.batches(py)?, Arc::clone(&self.schema))?;
        let table = Bound::new(py, table)?;
        table.call_method1("__arrow_c_stream__", (requested_schema,))
    }

    /// The addresses of the buffers of a column, for tests that nothing is copied.
    fn addresses(&self, py: Python<'_>, column: &str) -> PyResult<Vec<usize>> {
        let at = self.schema.index_of(column);
        let at = at.map_err(|cause| PyValueError::new_err(cause.to_string()))?;
        let batches = self.batches(py)?;
        let data = batches.iter().map(|batch| batch.column(at).to_data());
        let buffers = data.flat_map(|data| {
            let all = data.buffers().iter().map(|buffer| buffer.as_ptr() as usize);
            all.collect::<Vec<_>>()
        });
        Ok(buffers.collect())
    }
}

/// What a column holds, as far as readers choose by it.
fn kind(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::List(_) | DataType::LargeList(_) => "list",
        DataType::Float16 | DataType::Float32 | DataType::Float64 => "float",
        DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 => "date",
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => "binary",
        _ => "other",
    }
}

/// Takes over whatever speaks Arrow's C interface.
#[pyfunction]
pub(crate) fn read_table(source: PyRecordBatchReader) -> PyResult<Table> {
    let stream = source.into_reader()?;
    let schema = stream.schema();
    Ok(Table {
        schema,
        body: Mutex::new(Body::Stream(stream)),
    })
}

/// Trajectories as lists of labels, under the column `trajectory`.
#[pyfunction]
pub(crate) fn table_of_lists(records: Vec<Vec<String>>) -> PyResult<Table> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for record in &records {
        for label in record {
            lists.values().append_value(label);
        }
        lists.append(true);
    }
    let lists: ArrayRef = Arc::new(lists.finish());
    let field = Field::new("trajectory", lists.data_type().clone(), true);
    let schema = Arc::new(Schema::new(vec![field]));
    let batch = RecordBatch::try_new(Arc::clone(&schema), vec![lists]);
    let batch = batch.map_err(|cause| PyTypeError::new_err(cause.to_string()))?;
    Ok(Table::of_batches(schema, vec![batch]))
}

/// A table of a release, after the whole release was read and checked; none where it has no such file.
#[pyfunction]
pub(crate) fn release_table(
    py: Python<'_>,
    folder: PathBuf,
    name: &str,
) -> PyResult<Option<Table>> {
    let file = folder.join(format!("{name}.parquet"));
    let read = py.detach(|| {
        let release = wayveil_io::read_release(&folder)?;
        match name {
            "fragments" => release
                .fragments()
                .map(|found| fragments(found, release.universe()))
                .transpose(),
            _ if file.exists() => parquet_rows(&file).map(Some),
            _ => Ok(None),
        }
    });
    let read = read.map_err(|error| exception(py, &error))?;
    Ok(read.map(|(schema, batches)| Table::of_batches(schema, batches)))
}

type Rows = (SchemaRef, Vec<RecordBatch>);

/// Fragments as lists of labels, with how many have them.
fn fragments(found: &FragmentCounts, universe: &Universe) -> wayveil_core::Result<Rows> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for fragment in found.fragments.iter() {
        for &code in fragment {
            lists.values().append_value(universe.label(code));
        }
        lists.append(true);
    }
    let lists: ArrayRef = Arc::new(lists.finish());
    let whole = |numbers: &[u64]| Arc::new(UInt64Array::from(numbers.to_vec())) as ArrayRef;
    let columns = [
        ("fragment", lists),
        ("count", whole(&found.count)),
        (
            "standard_error",
            Arc::new(Float64Array::from(found.standard_error.clone())) as ArrayRef,
        ),
        ("low", whole(&found.low)),
        ("high", whole(&found.high)),
    ];
    let batch = RecordBatch::try_from_iter(columns);
    let batch = batch.map_err(|cause| Error::system("cannot show the fragments", cause))?;
    Ok((batch.schema(), vec![batch]))
}

fn parquet_rows(file: &Path) -> wayveil_core::Result<Rows> {
    let failed = |cause: &dyn std::fmt::Display| {
        Error::system("cannot read", cause).in_file(file.display().to_string())
    };
    let opened = File::open(file).map_err(|cause| failed(&cause))?;
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(opened).map_err(|cause| failed(&cause))?;
    // What the file says of itself is for the program.
    let fields = builder.schema().fields().clone();
    let schema = Arc::new(Schema::new(fields));
    let rows = builder.build().map_err(|cause| failed(&cause))?;
    let plain = |batch: Result<RecordBatch, ArrowError>| {
        batch.and_then(|batch| batch.with_schema(Arc::clone(&schema)))
    };
    let batches: Result<Vec<_>, _> = rows.map(plain).collect();
    let batches = batches.map_err(|cause| failed(&cause))?;
    Ok((schema, batches))
}

/// One value as Python has it.
fn value<'py>(py: Python<'py>, array: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! number {
        ($kind:ty) => {
            primitive::<$kind>(array, row).into_pyobject(py)?.into_any()
        };
    }
    if array.is_null(row) || array.data_type() == &DataType::Null {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::Utf8 => array
            .as_string::<i32>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::LargeUtf8 => array
            .as_string::<i64>()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::Utf8View => array
            .as_string_view()
            .value(row)
            .into_pyobject(py)?
            .into_any(),
        DataType::Boolean => {
            let truth = array.as_boolean().value(row);
            truth.into_pyobject(py)?.to_owned().into_any()
        }
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float32 => number!(Float32Type),
        DataType::Float64 => number!(Float64Type),
        DataType::List(_) => list(py, array.as_list::<i32>().value(row).as_ref())?,
        DataType::LargeList(_) => list(py, array.as_list::<i64>().value(row).as_ref())?,
        DataType::Dictionary(..) => {
            let coded = array.as_any_dictionary();
            let key = coded.normalized_keys()[row];
            value(py, coded.values(), key)?
        }
        other => {
            return Err(PyTypeError::new_err(format!(
                "a column of the type {other} has no form in plain Python"
            )));
        }
    })
}

fn primitive<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> T::Native {
    array.as_primitive::<T>().value(row)
}

fn list<'py>(py: Python<'py>, items: &dyn Array) -> PyResult<Bound<'py, PyAny>> {
    let values = PyList::empty(py);
    for at in 0..items.len() {
        values.append(value(py, items, at)?)?;
    }
    Ok(values.into_any())
}
