//! How many records a run is of, and by how much ε is raised for it.

use wayveil_core::Rational;

/// The greatest ε that a run with fewer records may have. A tree's thresholds are then several people
/// still: about ln(2·places)/ε at one level, and more where levels share ε.
const MOST_SCALED: f64 = 1.0;
/// First impressions need a quarter of the records, if so many are left.
const LEAST_SMALL: u64 = 2_000;
/// What a quarter is.
const SMALLER: u64 = 4;

/// The scale of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    /// One record of the arena in so many is used.
    pub(super) parts: u64,
    /// How many records are used.
    pub(super) rows: u64,
    /// ε is multiplied by this; for campaigns, how many clients a record stands for.
    pub(super) times: u64,
}

impl Scale {
    /// For campaigns: records stand for clients, whatever ε is.
    pub(super) fn of_clients(rows: u64, factor: u64, small: bool) -> Self {
        let parts = if small { quarters(rows, u64::MAX) } else { 1 };
        Self {
            parts,
            rows: rows / parts,
            times: factor * parts,
        }
    }

    /// How many records of people the run tells of.
    pub(super) fn people(self) -> u64 {
        self.rows.saturating_mul(self.times)
    }
}

/// The scale at which an arena of `rows` records that stand for `factor` each is used: at most `most`
/// records, a quarter of that for first impressions, but never so few that ε would be raised too far.
pub(super) fn scale(rows: u64, factor: u64, most: u64, epsilon: &Rational, small: bool) -> Scale {
    // A float beyond the range becomes the greatest number, and one below 1 becomes 0. The little that is added makes up
    // for decimals that no float is: ten times 0.1 is 1.
    let bound = ((MOST_SCALED / epsilon.to_f64() + 1e-9) as u64).max(1);
    let allowed = (bound / factor.max(1)).max(1);
    let mut parts = rows.div_ceil(most.max(1)).clamp(1, allowed);
    if small {
        parts *= quarters(rows / parts, allowed / parts);
    }
    Scale {
        parts,
        rows: rows / parts,
        times: factor.min(bound) * parts,
    }
}

/// By how much records may be divided for first impressions.
fn quarters(rows: u64, allowed: u64) -> u64 {
    SMALLER.min(allowed).min(rows / LEAST_SMALL).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epsilon_is_never_raised_above_one_and_people_are_kept_where_it_can_be() {
        let of = |rows, factor, epsilon: &str, small| {
            let found = scale(rows, factor, 50_000, &epsilon.parse().unwrap(), small);
            (found.rows, found.times, found.people())
        };
        // All records, however many, where epsilon is large.
        assert_eq!(of(500_000, 1, "4", false), (500_000, 1, 500_000));
        assert_eq!(of(500_000, 1, "4", true), (500_000, 1, 500_000));
        assert_eq!(of(500_000, 1, "0.5", false), (250_000, 2, 500_000));
        assert_eq!(of(500_000, 1, "0.1", false), (50_000, 10, 500_000));
        assert_eq!(of(500_000, 1, "0.01", true), (12_500, 40, 500_000));
        assert_eq!(of(10_000, 1, "0.25", true), (2_500, 4, 10_000));
        assert_eq!(of(1_000, 1, "0.01", true), (1_000, 1, 1_000));
        // An arena that cannot hold all: scaled as far as may be, and of fewer people beyond.
        assert_eq!(of(100_000, 10, "0.1", false), (100_000, 10, 1_000_000));
        assert_eq!(of(100_000, 10, "0.5", false), (100_000, 2, 200_000));
        assert_eq!(of(100_000, 10, "2", true), (100_000, 1, 100_000));
        for epsilon in ["0.01", "0.07", "0.3", "0.9", "1"] {
            for (rows, factor) in [(3_000_000, 1), (4_000_000, 30), (7, 1)] {
                for small in [true, false] {
                    let epsilon: Rational = epsilon.parse().unwrap();
                    let found = scale(rows, factor, 10_000, &epsilon, small);
                    assert!(found.times as f64 * epsilon.to_f64() <= 1.0 + 1e-6);
                }
            }
        }
    }

    #[test]
    fn campaigns_keep_their_clients() {
        assert_eq!(Scale::of_clients(10_000, 3, true).people(), 30_000);
        assert_eq!(Scale::of_clients(10_000, 3, true).rows, 2_500);
    }
}
