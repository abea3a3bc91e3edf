//! Uniform subsets of a given size.

use core::num::NonZeroU64;
use std::collections::HashSet;

use rand_core::Rng;

use crate::uniform::below;

/// Up to this many members a scan of the list beats a hash set.
const SCANNED: u64 = 24;

/// More members were asked for than there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid subset size (got {k}): only {n} elements to choose from")]
pub struct SubsetError {
    /// Elements to choose from.
    pub n: u64,
    /// Size asked for.
    pub k: u64,
}

/// A uniform k-subset of `0..n`, in increasing order.
///
/// Floyd's algorithm (Bentley and Floyd 1987), in time and memory of order k. Invariant: after the
/// step for j the set is a uniform (k−n+j+1)-subset of 0..=j. A step adds a uniform v of 0..=j, or j
/// itself if v is taken already. A set S that holds j arises from S∖{j} with probability s/(j+1),
/// s = |S|, as v is j or one of the s−1 members; a set without j arises from each of its s subsets
/// S∖{v} with probability 1/(j+1). The earlier sets being equally likely, the s-subsets are too.
pub fn choose_distinct<R: Rng + ?Sized>(
    n: u64,
    k: u64,
    rng: &mut R,
) -> Result<Vec<u64>, SubsetError> {
    if k > n {
        return Err(SubsetError { n, k });
    }
    let mut chosen = Vec::new();
    let mut taken = HashSet::new();
    for j in n - k..n {
        let v = NonZeroU64::new(j + 1).map_or(0, |bound| below(bound, rng));
        if k <= SCANNED {
            chosen.push(if chosen.contains(&v) { j } else { v });
        } else {
            let member = if taken.insert(v) { v } else { j };
            taken.insert(member);
            chosen.push(member);
        }
    }
    chosen.sort_unstable();
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, chi_square};
    use std::collections::BTreeMap;

    #[test]
    fn every_subset_is_equally_likely() {
        let mut rng = RandomSource::insecure_seed(51).stream();
        for (n, k, subsets) in [
            (6, 3, 20),
            (5, 1, 5),
            (7, 5, 21),
            (26, 25, 26),
            (27, 25, 351),
        ] {
            let mut counts = BTreeMap::new();
            for _ in 0..1000 * subsets {
                let chosen = choose_distinct(n, k, &mut rng).unwrap();
                assert!(chosen.is_sorted_by(|a, b| a < b) && chosen.iter().all(|&v| v < n));
                assert_eq!(chosen.len() as u64, k);
                *counts.entry(chosen).or_insert(0) += 1;
            }
            let counts: Vec<u64> = counts.into_values().collect();
            assert_eq!(counts.len(), subsets);
            let share = vec![1.0 / subsets as f64; subsets];
            assert_plausible(&chi_square(&counts, &share).unwrap());
        }
    }

    #[test]
    fn ends_of_the_range() {
        let mut rng = RandomSource::insecure_seed(52).stream();
        assert_eq!(choose_distinct(0, 0, &mut rng).unwrap(), []);
        assert_eq!(choose_distinct(u64::MAX, 0, &mut rng).unwrap(), []);
        assert_eq!(
            choose_distinct(100, 100, &mut rng).unwrap(),
            (0..100).collect::<Vec<_>>()
        );
        assert_eq!(choose_distinct(u64::MAX, 40, &mut rng).unwrap().len(), 40);
        let message = choose_distinct(3, 4, &mut rng).unwrap_err().to_string();
        assert_eq!(
            message,
            "invalid subset size (got 4): only 3 elements to choose from"
        );
    }
}
