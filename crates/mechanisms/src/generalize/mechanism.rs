//! `generalize` as a mechanism: parameters, promise, and the way from records to released rows.

use wayveil_core::{
    Claim, Cost, Epsilon, Error, Guarantee, Mechanism, Output, Progress, PublicInputs,
    RandomSource, Records, Result, Sequences, Transcript,
};
use wayveil_noise::DiscreteLaplace;

use super::as_published::AsPublished;
use super::canonical::CoarseTime;
use super::claim::check_size;
use super::counting::{Counting, MOST_NOISE};
use super::in_place::shown_in_place;
use super::options::{Centres, GeneralizeOptions, Noise};
use super::places;
use super::private_kmeans::{Answer, Contribution, PrivateKMeans};
use super::repaired::Plan;
use super::rows::{MOST_SYMBOLS, repeated};
use super::symbols::Symbols;
use crate::parameters::{Parameter, Parameters};

/// Coarser places, counted journeys and decoys, with their options.
#[derive(Clone, Debug)]
pub struct Generalize {
    /// What it is told.
    pub options: GeneralizeOptions,
}

impl Generalize {
    /// The parameters, as offered everywhere.
    pub const PARAMETERS: &'static [Parameter] = &GeneralizeOptions::PARAMETERS;

    /// Builds the mechanism from parameter values.
    pub fn build(parameters: &Parameters) -> Result<Box<dyn Mechanism>> {
        Ok(Box::new(Self {
            options: GeneralizeOptions::read(parameters)?,
        }))
    }

    pub(super) fn plan(&self, public: &PublicInputs<'_>) -> Result<Plan> {
        let options = &self.options;
        let places = places(public.universe)?;
        // Of fewer places each is a cluster of its own.
        let clusters = options.clusters.min(places.len());
        let time = match (options.bins_together, public.time) {
            (None, _) => None,
            (Some(_), None) => {
                return Err(Error::refused("the data has no time bins to put together")
                    .hint("leave --bins-together out, or import the data with --bins"));
            }
            (Some(together), Some(axis)) => Some(CoarseTime {
                bins: axis.bins,
                together,
            }),
        };
        let (private, for_counts) = self.split(public)?;
        let bins = time.map(|time| time.bins.div_ceil(time.together));
        let symbols = Symbols::new(clusters, bins)?;
        let counting = Counting::new(options, public, &for_counts, symbols)?;
        check_size(options, &counting)?;
        Ok(Plan {
            places,
            clusters,
            private,
            counting,
            time,
        })
    }

    /// Private k-means with its share of ε, where it is asked for, and what is left for counts.
    fn split(&self, public: &PublicInputs<'_>) -> Result<(Option<PrivateKMeans>, Epsilon)> {
        let whole = &self.options.epsilon;
        let Centres::Private { share, rounds } = &self.options.centres else {
            return Ok((None, whole.clone()));
        };
        let own = whole.value().times(share);
        let rest = whole.value().minus(&own).ok_or_else(|| {
            Error::input("the centres cannot take more than the whole of epsilon")
                .hint("choose a smaller --centres-share")
        })?;
        let records = public.unit.records();
        let private = Epsilon::new(own)
            .and_then(|own| PrivateKMeans::new(&own, *rounds, Contribution::Whole, records))
            .map_err(|error| {
                Error::input(format!(
                    "the share of epsilon for the centres: {}",
                    error.message()
                ))
                .hint("give --centres-share or epsilon with fewer digits, or choose fewer --rounds")
            })?;
        let off_by = DiscreteLaplace::new(private.rates().0).std_dev();
        if off_by > MOST_NOISE {
            return Err(Error::refused(format!(
                "nothing but noise would be seen of the centres: weights would be off by about \
                 {off_by:.0}"
            ))
            .hint(
                "choose a larger --centres-share or epsilon, fewer --rounds, a smaller --max-trips, or \
                 --centres public",
            ));
        }
        Ok((Some(private), Epsilon::new(rest)?))
    }

    fn run_repaired(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
        in_place: bool,
    ) -> Result<(Output, Option<Sequences>)> {
        let counted = self.count(records, random, progress)?;
        let threshold = counted.threshold();
        let made = counted.release(random)?;
        let shown = match in_place {
            true => {
                let how = self.options.canonical(&made.clustering, made.time);
                Some(shown_in_place(
                    &how,
                    &records.sequences,
                    &made.journeys.keys,
                )?)
            }
            false => None,
        };
        if made.journeys.keys.is_empty() {
            progress.warn(&self.nothing_released(threshold));
        }
        let decoys = made.decoys.keys.len();
        if !made.journeys.keys.is_empty() && decoys < self.options.decoys as usize {
            progress.warn(&format!(
                "there are {decoys} decoys instead of {}: no more were found that differ from the \
                 others, or their rows would have more than {MOST_SYMBOLS:.0} points",
                self.options.decoys
            ));
        }
        let spelled = |keys: &Sequences| made.symbols.spelled_out(keys, &made.representatives);
        let mut all = made.journeys.keys.clone();
        made.decoys
            .keys
            .iter()
            .for_each(|decoy| all.push(decoy, &[]));
        let counts = [&made.journeys.counts[..], &made.decoys.counts].concat();
        let (timed, together) = (records.public.time.is_some(), self.options.bins_together);
        let passed = spelled(&made.passed.keys)?;
        let output = Output {
            trajectories: repeated(&spelled(&all)?, &counts, timed, together),
            attributes: Vec::new(),
            counts: None,
            fragments: None,
            expected_error: None,
            transcript: transcript(passed, made.passed.counts, made.answers),
        };
        Ok((output, shown))
    }

