//! How many runs fit into the time there is.
//!
//! Learning may take half of it. The number of test runs is fixed before the first of them, so that
//! it cannot depend on what they show.

use std::time::{Duration, Instant};

use wayveil_core::{Progress, RandomSource, Rehearsal};

use super::{Effort, observe};

/// Runs that tell how fast a mechanism is: few first, more where those are over at once.
const TRIALS: [u64; 2] = [2, 256];
const LONG_TRIAL: Duration = Duration::from_millis(20);
const LEARNING: std::ops::RangeInclusive<u64> = 25..=2_000_000;
const TESTING: std::ops::RangeInclusive<u64> = 100..=20_000_000;

pub(super) struct Pace {
    effort: Effort,
    begun: Instant,
    /// Seconds that a run on both data sets of a pair takes.
    each: Vec<f64>,
    /// What learning took so far, and what it was expected to take.
    took: f64,
    expected: f64,
    /// Learning runs as first planned; never more, however well it goes, since what is saved goes
    /// to the test.
    plan: u64,
    done: u64,
}

impl Pace {
    pub(super) fn new(
        effort: Effort,
        stages: &[[Rehearsal<'_>; 2]],
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Self {
        let mut pace = Self {
            effort,
            begun: Instant::now(),
            each: vec![0.0; stages.len()],
            took: 0.0,
            expected: 0.0,
            plan: *LEARNING.end(),
            done: 0,
        };
        if matches!(effort, Effort::Runs(_)) {
            return pace;
        }
        progress.begin("finding out how fast it is", Some(stages.len() as u64));
        for (each, stage) in pace.each.iter_mut().zip(stages) {
            for trial in TRIALS {
                let from = Instant::now();
                let _ = observe(stage, trial, None, random);
                let took = from.elapsed();
                *each = took.as_secs_f64() / trial as f64;
                pace.done += 2 * trial;
                if took > LONG_TRIAL {
                    break;
                }
            }
            progress.advance(1);
        }
        progress.end();
        pace.plan = pace.learning_runs(0);
        pace
    }

    /// How often to run each data set of a pair to train, and again to choose.
    pub(super) fn learning_runs(&self, pair: usize) -> u64 {
        match self.effort {
            Effort::Runs(runs) => (within(runs, &TESTING) / 4).max(*LEARNING.start()),
            Effort::Time(time) => {
                let left = (time / 2)
                    .saturating_sub(self.begun.elapsed())
                    .as_secs_f64();
                let slower = if self.expected > 0.0 {
                    self.took / self.expected
                } else {
                    1.0
                };
                let all: f64 = self.each[pair..].iter().sum();
                within((left / (2.0 * all * slower)) as u64, &LEARNING).min(self.plan)
            }
        }
    }

    /// Takes note of what learning took.
    pub(super) fn learned(&mut self, pair: usize, runs: u64, took: Duration) {
        self.done += 4 * runs;
        self.took += took.as_secs_f64();
        self.expected += self.each[pair] * (2 * runs) as f64;
        self.each[pair] = took.as_secs_f64() / (2 * runs) as f64;
    }

    /// How often to run each data set of these pairs in the test.
    pub(super) fn test_runs(&self, pairs: &[usize]) -> u64 {
        match self.effort {
            Effort::Runs(runs) => within(runs, &TESTING),
            Effort::Time(time) => {
                let left = time.saturating_sub(self.begun.elapsed()).as_secs_f64();
                let each: f64 = pairs.iter().map(|&pair| self.each[pair]).sum();
                within((left / each) as u64, &TESTING)
            }
        }
    }

    /// Runs on any data set so far.
    pub(super) fn done(&self) -> u64 {
        self.done
    }
}

fn within(runs: u64, range: &std::ops::RangeInclusive<u64>) -> u64 {
    runs.clamp(*range.start(), *range.end())
}
