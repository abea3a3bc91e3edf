//! The empty sequences of a public domain, without visiting them.

use core::cmp::Ordering;
use std::collections::HashSet;

use num_bigint::BigUint;
use num_traits::One;
use rand_core::Rng;

use crate::laplace::DiscreteLaplace;
use crate::probability::ExactProbability;
use crate::rare::{below_big, rare_successes};
use crate::rate::Rate;
use crate::sequence_domain::SequenceDomain;
use crate::threshold::least;

/// Draws which sequences with a true count of zero pass `noise ≥ t`, and their noisy counts, among all
/// sequences of a domain. There may be 20²⁵ of them and more.
#[derive(Debug, Clone)]
pub struct EmptySequences {
    noise: DiscreteLaplace,
    threshold: u64,
    passes: ExactProbability,
    domain: SequenceDomain,
    all: BigUint,
}

impl EmptySequences {
    /// Sequences that receive `noise` and are kept at or above `threshold`, which is at least 1. It
    /// should be [`Self::threshold`] or more: the work grows with the sequences that pass.
    pub fn new(noise: DiscreteLaplace, threshold: u64, domain: SequenceDomain) -> EmptySequences {
        let threshold = threshold.max(1);
        EmptySequences {
            noise,
            threshold,
            passes: noise.tail(threshold),
            domain,
            all: domain.size(),
        }
    }

    /// The least t ≥ 1 at which, of all sequences, at most one passes on average if all are empty.
    /// Only public numbers enter, and the choice is exact.
    pub fn threshold(rate: Rate, domain: &SequenceDomain) -> u64 {
        let all = domain.size();
        let logarithm = all.bits() as f64 * core::f64::consts::LN_2;
        let guess = (logarithm / rate.as_f64()).ceil().max(1.0) as u64;
        let enough = |t: u64| {
            let passes = ExactProbability::laplace_tail(rate, t);
            passes.cmp_fraction(&BigUint::one(), &all) == Ordering::Less
        };
        least(1, guess, enough)
    }

    /// The sequences that pass, with their noisy counts, in the order of symbols. `occurs` tells the
    /// sequences of the domain that are not empty, of which there are `occurring`.
    ///
    /// Equal in distribution to drawing noise for every empty sequence and keeping those that reach
    /// the threshold, by the three steps of [`crate::EmptyChildren::draw`]: a binomial number; that
    /// many different empty sequences, all sets of them equally likely, because each is drawn
    /// uniformly from the whole domain until it is empty and new; noise given that it passes.
    pub fn draw<R: Rng + ?Sized>(
        &self,
        occurring: u64,
        occurs: impl Fn(&[u32]) -> bool,
        rng: &mut R,
    ) -> Vec<(Vec<u32>, i64)> {
        let occurring = BigUint::from(occurring).min(self.all.clone());
        let passing = rare_successes(&(&self.all - occurring), &self.passes, rng);
        let mut chosen = HashSet::new();
        while (chosen.len() as u64) < passing {
            let sequence = self.domain.spelled(below_big(&self.all, rng));
            if !occurs(&sequence) {
                chosen.insert(sequence);
            }
        }
        let mut chosen: Vec<Vec<u32>> = chosen.into_iter().collect();
        chosen.sort_unstable();
        chosen
            .into_iter()
            .map(|sequence| (sequence, self.noise.sample_at_least(self.threshold, rng)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use core::num::NonZeroU32;
    use std::collections::BTreeMap;

    use num_traits::ToPrimitive;

    use super::*;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, chi_square};

    /// Any sequence of so many symbols, time being left out.
    fn any(symbols: u32, longest: u32) -> SequenceDomain {
        let number = |n| NonZeroU32::new(n).unwrap();
        SequenceDomain {
            places: number(symbols),
            bins: number(1),
            stays: true,
            longest: number(longest),
        }
    }

    fn rate(num: u64, den: u64) -> Rate {
        Rate::new(num, den).unwrap()
    }

    #[test]
    fn the_threshold_leaves_at_most_one_on_average() {
        for (num, den, symbols, longest) in
            [(1, 1, 20, 25), (1, 4, 6, 2), (3, 1, 1, 1), (1, 100, 7, 3)]
        {
            let (rate, domain) = (rate(num, den), any(symbols, longest));
            let t = EmptySequences::threshold(rate, &domain);
            let all = domain.size().to_f64().unwrap();
            let passing = |t: u64| {
                let alpha = (-rate.as_f64()).exp();
                all * alpha.powf(t as f64) / (1.0 + alpha)
            };
            assert!(passing(t) <= 1.0, "{t}");
            assert!(t == 1 || passing(t - 1) > 1.0, "{t}");
        }
        // 20²⁵ whole tracks at ε = 1: T ≈ len·ln K/ε.
        assert_eq!(EmptySequences::threshold(rate(1, 1), &any(20, 25)), 75);
    }

    /// On a domain that can be visited, against noise for each sequence: which sets pass, with a
    /// capped noisy count of the first. False alarms have the rate of `assert_plausible`.
    #[test]
    fn equal_in_distribution_to_visiting_all() {
        let noise = DiscreteLaplace::new(rate(1, 2));
        let domain = EmptySequences::new(noise, 3, any(2, 2));
        let occurring: [&[u32]; 2] = [&[0], &[1, 1]];
        let empty: [&[u32]; 4] = [&[0, 0], &[0, 1], &[1], &[1, 0]];
        // Each empty sequence: does not pass, passes with 3, with 4, or with more.
        let pass = noise.tail(3).as_f64();
        let law = [1.0 - pass, noise.pmf(3), noise.pmf(4)];
        let law = [law[0], law[1], law[2], 1.0 - law.iter().sum::<f64>()];
        let mut rng = RandomSource::insecure_seed(62).stream();
        let mut seen: BTreeMap<usize, u64> = BTreeMap::new();
        for _ in 0..200_000 {
            let drawn = domain.draw(2, |sequence| occurring.contains(&sequence), &mut rng);
            assert!(drawn.is_sorted());
            let cell = |key: &&[u32]| match drawn.iter().find(|(found, _)| found == key) {
                None => 0,
                Some((_, noisy)) => (noisy - 2).clamp(1, 3) as usize,
            };
            assert!(
                drawn
                    .iter()
                    .all(|(key, noisy)| empty.contains(&&key[..]) && *noisy >= 3)
            );
            *seen
                .entry(empty.iter().map(cell).fold(0, |all, one| all * 4 + one))
                .or_default() += 1;
        }
        let share = |cells: usize| (0..4).map(|at| law[cells / 4_usize.pow(at) % 4]).product();
        let counts: Vec<u64> = (0..256)
            .map(|cells| seen.get(&cells).copied().unwrap_or(0))
            .collect();
        let shares: Vec<f64> = (0..256).map(share).collect();
        assert_plausible(&chi_square(&counts, &shares).unwrap());
    }

    #[test]
    fn a_domain_without_empty_sequences_has_none_that_pass() {
        let noise = DiscreteLaplace::new(rate(1, 9));
        let domain = EmptySequences::new(noise, 0, any(1, 2));
        let mut rng = RandomSource::insecure_seed(3).stream();
        for _ in 0..200 {
            assert_eq!(domain.draw(2, |_| true, &mut rng), []);
        }
    }
}
