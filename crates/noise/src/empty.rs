//! The empty children of a tree node, without visiting them.

use rand_core::Rng;

use crate::binomial::binomial;
use crate::laplace::DiscreteLaplace;
use crate::probability::ExactProbability;
use crate::subset::choose_distinct;

/// Draws which of n children with a true count of zero pass `noise ≥ t`, and their noisy counts.
///
/// A universe of thousands of locations makes nearly all children of nearly all nodes empty; the
/// work here is of the order of n/64 random words and of the children that pass.
#[derive(Debug, Clone)]
pub struct EmptyChildren {
    noise: DiscreteLaplace,
    threshold: u64,
    passes: ExactProbability,
}

impl EmptyChildren {
    /// Children that receive `noise` and are kept at or above `threshold`.
    pub fn new(noise: DiscreteLaplace, threshold: u64) -> EmptyChildren {
        EmptyChildren {
            noise,
            threshold,
            passes: noise.tail(threshold),
        }
    }

    /// The chance that one empty child passes.
    pub fn pass_probability(&self) -> &ExactProbability {
        &self.passes
    }

    /// The children among `n` that pass: (rank in `0..n`, noisy count), by increasing rank.
    ///
    /// Equal in distribution to drawing X_1, …, X_n and keeping those ≥ t. The events X_i ≥ t are
    /// independent with one probability p, so their number is Binomial(n, p); given the number, all
    /// sets of that size are equally likely; given the set, the X_i in it are independent, each
    /// distributed as the noise given ≥ t. These are the three steps taken.
    pub fn draw<R: Rng + ?Sized>(&self, n: u64, rng: &mut R) -> Vec<(u64, i64)> {
        let passing = binomial(n, &self.passes, rng);
        // A binomial never exceeds n, so there is always such a subset.
        let ranks = choose_distinct(n, passing, rng).unwrap_or_default();
        ranks
            .into_iter()
            .map(|rank| (rank, self.noise.sample_at_least(self.threshold, rng)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate::Rate;
    use crate::source::RandomSource;

    #[test]
    fn reference_vector() {
        let noise = DiscreteLaplace::new(Rate::new(1, 12).unwrap());
        let mut rng = RandomSource::insecure_seed(42).stream();
        let drawn = EmptyChildren::new(noise, 50).draw(1012, &mut rng);
        let expected = [
            (57, 53),
            (149, 58),
            (275, 51),
            (458, 58),
            (466, 55),
            (571, 54),
            (823, 53),
        ];
        assert_eq!(drawn, expected);
    }

    #[test]
    fn no_children_no_draws() {
        let noise = DiscreteLaplace::new(Rate::new(1, 12).unwrap());
        let mut rng = RandomSource::insecure_seed(1).stream();
        assert_eq!(EmptyChildren::new(noise, 0).draw(0, &mut rng), []);
    }
}
