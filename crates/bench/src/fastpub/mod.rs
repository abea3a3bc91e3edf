//! The experiment of the paper behind `fastpub`.

mod data;
mod measure;
mod plan;
mod publish;

use std::path::Path;
use std::time::Instant;

use crate::benchmarks::Effort;
use data::Data;
use measure::{Measure, Outcome, Truths, measure};
use plan::{Method, Plan};
use publish::Pool;

/// The name of the experiment on the command line.
pub const NAME: &str = "fastpub-figures";

/// Runs everything, tells progress on the error stream, and returns the tables. Tables and pictures
/// also go into a folder, where one is given.
pub fn run(
    effort: Effort,
    visits: Option<&Path>,
    _folder: Option<&Path>,
) -> Result<String, String> {
    let plan = Plan::new(effort);
    for data in Data::all(&plan, visits)? {
        population(&plan, &data)?;
    }
    Ok(String::new())
}

fn population(plan: &Plan, data: &Data) -> Result<Vec<Outcome>, String> {
    let text = |error: wayveil_core::Error| error.to_string();
    let truths = Truths::count(data).map_err(text)?;
    let pool = Pool::new(data.clients());
    let mut outcomes = Vec::new();
    for method in Method::ALL {
        for &epsilon in &plan.epsilons {
            let began = Instant::now();
            let outcome = measure(plan, data, &truths, &pool, method, epsilon).map_err(text)?;
            let mean = |measure| outcome.samples(measure).mean().unwrap_or(f64::NAN);
            eprintln!(
                "{}, {}, ε = {epsilon}: F1 {:.3}, error {:.3}, {:.1} s",
                data.name,
                method.words(),
                mean(Measure::F1),
                mean(Measure::Error),
                began.elapsed().as_secs_f64(),
            );
            outcomes.push(outcome);
        }
    }
    Ok(outcomes)
}
