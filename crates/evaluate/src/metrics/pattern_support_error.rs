//! How well the release keeps how frequent n-grams are.

use wayveil_core::{Result, Sequences};

use super::ngrams::{Gram, TOP, supports, top, top_counted};
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::on_counts::OnCounts;
use crate::settings::Settings;

/// Relative error of the supports of the most frequent n-grams.
pub(crate) static METRIC: Metric = Metric {
    name: "pattern-support-error",
    about: "relative error of how often the most frequent contiguous n-grams occur",
    definition: "Mean of |released(f) − raw(f)| / raw(f) over the 100 most frequent raw n-grams f \
                 (fewer where there are fewer), with raw(f) and released(f) the numbers of \
                 occurrences, not scaled by the number of records. An n-gram is 2 to \
                 `fragment-length` (8) consecutive locations of a record; ties go to the shorter \
                 one, then to the lower codes. Undefined where the raw side has none.",
    source: "AdaTrace (Gursoy et al., CCS 2018) and LDPTrace (Du et al., PVLDB 16, 2023), there \
             over cells of a grid.",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let raw = top(compared.raw, settings.fragment_length, TOP);
    Ok(scored(&raw, &compared.released))
}

/// The same on raw records that are only counted.
pub(crate) fn run_on_counts(counted: &OnCounts<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let raw = top_counted(counted, settings.fragment_length, TOP)?;
    Ok(scored(&raw, &counted.released))
}

fn scored(raw: &[Gram], released: &Sequences) -> Vec<Value> {
    if raw.is_empty() {
        return vec![Value::undefined("")];
    }
    let released = supports(released, raw);
    let sum: f64 = raw
        .iter()
        .zip(released)
        .map(|(gram, released)| released.abs_diff(gram.support) as f64 / gram.support as f64)
        .sum();
    vec![Value::new("", sum / raw.len() as f64)]
}
