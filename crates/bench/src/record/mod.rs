//! What benchmarks have measured, kept as files, and the page that is made of them.
//!
//! `wayveil-bench record` runs benchmarks one after the other, each in a process of its own, so that none begins with
//! the memory of another. What each has measured is kept in `docs/benchmarks/NAME.json` with the date and the machine;
//! the page `docs/benchmarks.md` and the pictures of growth are made of these files alone, and a test compares them.

mod kept;
mod machine;
mod page;
mod picture;
mod sections;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::benchmarks::{ALL, Effort};
use kept::{Kept, Measured};
use machine::Machine;

/// Its word on the command line.
pub const NAME: &str = "record";

/// A PostgreSQL for the campaign that is held in one.
pub const STORE: &str = "WAYVEIL_BENCH_STORE";

/// The collector's benchmarks, by the program `wayveil-load`: name, line for readers, words, words for a quick run.
type Load = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const LOADS: [Load; 4] = [
    (
        "collector-answers",
        "durable answers with tokens, beside a handler that does nothing behind the same TLS",
        &["answers"],
        &["answers", "--block", "100", "--blocks", "2"],
    ),
    (
        "collector-memory",
        "what the service holds while answers of one round come in",
        &["memory"],
        &["memory", "--answers", "2000"],
    ),
    (
        "collector-campaign",
        "whole campaigns of real clients over TLS, in SQLite",
        &["campaign", "--clients", "100000"],
        &["campaign", "--clients", "800", "--length", "1"],
    ),
    (
        POSTGRES,
        "whole campaigns of real clients over TLS, in PostgreSQL",
        &["campaign", "--clients", "100000"],
        &["campaign", "--clients", "800", "--length", "1"],
    ),
];

const POSTGRES: &str = "collector-campaign-postgres";

/// What to record, and where.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Names of benchmarks; all of them where none is named.
    pub names: Vec<String>,
    /// How long to measure.
    pub effort: Effort,
    /// The folder of the page.
    pub docs: PathBuf,
    /// Whether the page is only made again.
    pub kept_only: bool,
}

/// Every name that can be recorded.
pub fn names() -> Vec<&'static str> {
    let own = ALL.iter().map(|it| it.name);
    own.chain(LOADS.iter().map(|it| it.0)).collect()
}

/// Runs what is asked for, keeps what came of it, and writes the page after each.
pub fn run(plan: &Plan) -> Result<(), String> {
    let folder = plan.docs.join("benchmarks");
    fs::create_dir_all(&folder).map_err(|cause| format!("{}: {cause}", folder.display()))?;
    let known = names();
    if let Some(name) = plan.names.iter().find(|it| !known.contains(&it.as_str())) {
        return Err(format!("unknown benchmark {name}; see `list`"));
    }
    let asked = |name: &str| plan.names.is_empty() || plan.names.iter().any(|it| it == name);
    if !plan.kept_only {
        for name in known.into_iter().filter(|name| asked(name)) {
            let Some(kept) = measure(name, plan.effort)? else {
                continue;
            };
            kept.write(&folder)?;
            write_page(&plan.docs)?;
        }
    }
    write_page(&plan.docs)
}

/// The page of what is kept beside it; a test compares it with the one that is there.
pub fn page_of(docs: &Path) -> Result<String, String> {
    let (folder, names) = (docs.join("benchmarks"), names());
    Ok(page::page(&Kept::read_all(&folder, &names)?, &names))
}

fn write_page(docs: &Path) -> Result<(), String> {
    let folder = docs.join("benchmarks");
    for kept in Kept::read_all(&folder, &names())? {
        if let Some(picture) = picture::svg(&kept) {
            replace(&folder.join(format!("{}.svg", kept.benchmark)), &picture)?;
        }
    }
    replace(&docs.join("benchmarks.md"), &page_of(docs)?)
}

/// Writes a whole file or leaves the old one.
fn replace(path: &Path, text: &str) -> Result<(), String> {
    let failed = |cause: std::io::Error| format!("{}: {cause}", path.display());
    let mut beside = path.as_os_str().to_owned();
    beside.push(".tmp");
    fs::write(&beside, text).map_err(failed)?;
    fs::rename(&beside, path).map_err(failed)
}

/// Runs one benchmark in a process of its own; none if what it needs is not there.
fn measure(name: &str, effort: Effort) -> Result<Option<Kept>, String> {
    let own = std::env::current_exe().map_err(|cause| cause.to_string())?;
    let quick = effort == Effort::Quick;
    let load = LOADS.iter().find(|it| it.0 == name);
    let about = load.map_or_else(
        || {
            ALL.iter()
                .find(|it| it.name == name)
                .map_or("", |it| it.about)
        },
        |it| it.1,
    );
    let mut command = match load {
        None => {
            let mut command = Command::new(&own);
            command.args([name, "--json"]);
            if quick {
                command.arg("--quick");
            }
            command
        }
        Some(&(_, _, full, few)) => {
            let program = own.with_file_name("wayveil-load");
            if !program.is_file() {
                eprintln!("{name}: left out, as wayveil-load is not built (feature collector)");
                return Ok(None);
            }
            let mut command = Command::new(program);
            command.args(if quick { few } else { full }).arg("--json");
            if name == POSTGRES {
                let Ok(store) = std::env::var(STORE) else {
                    eprintln!("{name}: left out, as {STORE} names no database");
                    return Ok(None);
                };
                command.args(["--store", &store]);
            }
            command
        }
    };
    eprintln!("{name}: {about}");
    let machine = Machine::this();
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|cause| format!("{name}: {cause}"))?;
    if !output.status.success() {
        return Err(format!("{name}: failed ({})", output.status));
    }
    let measured: Measured =
        serde_json::from_slice(&output.stdout).map_err(|cause| format!("{name}: {cause}"))?;
    let nothing = measured.results.is_empty() && measured.lines.is_empty();
    Ok((!nothing).then(|| Kept {
        benchmark: name.to_owned(),
        about: about.to_owned(),
        quick,
        date: machine::today(),
        machine,
        measured,
    }))
}
