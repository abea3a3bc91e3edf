//! A Kolmogorov–Smirnov test that is right for integers.

use super::Outcome;

/// Whether integers come from the distribution with P[X ≤ x] = `cdf(x)`.
///
/// The statistic is the largest difference of the two distribution functions. Kolmogorov's law for
/// it holds for continuous variables only; the inequality of Dvoretzky, Kiefer and Wolfowitz with
/// Massart's constant (1990), P[D ≥ d] ≤ 2·e^(−2nd²), holds for all, and for every n. The p-value is
/// that bound. No samples are no evidence: p = 1.
pub fn fit_cdf(samples: &[i64], cdf: impl Fn(i64) -> f64) -> Outcome {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    let n = sorted.len() as f64;
    let mut statistic: f64 = 0.0;
    let mut before = 0;
    for run in sorted.chunk_by(|a, b| a == b) {
        let x = run[0];
        // Both functions are flat between integers, so the extremes are at x and just below it.
        let below = x.checked_sub(1).map_or(0.0, &cdf);
        statistic = statistic.max((before as f64 / n - below).abs());
        before += run.len();
        statistic = statistic.max((before as f64 / n - cdf(x)).abs());
    }
    let p_value = (2.0 * (-2.0 * n * statistic * statistic).exp()).min(1.0);
    let samples = sorted.len() as u64;
    Outcome {
        test: "Kolmogorov-Smirnov bound",
        statistic,
        degrees: None,
        samples,
        p_value,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{assert_plausible, assert_rejected};
    use super::*;

    fn die(x: i64) -> f64 {
        x.clamp(0, 6) as f64 / 6.0
    }

    #[test]
    fn a_fair_die_passes_and_a_loaded_one_does_not() {
        let fair: Vec<i64> = (0..6000).map(|i| i % 6 + 1).collect();
        let found = fit_cdf(&fair, die);
        assert!(found.statistic < 1e-12);
        assert_plausible(&found);
        let loaded: Vec<i64> = (0..6000).map(|i| (i % 7 + 1).min(6)).collect();
        assert_rejected(&fit_cdf(&loaded, die));
    }

    #[test]
    fn ends() {
        assert_plausible(&fit_cdf(&[], die));
        assert_rejected(&fit_cdf(&[i64::MIN; 100], die));
        assert_rejected(&fit_cdf(&[i64::MAX; 100], die));
    }
}
