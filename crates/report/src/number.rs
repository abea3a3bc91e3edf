//! Numbers as people read them, and scales that end on round ones.

/// Beyond this nothing is drawn to scale; sums of such values stay finite.
const MOST: f64 = 1e18;

/// The value as far as it can be drawn: noise may be below zero, a bar cannot.
pub(crate) fn drawable(value: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(0.0, MOST)
    }
}

/// A key that sorts drawable values by size.
pub(crate) fn order(value: f64) -> u64 {
    drawable(value).to_bits()
}

/// A share in percent with so many digits after the point, and never "0" for something.
pub(crate) fn percent_text(value: f64, digits: usize) -> String {
    let value = drawable(value);
    let least = 0.1_f64.powi(digits as i32);
    if value == 0.0 {
        "0".into()
    } else if value < least / 2.0 {
        format!("<{least:.digits$}")
    } else {
        format!("{value:.digits$}")
    }
}

/// A count: whole, in thousands from ten thousand on.
pub(crate) fn count_text(value: f64) -> String {
    let value = drawable(value);
    let (scaled, unit) = match value {
        v if v >= 1e16 => return format!("{v:.0e}"),
        v if v >= 1e9 => (v / 1e9, " bn"),
        v if v >= 1e6 => (v / 1e6, " M"),
        v if v >= 1e4 => (v / 1e3, " k"),
        v => (v, ""),
    };
    format!("{}{unit}", short(scaled))
}

/// At most three digits that matter, no trailing zeros.
fn short(value: f64) -> String {
    let digits = if value >= 100.0 || value == value.trunc() {
        0
    } else {
        decimals(value, 2)
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').into()
    } else {
        text
    }
}

/// Digits after the point that show `after_first` digits behind the first one that matters.
pub(crate) fn decimals(value: f64, after_first: i32) -> usize {
    if value > 0.0 && value.is_finite() {
        (after_first - value.log10().floor() as i32).clamp(0, 6) as usize
    } else {
        0
    }
}

/// The largest of 1, 2, 5, 10, 20, … that is not above a positive value.
pub(crate) fn round_below(value: f64) -> f64 {
    let power = 10_f64.powf(value.log10().floor());
    let round = [5.0, 2.0, 1.0].map(|digit| digit * power);
    // A hair of tolerance: the logarithm of a round number may come out below it.
    let fits = |candidate: &f64| *candidate <= value * (1.0 + 1e-9);
    round.into_iter().find(fits).unwrap_or(value)
}

/// An axis from zero in round steps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) end: f64,
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis that holds the largest value, in about so many steps.
    pub(crate) fn up_to(largest: f64, steps: usize) -> Self {
        let largest = match drawable(largest) {
            value if value > 1e-9 => value,
            _ => 1.0,
        };
        let mut step = round_below(largest / steps as f64);
        // Rounding a step down makes more of them: at most two and a half times as many.
        while largest / step > 1.5 * steps as f64 {
            step = round_below(step * 2.5);
        }
        let digits = decimals(step, 0);
        let count = (largest / step - 1e-9).ceil().max(1.0) as usize;
        let tick = |index| {
            let value = index as f64 * step;
            (value, format!("{value:.digits$}"))
        };
        Self {
            end: count as f64 * step,
            ticks: (0..=count).map(tick).collect(),
        }
    }

    /// Where a value lies, from 0 to 1.
    pub(crate) fn part(&self, value: f64) -> f64 {
        (drawable(value) / self.end).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_on_round_numbers_that_hold_the_data() {
        for largest in [0.0, 1e-6, 0.3, 1.0, 4.1, 9.9, 10.0, 37.0, 100.0, 1e18] {
            let axis = Axis::up_to(largest, 4);
            assert!(axis.end >= largest, "{largest}: ends at {}", axis.end);
            assert!((2..=8).contains(&axis.ticks.len()), "{largest}: {axis:?}");
        }
        let texts: Vec<String> = Axis::up_to(4.1, 4).ticks.into_iter().map(|t| t.1).collect();
        assert_eq!(texts, ["0", "1", "2", "3", "4", "5"]);
    }

    #[test]
    fn something_is_never_shown_as_nothing() {
        assert_eq!(percent_text(0.0, 1), "0");
        assert_eq!(percent_text(0.01, 1), "<0.1");
        assert_eq!(percent_text(0.01, 2), "0.01");
        assert_eq!(percent_text(12.34, 1), "12.3");
        assert_eq!(percent_text(f64::NAN, 1), "0");
    }

    #[test]
    fn counts_are_short() {
        let texts = [0.0, 0.5, 7.0, 1234.0, 20_000.0, 1_500_000.0].map(count_text);
        assert_eq!(texts, ["0", "0.5", "7", "1234", "20 k", "1.5 M"]);
    }

    #[test]
    fn rounds_down_to_one_two_five() {
        let rounded = [1000.0, 1999.0, 4999.0, 5000.0, 0.7].map(round_below);
        assert_eq!(rounded, [1000.0, 1000.0, 2000.0, 5000.0, 0.5]);
    }
}
