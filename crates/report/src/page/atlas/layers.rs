//! Puts layers on a map: cells or circles, flows, names, a scale.

use std::fmt::Write;

use super::labels::{self, Label};
use super::{Atlas, HEIGHT, Shape, WIDTH};
use crate::number::round_below;
use crate::page::charts::TEXT;
use crate::page::drawing::{Drawing, Hold, through};
use crate::page::html::Html;
use crate::svg::{escape, short};
use crate::words::{cut_to_pixels, pixels};

/// The most flows on a map.
const MOST_FLOWS: usize = 80;
/// The most places with a mark of their own; further ones become a dot of a common layer.
const MOST_MARKS: usize = 2_000;
/// The most places in common layers.
const MOST_DOTS: usize = 16_000;
const LARGEST_CIRCLE: f64 = 17.0;
/// More places than this get smaller circles.
const FEW: f64 = 100.0;
const LEAST_CIRCLE: f64 = 1.6;
const WIDEST_FLOW: f64 = 6.5;

/// A map that is being drawn.
pub(in crate::page) struct Painter<'a> {
    atlas: &'a Atlas,
    drawing: Drawing,
    /// Places with marks of their own, and in common layers.
    pub(in crate::page) drawn: (usize, usize),
}

/// One place to mark.
pub(in crate::page) struct Spot {
    pub(in crate::page) code: u32,
    /// How large, from 0 to 1.
    pub(in crate::page) part: f64,
    /// Class of its circle.
    pub(in crate::page) circle: &'static str,
    /// Class of its dot, where it gets no circle.
    pub(in crate::page) dot: &'static str,
    /// Class of its cell.
    pub(in crate::page) cell: String,
    /// The shape of its mark, where it is not a circle.
    pub(in crate::page) shape: usize,
}

/// A square of a map.
pub(in crate::page) struct Painted {
    pub(in crate::page) corner: (f64, f64),
    pub(in crate::page) class: String,
    pub(in crate::page) hatched: bool,
    pub(in crate::page) tip: String,
}

impl<'a> Painter<'a> {
    pub(in crate::page) fn new(atlas: &'a Atlas) -> Self {
        Self {
            atlas,
            drawing: Drawing::new(WIDTH, HEIGHT),
            drawn: (0, 0),
        }
    }

    /// All places of the universe as faint dots.
    pub(in crate::page) fn ground(&mut self) {
        let places = self.atlas.places.iter().flatten().take(MOST_DOTS);
        let mut commands = String::new();
        for &(x, y) in places {
            let _ = write!(commands, "M{} {}h0", short(x), short(y));
        }
        if !commands.is_empty() {
            self.drawing.path(&commands, "ground", "");
        }
    }

    /// Marks of places, the most important first.
    pub(in crate::page) fn places(&mut self, spots: &[Spot], tip: impl Fn(u32) -> String) {
        self.drawing.put(format_args!("<g class=\"layer-places\">"));
        let placed: Vec<(&Spot, (f64, f64))> = spots
            .iter()
            .filter_map(|spot| Some((spot, self.atlas.place(spot.code)?)))
            .collect();
        let (own, common) = placed.split_at(placed.len().min(MOST_MARKS));
        let common = &common[..common.len().min(MOST_DOTS)];
        self.drawn = (own.len(), common.len());
        self.common(common);
        for (spot, (x, y)) in own {
            match &self.atlas.shape {
                Shape::Cell(corners) => {
                    let outline = cell_at((*x, *y), corners);
                    self.drawing.path(&outline, &spot.cell, &tip(spot.code));
                }
                Shape::Circle => {
                    let radius = radius(spot.part, spots.len());
                    self.drawing
                        .mark((*x, *y), radius, spot.shape, spot.circle, &tip(spot.code));
                }
            }
        }
        self.drawing.put(format_args!("</g>"));
    }

    /// A stroke across the cells of some places, so that they differ by more than their colour.
    pub(in crate::page) fn hatch(&mut self, spots: &[Spot], is_hatched: impl Fn(&Spot) -> bool) {
        let Shape::Cell(corners) = &self.atlas.shape else {
            return;
        };
        let reach = corners.iter().map(|it| it.0.abs().min(it.1.abs()));
        let half = 0.55 * reach.fold(0.0, f64::max);
        let placed = spots
            .iter()
            .filter_map(|spot| Some((spot, self.atlas.place(spot.code)?)));
        let drawn = placed.take(self.drawn.0 + self.drawn.1);
        let mut commands = String::new();
        for (_, (x, y)) in drawn.filter(|(spot, _)| is_hatched(spot)) {
            commands += &stroke((x, y), half);
        }
        if !commands.is_empty() {
            self.drawing.path(&commands, "hatch layer-places", "");
        }
    }

