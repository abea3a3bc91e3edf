//! What a release says of its own error: an estimate, made without the raw data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Estimates of how far a release is from the data it was made of. They are made of noisy counts, hence no
/// more than the release itself tells; the true error was not looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectedError {
    /// How the estimates were made, in words.
    pub made: String,
    /// One for every number that is estimated.
    pub estimates: Vec<ErrorEstimate>,
}

/// An estimate of one number that `wayveil evaluate` would show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorEstimate {
    /// Its name as in `wayveil evaluate`, such as `count-query-error.group-1`; or `records`, by how many
    /// the number of records is off.
    pub name: String,
    /// The estimate itself.
    pub value: f64,
    /// The true number should lie below this in one of ten releases.
    pub low: f64,
    /// The true number should lie above this in one of ten releases.
    pub high: f64,
}

/// What every text that shows estimates has to say of them.
const WITHOUT_RAW_DATA: &str =
    "estimated from the noisy counts alone: the raw data and the true error were not looked at";

impl ExpectedError {
    /// These estimates, with a word on how they were made.
    pub fn new(estimates: Vec<ErrorEstimate>) -> Self {
        Self {
            made: WITHOUT_RAW_DATA.into(),
            estimates,
        }
    }

    /// Whether every number is one, and every interval holds its estimate.
    pub fn is_sound(&self) -> bool {
        let sound = |it: &ErrorEstimate| {
            it.value.is_finite()
                && 0.0 <= it.low
                && it.low <= it.value
                && it.value <= it.high
                && it.high.is_finite()
        };
        self.estimates.iter().all(sound)
    }
}

impl ErrorEstimate {
    /// What the number is about, for people.
    pub fn about(&self) -> &str {
        match self.name.as_str() {
            "records" => "records too many or too few",
            "count-query-error.group-1" => "counts of sets of up to 3 locations, relative error",
            "count-query-error.group-2" => "counts of sets of up to 6 locations, relative error",
            "count-query-error.group-3" => "counts of sets of up to 9 locations, relative error",
            "count-query-error.group-4" => "counts of sets of up to 12 locations, relative error",
            "top-patterns.true-positives-100" => "true ones among the 100 most frequent patterns",
            "top-patterns.true-positives-200" => "true ones among the 200 most frequent patterns",
            "top-patterns.true-positives-300" => "true ones among the 300 most frequent patterns",
            "flow-error.transitions" => "steps between locations that are wrong, as a share of all",
            "flow-error.trips" => {
                "trips from first to last location that are wrong, as a share of all"
            }
            "transition-divergence" => "divergence of steps between locations (0 to 1)",
            "trip-divergence" => "divergence of first and last locations (0 to 1)",
            "length-divergence" => "divergence of lengths (0 to 1)",
            other => other,
        }
    }

    /// A number with as many digits as it deserves: two, or whole where it is large.
    pub fn shown(number: f64) -> String {
        if number == 0.0 {
            return "0".into();
        }
        let places = 1 - number.abs().log10().floor() as i32;
        let places = places.clamp(0, 6) as usize;
        format!("{number:.places$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, low: f64, high: f64) -> ExpectedError {
        ExpectedError::new(vec![ErrorEstimate {
            name: "records".into(),
            value,
            low,
            high,
        }])
    }

    #[test]
    fn intervals_hold_their_estimates() {
        assert!(estimate(2.0, 1.0, 3.0).is_sound());
        assert!(!estimate(2.0, 2.5, 3.0).is_sound());
        assert!(!estimate(2.0, -1.0, 3.0).is_sound());
        assert!(!estimate(f64::NAN, 1.0, 3.0).is_sound());
        assert!(!estimate(2.0, 1.0, f64::INFINITY).is_sound());
    }

    #[test]
    fn two_digits_are_shown() {
        let shown = [0.0, 0.01234, 0.5, 1.26, 12.6, 287.4, 1e-9].map(ErrorEstimate::shown);
        assert_eq!(
            shown,
            ["0", "0.012", "0.50", "1.3", "13", "287", "0.000000"]
        );
    }
}
