//! Lines over two axes, each with marks and intervals.

use super::{Field, WIDTH, scale::Scale};
use crate::page::drawing::Drawing;

/// A place on a line.
pub(in crate::page) struct Place {
    pub(in crate::page) x: f64,
    pub(in crate::page) y: f64,
    /// The ends of an interval of `y`.
    pub(in crate::page) interval: Option<(f64, f64)>,
    pub(in crate::page) tip: String,
}

/// A line.
pub(in crate::page) struct Curve {
    /// Its colour, which is also the shape of its marks: 0 for raw data, then releases.
    pub(in crate::page) series: usize,
    pub(in crate::page) places: Vec<Place>,
    /// Whether its places are joined.
    pub(in crate::page) joined: bool,
    /// Whether it is one to compare with.
    pub(in crate::page) pale: bool,
}

/// Draws lines.
pub(in crate::page) fn draw(
    curves: &[Curve],
    height: f64,
    x: (Scale, &str),
    y: (Scale, &str),
) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, height);
    let field = Field::draw(&mut drawing, x, y);
    for curve in curves {
        let pale = if curve.pale { " pale" } else { "" };
        let series = curve.series % 7;
        let points: Vec<(f64, f64)> = curve.places.iter().map(|it| field.at(it.x, it.y)).collect();
        if curve.joined {
            drawing.polyline(&points, &format!("curve c{series}{pale}"));
        }
        for (place, &(x, y)) in curve.places.iter().zip(&points) {
            if let Some((low, high)) = place.interval {
                let (top, foot) = (field.y_of(high), field.y_of(low));
                drawing.path(
                    &format!(
                        "M{x:.1} {top:.1}V{foot:.1}M{:.1} {top:.1}h6M{:.1} {foot:.1}h6",
                        x - 3.0,
                        x - 3.0
                    ),
                    "whisker",
                    "",
                );
            }
            drawing.mark(
                (x, y),
                4.2,
                curve.series,
                &format!("dot s{series}{pale}"),
                &place.tip,
            );
        }
    }
    drawing
}
