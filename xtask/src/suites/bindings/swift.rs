//! Swift, without a compiler for it: the header and its module by clang, the source by a grammar.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::super::cargo::expect;
use super::super::{Stop, packages, python};
use super::make::Library;
use crate::command::succeeds;
use crate::scratch::Scratch;
use crate::workspace::Workspace;

const CHECK_LIMIT: u64 = 5 * 60;
const MODULE: &str = "WayveilPhoneFFI";
/// Takes the module in as Swift does, and uses what it declares.
const IMPORT: &str = "@import WayveilPhoneFFI;
int main(void) { RustBuffer one = {0}; return (int)one.len + !&ffi_wayveil_phone_rustbuffer_free; }
";

pub(super) fn require() -> Result<(), Stop> {
    let there = || succeeds("clang", &["--version"]);
    if !there() {
        packages::install(&["clang"]);
    }
    match there() {
        true => Ok(()),
        false => Err(Stop::skipped("clang is missing (package clang on Debian)")),
    }
}

pub(super) fn check(
    workspace: &Workspace,
    library: &Library,
    made: &Path,
    scratch: &Scratch,
) -> Result<(), Stop> {
    let swift = made.join("swift");
    let header = swift.join(format!("{MODULE}.h"));
    let mut clang = Command::new("clang");
    clang.args(["-fsyntax-only", "-std=c11", "-Wall", "-Wextra", "-Werror"]);
    clang.args(["-x", "c", "-include"]).arg(&header);
    clang.arg("/dev/null");
    expect(clang, CHECK_LIMIT)?;

    let import = scratch.path().join("import.m");
    fs::write(&import, IMPORT)?;
    let map = swift.join(format!("{MODULE}.modulemap"));
    let mut clang = Command::new("clang");
    clang.args(["-fsyntax-only", "-fmodules", "-fno-implicit-module-maps"]);
    clang.arg(format!("-fmodule-map-file={}", map.display()));
    let cache = scratch.folder("clang-modules")?;
    clang.arg(format!("-fmodules-cache-path={}", cache.display()));
    clang.args(["-Wall", "-Werror"]).arg(&import);
    expect(clang, CHECK_LIMIT)?;

    let here = workspace.root.join("xtask/bindings");
    let python = python::environment(
        &workspace.target,
        "bindings-venv",
        &here.join("requirements.txt"),
        "tree_sitter_swift",
    )?;
    let mut script = Command::new(python);
    script.env("PYTHONDONTWRITEBYTECODE", "1");
    script.arg(here.join("check_swift.py"));
    script.arg(swift.join("WayveilPhone.swift")).arg(header);
    script.arg(library.path());
    script.arg(workspace.root.join("docs/phone.md"));
    expect(script, CHECK_LIMIT)
}
