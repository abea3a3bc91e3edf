//! Paired upright bars: how long trajectories are on both sides.

use crate::comparison::{Row, Side, largest, percent};
use crate::legend;
use crate::number::{Axis, drawable};
use crate::svg::{Anchor, Font, Frame, RULE, SMALL, SOFT_INK, Svg};
use crate::words::{cut, pixels};

/// Heading and axis label above, axis below; the same as beside it.
const ABOVE: f64 = 40.0;
const BELOW: f64 = 32.0;
const LEFT: f64 = 34.0;
const MOST_ROWS: usize = 40;
const LONGEST_LABEL: usize = 8;
/// Bars are not blocks: few lengths do not fill the width.
const WIDEST_SLOT: f64 = 64.0;

/// Draws shares of lengths, from counts or shares.
pub(crate) fn draw(svg: &mut Svg, frame: Frame, lengths: &[Row]) {
    let heading = "Length of trajectories";
    svg.text(frame.x, frame.y + 13.0, Font::HEADING, heading);
    let rows = percent(folded(lengths));
    if rows.is_empty() {
        svg.text(frame.x, frame.y + 40.0, Font::SOFT, "nothing to show");
        return;
    }
    legend::both_sides(svg, frame.right(), frame.y + 13.0);
    let plot = Frame::new(
        frame.x + LEFT,
        frame.y + ABOVE,
        frame.width - LEFT,
        frame.height - ABOVE - BELOW,
    );
    let axis = Axis::up_to(largest(&rows), 4);
    draw_grid(svg, frame.x, plot, &axis);
    let slot = (plot.width / rows.len() as f64).min(WIDEST_SLOT);
    for (index, row) in rows.iter().enumerate() {
        let x = plot.x + index as f64 * slot;
        draw_pair(
            svg,
            Frame {
                x,
                width: slot,
                ..plot
            },
            &axis,
            row,
        );
    }
    svg.rule(
        (plot.x, plot.bottom()),
        (plot.right(), plot.bottom()),
        SOFT_INK,
    );
    draw_labels(svg, plot, slot, &rows);
}

/// Adds up the tail where there are more lengths than can be told apart.
fn folded(lengths: &[Row]) -> Vec<Row> {
    if lengths.len() <= MOST_ROWS {
        return lengths.to_vec();
    }
    let (shown, tail) = lengths.split_at(MOST_ROWS - 1);
    let sum = |side| tail.iter().map(|row| drawable(row.value(side))).sum();
    let more = Row::new("more", sum(Side::Raw), sum(Side::Released));
    shown.iter().cloned().chain([more]).collect()
}

fn draw_grid(svg: &mut Svg, left: f64, plot: Frame, axis: &Axis) {
    svg.text(left, plot.y - 11.0, Font::SOFT, "share of trajectories, %");
    for (value, words) in &axis.ticks {
        let y = plot.bottom() - plot.height * axis.part(*value);
        if *value > 0.0 {
            svg.rule((plot.x - 4.0, y), (plot.right(), y), RULE);
        }
        let font = Font::SOFT.anchored(Anchor::End);
        svg.text(plot.x - 8.0, y + 4.0, font, words);
    }
}

fn draw_pair(svg: &mut Svg, slot: Frame, axis: &Axis, row: &Row) {
    let thickness = 0.4 * slot.width;
    let middle = slot.x + slot.width / 2.0;
    for (index, side) in Side::BOTH.into_iter().enumerate() {
        let x = middle + (index as f64 - 1.0) * thickness;
        let height = slot.height * axis.part(row.value(side));
        let bar = Frame::new(x, slot.bottom() - height, thickness, height);
        svg.bar(bar, side.colour());
    }
}

/// Ticks and labels in even steps, as many as fit; the last ("more") is always there, and may be
/// wider than the others.
fn draw_labels(svg: &mut Svg, plot: Frame, slot: f64, rows: &[Row]) {
    let labels: Vec<String> = rows
        .iter()
        .map(|row| cut(&row.label, LONGEST_LABEL))
        .collect();
    let widths: Vec<f64> = labels
        .iter()
        .map(|label| pixels(label, SMALL) + 4.0)
        .collect();
    let last = rows.len() - 1;
    let widest = widths[..last].iter().copied().fold(0.0, f64::max);
    let every = (widest / slot).ceil().max(1.0) as usize;
    let font = Font::SOFT.anchored(Anchor::Middle);
    for (index, label) in labels.iter().enumerate() {
        let x = plot.x + (index as f64 + 0.5) * slot;
        let clear = (last - index) as f64 * slot >= (widths[index] + widths[last]) / 2.0;
        if index == last || (index % every == 0 && clear) {
            svg.rule((x, plot.bottom()), (x, plot.bottom() + 4.0), SOFT_INK);
            svg.text(x, plot.bottom() + 15.0, font, label);
        }
    }
    let middle = plot.x + plot.width / 2.0;
    svg.text(
        middle,
        plot.bottom() + 29.0,
        font,
        "locations per trajectory",
    );
}
