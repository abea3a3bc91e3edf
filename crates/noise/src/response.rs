//! Randomised response: a bit that is true with a known bias.

use rand_core::Rng;

use crate::binomial::binomial;
use crate::digits::{WORD, digit};
use crate::probability::ExactProbability;
use crate::rate::Rate;

/// Warner's randomised response (1965) at a rate r: a bit is turned over with probability exactly
/// η = 1/(1 + e^r).
///
/// The two answers to a bit have probabilities 1 − η and η, whose ratio is e^r: one answer is
/// r-locally differentially private, and with nothing to spare. Made once and then used for any
/// number of bits, from many threads by reference; a bit costs one random word nearly always.
#[derive(Debug, Clone)]
pub struct RandomizedResponse {
    flip: ExactProbability,
    first: u64,
}

impl RandomizedResponse {
    /// For the privacy parameter `rate` of one bit.
    pub fn new(rate: Rate) -> RandomizedResponse {
        // 1/(1 + e^r) = e^(−r)/(1 + e^(−r)).
        let flip = ExactProbability::laplace_tail(rate, 1);
        let first = flip.word(0);
        RandomizedResponse { flip, first }
    }

    /// The answer to one bit.
    #[inline]
    pub fn respond<R: Rng + ?Sized>(&self, truth: bool, rng: &mut R) -> bool {
        truth ^ self.turned::<WORD, R>(rng)
    }

    /// How many answer yes of so many independent clients whose bit is one, and so many whose bit
    /// is zero.
    pub fn yes_among<R: Rng + ?Sized>(&self, ones: u64, zeros: u64, rng: &mut R) -> u64 {
        ones - binomial(ones, &self.flip, rng) + binomial(zeros, &self.flip, rng)
    }

    /// η, exactly.
    pub fn flip(&self) -> &ExactProbability {
        &self.flip
    }

    /// Whether U < η for a uniform real U, by digits from the top.
    #[inline]
    fn turned<const B: u32, R: Rng + ?Sized>(&self, rng: &mut R) -> bool {
        let (drawn, bound) = (digit::<B, R>(rng), self.first >> (64 - B));
        if drawn == bound {
            return self.turned_after_tie::<B, R>(rng);
        }
        drawn < bound
    }

    #[cold]
    fn turned_after_tie<const B: u32, R: Rng + ?Sized>(&self, rng: &mut R) -> bool {
        let mut at = 1;
        loop {
            // B divides 64, so that a digit lies within one word.
            let bit = B as usize * at;
            let bound = self.flip.word(bit / 64) << (bit % 64) >> (64 - B);
            let drawn = digit::<B, R>(rng);
            if drawn != bound {
                return drawn < bound;
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::Enumeration;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, assert_rejected, chi_square, fit_integers};

    fn at(num: u64, den: u64) -> RandomizedResponse {
        RandomizedResponse::new(Rate::new(num, den).unwrap())
    }

    fn eta(num: u64, den: u64) -> f64 {
        1.0 / (1.0 + (num as f64 / den as f64).exp())
    }

    #[test]
    fn law_by_enumeration_with_digits_that_tie_often() {
        for (num, den) in [(1, 100), (1, 5), (1, 1), (2, 1), (10, 3), (10, 1)] {
            let response = at(num, den);
            let coarse = Enumeration::run::<1, _>(16, |rng| response.turned::<1, _>(rng));
            coarse.assert_contains(&true, eta(num, den), 1e-4);
            let fine = Enumeration::run::<4, _>(4, |rng| response.turned::<4, _>(rng));
            fine.assert_contains(&true, eta(num, den), 1e-4);
        }
    }

    #[test]
    fn ties_read_on_beyond_the_first_word() {
        // Digits of four bits that follow η for 20 places (into the second word), then leave it.
        let response = at(3, 2);
        let places: Vec<u64> = (0..21)
            .map(|at| response.flip.word(at / 16) << (at % 16 * 4) >> 60)
            .collect();
        let scripted = |last: u64| {
            let mut script: Vec<u64> = places[..20].to_vec();
            script.push(last);
            let mut words = Fixed(script.into_iter());
            response.turned::<4, _>(&mut words)
        };
        let bound = places[20];
        assert!(bound > 0 && bound < 15, "choose another rate: {bound}");
        assert!(scripted(bound - 1));
        assert!(!scripted(bound + 1));
    }

    struct Fixed(std::vec::IntoIter<u64>);

    impl rand_core::TryRng for Fixed {
        type Error = core::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            self.try_next_u64().map(|word| (word >> 32) as u32)
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(self.0.next().expect("enough digits") << 60)
        }

        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
            unreachable!("not used")
        }
    }

    #[test]
    fn law_by_counting() {
        let mut rng = RandomSource::insecure_seed(81).stream();
        for (num, den) in [(1, 1000), (1, 2), (2, 1), (10, 5), (10, 1)] {
            let response = at(num, den);
            let mut counts = [[0_u64; 2]; 2];
            for _ in 0..2_000_000 {
                for truth in [false, true] {
                    let answer = response.respond(truth, &mut rng);
                    counts[usize::from(truth)][usize::from(answer)] += 1;
                }
            }
            let eta = eta(num, den);
            assert_plausible(&chi_square(&counts[0], &[1.0 - eta, eta]).unwrap());
            assert_plausible(&chi_square(&counts[1], &[eta, 1.0 - eta]).unwrap());
            // A bias off by a twentieth would be seen, where enough bits are turned.
            let off = eta * 0.95;
            if eta > 0.01 {
                assert_rejected(&chi_square(&counts[0], &[1.0 - off, off]).unwrap());
            }
        }
    }

    #[test]
    fn many_answers_at_once_have_the_law_of_single_ones() {
        let mut rng = RandomSource::insecure_seed(82).stream();
        let response = at(1, 1);
        let eta = eta(1, 1);
        // The law of the sum of 7 ones and 5 zeros, by convolution.
        let mut law = vec![1.0];
        for p in [[1.0 - eta; 7].as_slice(), &[eta; 5]].concat() {
            law.push(0.0);
            for k in (0..law.len()).rev() {
                let below = if k > 0 { law[k - 1] } else { 0.0 };
                law[k] = law[k] * (1.0 - p) + below * p;
            }
        }
        let drawn: Vec<i64> = (0..200_000)
            .map(|_| response.yes_among(7, 5, &mut rng) as i64)
            .collect();
        assert_plausible(&fit_integers(&drawn, 0..=12, |k| law[k as usize]).unwrap());
    }
}
