//! The papers' random count queries.

use std::num::NonZeroU64;

use wayveil_core::{Error, RandomSource, Result};
use wayveil_noise::{below, choose_distinct};

/// How many groups of queries there are.
pub const GROUPS: usize = 4;

/// Random sets of locations in four groups: those of group i (from 1) have lengths uniform on 1 to
/// ⌈i·`longest`/4⌉ and are uniform among the sets of that length.
///
/// A query is a set, so its locations are drawn without replacement, and no query is longer than
/// the universe. The groups share the queries equally, earlier ones taking what is left over. Each
/// has a stream of its own: the same seed asks the same questions.
pub fn random_sets(
    locations: usize,
    queries: usize,
    longest: usize,
    seed: u64,
) -> Result<[Vec<Vec<u32>>; GROUPS]> {
    if longest == 0 {
        return Err(Error::input(
            "invalid length of count queries (got 0): a query names at least one location",
        ));
    }
    let mut source = RandomSource::insecure_seed(seed);
    let mut groups = [const { Vec::new() }; GROUPS];
    for (at, group) in groups.iter_mut().enumerate() {
        let mut random = source.stream();
        let length = (longest.saturating_mul(at + 1)).div_ceil(GROUPS);
        let Some(most) = NonZeroU64::new(length.min(locations) as u64) else {
            continue;
        };
        let share = queries / GROUPS + usize::from(at < queries % GROUPS);
        for _ in 0..share {
            let size = 1 + below(most, &mut random);
            let set = choose_distinct(locations as u64, size, &mut random)
                .map_err(|cause| Error::input(cause.to_string()))?;
            // Codes are 32 bits wide, so a universe's positions fit.
            group.push(set.into_iter().map(|location| location as u32).collect());
        }
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_equal_and_lengths_end_at_their_quarter() {
        let groups = random_sets(100, 4_002, 10, 1).unwrap();
        for ((group, share), most) in groups
            .iter()
            .zip([1001, 1001, 1000, 1000])
            .zip([3, 5, 8, 10])
        {
            assert_eq!(group.len(), share);
            let longest = group.iter().map(Vec::len).max();
            assert_eq!(longest, Some(most));
            assert_eq!(group.iter().map(Vec::len).min(), Some(1));
            let sets = group.iter().all(|set| set.is_sorted_by(|a, b| a < b));
            assert!(sets && group.iter().flatten().all(|&location| location < 100));
        }
    }

    #[test]
    fn the_seed_decides_and_small_universes_shorten() {
        let draw = |seed| random_sets(50, 40, 12, seed).unwrap();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let small = random_sets(2, 400, 12, 1).unwrap();
        assert!(small.iter().flatten().all(|set| set.len() <= 2));
        assert!(random_sets(0, 4, 12, 1).unwrap().iter().all(Vec::is_empty));
        assert!(random_sets(5, 4, 0, 1).is_err());
    }
}
