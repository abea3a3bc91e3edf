//! From values to places on an axis.

use crate::number::{Axis, count_text};

/// The part of a logarithmic axis that zero takes.
const ZERO: f64 = 0.07;
/// Steps of a linear axis, about.
const STEPS: usize = 4;

/// An axis with its ticks.
#[derive(Clone, Debug)]
pub(in crate::page) struct Scale {
    form: Form,
    pub(in crate::page) ticks: Vec<(f64, String)>,
}

#[derive(Clone, Debug)]
enum Form {
    Linear {
        from: f64,
        to: f64,
    },
    /// From one power of ten to another, with room for zero before it or without.
    Log {
        from: f64,
        to: f64,
        zero: bool,
    },
}

impl Scale {
    /// From zero to a round number that holds the largest value.
    pub(in crate::page) fn up_to(largest: f64) -> Self {
        let axis = Axis::up_to(largest, STEPS);
        let text = |value: f64, written: String| match value >= 10_000.0 {
            true => count_text(value),
            false => written,
        };
        let ticks = axis.ticks.into_iter();
        Self {
            form: Form::Linear {
                from: 0.0,
                to: axis.end,
            },
            ticks: ticks.map(|(at, written)| (at, text(at, written))).collect(),
        }
    }

    /// As [`Self::up_to`], in percent.
    pub(in crate::page) fn percent_up_to(largest: f64) -> Self {
        let axis = Axis::up_to(100.0 * largest, STEPS);
        let ticks = axis.ticks.into_iter();
        Self {
            form: Form::Linear {
                from: 0.0,
                to: axis.end / 100.0,
            },
            ticks: ticks
                .map(|(at, written)| (at / 100.0, format!("{written} %")))
                .collect(),
        }
    }

    /// Counts from one on, by powers of ten, with zero apart.
    pub(in crate::page) fn counts(largest: f64) -> Self {
        Self::log(1.0, largest, true, count_text)
    }

    /// Powers of ten that hold all values; zero apart where some value is zero or less.
    pub(in crate::page) fn powers(values: &[f64], text: fn(f64) -> String) -> Self {
        let positive = values.iter().copied().filter(|v| *v > 0.0 && v.is_finite());
        let least = positive.clone().fold(f64::INFINITY, f64::min);
        let largest = positive.fold(0.0, f64::max);
        let (least, largest) = match least <= largest {
            true => (least, largest),
            false => (0.1, 1.0),
        };
        Self::log(least, largest, values.iter().any(|v| *v <= 0.0), text)
    }

    /// One positive value in the middle, from half of it to twice as much.
    pub(in crate::page) fn around(value: f64, text: fn(f64) -> String) -> Self {
        let value = value.clamp(1e-9, 1e18);
        let marks = [value / 2.0, value, 2.0 * value];
        Self {
            form: Form::Log {
                from: marks[0].log10(),
                to: marks[2].log10(),
                zero: false,
            },
            ticks: marks.map(|it| (it, text(it))).into(),
        }
    }

    fn log(least: f64, largest: f64, zero: bool, text: fn(f64) -> String) -> Self {
        let (least, largest) = (least.max(1e-9), largest.clamp(1e-9, 1e18));
        let (from, to, marks) = round_ends(least, largest);
        let mut ticks: Vec<(f64, String)> = marks
            .into_iter()
            .map(|value| (value, text(value)))
            .collect();
        if zero {
            ticks.insert(0, (0.0, "0".into()));
        }
        Self {
            form: Form::Log {
                from: from.log10(),
                to: to.log10(),
                zero,
            },
            ticks,
        }
    }

    /// Where a value lies, from 0 to 1; what is no number lies at the beginning.
    pub(in crate::page) fn part(&self, value: f64) -> f64 {
        let part = match self.form {
            Form::Linear { from, to } => (value - from) / (to - from),
            Form::Log { zero, .. } if value <= 0.0 || value.is_nan() => {
                debug_assert!(zero || !value.is_finite() || value <= 0.0);
                0.0
            }
            Form::Log { from, to, zero } => {
                let part = (value.log10() - from) / (to - from);
                let room = if zero { ZERO } else { 0.0 };
                room + (1.0 - room) * part.max(0.0)
            }
        };
        if part.is_finite() {
            part.clamp(0.0, 1.0)
        } else if part > 0.0 {
            1.0
        } else {
            0.0
        }
    }
}

/// The ends of an axis that holds two positive values, and its ticks: 1, 2, 5, 10, … where those are few,
/// else powers of ten.
fn round_ends(least: f64, largest: f64) -> (f64, f64, Vec<f64>) {
    // A hair of tolerance: the logarithm of a power of ten may not be whole.
    let first = (least.log10() + 1e-9).floor() as i32;
    let last = ((largest.log10() - 1e-9).ceil() as i32).max(first + 1);
    let fine: Vec<f64> = (first..=last)
        .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)))
        .collect();
    let from = fine
        .iter()
        .rposition(|it| *it <= least * (1.0 + 1e-9))
        .unwrap_or(0);
    let to = fine.iter().position(|it| *it >= largest * (1.0 - 1e-9));
    let to = to.unwrap_or(fine.len() - 1).max(from + 1);
    if to - from < 7 && to < fine.len() {
        return (fine[from], fine[to], fine[from..=to].to_vec());
    }
    let step = ((last - first) / 6 + 1) as usize;
    let powers = (first..=last).step_by(step).map(|power| 10_f64.powi(power));
    (10_f64.powi(first), 10_f64.powi(last), powers.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_order_and_stay_inside() {
        let scales = [
            Scale::up_to(37.0),
            Scale::percent_up_to(0.4),
            Scale::counts(12_345.0),
            Scale::powers(&[0.001, 2.0, 300.0], count_text),
            Scale::powers(&[], count_text),
        ];
        let values = [
            f64::NEG_INFINITY,
            -1.0,
            0.0,
            0.01,
            1.0,
            37.0,
            1e4,
            f64::INFINITY,
        ];
        for scale in scales {
            let parts = values.map(|value| scale.part(value));
            assert!(parts.is_sorted(), "{scale:?}: {parts:?}");
            assert!(parts.iter().all(|part| (0.0..=1.0).contains(part)));
            assert_eq!(scale.part(f64::NAN), 0.0);
            assert!((2..12).contains(&scale.ticks.len()), "{scale:?}");
        }
    }

    #[test]
    fn one_value_stands_in_the_middle() {
        let scale = Scale::around(1.0, count_text);
        assert_eq!([0.5, 1.0, 2.0].map(|it| scale.part(it)), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn nothing_lies_apart_from_one() {
        let scale = Scale::counts(1000.0);
        assert_eq!((scale.part(0.0), scale.part(1.0)), (0.0, ZERO));
        assert_eq!(scale.part(1000.0), 1.0);
        assert_eq!(scale.ticks[0].1, "0");
    }
}
