//! Bars from left to right, one row for each thing.

use super::{TEXT, WIDTH, scale::Scale};
use crate::page::drawing::{Drawing, Hold};
use crate::words::{pixels, wrap};

const LABELS: f64 = 172.0;
const FIGURES: f64 = 62.0;
const THICK: f64 = 14.0;
const THIN: f64 = 11.0;
const LINE: f64 = 14.0;
/// Lines of a label.
const MOST_LINES: usize = 4;
const GAP: f64 = 8.0;

/// One bar.
pub(in crate::page) struct Bar {
    pub(in crate::page) value: f64,
    /// What stands at its end.
    pub(in crate::page) figure: String,
    pub(in crate::page) class: &'static str,
    pub(in crate::page) tip: String,
    /// The ends of an interval.
    pub(in crate::page) interval: Option<(f64, f64)>,
    /// A value to compare with.
    pub(in crate::page) reference: Option<f64>,
}

impl Bar {
    pub(in crate::page) fn new(
        value: f64,
        figure: String,
        class: &'static str,
        tip: String,
    ) -> Self {
        Self {
            value,
            figure,
            class,
            tip,
            interval: None,
            reference: None,
        }
    }
}

/// Bars of one thing.
pub(in crate::page) struct Row {
    pub(in crate::page) label: String,
    pub(in crate::page) bars: Vec<Bar>,
}

/// Draws rows of bars to one scale.
pub(in crate::page) fn draw(rows: &[Row], scale: &Scale) -> Drawing {
    let all = || rows.iter().flat_map(|row| &row.bars);
    let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
    let labels = widest(&mut rows.iter().map(|row| pixels(&row.label, TEXT)));
    let labels = labels.clamp(30.0, LABELS) + 10.0;
    let figures = widest(&mut all().map(|bar| pixels(&bar.figure, TEXT)));
    let room = WIDTH - labels - figures.clamp(20.0, FIGURES) - 12.0;
    let heights: f64 = rows.iter().map(|row| height(row) + GAP).sum();
    let mut drawing = Drawing::new(WIDTH, heights + 6.0);
    drawing.line((labels, 0.0), (labels, heights + 2.0), "axis");
    let mut y = 4.0;
    for row in rows {
        let thick = if row.bars.len() > 1 { THIN } else { THICK };
        let lines = wrap(&row.label, TEXT, LABELS, MOST_LINES);
        let first = y + height(row) / 2.0 + 4.0 - LINE * (lines.len().max(1) - 1) as f64 / 2.0;
        for (at, line) in lines.iter().enumerate() {
            let below = first + LINE * at as f64;
            drawing.text((labels - 8.0, below), Hold::End, "", line);
        }
        let aside = (height(row) - bars_height(row)) / 2.0;
        y += aside;
        for bar in &row.bars {
            let length = room * scale.part(bar.value);
            let seen = if bar.value > 0.0 {
                length.max(0.8)
            } else {
                0.0
            };
            drawing.bar((labels, y), (seen, thick), bar.class, &bar.tip);
            let mut end = length;
            if let Some((low, high)) = bar.interval {
                let (low, high) = (room * scale.part(low), room * scale.part(high));
                let middle = y + thick / 2.0;
                whisker(&mut drawing, labels + low, labels + high, middle);
                end = end.max(high);
            }
            if let Some(value) = bar.reference {
                let x = labels + room * scale.part(value);
                drawing.line((x, y - 3.0), (x, y + thick + 3.0), "reference");
                // The figure stands beyond the mark where it would be crossed by it.
                let figure = end + 5.0 + pixels(&bar.figure, TEXT);
                if (end..figure).contains(&(x - labels)) {
                    end = x - labels;
                }
            }
            let text = if thick < THICK { "soft small" } else { "soft" };
            drawing.text(
                (labels + end + 5.0, y + thick / 2.0 + 4.0),
                Hold::Start,
                text,
                &bar.figure,
            );
            y += thick + 1.0;
        }
        y += aside + GAP - 1.0;
    }
    drawing
}

/// A thin line with ends.
pub(in crate::page) fn whisker(drawing: &mut Drawing, from: f64, to: f64, y: f64) {
    let commands = format!(
        "M{from:.1} {y:.1}H{to:.1}M{from:.1} {:.1}v6M{to:.1} {:.1}v6",
        y - 3.0,
        y - 3.0
    );
    drawing.path(&commands, "whisker", "");
}

/// The height of a row: of its bars, or of its label where that is taller.
fn height(row: &Row) -> f64 {
    let lines = wrap(&row.label, TEXT, LABELS, MOST_LINES).len();
    bars_height(row).max(LINE * lines as f64)
}

fn bars_height(row: &Row) -> f64 {
    match row.bars.len() {
        0 | 1 => THICK,
        bars => bars as f64 * (THIN + 1.0) - 1.0,
    }
}
