//! In which norm one record's counts are bounded: what noise needs to hide it.
//!
//! A record that counts u units in each of its cells, with repetitions, moves the counts by u·n in the sum of
//! absolute changes, n being how many cells it lists; and by u·√S in Euclidean length, S being the sum of the
//! squares of how often each occurs. Laplace noise hides the first, Gaussian noise the second, which is shorter
//! where there are several cells.

use super::features::UNITS;

/// How the change that one record makes is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Norm {
    /// The sum of absolute changes, at most c·u; for Laplace noise.
    #[default]
    Sum,
    /// The square of the Euclidean length, at most c·u²; for Gaussian noise.
    Euclidean,
}

/// Up to so many cells are compared each with each.
const FEW: usize = 24;

impl Norm {
    /// How many cells of a record are listed at most, such that one unit in each is within the bound; `once` where
    /// no cell is listed twice.
    pub(super) fn longest(self, most: usize, once: bool) -> usize {
        let most = most as u64;
        let longest = match (self, once) {
            (Self::Sum, _) => most.saturating_mul(UNITS),
            (Self::Euclidean, true) => most.saturating_mul(UNITS * UNITS),
            // However they repeat, n cells have S ≤ n².
            (Self::Euclidean, false) => most.saturating_mul(UNITS * UNITS).isqrt(),
        };
        usize::try_from(longest).unwrap_or(usize::MAX)
    }

    /// What the bound is compared with: the number of cells, or the sum of squares of their repetitions.
    pub(super) fn size(self, cells: &[u64], once: bool) -> usize {
        match (self, once) {
            (Self::Sum, _) | (_, true) => cells.len(),
            (Self::Euclidean, false) => squares(cells),
        }
    }

    /// How many units each cell of a record of this size counts: as many as the bound leaves, and at least one of
    /// those that are listed.
    pub(super) fn units(self, most: usize, size: usize) -> u64 {
        let (most, size) = (most as u64, size as u64);
        match self {
            _ if size <= most => UNITS,
            Self::Sum => (UNITS * most / size).max(1),
            Self::Euclidean => (UNITS * UNITS * most / size).isqrt().max(1),
        }
    }
}

/// How many ordered pairs of places in the list hold the same cell: the sum of the squares.
fn squares(cells: &[u64]) -> usize {
    if cells.len() <= FEW {
        let alike = |cell: &u64| cells.iter().filter(|other| *other == cell).count();
        return cells.iter().map(alike).sum();
    }
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    runs.map(|run| run.len() * run.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_units_by_hand() {
        let cells = [4, 4, 9, 4];
        assert_eq!(Norm::Sum.size(&cells, false), 4);
        assert_eq!(Norm::Euclidean.size(&cells, false), 10);
        assert_eq!(Norm::Euclidean.size(&cells, true), 4);
        let many: Vec<u64> = (0..90).map(|cell| cell % 40).collect();
        // Ten cells three times, thirty twice.
        assert_eq!(Norm::Euclidean.size(&many, false), 10 * 9 + 30 * 4);
        // 60·√(5/10) = 42.4, and 60·5/10.
        assert_eq!(Norm::Euclidean.units(5, 10), 42);
        assert_eq!(Norm::Sum.units(5, 10), 30);
        assert_eq!(Norm::Euclidean.units(10, 10), UNITS);
        assert_eq!(Norm::Euclidean.longest(6, false), 146);
    }
}
