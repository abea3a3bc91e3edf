//! Upper tails of the binomial distribution, accurate far out and for many trials.
//!
//! `wayveil_noise::statistics::incomplete_beta` is made for tests of samplers: its scale is a
//! difference of logarithms of gamma functions, which at 10⁸ trials leaves six correct digits, and
//! near the mean its continued fraction needs a thousand steps there. Here the scale comes from
//! deviances, which do not cancel, and the rest from a sum of few terms or from one quadrature of fixed
//! size. The relative error is below 10⁻⁹ (10⁻¹¹ in the tests) down to 10⁻³⁰⁰, for up to 10⁸ trials.

use core::f64::consts::PI;
use std::sync::LazyLock;

/// More than the relative error of [`upper_tail`]. Decisions move by this much to the safe side.
pub const SLACK: f64 = 1e-9;

/// Levels below this are met by no count, since tails that small are not told from zero.
pub(crate) const SMALLEST: f64 = 1e-300;

/// The most terms that are summed one by one. Above, the distribution is wide enough for the
/// quadrature.
const MOST_TERMS: f64 = 300.0;

/// P(Bin(n, p) ≥ x).
///
/// A `p` outside [0, 1] counts as the nearer end, and one that is not a number as 1.
pub fn upper_tail(n: u64, p: f64, x: u64) -> f64 {
    tail_and_slope(n, p, x).0
}

/// The smallest x with P(Bin(n, p) ≥ x) ≤ `level`, or n + 1 if there is none.
///
/// Rounding can only make it larger.
pub fn threshold(n: u64, p: f64, level: f64) -> u64 {
    first_where(n, p, level, |tail| tail * (1.0 + SLACK) <= level)
}

/// The largest x with P(Bin(n, p) ≥ x) ≥ `level`, for a level of at most 1. Rounding can only make
/// it smaller.
pub(crate) fn last_at_least(n: u64, p: f64, level: f64) -> u64 {
    first_where(n, p, level, |tail| tail * (1.0 - SLACK) < level).saturating_sub(1)
}

/// The smallest x ≥ 1 whose tail is such that `holds`, which must hold for all tails below some
/// value near `level`; 0 if the level is at least 1, n + 1 if the level is too small to be met.
fn first_where(n: u64, p: f64, level: f64, holds: impl Fn(f64) -> bool) -> u64 {
    if level >= 1.0 && holds(1.0 - SLACK) {
        return 0;
    }
    if level.is_nan() || level < SMALLEST {
        return n.saturating_add(1);
    }
    // It does not hold at `low` and holds at `high`.
    let (mut low, mut high) = (0, n.saturating_add(1));
    let mut guess = normal_guess(n, p, level);
    for round in 0.. {
        if high - low <= 1 {
            break;
        }
        let inside = guess > low as f64 && guess < high as f64 && round < 24;
        let x = if inside {
            (guess as u64).clamp(low + 1, high - 1)
        } else {
            low + (high - low) / 2
        };
        let (tail, slope) = tail_and_slope(n, p, x);
        if holds(tail) {
            high = x;
        } else {
            low = x;
        }
        // Newton's step for the logarithm of the tail, then one to the other side.
        let step = ((tail / level).ln() / slope).floor();
        guess = x as f64 + if step == 0.0 { 1.0 } else { step };
    }
    high
}

/// Where the tail would be `level` if the distribution were nearly normal.
fn normal_guess(n: u64, p: f64, level: f64) -> f64 {
    let smaller = level.min(1.0 - level).max(SMALLEST);
    let t = (-2.0 * smaller.ln()).sqrt();
    // A rational approximation of the normal quantile (Hastings 1955), good to 5·10⁻⁴.
    let z = t
        - (2.515_517 + t * (0.802_853 + t * 0.010_328))
            / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
    let z = if level < 0.5 { z } else { -z };
    let n = n as f64;
    n * p + z * (n * p * (1.0 - p)).sqrt() + (z * z - 1.0) / 6.0 * (1.0 - 2.0 * p) + 0.5
}

/// P(Bin(n, p) ≥ x), and P(Bin(n, p) = x) as a share of it.
fn tail_and_slope(n: u64, p: f64, x: u64) -> (f64, f64) {
    if x > n {
        return (0.0, 1.0);
    }
    if x == 0 || p.is_nan() || p >= 1.0 {
        return (1.0, 0.0);
    }
    if p <= 0.0 {
        return (0.0, 1.0);
    }
    let q = 1.0 - p;
    if x as f64 > n as f64 * p {
        let mass = mass(n, p, q, x);
        let sum = tail_per_mass(n, p, q, x);
        return ((mass * sum).min(1.0), 1.0 / sum);
    }
    // The lower tail P(Bin ≤ x − 1) is the upper tail of the noes.
    let noes = n - x + 1;
    let below = mass(n, q, p, noes) * tail_per_mass(n, q, p, noes);
    let tail = (1.0 - below).clamp(0.0, 1.0);
    let mass = mass(n, p, q, x);
    (tail, mass / tail)
}

