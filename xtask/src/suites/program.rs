//! The program `wayveil`, run as a stranger would: in an empty folder, with an empty home.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stop;
use super::cargo::{FEATURES, expect, shown};
use crate::command::{self, End};
use crate::scratch::Scratch;
use crate::workspace::Workspace;

const BUILD_LIMIT: u64 = 60 * 60;
const RUN_LIMIT: Duration = Duration::from_secs(10 * 60);
/// Writers put unfinished output under such a name and rename it when it is whole.
const UNFINISHED: &str = ".wayveil-tmp-";

/// The built program with a place to run it in.
pub(crate) struct Program {
    binary: PathBuf,
    /// What it writes to.
    pub(crate) folder: PathBuf,
    scratch: Scratch,
}

impl Program {
    /// Builds the program and its examples, which is nothing to do after suite `tests`: programs and
    /// tests of the whole workspace are the same set of features.
    pub(crate) fn build(workspace: &Workspace) -> Result<Self, Stop> {
        let mut cargo = workspace.cargo(&["build", "--workspace", "--bins", "--examples"]);
        cargo.args(["--tests", "--features", FEATURES, "--release", "--locked"]);
        expect(cargo, BUILD_LIMIT)?;
        let name = format!("wayveil{}", std::env::consts::EXE_SUFFIX);
        let binary = workspace.target.join("release").join(name);
        let scratch = Scratch::new("program")?;
        scratch.folder("home")?;
        let folder = scratch.folder("work")?;
        Ok(Self {
            binary,
            folder,
            scratch,
        })
    }

    /// Where the program lies.
    pub(crate) fn binary(&self) -> &Path {
        &self.binary
    }

    /// A command of any program, in the folder, with `wayveil` on its path.
    pub(super) fn command(&self, program: impl Into<OsString>) -> Command {
        let mut command = Command::new(program.into());
        command.current_dir(&self.folder);
        for (key, _) in std::env::vars_os() {
            let name = key.to_string_lossy();
            if name.starts_with("WAYVEIL_") || name.starts_with("XDG_") {
                command.env_remove(&key);
            }
        }
        command.env("HOME", self.scratch.path().join("home"));
        command.env("WAYVEIL_LEDGER", self.aside("ledger.sqlite"));
        let old = std::env::var_os("PATH").unwrap_or_default();
        let bin = self.binary.parent().map(Path::to_path_buf);
        let folders = bin.into_iter().chain(std::env::split_paths(&old));
        if let Ok(path) = std::env::join_paths(folders) {
            command.env("PATH", path);
        }
        command
    }

    /// Runs `wayveil` with these words.
    pub(super) fn run(&self, words: &[&str]) -> (String, End) {
        let mut command = self.command(&self.binary);
        self.finish(command.args(words))
    }

    /// Runs `wayveil` and keeps what it says on standard error.
    pub(super) fn run_listening(&self, words: &[&str]) -> io::Result<(End, String)> {
        let file = self.scratch.path().join("stderr");
        let mut command = self.command(&self.binary);
        command.args(words).stderr(fs::File::create(&file)?);
        let (_, end) = self.finish(&mut command);
        let said = String::from_utf8_lossy(&fs::read(&file)?).into_owned();
        eprint!("{said}");
        Ok((end, said))
    }

    /// Runs `wayveil`, which must say yes.
    pub(crate) fn expect(&self, words: &[&str]) -> Result<(), Stop> {
        match self.run(words) {
            (_, end) if end.ok() => Ok(()),
            (line, end) => Err(Stop::failed(format!("{line}: {end}"))),
        }
    }

    fn finish(&self, command: &mut Command) -> (String, End) {
        let line = shown(command);
        println!("$ {line}");
        (line, command::run(command, RUN_LIMIT))
    }

    /// A file for the checks themselves, outside the folder that the program writes to.
    pub(crate) fn aside(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Nothing unfinished may be left behind.
    pub(super) fn expect_no_litter(&self) -> Result<(), Stop> {
        match litter(&files(&self.folder)?) {
            None => Ok(()),
            Some(path) => Err(Stop::failed(format!("left behind: {}", path.display()))),
        }
    }
}

/// Every file below a folder with its content; a folder counts as a file without.
pub(super) fn files(folder: &Path) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
            found.insert(path, Vec::new());
        } else {
            let content = fs::read(&path)?;
            found.insert(path, content);
        }
    }
    Ok(found)
}

fn litter(files: &BTreeMap<PathBuf, Vec<u8>>) -> Option<&PathBuf> {
    let unfinished = |path: &&PathBuf| path.to_string_lossy().contains(UNFINISHED);
    files.keys().find(unfinished)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_output_is_seen_at_any_depth() {
        let scratch = Scratch::new("litter").expect("a temporary folder");
        let deep = scratch.folder("a/b").expect("a folder");
        fs::write(deep.join("whole.parquet"), "x").expect("a file");
        assert_eq!(litter(&files(scratch.path()).expect("readable")), None);
        let planted = deep.join(format!("r{UNFINISHED}17"));
        fs::create_dir(&planted).expect("a folder");
        assert_eq!(
            litter(&files(scratch.path()).expect("readable")),
            Some(&planted)
        );
    }
}
