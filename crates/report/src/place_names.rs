//! Names of the busiest stations on a map, where there is room for them.

use crate::svg::{Frame, INK, SMALL, Svg, escape, short};
use crate::words::{cut, pixels};

const MOST_NAMES: usize = 4;
const LONGEST_NAME: usize = 18;
/// The part of a name that may lie on circles.
const MOST_HIDDEN: f64 = 0.35;
/// The largest circles; the others are dots.
const MOST_OBSTACLES: usize = 400;

/// A circle that may be named, and that a name should not hide.
pub(crate) struct Spot<'a> {
    pub(crate) name: &'a str,
    pub(crate) at: (f64, f64),
    pub(crate) radius: f64,
}

impl Spot<'_> {
    fn frame(&self) -> Frame {
        let (x, y) = self.at;
        let side = 2.0 * self.radius;
        Frame::new(x - self.radius, y - self.radius, side, side)
    }
}

/// Names the first few spots: each goes to the side where it hides least, or is left out where it
/// would lie on another name, on too much else, or outside the map.
pub(crate) fn draw(svg: &mut Svg, spots: &[Spot<'_>], size: (f64, f64)) {
    let mut taken: Vec<Frame> = Vec::new();
    let mut names: Vec<(Frame, String)> = Vec::new();
    for spot in spots.iter().take(MOST_NAMES) {
        let name = cut(spot.name, LONGEST_NAME);
        let hidden = |frame: &Frame| -> u32 {
            let others = spots.iter().take(MOST_OBSTACLES);
            others.map(|other| other.frame().common(frame) as u32).sum()
        };
        let free = |frame: &Frame| {
            let inside = frame.x > 2.0
                && frame.y > 2.0
                && frame.right() < size.0 - 2.0
                && frame.bottom() < size.1 - 2.0;
            let readable = f64::from(hidden(frame)) < MOST_HIDDEN * frame.width * frame.height;
            inside && readable && taken.iter().all(|other| other.common(frame) == 0.0)
        };
        let sides = around(spot, pixels(&name, SMALL));
        if let Some(frame) = sides.into_iter().filter(free).min_by_key(hidden) {
            taken.push(frame);
            names.push((frame, name));
        }
    }
    if names.is_empty() {
        return;
    }
    svg.put(format_args!(
        "<g font-size=\"{SMALL}\" fill=\"{INK}\" text-anchor=\"middle\" paint-order=\"stroke\" \
         stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\">"
    ));
    for (frame, name) in names {
        svg.put(format_args!(
            "<text x=\"{}\" y=\"{}\">{}</text>",
            short(frame.x + frame.width / 2.0),
            short(frame.bottom() - 3.0),
            escape(&name)
        ));
    }
    svg.put(format_args!("</g>"));
}

/// Right, left, above, below, and the four corners of a spot.
fn around(spot: &Spot<'_>, width: f64) -> [Frame; 8] {
    let height = SMALL + 3.0;
    let (x, y) = spot.at;
    let away = spot.radius + 3.0;
    let corner = 0.7 * spot.radius + 2.0;
    [
        (x + away, y - height / 2.0),
        (x - away - width, y - height / 2.0),
        (x - width / 2.0, y - away - height),
        (x - width / 2.0, y + away),
        (x + corner, y - corner - height),
        (x + corner, y + corner),
        (x - corner - width, y - corner - height),
        (x - corner - width, y + corner),
    ]
    .map(|(x, y)| Frame::new(x, y, width, height))
}
