//! The experiment of the paper behind `generalize`: 200 taxis, 20 clusters, 50 decoys.
//!
//! The method as it is printed, and the repaired one: with whole tracks, with windows of a few points,
//! with centres of public places and with centres that are paid for. Each is run several times, and
//! measured by the paper's mutual information and by metrics of the list beside each other.
//!
//! | module | |
//! | --- | --- |
//! | `data` | the taxis, of T-Drive or generated, over a public grid |
//! | `plan` | which runs there are |
//! | `publish` | one run: what is released |
//! | `measure` | what it tells, and what it is still good for |
//! | `decoys` | whether decoys can be told from taxis |
//! | `table`, `chart`, `map` | what came of it, as Markdown and as pictures |

mod chart;
mod data;
mod decoys;
mod map;
mod measure;
mod plan;
mod publish;
mod table;

use std::path::Path;

use wayveil_core::RandomSource;

use crate::benchmarks::Effort;
use data::Data;
use measure::Measured;
use plan::{Plan, Way};

/// The name of the experiment on the command line.
pub const NAME: &str = "generalize-taxis";

/// The files that are written, by name.
const TABLES: &str = "generalize-taxis.md";
const CURVES: &str = "generalize-taxis.svg";
const MAP: &str = "generalize-clusters.svg";

/// Which taxis.
#[derive(Clone, Copy, Debug)]
pub enum Taxis<'a> {
    /// Those of a folder in T-Drive's form.
    TDrive(&'a Path),
    /// So many generated ones; the paper's 200 unless said.
    Generated(Option<u32>),
}

/// All runs of one way.
struct Outcome {
    way: Way,
    /// The least noisy count that is released, from public inputs.
    threshold: Option<u64>,
    measured: Measured,
}

/// Runs everything, tells progress on the error stream, and returns the tables. Tables and pictures
/// also go into a folder, where one is given.
pub fn run(effort: Effort, taxis: Taxis<'_>, folder: Option<&Path>) -> Result<String, String> {
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)
            .map_err(|cause| format!("cannot make {}: {cause}", folder.display()))?;
    }
    let plan = Plan::new(effort);
    let data = match taxis {
        Taxis::TDrive(path) => Data::tdrive(path),
        Taxis::Generated(taxis) => Data::generated(taxis.unwrap_or(plan.taxis)),
    };
    let data = data.map_err(|error| error.to_string())?;
    let mut outcomes = Vec::new();
    for (at, way) in plan.ways.iter().enumerate() {
        let measured = repeated(&plan, &data, way).map_err(|error| error.to_string())?;
        let threshold = publish::threshold(&plan, &data, way).map_err(|error| error.to_string())?;
        eprintln!(
            "{}, {}/{}: {}: {}",
            data.name,
            at + 1,
            plan.ways.len(),
            way.words(),
            measured.describe()
        );
        outcomes.push(Outcome {
            way: way.clone(),
            threshold,
            measured,
        });
    }
    let text = table::markdown(&plan, &data, &outcomes);
    if let Some(folder) = folder {
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text)
                .map_err(|cause| format!("cannot write {}: {cause}", path.display()))
        };
        write(TABLES, &text)?;
        write(CURVES, &chart::svg(&plan, &data, &outcomes))?;
        let map = map::svg(&plan, &data).map_err(|error| error.to_string())?;
        write(MAP, &map)?;
    }
    Ok(text)
}

/// Each repeat has a seed of its own, the same for every way.
fn repeated(plan: &Plan, data: &Data, way: &Way) -> wayveil_core::Result<Measured> {
    let mut all = Measured::default();
    for repeat in 0..plan.repeats {
        let mut random = RandomSource::insecure_seed_for(NAME, repeat as u64);
        let published = publish::publish(plan, data, way, &mut random)?;
        all.add(measure::measure(data, way, &published, repeat)?);
    }
    Ok(all)
}
