//! What suppression costs: the experiment behind the 2013 paper's figures 2 to 4, on generated data.
//!
//! Loss is measured against K, against C and against K′, by local and by global suppression, for
//! (K, C)_L-privacy and for the older promise beside it (k-anonymity, or confidence bounding). A run
//! that is to keep instances reports lost instances, one that is to keep maximal frequent sequences
//! reports lost sequences. Every output is looked at by the independent verifier, and the experiment
//! ends at the first violation.
//!
//! | module | |
//! | --- | --- |
//! | `plan` | which runs a figure needs |
//! | `data` | the generated data sets |
//! | `measure` | one run |
//! | `plain` | the plainest output, to compare with |
//! | `table`, `chart` | what came of it, as Markdown and as pictures |

mod chart;
mod data;
mod measure;
mod plain;
mod plan;
mod table;

use std::path::Path;

use wayveil_io::generate::Preset;
use wayveil_mechanisms::suppress::Options;

use crate::benchmarks::Effort;
use data::Data;
use measure::{Run, run as run_once};
use plain::{Plain, plain};
use plan::{Figure, Plan, Setting};

const PRESETS: [Preset; 2] = [Preset::City, Preset::StmHours];

/// All runs on one data set.
struct Measured {
    data: Data,
    /// How many different ones there are.
    doublets: usize,
    /// Figures share some of them.
    runs: Vec<(Options, Run)>,
    /// What the plainest output loses.
    plain: Vec<(Setting, Plain)>,
}

impl Measured {
    fn run(&self, options: &Options) -> Option<&Run> {
        let found = self.runs.iter().find(|(known, _)| known == options);
        found.map(|(_, run)| run)
    }

    fn plain(&self, setting: Setting) -> Option<&Plain> {
        let found = self.plain.iter().find(|(known, _)| *known == setting);
        found.map(|(_, plain)| plain)
    }
}

/// Runs everything, tells progress on the error stream, and returns the tables. Tables and pictures
/// also go into a folder, where one is given. So many records of each data set are made, if not as
/// many as it has.
pub fn run(effort: Effort, records: Option<u64>, folder: Option<&Path>) -> Result<String, String> {
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)
            .map_err(|cause| format!("cannot make {}: {cause}", folder.display()))?;
    }
    let plan = Plan::new(effort);
    let records = records.or(plan.records);
    let figures = plan.figures();
    let mut measured = Vec::new();
    for preset in PRESETS {
        measured.push(measure_all(Data::generate(preset, records)?, &figures)?);
    }
    let text = table::markdown(&figures, &measured);
    if let Some(folder) = folder {
        let write = |name: String, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text)
                .map_err(|cause| format!("cannot write {}: {cause}", path.display()))
        };
        write("suppress-figures.md".into(), &text)?;
        for figure in &figures {
            write(figure.picture(), &chart::svg(figure, &measured))?;
        }
    }
    Ok(text)
}

fn measure_all(data: Data, figures: &[Figure]) -> Result<Measured, String> {
    let mut wanted: Vec<Options> = Vec::new();
    for figure in figures {
        for options in figure.all_options() {
            if !wanted.contains(&options) {
                wanted.push(options);
            }
        }
    }
    let table = data.table()?;
    let all = wanted.len();
    let mut runs = Vec::with_capacity(all);
    for (at, options) in wanted.into_iter().enumerate() {
        let run = run_once(&data, &table, &options)?;
        eprintln!(
            "{} {}/{all}: {}: {}",
            data.name,
            at + 1,
            plan::describe(&options),
            run.describe()
        );
        runs.push((options, run));
    }
    let mut plainest = Vec::new();
    for figure in figures {
        for &(_, setting) in &figure.points {
            let requirement = setting.requirement();
            let lost = plain(&data, &table, &requirement, setting.support)?;
            plainest.push((setting, lost));
        }
    }
    Ok(Measured {
        doublets: table.doublets(),
        data,
        runs,
        plain: plainest,
    })
}
