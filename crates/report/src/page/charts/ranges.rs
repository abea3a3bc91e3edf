//! Values with intervals between two references, each row to a scale of its own.

use super::{TEXT, WIDTH};
use crate::page::drawing::{Drawing, Hold};
use crate::words::{pixels, wrap};

const LABELS: f64 = 158.0;
/// The room of a label.
const ROOM: f64 = LABELS - 14.0;
const FIGURES: f64 = 58.0;
const STEP: f64 = 30.0;
/// The size and distance of lines of a label that needs several.
const SMALL: f64 = 11.0;
const LINE: f64 = 12.5;
const HEAD: f64 = 26.0;
/// How far the plot goes on beyond its references, in parts of their distance.
const BEYOND: f64 = 0.18;

/// A row: places are parts of the way from the one reference (0) to the other (1).
pub(in crate::page) struct Row {
    pub(in crate::page) label: String,
    pub(in crate::page) figure: String,
    pub(in crate::page) at: Option<f64>,
    pub(in crate::page) interval: Option<(f64, f64)>,
    pub(in crate::page) tip: String,
    /// What stands instead of a mark.
    pub(in crate::page) instead: &'static str,
}

/// Draws the rows under the names of the two references.
pub(in crate::page) fn draw(rows: &[Row], (left_name, right_name): (&str, &str)) -> Drawing {
    let step = match rows.iter().any(|row| lines_of(&row.label).len() > 2) {
        true => STEP + LINE,
        false => STEP,
    };
    let foot = HEAD + step * rows.len() as f64;
    let mut drawing = Drawing::new(WIDTH, foot + 6.0);
    let room = WIDTH - LABELS - FIGURES - 10.0;
    let place = |part: f64| {
        let part = part.clamp(-BEYOND, 1.0 + BEYOND);
        LABELS + room * (part + BEYOND) / (1.0 + 2.0 * BEYOND)
    };
    drawing.text((place(0.0), 13.0), Hold::Middle, "soft", left_name);
    drawing.text((place(1.0), 13.0), Hold::Middle, "soft", right_name);
    drawing.line((place(0.0), 18.0), (place(0.0), foot), "good-line");
    drawing.line((place(1.0), 18.0), (place(1.0), foot), "reference");
    for (index, row) in rows.iter().enumerate() {
        let y = HEAD + step * (index as f64 + 0.5);
        label(&mut drawing, y, &row.label);
        drawing.text((WIDTH - FIGURES, y + 4.0), Hold::Start, "", &row.figure);
        drawing.line((LABELS, y), (WIDTH - FIGURES - 8.0, y), "grid");
        let Some(at) = row.at else {
            drawing.text(
                (place(0.5), y - 3.0),
                Hold::Middle,
                "soft small",
                row.instead,
            );
            continue;
        };
        if let Some((low, high)) = row.interval {
            super::bars::whisker(&mut drawing, place(low), place(high), y);
        }
        // Beyond the plot an arrow head points to where the value is.
        let shape = match at {
            at if at > 1.0 + BEYOND => 5,
            at if at < -BEYOND => 4,
            _ => 0,
        };
        let x = place(at);
        match shape {
            0 => drawing.circle((x, y), 4.6, "dot s1", &row.tip),
            side => {
                let way = if side == 5 { 1.0 } else { -1.0 };
                let commands = format!(
                    "M{:.1} {:.1}v10l{:.1} -5z",
                    x - 4.0 * way,
                    y - 5.0,
                    9.0 * way
                );
                drawing.path(&commands, "dot s2", &row.tip);
            }
        }
    }
    drawing
}

fn lines_of(words: &str) -> Vec<String> {
    wrap(words, SMALL, ROOM, 3)
}

fn label(drawing: &mut Drawing, y: f64, words: &str) {
    let x = LABELS - 10.0;
    if pixels(words, TEXT) <= ROOM {
        return drawing.text((x, y + 4.0), Hold::End, "", words);
    }
    let lines = lines_of(words);
    let first = y + 4.0 - LINE * (lines.len().max(1) - 1) as f64 / 2.0;
    for (at, line) in lines.iter().enumerate() {
        drawing.text((x, first + LINE * at as f64), Hold::End, "small", line);
    }
}
