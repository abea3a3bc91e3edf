//! The best setting of a method for one ε, found with few runs.
//!
//! Successive halving: everything is run once where runs are cheap (on a quarter of each arena); the best
//! few bring what lies near them; the best of all that are run several times in full; and the one that is
//! chosen is run afresh, so that what is told of it is not what chance made it be chosen for. All runs are
//! asked the same queries. What a run yields depends on the seed and on its place in the order of runs,
//! never on threads.

use std::collections::HashMap;
use std::str::FromStr;

use rayon::prelude::*;
use wayveil_core::{Error, Rational, Result};

use super::candidates::Space;
use super::score::{Errors, preferred, scores};
use super::setting::Setting;
use crate::evaluation::Candidate;

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A first answer.
    Quick,
    /// About a minute for 50,000 people on two cores.
    Normal,
    /// More settings, more values of ε, more repeats.
    Thorough,
}

impl Effort {
    /// All of them, by name.
    pub const NAMES: [&'static str; 3] = ["quick", "normal", "thorough"];

    /// The most records of a run, where the number of people times ε decides.
    pub fn most_records(self) -> u64 {
        match self {
            Self::Quick => 10_000,
            Self::Normal => 50_000,
            Self::Thorough => 200_000,
        }
    }

    /// The most people that are made up or taken: as many as there are, up to this, where ε is too large
    /// for fewer.
    pub fn most_people(self) -> u64 {
        match self {
            Self::Quick => 500_000,
            Self::Normal => 2_000_000,
            Self::Thorough => 4_000_000,
        }
    }

    /// The same for campaigns in which nobody is trusted: they take long to simulate, and records stand
    /// for several clients there.
    pub fn most_records_of_campaign(self) -> u64 {
        self.most_records() / 5
    }

    fn plan(self, arenas: usize) -> Plan {
        let (refinements, finalists, repeats, fresh) = match self {
            Self::Quick => (1, 3, 2, 3),
            Self::Normal => (2, 4, 3, 4),
            Self::Thorough => (3, 6, 6, 8),
        };
        // Several arenas make up for repeats in each.
        let more = if arenas == 1 { 2 } else { 1 };
        Plan {
            first: more,
            refinements,
            finalists,
            repeats: repeats * more,
            fresh: fresh * more,
        }
    }
}

impl FromStr for Effort {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "quick" => Ok(Self::Quick),
            "normal" => Ok(Self::Normal),
            "thorough" => Ok(Self::Thorough),
            _ => Err(Error::input(format!("there is no effort {text:?}"))
                .hint(format!("choose one of: {}", Self::NAMES.join(", ")))),
        }
    }
}

impl Plan {
    /// Runs that are of very many records differ little: fewer will do.
    fn of_heavy_runs(&self) -> Self {
        Self {
            first: 1,
            refinements: self.refinements.min(1),
            finalists: self.finalists.min(3),
            repeats: self.repeats.min(2),
            fresh: self.fresh.min(3),
        }
    }
}

#[derive(Clone, Copy)]
struct Plan {
    /// Runs of everything.
    first: usize,
    /// How often neighbours are added.
    refinements: usize,
    /// How many are run in full.
    finalists: usize,
    /// How often.
    repeats: usize,
    /// How often the chosen one is run again.
    fresh: usize,
}

/// One run.
pub(super) struct Trial<'a> {
    pub(super) candidate: &'a Candidate,
    pub(super) epsilon: &'a Rational,
    pub(super) arena: usize,
    /// Whether a part of the arena will do.
    pub(super) small: bool,
    pub(super) seed: u64,
}

/// What came of it.
pub(super) enum Tried {
    Error(f64),
    Refused(String),
}

/// Who runs methods.
pub(super) trait Trials: Sync {
    fn arenas(&self) -> usize;
    fn run(&self, trial: &Trial<'_>) -> Result<Tried>;
    /// Whether runs at this ε are of so many records that fewer runs must do.
    fn heavy(&self, _epsilon: &Rational) -> bool {
        false
    }
}

/// The setting that was chosen, with fresh runs, and others that did well.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub(super) setting: Setting,
    pub(super) errors: Errors,
    /// Those that were run in full, the chosen one among them.
    pub(super) finalists: Vec<Setting>,
}

/// The search, with a seed that goes on from run to run.
pub(super) struct Search<'a, T> {
    trials: &'a T,
    plan: Plan,
    seed: u64,
    runs: u64,
    /// Why each method last refused a setting.
    refused: HashMap<String, String>,
}

impl<'a, T: Trials> Search<'a, T> {
    pub(super) fn new(trials: &'a T, effort: Effort, seed: u64) -> Self {
        Self {
            plan: effort.plan(trials.arenas()),
            trials,
            seed,
            runs: 0,
            refused: HashMap::new(),
        }
    }

    /// How many runs there were so far.
    pub(super) fn runs(&self) -> u64 {
        self.runs
    }

    /// Why a method could not be run, where it said so.
    pub(super) fn refused(&self, method: &str) -> Option<&str> {
        self.refused.get(method).map(String::as_str)
    }

