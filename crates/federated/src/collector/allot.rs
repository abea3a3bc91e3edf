//! How the clients of a phase are shared among the candidates that are still open.
//!
//! The rule is free: it sees what was answered before and nothing else, so that the test of each
//! candidate stays what it is. A poor rule costs recall, never the promise.

use crate::decide::bar::Bar;
use crate::decide::sequential::History;

/// The power aimed at, as a normal quantile: a candidate with the share hoped for is almost surely
/// admitted by the answers that it is said to need.
const POWER: f64 = 3.5;

/// What is hoped for: the share seen plus so many standard errors.
const HOPE: f64 = 1.0;

/// No candidate is said to need fewer answers.
const FEWEST: f64 = 50.0;

/// Who cannot be admitted with the clients there are still gets this part of an even share: the
/// hope may have been too low.
const LEAST_PART: f64 = 0.1;

/// Where clients are left over, candidates get at most so many times what they need before the others
/// get more: what they need is itself a guess.
const MOST_SPARE: f64 = 4.0;

/// How many further answers a candidate is likely to need before it is admitted, with `remaining` of
/// its level left; infinite if hope lies below the bar, or nothing is known.
///
/// Of n answers with a yes-rate of q, n·q − POWER·√(n·q(1 − q)) must reach the threshold, about
/// n·q0 + z·√(n·q0(1 − q0)), with z the quantile of the remaining level, below zero for what is
/// nearly admitted.
pub(super) fn needed(bar: &Bar, history: &History, remaining: f64) -> f64 {
    let asked = history.asked() as f64;
    if asked == 0.0 {
        return f64::INFINITY;
    }
    let spread = |q: f64| (q * (1.0 - q)).sqrt();
    let q0 = bar.yes_probability();
    let seen = (history.yes() as f64 + 0.5) / (asked + 1.0);
    let hoped = (seen + HOPE * spread(seen) / asked.sqrt()).min(1.0);
    if hoped <= q0 || remaining <= 0.0 {
        return f64::INFINITY;
    }
    let distance = quantile_above(remaining) * spread(q0) + POWER * spread(hoped);
    (distance.max(0.0) / (hoped - q0)).powi(2).max(FEWEST)
}

/// Shares so many answers among candidates of which each needs so many, that as many as possible get
/// what they need: those that need least, first. What is left over is given to the same in proportion,
/// within bounds, and then to the others evenly.
pub(super) fn allot(needed: &[f64], answers: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..needed.len()).collect();
    order.sort_by(|&a, &b| needed[a].total_cmp(&needed[b]));
    let mut allotted = vec![0.0; needed.len()];
    let (mut given, mut sure) = (0.0, 0);
    for at in order {
        if given + needed[at] > answers {
            break;
        }
        allotted[at] = needed[at];
        given += needed[at];
        sure += 1;
    }
    let waiting = needed.len() - sure;
    if waiting == 0 {
        let raised = |part: f64| part * answers / given;
        return allotted.into_iter().map(raised).collect();
    }
    let factor = (answers / given.max(1.0)).clamp(1.0, MOST_SPARE);
    let least = LEAST_PART * answers / needed.len() as f64;
    let even = ((answers - factor * given) / waiting as f64).max(least);
    let raised = |part: f64| if part == 0.0 { even } else { part * factor };
    allotted.into_iter().map(raised).collect()
}

/// The z with P(Z ≥ z) = p for a standard normal Z, to three digits (Hastings 1955).
fn quantile_above(p: f64) -> f64 {
    if p > 0.5 {
        return -quantile_above(1.0 - p);
    }
    let t = (-2.0 * p.max(f64::MIN_POSITIVE).ln()).sqrt();
    let top = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let bottom = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - top / bottom
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::sequential::Phase;

    fn history(asked: u64, yes: u64) -> History {
        History {
            phases: vec![Phase {
                asked,
                yes,
                rest: 1000,
            }],
        }
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        for (p, z) in [
            (0.5, 0.0),
            (0.025, 1.96),
            (0.01, 2.3263),
            (0.99, -2.3263),
            (1e-9, 5.9978),
        ] {
            assert!((quantile_above(p) - z).abs() < 1e-3, "{p}");
        }
        assert!(quantile_above(0.0).is_finite() && quantile_above(1.0).is_finite());
    }

    #[test]
    fn who_is_nearer_to_the_bar_needs_more() {
        let bar = Bar::new(1000, 101, 0.1).unwrap();
        let need = |yes, remaining| needed(&bar, &history(400, yes), remaining);
        // The bar lies at 0.18: 72 yeses of 400.
        assert!(need(90, 0.05) > need(120, 0.05));
        assert!(need(120, 0.05) > need(120, 0.9));
        assert_eq!(need(300, 1.0 - 1e-12), FEWEST);
        assert_eq!(need(40, 0.05), f64::INFINITY);
        assert_eq!(need(120, 0.0), f64::INFINITY);
        assert_eq!(needed(&bar, &History::default(), 0.05), f64::INFINITY);
    }

    #[test]
    fn those_that_need_least_come_first() {
        let all = f64::INFINITY;
        assert_eq!(allot(&[all, all], 100.0), [50.0, 50.0]);
        assert_eq!(allot(&[60.0, 40.0], 100.0), [60.0, 40.0]);
        // 20 and 30 fit, 70 does not; what is left goes to those two, and a tenth of an even share to
        // the others.
        assert_eq!(
            allot(&[70.0, 30.0, all, 20.0], 100.0),
            [2.5, 60.0, 2.5, 40.0]
        );
        // Four times what it needs, and the rest to the other.
        assert_eq!(allot(&[10.0, all], 100.0), [40.0, 60.0]);
        assert_eq!(allot(&[500.0], 100.0), [100.0]);
        assert!(allot(&[], 100.0).is_empty());
    }
}
