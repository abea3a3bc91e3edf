//! Maps of clusters: every place in the colour of its cluster, and the centres.
//!
//! There are more clusters than colours that every eye can tell apart, so that neighbours get different
//! ones and clusters far from each other may share one.

use wayveil_core::Coordinate;

use crate::legend;
use crate::projection::{Projection, is_point};
use crate::svg::{Font, Frame, INK, PAPER, RULE, Svg, escape, short};

/// Tints that differ in lightness as well as in hue, after Okabe and Ito; ink shows on all of them.
const TINTS: [&str; 6] = [
    "#56a3d9", "#f7e58c", "#f0a860", "#bfe3f2", "#4fb092", "#e6b3d3",
];
const COLUMNS: usize = 3;
const MAP: (f64, f64) = (330.0, 300.0);
const MARGIN: f64 = 20.0;
const HEAD: f64 = 46.0;
/// Title and note above a map.
const ABOVE: f64 = 40.0;
const BELOW: f64 = 30.0;
const DOT: f64 = 3.5;

/// One map.
#[derive(Clone, Debug)]
pub struct ClusterPanel<'a> {
    /// What the clusters are.
    pub title: String,
    /// A line about them.
    pub note: String,
    /// Where the places are.
    pub places: &'a [Coordinate],
    /// The cluster of each place.
    pub of_place: Vec<u32>,
    /// The centre of each cluster.
    pub centres: Vec<Coordinate>,
}

/// Draws maps side by side, each on a scale of its own, as one SVG.
///
/// It shows what it is given and does not say who may see it: centres made from people's points
/// without noise are raw data.
pub fn cluster_map(title: &str, panels: &[ClusterPanel<'_>]) -> String {
    let columns = panels.len().clamp(1, COLUMNS);
    let rows = panels.len().div_ceil(columns);
    let step = (MAP.0 + MARGIN, ABOVE + MAP.1 + MARGIN);
    let width = (MARGIN + step.0 * columns as f64).max(2.0 * MARGIN + Font::TITLE.width_of(title));
    let height = HEAD + step.1 * rows as f64 + BELOW;
    let mut svg = Svg::default();
    svg.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\">",
        short(width),
        short(height)
    ));
    svg.put(format_args!("<title>{}</title>", escape(title)));
    svg.panel(Frame::new(0.5, 0.5, width - 1.0, height - 1.0), PAPER, RULE);
    svg.text(MARGIN, 28.0, Font::TITLE, title);
    let mut scale = None;
    for (index, panel) in panels.iter().enumerate() {
        let x = MARGIN + step.0 * (index % columns) as f64;
        let y = HEAD + step.1 * (index / columns) as f64;
        svg.text(x, y + 12.0, Font::HEADING, &panel.title);
        svg.text(x, y + 29.0, Font::SOFT, &Font::SOFT.cut(&panel.note, MAP.0));
        svg.panel(Frame::new(x, y + ABOVE, MAP.0, MAP.1), "#fff", RULE);
        let drawn = draw(&mut svg, panel, (x, y + ABOVE));
        scale = scale.or(drawn);
    }
    let baseline = height - BELOW / 2.0 - 4.0;
    dot(&mut svg, (MARGIN + DOT, baseline));
    let words = "centre of a cluster; neighbouring clusters have different colours";
    svg.text(MARGIN + 14.0, baseline + 4.0, Font::SOFT, words);
    if let Some(pixels_per_km) = scale {
        let x = MARGIN + 14.0 + Font::SOFT.width_of(words) + 24.0;
        legend::scale_bar(&mut svg, (x, baseline), pixels_per_km);
    }
    svg.put(format_args!("</svg>"));
    svg.finish()
}

