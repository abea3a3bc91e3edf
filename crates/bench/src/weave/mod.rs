//! `weave` beside both trees: the same data, ε, queries and metrics, in one run.
//!
//! Runs are kept in a file where one is named, so that a long experiment can be stopped and gone on with. Of every
//! tree all heights are screened by two runs; those that are the best for some number get all runs.
//!
//! | module | |
//! | --- | --- |
//! | `data` | generated presets, and real data where it is at hand |
//! | `numbers` | what is measured, and what was aimed at |
//! | `trial` | one method on one data set at one ε, repeated; the best height of a tree |
//! | `cost` | time and memory on `stm` |
//! | `verdict`, `goals` | whether a goal was met |
//! | `table`, `chart` | what came of it, as Markdown and as pictures |

mod chart;
mod cost;
pub(crate) mod data;
mod goals;
mod numbers;
mod table;
mod trial;
mod verdict;

use std::path::{Path, PathBuf};

use data::Source;
use trial::{Method, Row};
use wayveil_reproduce::kept::Kept;

/// The name of the experiment on the command line.
pub const NAME: &str = "weave";

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Data sets by name, with a number of records after a colon where it is not the preset's own.
    pub data: Vec<String>,
    /// The budgets.
    pub epsilons: Vec<String>,
    /// How often each method runs.
    pub repeats: usize,
    /// Methods with parameters, as `wayveil evaluate --publish` takes them; none for our own and both trees.
    pub methods: Vec<String>,
    /// The folder of real data.
    pub folder: Option<PathBuf>,
    /// The file in which runs are kept.
    pub keep: Option<PathBuf>,
    /// Whether nothing new is run.
    pub kept_only: bool,
    /// Where the tables go, with pictures beside them.
    pub table: Option<PathBuf>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            data: Vec::new(),
            epsilons: ["0.1", "0.25", "0.5", "1", "1.5"].map(String::from).into(),
            repeats: 10,
            methods: Vec::new(),
            folder: None,
            keep: None,
            kept_only: false,
            table: None,
        }
    }
}

/// What the file of tables begins with.
const HEADING: &str = "# weave beside both trees: all numbers

Made by `wayveil-bench weave` ([weave.md](weave.md#measured) has the command, a summary and what limits it); 20,000 queries of
each group.

";

/// Every data set of the experiment.
const ALL: [&str; 6] = ["metro", "bus", "stm", "msnbc", "bike", "bms1"];
/// Ours, and those to compare with.
const METHODS: [&str; 3] = ["weave", "prefix-tree", "hybrid-tree"];

fn or_usual(asked: &[String], usual: &[&str]) -> Vec<String> {
    match asked.is_empty() {
        true => usual.iter().map(|&it| it.to_owned()).collect(),
        false => asked.to_vec(),
    }
}

/// Runs everything, tells each row on the error stream, and returns the tables.
pub fn run(plan: &Plan) -> Result<String, String> {
    let names = or_usual(&plan.data, &ALL);
    let methods = or_usual(&plan.methods, &METHODS);
    let mut kept = match &plan.keep {
        Some(path) => Kept::open(path)?,
        None => Kept::default(),
    };
    let mut rows = Vec::new();
    for name in &names {
        let mut source = match plan.kept_only {
            true => Source::kept_only(name),
            false => Source::find(name, plan.folder.as_deref())?,
        };
        for epsilon in &plan.epsilons {
            for text in &methods {
                let method = Method::read(text, &source)?;
                let row = trial::run(&mut kept, &mut source, epsilon, &method, plan.repeats)?;
                if row.cells.iter().any(|cell| !cell.samples.is_empty()) {
                    eprintln!("{}", table::words(&row));
                    rows.push(row);
                }
            }
        }
        if source.kind() == cost::DATA && plan.methods.is_empty() {
            cost::run(&mut kept, &mut source)?;
        }
    }
    let picture = |name: &str| plan.table.as_deref().map(|path| picture_file(path, name));
    let tables = table::markdown(&names, &plan.epsilons, &rows, plan.repeats, &picture);
    let mut text = format!("{HEADING}{tables}");
    for name in &names {
        if let Some(line) = cost::markdown(&kept, name) {
            text.push_str(&format!("\n{line}"));
        }
    }
    if let Some(path) = &plan.table {
        write(path, &text)?;
        for name in &names {
            let here: Vec<&Row> = rows.iter().filter(|row| row.data == *name).collect();
            if !here.is_empty() {
                let page = chart::svg(name, &plan.epsilons, &here);
                write(&path.with_file_name(picture_file(path, name)), &page)?;
            }
        }
    }
    Ok(text)
}

/// `weave.md` has its pictures in `weave-metro.svg` and so on.
fn picture_file(table: &Path, name: &str) -> String {
    let stem = table.file_stem().unwrap_or_default().to_string_lossy();
    format!("{stem}-{}.svg", name.replace(':', "-"))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|cause| format!("cannot write {}: {cause}", path.display()))
}
