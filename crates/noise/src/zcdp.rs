//! Concentrated differential privacy: what an (ε, δ) allows, and the noise that stays within it.
//!
//! A mechanism is ρ-concentrated differentially private (zCDP; Bun and Steinke 2016) where the Rényi divergence
//! of order α of its outcomes on neighbouring data is at most α·ρ, for every α > 1. Such ρ add up under adaptive
//! composition (their Lemma 2.3), and each of these has one:
//!
//! | mechanism | ρ |
//! | --- | --- |
//! | discrete Gaussian noise of σ² on a vector that moves by Δ in Euclidean length | Δ²/(2σ²) |
//! | anything that is ε-differentially private | ε²/2 |
//!
//! Fractions are pairs of a numerator and a denominator. Nothing here that decides rests on a float.

use core::cmp::Ordering;

use num_bigint::BigUint;

use crate::gaussian::DiscreteGaussian;
use crate::probability::ExactProbability;
use crate::rate::Rate;

/// A numerator and a denominator.
pub type Fraction = (u128, u128);

/// Bits of ρ that are kept.
const BITS: i32 = 20;
/// The denominator of α.
const ORDERS: f64 = 65_536.0;
/// Up to here noise has fractional variances, with this denominator; larger ones are whole.
const FINE: u128 = 1 << 16;
const PARTS: u128 = 256;
/// Rates of Laplace noise below 1 have so many bits, larger ones half as many.
const RATE_BITS: u32 = 38;

/// Whether every mechanism with this ρ is (ε, δ)-differentially private, decided exactly by the order α = 1 + k.
///
/// By Canonne, Kamath and Steinke (2020), Proposition 12, it is where for some α > 1
/// δ ≥ e^((α−1)(αρ−ε))/(α−1)·(1−1/α)^α. The last factor is at most 1/e, since ln(1−1/α) ≤ −1/α, so that
/// e^(−x) ≤ δ·k with x = k·(ε − (1+k)·ρ) + 1 suffices. e^(−x) is bounded by big integers with directed rounding
/// until it is told from that fraction. An answer of no means that this order does not show it.
pub fn is_within(
    rho: Fraction,
    order_above_one: Fraction,
    epsilon: Fraction,
    delta: Fraction,
) -> bool {
    let big = |n: u128| BigUint::from(n);
    let ((p, q), (rn, rd)) = (order_above_one, rho);
    let ((en, ed), (dn, dd)) = (epsilon, delta);
    if p == 0 || [q, rd, ed, dd].contains(&0) {
        return false;
    }
    // ε − (1+k)·ρ over the denominator q·ed·rd.
    let (allowed, spent) = (big(en) * q * rd, (big(p) + q) * rn * ed);
    if allowed <= spent {
        return false;
    }
    let unit = big(q) * q * ed * rd;
    let exponent = (allowed - spent) * p + &unit;
    let chance = ExactProbability::exp_neg_fraction(exponent, unit);
    chance.cmp_fraction(&(big(dn) * p), &(big(dd) * q)) == Ordering::Less
}

/// Nearly the largest ρ with which everything is (ε, δ)-differentially private; none where δ is zero or they are
/// too small for any.
///
/// A good order α is looked for with floats, and ρ for it rounded down to a few bits; [`is_within`] then decides.
pub fn rho(epsilon: Fraction, delta: Fraction) -> Option<Fraction> {
    let float = |(num, den): Fraction| num as f64 / den as f64;
    let (e, d) = (float(epsilon), float(delta));
    // The ρ at which the condition of `is_within` is met with equality.
    let largest = |k: f64| (e + (1.0 + (d * k).ln()) / k) / (1.0 + k);
    let orders = (-640..2_000).map(|step| (f64::from(step) / 64.0).exp2());
    let best = orders.max_by(|a, b| largest(*a).total_cmp(&largest(*b)))?;
    let order = ((best * ORDERS).round().max(1.0) as u128, ORDERS as u128);
    let rho = largest(float(order));
    if !(rho > 0.0 && rho < 1e12) {
        return None;
    }
    let shift = (BITS - rho.log2().floor() as i32).clamp(0, 60);
    let most = (rho * f64::from(shift).exp2()).floor() as u128;
    // Floats are off by far less than one part in 2^20; a few steps down are more than enough.
    (0..8)
        .map(|down| (most.saturating_sub(down), 1 << shift))
        .find(|&rho| rho.0 > 0 && is_within(rho, order, epsilon, delta))
}

