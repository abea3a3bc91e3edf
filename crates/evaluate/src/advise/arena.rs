//! One run of a method on one data set, as an error.
//!
//! **Smaller arenas.** The trees and `generalize` compare counts with noise and with thresholds that are
//! both inversely proportional to ε. With a fraction of the people and ε that many times larger, every
//! share is as likely to be found as before, but for rounding to whole people. So an arena may hold one
//! record in `factor`, and runs use `factor`·ε. Locally private methods do not scale in this way: there
//! each record stands for `factor` clients instead. (K, C)_L-privacy is about whole numbers of people
//! and is never scaled.

use rayon::prelude::*;
use wayveil_core::error::Kind;
use wayveil_core::{
    Dataset, NonPrivate, Owners, PrivacyUnit, RandomSource, Rational, Raw, Result, Sequences, Terms,
};

use super::candidates::Method;
use super::search::{Trial, Trials, Tried};
use crate::compared::Side;
use crate::evaluation::{Candidate, Outcome, error_of_nothing, try_out};
use crate::settings::Settings;
use crate::task::Task;

/// Count queries that one run is asked; four times fewer than in an evaluation, as there are many runs.
const QUERIES: usize = 10_000;
/// A quarter of an arena is used for first impressions, if so many records are left.
const LEAST_SMALL: usize = 2_000;
/// What a quarter is.
const SMALLER: u64 = 4;

/// By how much the number of records must be divided to be at most this many.
pub(super) fn factor_for(records: u64, most: u64) -> u64 {
    records.div_ceil(most.max(1)).max(1)
}

/// A data set to try methods on.
pub struct Arena {
    name: String,
    raw: Raw<Dataset>,
    /// The first quarter of it.
    small: Option<Raw<Dataset>>,
    factor: u64,
}

impl Arena {
    /// Data in which each record stands for `factor` of them.
    pub(super) fn new(name: String, raw: Raw<Dataset>, factor: u64) -> Self {
        let because = NonPrivate::because("methods are tried out in memory, also on a part");
        let small = raw
            .inspect(because, |data| beginning(data, SMALLER as usize))
            .for_publisher_only();
        Self {
            name,
            raw,
            small,
            factor,
        }
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

/// The first records of a data set, one in `parts`, with whole owners where rows of one follow each other.
fn beginning(data: &Dataset, parts: usize) -> Option<Raw<Dataset>> {
    let rows = data.trips().len() / parts;
    if rows < LEAST_SMALL {
        return None;
    }
    chosen_rows(data, &(0..rows).collect::<Vec<_>>()).ok()
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
}

impl<'a> Ring<'a> {
    pub(super) fn new(arenas: &'a [Arena], task: Task, unit: PrivacyUnit) -> Self {
        let settings = Settings {
            count_queries: QUERIES,
            ..Settings::default()
        };
        Self {
            arenas,
            task,
            unit,
            settings,
        }
    }

    /// The error of an empty release in each arena; none where the task is not defined in one.
    pub(super) fn nothing(&self) -> Result<Option<Vec<f64>>> {
        let each = self.arenas.par_iter();
        let errors: Result<Vec<Option<f64>>> = each
            .map(|arena| arena.nothing(self.task, &self.settings))
            .collect();
        Ok(errors?.into_iter().collect())
    }

    /// A candidate as it is run in an arena whose records stand for `factor` people each.
    fn scaled(candidate: &Candidate, epsilon: &Rational, factor: u64) -> Result<Candidate> {
        if Method::of(candidate) == Some(Method::Fastpub) {
            return Ok(candidate
                .with("epsilon", &epsilon.to_string())
                .with("clients-per-record", &factor.to_string())
                .with("engine", "numbers"));
        }
        let scaled = epsilon.times(&Rational::new(factor, 1)?);
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
        let outcome = try_out(raw, candidate, &terms, 1, &metrics, &self.settings, random);
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
        let (raw, factor) = match (&arena.small, trial.small) {
            (Some(small), true) => (small, arena.factor * SMALLER),
            _ => (&arena.raw, arena.factor),
        };
        let candidate = Self::scaled(trial.candidate, trial.epsilon, factor)?;
        let mut random = RandomSource::insecure_seed_for("advise", trial.seed);
        self.error(raw, &candidate, &mut random)
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
        let scaled = Ring::scaled(&tree, &epsilon, 4).unwrap();
        assert_eq!(scaled, tree.with("epsilon", "1"));
        let local = Candidate {
            method: "fastpub".into(),
            parameters: vec![],
        };
        let scaled = Ring::scaled(&local, &epsilon, 4).unwrap();
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