/// Draws one map; pixels of a kilometre, where there is a place.
fn draw(svg: &mut Svg, panel: &ClusterPanel<'_>, corner: (f64, f64)) -> Option<f64> {
    let placed = panel.places.iter().zip(&panel.of_place);
    let placed: Vec<(Coordinate, u32)> = placed
        .map(|(&at, &cluster)| (at, cluster))
        .filter(|&(at, cluster)| is_point(at) && (cluster as usize) < panel.centres.len())
        .collect();
    let points: Vec<Coordinate> = placed.iter().map(|&(at, _)| at).collect();
    let projection = Projection::fit(&points, MAP, 10.0)?;
    let pixels: Vec<(f64, f64)> = points.iter().map(|&at| projection.place(at)).collect();
    let size = spacing(&pixels);
    let mut of_cluster = vec![Vec::new(); panel.centres.len()];
    for (&pixel, &(_, cluster)) in pixels.iter().zip(&placed) {
        of_cluster[cluster as usize].push(pixel);
    }
    let centres: Vec<(f64, f64)> = panel
        .centres
        .iter()
        .map(|&at| projection.place(at))
        .collect();
    let colours = colours(&neighbours(&centres, &pixels));
    svg.put(format_args!(
        "<g transform=\"translate({} {})\">\n<g fill=\"none\" stroke-linecap=\"square\" \
         stroke-width=\"{}\" shape-rendering=\"crispEdges\">",
        short(corner.0),
        short(corner.1),
        short(size + 0.1)
    ));
    for (cluster, places) in of_cluster.iter_mut().enumerate() {
        svg.put(format_args!(
            "<path stroke=\"{}\" d=\"{}\"><title>cluster {cluster}: {} places</title></path>",
            TINTS[colours[cluster] % TINTS.len()],
            runs(places, size),
            places.len(),
        ));
    }
    svg.put(format_args!("</g>"));
    let inside = |at: &(f64, f64)| (0.0..=MAP.0).contains(&at.0) && (0.0..=MAP.1).contains(&at.1);
    for &centre in centres.iter().filter(|centre| inside(centre)) {
        dot(svg, centre);
    }
    svg.put(format_args!("</g>"));
    Some(projection.pixels_per_km())
}

fn dot(svg: &mut Svg, (x, y): (f64, f64)) {
    svg.put(format_args!(
        "<circle cx=\"{}\" cy=\"{}\" r=\"{DOT}\" fill=\"{INK}\" stroke=\"#fff\" stroke-width=\"1.4\"/>",
        short(x),
        short(y)
    ));
}

/// How far places on a regular grid of this extent and number lie from each other.
fn spacing(pixels: &[(f64, f64)]) -> f64 {
    let extent = |of: fn(&(f64, f64)) -> f64| {
        let values = pixels.iter().map(of);
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        most - least
    };
    let area = extent(|pixel| pixel.0) * extent(|pixel| pixel.1);
    let across = (pixels.len() as f64).sqrt() - 1.0;
    match across > 0.0 {
        true => (area.sqrt() / across).clamp(1.5, 12.0),
        false => 12.0,
    }
}

/// Places as strokes: those that lie next to each other in a row are one.
fn runs(places: &mut [(f64, f64)], size: f64) -> String {
    let row = |pixel: &(f64, f64)| (pixel.1 * 10.0).round() as i64;
    places.sort_by(|a, b| row(a).cmp(&row(b)).then(a.0.total_cmp(&b.0)));
    let together = |a: &(f64, f64), b: &(f64, f64)| row(a) == row(b) && b.0 - a.0 < 1.5 * size;
    let mut path = String::new();
    for run in places.chunk_by(together) {
        let (first, last) = (run[0], run[run.len() - 1]);
        // A stroke of no length has no ends in some programs.
        let length = short((last.0 - first.0).max(0.1));
        path += &format!("M{} {}h{length}", short(first.0), short(first.1));
    }
    path
}

/// Which clusters lie side by side: those that some place has as its nearest and second nearest.
fn neighbours(centres: &[(f64, f64)], pixels: &[(f64, f64)]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); centres.len()];
    for pixel in pixels {
        let mut best = [(f64::INFINITY, usize::MAX); 2];
        for (cluster, centre) in centres.iter().enumerate() {
            let distance = (centre.0 - pixel.0).hypot(centre.1 - pixel.1);
            if distance < best[0].0 {
                best = [(distance, cluster), best[0]];
            } else if distance < best[1].0 {
                best[1] = (distance, cluster);
            }
        }
        let [(_, nearest), (_, second)] = best;
        if second < centres.len() && !neighbours[nearest].contains(&second) {
            neighbours[nearest].push(second);
            if !neighbours[second].contains(&nearest) {
                neighbours[second].push(nearest);
            }
        }
    }
    neighbours
}

