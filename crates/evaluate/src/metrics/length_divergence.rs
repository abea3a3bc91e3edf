//! How well the release keeps the lengths of trajectories.

use wayveil_core::{Result, Sequences};

use super::counting::{Counts, aligned, count};
use super::divergence::jensen_shannon;
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Jensen–Shannon divergence of the distributions of lengths.
pub(super) static METRIC: Metric = Metric {
    name: "length-divergence",
    about: "how far apart the distributions of trajectory lengths are",
    definition: "Jensen–Shannon divergence, base 2, of the distributions of the number of visits \
                 per record, every length its own outcome and empty records included: 0 for equal \
                 distributions, 1 for disjoint ones. Undefined where a side has no record. Results \
                 in natural logarithms are ln 2 = 0.693 times as large.",
    source: "Lin, Divergence measures based on the Shannon entropy, 1991; on lengths in number of \
             visits, where AdaTrace and LDPTrace take metres (see distance-divergence).",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    let counts = aligned(&lengths(compared.raw), &lengths(&compared.released));
    Ok(vec![Value::of("", jensen_shannon(&counts))])
}

fn lengths(sequences: &Sequences) -> Counts {
    count(
        (0..sequences.len())
            .map(|record| sequences.length(record) as u64)
            .collect(),
    )
}
