//! Peers written in Python: installed when needed, each in a process of its own that has read the data
//! and waits to be told to work.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Why there is no comparison: something is not at hand, or something is wrong.
pub(super) enum Missing {
    Left(String),
    Failed(String),
}

/// A Python with the packages, in an environment beside this program that is made when needed. `check`
/// is a line that runs where the packages are there. An error says what is missing.
pub(super) fn environment(name: &str, check: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let beside = program.parent().ok_or("no folder for an environment")?;
    let folder = beside.join(name);
    let python = folder.join("bin/python");
    if succeeds(Command::new(&python).args(["-c", check])) {
        return Ok(python);
    }
    let mut venv = Command::new("python3");
    if !succeeds(venv.args(["-m", "venv", "--clear"]).arg(&folder)) {
        return Err("python3 with venv is missing".into());
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--retries", "1"]);
    if !succeeds(install.args(packages)) {
        return Err(format!("pip cannot install {}", packages.join(" ")));
    }
    Ok(python)
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// A program that answers each line with one line.
pub(super) struct Talk {
    name: &'static str,
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Talk {
    pub(super) fn start(name: &'static str, mut program: Command) -> Result<Self, String> {
        let mut process = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let questions = process.stdin.take().ok_or("no way to ask Python")?;
        let answers = process.stdout.take().ok_or("no way to hear Python")?;
        Ok(Self {
            name,
            process,
            questions,
            answers: BufReader::new(answers),
        })
    }

    pub(super) fn answer(&mut self, question: &str) -> Result<String, String> {
        writeln!(self.questions, "{question}").map_err(|e| e.to_string())?;
        let mut answer = String::new();
        let read = self.answers.read_line(&mut answer);
        match read.map_err(|e| e.to_string())? {
            0 => Err(format!("{} ended early", self.name)),
            _ => Ok(answer),
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // It may have ended already; there is nothing left to do then.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
