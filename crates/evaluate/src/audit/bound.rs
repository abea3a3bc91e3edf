//! From how often an event occurred to what must be true of ε and δ.

use wayveil_noise::statistics::{probability_at_least, probability_at_most};

/// An event tested on fresh runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tested {
    /// Runs on the data set on which the event is likelier, and on the other one.
    pub runs: [u64; 2],
    /// How many of them showed the event.
    pub hits: [u64; 2],
}

impl Tested {
    /// The least ε that is compatible with (ε, δ)-differential privacy: ln((p − δ)/q), p at its
    /// lower and q at its upper bound of Clopper and Pearson, each wrong with probability α/2 at
    /// most. Zero where nothing follows.
    pub fn epsilon_lower(&self, delta: f64, alpha: f64) -> f64 {
        let (p, q) = self.bounds(alpha);
        let ratio = (p - delta) / q;
        if ratio > 1.0 { ratio.ln() } else { 0.0 }
    }

    /// The least δ that is compatible with the claimed ε: p − e^ε·q.
    pub fn delta_lower(&self, epsilon: f64, alpha: f64) -> f64 {
        let (p, q) = self.bounds(alpha);
        (p - epsilon.exp() * q).max(0.0)
    }

    /// The smallest α at which the bound is above a claimed ε and δ: a mechanism that keeps its
    /// promise gets so far with this probability at most. One where no α does it.
    pub fn least_alpha(&self, epsilon: f64, delta: f64) -> f64 {
        let above = |alpha: f64| self.epsilon_lower(delta, alpha) > epsilon;
        if !above(1.0) {
            return 1.0;
        }
        // By its logarithm: bounds only fall as α does.
        let (mut low, mut high) = (-600.0f64, 0.0f64);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if above(middle.exp()) {
                high = middle;
            } else {
                low = middle;
            }
        }
        high.exp()
    }

    fn bounds(&self, alpha: f64) -> (f64, f64) {
        (
            probability_at_least(self.hits[0], self.runs[0], alpha / 2.0),
            probability_at_most(self.hits[1], self.runs[1], alpha / 2.0),
        )
    }
}

/// How many standard deviations a one-sided tail of this probability lies out, roughly; for
/// choosing events only. (Abramowitz and Stegun 26.2.22 has errors below 0.003.)
pub(super) fn deviations(tail: f64) -> f64 {
    let t = (-2.0 * tail.clamp(1e-300, 0.5).ln()).sqrt();
    t - (2.30753 + 0.27061 * t) / (1.0 + 0.99229 * t + 0.04481 * t * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worked_example() {
        let tested = Tested {
            runs: [1000, 1000],
            hits: [800, 100],
        };
        let p = probability_at_least(800, 1000, 0.025);
        let q = probability_at_most(100, 1000, 0.025);
        assert!((tested.epsilon_lower(0.0, 0.05) - (p / q).ln()).abs() < 1e-15);
        assert!(tested.epsilon_lower(0.0, 0.05) < 8f64.ln());
        assert!(tested.epsilon_lower(0.1, 0.05) < tested.epsilon_lower(0.0, 0.05));
        assert!((tested.delta_lower(1.0, 0.05) - (p - 1f64.exp() * q)).abs() < 1e-15);
        assert_eq!(tested.delta_lower(3.0, 0.05), 0.0);
    }

    #[test]
    fn the_least_alpha_is_where_the_bound_meets_the_claim() {
        let tested = Tested {
            runs: [1000, 1000],
            hits: [800, 100],
        };
        let least = tested.least_alpha(1.9, 0.0);
        assert!((tested.epsilon_lower(0.0, least) - 1.9).abs() < 1e-9);
        assert!(least > 1e-9 && least < 0.5, "{least}");
        assert_eq!(tested.least_alpha(3.0, 0.0), 1.0);
        let with_delta = tested.least_alpha(1.7, 0.1);
        assert!((tested.epsilon_lower(0.1, with_delta) - 1.7).abs() < 1e-9);
        assert!((tested.delta_lower(1.7, with_delta) - 0.1).abs() < 1e-9);
        assert!(with_delta > 2.0 * tested.least_alpha(1.7, 0.0));
        assert_eq!(tested.least_alpha(0.1, 0.8), 1.0);
    }

    #[test]
    fn no_runs_and_no_difference_say_nothing() {
        let none = Tested {
            runs: [0, 0],
            hits: [0, 0],
        };
        assert_eq!(none.epsilon_lower(0.0, 0.05), 0.0);
        let alike = Tested {
            runs: [100, 100],
            hits: [50, 50],
        };
        assert_eq!(alike.epsilon_lower(0.0, 0.05), 0.0);
    }

    #[test]
    fn deviations_of_known_tails() {
        for (tail, known) in [(0.025, 1.96), (1e-3, 3.09), (1e-9, 5.998)] {
            assert!((deviations(tail) - known).abs() < 0.01, "{tail}");
        }
    }
}
