//! Records that stay on Apache Spark: a cluster on the loopback, and the wheel on it.
//!
//! The cluster is a master and workers, each a process of its own, which the tests start, kill and end by their ids.
//! It has nothing of the source tree but the tests.

use std::path::PathBuf;
use std::process::Command;

use super::cargo::expect;
use super::{Stop, packages, python, wheel};
use crate::command::succeeds;
use crate::scratch::Scratch;
use crate::workspace::Workspace;

const CHECK_LIMIT: u64 = 15 * 60;
const BENCH_LIMIT: u64 = 60 * 60;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    let python = ready(workspace)?;
    let scratch = Scratch::new("spark")?;
    let mut pytest = command(&python, &scratch);
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    pytest.args(["--durations", "5"]);
    pytest.arg(workspace.root.join("xtask/spark"));
    expect(pytest, CHECK_LIMIT)
}

/// Measures what is sent between executors and to the driver, and how time and memory grow.
pub(crate) fn bench(workspace: &Workspace, words: &[String]) -> Result<(), Stop> {
    let python = ready(workspace)?;
    let scratch = Scratch::new("spark-bench")?;
    let mut script = command(&python, &scratch);
    script.arg(workspace.root.join("xtask/spark/bench.py"));
    script.args(words);
    expect(script, BENCH_LIMIT)
}

/// A Python with Spark and the wheel.
fn ready(workspace: &Workspace) -> Result<PathBuf, Stop> {
    python::require()?;
    let java = || succeeds("java", &["-version"]);
    if !java() {
        packages::install(&["openjdk-17-jre-headless"]);
    }
    if !java() {
        return Err(Stop::skipped("Java 17 is missing, which Spark runs on"));
    }
    let wheel = wheel::build(workspace)?;
    let python = python::environment(
        &workspace.target,
        "spark-venv",
        &workspace.root.join("xtask/spark/requirements.txt"),
        "pyspark",
    )?;
    wheel::install(&python, &wheel)?;
    Ok(python)
}

/// A command in an empty folder, with an empty home and no books.
fn command(python: &PathBuf, scratch: &Scratch) -> Command {
    let mut command = Command::new(python);
    command.current_dir(scratch.path());
    command.env("HOME", scratch.path());
    command.env("WAYVEIL_LEDGER", scratch.path().join("ledger.sqlite"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
