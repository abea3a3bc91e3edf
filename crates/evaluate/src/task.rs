//! What people do with movement data, and the one number that says how wrong it gets there.
//!
//! Metrics are many and each has its scale. Whoever chooses a method asks one question: by how many
//! percent will my answers be off? A [`Task`] picks the metric that answers it: 0 is as good as the raw
//! data. What no data at all would get is not always 1, since silence is right about what nobody does:
//! [`error_of_nothing`](crate::evaluation::error_of_nothing) tells.

use std::fmt;
use std::str::FromStr;

use wayveil_core::{Error, Manifest};

use crate::evaluation::Measured;
use crate::metrics::{self, Metric};

/// What a release is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Task {
    /// How many people were at certain places.
    Counts,
    /// Which routes are the most frequent.
    Patterns,
    /// How many go from one place to the next.
    Flows,
    /// True records, with parts left out.
    Truthful,
}

impl Task {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Counts, Self::Patterns, Self::Flows, Self::Truthful];

    /// The tasks that a release can be asked to serve: those about truth only where its rows are true.
    pub fn served_by(manifest: &Manifest) -> Vec<Self> {
        let serves = |task: &Self| *task != Self::Truthful || manifest.rows_are_true();
        Self::ALL.into_iter().filter(serves).collect()
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::Patterns => "patterns",
            Self::Flows => "flows",
            Self::Truthful => "truthful",
        }
    }

    /// What its error is, in words that follow a number of percent.
    pub fn error_in_words(self) -> &'static str {
        match self {
            Self::Counts => "mean error of counts of people who were at a set of places",
            Self::Patterns => "of the most frequent patterns are missed",
            Self::Flows => "of the flow between places is wrong",
            Self::Truthful => "of the visits are taken out",
        }
    }

    /// The metric that its error is computed from.
    pub fn metric(self) -> &'static Metric {
        match self {
            Self::Counts => &metrics::count_queries::METRIC,
            Self::Patterns => &metrics::top_patterns::MISSED,
            Self::Flows => &metrics::flow_error::METRIC,
            Self::Truthful => &metrics::lost_instances::METRIC,
        }
    }

    /// Its error in one run's or one release's numbers, or the mean of several runs; none where it is not
    /// defined. Of several groups of queries the mean, of several numbers of patterns the greatest.
    pub fn error(self, measured: &[Measured]) -> Option<f64> {
        let mut of_metric = measured
            .iter()
            .filter(|entry| entry.metric == self.metric().name);
        let mean = |entry: &Measured| entry.samples.mean();
        match self {
            Self::Counts => {
                let groups: Vec<f64> = of_metric.filter_map(mean).collect();
                (!groups.is_empty()).then(|| groups.iter().sum::<f64>() / groups.len() as f64)
            }
            Self::Patterns => of_metric
                .rfind(|entry| entry.value.starts_with("lost-share-"))
                .and_then(mean),
            Self::Flows => of_metric
                .rfind(|entry| entry.value == "transitions")
                .and_then(mean),
            Self::Truthful => of_metric.next_back().and_then(mean),
        }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Task {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|task| task.name() == text);
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::input(format!("there is no task {text:?}"))
                .hint(format!("choose one of: {names}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Origin, Sequences, Silent, Universe};

    use super::*;
    use crate::compared::{Compared, Side};
    use crate::evaluation::measure;
    use crate::settings::Settings;

    fn errors(raw: &[&[u32]], released: &[&[u32]]) -> [Option<f64>; 4] {
        let universe = Universe::from_labels(["A", "B", "C"], Origin::FromData).unwrap();
        let (raw, released) = (Sequences::from_codes(raw), Sequences::from_codes(released));
        let side = |sequences| Side {
            universe: &universe,
            time: None,
            sequences,
        };
        let compared = Compared::new(side(&raw), side(&released)).unwrap();
        Task::ALL.map(|task| {
            let metrics = [task.metric()];
            let measured = measure(&compared, &metrics, &Settings::default(), &Silent).unwrap();
            task.error(&measured)
        })
    }

    #[test]
    fn a_copy_has_no_error_and_nothing_has_all() {
        let raw: &[&[u32]] = &[&[0, 1, 2], &[0, 1], &[2, 0]];
        assert_eq!(errors(raw, raw), [Some(0.0); 4]);
        let nothing = errors(raw, &[]);
        assert_eq!(nothing[1..], [Some(1.0); 3]);
        // Queries that nobody answers in the raw data have no error.
        assert!(
            nothing[0].is_some_and(|error| error > 0.1 && error <= 1.0),
            "{nothing:?}"
        );
    }

    #[test]
    fn names_are_read_back() {
        for task in Task::ALL {
            assert_eq!(task.to_string().parse::<Task>().unwrap(), task);
        }
        assert!("count".parse::<Task>().is_err());
    }
}
