//! The layout of the picture.

use crate::atlas::Atlas;
use crate::bars;
use crate::caption::{self, INTERNAL};
use crate::comparison::{Comparison, Side};
use crate::histogram;
use crate::legend;
use crate::number::percent_text;
use crate::svg::{Font, Frame, PAPER, SOFT_INK, Svg, escape, short};

const WIDTH: f64 = 1000.0;
const MARGIN: f64 = 24.0;
const GUTTER: f64 = 24.0;
const INNER: f64 = WIDTH - 2.0 * MARGIN;
const COLUMN: f64 = (INNER - GUTTER) / 2.0;
const RIGHT: f64 = MARGIN + COLUMN + GUTTER;
const TOP: f64 = 52.0;

const MAP_HEIGHT: f64 = 244.0;
const LEGEND_HEIGHT: f64 = 34.0;
const RAW_NAME: &str = "Raw (never leaves the house)";
const VISITS: &str = "share of visits, %";

/// Draws raw data against a release, as one SVG that needs no other file.
///
/// Two maps lie side by side where stations have coordinates; otherwise bars take their place.
/// The same comparison always gives the same text. The picture shows raw data: it is for the
/// publisher alone, and says so.
///
/// ```
/// let svg = wayveil_report::picture(&wayveil_report::Comparison::default());
/// assert!(svg.starts_with("<svg") && svg.contains("Do not publish it."));
/// ```
pub fn picture(comparison: &Comparison) -> String {
    let mut body = Svg::default();
    let title = Font::TITLE.cut(title_of(comparison), INNER);
    body.text(MARGIN, 36.0, Font::TITLE, &title);
    let atlas = Atlas::new(comparison, (COLUMN, MAP_HEIGHT));
    let below = match atlas {
        Some(atlas) => with_maps(&mut body, comparison, &atlas),
        None => without_maps(&mut body, comparison),
    };
    let end = caption::draw(&mut body, MARGIN, below + 10.0, INNER, &comparison.note);
    framed(comparison, &body.finish(), end + 18.0)
}

fn with_maps(svg: &mut Svg, comparison: &Comparison, atlas: &Atlas<'_>) -> f64 {
    for (side, x) in Side::BOTH.into_iter().zip([MARGIN, RIGHT]) {
        let name = match side {
            Side::Raw => RAW_NAME,
            Side::Released => release_name(comparison),
        };
        svg.bar(Frame::new(x, TOP + 2.0, 11.0, 11.0), side.colour());
        let name = Font::HEADING.cut(name, COLUMN - 18.0);
        svg.text(x + 18.0, TOP + 12.0, Font::HEADING, &name);
        atlas.draw(svg, side, (x, TOP + 22.0));
    }
    let y = TOP + 22.0 + MAP_HEIGHT;
    legend::sizes(svg, atlas, Frame::new(MARGIN, y, COLUMN, LEGEND_HEIGHT));
    let frame = Frame::new(RIGHT, y, COLUMN, LEGEND_HEIGHT);
    legend::lines(svg, &comparison.lines, frame);

    let y = y + LEGEND_HEIGHT + 14.0;
    let height = bars::height(12, 14.5);
    let mut rows = comparison.visit_shares();
    rows.truncate(12);
    let frame = Frame::new(MARGIN, y, COLUMN, height);
    bars::draw(svg, frame, "Most visited", VISITS, &rows);
    let frame = Frame::new(RIGHT, y, COLUMN, height);
    histogram::draw(svg, frame, &comparison.lengths);
    y + height
}

fn without_maps(svg: &mut Svg, comparison: &Comparison) -> f64 {
    let heading = format!("{RAW_NAME} against {}", release_name(comparison));
    let heading = Font::HEADING.cut(&heading, INNER);
    svg.text(
        MARGIN,
        TOP + 6.0,
        Font::HEADING.coloured(SOFT_INK),
        &heading,
    );
    let y = TOP + 26.0;
    let mut rows = comparison.visit_shares();
    rows.truncate(20);
    let flows = comparison.flow_shares(10);
    let least = if flows.is_empty() { 8 } else { 18 };
    let height = bars::height(rows.len().max(least), 20.0);
    let frame = Frame::new(MARGIN, y, COLUMN, height);
    bars::draw(svg, frame, "Most visited", VISITS, &rows);
    let half = (height - 20.0) / 2.0;
    let upper = if flows.is_empty() { height } else { half };
    let frame = Frame::new(RIGHT, y, COLUMN, upper);
    histogram::draw(svg, frame, &comparison.lengths);
    if !flows.is_empty() {
        let frame = Frame::new(RIGHT, y + height - half, COLUMN, half);
        bars::draw(svg, frame, "Strongest moves", "share of moves, %", &flows);
    }
    y + height
}

fn title_of(comparison: &Comparison) -> &str {
    match comparison.title.trim() {
        "" => "Raw data against a release",
        title => title,
    }
}

fn release_name(comparison: &Comparison) -> &str {
    match comparison.release_name.trim() {
        "" => "Release",
        name => name,
    }
}

fn framed(comparison: &Comparison, body: &str, height: f64) -> String {
    let mut svg = Svg::default();
    let height = short(height);
    svg.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{WIDTH}\" \
         height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, \
         sans-serif\">"
    ));
    let title = title_of(comparison);
    svg.put(format_args!("<title>{}</title>", escape(title)));
    svg.put(format_args!(
        "<desc>{}</desc>",
        escape(&described(comparison))
    ));
    svg.put(format_args!(
        "<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"10\" fill=\"{PAPER}\" \
         stroke=\"#d8d8d2\"/>",
        WIDTH - 1.0,
        height.parse::<f64>().unwrap_or(1.0) - 1.0
    ));
    format!("{}{}</svg>\n", svg.finish(), body)
}

/// The picture for those who do not see it.
fn described(comparison: &Comparison) -> String {
    let top: Vec<String> = comparison
        .visit_shares()
        .iter()
        .take(3)
        .map(|row| {
            let [raw, released] = [row.raw, row.released].map(|share| percent_text(share, 1));
            format!("{} ({raw} % raw, {released} % released)", row.label)
        })
        .collect();
    let most = if top.is_empty() {
        String::new()
    } else {
        format!(" Most visited: {}.", top.join(", "))
    };
    format!(
        "Visits to {} locations and lengths of trajectories, raw data against {}.{most} {} {INTERNAL}",
        comparison.stations.len(),
        release_name(comparison),
        comparison.note.trim(),
    )
}
