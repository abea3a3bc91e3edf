//! A drawing: inline SVG whose colours come from the page's style sheet.
//!
//! Every mark may have a tip, which is its `<title>`: browsers show it on hovering, and the page's script
//! on stepping through the marks with the keyboard too.

use std::fmt::{self, Write};

use super::html::Html;
use crate::svg::{escape, short};

/// Where text is held.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Hold {
    Start,
    Middle,
    End,
}

/// A drawing that is being made.
pub(super) struct Drawing {
    width: f64,
    height: f64,
    body: String,
}

impl Drawing {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            body: String::new(),
        }
    }

    pub(super) fn width(&self) -> f64 {
        self.width
    }

    pub(super) fn height(&self) -> f64 {
        self.height
    }

    /// Writes elements as they are: what goes in is numbers, constants and escaped text.
    pub(super) fn put(&mut self, elements: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.body.write_fmt(elements);
    }

    /// Words at a place.
    pub(super) fn text(&mut self, at: (f64, f64), hold: Hold, class: &str, words: &str) {
        let hold = match hold {
            Hold::Start => "",
            Hold::Middle => " text-anchor=\"middle\"",
            Hold::End => " text-anchor=\"end\"",
        };
        let class = attribute("class", class);
        self.put(format_args!(
            "<text x=\"{}\" y=\"{}\"{class}{hold}>{}</text>",
            short(at.0),
            short(at.1),
            escape(words)
        ));
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.put(format_args!(
            "<path class=\"{class}\" d=\"M{} {}L{} {}\"/>",
            short(from.0),
            short(from.1),
            short(to.0),
            short(to.1)
        ));
    }

    /// A rectangle.
    pub(super) fn bar(&mut self, corner: (f64, f64), size: (f64, f64), class: &str, tip: &str) {
        let tip = title(tip);
        self.put(format_args!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1\">{tip}</rect>",
            short(corner.0),
            short(corner.1),
            short(size.0.max(0.0)),
            short(size.1.max(0.0))
        ));
    }

    /// A circle.
    pub(super) fn circle(&mut self, at: (f64, f64), radius: f64, class: &str, tip: &str) {
        let tip = title(tip);
        self.put(format_args!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\">{tip}</circle>",
            short(at.0),
            short(at.1),
            short(radius)
        ));
    }

    /// Any outline, in the commands of SVG's paths.
    pub(super) fn path(&mut self, commands: &str, class: &str, tip: &str) {
        let tip = title(tip);
        self.put(format_args!(
            "<path class=\"{class}\" d=\"{commands}\">{tip}</path>"
        ));
    }

    /// A line through points.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], class: &str) {
        if points.len() > 1 {
            self.path(&through(points), class, "");
        }
    }

    /// A mark of one of six shapes, so that series differ by more than their colours.
    pub(super) fn mark(&mut self, at: (f64, f64), size: f64, shape: usize, class: &str, tip: &str) {
        let (x, y, s) = (at.0, at.1, size);
        let outline: Vec<(f64, f64)> = match shape % 6 {
            0 => return self.circle(at, s, class, tip),
            1 => vec![(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            2 => vec![(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
            3 => vec![(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
            4 => vec![(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
            _ => {
                let (a, b) = (0.4, 1.2);
                vec![
                    (-a, -b),
                    (a, -b),
                    (a, -a),
                    (b, -a),
                    (b, a),
                    (a, a),
                    (a, b),
                    (-a, b),
                    (-a, a),
                    (-b, a),
                    (-b, -a),
                    (-a, -a),
                ]
            }
        };
        let placed: Vec<(f64, f64)> = outline
            .into_iter()
            .map(|(dx, dy)| (x + s * dx, y + s * dy))
            .collect();
        self.path(&format!("{}Z", through(&placed)), class, tip);
    }

    /// The finished drawing, with a title for those who do not see it, and further attributes as they are.
    pub(super) fn finish(self, heading: &str, attributes: &str) -> Html {
        Html::trusted(format!(
            "<svg viewBox=\"0 0 {} {}\" role=\"img\"{attributes}><title>{}</title>{}</svg>",
            short(self.width),
            short(self.height),
            escape(heading),
            self.body
        ))
    }
}

/// The commands of a path through points.
pub(super) fn through(points: &[(f64, f64)]) -> String {
    let mut commands = String::with_capacity(points.len() * 12);
    for (at, point) in points.iter().enumerate() {
        let letter = if at == 0 { 'M' } else { 'L' };
        let _ = write!(commands, "{letter}{} {}", short(point.0), short(point.1));
    }
    commands
}

fn attribute(name: &str, value: &str) -> String {
    match value {
        "" => String::new(),
        value => format!(" {name}=\"{value}\""),
    }
}

fn title(tip: &str) -> String {
    match tip {
        "" => String::new(),
        tip => format!("<title>{}</title>", escape(tip)),
    }
}
