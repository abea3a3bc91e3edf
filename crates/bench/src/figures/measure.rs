//! One run: suppress, verify, count what was lost.

use std::time::Instant;

use wayveil_core::Silent;
use wayveil_core::verify::{Demand, Published, verify};
use wayveil_mechanisms::suppress::{
    Options, Preserve, Requirement, Summary, Table, count_maximal_frequent, suppress,
};

use super::data::Data;

/// What came of a run.
#[derive(Clone, Debug)]
pub(super) enum Run {
    Done(Loss),
    /// The engine does not do it, and says why.
    Refused(String),
}

/// What a run lost, as shares of what there was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Loss {
    /// Instances, or maximal frequent sequences of the raw table that are not frequent any more.
    /// None where there was nothing to lose.
    pub(super) share: Option<f64>,
    /// By how much the output has fewer maximal frequent sequences than the raw table, which is what
    /// the paper counts. New ones come about when longer ones are lost, so that this is less, even
    /// below 0.
    pub(super) fewer: Option<f64>,
    /// How long suppressing took, data in memory to output in memory.
    pub(super) seconds: f64,
    pub(super) summary: Summary,
    /// Sequences of the output that the verifier looked at.
    pub(super) verified: u64,
}

impl Run {
    pub(super) fn loss(&self) -> Option<&Loss> {
        match self {
            Self::Done(loss) => Some(loss),
            Self::Refused(_) => None,
        }
    }

    /// A line for whoever waits.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Done(loss) => {
                let lost = match loss.share {
                    Some(share) => format!("{:.2} % lost", 100.0 * share),
                    None => "nothing to lose".to_owned(),
                };
                let Summary {
                    local_suppressions,
                    global_suppressions,
                    ..
                } = loss.summary;
                format!(
                    "{lost}, {local_suppressions} local and {global_suppressions} global steps, \
                     {:.1} s, verified",
                    loss.seconds
                )
            }
            Self::Refused(why) => format!("refused: {why}"),
        }
    }
}

/// Runs once. A violation in the output is an error.
pub(super) fn run(data: &Data, table: &Table, options: &Options) -> Result<Run, String> {
    let start = Instant::now();
    let outcome = match suppress(table, options, &Silent) {
        Ok(outcome) => outcome,
        Err(error) => return Ok(Run::Refused(error.to_string())),
    };
    let seconds = start.elapsed().as_secs_f64();
    let requirement = &options.requirement;
    let verified = data.published(&outcome, |published| check(published, requirement))?;
    let summary = outcome.summary;
    let (share, fewer) = match options.preserve {
        Preserve::Instances => (
            lost(summary.instances_before, summary.instances_after),
            None,
        ),
        Preserve::MaximalFrequent { min_support } => {
            let left = Table::new(&outcome.trips, None, &[]).map_err(|e| e.to_string())?;
            let left = count_maximal_frequent(&left, min_support);
            (
                lost(summary.frequent_before, summary.frequent_after),
                lost(summary.frequent_before, left),
            )
        }
    };
    Ok(Run::Done(Loss {
        share,
        fewer,
        seconds,
        summary,
        verified,
    }))
}

/// How many sequences the verifier looked at. A violation is an error.
pub(super) fn check(published: &Published<'_>, requirement: &Requirement) -> Result<u64, String> {
    let demand = Demand {
        k: requirement.k,
        c: requirement.c.clone(),
        l: requirement.l,
    };
    let verdict = verify(published, &demand, 1).map_err(|error| error.to_string())?;
    if !verdict.holds() {
        let worst = verdict.too_few.first().or(verdict.too_certain.first());
        return Err(format!(
            "an output has {} violations of {demand:?}, the worst of them {worst:?}",
            verdict.violations
        ));
    }
    Ok(verdict.sequences)
}

/// What part of what there was is gone; none where there was nothing.
pub(super) fn lost(before: u64, after: u64) -> Option<f64> {
    (before > 0).then(|| (before as f64 - after as f64) / before as f64)
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Rational, Sequences};
    use wayveil_mechanisms::suppress::{Mode, Outcome, Variant};

    use super::*;

    /// Two people at place 0 and 1, one at place 2 alone, in hour 5.
    fn data() -> Data {
        let mut trips = Sequences::empty(true);
        for places in [&[0, 1][..], &[0, 1], &[2]] {
            trips.push(places, &vec![5; places.len()]);
        }
        Data {
            name: "by hand",
            trips,
            values: vec![0, 1, 1],
            sensitive: vec![0],
        }
    }

    fn options(preserve: Preserve) -> Options {
        Options {
            requirement: Requirement {
                k: 2,
                c: Rational::new(1, 1).unwrap(),
                l: None,
            },
            mode: Mode::Local,
            preserve,
            variant: Variant::Repaired,
        }
    }

    fn loss(preserve: Preserve) -> Loss {
        let data = data();
        let run = run(&data, &data.table().unwrap(), &options(preserve)).unwrap();
        *run.loss().unwrap()
    }

    #[test]
    fn losses_are_shares_of_what_there_was() {
        assert_eq!(loss(Preserve::Instances).share, Some(0.2));
        // {0, 1} and {2} are frequent; the second goes.
        let frequent = loss(Preserve::MaximalFrequent { min_support: 1 });
        assert_eq!((frequent.share, frequent.fewer), (Some(0.5), Some(0.5)));
        let frequent = loss(Preserve::MaximalFrequent { min_support: 2 });
        assert_eq!((frequent.share, frequent.fewer), (Some(0.0), Some(0.0)));
        assert_eq!(frequent.summary.frequent_before, 1);
        let none = loss(Preserve::MaximalFrequent { min_support: 3 });
        assert_eq!((none.share, none.fewer), (None, None));
    }

    #[test]
    fn an_output_that_violates_ends_the_experiment() {
        let data = data();
        // As though nothing had been suppressed.
        let outcome = Outcome {
            kept: vec![0, 1, 2],
            trips: data.trips.clone(),
            summary: Summary::default(),
        };
        let required = |k, tenths| Requirement {
            k,
            c: Rational::new(tenths, 10).unwrap(),
            l: None,
        };
        let look = |requirement: Requirement| {
            data.published(&outcome, |published| check(published, &requirement))
        };
        assert!(look(required(2, 10)).unwrap_err().contains("1 violations"));
        assert!(look(required(1, 4)).unwrap_err().contains("3 violations"));
        assert!(look(required(1, 5)).unwrap() > 0);
    }

    #[test]
    fn what_the_engine_refuses_is_told() {
        let mut data = data();
        let places: Vec<u32> = (0..17).collect();
        data.trips.push(&places, &[5; 17]);
        data.values.push(1);
        let options = options(Preserve::Instances);
        let run = run(&data, &data.table().unwrap(), &options).unwrap();
        assert!(
            run.describe()
                .contains("refused: an attacker who knows 17 visits")
        );
    }
}
