//! What the user sees: results on standard output, everything else on standard error.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use wayveil_core::error::Kind;
use wayveil_core::{Error, Progress, Result};

/// Where the program talks to.
pub(crate) struct Terminal {
    json: bool,
    quiet: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl Terminal {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self {
            json,
            quiet,
            bar: Mutex::new(None),
        }
    }

    /// Prints the result: one object for machines, or a text for people.
    pub(crate) fn result(&self, machine: impl FnOnce() -> Value, person: &str) -> Result<()> {
        if self.json {
            self.print(&format!("{}\n", machine()))
        } else {
            self.print(person)
        }
    }

    /// Writes to standard output. A reader that went away is no failure of ours.
    pub(crate) fn print(&self, text: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        match written {
            Err(cause) if cause.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|cause| Error::system("cannot write the result", cause)),
        }
    }

    /// Says what goes on, to people only.
    pub(crate) fn say(&self, text: &str) {
        if !self.quiet && !self.json {
            eprintln!("{text}");
        }
    }

    /// Warns; also in quiet mode, since a warning is about safety.
    pub(crate) fn warn(&self, text: &str) {
        eprintln!("warning: {text}");
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
        self.with_bar(|slot| {
            if let Some(bar) = slot {
                bar.inc(parts);
            }
        });
    }

    fn end(&self) {
        self.with_bar(|slot| {
            if let Some(bar) = slot.take() {
                bar.finish_and_clear();
            }
        });
    }
}
