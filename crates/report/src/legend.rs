//! The row under the maps: how to read circles, strokes, distances and colours.

use crate::atlas::{Atlas, line_stroke};
use crate::comparison::{Line, Side};
use crate::number::{count_text, round_below};
use crate::svg::{Font, Frame, SMALL, SOFT_INK, Svg, short};
use crate::words::{cut, pixels};

const LONGEST_NAME: usize = 16;
const GAP: f64 = 16.0;
const MOST_PIXELS_PER_KM: f64 = 10_000.0;

/// Sizes and scales, from the left.
pub(crate) fn sizes(svg: &mut Svg, atlas: &Atlas<'_>, frame: Frame) {
    let mut pen = Pen {
        x: frame.x,
        middle: frame.y + frame.height / 2.0,
    };
    if atlas.most_visits > 0.0 {
        pen.words(svg, "visits", 8.0);
        let largest = round_below(atlas.most_visits);
        for part in [1.0, 0.1] {
            circle(svg, &mut pen, atlas, largest * part);
        }
        pen.x += GAP - 8.0;
    }
    if atlas.has_flows() {
        let flow = round_below(atlas.most_flow);
        pen.words(svg, "moves", 7.0);
        stroke(svg, &mut pen, atlas.flow_width(flow));
        pen.words(svg, &count_text(flow), GAP);
    }
    distance(svg, &mut pen, atlas.pixels_per_km);
    if atlas.left_out > 0 {
        pen.words(svg, &format!("{} not shown", atlas.left_out), 0.0);
    }
}

/// Where the next thing goes.
struct Pen {
    x: f64,
    middle: f64,
}

impl Pen {
    fn words(&mut self, svg: &mut Svg, words: &str, then: f64) {
        svg.text(self.x, self.middle + 4.0, Font::SOFT, words);
        self.x += pixels(words, SMALL) + then;
    }
}

fn circle(svg: &mut Svg, pen: &mut Pen, atlas: &Atlas<'_>, visits: f64) {
    let radius = atlas.radius_of(visits).max(1.0);
    svg.put(format_args!(
        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{SOFT_INK}\"/>",
        short(pen.x + radius),
        short(pen.middle),
        short(radius)
    ));
    pen.x += 2.0 * radius + 4.0;
    pen.words(svg, &count_text(visits), 12.0);
}

fn stroke(svg: &mut Svg, pen: &mut Pen, width: f64) {
    svg.put(format_args!(
        "<path d=\"M{} {}h24\" stroke=\"{}\" stroke-opacity=\"0.4\" stroke-width=\"{}\"/>",
        short(pen.x),
        short(pen.middle),
        Side::Released.colour(),
        short(width)
    ));
    pen.x += 30.0;
}

/// A scale bar alone, beginning here.
pub(crate) fn scale_bar(svg: &mut Svg, (x, middle): (f64, f64), pixels_per_km: f64) {
    distance(svg, &mut Pen { x, middle }, pixels_per_km);
}

/// A scale bar of a round length near 60 pixels.
fn distance(svg: &mut Svg, pen: &mut Pen, pixels_per_km: f64) {
    // Stations in one spot have no distance.
    if pixels_per_km > MOST_PIXELS_PER_KM {
        return;
    }
    let km = round_below(80.0 / pixels_per_km.max(1e-6));
    let width = km * pixels_per_km;
    svg.put(format_args!(
        "<path d=\"M{} {}v5h{}v-5\" stroke=\"{SOFT_INK}\" fill=\"none\"/>",
        short(pen.x),
        short(pen.middle - 3.0),
        short(width)
    ));
    pen.x += width + 6.0;
    let words = if km < 1.0 {
        format!("{} m", count_text((km * 1000.0).round()))
    } else {
        format!("{} km", count_text(km))
    };
    pen.words(svg, &words, GAP);
}

/// The lines' names, as many as fit.
pub(crate) fn lines(svg: &mut Svg, lines: &[Line], frame: Frame) {
    let middle = frame.y + frame.height / 2.0;
    let named: Vec<(usize, String)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.name.trim().is_empty())
        .map(|(index, line)| (index, cut(&line.name, LONGEST_NAME)))
        .collect();
    let mut x = frame.x;
    for (done, (index, name)) in named.iter().enumerate() {
        let width = 24.0 + pixels(name, SMALL);
        let rest = named.len() - done;
        let room_for_rest = if rest > 1 { 60.0 } else { 0.0 };
        if x + width + room_for_rest > frame.right() {
            svg.text(x, middle + 4.0, Font::SOFT, &format!("and {rest} more"));
            return;
        }
        svg.put(format_args!(
            "<path d=\"M{} {}h18\" {}/>",
            short(x),
            short(middle),
            line_stroke(*index, 3.0)
        ));
        svg.text(x + 24.0, middle + 4.0, Font::SOFT, name);
        x += width + GAP;
    }
}

/// The colours of the two sides, ending at the right.
pub(crate) fn both_sides(svg: &mut Svg, right: f64, baseline: f64) {
    let mut x = right;
    for side in [Side::Released, Side::Raw] {
        x -= pixels(side.word(), SMALL);
        svg.text(x, baseline, Font::SOFT, side.word());
        x -= 15.0;
        svg.bar(Frame::new(x, baseline - 9.0, 10.0, 10.0), side.colour());
        x -= GAP;
    }
}
