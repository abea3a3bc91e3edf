//! Every check of the project, as a list of suites.
//!
//! A suite that fails does not stop the next: one run tells everything that is wrong. A suite that
//! lacks a tool is skipped with a reason, unless the caller is strict, as a build server is.

pub(crate) mod bindings;
pub(crate) mod browser;
pub(crate) mod cargo;
pub(crate) mod dashboard;
mod demo;
mod oracle;
mod packages;
pub(crate) mod postgres;
pub(crate) mod program;
mod python;
mod readme;
mod recipe;
mod recipient;
pub(crate) mod site;
pub(crate) mod spark;
mod summary;
pub(crate) mod wheel;

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use crate::workspace::Workspace;
use summary::{Line, Outcome};

/// Why a suite did not pass.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Failed(String),
    Skipped(String),
}

impl Stop {
    fn failed(why: impl Into<String>) -> Self {
        Stop::Failed(why.into())
    }

    fn skipped(why: impl Into<String>) -> Self {
        Stop::Skipped(why.into())
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Failed(error.to_string())
    }
}

type Check = fn(&Workspace) -> Result<(), Stop>;

/// The suites in the order in which they run: the quick ones first, then those that use what
/// `tests` has built.
const SUITES: &[(&str, Check)] = &[
    ("format", cargo::format),
    ("lint", cargo::lint),
    ("tests", cargo::tests),
    ("docs", cargo::docs),
    ("demo", demo::check),
    ("site", site::check),
    ("readme", readme::check),
    ("recipient", recipient::check),
    ("oracle", oracle::check),
    ("browser", browser::check),
    ("python", wheel::check),
    ("spark", spark::check),
    ("bindings", bindings::check),
    ("recipe", recipe::check),
];

/// Suites that take long and show little more; they run when they are named.
const BESIDES: &[(&str, Check)] = &[("spark-3.5", spark::check_before)];

/// The names of the suites.
pub(crate) fn names() -> Vec<&'static str> {
    let all = SUITES.iter().chain(BESIDES);
    all.map(|(name, _)| *name).collect()
}

/// Runs the suites asked for, or all, and prints what came of it.
pub(crate) fn run(workspace: &Workspace, strict: bool, only: &[String]) -> ExitCode {
    let named = |name: &str| only.iter().any(|wanted| wanted == name);
    let usual = SUITES
        .iter()
        .filter(|(name, _)| only.is_empty() || named(name));
    let besides = BESIDES.iter().filter(|(name, _)| named(name));
    let mut lines = Vec::new();
    for (name, check) in usual.chain(besides) {
        println!("\n==== {name}");
        let start = Instant::now();
        let outcome = Outcome::new(check(workspace), strict);
        let line = Line {
            name,
            outcome,
            elapsed: start.elapsed(),
        };
        println!("==== {line}");
        lines.push(line);
    }
    println!("\n{}", summary::table(&lines));
    match lines.iter().any(|line| line.outcome.is_failure()) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}
