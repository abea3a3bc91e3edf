//! A mechanism written in Python, to be measured, attacked and audited beside ours.
//!
//! It promises nothing (`Guarantee::none`), is not in the list, and is known to a session only, which has no way
//! from it to the door that writes. What it raises is raised to whoever called.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use rand_core::Rng;
use wayveil_core::{
    Claim, Cost, Error, Guarantee, Mechanism, Output, Progress, PublicInputs, RandomSource,
    Records, Result, Sequences, Transcript,
};

use crate::listening::{Stop, Stopped};

/// What a mechanism raised first.
pub(crate) type Slot = Arc<Mutex<Option<PyErr>>>;

/// An object with a method `run`.
pub(crate) struct PythonMechanism {
    object: Py<PyAny>,
    name: &'static str,
    timed: bool,
    stop: Stop,
    slot: Slot,
}

impl PythonMechanism {
    pub(crate) fn new(py: Python<'_>, object: Py<PyAny>, stop: Stop, slot: Slot) -> PyResult<Self> {
        let bound = object.bind(py);
        let name: String = bound.getattr("name")?.extract()?;
        let timed = bound.getattr("timed")?.is_truthy()?;
        Ok(Self {
            name: for_good(name),
            timed,
            object,
            stop,
            slot,
        })
    }

    fn call(&self, py: Python<'_>, records: &Records<'_>, seed: u64) -> PyResult<Sequences> {
        let sequences = &records.sequences;
        let rows = PyList::empty(py);
        for row in 0..sequences.len() {
            let codes = sequences.codes_of(row);
            if self.timed {
                let bins = sequences.bins_of(row).iter().copied();
                let visits: Vec<(u32, u32)> = codes.iter().copied().zip(bins).collect();
                rows.append(visits)?;
            } else {
                rows.append(codes.to_vec())?;
            }
        }
        let labels = records.public.universe.locations().iter();
        let labels: Vec<&str> = labels.map(|location| location.label.as_str()).collect();
        let bins = records.public.time.map(|axis| axis.bins);
        let helper = py.import("wayveil._mechanism")?.getattr("_run")?;
        let made = helper.call1((&self.object, rows, labels, bins, seed))?;
        self.read(&made, records)
    }

    /// The records that came back, each visit checked.
    fn read(&self, made: &Bound<'_, PyAny>, records: &Records<'_>) -> PyResult<Sequences> {
        let public = &records.public;
        let (locations, bins) = (public.universe.len() as u32, public.time.map(|it| it.bins));
        let mut sequences = Sequences::empty(self.timed);
        let all = self.entries(made, || "run returned".into())?;
        for (number, record) in all.enumerate() {
            let (mut codes, mut times) = (Vec::new(), Vec::new());
            let place =
                |what: &str| format!("{}: record {number} of what run returned {what}", self.name);
            let record = record?;
            let visits = self.entries(&record, || {
                format!("record {number} of what run returned is")
            })?;
            for visit in visits {
                let visit = visit?;
                let (code, time) = match (self.timed, bins) {
                    (true, Some(bins)) => {
                        let (code, time): (u32, u32) = visit.extract().map_err(|_| {
                            let what = "has a visit that is no (location, bin)";
                            PyTypeError::new_err(place(what) + &hint(&visit))
                        })?;
                        if time >= bins {
                            let what = format!("has the time bin {time}, and there are {bins}");
                            return Err(PyValueError::new_err(place(&what)));
                        }
                        (code, Some(time))
                    }
                    _ => {
                        let code = visit.extract().map_err(|_| {
                            let what = "has a visit that is no location's number";
                            PyTypeError::new_err(place(what) + &hint(&visit))
                        })?;
                        (code, None)
                    }
                };
                if code >= locations {
                    let what = format!("has the location {code}, and there are {locations}");
                    return Err(PyValueError::new_err(place(&what)));
                }
                codes.push(code);
                times.extend(time);
            }
            sequences.push(&codes, &times);
        }
        Ok(sequences)
    }

    /// The entries of something that came back, or what is expected where it has none.
    fn entries<'py>(
        &self,
        made: &Bound<'py, PyAny>,
        what: impl FnOnce() -> String,
    ) -> PyResult<Bound<'py, PyIterator>> {
        made.try_iter().map_err(|raised| {
            // What else an object of theirs raises is theirs to see.
            if made.hasattr("__iter__").unwrap_or(true) {
                return raised;
            }
            let kind = made.get_type();
            let kind = kind
                .name()
                .map_or("something".into(), |name| name.to_string());
            let visits = match self.timed {
                true => "(location's number, time bin) pairs",
                false => "locations' numbers",
            };
            PyTypeError::new_err(format!(
                "{}: {} {kind}; it returns records, each a list of {visits}",
                self.name,
                what()
            ))
        })
    }
}

/// What helps where a visit names its location.
fn hint(visit: &Bound<'_, PyAny>) -> String {
    let label = visit.extract::<String>();
    let label = label.or_else(|_| {
        visit
            .get_item(0)
            .and_then(|first| first.extract::<String>())
    });
    match label {
        Ok(label) => {
            format!("; visits are numbers, not labels: records.locations.index({label:?})")
        }
        Err(_) => String::new(),
    }
}

impl Mechanism for PythonMechanism {
    fn name(&self) -> &'static str {
        self.name
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        if public.time.is_some() != self.timed {
            let (wants, has) = match self.timed {
                true => ("with time bins", "none"),
                false => ("without time", "some"),
            };
            return Err(Error::refused(format!(
                "{} is for trajectories {wants}, and these have {has}",
                self.name
            ))
            .hint("the attribute `timed` of a mechanism says what it takes"));
        }
        let reason = "it is a mechanism of another program, whose promises nobody here has checked";
        Ok(Claim {
            cost: Cost::NotComposing,
            guarantee: Guarantee::none(reason, public.unit),
            variant: "python",
            parameters: BTreeMap::new(),
            limits: Vec::new(),
            noise: "of its own".into(),
            columns: Vec::new(),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        _progress: &dyn Progress,
    ) -> Result<Output> {
        self.stop.heed();
        let seed = random.stream().next_u64();
        match Python::attach(|py| self.call(py, records, seed)) {
            Ok(trajectories) => Ok(Output {
                trajectories,
                attributes: Vec::new(),
                counts: None,
                fragments: None,
                expected_error: None,
                transcript: Transcript::none(),
            }),
            Err(raised) => {
                if let Ok(mut slot) = self.slot.lock() {
                    slot.get_or_insert(raised);
                }
                self.stop.ask();
                // An auditor would take a failure for an outcome; this one is to be seen.
                std::panic::resume_unwind(Box::new(Stopped))
            }
        }
    }
}

/// A name that lasts: each is kept once, however many mechanisms have it.
fn for_good(name: String) -> &'static str {
    static NAMES: Mutex<Option<HashMap<String, &'static str>>> = Mutex::new(None);
    let Ok(mut names) = NAMES.lock() else {
        return "a mechanism written in Python";
    };
    names
        .get_or_insert_default()
        .entry(name)
        .or_insert_with_key(|name| name.clone().leak())
}
