//! How the success of an attack grows with what is known.

use std::borrow::Cow;

use super::{AttackChart, KnowledgeCurve, Rate, colour, share_text};
use crate::svg::{Anchor, Font, Frame, RULE, SOFT_INK, Svg, short};

pub(crate) const HEIGHT: f64 = 316.0;
const PAD: f64 = 14.0;
const NAMES: f64 = 270.0;
const NAME_LINE: f64 = 16.0;
const FIGURE: f64 = 32.0;

/// One line of the plot.
struct Drawn<'a> {
    name: Cow<'a, str>,
    points: Vec<(u32, Rate)>,
    colour: &'static str,
    /// Whose line it is.
    position: usize,
    /// Whether it is of people who are in.
    is_in: bool,
}

/// Draws the curves, each with its name at its end.
pub(crate) fn curve_panel(
    svg: &mut Svg,
    frame: Frame,
    chart: &AttackChart,
    curve: &KnowledgeCurve,
) {
    svg.panel(frame, "#ffffff", RULE);
    let question = Font {
        size: 14.0,
        ..Font::HEADING
    };
    let words = question.cut(&curve.title, frame.width - 2.0 * PAD);
    svg.text(frame.x + PAD, frame.y + 23.0, question, &words);
    let unit = format!("of 100 {}", chart.who);
    svg.text(frame.x + PAD, frame.y + 44.0, Font::SOFT, &unit);
    let plot = Frame::new(
        frame.x + PAD + 40.0,
        frame.y + 56.0,
        frame.width - 2.0 * PAD - 40.0 - NAMES,
        HEIGHT - 56.0 - 48.0,
    );
    let drawn = all_lines(chart, curve);
    let known = || {
        drawn
            .iter()
            .flat_map(|line| &line.points)
            .map(|(at, _)| *at)
    };
    let (least, most) = (known().min().unwrap_or(0), known().max().unwrap_or(1));
    let span = f64::from((most - least).max(1));
    let x = |at: u32| plot.x + plot.width * f64::from(at - least) / span;
    let y = |share: f64| plot.bottom() - plot.height * share;
    axes(svg, plot, y);
    let mut ticks: Vec<u32> = known().collect();
    ticks.sort_unstable();
    ticks.dedup();
    // Ticks keep their distance however many there are.
    let every = ticks.len().div_ceil(20).max(1);
    for at in ticks.into_iter().step_by(every) {
        let font = Font::SOFT.anchored(Anchor::Middle);
        svg.text(x(at), plot.bottom() + 17.0, font, &at.to_string());
    }
    let font = Font::SOFT.anchored(Anchor::Middle);
    let middle = plot.x + plot.width / 2.0;
    svg.text(middle, plot.bottom() + 35.0, font, &curve.known);
    for line in &drawn {
        band(svg, line, x, y);
    }
    for line in &drawn {
        stroke(svg, line, x, y);
    }
    names(svg, plot, &drawn, x, y);
}

fn all_lines<'a>(chart: &'a AttackChart, curve: &KnowledgeCurve) -> Vec<Drawn<'a>> {
    let clean = |points: &[(u32, Rate)]| {
        let mut points: Vec<(u32, Rate)> = points
            .iter()
            .map(|(at, rate)| (*at, rate.drawable()))
            .collect();
        points.sort_by_key(|(at, _)| *at);
        points
    };
    let name = |position: usize| chart.published.get(position).map_or("", String::as_str);
    let line = |position: usize, points: &[(u32, Rate)], is_in: bool| Drawn {
        name: match is_in {
            true => Cow::Borrowed(name(position)),
            false => Cow::Owned(format!("not in it: {}", name(position))),
        },
        points: clean(points),
        colour: colour(position),
        position,
        is_in,
    };
    let of = |lines: &[Vec<(u32, Rate)>], is_in: bool| {
        let lines = lines.iter().enumerate();
        lines
            .map(|(position, points)| line(position, points, is_in))
            .collect::<Vec<_>>()
    };
    let (of_members, of_others) = (of(&curve.lines, true), of(&curve.not_in, false));
    of_members
        .into_iter()
        .chain(of_others)
        .filter(|line| !line.points.is_empty())
        .collect()
}

fn axes(svg: &mut Svg, plot: Frame, y: impl Fn(f64) -> f64) {
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        let colour = if percent == 0 { SOFT_INK } else { RULE };
        svg.rule((plot.x, at), (plot.right(), at), colour);
        let font = Font::SOFT.anchored(Anchor::End);
        svg.text(plot.x - 8.0, at + 4.0, font, &percent.to_string());
    }
}

