//! What attacks need to be told.

use serde::{Deserialize, Serialize};
use wayveil_core::{Error, Result};

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

impl AttackSettings {
    /// Refuses settings with which nothing would be attacked.
    pub fn check(&self) -> Result<()> {
        let wrong = |what: &str, reason: &str| {
            Err(Error::input(format!(
                "invalid {what} of the attacks: {reason}"
            )))
        };
        if self.victims == 0 {
            return wrong("number of victims (got 0)", "at least one is attacked");
        }
        if self.points == 0 || self.typical_points == 0 {
            return wrong("number of known points (got 0)", "at least one is known");
        }
        if self.coarse_places.contains(&0) || self.coarse_times.contains(&0) {
            return wrong("roughness (got 0)", "1 stands for exact knowledge");
        }
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return wrong("alpha", "it is one minus a confidence, between 0 and 1");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_attack_nothing_are_refused() {
        assert!(AttackSettings::default().check().is_ok());
        let changes: [fn(&mut AttackSettings); 7] = [
            |it| it.victims = 0,
            |it| it.points = 0,
            |it| it.typical_points = 0,
            |it| it.coarse_places = vec![1, 0],
            |it| it.coarse_times = vec![0],
            |it| it.alpha = 1.0,
            |it| it.alpha = f64::NAN,
        ];
        for change in changes {
            let mut settings = AttackSettings::default();
            change(&mut settings);
            assert!(settings.check().is_err());
        }
    }
}
