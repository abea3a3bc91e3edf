//! The two maps: the same places, the same scale, and only the data differs.

use crate::comparison::{Comparison, Flow, Side};
use crate::number::count_text;
use crate::place_names;
use crate::projection::{Projection, is_point};
use crate::svg::{Frame, RULE, Svg, escape, short};

/// Okabe and Ito's colours without black and yellow, which vanish on ink and on paper.
const LINE_COLOURS: [&str; 6] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9",
];
/// When colours run out, lines are told apart by their dashes.
const LINE_DASHES: [&str; 3] = ["", " stroke-dasharray=\"7 5\"", " stroke-dasharray=\"2 5\""];

const MOST_FLOWS: usize = 30;
/// More circles than this hide each other and swell the file.
const MOST_CIRCLES: usize = 1500;
/// Up to here, every circle says what it is when pointed at.
const MOST_TOOLTIPS: usize = 200;
const WIDEST_FLOW: f64 = 6.0;
/// Of the busiest station; how close stations lie decides between these.
const SMALLEST_RADIUS: f64 = 3.0;
const LARGEST_RADIUS: f64 = 12.0;
const LEAST_DOT: f64 = 1.5;

/// What both maps have in common.
pub(crate) struct Atlas<'a> {
    comparison: &'a Comparison,
    size: (f64, f64),
    places: Vec<Option<(f64, f64)>>,
    /// Stations with a place, most visited first, so that small circles lie on top.
    shown: Vec<usize>,
    flows: [Vec<Flow>; 2],
    pub(crate) radius: f64,
    pub(crate) most_visits: f64,
    pub(crate) most_flow: f64,
    pub(crate) pixels_per_km: f64,
    /// Stations that are not on the maps.
    pub(crate) left_out: usize,
}

impl<'a> Atlas<'a> {
    /// Maps of this size; none where no station has a place.
    pub(crate) fn new(comparison: &'a Comparison, size: (f64, f64)) -> Option<Self> {
        let stations = &comparison.stations;
        let at = |index: usize| stations[index].at.filter(|at| is_point(*at));
        let mut shown = comparison.most_visited();
        shown.retain(|index| at(*index).is_some());
        shown.truncate(MOST_CIRCLES);
        let points: Vec<_> = (0..stations.len()).filter_map(at).collect();
        let projection = Projection::fit(&points, size, LARGEST_RADIUS + 6.0)?;
        let places: Vec<_> = (0..stations.len())
            .map(|index| at(index).map(|at| projection.place(at)))
            .collect();
        let apart = typical_distance(shown.iter().filter_map(|index| places[*index]).collect());
        let flows = Side::BOTH.map(|side| strongest_with_places(comparison, side, &places));
        let visits = |side| shown.iter().map(move |index| stations[*index].visits(side));
        Some(Self {
            size,
            radius: (0.75 * apart).clamp(SMALLEST_RADIUS, LARGEST_RADIUS),
            most_visits: Side::BOTH.into_iter().flat_map(visits).fold(0.0, f64::max),
            most_flow: flows
                .iter()
                .flatten()
                .map(|flow| flow.count)
                .fold(0.0, f64::max),
            pixels_per_km: projection.pixels_per_km(),
            left_out: stations.len() - shown.len(),
            comparison,
            places,
            shown,
            flows,
        })
    }

    /// Whether there is anything to say about the width of flows.
    pub(crate) fn has_flows(&self) -> bool {
        self.most_flow > 0.0
    }

    /// Whether strokes would fill the map.
    fn crowded(&self) -> bool {
        self.shown.len() > 500
    }

    pub(crate) fn draw(&self, svg: &mut Svg, side: Side, corner: (f64, f64)) {
        let (width, height) = self.size;
        svg.panel(Frame::new(corner.0, corner.1, width, height), "#fff", RULE);
        svg.put(format_args!(
            "<g transform=\"translate({} {})\">",
            short(corner.0),
            short(corner.1)
        ));
        self.draw_lines(svg);
        self.draw_flows(svg, side);
        self.draw_circles(svg, side);
        self.draw_names(svg);
        svg.put(format_args!("</g>"));
    }

    fn draw_lines(&self, svg: &mut Svg) {
        let width = if self.crowded() { 1.2 } else { 2.6 };
        for (index, line) in self.comparison.lines.iter().enumerate() {
            let stops = line.stations.iter();
            let points: Vec<String> = stops
                .filter_map(|station| *self.places.get(*station)?)
                .map(|(x, y)| format!("{},{}", short(x), short(y)))
                .collect();
            if points.len() > 1 {
                svg.put(format_args!(
                    "<polyline points=\"{}\" {}/>",
                    points.join(" "),
                    line_stroke(index, width)
                ));
            }
        }
    }

