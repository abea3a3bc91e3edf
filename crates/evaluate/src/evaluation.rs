//! Metrics of one or several releases, computed once or over repeats.

use std::str::FromStr;

use wayveil_core::{
    Dataset, Error, InPlace, Internal, Mechanism, NonPrivate, Progress, RandomSource, Raw,
    Rehearsal, Result, Sequences, Silent, Terms, Within,
};
use wayveil_mechanisms::{Parameters, find};

use crate::compared::{Compared, Side};
use crate::metrics::{Better, Metric, Value};
use crate::samples::Samples;
use crate::settings::Settings;
use crate::task::Task;

/// A number of a metric with what repeated runs gave for it.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The metric's name.
    pub metric: &'static str,
    /// Which number of it; empty where there is only one.
    pub value: String,
    /// Which way is better.
    pub better: Better,
    /// What the runs gave.
    pub samples: Samples,
    /// Why the last run that gave nothing did so, where the metric says.
    pub undefined_because: Option<&'static str>,
}

impl Measured {
    /// Metric and number in one name: `count-query-error.group-1`.
    pub fn name(&self) -> String {
        match self.value.as_str() {
            "" => self.metric.to_owned(),
            value => format!("{}.{value}", self.metric),
        }
    }
}

/// Computes metrics once.
pub fn measure(
    compared: &Compared<'_>,
    metrics: &[&'static Metric],
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Vec<Measured>> {
    progress.begin("computing metrics", Some(metrics.len() as u64));
    let measured = compute(compared, metrics, settings, progress)?;
    progress.end();
    Ok(measured)
}

/// As [`measure`], inside of a step of which each metric is a part.
pub(crate) fn compute(
    compared: &Compared<'_>,
    metrics: &[&'static Metric],
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Vec<Measured>> {
    let mut all = Vec::new();
    for metric in metrics {
        all.extend(measured(metric, (metric.run)(compared, settings)?));
        progress.advance(1);
    }
    Ok(all)
}

/// The numbers of one metric, once.
pub(crate) fn measured(metric: &Metric, values: Vec<Value>) -> impl Iterator<Item = Measured> {
    let (name, better) = (metric.name, metric.better);
    values.into_iter().map(move |value| {
        let mut samples = Samples::default();
        samples.push(value.value);
        Measured {
            metric: name,
            value: value.name,
            better,
            samples,
            undefined_because: value.because,
        }
    })
}

/// A task's error where nothing at all is released: what any release should stay well below. None where the
/// task is not defined on the data.
pub fn error_of_nothing(raw: Side<'_>, task: Task, settings: &Settings) -> Result<Option<f64>> {
    let empty = Sequences::empty(raw.sequences.is_timed());
    let nothing = Side {
        sequences: &empty,
        ..raw
    };
    let compared = Compared::new(raw, nothing)?;
    let measured = measure(&compared, &[task.metric()], settings, &Silent)?;
    Ok(task.error(&measured))
}

/// A method with parameters, to be published in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The method's name in the list of mechanisms.
    pub method: String,
    /// Its parameters by name.
    pub parameters: Vec<(String, String)>,
}

impl Candidate {
    /// The candidate with one parameter set, in place of an earlier value.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut parameters = self.parameters.clone();
        parameters.retain(|(known, _)| known != name);
        parameters.push((name.to_owned(), value.to_owned()));
        Self {
            method: self.method.clone(),
            parameters,
        }
    }

    /// Method and parameters in one line, as they are read.
    pub fn words(&self) -> String {
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(name, value)| format!(" {name}={value}"));
        std::iter::once(self.method.clone())
            .chain(parameters)
            .collect()
    }

    fn build(&self) -> Result<Box<dyn Mechanism>> {
        let entry = find(&self.method)?;
        let given = self
            .parameters
            .iter()
            .map(|(name, value)| (name, value.as_str()));
        (entry.build)(&Parameters::new(entry.parameters, given)?)
    }
}

impl FromStr for Candidate {
    type Err = Error;

    /// Reads `METHOD PARAMETER=VALUE...`; a parameter alone is a switch.
    fn from_str(text: &str) -> Result<Self> {
        let mut words = text.split_whitespace();
        let method = words
            .next()
            .ok_or_else(|| Error::input("a method is missing"))?;
        let parameters = words.map(|word| {
            let (name, value) = word.split_once('=').unwrap_or((word, "true"));
            (name.trim_start_matches('-').to_owned(), value.to_owned())
        });
        Ok(Self {
            method: method.to_owned(),
            parameters: parameters.collect(),
        })
    }
}

/// The trajectories that would be released, and what they show of each record where the method knows.
fn rehearse(
    raw: &Raw<Dataset>,
    mechanism: &dyn Mechanism,
    terms: &Terms,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<(Sequences, Option<InPlace>)> {
    // In memory and for the publisher alone: nothing is spent that anyone else sees.
    let because = NonPrivate::because("a method is measured for the publisher, in memory");
    let rehearsal = Rehearsal::new(raw, mechanism, terms, random, because)?;
    rehearsal
        .run_in_place(random, &Within(progress))
        .for_publisher_only()
}

/// What came of a candidate.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Its metrics over all repeats.
    Measured(Vec<Measured>),
    /// The method refused, for this reason.
    Refused(String),
}

/// How something is tried out.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// The terms of publishing.
    pub terms: &'a Terms,
    /// How often it is published; at least once.
    pub repeats: usize,
    /// What is measured each time.
    pub metrics: &'a [&'static Metric],
    /// The metrics' settings.
    pub settings: &'a Settings,
}

