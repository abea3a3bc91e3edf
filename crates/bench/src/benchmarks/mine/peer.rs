//! PrefixSpan-py in a process of its own, which has read the data and waits to be told to mine.

use std::path::{Path, PathBuf};
use std::process::Command;

use wayveil_evaluate::mine::Pattern;

use crate::benchmarks::python::{self, Talk};

const PACKAGES: [&str; 2] = ["prefixspan==0.5.2", "extratools==0.8.2.1"];

/// Answers each line with one line: the patterns for `patterns`, the peak memory in bytes for
/// `peak`, and their number for anything else.
const PROGRAM: &str = r#"
import json, resource, sys
from prefixspan import PrefixSpan

file, support, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(file) as lines:
    records = [[int(word) for word in line.split()] for line in lines]
for command in sys.stdin:
    if command == "peak\n":
        answer = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    else:
        miner = PrefixSpan(records)
        miner.minlen, miner.maxlen = 1, length
        found = miner.frequent(support)
        answer = found if command == "patterns\n" else len(found)
    print(json.dumps(answer), flush=True)
"#;

/// A Python with the packages. An error says what is missing.
pub(super) fn python() -> Result<PathBuf, String> {
    python::environment("bench-python", "import prefixspan", &PACKAGES)
}

pub(super) struct Peer(Talk);

impl Peer {
    pub(super) fn start(
        python: &Path,
        file: &Path,
        support: u64,
        max_length: usize,
    ) -> Result<Self, String> {
        let numbers = [support.to_string(), max_length.to_string()];
        let mut program = Command::new(python);
        program.args(["-c", PROGRAM]).arg(file).args(numbers);
        Talk::start("PrefixSpan-py", program).map(Self)
    }

    /// Mines once.
    pub(super) fn run(&mut self) -> Result<(), String> {
        self.0.answer("run").map(drop)
    }

    /// The patterns that it finds.
    pub(super) fn patterns(&mut self) -> Result<Vec<Pattern>, String> {
        let answer = self.0.answer("patterns")?;
        let found: Vec<(u64, Vec<u32>)> =
            serde_json::from_str(&answer).map_err(|e| e.to_string())?;
        let pattern = |(support, codes)| Pattern { codes, support };
        Ok(found.into_iter().map(pattern).collect())
    }

    /// Its peak memory so far, data and interpreter included.
    pub(super) fn peak_bytes(&mut self) -> Result<u64, String> {
        let answer = self.0.answer("peak")?;
        serde_json::from_str(&answer).map_err(|e| e.to_string())
    }
}
