//! How well the release keeps where people are.

use wayveil_core::Result;

use super::counting::visits;
use super::divergence::jensen_shannon;
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Jensen–Shannon divergence of visits per location.
pub(super) static METRIC: Metric = Metric {
    name: "location-divergence",
    about: "how far apart the distributions of visits over locations are",
    definition: "Jensen–Shannon divergence, base 2, of the distributions of visits over locations, \
                 repeated visits of one record included. Undefined where a side has no visit. \
                 Results in natural logarithms are ln 2 = 0.693 times as large.",
    source: "The density error of LDPTrace (Du et al., PVLDB 16, 2023), there on a grid of cells \
             and in natural logarithms.",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    Ok(vec![Value::of("", jensen_shannon(&visits(compared)?))])
}
