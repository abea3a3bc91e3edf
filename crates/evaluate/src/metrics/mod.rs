//! The metrics: one file each, one list.

pub(crate) mod count_queries;
mod counting;
mod diameter_divergence;
mod distance_divergence;
mod divergence;
mod earth_movers_distance;
pub(crate) mod flow_error;
mod fragment_queries;
mod fragments_found;
mod ground;
mod histogram;
mod hot_spot_ndcg;
mod kendall_tau;
mod length_divergence;
mod location_divergence;
pub(crate) mod lost_instances;
mod lost_maximal_sequences;
mod mutual_information;
mod ngrams;
pub(crate) mod pattern_f1;
pub(crate) mod pattern_support_error;
mod radius_of_gyration;
mod range_query_error;
pub(crate) mod top_patterns;
mod transition_divergence;
mod transport;
mod trip_divergence;

use wayveil_core::Result;

use crate::compared::Compared;
use crate::settings::Settings;
pub use mutual_information::{Information, information};

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Smaller values are better; zero is a perfect copy.
    Lower,
    /// Greater values are better.
    Higher,
}

/// One number of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What it is, within its metric: `group-1`, `top-100`; empty where there is only one.
    pub name: String,
    /// The number; none where it is not defined, never NaN.
    pub value: Option<f64>,
    /// Why it is not defined, where the metric says.
    pub because: Option<&'static str>,
}

impl Value {
    /// A number that may have come out as NaN or infinite, which counts as undefined.
    pub fn new(name: impl Into<String>, value: f64) -> Self {
        Self {
            name: name.into(),
            value: value.is_finite().then_some(value),
            because: None,
        }
    }

    /// A number that may not be defined on this data.
    pub fn of(name: impl Into<String>, value: Option<f64>) -> Self {
        Self::new(name, value.unwrap_or(f64::NAN))
    }

    /// A number that is not defined on this data.
    pub fn undefined(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: None,
            because: None,
        }
    }

    /// A number that is not defined on this data, and why.
    pub fn undefined_because(name: impl Into<String>, because: &'static str) -> Self {
        Self {
            because: Some(because),
            ..Self::undefined(name)
        }
    }
}

/// A way to compare a release with its raw data.
pub struct Metric {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it tells, in one line.
    pub about: &'static str,
    /// Definition and formula, with defaults.
    pub definition: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Which way is better.
    pub better: Better,
    /// Whether locations need coordinates; undefined without them.
    pub spatial: bool,
    /// Computes it.
    pub run: fn(&Compared<'_>, &Settings) -> Result<Vec<Value>>,
}

/// Every metric.
pub static ALL: &[&Metric] = &[
    &count_queries::METRIC,
    &top_patterns::FOUND,
    &top_patterns::MISSED,
    &fragments_found::METRIC,
    &fragment_queries::METRIC,
    &location_divergence::METRIC,
    &length_divergence::METRIC,
    &trip_divergence::METRIC,
    &transition_divergence::METRIC,
    &flow_error::METRIC,
    &kendall_tau::METRIC,
    &hot_spot_ndcg::METRIC,
    &pattern_f1::METRIC,
    &pattern_support_error::METRIC,
    &lost_instances::METRIC,
    &lost_maximal_sequences::METRIC,
    &mutual_information::METRIC,
    &diameter_divergence::METRIC,
    &distance_divergence::METRIC,
    &radius_of_gyration::METRIC,
    &range_query_error::METRIC,
    &earth_movers_distance::METRIC,
];

/// The metric of this name.
pub fn find(name: &str) -> Option<&'static Metric> {
    ALL.iter().find(|metric| metric.name == name).copied()
}