/// Publishes a candidate `repeats` times in memory and measures each. Nothing is written; what is
/// learned stays internal.
pub fn try_out(
    raw: &Raw<Dataset>,
    candidate: &Candidate,
    trial: &Trial<'_>,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Internal<Outcome>> {
    match candidate.build() {
        Ok(mechanism) => {
            let mechanism = mechanism.as_ref();
            try_mechanism(raw, mechanism, trial, random, progress)
        }
        Err(error) if error.exit_code() == 1 => {
            let because = NonPrivate::because("nothing is looked at: the method refuses");
            Ok(raw.inspect(because, |_| Outcome::Refused(refusal(&error))))
        }
        Err(error) => Err(error),
    }
}

/// As [`try_out`], with a mechanism that need not be in the list.
pub fn try_mechanism(
    raw: &Raw<Dataset>,
    mechanism: &dyn Mechanism,
    trial: &Trial<'_>,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Internal<Outcome>> {
    let because = NonPrivate::because("a method is tried out for the publisher, in memory");
    let (metrics, settings) = (trial.metrics, trial.settings);
    let repeats = trial.repeats.max(1);
    // Each run is published, and then measured by every metric.
    let parts = repeats as u64 * (1 + metrics.len() as u64);
    progress.begin("publishing and measuring in memory", Some(parts));
    let outcome = raw.inspect(because, |data| {
        let mut all: Vec<Measured> = Vec::new();
        for _ in 0..repeats {
            let (trajectories, in_place) =
                match rehearse(raw, mechanism, trial.terms, random, progress) {
                    Ok(made) => made,
                    Err(error) if error.exit_code() == 1 => {
                        return Ok(Outcome::Refused(refusal(&error)));
                    }
                    Err(error) => return Err(error),
                };
            progress.advance(1);
            let released = Side {
                sequences: &trajectories,
                ..side(data)
            };
            let mut compared = Compared::new(side(data), released)?;
            compared.in_place = in_place;
            let run = compute(&compared, metrics, settings, progress)?;
            if all.is_empty() {
                all = run;
            } else {
                add(&mut all, run);
            }
        }
        Ok(Outcome::Measured(all))
    });
    progress.end();
    outcome.transpose()
}

fn refusal(error: &Error) -> String {
    error.message().to_owned()
}

