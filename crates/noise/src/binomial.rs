//! Binomial variables with an irrational success probability.

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
    let mut undecided = n;
    let mut successes = 0;
    let mut index = 0;
    while undecided > 0 {
        let word = p.word(index);
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