/// The intervals of a line, as a pale band.
fn band(svg: &mut Svg, line: &Drawn<'_>, x: impl Fn(u32) -> f64, y: impl Fn(f64) -> f64) {
    if !line.is_in {
        return;
    }
    let above = line.points.iter().map(|(at, rate)| (x(*at), y(rate.high)));
    let below = line
        .points
        .iter()
        .rev()
        .map(|(at, rate)| (x(*at), y(rate.low)));
    let corners = path(above.chain(below));
    svg.put(format_args!(
        "<path d=\"{corners}z\" fill=\"{}\" fill-opacity=\"0.16\"/>",
        line.colour
    ));
}

fn stroke(svg: &mut Svg, line: &Drawn<'_>, x: impl Fn(u32) -> f64, y: impl Fn(f64) -> f64) {
    let points: Vec<(f64, f64)> = line
        .points
        .iter()
        .map(|(at, rate)| (x(*at), y(rate.share)))
        .collect();
    let style = match line.is_in {
        true => "stroke-width=\"2.2\"",
        false => "stroke-width=\"1.5\" stroke-dasharray=\"5 4\"",
    };
    svg.put(format_args!(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-linejoin=\"round\" {style}/>",
        path(points.iter().copied()),
        line.colour
    ));
    if line.is_in {
        for point in points {
            mark(svg, point, line.position, line.colour);
        }
    }
}

/// Lines differ by their marks too: circles, squares, diamonds, triangles.
fn mark(svg: &mut Svg, (x, y): (f64, f64), position: usize, colour: &str) {
    let (left, top) = (short(x - 3.2), short(y - 3.2));
    match position % 4 {
        0 => svg.put(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"3.4\" fill=\"{colour}\"/>",
            short(x),
            short(y)
        )),
        1 => svg.put(format_args!(
            "<path d=\"M{left} {top}h6.4v6.4h-6.4z\" fill=\"{colour}\"/>"
        )),
        2 => svg.put(format_args!(
            "<path d=\"M{} {}l4.4 4.4l-4.4 4.4l-4.4 -4.4z\" fill=\"{colour}\"/>",
            short(x),
            short(y - 4.4)
        )),
        _ => svg.put(format_args!(
            "<path d=\"M{} {}l4.2 7.4h-8.4z\" fill=\"{colour}\"/>",
            short(x),
            short(y - 4.6)
        )),
    }
}

/// Names at the ends of their lines, moved apart where lines end close together.
fn names(
    svg: &mut Svg,
    plot: Frame,
    drawn: &[Drawn<'_>],
    x: impl Fn(u32) -> f64,
    y: impl Fn(f64) -> f64,
) {
    let mut ends: Vec<(f64, f64, &Drawn<'_>, f64)> = drawn
        .iter()
        .filter_map(|line| line.points.last().map(|end| (line, end)))
        .map(|(line, (at, rate))| (y(rate.share), x(*at), line, rate.share))
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted: Vec<f64> = ends.iter().map(|end| end.0).collect();
    let places = apart(&wanted, plot.y, plot.bottom(), NAME_LINE);
    for ((from, end, line, share), place) in ends.into_iter().zip(places) {
        let words_x = plot.right() + 34.0;
        svg.put(format_args!(
            "<path d=\"M{} {}L{} {}h6\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.7\"/>",
            short(end + 6.0),
            short(from),
            short(words_x - 12.0),
            short(place),
            line.colour
        ));
        let strong = Font {
            bold: true,
            ..Font::LABEL
        };
        let figure = words_x + FIGURE;
        let anchored = strong.anchored(Anchor::End);
        svg.text(figure, place + 4.0, anchored, &share_text(share));
        let words = Font::LABEL.cut(&line.name, plot.right() + NAMES - figure - 8.0);
        svg.text(figure + 8.0, place + 4.0, Font::LABEL, &words);
    }
}

/// Rising places near the wanted ones, at least `gap` apart and between the two ends as far as
/// they fit.
fn apart(wanted: &[f64], top: f64, bottom: f64, gap: f64) -> Vec<f64> {
    let mut places = wanted.to_vec();
    let mut least = top;
    for place in &mut places {
        *place = place.max(least);
        least = *place + gap;
    }
    let mut most = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - gap;
    }
    places
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (x, y) in points {
        path.push(if path.is_empty() { 'M' } else { 'L' });
        path += &format!("{} {}", short(x), short(y));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_distance_and_stay_inside() {
        for wanted in [vec![10.0, 10.0, 11.0], vec![99.0, 100.0, 100.0], vec![]] {
            let places = apart(&wanted, 0.0, 100.0, 16.0);
            assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 16.0));
            assert!(places.iter().all(|place| (0.0..=100.0).contains(place)));
        }
        assert_eq!(apart(&[20.0, 60.0], 0.0, 100.0, 16.0), [20.0, 60.0]);
    }
}
