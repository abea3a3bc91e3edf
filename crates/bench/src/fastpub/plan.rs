//! What is run.

use wayveil_reproduce::campaigns::{Method, Setting};

use crate::benchmarks::Effort;

/// Sizes and repeats.
pub(super) struct Plan {
    pub(super) lengths: Vec<u32>,
    /// For the duplicated populations.
    pub(super) ks: Vec<u64>,
    pub(super) epsilons: Vec<&'static str>,
    /// For SFP and for the comparison of engines, which take longest.
    pub(super) few_epsilons: Vec<&'static str>,
    pub(super) clients_per_visit: u64,
    pub(super) vehicles: u64,
    pub(super) clients_per_vehicle: u64,
    /// Cells of the vehicles' grid, unless the preset's 64.
    pub(super) cells: Option<u32>,
    fastpub_repeats: u64,
    triehh_repeats: u64,
    sfp_repeats: u64,
    /// Campaigns of each row of the table of false admissions.
    pub(super) planted_repeats: u64,
    /// Clients of the planted population for each of its records.
    pub(super) clients_per_planted: u64,
}

impl Plan {
    pub(super) fn new(effort: Effort) -> Self {
        match effort {
            Effort::Full => Self {
                lengths: vec![3, 4, 5],
                ks: vec![100_000, 200_000, 300_000, 400_000, 500_000],
                epsilons: vec!["1", "2", "4", "10"],
                few_epsilons: vec!["2", "10"],
                // N = 4.77·10⁷ and 2·10⁷.
                clients_per_visit: 1500,
                vehicles: 200_000,
                clients_per_vehicle: 100,
                cells: None,
                fastpub_repeats: 5,
                triehh_repeats: 3,
                sfp_repeats: 1,
                planted_repeats: 200,
                clients_per_planted: 1_000,
            },
            Effort::Quick => Self {
                lengths: vec![2, 3],
                ks: vec![2_000, 6_000],
                epsilons: vec!["2", "10"],
                few_epsilons: vec!["2", "10"],
                clients_per_visit: 10,
                vehicles: 2_000,
                clients_per_vehicle: 100,
                cells: Some(16),
                fastpub_repeats: 3,
                triehh_repeats: 2,
                sfp_repeats: 1,
                planted_repeats: 5,
                clients_per_planted: 100,
            },
        }
    }

    /// Every length with every k.
    pub(super) fn settings(&self, ks: impl Iterator<Item = u64> + Clone) -> Vec<Setting> {
        let lengths = self.lengths.iter();
        lengths
            .flat_map(|&length| ks.clone().map(move |k| Setting { length, k }))
            .collect()
    }

    /// The values of ε that a method is run at.
    pub(super) fn epsilons_of(&self, method: Method) -> &[&'static str] {
        match method.is_sfp() {
            true => &self.few_epsilons,
            false => &self.epsilons,
        }
    }

    pub(super) fn repeats(&self, method: Method) -> u64 {
        match method {
            _ if method.is_sfp() => self.sfp_repeats,
            _ if method.is_fastpub() => self.fastpub_repeats,
            _ => self.triehh_repeats,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_are_the_papers() {
        let plan = Plan::new(Effort::Full);
        let settings = plan.settings(plan.ks.iter().copied());
        assert_eq!(settings.len(), 15);
        let last = Setting {
            length: 5,
            k: 500_000,
        };
        assert_eq!(settings[14], last);
        assert!(plan.repeats(Method::PerCandidate) >= 5);
        assert!(plan.planted_repeats >= 200);
    }
}
