//! How well the release names the most frequent n-grams.

use rustc_hash::FxHashSet;
use wayveil_core::{Result, Sequences};

use super::ngrams::{Gram, TOP, top, top_counted};
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::on_counts::OnCounts;
use crate::settings::Settings;

/// F1 of the most frequent n-grams.
pub(crate) static METRIC: Metric = Metric {
    name: "pattern-f1",
    about: "how many of the most frequent contiguous n-grams the release has too",
    definition: "F1 of the 100 most frequent n-grams of the release against those of the raw data: \
                 2PR/(P + R) with P and R the shares of common n-grams among the release's and the \
                 raw data's, 0 where there are none. An n-gram is 2 to `fragment-length` (8) \
                 consecutive locations of a record; every occurrence counts; ties go to the \
                 shorter one, then to the lower codes. A side with fewer than 100 gives what it \
                 has. Undefined where the raw side has none.",
    source: "AdaTrace (Gursoy et al., CCS 2018) and LDPTrace (Du et al., PVLDB 16, 2023), there \
             over cells of a grid.",
    better: Better::Higher,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let raw = top(compared.raw, settings.fragment_length, TOP);
    Ok(scored(&raw, &compared.released, settings))
}

/// The same on raw records that are only counted.
pub(crate) fn run_on_counts(counted: &OnCounts<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let raw = top_counted(counted, settings.fragment_length, TOP)?;
    Ok(scored(&raw, &counted.released, settings))
}

fn scored(raw: &[Gram], released: &Sequences, settings: &Settings) -> Vec<Value> {
    if raw.is_empty() {
        return vec![Value::undefined("")];
    }
    let released = top(released, settings.fragment_length, TOP);
    vec![Value::new("", f1(raw, &released))]
}

/// 2PR/(P + R) with P = c/|released| and R = c/|raw| is 2c/(|raw| + |released|).
fn f1(raw: &[Gram], released: &[Gram]) -> f64 {
    let raw: FxHashSet<&[u32]> = raw.iter().map(|gram| &gram.codes[..]).collect();
    let common = released
        .iter()
        .filter(|gram| raw.contains(&gram.codes[..]))
        .count();
    2.0 * common as f64 / (raw.len() + released.len()) as f64
}