    /// Finds a setting for this ε. `known` did well for a neighbouring one. None where every setting is
    /// refused.
    pub(super) fn settle(
        &mut self,
        space: &Space,
        epsilon: &Rational,
        known: &[Setting],
    ) -> Result<Option<Settled>> {
        let plan = self.plan_at(epsilon);
        let mut tried: Vec<(Setting, Errors)> = Vec::new();
        let mut pool: Vec<Setting> = space.start.clone();
        add_new(&mut pool, known.iter().cloned());
        for refinement in 0..=plan.refinements {
            let fresh: Vec<Setting> = pool
                .iter()
                .filter(|it| tried.iter().all(|(known, _)| known != *it))
                .cloned()
                .collect();
            let errors = self.run_all(&fresh, epsilon, plan.first, true)?;
            tried.extend(fresh.into_iter().zip(errors).filter_map(both));
            best_first(&mut tried);
            if refinement < plan.refinements {
                pool = Vec::new();
                for (leader, _) in tried.iter().take(2) {
                    add_new(&mut pool, leader.near(&space.bounds));
                }
            }
        }
        tried.truncate(plan.finalists);
        let finalists = tried.into_iter().map(|(setting, _)| setting).collect();
        self.choose(finalists, epsilon)
    }

    fn plan_at(&self, epsilon: &Rational) -> Plan {
        match self.trials.heavy(epsilon) {
            true => self.plan.of_heavy_runs(),
            false => self.plan,
        }
    }

    /// The best of a few settings, run in full.
    pub(super) fn choose(
        &mut self,
        settings: Vec<Setting>,
        epsilon: &Rational,
    ) -> Result<Option<Settled>> {
        let plan = self.plan_at(epsilon);
        // Of one there is nothing to choose: that it is run again is all that is needed.
        let repeats = if settings.len() == 1 { 1 } else { plan.repeats };
        let errors = self.run_all(&settings, epsilon, repeats, false)?;
        let pairs = settings.into_iter().zip(errors);
        let run: Vec<(Setting, Errors)> = pairs.filter_map(both).collect();
        let compared: Vec<_> = run
            .iter()
            .map(|(setting, errors)| (errors, setting.complexity()))
            .collect();
        let Some(chosen) = preferred(&compared) else {
            return Ok(None);
        };
        let setting = run[chosen].0.clone();
        let again = std::slice::from_ref(&setting);
        let fresh = self.run_all(again, epsilon, plan.fresh, false)?;
        // Refused now and not before: only a method that refuses by chance does that.
        let errors = fresh.into_iter().flatten().next();
        let errors = errors.unwrap_or_else(|| run[chosen].1.clone());
        Ok(Some(Settled {
            setting,
            errors,
            finalists: run.into_iter().map(|(setting, _)| setting).collect(),
        }))
    }

    /// Runs settings in every arena; none for those that are refused in one.
    fn run_all(
        &mut self,
        settings: &[Setting],
        epsilon: &Rational,
        repeats: usize,
        small: bool,
    ) -> Result<Vec<Option<Errors>>> {
        let arenas = self.trials.arenas();
        let candidates: Vec<Candidate> = settings.iter().map(Setting::candidate).collect();
        let jobs: Vec<(usize, usize)> = (0..settings.len())
            .flat_map(|setting| (0..arenas).map(move |arena| (setting, arena)))
            .flat_map(|job| std::iter::repeat_n(job, repeats))
            .collect();
        let first = self.runs;
        self.runs += jobs.len() as u64;
        let outcomes = jobs
            .par_iter()
            .enumerate()
            .map(|(at, &(setting, arena))| {
                self.trials.run(&Trial {
                    candidate: &candidates[setting],
                    epsilon,
                    arena,
                    small,
                    seed: mixed(self.seed, first + at as u64),
                })
            })
            .collect::<Result<Vec<Tried>>>()?;
        let mut all: Vec<Option<Errors>> = vec![Some(Errors::none(arenas)); settings.len()];
        for (&(setting, arena), outcome) in jobs.iter().zip(outcomes) {
            match outcome {
                Tried::Error(error) => {
                    if let Some(errors) = &mut all[setting] {
                        errors.push(arena, error);
                    }
                }
                Tried::Refused(reason) => {
                    all[setting] = None;
                    let method = candidates[setting].method.clone();
                    self.refused.insert(method, reason);
                }
            }
        }
        Ok(all)
    }
}

fn both((setting, errors): (Setting, Option<Errors>)) -> Option<(Setting, Errors)> {
    Some((setting, errors?))
}

fn add_new(pool: &mut Vec<Setting>, more: impl IntoIterator<Item = Setting>) {
    let mut known: HashMap<Setting, ()> = pool.iter().cloned().map(|it| (it, ())).collect();
    for setting in more {
        if known.insert(setting.clone(), ()).is_none() {
            pool.push(setting);
        }
    }
}

fn best_first(tried: &mut Vec<(Setting, Errors)>) {
    let errors: Vec<&Errors> = tried.iter().map(|(_, errors)| errors).collect();
    let scores = scores(&errors);
    let mut order: Vec<usize> = (0..tried.len()).collect();
    order.sort_by(|&a, &b| scores[a].0.total_cmp(&scores[b].0));
    *tried = order.into_iter().map(|at| tried[at].clone()).collect();
}

/// Spreads numbers that follow each other over all words (the finaliser of SplitMix64).
pub(super) fn mixed(seed: u64, number: u64) -> u64 {
    let mut word = seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests;
