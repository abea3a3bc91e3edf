//! Paired horizontal bars: a row for each label, raw over release.

use crate::comparison::{Row, Side, largest};
use crate::number::{Axis, decimals, percent_text};
use crate::svg::{Anchor, Font, Frame, RULE, SOFT_INK, Svg};

/// Heading above, axis below.
const ABOVE: f64 = 26.0;
const BELOW: f64 = 32.0;
/// Two columns of numbers at the right.
const NUMBER: f64 = 50.0;
const MOST_PITCH: f64 = 24.0;

/// The height that so many rows need.
pub(crate) fn height(rows: usize, pitch: f64) -> f64 {
    ABOVE + rows as f64 * pitch + BELOW
}

/// Draws rows of percentages.
pub(crate) fn draw(svg: &mut Svg, frame: Frame, heading: &str, unit: &str, rows: &[Row]) {
    svg.text(frame.x, frame.y + 13.0, Font::HEADING, heading);
    if rows.is_empty() {
        svg.text(frame.x, frame.y + 40.0, Font::SOFT, "nothing to show");
        return;
    }
    let longest = rows.iter().map(|row| Font::LABEL.width_of(&row.label));
    let longest = longest.fold(0.0, f64::max);
    let label = (0.3 * frame.width).max(longest.min(0.4 * frame.width));
    let plot = Frame::new(
        frame.x + label + 8.0,
        frame.y + ABOVE,
        frame.width - label - 8.0 - 2.0 * NUMBER - 4.0,
        frame.height - ABOVE - BELOW,
    );
    let most = largest(rows);
    // Two digits that matter in the longest bar: locations of a large universe have small shares.
    let digits = decimals(most, 1).clamp(1, 4);
    let axis = Axis::up_to(most, 4);
    let pitch = (plot.height / rows.len() as f64).min(MOST_PITCH);
    let plot = Frame {
        height: pitch * rows.len() as f64,
        ..plot
    };
    draw_axis(svg, plot, &axis, unit);
    for (column, side) in Side::BOTH.into_iter().enumerate() {
        let x = plot.right() + (column + 1) as f64 * NUMBER;
        let font = Font::SOFT.anchored(Anchor::End);
        svg.text(x, frame.y + 13.0, font, side.word());
        let swatch = Frame::new(x - 22.0, frame.y + 17.0, 22.0, 3.0);
        svg.bar(swatch, side.colour());
    }
    for (index, row) in rows.iter().enumerate() {
        let line = Frame {
            y: plot.y + index as f64 * pitch,
            height: pitch,
            ..plot
        };
        let words = Font::LABEL.cut(&row.label, label);
        draw_row(
            svg,
            line,
            &axis,
            &Row {
                label: words,
                ..*row
            },
            digits,
        );
    }
}

fn draw_axis(svg: &mut Svg, plot: Frame, axis: &Axis, unit: &str) {
    for (value, words) in &axis.ticks {
        let x = plot.x + plot.width * axis.part(*value);
        let colour = if *value == 0.0 { SOFT_INK } else { RULE };
        svg.rule((x, plot.y), (x, plot.bottom() + 4.0), colour);
        let font = Font::SOFT.anchored(Anchor::Middle);
        svg.text(x, plot.bottom() + 15.0, font, words);
    }
    let middle = plot.x + plot.width / 2.0;
    let font = Font::SOFT.anchored(Anchor::Middle);
    svg.text(middle, plot.bottom() + 29.0, font, unit);
}

fn draw_row(svg: &mut Svg, frame: Frame, axis: &Axis, row: &Row, digits: usize) {
    let middle = frame.y + frame.height / 2.0;
    let baseline = middle + 4.0;
    let font = Font::LABEL.anchored(Anchor::End);
    svg.text(frame.x - 8.0, baseline, font, &row.label);
    let thickness = 0.38 * frame.height;
    for (index, side) in Side::BOTH.into_iter().enumerate() {
        let y = middle + (index as f64 - 1.0) * thickness;
        let width = frame.width * axis.part(row.value(side));
        svg.bar(Frame::new(frame.x, y, width, thickness), side.colour());
        let x = frame.right() + (index + 1) as f64 * NUMBER;
        let text = percent_text(row.value(side), digits);
        svg.text(x, baseline, Font::LABEL.anchored(Anchor::End), &text);
    }
}
