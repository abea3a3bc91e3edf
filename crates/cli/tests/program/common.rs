//! Runs the program in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;
use wayveil_core::{
    Clock, Coordinate, Dataset, Location, Origin, Owners, Raw, Sequences, TimeAxis, Universe,
    UniverseDocument,
};

/// An empty folder and the program run in it.
pub(crate) struct Place {
    folder: TempDir,
    /// The ledger lies apart, so that tests see only what they have asked for.
    books: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
            books: tempfile::tempdir().expect("a temporary folder"),
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
            .env("WAYVEIL_LEDGER", self.ledger())
            .current_dir(self.folder.path());
        command
    }

    /// The ledger that the program uses here: never the user's own.
    pub(crate) fn ledger(&self) -> PathBuf {
        self.books.path().join("ledger.sqlite")
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

    /// A JSON file in the folder.
    pub(crate) fn read_json(&self, name: &str) -> Value {
        let text = std::fs::read(self.path(name)).expect("a readable file");
        serde_json::from_slice(&text).expect("one JSON value")
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

/// Writes a data file of three places in Fiji, A, B and C, whose bins of one hour begin at
/// midnight on 4 March 2024 there; B lies across the antimeridian. There are 300 people: each
/// goes from A to B in one hour, 8 o'clock, and to C two hours later. Nobody goes to D.
pub(crate) fn write_timed_data(path: &Path) {
    let location = |label: &str, lng: f64, lat: f64| Location {
        label: label.into(),
        at: Some(Coordinate { lat, lng }),
        ..Location::default()
    };
    let origin = Origin::Declared("test".into());
    let universe = Universe::try_from(UniverseDocument {
        origin: origin.clone(),
        locations: vec![
            location("A", 178.5, -18.0),
            location("B", -179.5, -17.0),
            location("C", 179.5, -17.0),
            location("D", 179.0, -16.0),
        ],
        groups: Vec::new(),
    });
    let axis = TimeAxis {
        clock: Some(Clock {
            starts: "2024-03-04T00:00:00+12:00".into(),
            bin_seconds: 3600,
            zone: "Pacific/Fiji".into(),
        }),
        ..TimeAxis::new(24, origin)
    };
    let mut trips = Sequences::empty(true);
    for _ in 0..300 {
        trips.push(&[0, 1, 2], &[8, 8, 10]);
    }
    let data = Dataset::new(
        Arc::new(universe.expect("a universe")),
        Some(axis),
        trips,
        Owners::EachRecord,
        Vec::new(),
        "fiji".into(),
    );
    let raw = Raw::new(data.expect("fitting columns"));
    wayveil_io::write_dataset(path, &raw, false).expect("a writable folder");
}
