//! The one step between exact and released counts: how much noise, and which journeys pass.

use std::cmp::Ordering;
use std::num::{NonZeroU32, NonZeroU64};

use rand_core::Rng;
use wayveil_core::{Delta, Epsilon, Error, PublicInputs, Result, Sequences};
use wayveil_noise::thresholded::{
    Contribution, laplace_delta, laplace_threshold, truncated_bound, truncated_delta,
};
use wayveil_noise::{DiscreteLaplace, EmptySequences, Rate, TruncatedLaplace};

use super::merge::Merged;
use super::options::{GeneralizeOptions, Noise};
use super::symbols::Symbols;

/// The largest scale of noise. Beyond it a count would need hundreds of thousands of people to be seen.
pub(super) const MOST_NOISE: f64 = 100_000.0;

/// Noise and threshold, planned from public inputs.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    law: Law,
    /// The least noisy count that is released.
    pub(super) threshold: u64,
    /// What it costs; zero where every journey gets noise.
    pub(super) delta: Delta,
    /// What one unit can add to the counts.
    pub(super) by: Contribution,
    rate: Rate,
}

#[derive(Clone, Copy, Debug)]
enum Law {
    Laplace(DiscreteLaplace),
    Truncated(TruncatedLaplace),
    Pure(DiscreteLaplace, Possible),
}

/// Which journeys there could be, whatever the clusters.
#[derive(Clone, Copy, Debug)]
struct Possible {
    longest: NonZeroU32,
    stays: bool,
}

/// Released journeys of symbols with their noisy counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Released {
    /// The journeys, all different.
    pub keys: Sequences,
    /// The count of each.
    pub counts: Vec<i64>,
}

impl Counting {
    /// Plans it: `epsilon` for the counts, over at most `symbols` symbols.
    pub(super) fn new(
        options: &GeneralizeOptions,
        public: &PublicInputs<'_>,
        epsilon: &Epsilon,
        symbols: Symbols,
    ) -> Result<Self> {
        let by = contribution(options, public.unit.records())?;
        let rate = epsilon.rate_over(by.most().get().into()).map_err(|error| {
            error.hint("give epsilon with fewer digits, or a smaller --windows or --max-trips")
        })?;
        let noise = DiscreteLaplace::new(rate);
        if noise.std_dev() > MOST_NOISE {
            return Err(Error::refused(format!(
                "nothing but noise would be released: counts would be off by about {:.0}",
                noise.std_dev()
            ))
            .hint("choose a larger epsilon, or a smaller --windows or --max-trips"));
        }
        let needs_delta = || {
            Error::refused(format!(
                "noise {} needs a delta above 0: a journey that one person has is released now and \
                 then, and never without them",
                options.noise.name()
            ))
            .hint("give --delta, for instance 1e-9, or choose --noise pure, which needs none")
        };
        let asked = &options.delta;
        let (law, threshold, delta) = match options.noise {
            Noise::Laplace => {
                let threshold = laplace_threshold(rate, by, asked.parts()?);
                let threshold = threshold.map_err(|_| needs_delta())?.max(1);
                let least = NonZeroU64::new(threshold).unwrap_or(NonZeroU64::MIN);
                let spent = laplace_delta(rate, least, by).to_string();
                (Law::Laplace(noise), threshold, at_most(&spent, asked))
            }
            Noise::Truncated => {
                let bound = truncated_bound(rate, by, asked.parts()?);
                let bound = bound.map_err(|_| needs_delta())?;
                let spent = truncated_delta(rate, bound, by).to_string();
                let law = Law::Truncated(TruncatedLaplace::new(rate, bound));
                (law, bound.saturating_add(1), at_most(&spent, asked))
            }
            Noise::Pure => {
                let longest = options.window.and_then(NonZeroU32::new).ok_or_else(|| {
                    Error::refused(
                        "noise pure needs journeys of a public length: there is no end of whole records",
                    )
                    .hint("give --window a number of points, or choose another --noise")
                })?;
                let stays = !options.collapse;
                // Without clusters there is no journey that could pass.
                let domain = symbols.domain(longest, stays);
                let threshold = domain.map_or(1, |all| EmptySequences::threshold(rate, &all));
                let law = Law::Pure(noise, Possible { longest, stays });
                (law, threshold, Delta::zero())
            }
        };
        Ok(Self {
            law,
            threshold,
            delta,
            by,
            rate,
        })
    }

