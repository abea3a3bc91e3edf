//! One question: for each attack a bar for every published thing, and its control's under it.

use super::{
    AttackBar, AttackChart, AttackControl, AttackRow, AttackVerdict, CONTROL, QuestionGroup, Rate,
    colour, share_text,
};
use crate::svg::{Anchor, Font, Frame, INK, RULE, SOFT_INK, Svg, short};
use crate::words::wrap;

const PAD: f64 = 14.0;
const HEAD: f64 = 50.0;
const PITCH: f64 = 19.0;
const THICKNESS: f64 = 11.0;
const WORDS_LINE: f64 = 14.0;
const ROW_GAP: f64 = 12.0;
const LABEL: f64 = 176.0;
const NAME: f64 = 190.0;
const PLOT: f64 = 240.0;
const FIGURE: f64 = 44.0;
const INTERVAL: f64 = 90.0;
const MOST_LABEL_LINES: usize = 6;
const MOST_REASON_LINES: usize = 3;

pub(crate) const BETTER: &str = "better than chance";
pub(crate) const NOT_SHOWN: &str = "not shown to be better";
pub(crate) const NO_CONTROL: &str = "no control";
pub(crate) const NOT_IN: &str = "people not in it";
pub(crate) const COIN: &str = "a coin";
const ALARM: &str = "#a33c00";
const GREY: &str = "#62676e";