/// Colours so that neighbours differ. Clusters are taken away one by one, always the one with the fewest
/// neighbours left, and coloured in the opposite order: regions of a plane then need no more than six.
/// Of the colours that are free, the one that fewest clusters have.
fn colours(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut left: Vec<bool> = vec![true; neighbours.len()];
    let mut order = Vec::with_capacity(neighbours.len());
    for _ in 0..neighbours.len() {
        let crowd = |&cluster: &usize| neighbours[cluster].iter().filter(|&&it| left[it]).count();
        let still = (0..neighbours.len()).filter(|&cluster| left[cluster]);
        let Some(next) = still.min_by_key(crowd) else {
            break;
        };
        left[next] = false;
        order.push(next);
    }
    let mut colour: Vec<Option<usize>> = vec![None; neighbours.len()];
    let mut used = [0usize; TINTS.len()];
    for &cluster in order.iter().rev() {
        let taken = |tint: usize| {
            let around = neighbours[cluster].iter();
            around.filter(|&&it| colour[it] == Some(tint)).count()
        };
        let tints = 0..TINTS.len();
        let best = tints.min_by_key(|&tint| (taken(tint), used[tint]));
        let best = best.unwrap_or(0);
        used[best] += 1;
        colour[cluster] = Some(best);
    }
    colour.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lng: f64) -> Coordinate {
        Coordinate { lat, lng }
    }

    /// Forty columns of thirty places each; those in the west are one cluster.
    fn panel(places: &[Coordinate]) -> ClusterPanel<'_> {
        ClusterPanel {
            title: "A & B".into(),
            note: "free".into(),
            places,
            of_place: (0..1200).map(|place| u32::from(place % 40 >= 20)).collect(),
            centres: vec![at(0.15, 0.1), at(0.15, 0.3)],
        }
    }

    fn places() -> Vec<Coordinate> {
        let row = |row: i32| (0..40).map(move |column| (row, column));
        let all = (0..30).flat_map(row);
        all.map(|(row, column)| at(f64::from(row) * 0.01, f64::from(column) * 0.01))
            .collect()
    }

    #[test]
    fn places_of_a_row_are_one_stroke() {
        let places = places();
        let svg = cluster_map("Clusters", &[panel(&places)]);
        let strokes: Vec<usize> = svg
            .lines()
            .filter(|line| line.starts_with("<path stroke"))
            .map(|line| line.matches('M').count())
            .collect();
        assert_eq!(strokes, [30, 30], "{svg}");
        assert!(svg.contains("A &amp; B") && svg.contains("cluster 1: 600 places"));
        // Two centres and the legend's.
        assert_eq!(svg.matches("<circle").count(), 3);
    }

    #[test]
    fn a_gap_ends_a_stroke() {
        let mut pixels = [(0.0, 5.0), (2.0, 5.0), (6.0, 5.0), (0.0, 7.0)];
        assert_eq!(runs(&mut pixels, 2.0), "M0 5h2M6 5h0.1M0 7h0.1");
    }

    #[test]
    fn neighbours_have_different_colours() {
        // A grid of 36 centres over 900 pixels.
        let grid = |across: usize, apart: f64| -> Vec<(f64, f64)> {
            let all = (0..across * across).map(|n| (n / across, n % across));
            all.map(|(x, y)| (x as f64 * apart, y as f64 * apart + (x % 2) as f64))
                .collect()
        };
        let neighbours = neighbours(&grid(6, 10.0), &grid(30, 2.0));
        let colours = colours(&neighbours);
        for (cluster, around) in neighbours.iter().enumerate() {
            assert!(around.len() >= 2);
            assert!(
                around
                    .iter()
                    .all(|&other| colours[other] != colours[cluster])
            );
        }
        let mut used = colours.clone();
        used.sort_unstable();
        used.dedup();
        assert!(used.len() > 3);
    }

    #[test]
    fn nothing_to_draw_is_an_empty_map() {
        let mut empty = panel(&[]);
        empty.of_place.clear();
        empty.centres.clear();
        for panels in [&[][..], &[empty]] {
            let svg = cluster_map("Nothing", panels);
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        }
    }
}