fn side(data: &Dataset) -> Side<'_> {
    Side {
        universe: data.universe(),
        time: data.time(),
        sequences: data.trips(),
    }
}

/// Adds a run to those before, number by number. A metric may define other numbers on another
/// release, so they are matched by name.
fn add(all: &mut Vec<Measured>, run: Vec<Measured>) {
    for new in run {
        let known = all
            .iter_mut()
            .find(|old| old.metric == new.metric && old.value == new.value);
        match known {
            Some(old) => {
                old.samples.push(new.samples.mean());
                old.undefined_because = new.undefined_because.or(old.undefined_because);
            }
            None => all.push(new),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wayveil_core::{Origin, Owners, Universe};

    use super::*;

    static RECORDS: Metric = Metric {
        name: "records",
        about: "",
        definition: "",
        source: "",
        better: Better::Lower,
        spatial: false,
        run: |compared, _| Ok(vec![Value::new("released", compared.released.len() as f64)]),
    };

    fn data() -> Raw<Dataset> {
        let universe = Universe::from_labels(["A", "B"], Origin::FromData).unwrap();
        let trips = Sequences::from_codes(vec![[0u32, 1]; 500]);
        let data = Dataset::new(
            Arc::new(universe),
            None,
            trips,
            Owners::EachRecord,
            vec![],
            "p".into(),
        );
        Raw::new(data.unwrap())
    }

    fn candidate(parameters: &[(&str, &str)]) -> Candidate {
        Candidate {
            method: "prefix-tree".into(),
            parameters: parameters
                .iter()
                .map(|(n, v)| ((*n).into(), (*v).into()))
                .collect(),
        }
    }

    fn run(candidate: &Candidate, repeats: usize) -> Result<Outcome> {
        let terms = Terms {
            universe_from_data: true,
            ..Terms::default()
        };
        let mut random = RandomSource::insecure_seed(1);
        let settings = Settings::default();
        let trial = Trial {
            terms: &terms,
            repeats,
            metrics: &[&RECORDS],
            settings: &settings,
        };
        try_out(&data(), candidate, &trial, &mut random, &Silent).map(Internal::for_publisher_only)
    }

    #[test]
    fn repeats_are_gathered_by_name() {
        let base = candidate(&[("epsilon", "1"), ("height", "2")]);
        let Outcome::Measured(measured) = run(&base, 5).unwrap() else {
            panic!("refused");
        };
        assert_eq!(measured[0].name(), "records.released");
        assert_eq!(measured[0].samples.len(), 5);
        assert!((measured[0].samples.mean().unwrap() - 500.0).abs() < 50.0);
    }

    #[test]
    fn candidates_are_read_from_one_text_and_written_so() {
        let read: Candidate = "hybrid-tree height=12 --as-published".parse().unwrap();
        let written = "hybrid-tree height=12 as-published=true";
        assert_eq!(read.words(), written);
        assert_eq!(written.parse::<Candidate>().unwrap(), read);
        assert!(" ".parse::<Candidate>().is_err());
    }

    #[test]
    fn a_swept_parameter_replaces_the_earlier_value() {
        let base = candidate(&[("epsilon", "1"), ("height", "2")]);
        let other = base.with("epsilon", "3");
        assert_eq!(other, candidate(&[("height", "2"), ("epsilon", "3")]));
    }

    #[test]
    fn refusals_are_results_and_mistakes_are_errors() {
        let noise = candidate(&[("epsilon", "0.00001"), ("height", "2")]);
        let larger = noise.with("epsilon", "1");
        let Outcome::Refused(reason) = run(&noise, 1).unwrap() else {
            panic!("not refused");
        };
        assert!(reason.contains("nothing but noise"), "{reason}");
        assert!(matches!(run(&larger, 1).unwrap(), Outcome::Measured(_)));
        assert!(run(&candidate(&[("epsilon", "0"), ("height", "2")]), 1).is_err());
        assert!(run(&candidate(&[("epsilon", "1"), ("hight", "2")]), 1).is_err());
    }
}
