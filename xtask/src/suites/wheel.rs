//! The Python package as its users have it: a wheel that is built here and installed elsewhere.
//!
//! Two environments: an empty one, in which the lines of README.md run as they stand, and one with what
//! data people have beside it, in which the package's own tests run. Neither sees the source tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cargo::{FEATURES, expect};
use super::program::Program;
use super::{Stop, python};
use crate::readme::python_blocks;
use crate::workspace::Workspace;

const BUILD_LIMIT: u64 = 60 * 60;
const CHECK_LIMIT: u64 = 15 * 60;
const INSTALL_LIMIT: u64 = 5 * 60;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    python::require()?;
    let wheel = build(workspace)?;
    let program = Program::build(workspace)?;
    as_a_newcomer(workspace, &wheel, &program)?;
    as_a_researcher(workspace, &wheel, &program)
}

/// Measures how taps pass from frames into the package, beside Rust from Parquet.
pub(crate) fn bench(workspace: &Workspace, words: &[String]) -> Result<(), Stop> {
    python::require()?;
    let wheel = build(workspace)?;
    let python = with_tests(workspace, &wheel)?;
    let mut cargo = workspace.cargo(&["build", "--workspace", "--examples"]);
    cargo.args(["--release", "--locked", "--features", FEATURES]);
    expect(cargo, BUILD_LIMIT)?;
    let name = format!("read_taps{}", std::env::consts::EXE_SUFFIX);
    let mut script = Command::new(python);
    script.arg(workspace.root.join("xtask/wheel/bench_taps.py"));
    script.arg(workspace.target.join("release/examples").join(name));
    script.args(words);
    expect(script, BUILD_LIMIT)
}

/// Builds the wheel into an empty folder.
pub(super) fn build(workspace: &Workspace) -> Result<PathBuf, Stop> {
    build_of(workspace, &workspace.root, "wheels")
}

/// Builds the wheel of a copy of the project, with the workspace's dependencies, into an empty folder of that name.
pub(super) fn build_of(workspace: &Workspace, root: &Path, name: &str) -> Result<PathBuf, Stop> {
    let tools = python::environment(
        &workspace.target,
        "wheel-tools-venv",
        &workspace.root.join("xtask/wheel/requirements-build.txt"),
        "maturin",
    )?;
    let folder = workspace.target.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut maturin = Command::new(tools);
    maturin.args(["-m", "maturin", "build", "--release", "--locked", "--out"]);
    maturin.arg(&folder).arg("--manifest-path");
    maturin.arg(root.join("crates/python/Cargo.toml"));
    maturin.env("CARGO_TARGET_DIR", &workspace.target);
    maturin.current_dir(root);
    expect(maturin, BUILD_LIMIT)?;
    let mut wheels = fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = wheels.find(|path| path.extension().is_some_and(|ending| ending == "whl"));
    wheel.ok_or_else(|| Stop::failed("maturin has built no wheel"))
}

/// An empty environment, the wheel, and the lines that README.md shows.
fn as_a_newcomer(workspace: &Workspace, wheel: &Path, program: &Program) -> Result<(), Stop> {
    let python = alone(workspace, wheel, "wheel-empty-venv")?;
    let page = fs::read_to_string(workspace.root.join("README.md"))?;
    let blocks = python_blocks(&page);
    if blocks.is_empty() {
        return Err(Stop::failed("README.md shows no Python"));
    }
    let script = program.aside("readme.py");
    fs::write(&script, blocks.join("\n"))?;
    let mut run = program.command(&python);
    run.arg(&script);
    expect(run, CHECK_LIMIT)
}

/// A new environment that holds the wheel and nothing else. Its Python is returned.
pub(super) fn alone(workspace: &Workspace, wheel: &Path, name: &str) -> Result<PathBuf, Stop> {
    let folder = workspace.target.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(&folder);
    expect(venv, INSTALL_LIMIT)?;
    let python = folder.join("bin/python");
    install(&python, wheel)?;
    Ok(python)
}

/// The package's own tests, on the wheel.
fn as_a_researcher(workspace: &Workspace, wheel: &Path, program: &Program) -> Result<(), Stop> {
    let tests = workspace.root.join("crates/python/tests");
    let python = with_tests(workspace, wheel)?;
    let mut pytest = program.command(&python);
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    pytest.arg(&tests).env("PYTHONDONTWRITEBYTECODE", "1");
    pytest.env("WAYVEIL_PROGRAM", program.binary());
    expect(pytest, CHECK_LIMIT)
}

/// An environment with the wheel and what its tests need. Its Python is returned.
fn with_tests(workspace: &Workspace, wheel: &Path) -> Result<PathBuf, Stop> {
    let python = python::environment(
        &workspace.target,
        "wheel-tests-venv",
        &workspace.root.join("crates/python/tests/requirements.txt"),
        "pytest",
    )?;
    install(&python, wheel)?;
    Ok(python)
}

/// Replaces what is installed: the version stays, the wheel changes.
pub(super) fn install(python: &Path, wheel: &Path) -> Result<(), Stop> {
    let mut pip = Command::new(python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    pip.args(["--no-index", "--no-deps", "--force-reinstall"]);
    pip.arg(wheel);
    expect(pip, INSTALL_LIMIT)
}
