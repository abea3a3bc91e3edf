//! The recipe for a mechanism, followed to the letter: its blocks go into a copy of the project, which is built and asked
//! for the toy, as a program and as a Python package.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::Stop;
use super::cargo::expect;
use super::{python, wheel};
use crate::readme;
use crate::workspace::Workspace;

const PAGE: &str = "docs/extending.md";
const BUILD_LIMIT: u64 = 30 * 60;
const RUN_LIMIT: u64 = 5 * 60;
const TOY: &str = "landmarks";

/// What a user of the package would type, with the ways to the command line's list that lead through Python.
const IN_PYTHON: &str = r#"
import wayveil

data = wayveil.generate("metro", records=2000, insecure_seed=1)
release = wayveil.publish(data, "landmarks", epsilon=1, output="toy-of-python")
assert release.manifest["method"]["name"] == "landmarks", release.manifest
assert len(release.trajectories) > 0
print(wayveil.evaluate(data, release, metrics=["location-divergence"]))
assert wayveil.audit("landmarks", epsilon=1, runs=300).ok
try:
    wayveil.publish(data, "landmark", epsilon=1, output="none")
except wayveil.Error as error:
    assert "landmarks" in str(error), error
else:
    raise AssertionError("a method that does not exist was published")
"#;

pub(super) fn check(workspace: &Workspace) -> Result<(), Stop> {
    let page = fs::read_to_string(workspace.root.join(PAGE))?;
    let copy = workspace.target.join("recipe");
    copy_tracked(&workspace.root, &copy)?;
    add_toy(&page, &copy)?;
    // Dependencies are those that were built already, as for the whole workspace; the crates of the copy are its own.
    let build = [
        "build",
        "--workspace",
        "--bin",
        "wayveil",
        "--release",
        "--locked",
    ];
    let mut cargo = workspace.cargo(&build);
    cargo
        .env("CARGO_TARGET_DIR", &workspace.target)
        .current_dir(&copy);
    expect(cargo, BUILD_LIMIT)?;
    let program = copy.join("wayveil-with-toy");
    fs::copy(workspace.target.join("release/wayveil"), &program)?;
    // The project's own program takes its place again.
    expect(workspace.cargo(&build), BUILD_LIMIT)?;
    let place = crate::scratch::Scratch::new("recipe")?;
    for line in [
        "generate metro --records 2000 --insecure-seed 1 -o metro.parquet",
        "publish landmarks metro.parquet --epsilon 1 -o toy",
        "evaluate metro.parquet toy --metric location-divergence",
        "evaluate metro.parquet --publish landmarks --sweep epsilon=0.5,1 --metric location-divergence",
        "audit landmarks --epsilon 1 --runs 300",
        "attack metro.parquet toy --victims 20",
    ] {
        expect(run(&program, place.path(), line), RUN_LIMIT)
            .map_err(|_| Stop::failed(format!("{PAGE}: the toy fails at: wayveil {line}")))?;
    }
    for line in ["publish --help", "audit --help", "completions bash"] {
        let output = run(&program, place.path(), line).output()?;
        if !String::from_utf8_lossy(&output.stdout).contains(TOY) {
            return Err(Stop::failed(format!(
                "{PAGE}: wayveil {line} does not know {TOY}"
            )));
        }
    }
    in_python(workspace, &copy, place.path())
}

/// The package of the copy, in an environment of its own.
fn in_python(workspace: &Workspace, copy: &Path, place: &Path) -> Result<(), Stop> {
    python::require()?;
    let built = wheel::build_of(workspace, copy, "recipe-wheels")?;
    let python = wheel::alone(workspace, &built, "recipe-venv")?;
    let script = place.join("toy.py");
    fs::write(&script, IN_PYTHON)?;
    let mut command = Command::new(python);
    command
        .arg(&script)
        .env("WAYVEIL_LEDGER", place.join("ledger.sqlite"))
        .current_dir(place);
    expect(command, RUN_LIMIT)
        .map_err(|_| Stop::failed(format!("{PAGE}: Python does not know the toy")))
}

fn run(program: &Path, place: &Path, line: &str) -> Command {
    let mut command = Command::new(program);
    command
        .args(line.split_whitespace())
        .env("WAYVEIL_LEDGER", place.join("ledger.sqlite"))
        .current_dir(place);
    command
}

/// Copies what is tracked, or would be, and leaves alone what did not change, so that little is built again.
fn copy_tracked(root: &Path, copy: &Path) -> Result<(), Stop> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()?;
    if !listed.status.success() {
        return Err(Stop::skipped("git does not list the project's files"));
    }
    for path in String::from_utf8_lossy(&listed.stdout).lines() {
        let Ok(text) = fs::read(root.join(path)) else {
            continue;
        };
        let target = copy.join(path);
        if fs::read(&target).is_ok_and(|known| known == text) {
            continue;
        }
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(target, text)?;
    }
    Ok(())
}

/// Does what the page says: a file, a module, an entry.
fn add_toy(page: &str, copy: &Path) -> Result<(), Stop> {
    let blocks = readme::blocks_of(page, "rust");
    let [file, module, entry] = &blocks[..] else {
        return Err(Stop::failed(format!(
            "{PAGE} must show three blocks of Rust"
        )));
    };
    let mechanisms = copy.join("crates/mechanisms/src");
    fs::create_dir_all(mechanisms.join(TOY))?;
    fs::write(mechanisms.join(TOY).join("mod.rs"), file)?;
    let library = fs::read_to_string(mechanisms.join("lib.rs"))?;
    let library = library.replacen("mod list;\n", &format!("mod list;\n{module}"), 1);
    fs::write(mechanisms.join("lib.rs"), library)?;
    let list = fs::read_to_string(mechanisms.join("list.rs"))?;
    let (before, after) = list
        .split_once("\n];\n")
        .ok_or_else(|| Stop::failed("the list of mechanisms does not end as expected"))?;
    fs::write(
        mechanisms.join("list.rs"),
        format!("{before}\n{entry}];\n{after}"),
    )?;
    Ok(())
}
