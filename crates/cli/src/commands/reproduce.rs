//! `wayveil reproduce`: the papers' tables and figures, theirs beside ours.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wayveil_core::error::Kind;
use wayveil_core::{Error, Result};
use wayveil_io::release_around;
use wayveil_reproduce::entry::Made;
use wayveil_reproduce::kept::Kept;
use wayveil_reproduce::{Entry, Given, Paper, Request, Stage, entries, find, written};

use crate::opened::raw_data;
use crate::similar::{did_you_mean, similar};
use crate::table::Table;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil reproduce
  wayveil reproduce 000/table-3 --quick -o figures/
  wayveil reproduce 003/figure-4 --data msnbc.parquet -o figures/
  wayveil reproduce all --quick -o figures/";

const NOTE: &str = "made from fixed seeds, in memory; for whoever compares methods, and no release";

/// Where finished runs are kept within the folder.
const KEPT: &str = "kept.jsonl";

#[derive(clap::Args)]
pub(crate) struct ReproduceArguments {
    /// What to make: 000/table-3, all of a paper by its number (000), or all. Without it, everything
    /// that there is is listed.
    #[arg(value_name = "ENTRY")]
    entries: Vec<String>,

    /// Minutes instead of a night: less data, fewer repeats, fewer values.
    #[arg(long)]
    quick: bool,

    /// A data file, to be used in place of what is made up.
    #[arg(long, value_name = "DATA")]
    data: Option<PathBuf>,

    /// How many records made-up data has.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    records: Option<u64>,

    /// How often everything random is run, for confidence intervals; 5 times unless given, 3 with --quick.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    repeats: Option<u64>,

    /// What noise is made from; figures are made from fixed seeds.
    #[arg(long, value_name = "SEED", default_value = "1")]
    insecure_seed: u64,

    /// The folder for tables, pictures and finished runs, which are not made again.
    #[arg(
        long,
        short,
        value_name = "FOLDER",
        default_value = "wayveil-reproduce"
    )]
    output: PathBuf,
}

pub(crate) fn run(arguments: &ReproduceArguments, terminal: &Terminal) -> Result<bool> {
    if arguments.entries.is_empty() {
        return list(terminal).map(|()| true);
    }
    let mut chosen: Vec<(&'static Paper, &'static Entry)> = Vec::new();
    for name in &arguments.entries {
        for (paper, entry) in named(name)? {
            if !chosen.iter().any(|(_, known)| std::ptr::eq(*known, entry)) {
                chosen.push((paper, entry));
            }
        }
    }
    let given = arguments.data.as_deref();
    let given = given.map(|path| given_data(path, terminal)).transpose()?;
    let folder = &arguments.output;
    let kept = open(folder)?;
    let request = Request {
        quick: arguments.quick,
        records: arguments.records,
        repeats: arguments.repeats.map(|repeats| repeats as usize),
        seed: arguments.insecure_seed,
    };
    let mut stage = Stage::new(request, given, kept);
    let (mut holds, mut text, mut objects) = (true, String::new(), Vec::new());
    let mut failed: Vec<(String, Error)> = Vec::new();
    for (paper, entry) in chosen {
        let made = match stage.make(paper, entry, terminal) {
            // One entry that cannot be made does not end a night's work; a full disk does.
            Err(error) if error.kind() != Kind::System => {
                let name = format!("{}/{}", paper.id, entry.name);
                terminal.warn(&format!("{name} was not made: {error}"));
                failed.push((name, error));
                continue;
            }
            made => made?,
        };
        let files = written::write(&made, folder)?;
        terminal.say(&format!(
            "{}: {} runs made, {} kept from before",
            made.name(),
            made.runs,
            made.kept_runs
        ));
        holds &= made.holds();
        text += &format!("{}\n", written::markdown(&made));
        let mut object = written::json(&made);
        object["files"] = files
            .iter()
            .map(|file| json!(file.display().to_string()))
            .collect();
        object["runs"] = json!({ "made": made.runs, "kept": made.kept_runs });
        objects.push(object);
    }
    let failed = told_beside(failed, objects.len())?;
    let path = folder.display().to_string();
    text += &format!("Tables, pictures and finished runs are in {path}; {NOTE}.\n");
    let mut not_made = Vec::new();
    for (name, error) in &failed {
        text += &format!("Not made: {name}: {error}\n");
        not_made.push(json!({ "entry": name, "error": error.message() }));
    }
    let object = json!({
        "folder": path, "note": NOTE, "holds": holds, "entries": objects, "failed": not_made,
    });
    terminal.result(|| object, &text)?;
    Ok(holds && failed.is_empty())
}

