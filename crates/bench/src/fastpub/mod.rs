//! The experiment of the paper behind `fastpub`: which fragments are found, and how well counted.
//!
//! FASTPub as published and repaired, with three kinds of control, beside Apple's SFP and Google's
//! TrieHH, each as published and as good as it can be made: on page visits of MSNBC as the paper
//! duplicates them, on the same without duplication, and on generated vehicles. Besides, how often a
//! fragment just below k is released.
//!
//! | module | |
//! | --- | --- |
//! | `data` | the populations |
//! | `plan` | which campaigns there are |
//! | `measure` | all campaigns of a method at one ε, against the truth |
//! | `engines` | a few of them with every client by itself |
//! | `planted` | populations with many fragments just below k |
//! | `goals`, `table`, `admissions_table`, `chart` | what came of it, as Markdown and as pictures |

mod admissions_table;
mod chart;
mod data;
mod engines;
mod goals;
mod measure;
mod plan;
mod planted;
mod table;

use std::path::Path;

use crate::benchmarks::Effort;
use data::Data;
use measure::{Measure, Outcome, Truths, measure};
use plan::Plan;
use wayveil_reproduce::campaigns::{Method, Pool};

/// The name of the experiment on the command line.
pub const NAME: &str = "fastpub-figures";

/// The tables' file.
const TABLES: &str = "fastpub-figures.md";

/// All campaigns on one population.
struct Population<'a> {
    data: &'a Data,
    /// For each setting, how many fragments of the greatest length there are to find.
    to_find: Vec<usize>,
    outcomes: Vec<Outcome>,
}

/// Runs everything, tells progress on the error stream, and returns the tables. Tables and pictures
/// also go into a folder, where one is given. The page visits are those of the folder `visits`.
pub fn run(effort: Effort, visits: Option<&Path>, folder: Option<&Path>) -> Result<String, String> {
    let text = |error: wayveil_core::Error| error.to_string();
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)
            .map_err(|cause| format!("cannot make {}: {cause}", folder.display()))?;
    }
    let plan = Plan::new(effort);
    let all = Data::all(&plan, visits)?;
    let truths = all.iter().map(Truths::count);
    let truths: Vec<Truths<'_>> = truths.collect::<wayveil_core::Result<_>>().map_err(text)?;
    let mut populations: Vec<Population<'_>> = (all.iter().zip(&truths))
        .map(|(data, truths)| Population {
            data,
            to_find: truths.longest().map(|(_, number)| number).collect(),
            outcomes: Vec::new(),
        })
        .collect();
    // What takes longest comes last, and what there is by then is written before.
    let add = |populations: &mut [Population<'_>], sfp: bool| {
        for (population, truths) in populations.iter_mut().zip(&truths) {
            let methods = Method::ALL.into_iter().filter(|it| it.is_sfp() == sfp);
            population.add(&plan, truths, methods)?;
        }
        Ok(())
    };
    add(&mut populations, false).map_err(text)?;
    let planted = planted::rows(&plan).map_err(text)?;
    // The first is the one that the goals are about.
    let engines = match populations.first().zip(truths.first()) {
        Some((first, truths)) => both_engines(&plan, first, truths).map_err(text)?,
        None => Vec::new(),
    };
    let write = |populations: &[Population<'_>]| {
        let tables = table::markdown(&plan, populations, &engines, &planted);
        if let Some(folder) = folder {
            save(folder, TABLES, &tables)?;
            for Population { data, outcomes, .. } in populations {
                save(folder, &data.picture(), &chart::svg(&plan, data, outcomes))?;
            }
        }
        Ok::<_, String>(tables)
    };
    write(&populations)?;
    add(&mut populations, true).map_err(text)?;
    write(&populations)
}

fn save(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|cause| format!("cannot write {}: {cause}", path.display()))
}

fn both_engines(
    plan: &Plan,
    population: &Population<'_>,
    truths: &Truths<'_>,
) -> wayveil_core::Result<Vec<engines::Engines>> {
    let chosen = population.outcomes.iter().filter(|outcome| {
        outcome.method == engines::METHOD && plan.few_epsilons.contains(&outcome.epsilon)
    });
    let compared = chosen.map(|outcome| engines::compare(plan, population.data, truths, outcome));
    let compared: Vec<Vec<_>> = compared.collect::<wayveil_core::Result<_>>()?;
    Ok(compared.into_iter().flatten().collect())
}

impl Population<'_> {
    /// Runs methods and keeps what came of them.
    fn add(
        &mut self,
        plan: &Plan,
        truths: &Truths<'_>,
        methods: impl Iterator<Item = Method>,
    ) -> wayveil_core::Result<()> {
        let data = self.data;
        let pool = Pool::new(data.clients());
        for method in methods {
            for &epsilon in plan.epsilons_of(method) {
                let outcome = measure(plan, data, truths, &pool, method, epsilon)?;
                let mean = |measure| outcome.samples(measure).mean().unwrap_or(f64::NAN);
                eprintln!(
                    "{}, {}, ε = {epsilon}: F1 {:.3}, query error {:.3}",
                    data.name,
                    method.words(),
                    mean(Measure::F1),
                    mean(Measure::Error),
                );
                self.outcomes.push(outcome);
            }
        }
        Ok(())
    }
}
