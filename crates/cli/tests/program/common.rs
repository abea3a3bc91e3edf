//! Runs the program in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// An empty folder and the program run in it.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), content).expect("a writable folder");
        self
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wayveil"));
        command
            .args(line.split_whitespace())
            .current_dir(self.folder.path());
        command
    }

    /// Runs a line of arguments and returns exit code, standard output and standard error.
    pub(crate) fn run(&self, line: &str) -> (i32, String, String) {
        let Output {
            status,
            stdout,
            stderr,
        } = self.command(line).output().expect("it starts");
        (
            status.code().expect("it ends by itself"),
            String::from_utf8(stdout).expect("text"),
            String::from_utf8(stderr).expect("text"),
        )
    }

    /// Runs a line that must succeed and returns its standard output.
    pub(crate) fn ok(&self, line: &str) -> String {
        let (code, out, err) = self.run(line);
        assert_eq!(code, 0, "wayveil {line}\n{err}");
        out
    }

    /// Runs a line with `--json` that must succeed and returns the object.
    pub(crate) fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.ok(&format!("{line} --json"))).expect("one JSON object")
    }

    /// Runs a line that must fail with this code, saying all of these; nothing may panic.
    pub(crate) fn fails(&self, line: &str, code: i32, says: &[&str]) {
        let (found, out, err) = self.run(line);
        assert_eq!(found, code, "wayveil {line}\n{out}{err}");
        for part in says {
            assert!(err.contains(part), "wayveil {line}\n{err}\nlacks {part:?}");
        }
        assert!(!err.contains("panicked"), "{err}");
    }

    /// All names in the folder, hidden ones included, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}