    /// Squares instead of cells.
    pub(in crate::page) fn blocks(&mut self, side: f64, blocks: impl Iterator<Item = Painted>) {
        self.drawing.put(format_args!("<g class=\"layer-places\">"));
        let mut strokes = String::new();
        let wide = short(side);
        for block in blocks {
            let (x, y) = block.corner;
            let outline = format!("M{} {}h{wide}v{wide}h-{wide}z", short(x), short(y));
            self.drawing.path(&outline, &block.class, &block.tip);
            if block.hatched {
                strokes += &stroke((x + side / 2.0, y + side / 2.0), 0.3 * side);
            }
            self.drawn.0 += 1;
        }
        self.drawing.path(&strokes, "hatch", "");
        self.drawing.put(format_args!("</g>"));
    }

    /// Places that are too many for marks of their own: one path for each class.
    fn common(&mut self, spots: &[(&Spot, (f64, f64))]) {
        let mut classes: Vec<(&str, String)> = Vec::new();
        for (spot, (x, y)) in spots {
            let (class, outline) = match &self.atlas.shape {
                Shape::Cell(corners) => (spot.cell.as_str(), cell_at((*x, *y), corners)),
                Shape::Circle => (spot.dot, format!("M{} {}h0", short(*x), short(*y))),
            };
            match classes.iter_mut().find(|it| it.0 == class) {
                Some((_, commands)) => commands.push_str(&outline),
                None => classes.push((class, outline)),
            }
        }
        for (class, commands) in classes {
            self.drawing.path(&commands, class, "");
        }
    }

    /// Flows as bent lines with an arrow head, each `(from, to, part of the strongest)`. Says how many are
    /// drawn.
    pub(in crate::page) fn flows(
        &mut self,
        flows: &[(u32, u32, f64)],
        tip: impl Fn(usize) -> String,
    ) -> usize {
        self.drawing.put(format_args!("<g class=\"layer-flows\">"));
        let ends = |from: u32, to: u32| Some((self.atlas.place(from)?, self.atlas.place(to)?));
        let drawn: Vec<_> = flows
            .iter()
            .enumerate()
            .filter_map(|(index, &(from, to, part))| Some((index, ends(from, to)?, part)))
            .filter(|(_, (from, to), _)| from != to)
            .take(MOST_FLOWS)
            .collect();
        // The strongest are drawn last, hence above.
        for &(index, (from, to), part) in drawn.iter().rev() {
            let bend = Bend::new(from, to);
            let width = (WIDEST_FLOW * part.sqrt()).max(0.9);
            let tip = escape(&tip(index));
            self.drawing.put(format_args!(
                "<g class=\"flow\"><title>{tip}</title><path d=\"{}\" stroke-width=\"{width:.1}\"/>\
                 <path class=\"head\" d=\"{}\"/></g>",
                bend.line(),
                bend.head(3.0 + 1.1 * width)
            ));
        }
        self.drawing.put(format_args!("</g>"));
        drawn.len()
    }

    /// Names of places, the most important first.
    pub(in crate::page) fn names(&mut self, spots: &[Spot], name: impl Fn(u32) -> String) {
        self.drawing.put(format_args!("<g class=\"layer-names\">"));
        if self.atlas.is_schematic() {
            for spot in spots {
                self.name_on_ring(spot, spots.len(), &name(spot.code));
            }
        } else if self.atlas.shape == Shape::Circle {
            // Cells may be as dark as ink: their names stand in tips and in the table.
            let places = spots.iter().filter_map(|spot| {
                let at = self.atlas.place(spot.code)?;
                let radius = radius(spot.part, spots.len());
                Some((at, radius, cut_to_pixels(&name(spot.code), TEXT, 150.0)))
            });
            for label in labels::arrange(places, (WIDTH, HEIGHT)) {
                let Label {
                    at,
                    away,
                    name,
                    level,
                } = label;
                self.name_at(at, (0.0, -away), Hold::Middle, level, &name);
            }
        }
        self.drawing.put(format_args!("</g>"));
    }

    /// A name away from its place by a distance on the screen, however near one looks.
    fn name_at(&mut self, at: (f64, f64), away: (f64, f64), hold: Hold, level: usize, name: &str) {
        let (x, y) = (short(at.0), short(at.1));
        self.drawing
            .put(format_args!("<g transform=\"translate({x} {y})\">"));
        self.drawing
            .text(away, hold, &format!("name z{level}"), name);
        self.drawing.put(format_args!("</g>"));
    }

