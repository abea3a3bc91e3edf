//! What attacks need to be told.

use serde::{Deserialize, Serialize};

/// Settings of all attacks. Victims and their known points are drawn from `seed`, so that the same
/// settings attack the same people in every release.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AttackSettings {
    /// Seed of victims and known points.
    pub seed: u64,
    /// How many people are attacked; all of them where there are fewer.
    pub victims: usize,
    /// The most points that an attacker knows: curves go from 1 to this.
    pub points: usize,
    /// How many points an attacker knows where one number is asked for.
    pub typical_points: usize,
    /// How many locations are taken for one, for attackers who know places roughly.
    pub coarse_places: Vec<usize>,
    /// How many time bins are taken for one, for attackers who know times roughly.
    pub coarse_times: Vec<u32>,
    /// How often the release is made again for membership inference.
    pub shadows: usize,
    /// How many people each shadow attack is made on.
    pub shadow_targets: usize,
    /// One minus the confidence of intervals.
    pub alpha: f64,
}

impl Default for AttackSettings {
    fn default() -> Self {
        Self {
            seed: 1,
            victims: 1000,
            points: 10,
            typical_points: 4,
            coarse_places: vec![1, 2, 4, 8, 16],
            coarse_times: vec![1, 2, 4, 8],
            shadows: 64,
            shadow_targets: 50,
            alpha: 0.05,
        }
    }
}
