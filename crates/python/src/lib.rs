//! The Python package `wayveil`.

use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatchReader;

/// Opaque raw data.
#[pyclass(frozen)]
struct Data {
    rows: usize,
}

#[pymethods]
impl Data {
    /// Rows.
    #[getter]
    fn rows(&self) -> usize {
        self.rows
    }
}

/// Reads.
#[pyfunction]
fn read(py: Python<'_>, table: PyRecordBatchReader) -> PyResult<Data> {
    let reader = table.into_reader()?;
    let rows = py.detach(|| reader.map(|b| b.map(|b| b.num_rows()).unwrap_or(0)).sum());
    Ok(Data { rows })
}

/// The module.
#[pymodule]
fn _wayveil(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Data>()?;
    m.add_function(wrap_pyfunction!(read, m)?)?;
    Ok(())
}