/// One line of a row.
enum Line {
    Bar(usize, Rate, Option<Rate>, AttackVerdict),
    Control(&'static str, Rate),
    Reason(usize, Vec<String>),
}

impl Line {
    fn height(&self) -> f64 {
        match self {
            Self::Reason(_, lines) => {
                PITCH.max(WORDS_LINE * lines.len() as f64 + PITCH - WORDS_LINE)
            }
            _ => PITCH,
        }
    }
}

/// The height that a question needs.
pub(crate) fn group_height(group: &QuestionGroup) -> f64 {
    let rows = group.rows.iter().map(|row| row_height(row) + ROW_GAP);
    HEAD + rows.sum::<f64>() + PAD - ROW_GAP
}

/// Draws a question with its attacks.
pub(crate) fn group_panel(svg: &mut Svg, frame: Frame, chart: &AttackChart, group: &QuestionGroup) {
    svg.panel(frame, "#ffffff", RULE);
    let question = Font {
        size: 14.0,
        ..Font::HEADING
    };
    let words = question.cut(&group.question, frame.width - 2.0 * PAD);
    svg.text(frame.x + PAD, frame.y + 23.0, question, &words);
    let plot = plot(frame);
    let axis = frame.y + 42.0;
    for percent in [0, 25, 50, 75, 100] {
        let x = plot.x + plot.width * f64::from(percent) / 100.0;
        let font = Font::SOFT.anchored(Anchor::Middle);
        svg.text(x, axis, font, &percent.to_string());
        let colour = if percent == 0 { SOFT_INK } else { RULE };
        svg.rule((x, axis + 5.0), (x, frame.bottom() - PAD / 2.0), colour);
    }
    let unit = format!("of 100 {}", chart.who);
    svg.text(plot.right() + 28.0, axis, Font::SOFT, &unit);
    let mut y = frame.y + HEAD;
    for (index, row) in group.rows.iter().enumerate() {
        if index > 0 {
            let line = y - ROW_GAP / 2.0;
            svg.rule((frame.x + PAD, line), (frame.right() - PAD, line), RULE);
        }
        let height = row_height(row);
        draw_row(svg, Frame { y, height, ..frame }, chart, row);
        y += height + ROW_GAP;
    }
}

/// The plot's place across the page; its height is the frame's.
fn plot(frame: Frame) -> Frame {
    let x = frame.x + PAD + LABEL + NAME + 22.0;
    Frame::new(x, frame.y, PLOT, frame.height)
}

fn label_lines(row: &AttackRow) -> Vec<String> {
    wrap(&row.label, Font::LABEL.size, LABEL, MOST_LABEL_LINES)
}

fn row_height(row: &AttackRow) -> f64 {
    let bars: f64 = lines(row).iter().map(Line::height).sum();
    bars.max(WORDS_LINE * label_lines(row).len() as f64 + 4.0)
}

/// Bars as published, each with its control under it; a coin stands once, under all.
fn lines(row: &AttackRow) -> Vec<Line> {
    let (mut lines, mut coins) = (Vec::new(), Vec::new());
    for (position, bar) in row.bars.iter().enumerate() {
        match bar {
            AttackBar::NotPossible(reason) => {
                let words = format!("not possible: {reason}");
                let width = PLOT + FIGURE + INTERVAL + 160.0;
                let wrapped = wrap(&words, Font::SOFT.size, width, MOST_REASON_LINES);
                lines.push(Line::Reason(position, wrapped));
            }
            AttackBar::Found {
                rate,
                control,
                verdict,
            } => {
                let (name, beside) = match control {
                    Some(AttackControl::NotIn(rate)) => (NOT_IN, Some(rate.drawable())),
                    Some(AttackControl::Coin(share)) => (COIN, Some(certain(*share).drawable())),
                    None => ("", None),
                };
                lines.push(Line::Bar(position, rate.drawable(), beside, *verdict));
                let Some(beside) = beside else { continue };
                if name != COIN {
                    lines.push(Line::Control(name, beside));
                } else if !coins.contains(&beside) {
                    coins.push(beside);
                }
            }
        }
    }
    lines.extend(coins.into_iter().map(|coin| Line::Control(COIN, coin)));
    lines
}

/// A share that is known exactly.
fn certain(share: f64) -> Rate {
    Rate {
        share,
        low: share,
        high: share,
    }
}

fn draw_row(svg: &mut Svg, frame: Frame, chart: &AttackChart, row: &AttackRow) {
    for (index, line) in label_lines(row).iter().enumerate() {
        let y = frame.y + 13.0 + WORDS_LINE * index as f64;
        svg.text(frame.x + PAD, y, Font::LABEL, line);
    }
    let mut y = frame.y;
    for line in lines(row) {
        let place = Frame::new(frame.x, y, frame.width, line.height());
        match &line {
            Line::Bar(position, rate, control, said) => {
                name(svg, place, published(chart, *position), Font::LABEL);
                bar(svg, place, *rate, colour(*position));
                if let Some(control) = control {
                    tick(svg, place, control.share);
                }
                whisker(svg, place, *rate);
                figures(svg, place, *rate, Font::LABEL);
                verdict(svg, place, *said);
            }
            Line::Control(words, rate) => {
                name(svg, place, words, Font::SOFT);
                hollow(svg, place, *rate);
                whisker(svg, place, *rate);
                figures(svg, place, *rate, Font::SOFT);
            }
            Line::Reason(position, words) => {
                name(svg, place, published(chart, *position), Font::LABEL);
                for (index, line) in words.iter().enumerate() {
                    let y = y + 13.0 + WORDS_LINE * index as f64;
                    let x = plot(place).x + 6.0;
                    let width = Font::SOFT.width_of(line);
                    // Words stand before the grid.
                    svg.bar(
                        Frame::new(x - 2.0, y - 10.0, width + 4.0, WORDS_LINE),
                        "#ffffff",
                    );
                    svg.text(x, y, Font::SOFT, line);
                }
            }
        }
        y += line.height();
    }
}

fn published(chart: &AttackChart, position: usize) -> &str {
    chart.published.get(position).map_or("", String::as_str)
}

fn name(svg: &mut Svg, place: Frame, words: &str, font: Font) {
    let words = font.cut(words, NAME);
    let font = font.anchored(Anchor::End);
    svg.text(plot(place).x - 10.0, place.y + 13.0, font, &words);
}

fn bar(svg: &mut Svg, place: Frame, rate: Rate, colour: &str) {
    let plot = plot(place);
    let top = place.y + (PITCH - THICKNESS) / 2.0;
    // Something is never shown as nothing.
    let width = if rate.share > 0.0 {
        (plot.width * rate.share).max(1.5)
    } else {
        0.0
    };
    svg.bar(Frame::new(plot.x, top, width, THICKNESS), colour);
}

/// The control's bar, pale with a dashed edge.
fn hollow(svg: &mut Svg, place: Frame, rate: Rate) {
    let plot = plot(place);
    let width = plot.width * rate.share;
    if width < 0.05 {
        return;
    }
    svg.put(format_args!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#eeeeea\" stroke=\"{CONTROL}\" \
         stroke-dasharray=\"3 2\"/>",
        short(plot.x),
        short(place.y + (PITCH - THICKNESS) / 2.0),
        short(width),
        short(THICKNESS),
    ));
}

