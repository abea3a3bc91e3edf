//! Coverage-guided fuzzing of every parser, on the stable toolchain.
//!
//! The programs are those of `fuzz/src/bin`, one for each target of `crates/fuzzing`. What a run
//! finds stays in `fuzz/artifacts`; what it learned stays in `fuzz/corpus` and helps the next run.

mod stats;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::command::{self, succeeds};
use crate::scratch::Scratch;
use crate::workspace::Workspace;
use stats::{Row, Stats};

/// LLVM's own pass, which the stable compiler can be told to run.
const INSTRUMENTATION: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    // Comparisons of text stay calls, which libFuzzer listens to: so it learns what is compared with.
    "-Cllvm-args=-max-loads-per-memcmp=0",
    // Conditions folded into one branch would count as one.
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
];
const BUILD_LIMIT: Duration = Duration::from_secs(60 * 60);
/// What a program may take beyond its time, to begin and to end.
const PATIENCE: Duration = Duration::from_secs(120);
/// Resident memory of a program, and seconds for one input.
const LIMITS: [&str; 2] = ["-rss_limit_mb=2048", "-timeout=10"];

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// All of them where none is named.
    pub(crate) targets: Vec<String>,
    pub(crate) seconds: u64,
    pub(crate) jobs: usize,
    pub(crate) list: bool,
}

/// Fuzzes, prints a table, and fails if anything was found.
pub(crate) fn run(workspace: &Workspace, plan: &Plan) -> ExitCode {
    let finished = targets(workspace, plan).and_then(|targets| {
        if plan.list {
            targets.iter().for_each(|name| println!("{name}"));
            return Ok(true);
        }
        let programs = build(workspace)?;
        let rows = fuzz_all(workspace, &programs, &targets, plan).map_err(|e| e.to_string())?;
        println!("\n{}", stats::table(&rows));
        rows.iter().for_each(|row| print!("{}", row.findings()));
        Ok(rows.iter().all(Row::is_sound))
    });
    match finished {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(complaint) => {
            eprintln!("fuzz: {complaint}");
            ExitCode::from(2)
        }
    }
}

/// The names of all programs in order, or of those asked for.
fn targets(workspace: &Workspace, plan: &Plan) -> Result<Vec<String>, String> {
    let folder = workspace.root.join("fuzz/src/bin");
    let files = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut known: Vec<String> = files
        .flatten()
        .filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".rs")?.to_owned()))
        .collect();
    known.sort();
    if let Some(stranger) = plan.targets.iter().find(|name| !known.contains(name)) {
        let known = known.join(", ");
        return Err(format!("there is no target {stranger} (there are {known})"));
    }
    known.retain(|name| plan.targets.is_empty() || plan.targets.contains(name));
    Ok(known)
}

/// Builds all programs and says where they are.
fn build(workspace: &Workspace) -> Result<PathBuf, String> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    if !succeeds(&compiler, &["--version"]) {
        return Err(format!(
            "libFuzzer is built with a C++ compiler, and {compiler} does not run; install g++ \
             (apt-get install g++) or name another: CXX=clang++"
        ));
    }
    let host = host()?;
    // With a target named, build scripts and macros, which do not link libFuzzer, stay as they are.
    let mut cargo = workspace.cargo(&["build", "--release", "--bins", "--target", &host]);
    cargo
        .current_dir(workspace.root.join("fuzz"))
        .env("CARGO_TARGET_DIR", &workspace.target)
        .env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTATION.join("\x1f"));
    match command::run(&mut cargo, BUILD_LIMIT) {
        end if end.ok() => Ok(workspace.target.join(host).join("release")),
        end => Err(format!("the programs cannot be built: {end}")),
    }
}

/// The machine that rustc builds for.
fn host() -> Result<String, String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .map_err(|e| format!("rustc: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned)
        .ok_or_else(|| "rustc -vV names no host".into())
}

/// Runs the targets, several at a time; the rows come in the order of the targets.
fn fuzz_all(
    workspace: &Workspace,
    programs: &Path,
    targets: &[String],
    plan: &Plan,
) -> io::Result<Vec<Row>> {
    let scratch = Scratch::in_memory("fuzz")?;
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    let work = || -> io::Result<()> {
        while let Some(name) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let bench = Bench::new(&workspace.root, programs, name, scratch.path());
            let row = bench.fuzz(plan.seconds)?;
            println!("{row}");
            let mut rows = rows.lock().unwrap_or_else(|broken| broken.into_inner());
            rows.push(row);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            let ended = worker.join();
            ended.unwrap_or_else(|_| Err(io::Error::other("a worker stopped")))
        })
    })?;
    let mut rows = rows
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    rows.sort_by(|one, other| one.target.cmp(&other.target));
    Ok(rows)
}

/// One program with its folders.
struct Bench<'a> {
    name: &'a str,
    program: PathBuf,
    corpus: PathBuf,
    artifacts: PathBuf,
    regressions: PathBuf,
    scratch: &'a Path,
}

impl<'a> Bench<'a> {
    fn new(root: &Path, programs: &Path, name: &'a str, scratch: &'a Path) -> Self {
        Self {
            name,
            program: programs.join(name),
            corpus: root.join("fuzz/corpus").join(name),
            artifacts: root.join("fuzz/artifacts").join(name),
            regressions: root.join("crates/fuzzing/regressions").join(name),
            scratch,
        }
    }

    fn program(&self) -> Command {
        let mut program = Command::new(&self.program);
        program.env("TMPDIR", self.scratch).stdin(Stdio::null());
        program
    }

    fn fuzz(&self, seconds: u64) -> io::Result<Row> {
        fs::create_dir_all(&self.artifacts)?;
        let options = self.write_seeds()?;
        let log = self.artifacts.with_extension("log");
        let file = File::create(&log)?;
        let mut program = self.program();
        program
            .args(options.split_whitespace())
            .args(LIMITS)
            .arg(format!("-max_total_time={seconds}"))
            .arg("-print_final_stats=1")
            .arg(format!("-dict={}.dict", self.corpus.display()))
            .arg(format!("-artifact_prefix={}/", self.artifacts.display()))
            .arg(&self.corpus)
            .args(self.regressions.is_dir().then_some(&self.regressions))
            .env("RUST_BACKTRACE", "1")
            .stdout(file.try_clone()?)
            .stderr(file);
        let end = command::run(&mut program, Duration::from_secs(seconds) + PATIENCE);
        // What a library prints need not be text.
        let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        Ok(Row {
            target: self.name.to_owned(),
            seconds,
            stats: Stats::read(&text),
            end,
            program: self.program.clone(),
            log,
        })
    }

    /// Lets the program write its seeds and its dictionary; returns its options.
    fn write_seeds(&self) -> io::Result<String> {
        let mut program = self.program();
        let output = program.env("WAYVEIL_FUZZ_CORPUS", &self.corpus).output()?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(io::Error::other(format!(
                "{} cannot write its seeds: {}",
                self.name,
                String::from_utf8_lossy(&output.stderr)
            ))),
        }
    }
}
