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
    /// How many people are attacked, of whom about half are in what was published; all of them
    /// where there are fewer.
    pub victims: usize,
    /// How many releases are made again from random halves of the people, where there are no
    /// outsiders; the victims are spread over them.
    pub trials: usize,
    /// The most points that an attacker knows: curves go from 1 to this.
    pub points: usize,
    /// How many points an attacker knows where one number is asked for.
    pub typical_points: usize,
    /// How many locations are taken for one, for attackers who know places roughly.
    pub coarse_places: Vec<usize>,
    /// How many time bins are taken for one, for attackers who know times roughly.
    pub coarse_times: Vec<u32>,
    /// How often the release is made again to learn what one person changes in it.
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
            victims: 2000,
            trials: 4,
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

/// Answers that are kept at a time, a byte each.
const MOST_ANSWERS: usize = 100_000_000;
/// Looks of shadows at targets, some thirty numbers each.
const MOST_SHADOWED: usize = 4_000_000;

impl AttackSettings {
    /// Refuses settings with which nothing would be attacked, or nothing in any time.
    pub fn check(&self) -> Result<()> {
        let limits = [
            ("victims", self.victims, 1, 1_000_000),
            ("trials", self.trials, 1, 1000),
            ("points", self.points, 1, 1000),
            ("typical_points", self.typical_points, 1, self.points),
            ("shadows", self.shadows, 0, 10_000),
            ("shadow_targets", self.shadow_targets, 1, 100_000),
        ];
        for (name, value, least, most) in limits {
            if value < least {
                return Err(invalid(name, value, &format!("must be at least {least}")));
            }
            if value > most {
                let points = if name == "typical_points" {
                    ", the number of points"
                } else {
                    ""
                };
                let reason = format!("must be at most {most}{points}");
                return Err(invalid(name, value, &reason));
            }
        }
        let coarse_places = self.coarse_places.iter().map(|&it| it as u64).min();
        let coarse_times = self.coarse_times.iter().map(|&it| u64::from(it)).min();
        for (name, least) in [
            ("coarse_places", coarse_places),
            ("coarse_times", coarse_times),
        ] {
            match least {
                None => return Err(invalid(name, "nothing", "must have a number at least")),
                Some(0) => return Err(invalid(name, 0, "every number must be at least 1")),
                Some(_) => {}
            }
        }
        // One answer is kept of each, in memory.
        let ways = self
            .coarse_places
            .len()
            .saturating_mul(self.coarse_times.len());
        for (names, one, other, most) in [
            (
                "victims times points",
                self.victims,
                self.points,
                MOST_ANSWERS,
            ),
            (
                "victims times ways of coarsening",
                self.victims,
                ways,
                MOST_ANSWERS,
            ),
            (
                "shadows times shadow_targets",
                self.shadows,
                self.shadow_targets,
                MOST_SHADOWED,
            ),
        ] {
            let product = one.saturating_mul(other);
            if product > most {
                return Err(invalid(names, product, &format!("must be at most {most}")));
            }
        }
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            let reason = "must be above 0 and below 1";
            return Err(invalid("alpha", self.alpha, reason));
        }
        Ok(())
    }
}

fn invalid(name: &str, value: impl std::fmt::Display, reason: &str) -> Error {
    Error::input(format!("invalid {name} (got {value}): {reason}"))
        .hint("wayveil attack --list shows the settings and their defaults")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_attack_nothing_or_without_end_are_refused() {
        assert!(AttackSettings::default().check().is_ok());
        let large = AttackSettings {
            victims: 200_000,
            points: 500,
            shadows: 400,
            shadow_targets: 10_000,
            ..AttackSettings::default()
        };
        assert!(large.check().is_ok());
        let changes: [fn(&mut AttackSettings); 20] = [
            |it| it.victims = 0,
            |it| it.victims = 1_000_001,
            |it| (it.victims, it.points) = (200_000, 501),
            |it| (it.victims, it.coarse_places) = (1_000_000, vec![1; 26]),
            |it| (it.shadows, it.shadow_targets) = (400, 10_001),
            |it| it.trials = 0,
            |it| it.trials = 1001,
            |it| it.points = 0,
            |it| it.points = usize::MAX,
            |it| it.typical_points = 0,
            |it| it.typical_points = 11,
            |it| it.shadows = 1_000_000_000_000,
            |it| it.shadow_targets = 0,
            |it| it.shadow_targets = 100_001,
            |it| it.coarse_places = vec![1, 0],
            |it| it.coarse_places = vec![],
            |it| it.coarse_times = vec![0],
            |it| it.coarse_times = vec![],
            |it| it.alpha = 1.0,
            |it| it.alpha = f64::NAN,
        ];
        for change in changes {
            let mut settings = AttackSettings::default();
            change(&mut settings);
            assert!(settings.check().is_err(), "{settings:?}");
        }
    }
}
