//! The recipes for a mechanism, a metric and an attack, followed: their blocks go into a copy of the project, which is
//! built and asked for the toys, as a program and as a Python package.

use std::collections::BTreeSet;
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

data = wayveil.generate("metro", records=2000, seed=1)
release = wayveil.publish(data, "landmarks", epsilon=1, output="toy-of-python")
assert release.manifest["method"]["name"] == "landmarks", release.manifest
assert len(release.trajectories) > 0
print(wayveil.evaluate(data, release, metrics=["record-count-error"]))
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
    add_toys(&page, &copy)?;
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
        "evaluate metro.parquet toy --metric record-count-error",
        "evaluate metro.parquet --publish landmarks --sweep epsilon=0.5,1 --metric record-count-error",
        "audit landmarks --epsilon 1 --runs 300",
        "attack metro.parquet toy --victims 20 --attack ends",
    ] {
        expect(run(&program, place.path(), line), RUN_LIMIT)
            .map_err(|_| Stop::failed(format!("{PAGE}: the toy fails at: wayveil {line}")))?;
    }
    for (line, toy) in [
        ("publish --help", TOY),
        ("audit --help", TOY),
        ("completions bash", TOY),
        ("evaluate --list", "record-count-error"),
        ("attack --list", "ends"),
    ] {
        let output = run(&program, place.path(), line).output()?;
        if !String::from_utf8_lossy(&output.stdout).contains(toy) {
            return Err(Stop::failed(format!(
                "{PAGE}: wayveil {line} does not know {toy}"
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
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    for path in listed.lines() {
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
    remove_others(copy, copy, &listed.lines().collect())
}

/// Removes what the project does not have any more: a module must not stand in two places.
fn remove_others(copy: &Path, folder: &Path, known: &BTreeSet<&str>) -> Result<(), Stop> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(copy, &path, known)?;
            continue;
        }
        let name = path.strip_prefix(copy).unwrap_or(&path);
        if !known.contains(name.to_string_lossy().as_ref()) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Where a block of the page goes: a file of its own, its module after another's, its line at the end of a list.
const PLACES: [(&str, &str, &str, &str, &str); 3] = [
    (
        "crates/mechanisms/src",
        "landmarks/mod.rs",
        "lib.rs",
        "mod list;\n",
        "list.rs",
    ),
    (
        "crates/evaluate/src/metrics",
        "record_count_error.rs",
        "mod.rs",
        "mod mutual_information;\n",
        "mod.rs",
    ),
    (
        "crates/evaluate/src/attack",
        "ends.rs",
        "mod.rs",
        "mod daytime;\n",
        "mod.rs",
    ),
];

/// Does what the page says: a file, a module, an entry, for each of the toys.
fn add_toys(page: &str, copy: &Path) -> Result<(), Stop> {
    let blocks = readme::blocks_of(page, "rust");
    let parts = blocks.chunks_exact(3);
    if blocks.len() != 3 * PLACES.len() {
        let blocks = 3 * PLACES.len();
        return Err(Stop::failed(format!(
            "{PAGE} must show {blocks} blocks of Rust"
        )));
    }
    for ((folder, file, modules, after, list), part) in PLACES.into_iter().zip(parts) {
        let folder = copy.join(folder);
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(path, &part[0])?;
        let modules = folder.join(modules);
        let text = fs::read_to_string(&modules)?;
        let with = text.replacen(after, &format!("{after}{}", part[1]), 1);
        fs::write(&modules, with)?;
        let list = folder.join(list);
        let text = fs::read_to_string(&list)?;
        let all = text.find(" ALL: ").unwrap_or_default();
        let end = text[all..].find("\n];\n").map(|end| all + end + 1);
        let end = end.ok_or_else(|| Stop::failed("a list does not end as expected"))?;
        fs::write(
            &list,
            format!("{}{}{}", &text[..end], part[2], &text[end..]),
        )?;
    }
    Ok(())
}
