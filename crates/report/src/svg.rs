//! The few elements of SVG that the picture needs, escaped and in short numbers.

use std::fmt::{self, Write};

use crate::words::{cut_to_pixels, harmless, pixels};

pub(crate) const INK: &str = "#22262b";
pub(crate) const SOFT_INK: &str = "#5a616a";
pub(crate) const RULE: &str = "#e4e4df";
pub(crate) const PAPER: &str = "#fbfbf9";

/// The smallest text.
pub(crate) const SMALL: f64 = 11.0;

/// A rectangle of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Frame {
    pub(crate) fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// The area that two rectangles share.
    pub(crate) fn common(&self, other: &Self) -> f64 {
        let width = self.right().min(other.right()) - self.x.max(other.x);
        let height = self.bottom().min(other.bottom()) - self.y.max(other.y);
        width.max(0.0) * height.max(0.0)
    }
}

/// Where text is held.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Anchor {
    #[default]
    Start,
    Middle,
    End,
}

/// How text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Font {
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) colour: &'static str,
    pub(crate) anchor: Anchor,
}

impl Font {
    pub(crate) const LABEL: Self = Self {
        size: SMALL,
        bold: false,
        colour: INK,
        anchor: Anchor::Start,
    };
    pub(crate) const SOFT: Self = Self {
        colour: SOFT_INK,
        ..Self::LABEL
    };
    pub(crate) const HEADING: Self = Self {
        size: 13.0,
        bold: true,
        ..Self::LABEL
    };
    pub(crate) const TITLE: Self = Self {
        size: 18.0,
        bold: true,
        ..Self::LABEL
    };

    /// The width of words in this font.
    pub(crate) fn width_of(self, words: &str) -> f64 {
        pixels(words, self.apparent_size())
    }

    /// Words of at most this width in this font.
    pub(crate) fn cut(self, words: &str, width: f64) -> String {
        cut_to_pixels(words, self.apparent_size(), width)
    }

    /// Bold letters are wider.
    fn apparent_size(self) -> f64 {
        if self.bold {
            1.12 * self.size
        } else {
            self.size
        }
    }

    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(crate) fn coloured(self, colour: &'static str) -> Self {
        Self { colour, ..self }
    }
}

/// A picture that is being written.
#[derive(Default)]
pub(crate) struct Svg(String);

impl Svg {
    /// Writes elements as they are: what goes in is numbers, constants and [`escape`]d text.
    pub(crate) fn put(&mut self, elements: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(elements);
        self.0.push('\n');
    }

    pub(crate) fn text(&mut self, x: f64, y: f64, font: Font, words: &str) {
        let weight = if font.bold {
            " font-weight=\"600\""
        } else {
            ""
        };
        let anchor = match font.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        self.put(format_args!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{weight}{anchor}>{}</text>",
            short(x),
            short(y),
            short(font.size),
            font.colour,
            escape(words),
        ));
    }

    /// A filled rectangle with slightly rounded corners; nothing where it has no extent.
    pub(crate) fn bar(&mut self, frame: Frame, colour: &str) {
        if frame.width < 0.05 || frame.height < 0.05 {
            return;
        }
        self.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1\" fill=\"{colour}\"/>",
            short(frame.x),
            short(frame.y),
            short(frame.width),
            short(frame.height),
        ));
    }

    /// A panel with a thin border.
    pub(crate) fn panel(&mut self, frame: Frame, fill: &str, border: &str) {
        self.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"{fill}\" \
             stroke=\"{border}\"/>",
            short(frame.x),
            short(frame.y),
            short(frame.width),
            short(frame.height),
        ));
    }

    /// A straight thin line.
    pub(crate) fn rule(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        self.put(format_args!(
            "<path d=\"M{} {}L{} {}\" stroke=\"{colour}\" fill=\"none\"/>",
            short(from.0),
            short(from.1),
            short(to.0),
            short(to.1),
        ));
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// A number in at most one digit after the point; always a number.
pub(crate) fn short(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let tenths = (value * 10.0).round();
    if tenths % 10.0 == 0.0 {
        // Adding zero turns −0 into 0.
        format!("{:.0}", tenths / 10.0 + 0.0)
    } else {
        format!("{:.1}", tenths / 10.0)
    }
}

/// Text for XML, in elements and in attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in harmless(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_always_numbers() {
        let written = [1.0, 1.25, -0.01, f64::NAN, f64::INFINITY, -3.96].map(short);
        assert_eq!(written, ["1", "1.3", "0", "0", "0", "-4"]);
    }

    #[test]
    fn escapes_what_xml_would_read() {
        assert_eq!(escape("<&\">'\u{0}"), "&lt;&amp;&quot;&gt;&#39;\u{fffd}");
    }
}
