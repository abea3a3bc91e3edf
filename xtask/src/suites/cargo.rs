//! The suites that cargo runs.
//!
//! All of them use the release profile, so that dependencies are compiled once for the program,
//! its tests and its benchmarks, and checked once for lint and documentation.

use std::process::Command;
use std::time::Duration;

use super::Stop;
use super::postgres::Postgres;
use crate::command::{self, succeeds};
use crate::workspace::Workspace;

const MINUTE: u64 = 60;
/// What the quick build leaves out is tested too.
pub(crate) const FEATURES: &str =
    "wayveil/collector,wayveil-bench/collector,wayveil-client/https,wayveil-phone/bindgen";

pub(super) fn format(workspace: &Workspace) -> Result<(), Stop> {
    if !succeeds("cargo", &["fmt", "--version"]) {
        return Err(Stop::skipped(
            "rustfmt is missing (rustup component add rustfmt)",
        ));
    }
    expect(workspace.cargo(&["fmt", "--all", "--check"]), 2 * MINUTE)
}

pub(super) fn lint(workspace: &Workspace) -> Result<(), Stop> {
    if !succeeds("cargo", &["clippy", "--version"]) {
        return Err(Stop::skipped(
            "clippy is missing (rustup component add clippy)",
        ));
    }
    let mut cargo = workspace.cargo(&["clippy", "--workspace", "--all-targets"]);
    cargo.args([
        "--features",
        FEATURES,
        "--release",
        "--locked",
        "--",
        "-D",
        "warnings",
    ]);
    expect(cargo, 40 * MINUTE)
}

pub(super) fn tests(workspace: &Workspace) -> Result<(), Stop> {
    let mut cargo = workspace.cargo(&["test", "--workspace", "--release", "--locked"]);
    cargo.args(["--features", FEATURES]);
    // One run tells everything that is wrong.
    cargo.arg("--no-fail-fast");
    let postgres = Postgres::start();
    match &postgres {
        Ok(server) => server.tell(&mut cargo),
        Err(why) => println!("without PostgreSQL: {why:?}"),
    }
    expect(cargo, 60 * MINUTE)?;
    postgres.map(drop)
}

/// In the release profile most of what lint has checked is used again; in the default one all
/// dependencies would be checked anew.
pub(super) fn docs(workspace: &Workspace) -> Result<(), Stop> {
    let mut cargo = workspace.cargo(&["doc", "--workspace", "--no-deps", "--release", "--locked"]);
    cargo.args(["--features", FEATURES]);
    cargo.env("RUSTDOCFLAGS", "-D warnings");
    expect(cargo, 40 * MINUTE)
}

/// Runs a command that must say yes.
pub(crate) fn expect(mut command: Command, seconds: u64) -> Result<(), Stop> {
    match command::run(&mut command, Duration::from_secs(seconds)) {
        end if end.ok() => Ok(()),
        end => Err(Stop::failed(format!("{}: {end}", shown(&command)))),
    }
}

/// A command as one would type it.
pub(super) fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
