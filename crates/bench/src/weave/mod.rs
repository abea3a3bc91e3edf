//! `weave` beside both trees: the same data, ε, queries and metrics, in one run.
//!
//! | module | |
//! | --- | --- |
//! | `data` | generated presets, and real data where it is at hand |
//! | `trial` | one method on one data set at one ε, repeated; the best height of a tree |
//! | `table` | what came of it, as Markdown |

pub(crate) mod data;
mod table;
mod trial;

use std::path::PathBuf;

use data::Data;
use table::Row;

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
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            data: Vec::new(),
            epsilons: ["0.1", "0.25", "0.5", "1", "1.5"].map(String::from).into(),
            repeats: 10,
            methods: Vec::new(),
            folder: None,
        }
    }
}

/// Every data set of the experiment.
const ALL: [&str; 6] = ["metro", "bus", "stm", "msnbc", "bike", "bms1"];

/// Runs everything, tells each row on the error stream, and returns the table.
pub fn run(plan: &Plan) -> Result<String, String> {
    let names: Vec<String> = match plan.data.is_empty() {
        true => ALL.map(String::from).into(),
        false => plan.data.clone(),
    };
    let mut rows = Vec::new();
    for name in &names {
        let Some(data) = Data::find(name, plan.folder.as_deref())? else {
            eprintln!("{name}: not at hand, left out");
            continue;
        };
        for epsilon in &plan.epsilons {
            for candidates in trial::methods(&plan.methods, epsilon, &data)? {
                let row = trial::run(&data, epsilon, &candidates, plan.repeats)?;
                eprintln!("{}", row.words());
                rows.push(row);
            }
        }
    }
    Ok(Row::markdown(&rows))
}
