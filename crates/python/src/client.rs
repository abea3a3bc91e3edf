//! A client of a federated campaign: one trajectory that stays here.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wayveil_core::{Epsilon, RandomSource};
use wayveil_federated::client::{Client as Inner, Limits};
use wayveil_federated::message::{Question, Terms};

use crate::failures::exception;

/// Answers one question of a campaign about one trajectory, ever, with noise of its own.
#[pyclass(frozen, module = "wayveil._wayveil")]
pub(crate) struct Client {
    state: Mutex<State>,
}

struct State {
    inner: Inner<'static>,
    random: RandomSource,
}

impl Client {
    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Client {
    /// Joins the campaign of these terms, if they keep to the limits.
    #[new]
    #[pyo3(signature = (terms, trajectory, *, epsilon, per_client, length, insecure_seed))]
    fn new(
        py: Python<'_>,
        terms: &[u8],
        trajectory: Vec<u32>,
        epsilon: &str,
        per_client: u32,
        length: u32,
        insecure_seed: Option<u64>,
    ) -> PyResult<Self> {
        let raised = |error: wayveil_core::Error| exception(py, &error);
        let terms = Terms::decode(terms).map_err(raised)?;
        if let Some(code) = trajectory.iter().find(|&&code| code >= terms.locations) {
            return Err(PyValueError::new_err(format!(
                "the trajectory has the location {code}, and the campaign has {}",
                terms.locations
            )));
        }
        let limits = Limits {
            epsilon: epsilon.parse::<Epsilon>().map_err(raised)?,
            per_client,
            length,
        };
        let mut random = match insecure_seed {
            Some(seed) => RandomSource::insecure_seed_for("client", seed),
            None => RandomSource::os().map_err(|cause| PyValueError::new_err(cause.to_string()))?,
        };
        let joined = Inner::join_for_good(terms, &limits, trajectory, &mut random.stream());
        Ok(Self {
            state: Mutex::new(State {
                inner: joined.map_err(raised)?,
                random,
            }),
        })
    }

    /// The round in which it answers; none if it is not among the clients drawn.
    #[getter]
    fn round(&self) -> Option<u32> {
        self.with(|state| state.inner.round())
    }

    /// The uniform word that says which block of its round it is in.
    #[getter]
    fn place(&self) -> u64 {
        self.with(|state| state.inner.place())
    }

    /// Answers a question, or raises why not.
    fn answer<'py>(&self, py: Python<'py>, question: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let answered = Question::decode(question).and_then(|question| {
            self.with(|state| {
                let State { inner, random } = state;
                inner.answer(&question, &mut random.stream())
            })
        });
        match answered {
            Ok(answer) => Ok(PyBytes::new(py, &answer.encode())),
            Err(error) => Err(exception(py, &error)),
        }
    }
}