/// Discrete Gaussian noise that spends at most ρ on a vector which moves by at most the root of `squared` in
/// Euclidean length: σ² ≥ squared/(2ρ), rounded up to a short fraction. None where it would be too large.
pub fn gaussian(rho: Fraction, squared: u128) -> Option<DiscreteGaussian> {
    let top = squared.checked_mul(rho.1)?;
    let bottom = rho.0.checked_mul(2).filter(|&bottom| bottom > 0)?;
    let parts = if top / bottom < FINE { PARTS } else { 1 };
    let num = top.checked_mul(parts)?.div_ceil(bottom);
    DiscreteGaussian::new(u64::try_from(num).ok()?, parts as u64).ok()
}

/// The rate of discrete Laplace noise that spends at most ρ on a vector which moves by at most `sensitivity` in the
/// sum of absolute changes: a fraction r with (r·sensitivity)²/2 ≤ ρ. None where it would be too small.
pub fn laplace(rho: Fraction, sensitivity: u128) -> Option<Rate> {
    let moved = BigUint::from(sensitivity).pow(2) * rho.1;
    let allowed = BigUint::from(rho.0) * 2_u32;
    if moved == BigUint::ZERO {
        return None;
    }
    // r = s/2^bits with s² ≤ 2^(2·bits)·2ρ/sensitivity², rounded down.
    let bits = if allowed < moved {
        RATE_BITS
    } else {
        RATE_BITS / 2
    };
    let parts = ((allowed << (2 * bits)) / moved).sqrt();
    Rate::new(u64::try_from(parts).ok()?, 1 << bits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value((num, den): Fraction) -> f64 {
        num as f64 / den as f64
    }

    const GRID: [(Fraction, Fraction); 8] = [
        ((1, 1), (1, 1_000_000)),
        ((1, 10), (1, 1_000_000_000)),
        ((1, 4), (1, 1_000)),
        ((1, 2), (1, 10_000_000)),
        ((3, 2), (1, 1_000_000)),
        ((5, 1), (1, 100_000)),
        ((20, 1), (1, 1_000_000)),
        ((1, 1_000), (1, 1_000_000_000_000)),
    ];

    #[test]
    fn numbers_worked_by_hand() {
        // ε = 1, δ = 10^−6. At α = 22: (1 + (1 + ln(21·10^−6))/21)/22 = (1 − 9.7710/21)/22 = 0.024305.
        let found = value(rho((1, 1), (1, 1_000_000)).unwrap());
        assert!((0.024300..0.024310).contains(&found), "{found}");
        let by = |rho: u128| is_within((rho, 1_000_000), (21, 1), (1, 1), (1, 1_000_000));
        assert!(by(24_304) && !by(24_306));
        // Bun and Steinke's ρ + 2√(ρ·ln(1/δ)) = ε has the root (√(L+1) − √L)² with L = 13.8155: 0.01747.
        assert!(is_within(
            (17_468, 1_000_000),
            (27, 1),
            (1, 1),
            (1, 1_000_000)
        ));
        assert!(!is_within((1, 1), (1, 1), (1, 1), (0, 1)));
        assert_eq!(rho((1, 1), (0, 1)), None);
    }

    /// Above what the older, simpler conversion gives, and within a hundredth of the full formula's optimum.
    #[test]
    fn between_the_simple_bound_and_the_full_formula() {
        for (epsilon, delta) in GRID {
            let found = value(rho(epsilon, delta).unwrap());
            let (e, log) = (value(epsilon), -value(delta).ln());
            let simple = ((log + e).sqrt() - log.sqrt()).powi(2);
            let full = (1..60_000)
                .map(|step| (f64::from(step) / 2_000.0 - 8.0).exp())
                .map(|k: f64| {
                    let factor = (1.0 + k) * (k / (1.0 + k)).ln() - k.ln();
                    (e - (factor + log) / k) / (1.0 + k)
                })
                .fold(0.0, f64::max);
            assert!(found > simple, "{e} {log}: {found} {simple}");
            assert!(found <= full, "{e} {log}: {found} {full}");
            assert!(found > 0.97 * full, "{e} {log}: {found} {full}");
        }
    }

    /// The δ of one noisy number that moves by `by`, summed up over all outcomes.
    fn brute_force(noise: DiscreteGaussian, by: i64, epsilon: f64) -> f64 {
        let reach = (60.0 * noise.std_dev()) as i64 + by + 10;
        let excess = |x: i64| (noise.pmf(x) - epsilon.exp() * noise.pmf(x - by)).max(0.0);
        let (there, back) = (-reach..=reach)
            .map(|x| (excess(x), excess(-x)))
            .fold((0.0, 0.0), |sum: (f64, f64), own| {
                (sum.0 + own.0, sum.1 + own.1)
            });
        there.max(back)
    }

    #[test]
    fn the_noise_keeps_the_promise_and_not_much_less_does() {
        for (epsilon, delta) in GRID.into_iter().filter(|(epsilon, _)| epsilon.1 <= 10) {
            let rho = rho(epsilon, delta).unwrap();
            for by in [1, 7, 60] {
                let noise = gaussian(rho, (by * by) as u128).unwrap();
                let found = brute_force(noise, by, value(epsilon));
                assert!(found <= value(delta), "{epsilon:?} {by}: {found}");
            }
            // With twice the ρ a single number already breaks the promise.
            let noise = gaussian((2 * rho.0, rho.1), 3_600).unwrap();
            let found = brute_force(noise, 60, value(epsilon));
            assert!(found > value(delta), "{epsilon:?}: {found}");
        }
    }

    proptest! {
        #[test]
        fn noise_spends_what_it_may_and_hardly_less(
            num in 1_u128..1 << 30, den in 1_u128..1 << 40, move_by in 1_u128..100_000,
        ) {
            let rho = (num, den);
            if let Some(noise) = gaussian(rho, move_by * move_by) {
                let (a, b) = noise.parts();
                // Δ²·b/(2a) ≤ num/den.
                let spent = BigUint::from(move_by * move_by) * b * den;
                let allowed = BigUint::from(a) * 2_u32 * num;
                prop_assert!(spent <= allowed);
                let relative = value((move_by * move_by, 2)) * b as f64 / a as f64 / value(rho);
                prop_assert!(relative > 0.99 || a <= 256, "{relative}");
            }
            if let Some(rate) = laplace(rho, move_by) {
                let epsilon = BigUint::from(rate.numer()) * move_by;
                let spent = &epsilon * &epsilon * den;
                let allowed = BigUint::from(rate.denom()).pow(2) * 2_u32 * num;
                prop_assert!(spent <= allowed);
            }
        }

        #[test]
        fn every_rho_is_within_what_it_was_made_for(
            e in 1_u128..2_000, d in 1_u128..1_000, zeros in 3_u32..18,
        ) {
            let (epsilon, delta) = ((e, 100), (d, 10_u128.pow(zeros + 3)));
            let found = rho(epsilon, delta);
            prop_assert!(found.is_some());
            // Brute force is slow for much noise; a smaller budget is checked by the grid above.
            if let Some(found) = found.filter(|_| e >= 100) {
                let noise = gaussian(found, 100).unwrap();
                prop_assert!(brute_force(noise, 10, value(epsilon)) <= value(delta) * (1.0 + 1e-6) + 1e-18);
            }
        }
    }
}
