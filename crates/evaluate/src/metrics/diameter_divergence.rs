//! How well the release keeps how far apart the places of one record are.

use wayveil_core::Result;

use super::ground::{Ground, chord, metres, per_record};
use super::{Better, Metric, Value, histogram};
use crate::compared::Compared;
use crate::settings::Settings;

/// Records longer than this are freed of repeated locations first.
const LONG: usize = 32;

/// Jensen–Shannon divergence of diameters.
pub(super) static METRIC: Metric = Metric {
    name: "diameter-divergence",
    about: "how far apart the distributions of the records' diameters are",
    definition: "Diameter: the greatest distance between two locations of a record, in metres on \
                 a sphere of radius 6,371,008.8 m; 0 for a single visit, empty records left out. \
                 Jensen–Shannon divergence, base 2, of histograms with 20 bins of equal width from \
                 0 to the greatest raw diameter, and one more for released ones beyond it. \
                 Undefined where a side has no visit or a location no coordinates. Results in \
                 natural logarithms are ln 2 = 0.693 times as large.",
    source: "The diameter error of AdaTrace (Gursoy et al., CCS 2018) and LDPTrace (Du et al., \
             PVLDB 16, 2023), whose code leaves out released diameters beyond the raw range and \
             takes natural logarithms.",
    better: Better::Lower,
    spatial: true,
    run,
};

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    let Some(ground) = Ground::of(compared)? else {
        return Ok(vec![Value::undefined("")]);
    };
    let (raw, released) = per_record(compared, |codes| diameter(&ground, codes));
    Ok(vec![Value::of("", histogram::divergence(&raw, &released))])
}

/// Quadratic in the number of distinct locations of the record.
fn diameter(ground: &Ground, codes: &[u32]) -> f64 {
    let mut distinct = Vec::new();
    let codes = if codes.len() > LONG {
        distinct.extend_from_slice(codes);
        distinct.sort_unstable();
        distinct.dedup();
        &distinct
    } else {
        codes
    };
    let mut greatest = 0.0_f64;
    for (index, &a) in codes.iter().enumerate() {
        let from = ground.directions[a as usize];
        for &b in &codes[index + 1..] {
            greatest = greatest.max(chord(from, ground.directions[b as usize]));
        }
    }
    metres(greatest)
}
