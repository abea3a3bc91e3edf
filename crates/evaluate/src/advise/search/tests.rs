//! The search among settings whose errors are known.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wayveil_core::{Origin, PrivacyUnit, RandomSource, Universe};

use super::*;
use crate::advise::candidates::{Method, spaces};
use crate::advise::lookalike::part;
use crate::advise::{Facts, Sizes};
use crate::task::Task;

/// Errors by the parameters of a candidate, with noise.
struct Planted<F> {
    arenas: usize,
    error: F,
    runs: AtomicU64,
}

impl<F: Fn(&Candidate, usize, f64) -> Option<f64> + Sync> Trials for Planted<F> {
    fn arenas(&self) -> usize {
        self.arenas
    }

    fn run(&self, trial: &Trial<'_>) -> Result<Tried> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let mut random = RandomSource::insecure_seed(trial.seed).stream();
        let error = (self.error)(trial.candidate, trial.arena, part(&mut random));
        Ok(error.map_or(Tried::Refused("planted".into()), Tried::Error))
    }
}

fn space() -> Space {
    let labels = (0..40).map(|it| it.to_string());
    let universe = Universe::from_labels(labels, Origin::Declared("test".into())).unwrap();
    let facts = Facts {
        universe: Arc::new(universe),
        time: None,
        columns: Vec::new(),
        unit: PrivacyUnit::Owner,
        sizes: Sizes::default(),
    };
    let only = [Method::PrefixTree];
    let (mut found, _) = spaces(&facts, 1000, Task::Counts, false, &only, Effort::Normal);
    found.remove(0)
}

fn value<'a>(candidate: &'a Candidate, name: &str) -> Option<&'a str> {
    let mut parameters = candidate.parameters.iter();
    Some(parameters.find(|(known, _)| known == name)?.1.as_str())
}

fn height(candidate: &Candidate) -> f64 {
    value(candidate, "height").unwrap().parse().unwrap()
}

fn settle(
    arenas: usize,
    seed: u64,
    error: impl Fn(&Candidate, usize, f64) -> Option<f64> + Sync,
) -> (Option<Settled>, u64) {
    let planted = Planted {
        arenas,
        error,
        runs: AtomicU64::new(0),
    };
    let mut search = Search::new(&planted, Effort::Normal, seed);
    let epsilon = Rational::new(1, 1).unwrap();
    let settled = search.settle(&space(), &epsilon, &[]).unwrap();
    assert_eq!(search.runs(), planted.runs.load(Ordering::Relaxed));
    (settled, search.runs())
}

/// Best at height 7, which is not tried at once, with thresholds that keep more and a falling split.
fn bowl(candidate: &Candidate) -> f64 {
    let off = (height(candidate) - 7.0).abs() / 10.0;
    let keep = if value(candidate, "rho") == Some("9/10") {
        0.0
    } else {
        0.1
    };
    let falling = value(candidate, "split").is_some_and(|it| it.starts_with('8'));
    let split = if falling { 0.0 } else { 0.1 };
    0.2 * (1.0 + off + keep + split)
}

#[test]
fn a_planted_best_setting_is_found_away_from_the_grid() {
    // Noise of ±2 % of the error. Fixed seeds: nothing is left to chance.
    for seed in 0..10 {
        let noisy = |it: &Candidate, _, noise: f64| Some(bowl(it) * (0.98 + 0.04 * noise));
        let (settled, runs) = settle(3, seed, noisy);
        let found = settled.unwrap().setting.candidate();
        assert!(bowl(&found) <= 0.2 * 1.1 + 1e-12, "{seed}: {found:?}");
        assert!(runs < 400, "{runs}");
    }
}

#[test]
fn a_lucky_run_is_not_preferred() {
    // Height 10 is usually three times worse, and one run in five makes it look perfect.
    let lucky = |it: &Candidate, _, noise: f64| {
        Some(match height(it) == 10.0 {
            true if noise < 0.2 => 0.0,
            true => 0.6,
            false => bowl(it),
        })
    };
    for seed in 0..10 {
        let found = settle(3, seed, lucky).0.unwrap();
        assert_ne!(height(&found.setting.candidate()), 10.0, "{seed}");
    }
}

#[test]
fn what_is_told_of_the_chosen_one_is_measured_afresh() {
    // All settings are equal and very noisy. The best of four means of six runs lies near 0.38, the truth at
    // 0.5; the mean of forty answers has a standard deviation of 0.016. Fixed seeds.
    let told = |seed| {
        let found = settle(1, seed, |_, _, noise| Some(noise)).0.unwrap();
        found.errors.spread(&["a".into()]).mean
    };
    let mean = (0..40).map(told).sum::<f64>() / 40.0;
    assert!((0.44..0.56).contains(&mean), "{mean}");
}

#[test]
fn a_setting_that_fails_in_one_arena_is_not_advised() {
    let picky = |it: &Candidate, arena: usize, _| match (height(it) < 6.0, arena) {
        (false, 1) => None,
        _ => Some(bowl(it)),
    };
    let found = settle(2, 1, picky).0.unwrap();
    assert_eq!(height(&found.setting.candidate()), 5.0);
    assert!(settle(2, 1, |_, _, _| None).0.is_none());
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    let run = |seed, threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let noisy = |it: &Candidate, _: usize, noise: f64| Some(bowl(it) + noise);
            let found = settle(2, seed, noisy).0.unwrap();
            (found.setting, found.errors)
        })
    };
    assert_eq!(run(5, 1), run(5, 3));
    assert_ne!(run(5, 1).1, run(6, 1).1);
}
