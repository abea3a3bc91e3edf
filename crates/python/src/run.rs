//! Runs a command beside the interpreter.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use wayveil::{Answer, Failure, Session};
use wayveil_core::Counted;

use crate::cluster::PythonEngine;
use crate::data::Data;
use crate::failures;
use crate::listening::{Ear, News, Stop, Stopped};
use crate::mechanism::{PythonMechanism, Slot};
use crate::tables::Table;

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(50);
/// As much as a program's first thread has.
const STACK: usize = 8 << 20;

/// What the calling thread waits for.
enum Event {
    News(News),
    Done(Ended),
}

impl From<News> for Event {
    fn from(news: News) -> Self {
        Self::News(news)
    }
}

type Ended = Result<Result<Answer, Failure>, Box<dyn Any + Send>>;

/// Runs the words of a command; the answer is whether it is a yes, the object as JSON, the text, and the data
/// that was kept instead of written.
///
/// `held` are data by the names that the words use, `tables` those to import with their rows, `keep` the name
/// of an output that stays in memory, `counted` records that stay elsewhere: what is public of them, and the function
/// that has them counted; `mechanisms` objects by name, `audited` the one whose audit the words are
/// flags of. `ear` hears what goes on, in the calling thread.
#[pyfunction]
#[pyo3(signature = (words, *, held, tables, counted, keep, mechanisms, audited, ear))]
#[expect(
    clippy::too_many_arguments,
    reason = "named ones, called from one place"
)]
pub(crate) fn run(
    py: Python<'_>,
    words: Vec<String>,
    held: HashMap<String, Py<Data>>,
    tables: HashMap<String, (Py<Table>, Option<u64>)>,
    counted: HashMap<String, (Py<Data>, Py<PyAny>)>,
    keep: Option<String>,
    mechanisms: HashMap<String, Py<PyAny>>,
    audited: Option<String>,
    ear: &Bound<'_, PyAny>,
) -> PyResult<(bool, String, String, Option<Data>)> {
    let (sender, mut events) = channel();
    let (advanced, stop, slot) = (
        Arc::<AtomicU64>::default(),
        Stop::default(),
        Slot::default(),
    );
    let listener = Ear::new(sender.clone(), Arc::clone(&advanced), stop.clone());
    let session = Arc::new(Session::new(Arc::new(listener)));
    for (name, data) in held {
        session.hold(name, data.get().share());
    }
    for (name, (table, rows)) in tables {
        session.hand(name, table.get().take()?, rows);
    }
    for (name, (public, ask)) in counted {
        let engine = PythonEngine::new(ask, stop.clone(), slot.clone());
        let counted = Counted::new(public.get().share(), Box::new(engine));
        session.hold_counted(
            name,
            counted.map_err(|error| failures::exception(py, &error))?,
        );
    }
    for (name, object) in mechanisms {
        let mechanism = PythonMechanism::new(py, object, stop.clone(), slot.clone())?;
        session.teach(name, Arc::new(mechanism));
    }
    if let Some(name) = &keep {
        session.keep(name);
    }
    let worker = Arc::clone(&session);
    let work = move || {
        let command = || match &audited {
            Some(mechanism) => worker.audit(mechanism, &words),
            None => worker.run(&words),
        };
        let ended = catch_unwind(AssertUnwindSafe(command));
        let _ = sender.send(Event::Done(ended));
    };
    std::thread::Builder::new()
        .name("wayveil".into())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|cause| PyRuntimeError::new_err(format!("no thread to work in: {cause}")))?;
    let mut caller = Caller {
        ear,
        stop,
        why: None,
    };
    let ended = caller.wait(py, &mut events, &advanced);
    // What Python raised while it was asked something comes before what became of that.
    let raised = slot.lock().ok().and_then(|mut slot| slot.take());
    if let Some(error) = caller.why.take().or(raised) {
        return Err(error);
    }
    match ended {
        Some(Ok(Ok(answer))) => {
            let kept = keep.and_then(|name| session.held(Path::new(&name)));
            let object = answer.object.to_string();
            Ok((answer.yes, object, answer.text, kept.map(Data::of)))
        }
        Some(Ok(Err(failure))) => Err(failures::of_command(py, &failure)),
        Some(Err(payload)) if !payload.is::<Stopped>() => Err(failures::fault(payload.as_ref())),
        Some(Err(_)) | None => Err(PyRuntimeError::new_err("the command was stopped")),
    }
}

/// The thread that called, which has the interpreter.
struct Caller<'a, 'py> {
    ear: &'a Bound<'py, PyAny>,
    stop: Stop,
    /// Why the command was asked to stop.
    why: Option<PyErr>,
}

impl Caller<'_, '_> {
    /// Waits for the end of the command, or until it was interrupted twice.
    fn wait(
        &mut self,
        py: Python<'_>,
        events: &mut Receiver<Event>,
        advanced: &AtomicU64,
    ) -> Option<Ended> {
        loop {
            let receiver = &mut *events;
            match py.detach(move || receiver.recv_timeout(TICK)) {
                Ok(Event::Done(ended)) => {
                    self.try_telling(|ear| tell(ear, taken(advanced)));
                    return Some(ended);
                }
                Ok(Event::News(news)) => self.try_telling(|ear| tell(ear, Some(news))),
                Err(RecvTimeoutError::Timeout) => {
                    self.try_telling(|ear| tell(ear, taken(advanced)));
                }
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            if let Err(interruption) = py.check_signals() {
                let again = self.why.is_some();
                self.end(interruption);
                if again {
                    return None;
                }
            }
        }
    }

    fn try_telling(&mut self, tell: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>) {
        if self.why.is_none()
            && let Err(error) = tell(self.ear)
        {
            self.end(error);
        }
    }

    fn end(&mut self, why: PyErr) {
        self.stop.ask();
        self.why.get_or_insert(why);
    }
}

/// What was done since the last time, if anything.
fn taken(advanced: &AtomicU64) -> Option<News> {
    let parts = advanced.swap(0, Ordering::Relaxed);
    (parts > 0).then_some(News::Advanced(parts))
}

fn tell(ear: &Bound<'_, PyAny>, news: Option<News>) -> PyResult<()> {
    match news {
        None => return Ok(()),
        Some(News::Say(text)) => ear.call_method1("say", (text,)),
        Some(News::Warn(text)) => ear.call_method1("warn", (text,)),
        Some(News::Begin(step, total)) => ear.call_method1("begin", (step, total)),
        Some(News::Advanced(parts)) => ear.call_method1("advance", (parts,)),
        Some(News::End) => ear.call_method0("end"),
    }
    .map(|_| ())
}
