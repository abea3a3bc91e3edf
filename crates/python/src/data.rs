//! Raw data behind its wall.

use std::path::PathBuf;

use pyo3::prelude::*;
use serde_json::json;
use wayveil_core::{Dataset, NonPrivate, Origin, Raw};
use wayveil_io::{Loaded, load, write_dataset, write_universe_table};

use crate::failures::exception;

/// Data about people. Nothing of it can be looked at but what is public.
#[pyclass(frozen, module = "wayveil._wayveil")]
pub(crate) struct Data {
    raw: Raw<Dataset>,
}

impl Data {
    pub(crate) fn of(raw: Raw<Dataset>) -> Self {
        Self { raw }
    }

    /// The same data, for a session.
    pub(crate) fn share(&self) -> Raw<Dataset> {
        self.raw.share()
    }
}

#[pymethods]
impl Data {
    /// Opens a data file; none where the path is a release.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Option<Self>> {
        match py.detach(|| load(&path)) {
            Ok(Loaded::Data(raw)) => Ok(Some(Self { raw })),
            Ok(Loaded::Release(_)) => Ok(None),
            Err(error) => Err(exception(py, &error)),
        }
    }

    /// What is public about the data, and the name of its owner's account, as JSON.
    fn facts(&self) -> String {
        let because =
            NonPrivate::because("public inputs, and the name of an account, for its owner");
        let look = |data: &Dataset| {
            let columns: Vec<&str> = data
                .attributes()
                .iter()
                .map(|it| it.name.as_str())
                .collect();
            json!({
                "population": data.population(),
                "locations": data.universe().len(),
                "universe": match data.universe().origin() {
                    Origin::Declared(how) => Some(how),
                    Origin::FromData => None,
                },
                "bins": data.time().map(|axis| axis.bins),
                "clock": data.time().and_then(|axis| axis.clock.as_ref()),
                "columns": columns,
            })
            .to_string()
        };
        self.raw.inspect(because, look).for_publisher_only()
    }

    /// Writes a data file.
    fn save(&self, py: Python<'_>, path: PathBuf, force: bool) -> PyResult<()> {
        py.detach(|| write_dataset(&path, &self.raw, force))
            .map_err(|error| exception(py, &error))
    }

    /// Writes the table of locations.
    fn save_universe(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let because = NonPrivate::because("a list of locations is a public input");
        let write = |data: &Dataset| write_universe_table(&path, data.universe(), true);
        py.detach(|| self.raw.inspect(because, write).for_publisher_only())
            .map_err(|error| exception(py, &error))
    }
}
