//! Random choices made with integers only, so that every platform makes the same ones.

use std::num::NonZeroU64;

use rand_core::Rng;

/// A uniform integer in `0..bound`; 0 when `bound` is 0.
pub(super) fn below<R: Rng>(bound: u64, rng: &mut R) -> u64 {
    NonZeroU64::new(bound).map_or(0, |bound| wayveil_noise::below(bound, rng))
}

/// True in so many of a hundred cases.
pub(super) fn percent<R: Rng>(cases: u64, rng: &mut R) -> bool {
    below(100, rng) < cases
}

/// One of the items, each as likely as its weight says; none when all weights are zero.
pub(super) fn weighted<R: Rng, T: Copy>(
    items: impl Iterator<Item = (T, u64)> + Clone,
    rng: &mut R,
) -> Option<T> {
    let total: u64 = items.clone().map(|(_, weight)| weight).sum();
    let mut at = below(total, rng);
    for (item, weight) in items {
        if at < weight {
            return Some(item);
        }
        at -= weight;
    }
    None
}

/// Puts the items in an order in which each order is as likely as any other (Fisher–Yates).
pub(super) fn shuffle<R: Rng, T>(items: &mut [T], rng: &mut R) {
    for last in (1..items.len()).rev() {
        let other = below(last as u64 + 1, rng) as usize;
        items.swap(last, other);
    }
}

/// Fixed weights from which one is drawn often.
pub(super) struct Cumulative {
    ends: Vec<u64>,
}

impl Cumulative {
    pub(super) fn new(weights: impl Iterator<Item = u64>) -> Self {
        let ends = weights.scan(0, |end, weight| {
            *end += weight;
            Some(*end)
        });
        Self {
            ends: ends.collect(),
        }
    }

    /// A position, each as likely as its weight says.
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> u32 {
        let at = below(self.ends.last().copied().unwrap_or(0), rng);
        self.ends.partition_point(|&end| end <= at) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayveil_core::RandomSource;

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut rng = RandomSource::insecure_seed(1).stream();
        let weights = [0, 3, 0, 1, 0];
        let table = Cumulative::new(weights.into_iter());
        for _ in 0..500 {
            let items = weights.into_iter().enumerate();
            assert!(matches!(weighted(items, &mut rng), Some(1 | 3)));
            assert!(matches!(table.draw(&mut rng), 1 | 3));
        }
        assert_eq!(weighted([((), 0)].into_iter(), &mut rng), None);
    }

    #[test]
    fn shuffling_loses_nothing() {
        let mut rng = RandomSource::insecure_seed(2).stream();
        let mut items: Vec<u32> = (0..100).collect();
        shuffle(&mut items, &mut rng);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