    /// The standard deviation of the noise on a count, for reports.
    pub(super) fn deviation(&self) -> f64 {
        match self.law {
            Law::Laplace(noise) | Law::Pure(noise, _) => noise.std_dev(),
            Law::Truncated(noise) => noise.std_dev(),
        }
    }

    /// The noise in words.
    pub(super) fn in_words(&self) -> String {
        let rate = self.rate;
        match self.law {
            Law::Laplace(_) => format!(
                "discrete Laplace of rate {rate} by an exact integer sampler, on the counts of \
                 journeys that occur"
            ),
            Law::Truncated(noise) => format!(
                "discrete Laplace of rate {rate} within ±{} by an exact integer sampler, on the \
                 counts of journeys that occur",
                noise.bound()
            ),
            Law::Pure(..) => format!(
                "discrete Laplace of rate {rate} by an exact integer sampler, on the counts of all \
                 journeys that there could be"
            ),
        }
    }

    /// The only step that sees exact counts. Journeys are of `symbols`, of which there are as many as
    /// the plan knew of at most.
    pub(super) fn release<R: Rng + ?Sized>(
        &self,
        merged: &Merged,
        symbols: Symbols,
        rng: &mut R,
    ) -> Released {
        let mut passed: Vec<(Vec<u32>, i64)> = Vec::new();
        let all = match self.law {
            Law::Pure(noise, Possible { longest, stays }) => {
                symbols.domain(longest, stays).map(|all| (noise, all))
            }
            Law::Laplace(_) | Law::Truncated(_) => None,
        };
        // Where every journey of a domain gets noise, one outside it must have no way out.
        let counts = |key: &[u32]| all.is_none_or(|(_, all)| all.contains(key));
        let occurring = merged.keys.iter().filter(|key| counts(key)).count();
        for (key, &count) in merged.keys.iter().zip(&merged.counts) {
            if !counts(key) {
                continue;
            }
            let noise = match self.law {
                Law::Laplace(noise) | Law::Pure(noise, _) => noise.sample(rng),
                Law::Truncated(noise) => noise.sample(rng),
            };
            let noisy = i64::try_from(count)
                .unwrap_or(i64::MAX)
                .saturating_add(noise);
            if u64::try_from(noisy).is_ok_and(|noisy| noisy >= self.threshold) {
                passed.push((key.to_vec(), noisy));
            }
        }
        if let Some((noise, all)) = all {
            let empty = EmptySequences::new(noise, self.threshold, all);
            let occurs = |key: &[u32]| is_among(&merged.keys, key);
            passed.extend(empty.draw(occurring as u64, occurs, rng));
        }
        passed.sort_unstable();
        Released {
            keys: Sequences::from_codes(passed.iter().map(|(key, _)| key)),
            counts: passed.iter().map(|&(_, noisy)| noisy).collect(),
        }
    }

    /// What that count is about.
    pub(super) fn of_decoy_about(&self) -> f64 {
        self.threshold as f64 + self.deviation()
    }

    /// The count of a decoy: that of a journey which nobody has, had it passed.
    pub(super) fn of_decoy<R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        DiscreteLaplace::new(self.rate).sample_at_least(self.threshold, rng)
    }
}

/// What one unit can add to the counts. The journeys of one record differ from each other; those of two
/// records of a unit may be equal, and mechanisms are not told whose a record is.
fn contribution(options: &GeneralizeOptions, records: u32) -> Result<Contribution> {
    let of_record = match options.window {
        Some(_) => options.windows,
        None => 1,
    };
    let most = of_record.checked_mul(records).and_then(NonZeroU32::new);
    let most = most.ok_or_else(|| {
        Error::input("a person would have more than 4,294,967,295 journeys")
            .hint("choose a smaller --windows or --max-trips")
    })?;
    Ok(match records {
        1 => Contribution::DistinctKeys(most),
        _ => Contribution::InAll(most),
    })
}

/// The δ spent is below the one asked for; where rounding it up says otherwise, that one stands.
fn at_most(spent: &str, asked: &Delta) -> Delta {
    match spent.parse::<Delta>() {
        Ok(spent) if spent < *asked => spent,
        _ => asked.clone(),
    }
}

/// Whether a journey is among some that stand in the order of their symbols.
fn is_among(keys: &Sequences, key: &[u32]) -> bool {
    let (mut below, mut above) = (0, keys.len());
    while below < above {
        let middle = below + (above - below) / 2;
        match keys.codes_of(middle).cmp(key) {
            Ordering::Less => below = middle + 1,
            Ordering::Equal => return true,
            Ordering::Greater => above = middle,
        }
    }
    false
}

#[cfg(test)]
mod tests;
