//! Every campaign of a method at one ε, and how good its release is.

use rayon::prelude::*;
use wayveil_core::{Epsilon, Error, RandomSource, Result};
use wayveil_evaluate::fragments::{FragmentReport, FragmentTruth};
use wayveil_evaluate::samples::Samples;

use super::NAME;
use super::data::Data;
use wayveil_reproduce::campaigns::{
    Counted, Method, Pool, Published, Sent, Setting, fastpub, of_findings, parameters, sfp, triehh,
};

use super::plan::Plan;

/// One number of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Of the greatest length, as the paper has them.
    Precision,
    Recall,
    F1,
    /// The median relative error of legal queries.
    Error,
    /// Of all lengths together.
    AllPrecision,
    AllRecall,
    AllF1,
    AllError,
    /// Released fragments that fewer than k clients hold, of all lengths.
    FalseAdmissions,
}

impl Measure {
    /// Of one run; none where it is not defined.
    fn of(self, run: &Run) -> Option<f64> {
        let (longest, all) = (run.report.longest(), &run.report.all);
        match self {
            Self::Precision => longest.precision,
            Self::Recall => longest.recall,
            Self::F1 => longest.f1,
            Self::Error => run.answers().longest().query_error,
            Self::AllPrecision => all.precision,
            Self::AllRecall => all.recall,
            Self::AllF1 => all.f1,
            Self::AllError => run.answers().all.query_error,
            Self::FalseAdmissions => Some(all.false_admissions as f64),
        }
    }
}

/// One campaign.
pub(super) struct Run {
    pub(super) setting: Setting,
    repeat: u64,
    report: FragmentReport,
    /// Where queries are answered from more than what is released.
    answers: Option<FragmentReport>,
    pub(super) sent: Sent,
}

impl Run {
    fn answers(&self) -> &FragmentReport {
        self.answers.as_ref().unwrap_or(&self.report)
    }
}

/// All campaigns of a method at one ε.
pub(super) struct Outcome {
    pub(super) method: Method,
    pub(super) epsilon: &'static str,
    pub(super) runs: Vec<Run>,
}

impl Outcome {
    /// For each repeat the mean over the settings where the measure is defined.
    pub(super) fn samples(&self, measure: Measure) -> Samples {
        let repeats = self.runs.iter().map(|run| run.repeat).max();
        let mean = |repeat: u64| {
            let of = |run: &Run| measure.of(run).filter(|_| run.repeat == repeat);
            self.runs.iter().filter_map(of).collect::<Samples>().mean()
        };
        (0..=repeats.unwrap_or(0)).filter_map(mean).collect()
    }

    /// The mean over the repeats of one setting.
    pub(super) fn at(&self, measure: Measure, setting: Setting) -> Samples {
        let of = |run: &Run| measure.of(run).filter(|_| run.setting == setting);
        self.runs.iter().filter_map(of).collect()
    }
}

/// What is true of a population, setting by setting.
pub(super) struct Truths<'a>(Vec<(Setting, FragmentTruth<'a>)>);

impl<'a> Truths<'a> {
    pub(super) fn count(data: &'a Data) -> Result<Self> {
        let count = |&setting: &Setting| {
            let length = setting.length as usize;
            let truth = FragmentTruth::count(&data.records, data.per_record, setting.k, length)?;
            Ok((setting, truth))
        };
        Ok(Self(
            data.settings.par_iter().map(count).collect::<Result<_>>()?,
        ))
    }

    fn of(&self, setting: Setting) -> Result<&FragmentTruth<'a>> {
        let known = self.0.iter().find(|(known, _)| *known == setting);
        known
            .map(|(_, truth)| truth)
            .ok_or_else(|| Error::input("the truth of a setting is not known"))
    }

    /// How many fragments of the greatest length there are to find.
    pub(super) fn longest(&self) -> impl Iterator<Item = (Setting, usize)> + '_ {
        self.0.iter().map(|(setting, truth)| {
            let all = truth.fragments();
            let longest = all.iter().filter(|(f, _)| f.len() == truth.longest());
            (*setting, longest.count())
        })
    }

    pub(super) fn compare(&self, repeat: u64, published: &Published) -> Result<Run> {
        let truth = self.of(published.setting)?;
        let compare = |counted: &Counted| truth.compare(&counted.fragments, &counted.counts);
        Ok(Run {
            setting: published.setting,
            repeat,
            report: compare(&published.released)?,
            answers: published.answers.as_ref().map(compare).transpose()?,
            sent: published.sent,
        })
    }
}

