//! One run of a method on one data set, as an error.
//!
//! **Smaller arenas.** `weave`, the trees and `generalize` compare counts with noise and with thresholds that are
//! both inversely proportional to ε, and the shares of `weave` follow from ε times the number of records. With a fraction of the people and ε that many times larger, every
//! share is as likely to be found as before, but for rounding to whole people. That rounding is harmless
//! while thresholds are several people, and ruinous below: one person would then be a branch. So a run
//! takes one record in f and f·ε only as far as f·ε stays within [`MOST_SCALED`], which `scale` decides
//! for each ε; above, all records are used. Where an arena cannot hold all people and ε is too large to
//! make up for it, the run is of fewer people than there will be, and its error is too large rather than too
//! small. Locally private methods do not scale in this way: there each record stands for `factor` clients
//! instead. (K, C)_L-privacy is about whole numbers of people and is never scaled.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use wayveil_core::error::Kind;
use wayveil_core::{
    Dataset, NonPrivate, Owners, PrivacyUnit, RandomSource, Rational, Raw, Result, Sequences,
    Silent, Terms,
};

use super::candidates::Method;
use super::scale::{Scale, scale};
use super::search::{Trial, Trials, Tried};
use crate::compared::Side;
use crate::evaluation::{self, Candidate, Outcome, error_of_nothing, try_out};
use crate::settings::Settings;
use crate::task::Task;

/// Count queries that one run is asked; four times fewer than in an evaluation, as there are many runs.
const QUERIES: usize = 10_000;
/// Above so many records, runs differ little and take long: fewer are made.
pub(super) const HEAVY: u64 = 100_000;
/// By how much the number of records must be divided to be at most this many.
pub(super) fn factor_for(records: u64, most: u64) -> u64 {
    records.div_ceil(most.max(1)).max(1)
}

/// A data set to try methods on.
pub struct Arena {
    name: String,
    raw: Raw<Dataset>,
    rows: u64,
    factor: u64,
    /// Parts that were needed, by how many records one stands for.
    parts: Mutex<BTreeMap<u64, Arc<Raw<Dataset>>>>,
}

impl Arena {
    /// Data in which each record stands for `factor` of them, in an order that tells nothing.
    pub(super) fn new(name: String, raw: Raw<Dataset>, factor: u64) -> Self {
        let because = NonPrivate::because("how much there is to try methods on, in memory");
        let rows = raw.inspect(because, |data| data.trips().len() as u64);
        Self {
            name,
            rows: rows.for_publisher_only(),
            raw,
            factor,
            parts: Mutex::default(),
        }
    }

    /// How many records it has.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// The first of its records, one in `parts`.
    fn part(&self, parts: u64) -> Result<Arc<Raw<Dataset>>> {
        // Nothing is left half done where a thread stopped.
        let mut known = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(part) = known.get(&parts) {
            return Ok(part.clone());
        }
        let because = NonPrivate::because("methods are tried out in memory, also on a part");
        let rows: Vec<usize> = (0..(self.rows / parts.max(1)) as usize).collect();
        let part = self.raw.inspect(because, |data| chosen_rows(data, &rows));
        let part = Arc::new(part.for_publisher_only()?);
        known.insert(parts, part.clone());
        Ok(part)
    }

    /// What it is, in words.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many people each record stands for.
    pub fn factor(&self) -> u64 {
        self.factor
    }

    /// The data.
    pub fn raw(&self) -> &Raw<Dataset> {
        &self.raw
    }

    /// The error of releasing nothing at all.
    pub(super) fn nothing(&self, task: Task, settings: &Settings) -> Result<Option<f64>> {
        let because = NonPrivate::because("the error of an empty release, for the publisher");
        let found = self.raw.inspect(because, |data| {
            let raw = Side {
                universe: data.universe(),
                time: data.time(),
                sequences: data.trips(),
            };
            error_of_nothing(raw, task, settings)
        });
        found.for_publisher_only()
    }
}

/// These rows of a data set, with everything that belongs to them.
pub(super) fn chosen_rows(data: &Dataset, rows: &[usize]) -> Result<Raw<Dataset>> {
    let mut trips = Sequences::empty(data.trips().is_timed());
    for &row in rows {
        trips.push(data.trips().codes_of(row), data.trips().bins_of(row));
    }
    let owners = match data.owners() {
        Owners::EachRecord => Owners::EachRecord,
        Owners::Known { of_record, labels } => Owners::Known {
            of_record: rows.iter().map(|&row| of_record[row]).collect(),
            labels: labels.clone(),
        },
    };
    let columns = data.attributes().iter();
    let attributes = columns
        .map(|it| it.of_records(rows.iter().copied()))
        .collect();
    let population = data.population().to_owned();
    Dataset::new(
        data.universe().clone(),
        data.time().cloned(),
        trips,
        owners,
        attributes,
        population,
    )
    .map(Raw::new)
}

/// Arenas with what is wanted of methods there.
pub(super) struct Ring<'a> {
    pub(super) arenas: &'a [Arena],
    pub(super) task: Task,
    pub(super) unit: PrivacyUnit,
    pub(super) settings: Settings,
    /// The most records that one run needs, where ε allows fewer.
    pub(super) most: u64,
}