/// A line across a bar that is seen on light and on dark.
fn tick(svg: &mut Svg, place: Frame, share: f64) {
    let plot = plot(place);
    let x = short(plot.x + plot.width * share);
    let (top, height) = (short(place.y), short(PITCH));
    svg.put(format_args!(
        "<path d=\"M{x} {top}v{height}\" stroke=\"#ffffff\" stroke-width=\"3.4\"/>\
         <path d=\"M{x} {top}v{height}\" stroke=\"{INK}\" stroke-width=\"1.4\" \
         stroke-dasharray=\"3 2\"/>"
    ));
}

fn whisker(svg: &mut Svg, place: Frame, rate: Rate) {
    let plot = plot(place);
    let [low, high] = [rate.low, rate.high].map(|share| plot.x + plot.width * share);
    // A coin has no interval.
    if high - low < 0.05 {
        return;
    }
    let middle = place.y + PITCH / 2.0;
    let (low, high) = (short(low), short(high));
    let (top, middle) = (short(middle - 3.0), short(middle));
    let path = format!("M{low} {middle}H{high}M{low} {top}v6M{high} {top}v6");
    svg.put(format_args!(
        "<path d=\"{path}\" stroke=\"#ffffff\" stroke-width=\"3\" stroke-opacity=\"0.75\" \
         fill=\"none\"/><path class=\"whisker\" d=\"{path}\" stroke=\"{INK}\" stroke-width=\"1.1\" \
         fill=\"none\"/>"
    ));
}

fn figures(svg: &mut Svg, place: Frame, rate: Rate, font: Font) {
    let x = plot(place).right() + 10.0 + FIGURE;
    let y = place.y + 13.0;
    let strong = Font {
        bold: font.colour == INK,
        size: 12.0,
        ..font
    };
    svg.text(x, y, strong.anchored(Anchor::End), &share_text(rate.share));
    if rate.high > rate.low {
        // Rounded outwards where a sign would stand beside the dash.
        let low = if rate.low < 0.0005 { 0.0 } else { rate.low };
        let high = if rate.high >= 0.9995 { 1.0 } else { rate.high };
        let words = format!("({}–{})", share_text(low), share_text(high));
        svg.text(x + 7.0, y, Font::SOFT, &words);
    }
}

/// A shape beside the words, so that verdicts differ without colour too. What is not shown is grey:
/// it is no all-clear.
fn verdict(svg: &mut Svg, place: Frame, said: AttackVerdict) {
    let x = plot(place).right() + 10.0 + FIGURE + INTERVAL;
    let middle = place.y + PITCH / 2.0;
    let (words, colour) = match said {
        AttackVerdict::Better => {
            svg.put(format_args!(
                "<path d=\"M{} {}l5 -9l5 9z\" fill=\"{ALARM}\"/>",
                short(x),
                short(middle + 4.5)
            ));
            (BETTER, ALARM)
        }
        AttackVerdict::NotShown => {
            svg.put(format_args!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"none\" stroke=\"{GREY}\" \
                 stroke-width=\"1.6\"/>",
                short(x + 5.0),
                short(middle)
            ));
            (NOT_SHOWN, GREY)
        }
        AttackVerdict::NoControl => (NO_CONTROL, GREY),
    };
    let font = Font::LABEL.coloured(colour);
    svg.text(x + 16.0, place.y + 13.0, font, words);
}
