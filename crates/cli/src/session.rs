//! Commands run for another program: data in memory beside files, answers as values.
//!
//! The words are those of the command line, read by the same parser, so that flags, checks and errors are
//! the same wherever a command is given.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{CommandFactory, Parser};
use serde_json::Value;
use wayveil_core::{Counted, Dataset, Error, Raw};
use wayveil_io::tables::Handed;

use crate::arguments::Arguments;
use crate::commands;
use crate::memory::{Foreign, Memory};
use crate::terminal::Terminal;

/// Hears what goes on while a command runs.
pub trait Listener: Send + Sync {
    /// A remark.
    fn say(&self, text: &str);
    /// A warning.
    fn warn(&self, text: &str);
    /// A step of long work begins.
    fn begin(&self, step: &str, total: Option<u64>);
    /// Some parts of it are done.
    fn advance(&self, parts: u64);
    /// The step is done.
    fn end(&self);
}

/// What a command has answered.
#[derive(Debug)]
pub struct Answer {
    /// Whether the answer is yes; a check that fails is a no, not a failure.
    pub yes: bool,
    /// The object that `--json` prints.
    pub object: Value,
    /// What people would read.
    pub text: String,
}

/// Why a command did not run to its end.
#[derive(Debug)]
pub enum Failure {
    /// Its words were not understood; in words.
    Usage(String),
    /// It failed.
    Error(Box<Error>),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(Box::new(error))
    }
}

/// Data held in memory, and who listens.
pub struct Session {
    memory: Arc<Memory>,
    listener: Arc<dyn Listener>,
}

impl Session {
    /// A session without data.
    pub fn new(listener: Arc<dyn Listener>) -> Self {
        Self {
            memory: Arc::default(),
            listener,
        }
    }

    /// Holds data under a name, by which commands may ask for it instead of a file.
    pub fn hold(&self, name: impl Into<PathBuf>, raw: Raw<Dataset>) {
        self.memory.hold(name.into(), raw);
    }

    /// Holds records that stay elsewhere under a name, by which `publish` may ask for them once.
    pub fn hold_counted(&self, name: impl Into<PathBuf>, counted: Counted) {
        self.memory.hold_counted(name.into(), counted);
    }

    /// Hands over a table, for `import --format parquet` to read once instead of a file.
    pub fn hand(&self, name: impl Into<PathBuf>, table: Handed, rows: Option<u64>) {
        self.memory.hand(name.into(), table, rows);
    }

    /// Data that a command would write under this name stays in memory; [`Self::held`] has it then.
    pub fn keep(&self, name: impl Into<PathBuf>) {
        self.memory.want(name.into());
    }

    /// The data held under a name.
    pub fn held(&self, name: &Path) -> Option<Raw<Dataset>> {
        self.memory.data(name)
    }

    /// Makes a mechanism known under a name, for `evaluate --publish NAME`, for `attack` in the place of a
    /// release, and for [`Self::audit`]. Nothing that it makes can be written.
    pub fn teach(&self, name: impl Into<String>, mechanism: Foreign) {
        self.memory.teach(name.into(), mechanism);
    }

    /// Runs a command, given as on the command line without the program's name.
    pub fn run(&self, words: &[String]) -> Result<Answer, Failure> {
        let all = std::iter::once("wayveil").chain(words.iter().map(String::as_str));
        let arguments = Arguments::try_parse_from(all)
            .map_err(|error| commands::another_methods_flag(error, words))
            .map_err(|error| Failure::Usage(error.render().to_string()))?;
        self.answer(|terminal| commands::run(arguments.command, terminal))
    }

    /// As the command `audit`, with its flags, on a mechanism that [`Self::teach`] made known.
    pub fn audit(&self, mechanism: &str, flags: &[String]) -> Result<Answer, Failure> {
        let common = commands::audit::CommonArguments::read(flags)
            .map_err(|error| Failure::Usage(error.render().to_string()))?;
        let known = self.memory.mechanism(mechanism).ok_or_else(|| {
            Failure::from(Error::input(format!("there is no mechanism {mechanism:?}")))
        })?;
        self.answer(|terminal| commands::audit::examine(known.as_ref(), &common, terminal))
    }

    fn answer(
        &self,
        command: impl FnOnce(&Terminal) -> wayveil_core::Result<bool>,
    ) -> Result<Answer, Failure> {
        let terminal = Terminal::heard_by(Arc::clone(&self.listener), Arc::clone(&self.memory));
        let yes = command(&terminal)?;
        let (object, text) = terminal.into_answer().unwrap_or_default();
        Ok(Answer { yes, object, text })
    }
}

/// The command line, with every command, flag and word of help.
pub fn command_line() -> clap::Command {
    Arguments::command()
}
