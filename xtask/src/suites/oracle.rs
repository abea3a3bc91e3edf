//! Metrics against other people's code: numpy, scipy and scikit-learn compute the same numbers on
//! random small data.

use std::process::Command;

use super::cargo::{FEATURES, expect};
use super::{Stop, python};
use crate::workspace::Workspace;

const BUILD_LIMIT: u64 = 60 * 60;
const CHECK_LIMIT: u64 = 10 * 60;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    let here = workspace.root.join("xtask/oracle");
    python::require()?;
    let python = python::environment(
        &workspace.target,
        "oracle-venv",
        &here.join("requirements.txt"),
        "scipy",
    )?;
    // Built by suite `tests` already: the whole workspace is the same set of features.
    let mut cargo = workspace.cargo(&["build", "--workspace", "--examples"]);
    cargo.args(["--release", "--locked", "--features", FEATURES]);
    expect(cargo, BUILD_LIMIT)?;
    let name = format!("metrics_json{}", std::env::consts::EXE_SUFFIX);
    let mut check = Command::new(python);
    check.current_dir(&here).env("PYTHONDONTWRITEBYTECODE", "1");
    check.arg("check_metrics.py");
    check.arg(workspace.target.join("release/examples").join(name));
    expect(check, CHECK_LIMIT)
}
