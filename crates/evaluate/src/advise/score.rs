//! How good a setting is over several arenas, and whether another is better.

use super::advice::{ArenaError, Spread};
use crate::samples::Samples;

/// Errors below this are equal for everybody: a tenth of a per cent.
const NEGLIGIBLE: f64 = 0.001;

/// The errors of one setting, run by run, for each arena.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Errors(Vec<Vec<f64>>);

impl Errors {
    pub(super) fn none(arenas: usize) -> Self {
        Self(vec![Vec::new(); arenas])
    }

    pub(super) fn push(&mut self, arena: usize, error: f64) {
        self.0[arena].push(error);
    }

    pub(super) fn means(&self) -> Vec<f64> {
        let mean = |runs: &Vec<f64>| runs.iter().sum::<f64>() / runs.len().max(1) as f64;
        self.0.iter().map(mean).collect()
    }

    /// Half widths of 95 % intervals; 0 where there are too few runs for one.
    fn half_widths(&self) -> Vec<f64> {
        let width = |runs: &Vec<f64>| {
            let samples: Samples = runs.iter().copied().collect();
            samples.half_width().unwrap_or(0.0)
        };
        self.0.iter().map(width).collect()
    }

    /// As told to people.
    pub(super) fn spread(&self, names: &[String]) -> Spread {
        let (means, widths) = (self.means(), self.half_widths());
        let arenas = means.len().max(1) as f64;
        let between: &[f64] = match &self.0[..] {
            [only] => only,
            _ => &means,
        };
        Spread {
            mean: means.iter().sum::<f64>() / arenas,
            half_width: widths.iter().map(|it| it * it).sum::<f64>().sqrt() / arenas,
            low: between.iter().copied().fold(f64::INFINITY, f64::min),
            high: between.iter().copied().fold(0.0, f64::max),
            by_arena: names
                .iter()
                .zip(&means)
                .map(|(arena, &mean)| ArenaError {
                    arena: arena.clone(),
                    mean,
                })
                .collect(),
        }
    }
}

/// Scores of some settings: for each its errors relative to the least in the same arena, averaged, so
/// that no arena counts more because it is harder; with the half width that follows from the runs.
pub(super) fn scores(all: &[&Errors]) -> Vec<(f64, f64)> {
    let means: Vec<Vec<f64>> = all.iter().map(|it| it.means()).collect();
    let arenas = means.first().map_or(0, Vec::len);
    let least: Vec<f64> = (0..arenas)
        .map(|arena| {
            let errors = means.iter().map(|it| it[arena]);
            errors.fold(f64::INFINITY, f64::min).max(NEGLIGIBLE)
        })
        .collect();
    let score = |(errors, means): (&&Errors, &Vec<f64>)| {
        let count = arenas.max(1) as f64;
        let relative = means.iter().zip(&least).map(|(a, b)| a.max(NEGLIGIBLE) / b);
        let widths = errors.half_widths();
        let noise = widths.iter().zip(&least).map(|(a, b)| (a / b).powi(2));
        (
            relative.sum::<f64>() / count,
            noise.sum::<f64>().sqrt() / count,
        )
    };
    all.iter().zip(&means).map(score).collect()
}

/// Which of these is to be preferred: the one with the least score, or the simplest of those which cannot
/// be told from it by their runs. None of an empty list.
pub(super) fn preferred<K: Ord>(all: &[(&Errors, K)]) -> Option<usize> {
    let errors: Vec<&Errors> = all.iter().map(|(errors, _)| *errors).collect();
    let scores = scores(&errors);
    let best = (0..all.len()).min_by(|&a, &b| scores[a].0.total_cmp(&scores[b].0))?;
    let (least, noise) = scores[best];
    let equal = (0..all.len()).filter(|&at| {
        let (score, own) = scores[at];
        at == best || score - least <= noise.hypot(own).min(TOLERATED)
    });
    equal.min_by(|&a, &b| {
        let simpler = all[a].1.cmp(&all[b].1);
        simpler.then(scores[a].0.total_cmp(&scores[b].0))
    })
}

/// However noisy the runs are, nothing is preferred for its simplicity that seems this much worse.
const TOLERATED: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(runs: &[&[f64]]) -> Errors {
        Errors(runs.iter().map(|it| it.to_vec()).collect())
    }

    #[test]
    fn no_arena_counts_more_because_it_is_harder() {
        // The first halves a small error, the second saves a tenth of a large one.
        let (a, b) = (errors(&[&[0.01], &[0.50]]), errors(&[&[0.02], &[0.45]]));
        let found = scores(&[&a, &b]);
        assert!((found[0].0 - (1.0 + 0.5 / 0.45) / 2.0).abs() < 1e-12);
        assert!((found[1].0 - 1.5).abs() < 1e-12);
        assert!(a.spread(&[]).mean > b.spread(&[]).mean);
    }

    #[test]
    fn the_simpler_of_equals_is_preferred_but_nothing_worse() {
        let noisy = errors(&[&[0.100, 0.104, 0.099]]);
        let simple = errors(&[&[0.102, 0.100, 0.105]]);
        assert_eq!(preferred(&[(&noisy, 2), (&simple, 1)]), Some(1));
        let worse = errors(&[&[0.120, 0.121, 0.122]]);
        assert_eq!(preferred(&[(&noisy, 2), (&worse, 1)]), Some(0));
        // Runs that tell nothing do not excuse a tenth.
        let wild = errors(&[&[0.05, 0.17]]);
        assert_eq!(preferred(&[(&noisy, 2), (&wild, 1)]), Some(0));
        assert_eq!(preferred::<u32>(&[]), None);
    }

    #[test]
    fn a_spread_is_told_by_hand() {
        let names = ["a".to_owned(), "b".to_owned()];
        let told = errors(&[&[0.1, 0.3], &[0.4]]).spread(&names);
        assert!((told.mean - 0.3).abs() < 1e-12 && (told.low - 0.2).abs() < 1e-12);
        assert!((told.high - 0.4).abs() < 1e-12);
        // Student's t of one degree of freedom, s/√2 = 0.1, over two arenas.
        assert!((told.half_width - 12.706 * 0.1 / 2.0).abs() < 1e-9);
        let alone = errors(&[&[0.1, 0.3]]).spread(&names[..1]);
        assert_eq!((alone.low, alone.high), (0.1, 0.3));
    }
}
