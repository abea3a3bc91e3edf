//! What came of a comparison, for people and for programs.

use serde::{Deserialize, Serialize};

use crate::samples::median;

/// All numbers of one release of fragments; the definitions stand at [the module](super).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FragmentReport {
    /// The threshold.
    pub k: u64,
    /// How many clients there are.
    pub clients: u64,
    /// Over all lengths.
    pub all: Scores,
    /// For the lengths 1, 2, … up to the greatest, whether or not there is such a fragment.
    pub by_length: Vec<Scores>,
}

/// The numbers of one length, or of all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    /// The length; none for all together.
    pub length: Option<usize>,
    /// Fragments that at least k clients hold.
    pub truth: u64,
    /// Fragments that were released.
    pub released: u64,
    /// Fragments that are both.
    pub both: u64,
    /// The share of the released that is true; none where nothing is released.
    pub precision: Option<f64>,
    /// The share of the true that is released; none where there is nothing to find.
    pub recall: Option<f64>,
    /// Their harmonic mean; none where nothing is released and there is nothing to find.
    pub f1: Option<f64>,
    /// Queries about fragments that more than k clients hold.
    pub legal_queries: u64,
    /// Those of them whose fragment was not released, so that the answer is an estimate.
    pub estimated_queries: u64,
    /// The median relative error of legal queries; none where there are none.
    pub query_error: Option<f64>,
    /// Released fragments that fewer than k clients hold.
    pub false_admissions: u64,
    /// The mean anonymity loss of the released; none where nothing is released.
    pub mean_loss: Option<f64>,
    /// The greatest anonymity loss of the released; none where nothing is released.
    pub greatest_loss: Option<usize>,
    /// The mean of k / S over false admissions; none where there are none.
    pub mean_shortfall: Option<f64>,
    /// The greatest k / S of a false admission; none where there are none.
    pub greatest_shortfall: Option<f64>,
}

impl FragmentReport {
    /// The numbers of the greatest length, which are FASTPub's own.
    pub fn longest(&self) -> &Scores {
        self.by_length.last().unwrap_or(&self.all)
    }

    /// What the cells of a row are.
    pub const HEADINGS: [&'static str; 13] = [
        "length",
        "true",
        "released",
        "precision",
        "recall",
        "F1",
        "legal queries",
        "estimated",
        "query error",
        "false",
        "mean loss",
        "greatest loss",
        "greatest shortfall",
    ];

    /// A table: a row for each length and one for all, with an en dash for what is undefined.
    pub fn rows(&self) -> Vec<[String; 13]> {
        let lengths = self.by_length.iter().chain([&self.all]);
        lengths.map(Scores::row).collect()
    }
}

impl Scores {
    fn row(&self) -> [String; 13] {
        let number = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.3}"));
        let whole = |value: Option<usize>| value.map_or("–".into(), |value| value.to_string());
        [
            self.length
                .map_or("all".into(), |length| length.to_string()),
            self.truth.to_string(),
            self.released.to_string(),
            number(self.precision),
            number(self.recall),
            number(self.f1),
            self.legal_queries.to_string(),
            self.estimated_queries.to_string(),
            number(self.query_error),
            self.false_admissions.to_string(),
            number(self.mean_loss),
            whole(self.greatest_loss),
            number(self.greatest_shortfall),
        ]
    }
}

/// Scores on the way.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) truth: u64,
    pub(super) errors: Vec<f64>,
    pub(super) unanswered: u64,
    released: u64,
    both: u64,
    losses: u64,
    greatest_loss: usize,
    shortfalls: f64,
    greatest_shortfall: f64,
}

impl Tally {
    /// Counts a released fragment.
    pub(super) fn release(&mut self, support: u64, k: u64, loss: usize) {
        self.released += 1;
        self.losses += loss as u64;
        self.greatest_loss = self.greatest_loss.max(loss);
        if support >= k {
            self.both += 1;
        } else {
            let shortfall = k as f64 / support.max(1) as f64;
            self.shortfalls += shortfall;
            self.greatest_shortfall = self.greatest_shortfall.max(shortfall);
        }
    }

    pub(super) fn scores(self, length: Option<usize>) -> Scores {
        let ratio = |part: f64, whole: u64| (whole > 0).then(|| part / whole as f64);
        let (both, false_admissions) = (self.both as f64, self.released - self.both);
        Scores {
            length,
            truth: self.truth,
            released: self.released,
            both: self.both,
            precision: ratio(both, self.released),
            recall: ratio(both, self.truth),
            f1: ratio(2.0 * both, self.truth + self.released),
            legal_queries: self.errors.len() as u64,
            estimated_queries: self.unanswered,
            query_error: median(self.errors),
            false_admissions,
            mean_loss: ratio(self.losses as f64, self.released),
            greatest_loss: (self.released > 0).then_some(self.greatest_loss),
            mean_shortfall: ratio(self.shortfalls, false_admissions),
            greatest_shortfall: (false_admissions > 0).then_some(self.greatest_shortfall),
        }
    }
}
