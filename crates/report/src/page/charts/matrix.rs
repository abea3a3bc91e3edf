//! A table of shades: how much goes from each row to each column.

use super::{TEXT, WIDTH};
use crate::page::drawing::{Drawing, Hold};
use crate::words::cut_to_pixels;

const LABELS: f64 = 118.0;
/// Shades in the style sheet.
pub(in crate::page) const SHADES: usize = 6;

/// Draws a square of shades; `value` is asked for row and column.
pub(in crate::page) fn draw(
    labels: &[String],
    value: impl Fn(usize, usize) -> u64,
    tip: impl Fn(usize, usize) -> String,
) -> Drawing {
    let count = labels.len().max(1);
    let side = ((WIDTH - LABELS - 4.0) / count as f64).min(40.0);
    let head = LABELS * 0.82;
    let mut drawing = Drawing::new(WIDTH, head + side * count as f64 + 8.0);
    let largest = (0..count).flat_map(|row| (0..count).map(move |column| (row, column)));
    let largest = largest
        .map(|(row, column)| value(row, column))
        .max()
        .unwrap_or(0);
    for (at, label) in labels.iter().enumerate() {
        let middle = side * (at as f64 + 0.5);
        let row = cut_to_pixels(label, TEXT, LABELS - 10.0);
        drawing.text((LABELS - 6.0, head + middle + 4.0), Hold::End, "", &row);
        let column = cut_to_pixels(label, TEXT, head - 4.0);
        drawing.put(format_args!(
            "<text transform=\"translate({:.1} {:.1}) rotate(-58)\">{}</text>",
            LABELS + middle + 1.0,
            head - 5.0,
            crate::svg::escape(&column)
        ));
    }
    for row in 0..count {
        for column in 0..count {
            let value = value(row, column);
            let corner = (LABELS + side * column as f64, head + side * row as f64);
            let class = match value {
                0 => "shade none".to_owned(),
                value => format!("shade q{}", shade(value, largest)),
            };
            let tip = if value == 0 {
                String::new()
            } else {
                tip(row, column)
            };
            drawing.bar(corner, (side - 1.0, side - 1.0), &class, &tip);
        }
    }
    drawing
}

/// Which of the shades a value gets, from 1 on: by its root, so that small ones differ too.
pub(in crate::page) fn shade(value: u64, largest: u64) -> usize {
    let part = (value as f64 / largest.max(1) as f64).sqrt();
    ((part * SHADES as f64).ceil() as usize).clamp(1, SHADES)
}

/// The least value of a shade.
pub(in crate::page) fn least_of(shade: usize, largest: u64) -> u64 {
    let part = (shade.saturating_sub(1)) as f64 / SHADES as f64;
    ((part * part * largest as f64).floor() as u64 + 1).min(largest.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_begin_where_they_say() {
        for largest in [1, 5, 97, 1000, 123_456] {
            for value in (1..=largest).step_by(1 + largest as usize / 500) {
                let shade = shade(value, largest);
                assert!(least_of(shade, largest) <= value, "{value} of {largest}");
                let above = shade < SHADES && least_of(shade + 1, largest) <= value;
                assert!(!above || largest < 40, "{value} of {largest}");
            }
        }
    }
}
