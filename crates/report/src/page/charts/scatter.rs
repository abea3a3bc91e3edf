//! Points over two axes.

use super::{Field, WIDTH, scale::Scale};
use crate::page::drawing::Drawing;

const HEIGHT: f64 = 360.0;

/// A point.
pub(in crate::page) struct Point {
    pub(in crate::page) x: f64,
    pub(in crate::page) y: f64,
    /// Its series: colour and shape.
    pub(in crate::page) series: usize,
    pub(in crate::page) tip: String,
}

/// What goes with the points.
#[derive(Default)]
pub(in crate::page) struct Lines {
    /// A line where both axes have the same value.
    pub(in crate::page) equal: bool,
    /// A line across at this value.
    pub(in crate::page) across: Option<f64>,
}

/// Draws points.
pub(in crate::page) fn draw(
    points: &[Point],
    x: (Scale, &str),
    y: (Scale, &str),
    lines: &Lines,
) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    let field = Field::draw(&mut drawing, x, y);
    if lines.equal {
        let foot = (field.left, field.top + field.height);
        let head = (field.left + field.width, field.top);
        drawing.line(foot, head, "reference");
    }
    if let Some(value) = lines.across {
        let y = field.y_of(value);
        drawing.line((field.left, y), (field.left + field.width, y), "reference");
    }
    for point in points {
        let class = format!("dot s{}", point.series % 6 + 1);
        drawing.mark(
            field.at(point.x, point.y),
            3.4,
            point.series,
            &class,
            &point.tip,
        );
    }
    drawing
}