/// The entries that could not be made, to be told beside so many others; where there are no others, the last error.
fn told_beside(mut failed: Vec<(String, Error)>, made: usize) -> Result<Vec<(String, Error)>> {
    match made {
        0 => failed.pop().map_or(Ok(Vec::new()), |(_, error)| Err(error)),
        _ => Ok(failed),
    }
}

/// Everything that there is.
fn list(terminal: &Terminal) -> Result<()> {
    let mut table = Table::new(&["entry", "how", "what it shows"]);
    for (paper, entry) in entries() {
        let how = match entry.made {
            Made::Drawing => "listed",
            Made::Checked(_) => "checked",
            Made::Measured { .. } => "measured",
        };
        let name = format!("{}/{}", paper.id, entry.name);
        table.row(&[name, how.into(), entry.title.into()]);
    }
    let objects: Vec<Value> = entries()
        .map(|(paper, entry)| written::about(paper, entry))
        .collect();
    let text = format!(
        "{}\nwayveil reproduce ENTRY --quick makes one of them, wayveil reproduce all --quick everything.\n",
        table.text()
    );
    terminal.result(|| json!({ "entries": objects }), &text)
}

fn named(name: &str) -> Result<Vec<(&'static Paper, &'static Entry)>> {
    find(name).map_err(|error| {
        let names: Vec<String> = entries()
            .map(|(paper, entry)| format!("{}/{}", paper.id, entry.name))
            .collect();
        let close = similar(name, names.iter().map(String::as_str));
        let hint = did_you_mean(&close);
        error.hint(hint.unwrap_or_else(|| "wayveil reproduce lists all of them".into()))
    })
}

/// Data in place of what is made up; kept runs know the file by what is in it.
fn given_data(path: &Path, terminal: &Terminal) -> Result<Given> {
    let raw = raw_data(path, "wayveil reproduce ENTRY --data DATA", terminal)?;
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let key = match content(path) {
        Ok(digest) => format!("file {digest}"),
        // In memory: nothing tells it from what the name stood for the last time.
        Err(_) => format!(
            "memory {name} {} {:?}",
            std::process::id(),
            std::time::Instant::now()
        ),
    };
    Ok(Given::new(name, key, raw))
}

/// What tells a file from others, wherever it lies. Figures are made of raw data, and so is this.
fn content(path: &Path) -> std::io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        digest.update(&buffer[..read]);
    }
    Ok(digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

/// Makes the folder, and reads what is kept in it.
fn open(folder: &Path) -> Result<Kept> {
    if let Some(release) = release_around(&folder.join(KEPT)) {
        return Err(Error::input(format!(
            "this lies within the release {}, whose files are its own",
            release.display()
        ))
        .in_file(folder.display().to_string())
        .hint("choose a place outside of it"));
    }
    std::fs::create_dir_all(folder).map_err(|cause| {
        Error::system("cannot make the folder", cause).in_file(folder.display().to_string())
    })?;
    let path = folder.join(KEPT);
    Kept::open(&path).map_err(|cause| {
        Error::input(format!("cannot go on with the finished runs: {cause}")).hint(format!(
            "choose another folder with -o, or remove {}",
            path.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_made_is_told_beside_the_rest_or_is_the_error() {
        let failed = || vec![("000/figure-1".to_owned(), Error::refused("no"))];
        assert_eq!(told_beside(failed(), 1), Ok(failed()));
        assert_eq!(told_beside(failed(), 0), Err(Error::refused("no")));
        assert_eq!(told_beside(Vec::new(), 0), Ok(Vec::new()));
    }
}
