//! The regularised incomplete beta function, and exact bounds on a probability from it.

use super::gamma::ln_gamma;

/// I_x(a, b), the distribution function of the beta distribution, for a, b > 0.
///
/// By the continued fraction on the side of the mean where it converges fast, and by
/// I_x(a, b) = 1 − I_(1−x)(b, a) on the other.
pub fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if !(a > 0.0 && b > 0.0) || x.is_nan() {
        return f64::NAN;
    }
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let ln_scale = a * x.ln() + b * (-x).ln_1p() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    if x < (a + 1.0) / (a + b + 2.0) {
        ln_scale.exp() / (a * continued_fraction(a, b, x))
    } else {
        1.0 - ln_scale.exp() / (b * continued_fraction(b, a, 1.0 - x))
    }
}

/// 1 + d₁/(1 + d₂/(1 + …)) with d_2m = m(b−m)x/((a+2m−1)(a+2m)) and
/// d_2m+1 = −(a+m)(a+b+m)x/((a+2m)(a+2m+1)), from the left by Lentz's method.
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut value, mut c, mut d) = (1.0, 1.0, 0.0);
    for step in 1..200_000_u32 {
        let m = f64::from(step / 2);
        let numerator = if step % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        d = 1.0 / away_from_zero(1.0 + numerator * d);
        c = away_from_zero(1.0 + numerator / c);
        value *= c * d;
        if (c * d - 1.0).abs() < 4.0 * f64::EPSILON {
            break;
        }
    }
    value
}

/// The one-sided lower bound of Clopper and Pearson (1934): with probability at least 1 − `alpha`,
/// a coin that fell `successes` times of `trials` has a probability of at least this.
pub fn probability_at_least(successes: u64, trials: u64, alpha: f64) -> f64 {
    if successes == 0 || successes > trials {
        return 0.0;
    }
    // The probability of so many successes or more is I_p(k, n − k + 1), which grows with p. The
    // lower end of the bisection is returned: rounding may only weaken the bound.
    let (a, b) = (successes as f64, (trials - successes) as f64 + 1.0);
    let (mut low, mut high) = (0.0, successes as f64 / trials as f64);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if incomplete_beta(a, b, middle) < alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The one-sided upper bound: with probability at least 1 − `alpha`, at most this.
pub fn probability_at_most(successes: u64, trials: u64, alpha: f64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    1.0 - probability_at_least(trials - successes, trials, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_close(found: f64, known: f64, relative: f64) {
        assert!(
            (found / known - 1.0).abs() < relative,
            "{found} is not {known}"
        );
    }

    /// P[at least k of n], summed term by term.
    fn binomial_tail(k: u64, n: u64, p: f64) -> f64 {
        let ln_choose = |j: u64| {
            ln_gamma(n as f64 + 1.0) - ln_gamma(j as f64 + 1.0) - ln_gamma((n - j) as f64 + 1.0)
        };
        let terms = (k..=n)
            .map(|j| (ln_choose(j) + j as f64 * p.ln() + (n - j) as f64 * (-p).ln_1p()).exp());
        terms.sum()
    }

    #[test]
    fn closed_forms() {
        for x in [1e-9, 0.01, 0.3, 0.5, 0.77, 0.999] {
            assert_close(incomplete_beta(1.0, 1.0, x), x, 1e-13);
            assert_close(incomplete_beta(3.0, 1.0, x), x.powi(3), 1e-12);
            assert_close(incomplete_beta(1.0, 4.0, x), 1.0 - (1.0 - x).powi(4), 1e-6);
        }
        assert_close(incomplete_beta(0.5, 0.5, 0.25), 1.0 / 3.0, 1e-12);
        assert_close(incomplete_beta(7.5, 7.5, 0.5), 0.5, 1e-12);
        assert_eq!(incomplete_beta(2.0, 3.0, 0.0), 0.0);
        assert_eq!(incomplete_beta(2.0, 3.0, 1.0), 1.0);
        assert!(incomplete_beta(0.0, 3.0, 0.5).is_nan());
    }

    #[test]
    fn whole_parameters_are_binomial_tails() {
        for n in [1_u64, 2, 9, 60, 1000] {
            for k in [1, n / 3, n / 2, n - n / 10, n] {
                for p in [0.001, 0.1, 0.33, 0.5, 0.9] {
                    let known = binomial_tail(k.max(1), n, p);
                    if known < 1e-280 || k == 0 {
                        continue;
                    }
                    let found = incomplete_beta(k as f64, (n - k) as f64 + 1.0, p);
                    assert_close(found, known, 1e-8);
                }
            }
        }
    }

    #[test]
    fn published_intervals() {
        // Clopper and Pearson's own kind of table, two-sided 95 %: 2 of 10 and 81 of 263.
        assert_close(probability_at_least(2, 10, 0.025), 0.025_211, 1e-4);
        assert_close(probability_at_most(2, 10, 0.025), 0.556_096, 1e-5);
        assert_close(probability_at_least(81, 263, 0.025), 0.252_7, 1e-3);
        assert_close(probability_at_most(81, 263, 0.025), 0.367_6, 1e-3);
    }

    #[test]
    fn the_ends_have_closed_forms() {
        let n = 5000;
        assert_close(
            probability_at_most(0, n, 1e-9),
            1.0 - 1e-9_f64.powf(1.0 / n as f64),
            1e-9,
        );
        assert_close(
            probability_at_least(n, n, 1e-9),
            1e-9_f64.powf(1.0 / n as f64),
            1e-12,
        );
        assert_eq!(probability_at_least(0, n, 0.05), 0.0);
        assert_eq!(probability_at_most(n, n, 0.05), 1.0);
        assert_eq!(probability_at_most(0, 0, 0.05), 1.0);
        assert_eq!(probability_at_least(0, 0, 0.05), 0.0);
    }

    #[test]
    fn bounds_fail_no_more_often_than_they_say() {
        // Exactly, over all outcomes: how often the truth lies below the lower bound.
        for (n, p) in [(20_u64, 0.1_f64), (50, 0.5), (200, 0.97)] {
            for alpha in [0.2, 0.05, 1e-3] {
                let wrong: f64 = (0..=n)
                    .filter(|&k| probability_at_least(k, n, alpha) > p)
                    .map(|k| {
                        binomial_tail(k, n, p)
                            - if k < n {
                                binomial_tail(k + 1, n, p)
                            } else {
                                0.0
                            }
                    })
                    .sum();
                assert!(
                    wrong <= alpha * (1.0 + 1e-9),
                    "n {n} p {p}: {wrong} > {alpha}"
                );
            }
        }
    }
}
