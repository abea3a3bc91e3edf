//! Learns to tell two data sets apart from all named integers together.
//!
//! A naive Bayes score: the sum over names of the log-likelihood ratio of the value seen, or of the
//! name being absent. Where a mechanism adds independent noise to several numbers, this is the best
//! test there is; elsewhere it is one more guess, whose threshold is learned from runs of its own.
//!
//! Ratios are learned twice: by single value, which finds values that only one data set leads to,
//! and by about sixteen ranges of values, which sees a shift of a number that varies widely. A name
//! with very many values also has a score of its own by value: there, single values are too rare
//! to be events, and among all names together they would drown.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::observation::{Observation, Origin};
use super::tally::{Histogram, Sides, Tally};

/// Scores are whole multiples of 1/16.
const STEPS: f64 = 16.0;
const RANGES: u64 = 16;
/// From so many different values on, a name has a score of its own.
const MANY_VALUES: usize = 256;
const OF_THE_RELEASE: &str = "score of the release";

/// Log-likelihood ratios by value.
#[derive(Debug)]
enum Ratios {
    ByValue(FxHashMap<i64, f64>),
    /// By the first value of each range, the first range reaching down without end.
    ByRange(BTreeMap<i64, f64>),
}

#[derive(Debug)]
struct Name {
    absent: f64,
    ratios: Ratios,
}

/// One way to score.
#[derive(Debug)]
struct Score {
    called: &'static str,
    origin: Origin,
    names: FxHashMap<String, Name>,
    /// The score of a run in which every name is absent.
    all_absent: f64,
}

/// Everything learned about one pair of data sets.
#[derive(Debug)]
pub(super) struct Distinguisher {
    scores: Vec<Score>,
    /// The scores of names with very many values, in the transcript and in the release.
    singles: [FxHashMap<String, Single>; 2],
}

/// A score of one name.
#[derive(Debug)]
struct Single {
    called: String,
    ratios: FxHashMap<i64, f64>,
}

impl Distinguisher {
    pub(super) fn train(tally: &Tally) -> Self {
        let kinds = [
            ("score of the transcript by value", Origin::Transcript, true),
            (
                "score of the transcript by range",
                Origin::Transcript,
                false,
            ),
            ("score of the release by value", Origin::Release, true),
            ("score of the release by range", Origin::Release, false),
        ];
        let scores = kinds.map(|(called, origin, single_values)| {
            let names: BTreeMap<&String, Name> = tally.parts[origin as usize]
                .iter()
                .map(|(name, histogram)| (name, learn(histogram, tally.runs, single_values)))
                .collect();
            // Summed in the order of names: floating-point sums depend on it.
            let all_absent = names.values().map(|name| name.absent).sum();
            Score {
                called,
                origin,
                all_absent,
                names: names
                    .into_iter()
                    .map(|(name, learned)| (name.clone(), learned))
                    .collect(),
            }
        });
        let singles = [
            (Origin::Transcript, "score of the transcript"),
            (Origin::Release, OF_THE_RELEASE),
        ];
        Self {
            scores: scores.into(),
            singles: singles.map(|(origin, called)| {
                let names = tally.parts[origin as usize].iter();
                names
                    .filter(|(_, histogram)| histogram.values.len() >= MANY_VALUES)
                    .map(|(name, histogram)| {
                        let called = format!("{called} by the value of: {name}");
                        let ratios = by_value(histogram, tally.runs);
                        (name.clone(), Single { called, ratios })
                    })
                    .collect()
            }),
        }
    }

    /// Whether a score of this name is made from the release.
    pub(super) fn reads_release(score: &str) -> bool {
        score.starts_with(OF_THE_RELEASE)
    }

