//! Attacks on raw data and on releases side by side, for readers who are no statisticians.
//!
//! A group of bars for each question, out of 100 people; what the same attack gets on people who are
//! not in the data stands under every bar, and the verdict in words at its end. Below it, how success
//! grows with what is known.

mod bars;
mod curve;

use self::bars::{group_height, group_panel};
use self::curve::curve_panel;
use crate::caption;
use crate::svg::{Font, Frame, PAPER, RULE, Svg, escape, short};
use crate::words::wrap;

pub(crate) const WIDTH: f64 = 1000.0;
pub(crate) const MARGIN: f64 = 24.0;
const GAP: f64 = 14.0;
const NOTE_LINE: f64 = 19.0;
const MOST_NOTE_LINES: usize = 4;

pub(crate) const CONTROL: &str = "#8a8f96";
/// Raw data first, as grey as in the other pictures, then releases: apart for every eye (Okabe and
/// Ito 2008) and in lightness.
const COLOURS: [&str; 7] = [
    "#979ea9", "#3f3d8f", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
];

/// A share with its interval; all three from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// The share.
    pub share: f64,
    /// Where its interval begins.
    pub low: f64,
    /// Where its interval ends.
    pub high: f64,
}

/// What stands beside an attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AttackControl {
    /// The same attack on people who are not in what was published.
    NotIn(Rate),
    /// A coin that is right so often.
    Coin(f64),
}

/// What an attack is called beside its control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttackVerdict {
    /// Better than chance.
    Better,
    /// Not shown to be better than chance.
    NotShown,
    /// There is nothing to compare with.
    NoControl,
}

/// What an attack came to on one published thing.
#[derive(Clone, Debug, PartialEq)]
pub enum AttackBar {
    /// How often it succeeded.
    Found {
        /// On people who are in.
        rate: Rate,
        /// What stands beside it.
        control: Option<AttackControl>,
        /// What is said of the two.
        verdict: AttackVerdict,
    },
    /// It could not be made, for this reason.
    NotPossible(String),
}

/// One attack.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttackRow {
    /// What is tried, in a few words.
    pub label: String,
    /// One for each of [`AttackChart::published`].
    pub bars: Vec<AttackBar>,
}

/// The attacks that answer one question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionGroup {
    /// The question in plain words.
    pub question: String,
    /// The attacks.
    pub rows: Vec<AttackRow>,
}

/// Success by what is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnowledgeCurve {
    /// What is drawn.
    pub title: String,
    /// What is known, under the axis.
    pub known: String,
    /// For each of [`AttackChart::published`], how much is known and the success; may be empty.
    pub lines: Vec<Vec<(u32, Rate)>>,
    /// The same on people who are not in.
    pub not_in: Vec<Vec<(u32, Rate)>>,
}

/// Everything on the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttackChart {
    /// The heading.
    pub title: String,
    /// What came out, in a sentence.
    pub note: String,
    /// What bars count: "people" or "trips".
    pub who: String,
    /// The confidence of intervals, from 0 to 1.
    pub confidence: f64,
    /// What was attacked, raw data first.
    pub published: Vec<String>,
    /// The questions.
    pub groups: Vec<QuestionGroup>,
    /// The curve under them.
    pub curve: Option<KnowledgeCurve>,
}

/// Draws attacks as one SVG.
pub fn attack_chart(chart: &AttackChart) -> String {
    let mut body = Svg::default();
    let inner = WIDTH - 2.0 * MARGIN;
    let mut y = 34.0;
    body.text(
        MARGIN,
        y,
        Font::TITLE,
        &Font::TITLE.cut(&chart.title, inner),
    );
    let font = Font {
        size: 13.0,
        ..Font::LABEL
    };
    for line in wrap(&chart.note, font.size, inner, MOST_NOTE_LINES) {
        y += NOTE_LINE;
        body.text(MARGIN, y + 3.0, font, &line);
    }
    y += 20.0;
    for group in &chart.groups {
        let frame = Frame::new(MARGIN, y, inner, group_height(group));
        group_panel(&mut body, frame, chart, group);
        y = frame.bottom() + GAP;
    }
    if let Some(curve) = &chart.curve {
        let frame = Frame::new(MARGIN, y, inner, curve::HEIGHT);
        curve_panel(&mut body, frame, chart, curve);
        y = frame.bottom() + GAP;
    }
    let height = caption::draw(&mut body, MARGIN, y, inner, &how_to_read(chart)) + MARGIN;

    let mut svg = Svg::default();
    svg.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\">",
        short(WIDTH),
        short(height)
    ));
    svg.put(format_args!("<title>{}</title>", escape(&chart.title)));
    let page = Frame::new(0.5, 0.5, WIDTH - 1.0, height - 1.0);
    svg.panel(page, PAPER, RULE);
    svg.put(format_args!("{}</svg>", body.finish()));
    svg.finish()
}

fn how_to_read(chart: &AttackChart) -> String {
    format!(
        "How to read it: a bar is how many of 100 {} in the attacked data the attack succeeds on; \
         the thin line is its {} % interval. The pale bar and the dashed line are people who are \
         not in it, or a coin. Only a bar called better than chance shows that those who are in \
         are exposed; else they may not be, or too few were tried to see it. An attack that fails \
         proves nothing.",
        chart.who,
        share_text(chart.confidence),
    )
}

/// The colour of what was published at this position.
pub(crate) fn colour(position: usize) -> &'static str {
    match position {
        0 => COLOURS[0],
        release => COLOURS[1 + (release - 1) % (COLOURS.len() - 1)],
    }
}

/// A share out of 100: never 0 for something, nor 100 for less than all.
pub(crate) fn share_text(share: f64) -> String {
    let percent = 100.0 * part(share);
    match percent {
        p if p == 0.0 || p == 100.0 => format!("{p:.0}"),
        p if p < 0.05 => "<0.1".into(),
        p if p >= 99.95 => ">99.9".into(),
        p if !(9.95..=99.0).contains(&p) => {
            let text = format!("{p:.1}");
            text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
        }
        p => format!("{p:.0}"),
    }
}

/// A share as far as it can be drawn.
pub(crate) fn part(share: f64) -> f64 {
    if share.is_nan() {
        0.0
    } else {
        share.clamp(0.0, 1.0)
    }
}

impl Rate {
    /// The rate with everything between 0 and 1 and the share within its interval.
    pub(crate) fn drawable(self) -> Self {
        let share = part(self.share);
        Self {
            share,
            low: part(self.low).min(share),
            high: part(self.high).max(share),
        }
    }
}

#[cfg(test)]
mod tests;