/// P(Bin(n, p) ≥ x)/P(Bin(n, p) = x) for x at or above the mean, q = 1 − p.
fn tail_per_mass(n: u64, p: f64, q: f64, x: u64) -> f64 {
    let (trials, start) = (n as f64, x as f64);
    let odds = p / q;
    let ratio = |at: f64| (trials - at) / (at + 1.0) * odds;
    let by_decay = 40.0 / -ratio(start).min(1.0).ln();
    let by_width = 9.0 * (trials * p * q).sqrt();
    if by_decay.min(by_width) > MOST_TERMS {
        return start * beta_integral(start - 1.0, trials - start, odds);
    }
    let (mut sum, mut term, mut at) = (1.0, 1.0, start);
    while at < trials {
        term *= ratio(at);
        sum += term;
        at += 1.0;
        if term < sum * 1e-17 {
            break;
        }
    }
    sum
}

/// ∫₀¹ (1 − v)^a (1 + v·odds)^b dv, where the integrand falls from v = 0 on (or nearly so) and is
/// narrow.
///
/// The tail is the distribution function of a beta distribution, P(Bin(n, p) ≥ x) = I_p(x, n − x + 1),
/// whose density at t = p(1 − v) is x/p · P(Bin(n, p) = x) times this integrand with a = x − 1,
/// b = n − x, odds = p/q. Its logarithm is concave; where a parabola says that it has fallen by 42 the
/// rest is below 10⁻¹³ of the whole.
fn beta_integral(a: f64, b: f64, odds: f64) -> f64 {
    let falling = (a - b * odds).max(0.0);
    let curvature = a + b * odds * odds;
    let reach = 84.0 / (falling + (falling * falling + 84.0 * curvature).sqrt());
    let reach = reach.min(1.0);
    let value = |v: f64| (a * (-v).ln_1p() + b * (v * odds).ln_1p()).exp();
    let sum: f64 = NODES.iter().map(|&(at, w)| w * value(at * reach)).sum();
    sum * reach
}

/// Gauss's quadrature on [0, 1]: places and weights.
static NODES: LazyLock<[(f64, f64); 40]> = LazyLock::new(|| {
    let order = 40.0;
    core::array::from_fn(|i| {
        // Newton's method on the Legendre polynomial of order 40, by its three-term recurrence.
        let mut x = ((i as f64 + 0.75) / (order + 0.5) * PI).cos();
        let mut derivative = 1.0;
        for _ in 0..8 {
            let (mut before, mut value) = (1.0, x);
            for k in 1..40 {
                let k = f64::from(k);
                let next = ((2.0 * k + 1.0) * x * value - k * before) / (k + 1.0);
                (before, value) = (value, next);
            }
            derivative = order * (x * value - before) / (x * x - 1.0);
            x -= value / derivative;
        }
        let weight = 1.0 / ((1.0 - x * x) * derivative * derivative);
        (0.5 * (1.0 - x), weight)
    })
});

/// P(Bin(n, p) = x) for 1 ≤ x ≤ n, q = 1 − p, by Loader's way (2000): the deviances of the yeses and
/// the noes and the errors of Stirling's formula, none of which cancels.
fn mass(n: u64, p: f64, q: f64, x: u64) -> f64 {
    let (trials, yes) = (n as f64, x as f64);
    if x == n {
        let ln = if p > 0.5 { (-q).ln_1p() } else { p.ln() };
        return (trials * ln).exp();
    }
    let no = trials - yes;
    let (yes_mean, no_mean) = (trials * p, trials * q);
    // x − np with the rounding of np taken back; the noes deviate by as much. Of p and q the smaller
    // one has the smaller error.
    let away = if p <= q {
        (yes - yes_mean) - trials.mul_add(p, -yes_mean)
    } else {
        (no_mean - no) + trials.mul_add(q, -no_mean)
    };
    let ln = stirling_error(n)
        - stirling_error(x)
        - stirling_error(n - x)
        - deviance(yes, yes_mean, away)
        - deviance(no, no_mean, -away);
    ln.exp() * (trials / (2.0 * PI * yes * no)).sqrt()
}

/// x·ln(x/mean) + mean − x, given `away` = x − mean.
fn deviance(x: f64, mean: f64, away: f64) -> f64 {
    let v = away / (x + mean);
    if v.abs() >= 0.1 {
        return x * (x / mean).ln() - away;
    }
    // x/mean = (1 + v)/(1 − v), whose logarithm is 2(v + v³/3 + v⁵/5 + …).
    let square = v * v;
    let mut power = 2.0 * x * v;
    let mut sum = away * v;
    for j in 1..60 {
        power *= square;
        let next = sum + power / f64::from(2 * j + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// ln n! − ln(√(2πn)·(n/e)ⁿ), for n ≥ 1.
fn stirling_error(n: u64) -> f64 {
    let x = n as f64;
    if n < 16 {
        let factorial: f64 = (1..=n).map(|i| i as f64).product();
        return factorial.ln() - (x + 0.5) * x.ln() + x - 0.5 * (2.0 * PI).ln();
    }
    let square = 1.0 / (x * x);
    let series = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
    ];
    series.iter().rev().fold(0.0, |sum, c| sum * square + c) / x
}

#[cfg(test)]
#[path = "binomial_tests.rs"]
mod tests;
