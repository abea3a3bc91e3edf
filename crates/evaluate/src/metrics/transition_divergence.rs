//! How well the release keeps which location follows which.

use wayveil_core::{Result, Sequences};

use super::counting::{Counts, aligned, count, pair};
use super::divergence::jensen_shannon;
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Jensen–Shannon divergence of consecutive pairs.
pub(super) static METRIC: Metric = Metric {
    name: "transition-divergence",
    about: "how far apart the distributions of consecutive pairs of locations are",
    definition: "Jensen–Shannon divergence, base 2, of the distributions of consecutive pairs of \
                 locations over all records; a record of n visits has n − 1 pairs. Undefined where \
                 a side has no pair. Results in natural logarithms are ln 2 = 0.693 times as large.",
    source: "Lin, Divergence measures based on the Shannon entropy, 1991, on the transitions that \
             Markov models of trajectories are made from.",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    let counts = aligned(&transitions(compared.raw), &transitions(&compared.released));
    Ok(vec![Value::of("", jensen_shannon(&counts))])
}

pub(super) fn transitions(sequences: &Sequences) -> Counts {
    let mut pairs = Vec::with_capacity(sequences.symbols());
    for codes in sequences.iter() {
        pairs.extend(codes.windows(2).map(|window| pair(window[0], window[1])));
    }
    count(pairs)
}
