//! What a release says of its own error. Post-processing: it sees noisy counts, what was made of them, and the
//! release.
//!
//! Given the noisy counts the release is made of chance alone, and the truth has the posterior distribution that
//! `denoise` learned. What `wayveil evaluate` would find is therefore estimated by drawing truths that are plausible
//! and comparing the release with those, by evaluate's own definitions:
//!
//! | number | truth is drawn from |
//! | --- | --- |
//! | records | the law of the total's noise |
//! | lengths | noisy lengths, with the deviation of their noise |
//! | steps, trips | every cell's estimate, and what is known of cells that no candidate has |
//! | counts of one or two places | estimates of places and pairs |
//! | counts of more, long patterns | the pool's expectation, and how far pairs lay from what was expected of them |
//!
//! The last line is no posterior: nothing was measured of three places. How far pairs' estimates lie from what the pool
//! expected before pairs entered tells how much the model misses one step below, and a public constant tells which part
//! of it is missed one step above. Constants and intervals are in `constants`, fitted to generated data.

mod constants;
mod counts;
mod flows;
mod known;
mod lengths;
mod patterns;
mod plausible;

use wayveil_core::{ErrorEstimate, ExpectedError, RandomSource, Sequences};

use super::features::{Kind, UNITS};
use super::fit::Fitted;
use super::law::Law;
use super::paid::Paid;
use constants::{CALIBRATION, TRUTHS};
use known::{Known, Scatter};

/// All that estimates are made of.
pub(super) struct Told<'a> {
    pub(super) paid: &'a Paid,
    pub(super) fitted: &'a [Fitted<'a>],
    pub(super) pool: &'a Sequences,
    pub(super) weights: &'a [f64],
    pub(super) released: &'a Sequences,
}

impl Told<'_> {
    /// Estimates of every number that can be estimated.
    pub(super) fn expected_error(
        &self,
        locations: usize,
        random: &mut RandomSource,
    ) -> ExpectedError {
        let mut estimates = vec![self.records()];
        let plain = self.plain(locations, random);
        for it in &CALIBRATION {
            let found = plain.iter().find(|(name, ..)| *name == it.name);
            estimates.extend(found.map(|&(name, plain, most)| calibrated(name, plain, most, it)));
        }
        let sound = |it: &ErrorEstimate| ExpectedError::new(vec![it.clone()]).is_sound();
        estimates.retain(sound);
        ExpectedError::new(estimates)
    }

    /// By how many records the release is off: the distance of noise with this law from nothing, its mean and the
    /// middle four fifths.
    fn records(&self) -> ErrorEstimate {
        let (size, [value, low, high]) = match self.paid.total.law {
            Law::Laplace(scale) => (scale, [1.0, -(0.9f64.ln()), -(0.1f64.ln())]),
            Law::Gaussian(deviation) => (deviation, [0.797_885, 0.125_661, 1.644_854]),
        };
        let records = size / UNITS as f64;
        ErrorEstimate {
            name: "records".into(),
            value: records * value,
            low: records * low,
            high: records * high,
        }
    }

    /// Estimates before they are calibrated, with the most that there can be where more is better.
    fn plain(
        &self,
        locations: usize,
        random: &mut RandomSource,
    ) -> Vec<(&'static str, f64, Option<f64>)> {
        let mut found = Vec::new();
        let mut rng = random.stream();
        let of = |kind: Kind| self.fitted.iter().find(|it| it.measured.kind() == kind);
        let known = |kind: Kind| of(kind).map(|fitted| Known::new(fitted, self.released));
        let flows = [
            (
                Kind::Transition,
                "flow-error.transitions",
                "transition-divergence",
            ),
            (Kind::Ends, "flow-error.trips", "trip-divergence"),
        ];
        for (kind, error, divergence) in flows {
            let errors = known(kind).map(|known| flows::errors(&known, TRUTHS, &mut rng));
            let errors = errors.unwrap_or_default();
            found.extend(mean(errors.iter().map(|it| it.0)).map(|it| (error, it, None)));
            let divergences: Option<Vec<f64>> = errors.iter().map(|it| it.1).collect();
            let divergences = divergences.unwrap_or_default().into_iter();
            found.extend(mean(divergences).map(|it| (divergence, it, None)));
        }
        let lengths = &self.paid.habits.lengths;
        let lengths = lengths::errors(lengths, self.released, TRUTHS, &mut rng);
        found.extend(mean(lengths.into_iter()).map(|it| ("length-divergence", it, None)));
        if let (Some(places), Some(pairs)) = (known(Kind::Place), known(Kind::Pair)) {
            let scatter = of(Kind::Pair).map(Scatter::new);
            let scatter = &scatter.unwrap_or_else(Scatter::unknown);
            let sets = counts::Sets {
                pool: self.pool,
                weights: self.weights,
                released: self.released,
                places: &places,
                pairs: &pairs,
                scatter,
                locations,
                records: self.paid.habits.records,
            };
            if let Some(errors) = sets.errors(&mut rng) {
                let named = CALIBRATION.iter().map(|it| it.name).zip(errors);
                found.extend(named.map(|(name, error)| (name, error, None)));
            }
            // With time bins patterns are of places in bins, of which pairs tell nothing.
            if self.pool.is_timed() {
                return found;
            }
            let patterns = patterns::Patterns {
                released: self.released,
                pairs: &pairs,
                scatter,
                locations,
            };
            let named = CALIBRATION.iter().skip(counts::GROUPS).map(|it| it.name);
            let positives = named.zip(patterns.true_positives(&mut rng));
            found.extend(positives.map(|(name, (found, most))| (name, found, Some(most as f64))));
        }
        found
    }
}

/// An estimate with its interval. Where more is better, what is missing of the most is scaled.
fn calibrated(
    name: &str,
    plain: f64,
    most: Option<f64>,
    with: &constants::Calibration,
) -> ErrorEstimate {
    let error = most.map_or(plain, |most| most - plain) * with.factor;
    let (low, high) = (error * with.low, error * with.high);
    let bounded = |error: f64| match most {
        Some(most) => (most - error).clamp(0.0, most),
        // There is no divergence above 1.
        None if name.ends_with("-divergence") => error.min(1.0),
        None => error,
    };
    let (value, low, high) = (bounded(error), bounded(low), bounded(high));
    ErrorEstimate {
        name: name.into(),
        value,
        low: low.min(high),
        high: low.max(high),
    }
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = numbers.len();
    (count > 0).then(|| numbers.sum::<f64>() / count as f64)
}

#[cfg(test)]
mod tests;
