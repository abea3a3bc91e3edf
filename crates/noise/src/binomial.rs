//! Binomial variables with a success probability that is irrational, or any fraction.

use core::num::NonZeroU64;

use rand_core::Rng;

use crate::probability::ExactProbability;

/// The number of successes among `n` independent events of probability exactly p.
///
/// Event i is "U_i < p" for a uniform real U_i. Compare the bits of all U_i with those of p from the
/// top. The U_i that agree with p so far are undecided; only their number u matters, as the next
/// bits of the undecided are fair and independent of the past, so the number of ones among them is
/// the number of ones among any u fair bits, a population count. If p has a 1 there, those with a 0
/// are below p (successes) and those with a 1 stay undecided; if p has a 0, those with a 1 are above
/// p (failures) and the others stay. Each bit halves the undecided on average, so about 2n random
/// bits are used; the time is proportional to n/64.
pub fn binomial<R: Rng + ?Sized>(n: u64, p: &ExactProbability, rng: &mut R) -> u64 {
    by_words(n, |index| p.word(index), rng)
}

/// The number of successes among `n` independent events of probability exactly min(1, num/den).
///
/// As [`binomial`]; the binary digits of the fraction come by long division.
pub fn binomial_ratio<R: Rng + ?Sized>(n: u64, num: u64, den: NonZeroU64, rng: &mut R) -> u64 {
    let den = den.get();
    if num >= den {
        return n;
    }
    let mut rest = num;
    // Words are asked for in order, each once.
    let next = |_| {
        let shifted = u128::from(rest) << 64;
        rest = (shifted % u128::from(den)) as u64;
        (shifted / u128::from(den)) as u64
    };
    by_words(n, next, rng)
}

/// The number of successes, from the words of the probability, each asked for once and in order.
fn by_words<R: Rng + ?Sized>(n: u64, mut word_at: impl FnMut(usize) -> u64, rng: &mut R) -> u64 {
    let mut undecided = n;
    let mut successes = 0;
    let mut index = 0;
    while undecided > 0 {
        let word = word_at(index);
        for shift in (0..64).rev() {
            let ones = fair_ones(undecided, rng);
            if word >> shift & 1 == 1 {
                successes += undecided - ones;
                undecided = ones;
            } else {
                undecided -= ones;
            }
            if undecided == 0 {
                break;
            }
        }
        index += 1;
    }
    successes
}

/// The number of ones among `n` fair bits.
#[inline]
fn fair_ones<R: Rng + ?Sized>(n: u64, rng: &mut R) -> u64 {
    let mut ones: u64 = (0..n / 64)
        .map(|_| u64::from(rng.next_u64().count_ones()))
        .sum();
    if !n.is_multiple_of(64) {
        ones += u64::from((rng.next_u64() >> (64 - n % 64)).count_ones());
    }
    ones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::Enumeration;
    use crate::rate::Rate;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, fit_integers};

    fn pmf(n: u64, p: f64, k: i64) -> f64 {
        if k < 0 || k as u64 > n {
            return 0.0;
        }
        let ways: f64 = (1..=k as u64)
            .map(|i| ((n - i + 1) as f64 / i as f64).ln())
            .sum();
        (ways + k as f64 * p.ln() + (n - k as u64) as f64 * (-p).ln_1p()).exp()
    }

    #[test]
    fn law_by_enumeration_of_all_bit_strings() {
        for (num, den, t) in [(1, 1, 0), (1, 1, 1), (1, 2, 2), (2, 1, 1)] {
            let p = ExactProbability::laplace_tail(Rate::new(num, den).unwrap(), t);
            let law = Enumeration::run::<3, _>(6, |rng| binomial(3, &p, rng));
            for k in 0..=3 {
                law.assert_contains(&k, pmf(3, p.as_f64(), k as i64), 0.05);
            }
        }
    }

    #[test]
    fn law_by_counting() {
        let mut rng = RandomSource::insecure_seed(41).stream();
        for (n, t) in [(1, 1), (17, 3), (68, 2), (1012, 40), (5000, 1), (944, 80)] {
            let p = ExactProbability::laplace_tail(Rate::new(1, 12).unwrap(), t);
            let drawn: Vec<i64> = (0..60_000)
                .map(|_| binomial(n, &p, &mut rng) as i64)
                .collect();
            let cells = 0..=n as i64;
            assert_plausible(&fit_integers(&drawn, cells, |k| pmf(n, p.as_f64(), k)).unwrap());
        }
    }

    #[test]
    fn law_of_fractions_by_enumeration_and_by_counting() {
        let den = |den| NonZeroU64::new(den).unwrap();
        for (num, of) in [(1, 2), (1, 3), (5, 8), (6, 7)] {
            let law = Enumeration::run::<3, _>(6, |rng| binomial_ratio(3, num, den(of), rng));
            for k in 0..=3 {
                law.assert_contains(&k, pmf(3, num as f64 / of as f64, k as i64), 0.05);
            }
        }
        let mut rng = RandomSource::insecure_seed(42).stream();
        for (n, num, of) in [(1, 1, 3), (700, 1, 1000), (90, u64::MAX / 3, u64::MAX)] {
            let drawn: Vec<i64> = (0..60_000)
                .map(|_| binomial_ratio(n, num, den(of), &mut rng) as i64)
                .collect();
            let p = num as f64 / of as f64;
            assert_plausible(&fit_integers(&drawn, 0..=n as i64, |k| pmf(n, p, k)).unwrap());
        }
        assert_eq!(binomial_ratio(9, 0, den(5), &mut rng), 0);
        assert_eq!(binomial_ratio(9, 5, den(5), &mut rng), 9);
        assert_eq!(binomial_ratio(9, u64::MAX, den(5), &mut rng), 9);
    }

    #[test]
    fn nothing_comes_of_nothing() {
        let mut rng = RandomSource::insecure_seed(1).stream();
        let p = ExactProbability::exp_neg(Rate::new(1, 1).unwrap());
        assert_eq!(binomial(0, &p, &mut rng), 0);
    }

    #[test]
    fn reference_vector() {
        let mut rng = RandomSource::insecure_seed(42).stream();
        let p = ExactProbability::laplace_tail(Rate::new(1, 12).unwrap(), 20);
        let drawn: Vec<u64> = (0..8).map(|_| binomial(1012, &p, &mut rng)).collect();
        assert_eq!(drawn, [115, 115, 92, 112, 113, 94, 103, 108]);
    }
}
