//! What `weave` promises and refuses, from public inputs alone.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use wayveil_core::{Claim, Cost, Epsilon, Error, Guarantee, PublicInputs, Result};
use wayveil_noise::Rate;

use super::features::UNITS;
use super::ground;
use super::noise::Allowance;
use super::options::{GridUse, Options};
use super::paid::MOST;
use super::shares::{PARTS, TOTAL};
use super::times::Times;

/// The most locations: pairs of more could not be noised in a reasonable time.
const MOST_LOCATIONS: usize = 100_000;
/// The largest scale of noise on the number of records.
const MOST_NOISE: f64 = 100_000.0;
/// From here on a promise is called weak.
const WEAK: f64 = 4.0;

pub(super) fn claim(options: &Options, public: &PublicInputs<'_>) -> Result<Claim> {
    if public.universe.len() > MOST_LOCATIONS {
        return Err(Error::refused(format!(
            "{} locations are too many for weave, which counts their pairs: at most {MOST_LOCATIONS}",
            public.universe.len()
        ))
        .hint("use a coarser set of locations, or prefix-tree"));
    }
    let times = Times::new(public.time, public.universe.len());
    let unit = public.unit.records();
    if public.time.is_some() && options.grid == GridUse::Adaptive {
        return Err(
            Error::refused("weave does not cut a grid for data with time bins")
                .hint("leave out --grid, or import the data without time bins"),
        );
    }
    let budget = Allowance::of(options)?;
    refuse_noise(&budget, unit)?;
    let lattice = ground::lattice(options, public);
    if options.grid == GridUse::Adaptive && lattice.is_none() {
        return Err(Error::refused(
            "weave has no grid to cut: the locations do not form a regular one with 8 rows and 8 columns or more",
        )
        .hint("leave out --grid, or import points with --area and --grid, for instance --grid 64x64"));
    }
    if let Allowance::Pure(_) = budget {
        refuse_digits(&options.epsilon, unit)?;
        if lattice.is_some() {
            refuse_digits(&ground::rest(options)?.epsilon, unit)?;
        }
    }
    let (epsilon, delta) = (&options.epsilon, &options.delta);
    Ok(Claim {
        cost: Cost::DifferentialPrivacy {
            epsilon: epsilon.clone(),
            delta: delta.clone(),
        },
        guarantee: Guarantee::differential_privacy(epsilon, delta, public.unit),
        variant: "own",
        parameters: parameters(options, &budget),
        limits: limits(options, &times, lattice.is_some()),
        noise: noise(&budget, 10 + times.groups(), lattice.is_some()),
        columns: Vec::new(),
    })
}

fn parameters(options: &Options, budget: &Allowance) -> BTreeMap<String, Value> {
    let mut parameters = BTreeMap::from([
        (
            "epsilon".to_owned(),
            json!(options.epsilon.value().exact_text()),
        ),
        ("max_length".to_owned(), json!(options.max_length)),
        ("task".to_owned(), json!(options.task.name())),
        ("grid".to_owned(), json!(options.grid.name())),
    ]);
    if let Allowance::Concentrated((num, den)) = budget {
        let delta = options.delta.value().exact_text();
        parameters.insert("delta".to_owned(), json!(delta));
        parameters.insert("rho".to_owned(), json!(format!("{num}/{den}")));
    }
    parameters
}

fn noise(budget: &Allowance, kinds: usize, ground: bool) -> String {
    let ground = if ground { " and of the ground" } else { "" };
    match budget {
        Allowance::Pure(_) => format!(
            "discrete Laplace by an exact integer sampler, on counts of {kinds} kinds{ground} with shares of \
             epsilon and on their number"
        ),
        Allowance::Concentrated(_) => format!(
            "discrete Gaussian by an exact integer sampler, on counts of {kinds} kinds{ground} and on their number; \
             discrete Laplace on those of more cells than can be visited; with shares of rho, for which \
             everything is concentrated differentially private, as epsilon and delta allow"
        ),
    }
}

fn refuse_noise(budget: &Allowance, unit: u32) -> Result<()> {
    let scale = budget.deviation_of_total(TOTAL, unit);
    if scale <= MOST_NOISE {
        return Ok(());
    }
    Err(Error::refused(format!(
        "nothing but noise would be released: the number of records would be off by about {scale:.0}"
    ))
    .hint("choose a larger epsilon or a smaller --max-trips"))
}

/// Whatever share and bound are chosen in the end, the noise must be one that can be sampled exactly.
fn refuse_digits(epsilon: &Epsilon, unit: u32) -> Result<()> {
    let finest = |(top, bottom): (u64, u64)| {
        let parts = PARTS * UNITS * MOST as u64 * u64::from(unit);
        Some((top.checked_mul(PARTS)?, bottom.checked_mul(parts)?))
    };
    let parts = epsilon.value().to_u64_parts().and_then(finest);
    match parts {
        Some((top, bottom)) if top < Rate::LIMIT && bottom < Rate::LIMIT => Ok(()),
        _ => Err(Error::input(format!(
            "epsilon {epsilon} has too many digits for its shares to be sampled exactly"
        ))
        .hint("give epsilon with fewer digits, for instance 0.33 instead of 0.333333333333")),
    }
}

fn limits(options: &Options, times: &Times, ground: bool) -> Vec<String> {
    let mut limits = vec![
        format!("Trajectories are cut at {} locations.", options.max_length),
        "Trajectories are synthetic: drawn to fit noisy counts, not copied from people.".into(),
        "What three or more locations have to do with each other is guessed from their pairs."
            .into(),
        "Rare ways are guessed from common ones.".into(),
    ];
    limits.extend(times.limits());
    if ground {
        limits.push(
            "Counts are of cells that are larger where fewer people are; where points lie inside of \
             a cell is guessed."
                .into(),
        );
    }
    if options.epsilon.to_f64() > WEAK {
        limits.push(format!(
            "Epsilon {} is a weak promise: much of what single people did may show.",
            options.epsilon
        ));
    }
    if options.delta.is_weak() {
        limits.push(format!(
            "Delta {} is a weak promise: with that probability a person may be given away altogether.",
            options.delta
        ));
    }
    limits
}