    fn draw_flows(&self, svg: &mut Svg, side: Side) {
        let flows = &self.flows[side as usize];
        if flows.is_empty() {
            return;
        }
        svg.put(format_args!(
            "<g fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.4\" stroke-linecap=\"round\">",
            side.colour()
        ));
        for flow in flows {
            let (Some(from), Some(to)) = (self.places[flow.from], self.places[flow.to]) else {
                continue;
            };
            let bend = self.bend(from, to);
            svg.put(format_args!(
                "<path d=\"M{} {}Q{} {} {} {}\" stroke-width=\"{}\"/>",
                short(from.0),
                short(from.1),
                short(bend.0),
                short(bend.1),
                short(to.0),
                short(to.1),
                short(self.flow_width(flow.count).max(0.5)),
            ));
        }
        svg.put(format_args!("</g>"));
    }

    /// Bends to one side as seen by the traveller, so that both directions can be seen; within
    /// the map, so that the curve is too.
    fn bend(&self, from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
        let (along, down) = (to.0 - from.0, to.1 - from.1);
        let x = (from.0 + to.0) / 2.0 - 0.22 * down;
        let y = (from.1 + to.1) / 2.0 + 0.22 * along;
        (
            x.clamp(4.0, self.size.0 - 4.0),
            y.clamp(4.0, self.size.1 - 4.0),
        )
    }

    pub(crate) fn flow_width(&self, count: f64) -> f64 {
        if self.has_flows() {
            WIDEST_FLOW * count / self.most_flow
        } else {
            0.0
        }
    }

    fn draw_circles(&self, svg: &mut Svg, side: Side) {
        svg.put(format_args!(
            "<g fill=\"{}\" fill-opacity=\"0.8\" stroke=\"#fff\" stroke-width=\"{}\">",
            side.colour(),
            if self.crowded() { 0.2 } else { 0.8 }
        ));
        let tooltips = self.shown.len() <= MOST_TOOLTIPS;
        for &index in &self.shown {
            let station = &self.comparison.stations[index];
            let Some((x, y)) = self.places[index] else {
                continue;
            };
            let visits = station.visits(side);
            // A station that no one visits is still a station.
            let radius = self.radius_of(visits).max(LEAST_DOT);
            let circle = format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"",
                short(x),
                short(y),
                short(radius)
            );
            if tooltips {
                let name = escape(station.called());
                let visits = count_text(visits);
                svg.put(format_args!(
                    "{circle}><title>{name}: {visits} visits</title></circle>"
                ));
            } else {
                svg.put(format_args!("{circle}/>"));
            }
        }
        svg.put(format_args!("</g>"));
    }

    /// Area is proportional to visits.
    pub(crate) fn radius_of(&self, visits: f64) -> f64 {
        if self.most_visits > 0.0 {
            self.radius * (visits / self.most_visits).sqrt()
        } else {
            0.0
        }
    }

    /// Names lie in the same spots on both maps, so the larger of the two circles counts.
    fn draw_names(&self, svg: &mut Svg) {
        let spots: Vec<place_names::Spot<'_>> = self
            .shown
            .iter()
            .filter_map(|&index| {
                let station = &self.comparison.stations[index];
                let visits = Side::BOTH.map(|side| station.visits(side));
                Some(place_names::Spot {
                    name: station.called(),
                    at: self.places[index]?,
                    radius: self.radius_of(visits[0].max(visits[1])).max(1.0),
                })
            })
            .collect();
        place_names::draw(svg, &spots, self.size);
    }
}

fn strongest_with_places(
    comparison: &Comparison,
    side: Side,
    places: &[Option<(f64, f64)>],
) -> Vec<Flow> {
    let mut flows = comparison.strongest_flows(side);
    flows.retain(|flow| places[flow.from].is_some() && places[flow.to].is_some());
    flows.truncate(MOST_FLOWS);
    flows
}

/// How far stations lie from their nearest neighbour; three quarters of them lie further.
fn typical_distance(places: Vec<(f64, f64)>) -> f64 {
    let nearest = |(index, place): (usize, &(f64, f64))| {
        let others = places
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        let distances = others.map(|(_, other)| (place.0 - other.0).hypot(place.1 - other.1));
        distances.fold(f64::MAX, f64::min)
    };
    let mut distances: Vec<f64> = places.iter().enumerate().map(nearest).collect();
    distances.sort_by(f64::total_cmp);
    distances
        .get(distances.len() / 4)
        .copied()
        .unwrap_or(f64::MAX)
}

/// The attributes of a line's stroke, as on the maps.
pub(crate) fn line_stroke(index: usize, width: f64) -> String {
    let colour = LINE_COLOURS[index % LINE_COLOURS.len()];
    let dash = LINE_DASHES[index / LINE_COLOURS.len() % LINE_DASHES.len()];
    format!(
        "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}",
        short(width)
    )
}
