//! Failures become Python's exceptions, word for word.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use wayveil::Failure;
use wayveil_core::Error;
use wayveil_core::error::Kind;

/// The module that holds the exceptions.
const MODULE: &str = "wayveil._errors";

/// The exception for a failure of the program.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let kind = match error.kind() {
        Kind::Refused => "refused",
        Kind::Input => "input",
        _ => "system",
    };
    let place = error.place();
    let parts = (
        kind,
        error.message(),
        place.map(|place| place.file.as_str()),
        place.and_then(|place| place.line),
        place.and_then(|place| place.column.as_deref()),
        error.advice(),
    );
    made(py, "failure", parts)
}

/// The exception for a command that did not run to its end.
pub(crate) fn of_command(py: Python<'_>, failure: &Failure) -> PyErr {
    match failure {
        Failure::Usage(text) => made(py, "usage", (text.as_str(),)),
        Failure::Error(error) => exception(py, error),
    }
}

/// The exception for a fault of ours.
pub(crate) fn fault(payload: &(dyn std::any::Any + Send)) -> PyErr {
    let said = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    let said = said.or_else(|| payload.downcast_ref::<String>().cloned());
    PyRuntimeError::new_err(format!(
        "a fault in wayveil, please report it: {}",
        said.unwrap_or_else(|| "no words".into())
    ))
}

fn made<'py>(py: Python<'py>, function: &str, parts: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let exception = py
        .import(MODULE)
        .and_then(|module| module.getattr(function))
        .and_then(|function| function.call1(parts));
    match exception {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
