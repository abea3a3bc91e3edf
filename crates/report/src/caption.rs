//! What the release promises, and whom the picture is for.

use crate::svg::{Anchor, Font, Frame, Svg};
use crate::words::wrap;

/// Stands on every picture.
pub(crate) const INTERNAL: &str = "Internal: this picture contains raw data. Do not publish it.";

const SIZE: f64 = 12.0;
const LINE: f64 = 17.0;
const MOST_LINES: usize = 5;
const NOTE_HEIGHT: f64 = 30.0;

/// Draws the caption, its words to the left of the note, and returns where it ends.
pub(crate) fn draw(svg: &mut Svg, x: f64, y: f64, width: f64, guarantee: &str) -> f64 {
    let font = Font {
        size: SIZE,
        ..Font::LABEL
    };
    let note_width = font.width_of(INTERNAL) + 28.0;
    let lines = wrap(guarantee, SIZE, width - note_width - 24.0, MOST_LINES);
    let height = (lines.len() as f64 * LINE + 4.0).max(NOTE_HEIGHT);
    for (index, line) in lines.iter().enumerate() {
        svg.text(x, y + (index + 1) as f64 * LINE - 3.0, font, line);
    }
    let note_y = y + (height - NOTE_HEIGHT) / 2.0;
    let note = Frame::new(x + width - note_width, note_y, note_width, NOTE_HEIGHT);
    svg.panel(note, "#fdf3dc", "#ecd9a8");
    let font = font.coloured("#6b4e00").anchored(Anchor::Middle);
    svg.text(note.x + note_width / 2.0, note_y + 19.0, font, INTERNAL);
    y + height
}
