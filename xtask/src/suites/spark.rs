//! Records that stay on Apache Spark: a cluster on the loopback, and the wheel on it.
//!
//! The cluster is a master and workers, each a process of its own, which the tests start, kill and end by their ids.
//! It has nothing of the source tree but the tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::cargo::expect;
use super::{Stop, packages, python, wheel};
use crate::command::succeeds;
use crate::scratch::Scratch;
use crate::workspace::Workspace;

const CHECK_LIMIT: u64 = 15 * 60;
const BENCH_LIMIT: u64 = 60 * 60;

/// The Spark of the tests, and the oldest one that the package goes with.
struct Version {
    requirements: &'static str,
    environment: &'static str,
    /// What the tests must leave out.
    without: &'static [&'static str],
    /// Whether the page's own submission is tried.
    submits: bool,
}

const NOW: Version = Version {
    requirements: "requirements.txt",
    environment: "spark-venv",
    without: &[],
    submits: true,
};

/// Its server of Spark Connect is no part of the package.
const BEFORE: Version = Version {
    requirements: "requirements-3.5.txt",
    environment: "spark-3.5-venv",
    without: &["--ignore-glob", "*/test_connect.py"],
    submits: false,
};

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    check_on(workspace, &NOW)
}

pub(super) fn check_before(workspace: &Workspace) -> Result<(), Stop> {
    check_on(workspace, &BEFORE)
}

fn check_on(workspace: &Workspace, version: &Version) -> Result<(), Stop> {
    let (python, wheel) = ready(workspace, version)?;
    let scratch = Scratch::new("spark")?;
    let mut pytest = command(&python, &scratch);
    if version.submits {
        pytest.env("WAYVEIL_PACKED", to_pack(workspace, &wheel)?);
    }
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    pytest.args(["--durations", "5"]);
    pytest.args(version.without);
    pytest.arg(workspace.root.join("xtask/spark"));
    expect(pytest, CHECK_LIMIT)
}

/// Measures what is sent between executors and to the driver, and how time and memory grow.
pub(crate) fn bench(workspace: &Workspace, words: &[String]) -> Result<(), Stop> {
    let (python, _) = ready(workspace, &NOW)?;
    let scratch = Scratch::new("spark-bench")?;
    let mut script = command(&python, &scratch);
    // Warnings about books and seeds would stand between the rows of tables.
    script.args(["-W", "ignore"]);
    script.arg(workspace.root.join("xtask/spark/bench.py"));
    script.args(words);
    expect(script, BENCH_LIMIT)
}

/// An environment as `docs/spark.md` packs it for executors: the wheel and what it needs there, without Spark.
fn to_pack(workspace: &Workspace, wheel: &Path) -> Result<PathBuf, Stop> {
    let name = "spark-pack-venv";
    let requirements = workspace.root.join("xtask/spark/requirements-pack.txt");
    let python = python::environment(&workspace.target, name, &requirements, "pyarrow")?;
    wheel::install(&python, wheel)?;
    Ok(workspace.target.join(name))
}

/// A Python with Spark and the wheel, and the wheel's file.
fn ready(workspace: &Workspace, version: &Version) -> Result<(PathBuf, PathBuf), Stop> {
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
        version.environment,
        &workspace
            .root
            .join("xtask/spark")
            .join(version.requirements),
        "pyspark",
    )?;
    wheel::install(&python, &wheel)?;
    Ok((python, wheel))
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
