//! The geometric variable under all Laplace noise: P[G ≥ g] = e^(−rate·g).

use rand_core::Rng;

use crate::digits::{LazyReal, lies_below};
use crate::rate::Rate;

/// Whole units at which the exponential variable stops growing, so that no product can overflow.
/// The bound is reached with probability e^(−2^20), below 10^−455000.
const MAX_WHOLE: u64 = 1 << 20;

/// ⌊E/rate⌋ for an exponential variable E of mean 1; then P[G ≥ g] = P[E ≥ rate·g] = e^(−rate·g).
///
/// This is Algorithm 2 of Canonne, Kamath and Steinke (2020) with its uniform integer replaced by a
/// uniform real, so that von Neumann's trick (1951) yields the whole part of E for free:
///
/// * E = V + F with V whole and F in [0, 1) independent, P[V ≥ v] = e^(−v), and F of density
///   proportional to e^(−x).
/// * A trial draws U1 and goes on while U1 > U2 > … > Un; given U1 = x, `P[n > j]` = x^j/j!, so n is
///   odd with probability e^(−x). Accepting odd n makes an accepted U1 distributed as F.
/// * A trial is accepted with probability ∫ e^(−x) dx = 1 − e^(−1), independently of the others, so
///   the number of rejected trials is distributed as V, and is independent of the accepted U1.
///
/// For digits shorter than 64 bits the caller ensures den ≤ num·2^B (see [`floor_quotient`]).
#[inline]
pub(crate) fn geometric<const B: u32, R: Rng + ?Sized>(rate: Rate, rng: &mut R) -> u64 {
    let mut whole = 0;
    loop {
        if let Some(fraction) = trial::<B, R>(rng) {
            return floor_quotient(rate, whole, fraction, rng);
        }
        whole = MAX_WHOLE.min(whole + 1);
    }
}

/// One of von Neumann's trials: the head of the falling run, if the run's length is odd.
#[inline]
fn trial<const B: u32, R: Rng + ?Sized>(rng: &mut R) -> Option<LazyReal<B>> {
    let mut head = LazyReal::draw(rng);
    let mut last = LazyReal::draw(rng);
    if !last.less_than(&mut head, rng) {
        return Some(head);
    }
    let mut odd = false;
    loop {
        let mut next = LazyReal::draw(rng);
        if !next.less_than(&mut last, rng) {
            return odd.then_some(head);
        }
        last = next;
        odd = !odd;
    }
}

/// ⌊(whole + U)·den/num⌋ for the partly revealed real U.
///
/// With w the first digit of U and f the rest, (whole + U)·den = (A + den·f)/2^B where
/// A = (whole·2^B + w)·den. The quotient by num is q = ⌊A/(num·2^B)⌋ until den·f fills the gap to
/// the next multiple of num·2^B, and then q + 1; never more, as den ≤ num·2^B. The gap decides alone
/// if it is at least den; otherwise the later digits of the same U tell whether f < gap/den.
/// Overflow: see [`Rate`].
#[inline]
fn floor_quotient<const B: u32, R: Rng + ?Sized>(
    rate: Rate,
    whole: u64,
    mut fraction: LazyReal<B>,
    rng: &mut R,
) -> u64 {
    let (num, den) = (rate.numer(), rate.denom());
    let scaled = ((u128::from(whole) << B) | u128::from(fraction.first())) * u128::from(den);
    let high = (scaled >> B) as u64;
    let low = scaled & ((1 << B) - 1);
    let (quotient, remainder) = (high / num, high % num);
    let gap = (u128::from(num - remainder) << B) - low;
    if gap >= u128::from(den) {
        return quotient;
    }
    let mut index = 0;
    let stays = lies_below::<B>(gap as u64, den, || {
        index += 1;
        fraction.later(index - 1, rng)
    });
    quotient + u64::from(!stays)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::Enumeration;
    use crate::source::RandomSource;
    use crate::statistics::{assert_plausible, fit_integers};

    fn pmf(rate: Rate, g: i64) -> f64 {
        let r = rate.as_f64();
        if g < 0 {
            0.0
        } else {
            (-r * g as f64).exp() * -(-r).exp_m1()
        }
    }

    #[test]
    fn one_trial_by_enumeration() {
        let law = Enumeration::run::<2, _>(11, |rng| trial::<2, _>(rng).map(|u| u.first()));
        law.assert_contains(&None, (-1_f64).exp(), 0.03);
        for quarter in 0..4 {
            let from = (-(quarter as f64) / 4.0).exp();
            law.assert_contains(&Some(quarter), from - from * (-0.25_f64).exp(), 0.03);
        }
    }

    #[test]
    fn law_by_enumeration_of_all_digit_strings() {
        for (num, den) in [(1, 1), (1, 2), (2, 3), (3, 4), (5, 2)] {
            let rate = Rate::new(num, den).unwrap();
            let law = Enumeration::run::<2, _>(12, |rng| geometric::<2, _>(rate, rng));
            for g in 0..12 {
                law.assert_contains(&g, pmf(rate, g as i64), 0.11);
            }
        }
    }

    #[test]
    fn law_by_counting_with_frequent_ties() {
        let mut rng = RandomSource::insecure_seed(31).stream();
        for (num, den) in [(1, 12), (7, 30), (3, 1)] {
            let rate = Rate::new(num, den).unwrap();
            let drawn: Vec<i64> = (0..300_000)
                .map(|_| geometric::<5, _>(rate, &mut rng) as i64)
                .collect();
            assert_plausible(&fit_integers(&drawn, 0..=400, |g| pmf(rate, g)).unwrap());
        }
    }

    #[test]
    fn extreme_rates_do_not_overflow() {
        let mut rng = RandomSource::insecure_seed(32).stream();
        let top = Rate::LIMIT - 1;
        for rate in [
            Rate::new(1, top),
            Rate::new(top, 1),
            Rate::new(top, top - 1),
        ] {
            for _ in 0..10_000 {
                assert!(geometric::<64, _>(rate.unwrap(), &mut rng) < 1 << 61);
            }
            let half = LazyReal::<64>::draw(&mut rng);
            floor_quotient(rate.unwrap(), MAX_WHOLE, half, &mut rng);
        }
    }
}