    /// Adds its scores to what was seen.
    pub(super) fn judge(&self, seen: &mut Observation) {
        let scored = self.scores.iter().map(|score| {
            let part = &seen.parts[score.origin as usize];
            let total = part.iter().fold(score.all_absent, |sum, (name, value)| {
                sum + score.names.get(name).map_or(0.0, |name| name.gain(*value))
            });
            (score.called.to_owned(), (total * STEPS).round() as i64)
        });
        let mut scored: Vec<(String, i64)> = scored.collect();
        for (part, singles) in seen.parts.iter().zip(&self.singles) {
            scored.extend(part.iter().filter_map(|(name, value)| {
                let single = singles.get(name)?;
                let ratio = single.ratios.get(value).copied().unwrap_or(0.0);
                Some((single.called.clone(), (ratio * STEPS).round() as i64))
            }));
        }
        seen.parts[Origin::Distinguisher as usize] = scored;
    }
}

impl Name {
    /// What seeing this value says more than seeing nothing.
    fn gain(&self, value: i64) -> f64 {
        let ratio = match &self.ratios {
            Ratios::ByValue(ratios) => ratios.get(&value).copied().unwrap_or(0.0),
            Ratios::ByRange(ratios) => {
                let below = ratios.range(..=value).next_back();
                below.or(ratios.first_key_value()).map_or(0.0, |(_, r)| *r)
            }
        };
        ratio - self.absent
    }
}

fn by_value(histogram: &Histogram, runs: Sides) -> FxHashMap<i64, f64> {
    let values = histogram.values.iter();
    values
        .map(|(&value, &counts)| (value, ratio(counts, runs)))
        .collect()
}

fn learn(histogram: &Histogram, runs: Sides, single_values: bool) -> Name {
    let absent = [0, 1].map(|side| runs[side].saturating_sub(histogram.present[side]));
    let ratios = if single_values {
        Ratios::ByValue(by_value(histogram, runs))
    } else {
        let enough = ((runs[0] + runs[1]) / RANGES).max(1);
        let mut ranges = BTreeMap::new();
        let (mut first, mut open): (Option<i64>, Sides) = (None, [0, 0]);
        for (&value, counts) in &histogram.values {
            let start = *first.get_or_insert(value);
            open = [open[0] + counts[0], open[1] + counts[1]];
            if open[0] + open[1] >= enough {
                ranges.insert(start, ratio(open, runs));
                (first, open) = (None, [0, 0]);
            }
        }
        if let Some(start) = first {
            ranges.insert(start, ratio(open, runs));
        }
        Ratios::ByRange(ranges)
    };
    Name {
        absent: ratio(absent, runs),
        ratios,
    }
}

/// ln P[with] − ln P[without], half a run added to each so that nothing is impossible.
fn ratio(counts: Sides, runs: Sides) -> f64 {
    let share = |side: usize| (counts[side] as f64 + 0.5) / (runs[side] as f64 + 1.0);
    (share(1) / share(0)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(value: Option<i64>) -> Observation {
        let mut seen = Observation::default();
        seen.parts[0] = value
            .map(|value| ("x".to_owned(), value))
            .into_iter()
            .collect();
        seen
    }

    #[test]
    fn scores_are_log_likelihood_ratios() {
        let mut tally = Tally::default();
        // Without: absent 30, 1 on 60, 2 on 10. With: absent 10, 1 on 60, 2 on 30.
        for (side, parts) in [[30, 60, 10], [10, 60, 30]].into_iter().enumerate() {
            for (value, count) in [None, Some(1), Some(2)].into_iter().zip(parts) {
                (0..count).for_each(|_| tally.see(side, &seen(value)));
            }
        }
        let learned = Distinguisher::train(&tally);
        let score = |value| {
            let mut run = seen(value);
            learned.judge(&mut run);
            let by = |kind: &str| {
                let name = format!("score of the transcript by {kind}");
                run.value(Origin::Distinguisher, &name).unwrap()
            };
            (by("value"), by("range"))
        };
        let expected = (STEPS * (30.5f64 / 10.5).ln()).round() as i64;
        assert_eq!(score(None).0, -expected);
        assert_eq!(score(Some(1)), (0, 0));
        assert_eq!(score(Some(2)), (expected, expected));
        assert_eq!(score(Some(7)).0, 0, "a value never seen says nothing");
        assert_eq!(score(Some(7)).1, expected, "the last range has no end");
    }
}
