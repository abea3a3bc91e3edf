//! What the recipient of a release does: open it with the tools that they have.
//!
//! The check is a Python program that knows nothing of Wayveil's code, so that it cannot share its
//! mistakes. The packages live in a virtual environment under the target directory.

use std::process::Command;

use super::cargo::expect;
use super::program::Program;
use super::{Stop, python};
use crate::workspace::Workspace;

const CHECK_LIMIT: u64 = 5 * 60;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    let here = workspace.root.join("xtask/recipient");
    python::require()?;
    let python = python::environment(
        &workspace.target,
        "recipient-venv",
        &here.join("requirements.txt"),
        "pyarrow",
    )?;
    let python = || {
        let mut command = Command::new(&python);
        command
            .current_dir(&here)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };

    // A check that catches nothing is worse than none: first the check itself is checked.
    let mut selftest = python();
    selftest.args(["-m", "unittest", "test_check_release"]);
    expect(selftest, CHECK_LIMIT)?;

    let program = Program::build(workspace)?;
    let generate = "generate metro --records 2000 --insecure-seed 1 -o metro.parquet";
    let publish = "publish prefix-tree metro.parquet --epsilon 1 --height 6 -o r/";
    for line in [generate, publish] {
        program.expect(&line.split(' ').collect::<Vec<_>>())?;
    }
    let mut check = python();
    check.arg("check_release.py").arg(program.folder.join("r"));
    check.arg(program.folder.join("metro.parquet"));
    check.arg(workspace.root.join("schemas/manifest.schema.json"));
    expect(check, CHECK_LIMIT)?;
    program.expect_no_litter()
}
