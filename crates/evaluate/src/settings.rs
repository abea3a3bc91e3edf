//! What metrics need to be told, with the papers' defaults.

use serde::{Deserialize, Serialize};

/// Settings of all metrics. Queries are drawn from `seed`, so that the same settings ask the same
/// questions of every release.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Seed of the random queries.
    pub seed: u64,
    /// Count queries in all, in four groups of equal size.
    pub count_queries: usize,
    /// The longest count query: group i has lengths from 1 to i quarters of it.
    pub query_length: usize,
    /// Sanity bound of relative errors, as a share of the raw records.
    pub sanity: f64,
    /// How many of the most frequent sequential patterns are compared.
    pub top_patterns: Vec<usize>,
    /// The shortest sequential pattern.
    pub pattern_min_length: usize,
    /// The longest sequential pattern.
    pub pattern_max_length: usize,
    /// Least support of a frequent sequence, for maximal frequent sequences, as a share of the raw
    /// records.
    pub frequent: f64,
    /// The longest contiguous fragment.
    pub fragment_length: usize,
    /// Hot spots compared.
    pub hot_spots: usize,
    /// Spatial range queries.
    pub range_queries: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            count_queries: 40_000,
            query_length: 12,
            sanity: 0.001,
            top_patterns: vec![100, 200, 300],
            pattern_min_length: 2,
            pattern_max_length: 5,
            frequent: 0.01,
            fragment_length: 8,
            hot_spots: 10,
            range_queries: 500,
        }
    }
}
