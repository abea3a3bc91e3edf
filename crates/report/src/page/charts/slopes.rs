//! Two ranked lists, with lines between what stands in both.

use super::{TEXT, WIDTH};
use crate::page::drawing::{Drawing, Hold};
use crate::words::cut_to_pixels;

const STEP: f64 = 21.0;
const HEAD: f64 = 26.0;
const SIDE: f64 = 165.0;

/// An entry of one of the lists.
pub(in crate::page) struct Entry {
    pub(in crate::page) words: String,
    pub(in crate::page) tip: String,
    /// Its place in the other list, from 0 on, where that list shows it.
    pub(in crate::page) other: Option<usize>,
    /// Whether the other side has it at all, shown or not.
    pub(in crate::page) known: bool,
}

/// Draws two lists.
pub(in crate::page) fn draw(
    left: &[Entry],
    right: &[Entry],
    (left_name, right_name): (&str, &str),
) -> Drawing {
    let rows = left.len().max(right.len());
    let mut drawing = Drawing::new(WIDTH, HEAD + STEP * rows as f64 + 4.0);
    drawing.text((SIDE, 14.0), Hold::End, "soft", left_name);
    drawing.text((WIDTH - SIDE, 14.0), Hold::Start, "soft", right_name);
    let y = |at: usize| HEAD + STEP * (at as f64 + 0.5);
    for (at, entry) in left.iter().enumerate() {
        if let Some(other) = entry.other {
            let (from, to) = ((SIDE + 10.0, y(at)), (WIDTH - SIDE - 10.0, y(other)));
            drawing.line(from, to, "slope");
        }
    }
    let sides = [
        (left, SIDE, Hold::End, "raw"),
        (right, WIDTH - SIDE, Hold::Start, "release"),
    ];
    for (entries, x, hold, class) in sides {
        let way = if hold == Hold::End { 1.0 } else { -1.0 };
        for (at, entry) in entries.iter().enumerate() {
            let words = cut_to_pixels(&entry.words, TEXT, SIDE - 4.0);
            let text = if entry.known { "" } else { "alarm" };
            drawing.text((x - 2.0 * way, y(at) + 4.0), hold, text, &words);
            let mark = (x + 8.0 * way, y(at));
            match entry.known {
                true => drawing.circle(mark, 3.4, &format!("dot {class}"), &entry.tip),
                false => drawing.mark(mark, 3.6, 3, "dot hollow", &entry.tip),
            }
        }
    }
    drawing
}