/// Runs all campaigns of a method at one ε. Each has a seed of its own.
pub(super) fn measure(
    plan: &Plan,
    data: &Data,
    truths: &Truths<'_>,
    pool: &Pool<'_>,
    method: Method,
    epsilon: &'static str,
) -> Result<Outcome> {
    let at = |known: &&str| plan.epsilons.iter().position(|it| it == known);
    let stem = 100 * at(&epsilon).unwrap_or(0) as u64 + 10_000 * method as u64;
    let value: Epsilon = epsilon.parse()?;
    let population = data.population();
    let parts: Vec<&[Setting]> = match method.serves_every_k() {
        true => data
            .settings
            .chunk_by(|a, b| a.length == b.length)
            .collect(),
        false => data.settings.chunks(1).collect(),
    };
    let jobs: Vec<(u64, usize, &[Setting])> = (0..plan.repeats(method))
        .flat_map(|repeat| {
            let parts = parts.iter().enumerate();
            parts.map(move |(part, settings)| (repeat, part, *settings))
        })
        .collect();
    let run = |&(repeat, part, settings): &(u64, usize, &[Setting])| {
        let seed = stem + part as u64 + 1_000_000 * repeat;
        let random = &mut RandomSource::insecure_seed_for(&format!("{NAME} {}", data.name), seed);
        let published = match method {
            _ if method.is_sfp() => sfp(method, &population, settings, &value, random)?,
            _ if !method.is_fastpub() => triehh(method, &population, settings, &value, random)?,
            _ => settings
                .iter()
                .map(|&setting| {
                    let parameters = parameters(method, &population, setting, &value);
                    let form = parameters.form;
                    let found = fastpub(parameters, pool, random)?;
                    Ok(of_findings(form, setting, &found))
                })
                .collect::<Result<_>>()?,
        };
        published
            .iter()
            .map(|published| truths.compare(repeat, published))
            .collect::<Result<Vec<Run>>>()
    };
    let runs: Vec<Vec<Run>> = jobs.par_iter().map(run).collect::<Result<_>>()?;
    Ok(Outcome {
        method,
        epsilon,
        runs: runs.into_iter().flatten().collect(),
    })
}

#[cfg(test)]
mod tests {
    use wayveil_core::Sequences;

    use super::*;

    /// Ten clients each of three records: [0, 1] has 20 clients, [1, 2] has 10.
    fn data() -> Data {
        let records: [&[u32]; 3] = [&[0, 1], &[0, 1, 2], &[3]];
        Data {
            name: "example",
            title: "example".into(),
            records: Sequences::from_codes(records),
            locations: 4,
            per_record: 10,
            settings: vec![Setting { length: 2, k: 10 }, Setting { length: 2, k: 15 }],
        }
    }

    fn counted(fragments: &[&[u32]], counts: &[u64]) -> Counted {
        Counted {
            fragments: Sequences::from_codes(fragments),
            counts: counts.to_vec(),
        }
    }

    #[test]
    fn settings_are_averaged_and_what_is_undefined_is_left_out() {
        let data = data();
        let truths = Truths::count(&data).unwrap();
        assert_eq!(truths.longest().map(|(_, n)| n).collect::<Vec<_>>(), [2, 1]);
        let published = |at: usize, released, answers| Published {
            setting: data.settings[at],
            released,
            answers,
            sent: Sent::default(),
        };
        let runs = [
            // One of two, right: recall 1/2, F1 2/3, and the query about it is off by a tenth.
            (0, published(0, counted(&[&[0, 1]], &[22]), None)),
            // Nothing released, but known: F1 0, no precision.
            (
                0,
                published(1, counted(&[], &[]), Some(counted(&[&[0, 1]], &[24]))),
            ),
            // All of it and one wrong: precision 1/2.
            (
                1,
                published(1, counted(&[&[0, 1], &[1, 2]], &[20, 20]), None),
            ),
        ];
        let runs = runs.iter();
        let outcome = Outcome {
            method: Method::Sfp,
            epsilon: "1",
            runs: runs
                .map(|(repeat, published)| truths.compare(*repeat, published).unwrap())
                .collect(),
        };
        let expect = |measure, expected: &[f64]| {
            let expected: Samples = expected.iter().copied().collect();
            assert_eq!(outcome.samples(measure), expected, "{measure:?}");
        };
        expect(Measure::Precision, &[1.0, 0.5]);
        expect(Measure::Recall, &[0.25, 1.0]);
        expect(Measure::F1, &[(2.0 / 3.0) / 2.0, 2.0 / 3.0]);
        expect(Measure::Error, &[(0.1 + 0.2) / 2.0, 0.0]);
        expect(Measure::FalseAdmissions, &[0.0, 1.0]);
        let at = outcome.at(Measure::F1, data.settings[1]);
        assert_eq!(at, [0.0, 2.0 / 3.0].into_iter().collect());
    }
}
