//! The empty sequences of a public domain, without visiting them.

use core::cmp::Ordering;
use core::num::NonZeroU32;
use std::collections::HashSet;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use rand_core::Rng;

use crate::laplace::DiscreteLaplace;
use crate::probability::ExactProbability;
use crate::rare::{below_big, rare_successes};
use crate::rate::Rate;
use crate::threshold::least;

/// Draws which sequences with a true count of zero pass `noise ≥ t`, and their noisy counts, among all
/// sequences of 1 to `longest` symbols. There may be 20²⁵ of them and more.
#[derive(Debug, Clone)]
pub struct EmptySequences {
    noise: DiscreteLaplace,
    threshold: u64,
    passes: ExactProbability,
    symbols: NonZeroU32,
    all: BigUint,
}

impl EmptySequences {
    /// Sequences that receive `noise` and are kept at or above `threshold`, which is at least 1. It
    /// should be [`Self::threshold`] or more: the work grows with the sequences that pass.
    pub fn new(
        noise: DiscreteLaplace,
        threshold: u64,
        symbols: NonZeroU32,
        longest: NonZeroU32,
    ) -> EmptySequences {
        let threshold = threshold.max(1);
        EmptySequences {
            noise,
            threshold,
            passes: noise.tail(threshold),
            symbols,
            all: how_many(symbols, longest),
        }
    }

    /// The least t ≥ 1 at which, of all sequences, at most one passes on average if all are empty.
    /// Only public numbers enter, and the choice is exact.
    pub fn threshold(rate: Rate, symbols: NonZeroU32, longest: NonZeroU32) -> u64 {
        let all = how_many(symbols, longest);
        let logarithm = f64::from(longest.get()) * f64::from(symbols.get()).ln();
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
            let sequence = self.spelled(below_big(&self.all, rng));
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

    /// The sequence of this number: shorter ones first.
    fn spelled(&self, mut number: BigUint) -> Vec<u32> {
        let symbols = BigUint::from(self.symbols.get());
        let (mut length, mut of_length) = (1_usize, symbols.clone());
        while number >= of_length {
            number -= &of_length;
            of_length *= &symbols;
            length += 1;
        }
        let mut sequence = vec![0; length];
        for symbol in sequence.iter_mut().rev() {
            let (rest, digit) = number.div_rem(&symbols);
            // A digit is below the number of symbols.
            *symbol = digit.to_u32().unwrap_or(0);
            number = rest;
        }
        sequence
    }
}

/// s + s² + … + s^longest.
fn how_many(symbols: NonZeroU32, longest: NonZeroU32) -> BigUint {
    let mut all = BigUint::default();
    for _ in 0..longest.get() {
        all = (all + 1_u32) * symbols.get();
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, chi_square};

    fn number(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    fn rate(num: u64, den: u64) -> Rate {
        Rate::new(num, den).unwrap()
    }

    #[test]
    fn every_sequence_has_one_number() {
        let noise = DiscreteLaplace::new(rate(1, 1));
        let domain = EmptySequences::new(noise, 3, number(3), number(3));
        assert_eq!(domain.all, BigUint::from(39_u32));
        let all: HashSet<Vec<u32>> = (0_u32..39).map(|n| domain.spelled(n.into())).collect();
        assert_eq!(all.len(), 39);
        let fits = |sequence: &Vec<u32>| {
            (1..=3).contains(&sequence.len()) && sequence.iter().all(|&symbol| symbol < 3)
        };
        assert!(all.iter().all(fits));
    }

    #[test]
    fn the_threshold_leaves_at_most_one_on_average() {
        for (num, den, symbols, longest) in
            [(1, 1, 20, 25), (1, 4, 6, 2), (3, 1, 1, 1), (1, 100, 7, 3)]
        {
            let (rate, symbols, longest) = (rate(num, den), number(symbols), number(longest));
            let t = EmptySequences::threshold(rate, symbols, longest);
            let all = how_many(symbols, longest).to_f64().unwrap();
            let passing = |t: u64| {
                let alpha = (-rate.as_f64()).exp();
                all * alpha.powf(t as f64) / (1.0 + alpha)
            };
            assert!(passing(t) <= 1.0, "{t}");
            assert!(t == 1 || passing(t - 1) > 1.0, "{t}");
        }
        // 20²⁵ whole tracks at ε = 1: T ≈ len·ln K/ε.
        assert_eq!(
            EmptySequences::threshold(rate(1, 1), number(20), number(25)),
            75
        );
    }

    /// On a domain that can be visited, against noise for each sequence: which sets pass, with a
    /// capped noisy count of the first. False alarms have the rate of `assert_plausible`.
    #[test]
    fn equal_in_distribution_to_visiting_all() {
        let noise = DiscreteLaplace::new(rate(1, 2));
        let domain = EmptySequences::new(noise, 3, number(2), number(2));
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
        let domain = EmptySequences::new(noise, 0, number(1), number(2));
        let mut rng = RandomSource::insecure_seed(3).stream();
        for _ in 0..200 {
            assert_eq!(domain.draw(2, |_| true, &mut rng), []);
        }
    }
}
