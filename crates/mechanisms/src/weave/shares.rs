//! How the budget is split over groups: public for a task and for how much there is to be seen.
//!
//! How much there is to be seen is ε times the number of records, and that number is the first thing measured;
//! shares may depend on its noisy value like on anything released. Where there is little, most of the budget
//! goes to how records look without names (lengths, returns, variety) and to single places; where there is
//! much, to pairs of places.

use super::features::Kind;

/// The share of the number of records, which comes first, in thousandths of ε.
pub(super) const TOTAL: u64 = 10;
/// The parts that the budget is counted in.
pub(super) const PARTS: u64 = 1_000;

/// From here down there is little to be seen, and from there up much.
const LITTLE: f64 = 5e3;
const MUCH: f64 = 2e5;

/// What the release is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Counts,
    Patterns,
    Flows,
    All,
}

/// The groups in the order in which they are measured; habits first, since bounds are made from them.
const GROUPS: [Kind; 10] = [
    Kind::Length,
    Kind::Shape,
    Kind::Novelty,
    Kind::Step,
    Kind::Variety,
    Kind::First,
    Kind::Place,
    Kind::Ends,
    Kind::Transition,
    Kind::Pair,
];

impl Task {
    pub(super) const ALL: [Self; 4] = [Self::Counts, Self::Patterns, Self::Flows, Self::All];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::Patterns => "patterns",
            Self::Flows => "flows",
            Self::All => "all",
        }
    }

    fn with_much(self) -> [u64; 10] {
        match self {
            Self::All => [30, 40, 20, 30, 30, 20, 80, 150, 290, 300],
            Self::Counts => [30, 40, 20, 30, 40, 20, 120, 50, 160, 480],
            Self::Patterns => [30, 50, 20, 40, 20, 20, 80, 40, 250, 440],
            Self::Flows => [30, 40, 20, 30, 20, 20, 40, 250, 530, 10],
        }
    }

    fn with_little(self) -> [u64; 10] {
        match self {
            Self::All => [80, 60, 100, 60, 100, 50, 150, 90, 150, 150],
            Self::Counts => [80, 60, 120, 60, 120, 50, 200, 40, 100, 160],
            Self::Patterns => [80, 80, 100, 80, 60, 50, 150, 40, 150, 200],
            Self::Flows => [80, 60, 80, 60, 60, 60, 100, 200, 280, 10],
        }
    }

    /// Shares in thousandths of ε, for so much to be seen. Together with [`TOTAL`] they are all of it.
    pub(super) fn shares(self, seen: f64) -> [(Kind, u64); 10] {
        let much = much(seen);
        let mixed = |at: usize| {
            let (little, lot) = (self.with_little()[at] as f64, self.with_much()[at] as f64);
            ((1.0 - much) * little + much * lot) as u64
        };
        let mut shares: [(Kind, u64); 10] =
            std::array::from_fn(|at| (GROUPS[at], mixed(at).max(1)));
        // What rounding left over goes to steps between places.
        let spent: u64 = shares.iter().map(|(_, share)| share).sum();
        shares[8].1 += PARTS.saturating_sub(TOTAL + spent);
        shares
    }
}

/// Leaves next to nothing for first and last places, where they are counted otherwise: steps between places have it.
pub(super) fn without_ends(shares: &mut [(Kind, u64); 10]) {
    let moved = shares[7].1 - 1;
    shares[7].1 = 1;
    shares[8].1 += moved;
}

/// How much there is to be seen, from 0 to 1.
pub(super) fn much(seen: f64) -> f64 {
    ((seen.max(1.0) / LITTLE).ln() / (MUCH / LITTLE).ln()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_all_of_the_budget_and_never_more() {
        for task in Task::ALL {
            for seen in [
                -5.0,
                0.0,
                1.0,
                5e3,
                7_654.0,
                3e4,
                123_456.0,
                2e5,
                1e9,
                f64::NAN,
            ] {
                let shares = task.shares(seen);
                let sum: u64 = shares.iter().map(|(_, share)| share).sum();
                assert_eq!(sum + TOTAL, PARTS, "{task:?} {seen}");
                assert!(shares.iter().all(|(_, share)| *share > 0));
                let mut others = shares;
                without_ends(&mut others);
                let sum: u64 = others.iter().map(|(_, share)| share).sum();
                assert_eq!(sum + TOTAL, PARTS);
                assert_eq!(others[7], (Kind::Ends, 1));
            }
        }
    }
}
