//! Bars of Unicode blocks, for terminals.

use crate::comparison::{Row, Side, largest};
use crate::number::{decimals, drawable};
use crate::words::{columns, cut, harmless};

const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const LEAST_BAR: usize = 4;

/// A line for each row: its label, and a bar with its value for raw data and for the release.
///
/// All bars have one scale. Lines fill at most `width` columns, or a little more where the values
/// themselves do not fit. Nothing for no rows.
///
/// ```
/// use wayveil_report::{Row, bar_table};
/// let rows = [Row::new("Centre", 8.0, 6.0), Row::new("Port", 2.0, 3.0)];
/// assert_eq!(
///     bar_table(&rows, 38),
///     "        raw             release\n\
///      Centre  ████████████ 8  █████████    6\n\
///      Port    ███          2  ████▌        3\n"
/// );
/// ```
pub fn bar_table(rows: &[Row], width: usize) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let labels: Vec<String> = rows.iter().map(|row| harmless(&row.label)).collect();
    let values = Side::BOTH.map(|side| column(rows.iter().map(|row| row.value(side)).collect()));
    let number = values.iter().flatten().map(|text| columns(text)).max();
    let number = number.unwrap_or(0);
    let label = label_width(&labels, width);
    let bar = (width.saturating_sub(label + 2 * (number + 3)) / 2).max(LEAST_BAR);
    let most = largest(rows);

    let mut out = String::new();
    let [raw, released] = Side::BOTH.map(Side::word);
    let first = pad(raw, bar + 1 + number);
    push_line(&mut out, &[&pad("", label), &first, released]);
    for (index, row) in rows.iter().enumerate() {
        let [raw, released] = [0, 1].map(|side| {
            let value = row.value(Side::BOTH[side]);
            let blocks = pad(&blocks(value, most, bar), bar);
            format!("{blocks} {}", pad_left(&values[side][index], number))
        });
        push_line(&mut out, &[&fitted(&labels[index], label), &raw, &released]);
    }
    out
}

/// A line for each value: its label, a bar and the number.
///
/// Lines fill at most `width` columns, or a little more where the values themselves do not fit.
///
/// ```
/// let rows = [("1".to_string(), 5.0), ("more".to_string(), 2.5)];
/// assert_eq!(
///     wayveil_report::histogram_text(&rows, 20),
///     "1     ████████  5.00\nmore  ████      2.50\n"
/// );
/// ```
pub fn histogram_text(rows: &[(String, f64)], width: usize) -> String {
    let labels: Vec<String> = rows.iter().map(|(label, _)| harmless(label)).collect();
    let values = column(rows.iter().map(|(_, value)| *value).collect());
    let number = values.iter().map(|text| columns(text)).max().unwrap_or(0);
    let label = label_width(&labels, width);
    let bar = width.saturating_sub(label + number + 4).max(LEAST_BAR);
    let largest = rows.iter().map(|(_, value)| drawable(*value));
    let most = largest.fold(0.0, f64::max);
    let mut out = String::new();
    for (index, (_, value)) in rows.iter().enumerate() {
        let blocks = pad(&blocks(*value, most, bar), bar);
        let number = pad_left(&values[index], number);
        push_line(
            &mut out,
            &[&fitted(&labels[index], label), &blocks, &number],
        );
    }
    out
}

/// Labels take what they need, up to a third of the line.
fn label_width(labels: &[String], width: usize) -> usize {
    let longest = labels.iter().map(|label| columns(label)).max().unwrap_or(0);
    longest.min((width / 3).max(4))
}

/// Numbers with the same digits after the point, as many as the largest one needs.
fn column(values: Vec<f64>) -> Vec<String> {
    let finite = values.iter().filter(|value| value.is_finite());
    let whole = finite.clone().all(|value| value.fract() == 0.0);
    let most = finite.map(|value| value.abs()).fold(0.0, f64::max);
    let digits = if whole { 0 } else { decimals(most, 2) };
    let text = |value: f64| match value {
        v if !v.is_finite() => "–".into(),
        v if v.abs() >= 1e12 => format!("{v:.2e}"),
        // Adding zero turns −0 into 0.
        v => format!("{:.digits$}", v + 0.0),
    };
    values.into_iter().map(text).collect()
}

/// A bar in eighths of a column; something is never shown as nothing.
fn blocks(value: f64, most: f64, width: usize) -> String {
    let value = drawable(value);
    if value == 0.0 || most <= 0.0 {
        return String::new();
    }
    let full = (8 * width) as f64;
    let eighths = ((value / most * full).round() as usize).clamp(1, 8 * width);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn fitted(label: &str, width: usize) -> String {
    pad(&cut(label, width), width)
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

fn push_line(out: &mut String, parts: &[&str]) {
    out.push_str(parts.join("  ").trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(text: &str) -> Vec<usize> {
        text.lines().map(columns).collect()
    }

    #[test]
    fn lines_are_aligned_and_within_the_width() {
        let rows = [
            Row::new("Short", 10.25, 9.0),
            Row::new("A very long name of a station, longer than all", 0.0, 0.01),
            Row::new("東京駅", 3.0, -2.0),
        ];
        let text = bar_table(&rows, 72);
        let lines = widths(&text);
        assert!(
            lines[1..]
                .iter()
                .all(|width| *width == lines[1] && *width <= 72),
            "{text}"
        );
        assert!(text.contains('…') && text.contains("-2.0"), "{text}");
        let bars: Vec<(String, f64)> = rows.map(|row| (row.label, row.raw)).into();
        let text = histogram_text(&bars, 50);
        assert!(widths(&text).iter().all(|width| *width == 50), "{text}");
    }

    #[test]
    fn extremes_are_quiet() {
        assert_eq!(bar_table(&[], 80), "");
        assert_eq!(histogram_text(&[], 80), "");
        let strange = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300];
        let rows = strange.map(|value| Row::new("x", value, 0.0));
        let bars = strange.map(|value| ("x".to_string(), value));
        for width in [0, 1, 10, 80] {
            for text in [bar_table(&rows, width), histogram_text(&bars, width)] {
                assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            }
        }
    }

    #[test]
    fn a_label_cannot_steer_the_terminal() {
        let text = bar_table(&[Row::new("\u{1b}[2J\n", 1.0, 1.0)], 60);
        assert!(!text.contains('\u{1b}'));
        assert_eq!(text.lines().count(), 2);
    }
}
