//! Commands run for another program: data in memory beside files, answers as values.
//!
//! The words are those of the command line, read by the same parser, so that flags, checks and errors are
//! the same wherever a command is given.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use clap::{CommandFactory, Parser};
use serde_json::Value;
use wayveil_core::{Dataset, Error, Raw};

use crate::arguments::Arguments;
use crate::commands;
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
    held: Mutex<HashMap<PathBuf, Raw<Dataset>>>,
    listener: Arc<dyn Listener>,
}

impl Session {
    /// A session without data.
    pub fn new(listener: Arc<dyn Listener>) -> Self {
        Self {
            held: Mutex::default(),
            listener,
        }
    }

    /// Holds data under a name, by which commands may ask for it instead of a file.
    pub fn hold(&self, name: impl Into<PathBuf>, raw: Raw<Dataset>) {
        if let Ok(mut held) = self.held.lock() {
            held.insert(name.into(), raw);
        }
    }

    /// Runs a command, given as on the command line without the program's name.
    pub fn run(&self, words: &[String]) -> Result<Answer, Failure> {
        let all = std::iter::once("wayveil").chain(words.iter().map(String::as_str));
        let arguments = Arguments::try_parse_from(all)
            .map_err(|error| commands::another_methods_flag(error, words))
            .map_err(|error| Failure::Usage(error.render().to_string()))?;
        let held = match self.held.lock() {
            Ok(held) => held
                .iter()
                .map(|(name, raw)| (name.clone(), raw.share()))
                .collect(),
            Err(_) => HashMap::new(),
        };
        let terminal = Terminal::heard_by(Arc::clone(&self.listener), held);
        let yes = commands::run(arguments.command, &terminal)?;
        let (object, text) = terminal.into_answer().unwrap_or_default();
        Ok(Answer { yes, object, text })
    }
}

/// The command line, with every command, flag and word of help.
pub fn command_line() -> clap::Command {
    Arguments::command()
}
