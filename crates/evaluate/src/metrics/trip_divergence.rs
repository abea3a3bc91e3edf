//! How well the release keeps where trips begin and end.

use wayveil_core::{Result, Sequences};

use super::counting::{Counts, aligned, count, pair};
use super::divergence::jensen_shannon;
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Jensen–Shannon divergence of origins and destinations.
pub(super) static METRIC: Metric = Metric {
    name: "trip-divergence",
    about: "how far apart the distributions of origin and destination are",
    definition: "Jensen–Shannon divergence, base 2, of the distributions of (first, last) location \
                 over the records of two or more visits; a single visit is no trip, a round trip \
                 is one. Undefined where a side has no such record. Results in natural logarithms \
                 are ln 2 = 0.693 times as large.",
    source: "The trip error of AdaTrace (Gursoy et al., CCS 2018) and LDPTrace (Du et al., PVLDB \
             16, 2023), which count on a grid of cells, single visits too, in natural logarithms.",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    let counts = aligned(&trips(compared.raw), &trips(&compared.released));
    Ok(vec![Value::of("", jensen_shannon(&counts))])
}

pub(super) fn trips(sequences: &Sequences) -> Counts {
    let ends = sequences.iter().filter_map(|codes| match codes {
        [first, .., last] => Some(pair(*first, *last)),
        _ => None,
    });
    count(ends.collect())
}
