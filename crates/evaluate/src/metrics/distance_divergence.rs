//! How well the release keeps how far people travel.

use wayveil_core::Result;

use super::ground::{Ground, per_record};
use super::{Better, Metric, Value, histogram};
use crate::compared::Compared;
use crate::settings::Settings;

/// Jensen–Shannon divergence of travelled distances.
pub(super) static METRIC: Metric = Metric {
    name: "distance-divergence",
    about: "how far apart the distributions of travelled distance are",
    definition: "Travelled distance: the sum of the distances from each location of a record to \
                 the next, in metres on a sphere of radius 6,371,008.8 m; 0 for a single visit, \
                 empty records left out. Jensen–Shannon divergence, base 2, of histograms with 20 \
                 bins of equal width from 0 to the greatest raw distance, and one more for \
                 released ones beyond it. Undefined where a side has no visit or a location no \
                 coordinates. Results in natural logarithms are ln 2 = 0.693 times as large.",
    source: "The length error of AdaTrace (Gursoy et al., CCS 2018) and LDPTrace (Du et al., PVLDB \
             16, 2023), whose code leaves out released distances beyond the raw range and takes \
             natural logarithms.",
    better: Better::Lower,
    spatial: true,
    run,
};

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    let Some(ground) = Ground::of(compared)? else {
        return Ok(vec![Value::undefined("")]);
    };
    let travelled = |codes: &[u32]| {
        codes
            .windows(2)
            .map(|step| ground.distance(step[0], step[1]))
            .sum()
    };
    let (raw, released) = per_record(compared, travelled);
    Ok(vec![Value::of("", histogram::divergence(&raw, &released))])
}
