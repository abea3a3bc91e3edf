//! How much of a release's numbers is chance: the same release made again in memory, and measured.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use wayveil_core::{Progress, RandomSource, Result, Within};

use crate::attack::Again;
use crate::compared::{Compared, Side};
use crate::evaluation::{Measured, compute};
use crate::metrics::Metric;
use crate::samples::Samples;
use crate::settings::Settings;

/// The fewest runs that show a spread.
pub const FEWEST: usize = 2;

/// How often a release is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// So many times (at least [`FEWEST`]), however long it takes.
    Exactly(usize),
    /// Up to `most` times: none is begun after so much time, but `least` are made in any case.
    Within {
        /// The time.
        time: Duration,
        /// The fewest.
        least: usize,
        /// The most.
        most: usize,
    },
}

impl Repeats {
    fn most(self) -> usize {
        match self {
            Self::Exactly(most) | Self::Within { most, .. } => most.max(FEWEST),
        }
    }

    /// Whether `runs` that took so long are enough.
    fn enough(self, runs: usize, took: Duration) -> bool {
        match self {
            Self::Exactly(_) => runs >= self.most(),
            Self::Within { time, least, .. } => {
                runs >= self.most() || (runs >= least.max(FEWEST) && took >= time)
            }
        }
    }
}

/// What came of making a release again.
#[derive(Debug)]
pub enum Repeated {
    /// The numbers of each run.
    Runs(Vec<Vec<Measured>>),
    /// Two runs gave the same, and the method has no noise.
    NoChance,
}

/// The ends of the 95 % prediction interval of a number of such a release, see
/// [`Samples::prediction`]; none where a run does not have the number.
pub fn prediction(
    runs: &[Vec<Measured>],
    number: impl Fn(&[Measured]) -> Option<f64>,
) -> Option<(f64, f64)> {
    let samples: Samples = runs.iter().filter_map(|run| number(run)).collect();
    match samples.len() == runs.len() {
        true => samples.prediction(),
        false => None,
    }
}

/// Publishes everyone's records again and measures each run against the raw side. Nothing is written.
///
/// The metrics are those of the release itself, at the same settings, so that its numbers and those of
/// the runs differ by the method's chance alone.
pub fn repeat(
    again: &Again<'_>,
    repeats: Repeats,
    raw: Side<'_>,
    metrics: &[&'static Metric],
    settings: &Settings,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Repeated> {
    let mut runs = Vec::new();
    let mut first = None;
    let began = Instant::now();
    progress.begin("publishing again in memory", Some(repeats.most() as u64));
    while !repeats.enough(runs.len(), began.elapsed()) {
        let released = again.publish_all(random, &Within(progress))?.sequences;
        // Noise can give the same twice: nothing at all, for one.
        if !again.is_noisy() && runs.len() == 1 && first.as_ref() == Some(&released) {
            progress.end();
            return Ok(Repeated::NoChance);
        }
        let compared = Compared {
            universe: raw.universe,
            raw: raw.sequences,
            released: Cow::Borrowed(&released),
            in_place: None,
        };
        runs.push(compute(&compared, metrics, settings, &Within(progress))?);
        first.get_or_insert(released);
        progress.advance(1);
    }
    progress.end();
    Ok(Repeated::Runs(runs))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wayveil_core::{
        Budget, Dataset, Origin, Owners, PrivacyUnit, Raw, Sequences, Silent, Terms, TimeAxis,
        Universe, publish,
    };
    use wayveil_mechanisms::{Parameters, find};

    use super::*;
    use crate::attack::People;
    use crate::metrics;

    fn repeated(method: &str, given: &[(&str, &str)]) -> Repeated {
        let origin = || Origin::Declared("test".into());
        let universe = Arc::new(Universe::from_labels(["A", "B"], origin()).unwrap());
        let mut trips = Sequences::empty(true);
        for _ in 0..300 {
            trips.push(&[0, 1], &[0, 1]);
        }
        let axis = TimeAxis::new(2, origin());
        let data = Dataset::new(
            Arc::clone(&universe),
            Some(axis.clone()),
            trips,
            Owners::EachRecord,
            vec![],
            "p".into(),
        )
        .unwrap();
        let people = People::of(&data, PrivacyUnit::Owner);
        let raw = Raw::new(data.clone());
        let entry = find(method).unwrap();
        let parameters = Parameters::new(entry.parameters, given.iter().copied()).unwrap();
        let mechanism = (entry.build)(&parameters).unwrap();
        let mut random = RandomSource::insecure_seed(1);
        let mut budget = Budget::without_allowance();
        let (terms, to) = (Terms::default(), &Silent);
        let mechanism = mechanism.as_ref();
        let release = publish(&raw, mechanism, &terms, &mut budget, &mut random, to).unwrap();
        let again =
            Again::from_manifest(release.manifest(), &people, &universe, Some(&axis)).unwrap();
        let side = Side {
            universe: &universe,
            time: Some(&axis),
            sequences: data.trips(),
        };
        let lost = metrics::find("lost-instances").unwrap();
        let settings = Settings::default();
        let four = Repeats::Exactly(4);
        repeat(&again, four, side, &[lost], &settings, &mut random, &Silent).unwrap()
    }

    #[test]
    fn runs_of_a_noisy_method_have_a_spread() {
        let Repeated::Runs(runs) = repeated("prefix-tree", &[("epsilon", "0.5"), ("height", "2")])
        else {
            panic!("noise is chance");
        };
        assert_eq!((runs.len(), runs[0].len()), (4, 1));
        let (low, high) = prediction(&runs, |run| run[0].samples.mean()).unwrap();
        assert!(low < high, "{low} to {high}");
        let seldom = |run: &[Measured]| run[0].samples.mean().filter(|it| *it > low + 1.0);
        assert_eq!(prediction(&runs, seldom), None, "not every run has it");
    }

    #[test]
    fn noise_that_gives_nothing_twice_is_still_chance() {
        let cautious = [
            ("epsilon", "0.5"),
            ("height", "2"),
            ("threshold", "1000000"),
        ];
        let Repeated::Runs(runs) = repeated("prefix-tree", &cautious) else {
            panic!("empty releases by a noisy method");
        };
        assert_eq!(runs.len(), 4);
    }

    #[test]
    fn runs_end_with_the_time_but_not_before_the_fewest() {
        let within = |seconds| Repeats::Within {
            time: Duration::from_secs(seconds),
            least: 5,
            most: 20,
        };
        let long = Duration::from_secs(60);
        assert!(!within(20).enough(4, long) && within(20).enough(5, long));
        assert!(!within(100).enough(19, long) && within(100).enough(20, long));
        assert!(!Repeats::Exactly(9).enough(8, long) && Repeats::Exactly(9).enough(9, long));
    }

    #[test]
    fn a_method_without_chance_is_known_by_its_second_run() {
        let all = repeated("suppress", &[("k", "2"), ("l", "1")]);
        assert!(matches!(all, Repeated::NoChance), "{all:?}");
    }
}