    fn name_on_ring(&mut self, spot: &Spot, among: usize, name: &str) {
        let angle = self.atlas.angles.get(spot.code as usize).copied().flatten();
        let (Some(angle), Some((x, y))) = (angle, self.atlas.place(spot.code)) else {
            return;
        };
        let away = radius(spot.part, among) + 6.0;
        let (dx, dy) = (
            away * angle.cos(),
            away * angle.sin() + 4.0 + 5.0 * angle.sin(),
        );
        let (hold, room) = match angle.cos() {
            cos if cos > 0.12 => (Hold::Start, WIDTH - x - dx - 4.0),
            cos if cos < -0.12 => (Hold::End, x + dx - 4.0),
            _ => (Hold::Middle, 150.0),
        };
        let name = cut_to_pixels(name, TEXT, room);
        self.name_at((x, y), (dx, dy), hold, 0, &name);
    }

    /// A bar of a round number of kilometres.
    fn scale_bar(&mut self) {
        let Some(per_km) = self.atlas.per_km.filter(|it| it.is_finite() && *it > 0.0) else {
            return;
        };
        let km = round_below(140.0 / per_km);
        let words = if km < 1.0 {
            format!("{} m", short(km * 1000.0))
        } else {
            format!("{} km", short(km))
        };
        self.drawing.put(format_args!(
            "<g class=\"scale\" transform=\"translate(14 {})\"><path d=\"M0 -5v5h{}v-5\"/>{}\
             <text x=\"4\" y=\"-7\">{words}</text></g>",
            short(HEIGHT - 12.0),
            short(km * per_km),
            plate((4.0 + pixels(&words, TEXT) / 2.0, -7.0), &words),
        ));
    }

    /// The map, with a title for those who do not see it.
    pub(in crate::page) fn finish(mut self, heading: &str) -> Html {
        self.scale_bar();
        let per_km = self.atlas.per_km.filter(|it| it.is_finite());
        let attributes = per_km.map_or_else(String::new, |it| format!(" data-per-km=\"{it:.6}\""));
        self.drawing.finish(heading, &attributes)
    }
}

/// Something bright behind words that are held in their middle.
fn plate((x, y): (f64, f64), words: &str) -> String {
    let wide = pixels(words, TEXT) + 6.0;
    format!(
        "<rect class=\"plate\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\"/>",
        short(x - wide / 2.0),
        short(y - TEXT),
        short(wide),
        short(TEXT + 5.0),
    )
}

/// The radius of a circle among so many.
fn radius(part: f64, among: usize) -> f64 {
    let crowded = (FEW / (among as f64).clamp(FEW, 20.0 * FEW)).powf(0.25);
    (LARGEST_CIRCLE * crowded * part.max(0.0).sqrt()).max(LEAST_CIRCLE)
}

/// A slanting stroke around a point.
fn stroke((x, y): (f64, f64), half: f64) -> String {
    let side = short(2.0 * half);
    format!("M{} {}l{side} -{side}", short(x - half), short(y + half))
}

fn cell_at((x, y): (f64, f64), corners: &[(f64, f64)]) -> String {
    let outline: Vec<(f64, f64)> = corners.iter().map(|it| (x + it.0, y + it.1)).collect();
    format!("{}Z", through(&outline))
}

/// A line bent to the right of its way, so that there and back are two.
struct Bend {
    from: (f64, f64),
    over: (f64, f64),
    to: (f64, f64),
}

impl Bend {
    fn new(from: (f64, f64), to: (f64, f64)) -> Self {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        Self {
            from,
            over: (middle.0 - 0.2 * dy, middle.1 + 0.2 * dx),
            to,
        }
    }

    fn line(&self) -> String {
        let Self { from, over, to } = self;
        let numbers = [from.0, from.1, over.0, over.1, to.0, to.1].map(short);
        let [a, b, c, d, e, f] = numbers;
        format!("M{a} {b}Q{c} {d} {e} {f}")
    }

    /// An arrow head somewhat after the middle.
    fn head(&self, size: f64) -> String {
        let (t, Self { from, over, to }) = (0.6, self);
        let mix = |a: f64, b: f64, c: f64| {
            (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c
        };
        let slope = |a: f64, b: f64, c: f64| (1.0 - t) * (b - a) + t * (c - b);
        let (x, y) = (mix(from.0, over.0, to.0), mix(from.1, over.1, to.1));
        let (dx, dy) = (slope(from.0, over.0, to.0), slope(from.1, over.1, to.1));
        let length = dx.hypot(dy).max(1e-9);
        let (ux, uy) = (size * dx / length, size * dy / length);
        let corners = [
            (x + ux, y + uy),
            (x - 0.6 * ux - 0.65 * uy, y - 0.6 * uy + 0.65 * ux),
            (x - 0.6 * ux + 0.65 * uy, y - 0.6 * uy - 0.65 * ux),
        ];
        format!("{}Z", through(&corners))
    }
}
