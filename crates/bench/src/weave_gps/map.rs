//! Where the points are, side by side.

use std::fmt::Write as _;

use wayveil_io::Places;

use super::data::Point;
use super::on;

/// Pixels of a map's side.
const SIZE: f64 = 320.0;
const GAP: f64 = 16.0;
const TITLE: f64 = 24.0;
/// Shades that are told apart.
const SHADES: usize = 12;

/// Maps of points as shades of the cells of a grid, by the logarithm of how many there are.
pub(super) fn svg(
    grid: &Places,
    ours: &[(&str, &[Vec<Point>])],
    peer: Option<&[Vec<Point>]>,
) -> String {
    let mut maps = ours.to_vec();
    maps.extend(peer.map(|trips| ("AdaTrace", trips)));
    let width = maps.len() as f64 * (SIZE + GAP) - GAP;
    let height = SIZE + TITLE;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"14\" shape-rendering=\"crispEdges\">\n"
    );
    for (at, (name, trips)) in maps.iter().enumerate() {
        let left = at as f64 * (SIZE + GAP);
        let _ = writeln!(text, "<text x=\"{left}\" y=\"16\">{name}</text>");
        let _ = writeln!(
            text,
            "<rect x=\"{left}\" y=\"{TITLE}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"#f4f4f4\"/>"
        );
        text.push_str(&shades(grid, trips, left));
    }
    text.push_str("</svg>\n");
    text
}

/// One path for each shade; neighbours in a row are one stroke.
fn shades(grid: &Places, trips: &[Vec<Point>], left: f64) -> String {
    let cells = grid.universe().len();
    let side = (cells as f64).sqrt() as usize;
    let mut counts = vec![0u32; cells];
    let records = on(grid, trips);
    records
        .codes()
        .iter()
        .for_each(|&code| counts[code as usize] += 1);
    let share = |count: u32| f64::from(count) / records.symbols().max(1) as f64;
    // From a thirtieth of the mean to thirty times as much.
    let shade = |count: u32| {
        let times = share(count) * cells as f64;
        let at = (times * 30.0).max(1e-9).ln() / 900f64.ln() * SHADES as f64;
        (at.max(0.0) as usize).min(SHADES)
    };
    let pixel = SIZE / side as f64;
    let mut paths = vec![String::new(); SHADES + 1];
    for row in 0..side {
        let y = TITLE + (side - 1 - row) as f64 * pixel;
        let own: Vec<usize> = (0..side).map(|c| shade(counts[row * side + c])).collect();
        let mut column = 0;
        for run in own.chunk_by(|a, b| a == b) {
            let (x, wide) = (left + column as f64 * pixel, run.len() as f64 * pixel);
            let _ = write!(paths[run[0]], "M{x} {y}h{wide}v{pixel}h-{wide}z");
            column += run.len();
        }
    }
    let mut text = String::new();
    for (shade, path) in paths
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, it)| !it.is_empty())
    {
        let light = 92 - 80 * shade / SHADES;
        let _ = writeln!(text, "<path fill=\"hsl(215 60% {light}%)\" d=\"{path}\"/>");
    }
    text
}
