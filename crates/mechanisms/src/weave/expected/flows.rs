//! `flow-error` and divergences of steps and trips, against truths that are plausible.

use rand_core::Rng;

use super::known::Known;
use super::plausible;

/// The part of flows below a threshold that a release has right.
const GUESSED: f64 = 0.1;

/// Flow error for each of so many plausible truths, and divergence where the release has any flow; nothing for a truth
/// without flow.
pub(super) fn errors(known: &Known, draws: usize, rng: &mut impl Rng) -> Vec<(f64, Option<f64>)> {
    let released: f64 = known.cells.iter().map(|it| it.released).sum();
    let mut found = Vec::with_capacity(draws);
    let mut counts = Vec::with_capacity(known.cells.len());
    for _ in 0..draws {
        counts.clear();
        // Of cells that did not pass a threshold only what they hold together is known.
        let mut unknown = 0.0;
        for cell in &known.cells {
            match cell.truth {
                Some(truth) => counts.push((plausible::count(truth, rng), cell.released)),
                None => unknown += cell.released,
            }
        }
        let made_up = unknown * (1.0 - GUESSED);
        counts.push((unknown - made_up, unknown - made_up));
        counts.push((known.beyond + made_up, 0.0));
        counts.push((0.0, made_up));
        let all: f64 = counts.iter().map(|it| it.0).sum();
        let wrong: f64 = counts.iter().map(|it| (it.0 - it.1).abs()).sum();
        if all > 0.0 {
            let divergence = (released > 0.0).then(|| divergence(&counts));
            found.push((wrong / all, divergence));
        }
    }
    found
}

/// The Jensen–Shannon divergence in bits of two sides given as pairs of counts, as evaluate's metrics have it:
/// ½·Σ p·log₂(p/m) + ½·Σ q·log₂(q/m), m = (p + q)/2. Zero where a side is empty.
pub(super) fn divergence(counts: &[(f64, f64)]) -> f64 {
    let left: f64 = counts.iter().map(|it| it.0).sum();
    let right: f64 = counts.iter().map(|it| it.1).sum();
    if left <= 0.0 || right <= 0.0 {
        return 0.0;
    }
    let term = |share: f64, middle: f64| match share > 0.0 {
        true => share * (share / middle).log2(),
        false => 0.0,
    };
    let sum: f64 = counts
        .iter()
        .map(|&(a, b)| {
            let (p, q) = (a / left, b / right);
            term(p, (p + q) / 2.0) + term(q, (p + q) / 2.0)
        })
        .sum();
    (sum / 2.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use wayveil_core::RandomSource;

    use super::super::known::Cell;
    use super::*;
    use crate::weave::denoise::Estimate;

    fn sure(number: u64, released: f64, mean: f64) -> Cell {
        let truth = Some(Estimate {
            mean,
            deviation: 0.0,
        });
        Cell {
            number,
            released,
            truth,
        }
    }

    #[test]
    fn what_is_sure_is_worked_out_by_hand() {
        // Truth: 4, 4 and 2 elsewhere; released: 5, 3. Wrong: 1 + 1 + 2 of 10.
        let known = Known {
            cells: vec![sure(0, 5.0, 4.0), sure(1, 3.0, 4.0)],
            beyond: 2.0,
        };
        let mut rng = RandomSource::insecure_seed(1).stream();
        let found = errors(&known, 2, &mut rng);
        assert_eq!(found.len(), 2);
        assert!((found[0].0 - 0.4).abs() < 1e-12);
        let by_hand = divergence(&[(4.0, 5.0), (4.0, 3.0), (2.0, 0.0)]);
        assert!((found[1].1.unwrap() - by_hand).abs() < 1e-12);
    }

    #[test]
    fn divergences_are_between_equal_and_disjoint() {
        assert_eq!(divergence(&[(1.0, 3.0), (2.0, 6.0)]), 0.0);
        assert_eq!(divergence(&[(1.0, 0.0), (0.0, 6.0)]), 1.0);
        // p = (1, 0), q = (1/2, 1/2), m = (3/4, 1/4).
        let expected = 0.5 * (4.0_f64 / 3.0).log2() + 0.5 * (0.5 * (2.0_f64 / 3.0).log2() + 0.5);
        assert!((divergence(&[(4.0, 1.0), (0.0, 1.0)]) - expected).abs() < 1e-15);
    }

    #[test]
    fn without_flows_there_is_nothing_to_compare() {
        let mut rng = RandomSource::insecure_seed(1).stream();
        let mut errors = |truth: f64| {
            let cells = vec![sure(0, 0.0, truth)];
            errors(&Known { cells, beyond: 0.0 }, 1, &mut rng)
        };
        // A release without flows has an error of 1, as evaluate has it.
        assert_eq!(errors(4.0), [(1.0, None)]);
        assert!(errors(0.0).is_empty());
    }
}
