//! The kinds of charts, as drawings without colours of their own.

pub(super) mod bars;
pub(super) mod columns;
pub(super) mod curves;
pub(super) mod matrix;
pub(super) mod ranges;
pub(super) mod scale;
pub(super) mod scatter;
pub(super) mod slopes;

use self::scale::Scale;
use super::drawing::{Drawing, Hold};

/// The width of charts: narrow, so that their words stay readable on a phone.
pub(super) const WIDTH: f64 = 420.0;
/// The size of words in the style sheet.
pub(super) const TEXT: f64 = 12.5;

/// Two axes with a grid, and room inside.
pub(super) struct Field {
    pub(super) x: Scale,
    pub(super) y: Scale,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Field {
    /// Draws axes over a drawing of this height, with what they tell.
    pub(super) fn draw(drawing: &mut Drawing, x: (Scale, &str), y: (Scale, &str)) -> Self {
        Self::beside(drawing, 0.0, x, y)
    }

    /// As [`Self::draw`], with room left free on the right.
    pub(super) fn beside(
        drawing: &mut Drawing,
        room: f64,
        x: (Scale, &str),
        y: (Scale, &str),
    ) -> Self {
        Self::with_room(drawing, (room, 0.0), x, y)
    }

    /// As [`Self::draw`], with room left free between the field and the words under it.
    pub(super) fn above(
        drawing: &mut Drawing,
        room: f64,
        x: (Scale, &str),
        y: (Scale, &str),
    ) -> Self {
        Self::with_room(drawing, (0.0, room), x, y)
    }

    fn with_room(
        drawing: &mut Drawing,
        (room, band): (f64, f64),
        (x, x_title): (Scale, &str),
        (y, y_title): (Scale, &str),
    ) -> Self {
        let widest = y.ticks.iter().map(|(_, text)| text.chars().count()).max();
        let left = 14.0 + 7.2 * widest.unwrap_or(1) as f64;
        let top = if y_title.is_empty() { 12.0 } else { 28.0 };
        let field = Self {
            x,
            y,
            left,
            top,
            width: drawing.width() - left - 16.0 - room,
            height: drawing.height() - top - 44.0 - band,
        };
        drawing.text((2.0, 14.0), Hold::Start, "soft", y_title);
        let middle = field.left + field.width / 2.0;
        let below = drawing.height() - 6.0;
        drawing.text((middle, below), Hold::Middle, "soft", x_title);
        for (value, words) in &field.y.ticks {
            let y = field.y_of(*value);
            let line = if *value == 0.0 { "axis" } else { "grid" };
            drawing.line((left, y), (left + field.width, y), line);
            drawing.text((left - 6.0, y + 4.0), Hold::End, "soft", words);
        }
        for (value, words) in &field.x.ticks {
            let (x, foot) = (field.x_of(*value), field.top + field.height);
            let line = if *value == 0.0 { "axis" } else { "grid" };
            drawing.line((x, field.top), (x, foot), line);
            drawing.text((x, foot + band + 17.0), Hold::Middle, "soft", words);
        }
        field
    }

    /// Where it begins on the left.
    pub(super) fn x_start(&self) -> f64 {
        self.left
    }

    /// Where it ends on the right, at the top and at the foot.
    pub(super) fn ends(&self) -> (f64, f64, f64) {
        (self.left + self.width, self.top, self.top + self.height)
    }

    pub(super) fn x_of(&self, value: f64) -> f64 {
        self.left + self.width * self.x.part(value)
    }

    pub(super) fn y_of(&self, value: f64) -> f64 {
        self.top + self.height * (1.0 - self.y.part(value))
    }

    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x_of(x), self.y_of(y))
    }
}