    fn nothing_released(&self, threshold: u64) -> String {
        let options = &self.options;
        let mut advice = Vec::new();
        match options.window {
            None => advice.push("cut records into short journeys with --window".to_owned()),
            Some(2..) => advice.push("choose a shorter --window".to_owned()),
            Some(_) => {}
        }
        if options.window.is_some() && options.windows > 1 {
            advice.push("choose fewer --windows".to_owned());
        }
        if options.bins_together.is_some() {
            advice.push("put more --bins-together".to_owned());
        }
        advice.push("choose fewer --clusters or a larger epsilon".to_owned());
        if options.noise != Noise::Pure {
            advice.push("choose a larger --delta".to_owned());
        }
        let why = match options.window {
            None => " Whole tracks are nearly all different.",
            Some(_) => "",
        };
        format!(
            "nothing is released: no journey has a noisy count of {threshold}.{why} To release more, \
             {}. What was spent stays spent",
            advice.join(", or ")
        )
    }

    fn run_as_published(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        in_place: bool,
    ) -> Result<(Output, Option<Sequences>)> {
        let how = AsPublished {
            clusters: self.options.clusters,
            decoys: self.options.decoys,
            ..AsPublished::default()
        };
        let places = places(records.public.universe)?;
        let published = how.run(&records.sequences, &places, random)?;
        let shown = match in_place {
            true => Some(shown_in_place(
                &published.canonical(),
                &records.sequences,
                &published.trajectories,
            )?),
            false => None,
        };
        let symbols = Symbols::new(published.places.len(), None)?;
        let spelled = symbols.spelled_out(&published.trajectories, &published.places)?;
        // Rounded to rows: the printed counts have fractions.
        let counts: Vec<i64> = published
            .counts
            .iter()
            .map(|count| count.round() as i64)
            .collect();
        let output = Output {
            trajectories: repeated(&spelled, &counts, records.public.time.is_some(), None),
            attributes: Vec::new(),
            counts: None,
            fragments: None,
            expected_error: None,
            transcript: Transcript::told_by(move || named(&spelled, &counts)),
        };
        Ok((output, shown))
    }

    fn run_either(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
        in_place: bool,
    ) -> Result<(Output, Option<Sequences>)> {
        match self.options.as_published {
            true => self.run_as_published(records, random, in_place),
            false => self.run_repaired(records, random, progress, in_place),
        }
    }
}

impl Mechanism for Generalize {
    fn name(&self) -> &'static str {
        "generalize"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        if self.options.as_published {
            return self.claim_as_published(public);
        }
        let plan = self.plan(public)?;
        let (epsilon, delta) = (&self.options.epsilon, &plan.counting.delta);
        let mut noise = plan.counting.in_words();
        if let Some(private) = &plan.private {
            let (weights, sums) = private.rates();
            noise += &format!(
                "; for the centres, discrete Laplace of rate {weights} on weights and {sums} on sums \
                 of coordinates"
            );
        }
        Ok(Claim {
            guarantee: Guarantee::differential_privacy(epsilon, delta, public.unit),
            cost: Cost::DifferentialPrivacy {
                epsilon: epsilon.clone(),
                delta: delta.clone(),
            },
            variant: "repaired",
            parameters: self.parameters(&plan),
            limits: self.limits(&plan, public.time.is_some()),
            noise,
            columns: Vec::new(),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        Ok(self.run_either(records, random, progress, false)?.0)
    }

    fn run_in_place(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<(Output, Option<Sequences>)> {
        self.run_either(records, random, progress, true)
    }
}

/// What the auditor is told: every noisy count that passed, before anything is made of it, and every
/// noisy number that the centres were made of.
fn transcript(journeys: Sequences, counts: Vec<i64>, answers: Vec<Answer>) -> Transcript {
    Transcript::told_by(move || {
        let mut told = named(&journeys, &counts);
        for answer in answers {
            let of = format!("of cluster {} in round {}", answer.cluster, answer.round);
            told.push((format!("noisy weight {of}"), answer.weight));
            told.push((format!("first noisy sum {of}"), answer.sums[0]));
            told.push((format!("second noisy sum {of}"), answer.sums[1]));
        }
        told
    })
}

fn named(journeys: &Sequences, counts: &[i64]) -> Vec<(String, i64)> {
    let name = |key: usize| {
        let codes = journeys.codes_of(key);
        let parts: Vec<String> = match journeys.bins_of(key) {
            [] => codes.iter().map(u32::to_string).collect(),
            bins => codes
                .iter()
                .zip(bins)
                .map(|(code, bin)| format!("{code}@{bin}"))
                .collect(),
        };
        format!("noisy count of journey {}", parts.join(" "))
    };
    (0..journeys.len())
        .zip(counts)
        .map(|(key, &count)| (name(key), count))
        .collect()
}

#[cfg(test)]
mod tests;
