//! What the user sees, results on standard output and everything else on standard error; or what another
//! program hears, which runs commands in a [`Session`](crate::Session).

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use wayveil_core::error::Kind;
use wayveil_core::{Dataset, Error, Progress, Raw, Result};
use wayveil_io::{Loaded, load, write_dataset};

use crate::memory::Memory;
use crate::session::Listener;

/// Where the program talks to, and where it finds what it works on.
pub(crate) struct Terminal {
    json: bool,
    quiet: bool,
    bar: Mutex<Option<ProgressBar>>,
    /// Who listens instead of a person.
    listener: Option<Arc<dyn Listener>>,
    /// What was answered, where somebody listens.
    answered: Mutex<Option<(Value, String)>>,
    /// What lies in memory instead of files.
    memory: Arc<Memory>,
}

impl Terminal {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self {
            json,
            quiet,
            bar: Mutex::new(None),
            listener: None,
            answered: Mutex::new(None),
            memory: Arc::default(),
        }
    }

    /// For another program, which has this in memory.
    pub(crate) fn heard_by(listener: Arc<dyn Listener>, memory: Arc<Memory>) -> Self {
        Self {
            listener: Some(listener),
            memory,
            ..Self::new(true, true)
        }
    }

    /// What lies in memory instead of files.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Writes a data file, or leaves the data in memory where that is wanted.
    pub(crate) fn save(&self, path: &Path, raw: &Raw<Dataset>, force: bool) -> Result<()> {
        if self.memory.wants(path) {
            self.memory.hold(path.to_owned(), raw.share());
            return Ok(());
        }
        write_dataset(path, raw, force)
    }

    /// What a command has answered, for machines and for people.
    pub(crate) fn into_answer(self) -> Option<(Value, String)> {
        self.answered.into_inner().unwrap_or_default()
    }

    /// Opens what a command is given: data in memory, a data file or a release.
    pub(crate) fn load(&self, path: &Path) -> Result<Loaded> {
        if self.memory.has_counted(path) {
            return Err(Error::input(
                "these records stay where they are, and are only counted there",
            )
            .in_file(path.display().to_string())
            .hint("publish from them: prefix-tree and hybrid-tree need nothing but counts"));
        }
        match self.memory.data(path) {
            Some(raw) => Ok(Loaded::Data(raw)),
            None => load(path),
        }
    }

    /// Prints the result: one object for machines, or a text for people.
    pub(crate) fn result(&self, machine: impl FnOnce() -> Value, person: &str) -> Result<()> {
        if self.listener.is_some() {
            if let Ok(mut answered) = self.answered.lock() {
                *answered = Some((machine(), person.to_owned()));
            }
            return Ok(());
        }
        if self.json {
            self.print(&format!("{}\n", machine()))
        } else {
            self.print(person)
        }
    }

    /// Writes to standard output. A reader that went away is no failure of ours.
    pub(crate) fn print(&self, text: &str) -> Result<()> {
        if self.listener.is_some() {
            let whole = Value::String(text.to_owned());
            return self.result(|| whole, text);
        }
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        match written {
            Err(cause) if cause.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|cause| Error::system("cannot write the result", cause)),
        }
    }

    /// Says what goes on, to people only.
    pub(crate) fn say(&self, text: &str) {
        if let Some(listener) = &self.listener {
            listener.say(text);
        } else if !self.quiet && !self.json {
            eprintln!("{text}");
        }
    }

    /// Warns; also in quiet mode, since a warning is about safety.
    pub(crate) fn warn(&self, text: &str) {
        match &self.listener {
            Some(listener) => listener.warn(text),
            None => eprintln!("warning: {text}"),
        }
    }

    /// Prints a failure.
    pub(crate) fn fail(&self, error: &Error) {
        eprintln!("error: {error}");
        if let Some(advice) = error.advice() {
            eprintln!(" help: {advice}");
        }
        if self.json {
            let place = error.place();
            let kind = match error.kind() {
                Kind::Refused => "refused",
                Kind::Input => "input",
                _ => "system",
            };
            let object = json!({ "error": {
                "kind": kind,
                "message": error.message(),
                "file": place.map(|place| &place.file),
                "line": place.and_then(|place| place.line),
                "column": place.and_then(|place| place.column.as_ref()),
                "help": error.advice(),
            }});
            // The exit code already tells; a closed output adds nothing.
            let _ = self.print(&format!("{object}\n"));
        }
    }

    fn with_bar(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        if let Ok(mut bar) = self.bar.lock() {
            act(&mut bar);
        }
    }
}

impl Progress for Terminal {
    fn warn(&self, warning: &str) {
        Terminal::warn(self, warning);
    }

    fn begin(&self, step: &str, total: Option<u64>) {
        if let Some(listener) = &self.listener {
            listener.begin(step, total);
        }
        if self.quiet || self.json || !std::io::stderr().is_terminal() {
            return;
        }
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {elapsed}");
        let bar = match (total, style) {
            (Some(total), Ok(style)) => ProgressBar::new(total).with_style(style),
            _ => ProgressBar::new_spinner(),
        };
        bar.set_message(step.to_owned());
        self.with_bar(|slot| *slot = Some(bar));
    }

    fn advance(&self, parts: u64) {
        if let Some(listener) = &self.listener {
            listener.advance(parts);
        }
        self.with_bar(|slot| {
            if let Some(bar) = slot {
                bar.inc(parts);
            }
        });
    }

    fn end(&self) {
        if let Some(listener) = &self.listener {
            listener.end();
        }
        self.with_bar(|slot| {
            if let Some(bar) = slot.take() {
                bar.finish_and_clear();
            }
        });
    }
}
