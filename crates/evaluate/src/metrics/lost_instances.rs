//! How much of the raw data is missing.

use rayon::prelude::*;
use wayveil_core::{Result, Sequences};

use super::counting::{Counts, aligned, count, pair};
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Share of raw visits that are missing.
pub(crate) static METRIC: Metric = Metric {
    name: "lost-instances",
    about: "the share of the raw visits that are missing in the release",
    definition: "Σ max(0, raw(s) − released(s)) / Σ raw(s) over all symbols s, with raw(s) and \
                 released(s) their numbers of visits; a symbol is a location, or a (location, time \
                 bin) doublet in timed data. For a release that only suppresses, this is (N(T) − \
                 N(T′))/N(T) with N the number of instances. Visits that the release adds do not \
                 make up for lost ones of another symbol; records are not matched. Undefined where \
                 the raw side has no visit.",
    source: "The utility loss for instances of Chen, Fung, Mohammed, Desai and Wang, \
             Privacy-preserving trajectory data publishing by local suppression, 2013.",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    let counts = aligned(&symbols(compared.raw), &symbols(&compared.released));
    let lost: u64 = counts.iter().map(|(a, b)| a.saturating_sub(*b)).sum();
    let all: u64 = counts.iter().map(|(a, _)| a).sum();
    let share = (all > 0).then(|| lost as f64 / all as f64);
    Ok(vec![Value::of("", share)])
}

fn symbols(sequences: &Sequences) -> Counts {
    let codes = sequences.codes().par_iter();
    count(match sequences.bins() {
        Some(bins) => codes
            .zip(bins)
            .map(|(&code, &bin)| pair(code, bin))
            .collect(),
        None => codes.map(|&code| u64::from(code)).collect(),
    })
}
