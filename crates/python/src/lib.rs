//! The Python package `wayveil`: the program's commands, with data in memory.
//!
//! What is written in Rust here is small: raw data behind its wall (`data`), commands that run beside the
//! interpreter and can be stopped (`run`, `listening`), tables that pass without copies (`tables`), a
//! mechanism written in Python (`mechanism`), and records that stay on a cluster (`cluster`). Functions, their words and their types stand in `python/`.

mod client;
mod cluster;
mod data;
mod describe;
mod failures;
mod listening;
mod mechanism;
mod run;
mod tables;

use pyo3::prelude::*;

/// What the package's Python code calls; nothing for users.
#[pymodule]
fn _wayveil(module: &Bound<'_, PyModule>) -> PyResult<()> {
    wayveil::quieten_caught_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<data::Data>()?;
    module.add_class::<tables::Table>()?;
    module.add_class::<client::Client>()?;
    module.add_class::<cluster::Tallier>()?;
    module.add_function(wrap_pyfunction!(cluster::people_of, module)?)?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(describe::command_line, module)?)?;
    module.add_function(wrap_pyfunction!(tables::read_table, module)?)?;
    module.add_function(wrap_pyfunction!(tables::release_table, module)?)?;
    module.add_function(wrap_pyfunction!(tables::table_of_lists, module)?)?;
    Ok(())
}
