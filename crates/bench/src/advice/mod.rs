//! How good is advice? The settings of `wayveil advise` beside the best of an exhaustive sweep, on
//! generated data that the adviser was not made with.
//!
//! | module | |
//! | --- | --- |
//! | `data` | the data sets: presets of the generator, which no part of the adviser knows |
//! | `grid` | every setting of the sweep |
//! | `measure` | errors of settings, by runs that nobody chose by |
//! | `trial` | one question to the adviser from each source of knowledge |
//! | `table` | what came of it, as Markdown |

mod data;
mod grid;
mod measure;
mod table;
mod trial;

use std::path::Path;

use wayveil_evaluate::Task;

use crate::benchmarks::Effort;
use data::Data;
use trial::{Cell, Ladder, Promise};

/// The name of the experiment on the command line.
pub const NAME: &str = "advice";

/// The page that holds the tables.
const PAGE: &str = "advise.md";
const BEGIN: &str = "<!-- measured: begin -->";
const END: &str = "<!-- measured: end -->";

/// Sizes of the experiment.
struct Plan {
    records: u64,
    epsilons: &'static [&'static str],
    /// Runs of the settings that are compared in the end.
    repeats: usize,
    /// How many settings of the sweep are run that often.
    finalists: usize,
    presets: usize,
}

impl Plan {
    fn new(effort: Effort) -> Self {
        match effort {
            Effort::Quick => Self {
                records: 1_000,
                epsilons: &["1"],
                repeats: 2,
                finalists: 2,
                presets: 1,
            },
            Effort::Full => Self {
                records: 12_000,
                epsilons: &["0.5", "2"],
                repeats: 8,
                finalists: 10,
                presets: data::PRESETS.len(),
            },
        }
    }
}

/// Runs everything, tells progress on the error stream, and returns the tables. They also go into the page
/// in a folder, between its marks, where one is given.
pub fn run(effort: Effort, folder: Option<&Path>) -> Result<String, String> {
    let plan = Plan::new(effort);
    let (mut cells, mut ladders, mut promises) = (Vec::new(), Vec::new(), Vec::new());
    for preset in &data::PRESETS[..plan.presets] {
        let data = Data::generate(*preset, plan.records).map_err(|it| it.to_string())?;
        for task in [Task::Counts, Task::Patterns, Task::Flows] {
            let mut of_task: Vec<Cell> = Vec::new();
            for epsilon in plan.epsilons {
                let cell = Cell::run(&plan, &data, task, epsilon).map_err(|it| it.to_string())?;
                eprintln!("{}", cell.words());
                of_task.push(cell);
            }
            if let (Task::Counts, [low, high]) = (task, &of_task[..]) {
                let ladder = Ladder::run(&plan, &data, low, high).map_err(|it| it.to_string())?;
                eprintln!("{}", ladder.words());
                ladders.push(ladder);
            }
            cells.extend(of_task);
        }
    }
    for preset in data::TIMED {
        let data = Data::generate(preset, plan.records).map_err(|it| it.to_string())?;
        let promise = Promise::run(&data).map_err(|it| it.to_string())?;
        eprintln!("{}", promise.words());
        promises.push(promise);
    }
    let text = table::markdown(&plan, &cells, &ladders, &promises);
    if let Some(folder) = folder {
        write(&folder.join(PAGE), &text)?;
    }
    Ok(text)
}

/// Puts tables between the marks of a page; makes a page of them where there is none.
fn write(path: &Path, tables: &str) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|cause| format!("cannot make {}: {cause}", folder.display()))?;
    }
    let old = match path.exists() {
        true => std::fs::read_to_string(path)
            .map_err(|cause| format!("cannot read {}: {cause}", path.display()))?,
        false => format!("{BEGIN}\n{END}\n"),
    };
    let new = between_marks(&old, tables)
        .ok_or_else(|| format!("{} has no marks {BEGIN} and {END}", path.display()))?;
    std::fs::write(path, new).map_err(|cause| format!("cannot write {}: {cause}", path.display()))
}

fn between_marks(page: &str, tables: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{tables}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_between_the_marks_is_replaced() {
        let page = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        let new = between_marks(&page, "new\n").unwrap();
        assert_eq!(new, format!("a\n{BEGIN}\nnew\n{END}\nb\n"));
        assert_eq!(between_marks(&new, "new\n").unwrap(), new);
        assert!(between_marks("no marks", "new").is_none());
    }
}
