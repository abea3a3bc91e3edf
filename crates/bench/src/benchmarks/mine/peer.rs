//! PrefixSpan-py in a process of its own, which has read the data and waits to be told to mine.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use wayveil_evaluate::mine::Pattern;

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

/// A Python with the packages, in an environment beside this program that is made when needed. An
/// error says what is missing.
pub(super) fn python() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let beside = program.parent().ok_or("no folder for an environment")?;
    let folder = beside.join("bench-python");
    let python = folder.join("bin/python");
    if succeeds(Command::new(&python).args(["-c", "import prefixspan"])) {
        return Ok(python);
    }
    let mut venv = Command::new("python3");
    if !succeeds(venv.args(["-m", "venv", "--clear"]).arg(&folder)) {
        return Err("python3 with venv is missing".into());
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--retries", "1"]);
    if !succeeds(install.args(PACKAGES)) {
        return Err(format!("pip cannot install {}", PACKAGES.join(" ")));
    }
    Ok(python)
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

pub(super) struct Peer {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    pub(super) fn start(
        python: &Path,
        file: &Path,
        support: u64,
        max_length: usize,
    ) -> Result<Self, String> {
        let mut process = Command::new(python)
            .args(["-c", PROGRAM])
            .arg(file)
            .args([support.to_string(), max_length.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let questions = process.stdin.take().ok_or("no way to ask Python")?;
        let answers = process.stdout.take().ok_or("no way to hear Python")?;
        Ok(Self {
            process,
            questions,
            answers: BufReader::new(answers),
        })
    }

    /// Mines once.
    pub(super) fn run(&mut self) -> Result<(), String> {
        self.answer("run").map(drop)
    }

    /// The patterns that it finds.
    pub(super) fn patterns(&mut self) -> Result<Vec<Pattern>, String> {
        let answer = self.answer("patterns")?;
        let found: Vec<(u64, Vec<u32>)> =
            serde_json::from_str(&answer).map_err(|e| e.to_string())?;
        let pattern = |(support, codes)| Pattern { codes, support };
        Ok(found.into_iter().map(pattern).collect())
    }

    /// Its peak memory so far, data and interpreter included.
    pub(super) fn peak_bytes(&mut self) -> Result<u64, String> {
        let answer = self.answer("peak")?;
        serde_json::from_str(&answer).map_err(|e| e.to_string())
    }

    fn answer(&mut self, question: &str) -> Result<String, String> {
        writeln!(self.questions, "{question}").map_err(|e| e.to_string())?;
        let mut answer = String::new();
        let read = self.answers.read_line(&mut answer);
        match read.map_err(|e| e.to_string())? {
            0 => Err("PrefixSpan-py ended early".into()),
            _ => Ok(answer),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended already; there is nothing left to do then.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