impl<'a> Ring<'a> {
    pub(super) fn new(arenas: &'a [Arena], task: Task, unit: PrivacyUnit, most: u64) -> Self {
        let settings = Settings {
            count_queries: QUERIES,
            ..Settings::default()
        };
        Self {
            arenas,
            task,
            unit,
            settings,
            most,
        }
    }

    /// How a method is run in an arena at this ε.
    fn scale(&self, arena: &Arena, local: bool, epsilon: &Rational, small: bool) -> Scale {
        match local {
            true => Scale::of_clients(arena.rows, arena.factor, small),
            false => scale(arena.rows, arena.factor, self.most, epsilon, small),
        }
    }

    /// What one run in full is of, where it is least.
    pub(super) fn scale_at(&self, method: Method, epsilon: &Rational) -> Scale {
        let local = method == Method::Fastpub;
        let each = self.arenas.iter();
        let scales = each.map(|arena| self.scale(arena, local, epsilon, false));
        scales
            .min_by_key(|it| it.people())
            .unwrap_or(Scale::of_clients(0, 1, false))
    }

    /// The error of an empty release in each arena; none where the task is not defined in one.
    pub(super) fn nothing(&self) -> Result<Option<Vec<f64>>> {
        let each = self.arenas.par_iter();
        let errors: Result<Vec<Option<f64>>> = each
            .map(|arena| arena.nothing(self.task, &self.settings))
            .collect();
        Ok(errors?.into_iter().collect())
    }

    /// A candidate as it is run at a scale.
    fn scaled(candidate: &Candidate, epsilon: &Rational, scale: Scale) -> Result<Candidate> {
        if Method::of(candidate) == Some(Method::Fastpub) {
            return Ok(candidate
                .with("epsilon", &epsilon.to_string())
                .with("clients-per-record", &scale.times.to_string())
                .with("engine", "numbers"));
        }
        let scaled = epsilon.times(&Rational::new(scale.times, 1)?);
        Ok(candidate.with("epsilon", &scaled.to_string()))
    }

    /// One run of a candidate with all its parameters.
    pub(super) fn error(
        &self,
        raw: &Raw<Dataset>,
        candidate: &Candidate,
        random: &mut RandomSource,
    ) -> Result<Tried> {
        // Nothing is released: whether the universe is public is asked before anyone gets here.
        let terms = Terms {
            unit: self.unit,
            universe_from_data: true,
            chosen_after_looking: false,
        };
        let metrics = [self.task.metric()];
        let trial = evaluation::Trial {
            terms: &terms,
            repeats: 1,
            metrics: &metrics,
            settings: &self.settings,
        };
        let outcome = try_out(raw, candidate, &trial, random, &Silent);
        match outcome.map(wayveil_core::Internal::for_publisher_only) {
            Ok(Outcome::Measured(measured)) => Ok(match self.task.error(&measured) {
                Some(error) => Tried::Error(error),
                None => Tried::Refused("its error is not defined on this data".into()),
            }),
            Ok(Outcome::Refused(reason)) => Ok(Tried::Refused(reason)),
            // A setting that this data does not allow is one to leave out.
            Err(error) if error.kind() == Kind::Input => {
                Ok(Tried::Refused(error.message().to_owned()))
            }
            Err(error) => Err(error),
        }
    }
}

impl Trials for Ring<'_> {
    fn arenas(&self) -> usize {
        self.arenas.len()
    }

    fn run(&self, trial: &Trial<'_>) -> Result<Tried> {
        let arena = &self.arenas[trial.arena];
        let local = Method::of(trial.candidate) == Some(Method::Fastpub);
        let scale = self.scale(arena, local, trial.epsilon, trial.small);
        let candidate = Self::scaled(trial.candidate, trial.epsilon, scale)?;
        let mut random = RandomSource::insecure_seed_for("advise", trial.seed);
        match scale.parts {
            1 => self.error(&arena.raw, &candidate, &mut random),
            parts => self.error(&*arena.part(parts)?, &candidate, &mut random),
        }
    }

    fn heavy(&self, epsilon: &Rational) -> bool {
        let scale = self.scale_at(Method::PrefixTree, epsilon);
        scale.rows > HEAVY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_shrinks_with_the_people() {
        let tree = Candidate {
            method: "prefix-tree".into(),
            parameters: vec![("height".into(), "3".into())],
        };
        let epsilon: Rational = "0.25".parse().unwrap();
        let four = Scale::of_clients(100, 4, false);
        let scaled = Ring::scaled(&tree, &epsilon, four).unwrap();
        assert_eq!(scaled, tree.with("epsilon", "1"));
        let local = Candidate {
            method: "fastpub".into(),
            parameters: vec![],
        };
        let scaled = Ring::scaled(&local, &epsilon, four).unwrap();
        assert!(
            scaled
                .parameters
                .contains(&("epsilon".into(), "0.25".into()))
        );
        assert!(
            scaled
                .parameters
                .contains(&("clients-per-record".into(), "4".into()))
        );
    }

    #[test]
    fn factors_are_whole() {
        for (records, most, factor) in [
            (0, 10, 1),
            (10, 10, 1),
            (11, 10, 2),
            (1_200_000, 50_000, 24),
        ] {
            assert_eq!(factor_for(records, most), factor);
        }
    }
}
