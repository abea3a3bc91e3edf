//! The sources in Kotlin, Swift and Python, and the library that they call.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::Stop;
use super::super::cargo::expect;
use crate::workspace::Workspace;

const BUILD_LIMIT: u64 = 60 * 60;
const WRITE_LIMIT: u64 = 2 * 60;

/// The library of this machine, not stripped: sources are made from what its symbols say.
pub(super) struct Library {
    path: PathBuf,
}

impl Library {
    /// As the release profile has built it; it lies one folder up only if it was asked for by name.
    pub(super) fn built(workspace: &Workspace) -> Self {
        Self {
            path: workspace.target.join("release/deps").join(file_name()),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn name(&self) -> String {
        file_name()
    }

    /// Writes folders `kotlin`, `swift` and `python`.
    pub(super) fn write_sources(&self, workspace: &Workspace, to: &Path) -> Result<(), Stop> {
        let name = format!("wayveil-bindgen{}", std::env::consts::EXE_SUFFIX);
        let mut bindgen = Command::new(workspace.target.join("release").join(name));
        bindgen.arg(&self.path);
        bindgen.arg(workspace.root.join("crates/phone/bindings.toml"));
        bindgen.arg(to);
        expect(bindgen, WRITE_LIMIT)
    }
}

fn file_name() -> String {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    format!("{DLL_PREFIX}wayveil_phone{DLL_SUFFIX}")
}

/// `cargo xtask bindings -o FOLDER`: sources and a small library, in a folder that is not there yet.
pub(crate) fn command(workspace: &Workspace, to: &Path) -> Result<(), Stop> {
    if to.exists() {
        return Err(Stop::failed(format!(
            "{} is there already: remove it, or name another folder",
            to.display()
        )));
    }
    let build = |words: &[&str]| {
        let mut cargo = workspace.cargo(&["build", "-p", "wayveil-phone", "--locked"]);
        cargo.args(words);
        expect(cargo, BUILD_LIMIT)
    };
    build(&["--release", "--features", "bindgen"])?;
    build(&["--profile", "phone", "--lib"])?;
    // Whole or not at all: what is not finished has another name.
    let mut unfinished = to.as_os_str().to_owned();
    unfinished.push(format!(".wayveil-tmp-{}", std::process::id()));
    let unfinished = PathBuf::from(unfinished);
    let made = write_all(workspace, &unfinished).and_then(|()| Ok(fs::rename(&unfinished, to)?));
    if made.is_err() {
        // Nothing more can be done about a folder that cannot be removed.
        let _ = fs::remove_dir_all(&unfinished);
    }
    made
}

fn write_all(workspace: &Workspace, folder: &Path) -> Result<(), Stop> {
    fs::create_dir_all(folder.join("lib"))?;
    Library::built(workspace).write_sources(workspace, folder)?;
    for name in [file_name(), "libwayveil_phone.a".to_owned()] {
        let library = workspace.target.join("phone").join(&name);
        if library.exists() {
            let bytes = fs::copy(library, folder.join("lib").join(&name))?;
            println!("{name}: {bytes} bytes");
        }
    }
    Ok(())
}
