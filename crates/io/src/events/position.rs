//! How rows say where: by a label or by coordinates.

use std::sync::Arc;

use rayon::prelude::*;
use wayveil_core::{Error, Result};

use crate::place::Places;
use crate::summary::ImportSummary;
use crate::universe::{LEFT_OUT, UniverseChoice, Unknown};

/// Points that are placed by one thread at a time.
const TOGETHER: usize = 2048;

/// What to do with coordinates that are missing or no degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InvalidPoints {
    /// Stop and say where they are.
    #[default]
    Error,
    /// Leave the row out and count it.
    Drop,
}

/// How rows say where.
#[derive(Clone, Debug)]
pub enum Position {
    /// A column of labels.
    Location {
        /// Its name.
        column: String,
        /// The set of locations.
        universe: UniverseChoice,
        /// What to do with locations outside of it.
        unknown: Unknown,
    },
    /// Two columns of degrees.
    Point {
        /// Name of the column of latitudes.
        lat: String,
        /// Name of the column of longitudes.
        lng: String,
        /// The set of locations, and which point belongs to which.
        places: Arc<Places>,
        /// What to do with coordinates that are none.
        invalid: InvalidPoints,
    },
}

impl Position {
    /// The column `location`; nothing unknown is accepted.
    pub fn labels(universe: UniverseChoice) -> Self {
        Self::Location {
            column: "location".into(),
            universe,
            unknown: Unknown::Error,
        }
    }

    /// The columns `lat` and `lng`; every row needs coordinates.
    pub fn points(places: Arc<Places>) -> Self {
        Self::Point {
            lat: "lat".into(),
            lng: "lng".into(),
            places,
            invalid: InvalidPoints::Error,
        }
    }
}

/// Reads degrees; an error without a place says what is wrong.
pub(crate) fn degrees(text: &str, most: f64, what: &str) -> Result<f64> {
    let invalid = |why: &str| Error::input(format!("invalid {what} (got {text:?}): {why}"));
    let trimmed = text.trim();
    let value = match trimmed.parse::<f64>() {
        _ if trimmed.is_empty() => {
            return Err(invalid("it is empty")
                .hint("leave such rows out with --invalid drop; they are counted"));
        }
        Ok(value) => value,
        Err(_) if trimmed.contains(',') => {
            return Err(invalid("not a number").hint("write degrees with a decimal point"));
        }
        Err(_) => {
            return Err(invalid("not a number").hint(
                "write degrees as 45.5017; leave rows without coordinates out with --invalid drop",
            ));
        }
    };
    if value.abs() <= most {
        return Ok(value);
    }
    let error = invalid(&format!("degrees lie between -{most} and {most}"));
    Err(match value.is_finite() {
        true if most == 90.0 && value.abs() <= 180.0 => {
            error.hint("latitude and longitude may be swapped: --lat-column and --lng-column")
        }
        true if most == 180.0 && (0.0..=360.0).contains(&value) => {
            error.hint("write longitudes east of 180 as negative ones: subtract 360")
        }
        _ => error.hint("leave such rows out with --invalid drop; they are counted"),
    })
}

/// What became of points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PointCounts {
    pub(crate) inside: u64,
    pub(crate) outside: u64,
    pub(crate) invalid: u64,
    /// Of those outside, how many do not even lie in the box around all locations.
    pub(crate) far_outside: u64,
    /// Of these, how many would lie in it with latitude and longitude swapped.
    pub(crate) inside_if_swapped: u64,
}

/// How a format lets its user swap coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Swapped {
    /// By naming the columns.
    ByColumns,
    /// The format fixes the order.
    Fixed,
}

impl PointCounts {
    /// Appends the code of every point, [`LEFT_OUT`] for those outside and for those that are
    /// not numbers, which were counted before; empties `points`.
    pub(crate) fn place_batch(
        &mut self,
        places: &Places,
        points: &mut Vec<(f64, f64)>,
        codes: &mut Vec<u32>,
    ) {
        let before = codes.len();
        let placed = points
            .par_iter()
            .with_min_len(TOGETHER)
            .map(|&(lat, lng)| places.code(lat, lng).unwrap_or(LEFT_OUT));
        codes.par_extend(placed);
        for (&code, (lat, lng)) in codes[before..].iter().zip(points.drain(..)) {
            if lat.is_nan() {
                continue;
            } else if code == LEFT_OUT {
                self.outside += 1;
                if !places.encloses(lat, lng) {
                    self.far_outside += 1;
                    self.inside_if_swapped += u64::from(places.encloses(lng, lat));
                }
            } else {
                self.inside += 1;
            }
        }
    }

    /// Refuses points that are swapped, by the look of them.
    pub(crate) fn check_order(&self, file: &str, swapped: Swapped) -> Result<()> {
        let points = self.inside + self.outside;
        if self.far_outside * 2 > points && self.inside_if_swapped * 2 > self.far_outside {
            let error = Error::input(format!(
                "latitude and longitude seem to be swapped: {} of {points} points lie outside the \
                 area, and {} of these would lie inside",
                self.far_outside, self.inside_if_swapped
            ));
            return Err(error.in_file(file).hint(match swapped {
                Swapped::ByColumns => {
                    "say which column is which: --lat-column NAME --lng-column NAME"
                }
                Swapped::Fixed => "check the order of the stated area: south,west,north,east",
            }));
        }
        Ok(())
    }

    pub(crate) fn write_to(&self, summary: &mut ImportSummary) {
        summary.outside_area = self.outside;
        summary.invalid_points = self.invalid;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_degrees_and_says_what_is_wrong() {
        assert_eq!(degrees(" 45.5 ", 90.0, "latitude").unwrap(), 45.5);
        assert_eq!(degrees("-180", 180.0, "longitude").unwrap(), -180.0);
        let advice = |text, most| {
            let error = degrees(text, most, "latitude").unwrap_err();
            error.advice().unwrap_or_default().to_owned()
        };
        assert!(advice("116.3", 90.0).contains("swapped"));
        assert!(advice("286.4", 180.0).contains("subtract 360"));
        assert!(advice("39,98", 90.0).contains("decimal point"));
        for text in ["", " ", "NaN", "inf", "-inf", "1e999", "12°", "0x10"] {
            assert!(degrees(text, 90.0, "latitude").is_err(), "{text:?}");
        }
    }
}
