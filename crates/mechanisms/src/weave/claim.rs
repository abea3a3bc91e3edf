//! What `weave` promises and refuses, from public inputs alone.

use std::collections::BTreeMap;

use serde_json::json;
use wayveil_core::{Claim, Cost, Epsilon, Error, Guarantee, PublicInputs, Result};
use wayveil_noise::Rate;

use super::features::UNITS;
use super::ground;
use super::options::Options;
use super::paid::MOST;
use super::shares::{PARTS, TOTAL};

/// The most locations: pairs of more could not be noised in a reasonable time.
const MOST_LOCATIONS: usize = 100_000;
/// The largest scale of noise on the number of records.
const MOST_NOISE: f64 = 100_000.0;
/// From here on a promise is called weak.
const WEAK: f64 = 4.0;

pub(super) fn claim(options: &Options, public: &PublicInputs<'_>) -> Result<Claim> {
    if public.time.is_some() {
        return Err(Error::refused("weave does not know time bins")
            .hint("import the data without time bins, or use prefix-tree"));
    }
    if public.universe.len() > MOST_LOCATIONS {
        return Err(Error::refused(format!(
            "{} locations are too many for weave, which counts their pairs: at most {MOST_LOCATIONS}",
            public.universe.len()
        ))
        .hint("use a coarser set of locations, or prefix-tree"));
    }
    let unit = public.unit.records();
    refuse_noise(&options.epsilon, unit)?;
    refuse_digits(&options.epsilon, unit)?;
    let lattice = ground::lattice(options, public);
    if lattice.is_some() {
        refuse_digits(&ground::rest(options)?.epsilon, unit)?;
    }
    Ok(Claim {
        cost: Cost::pure(options.epsilon.clone()),
        guarantee: Guarantee::pure(&options.epsilon, public.unit),
        variant: "repaired",
        parameters: BTreeMap::from([
            (
                "epsilon".to_owned(),
                json!(options.epsilon.value().exact_text()),
            ),
            ("max_length".to_owned(), json!(options.max_length)),
            ("task".to_owned(), json!(options.task.name())),
            ("grid".to_owned(), json!(options.grid.name())),
        ]),
        limits: limits(options, lattice.is_some()),
        noise:
            "discrete Laplace by an exact integer sampler, on counts of ten kinds with shares of \
                epsilon and on their number"
                .into(),
        columns: Vec::new(),
    })
}

fn refuse_noise(epsilon: &Epsilon, unit: u32) -> Result<()> {
    let scale = PARTS as f64 / TOTAL as f64 * f64::from(unit) / epsilon.to_f64();
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

fn limits(options: &Options, ground: bool) -> Vec<String> {
    let mut limits = vec![
        format!("Trajectories are cut at {} locations.", options.max_length),
        "Trajectories are synthetic: drawn to fit noisy counts, not copied from people.".into(),
        "What three or more locations have to do with each other is guessed from their pairs."
            .into(),
        "Rare ways are guessed from common ones.".into(),
    ];
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
    limits
}
