//! A map of characters, for terminals.

use wayveil_core::Coordinate;

use crate::bounds::Bounds;
use crate::number::count_text;
use crate::projection::is_point;

/// From few visits to many.
const SHADES: [char; 4] = ['░', '▒', '▓', '█'];
/// A location that no one visits is still a location.
const UNVISITED: char = '·';
/// A character is about twice as high as it is wide.
const CHARACTER_HEIGHT: f64 = 2.0;
const MOST_LINES: f64 = 24.0;

/// A map of locations, `width` columns wide at most, and a legend below it; nothing where there
/// is no location.
///
/// Each point is a place and its visits; those of one character's cell add up. The darker, the
/// more visits, by the square root of their number: the four shades end at 1/16, 1/4, 9/16 and
/// all of the fullest cell. Kilometres are as long to the north as to the east. The corners are
/// in degrees.
///
/// ```
/// use wayveil_core::Coordinate;
/// let at = |lat, lng| Coordinate { lat, lng };
/// let points = [(at(0.0, 0.0), 16), (at(0.0, 3.0), 0), (at(1.0, 1.0), 1), (at(0.9, 2.0), 4)];
/// assert_eq!(
///     wayveil_report::map_text(&points, 6),
///     "1.00° N, 0.00° E\n\
///      ┌──────┐\n\
///      │█ ░ ▒·│\n\
///      └──────┘\n\
///      0.00° N, 3.00° E\n\
///      visits  · none  ░ up to 1  ▒ up to 4  ▓ up to 9  █ up to 16\n"
/// );
/// ```
pub fn map_text(points: &[(Coordinate, u64)], width: usize) -> String {
    let mut points = points.to_vec();
    points.retain(|(at, _)| is_point(*at));
    let places: Vec<Coordinate> = points.iter().map(|(at, _)| *at).collect();
    let Some(bounds) = Bounds::of(&places) else {
        return String::new();
    };
    let raster = Raster::fit(bounds, width);
    let mut cells: Vec<Option<u64>> = vec![None; raster.columns * raster.lines];
    for (at, visits) in points {
        let cell = cells[raster.cell(at)].get_or_insert(0);
        *cell = cell.saturating_add(visits);
    }
    let most = cells.iter().flatten().copied().max().unwrap_or(0);

    let edge = "─".repeat(raster.columns);
    let mut out = format!("{}\n┌{edge}┐\n", corner(bounds.north, bounds.west));
    for line in cells.chunks(raster.columns) {
        let shades = line.iter().map(|cell| shade(*cell, most));
        out.push('│');
        out.extend(shades);
        out.push_str("│\n");
    }
    let corner = corner(bounds.south, bounds.east);
    // As far right as the frame; a narrow frame has it on the left.
    let frame = raster.columns + 2;
    out.push_str(&format!("└{edge}┘\n{corner:>frame$}\n"));
    out.push_str(&legend(&cells, most));
    out
}

/// How the box is divided into characters.
struct Raster {
    bounds: Bounds,
    columns: usize,
    lines: usize,
}

impl Raster {
    fn fit(bounds: Bounds, width: usize) -> Self {
        let width = width.max(1) as f64;
        let east = bounds.width() * bounds.squeeze();
        let north = bounds.north - bounds.south;
        // Columns of a degree; where everything lies in one point, any will do.
        let scale = (width / east).min(CHARACTER_HEIGHT * MOST_LINES / north);
        let count = |degrees: f64, most: f64| match degrees * scale {
            characters if characters.is_finite() => characters.round().clamp(1.0, most) as usize,
            _ => 1,
        };
        Self {
            columns: count(east, width),
            lines: count(north / CHARACTER_HEIGHT, MOST_LINES),
            bounds,
        }
    }

    fn cell(&self, at: Coordinate) -> usize {
        let column = part(
            self.bounds.east_of_west(at.lng),
            self.bounds.width(),
            self.columns,
        );
        let south = self.bounds.north - at.lat;
        let line = part(south, self.bounds.north - self.bounds.south, self.lines);
        line * self.columns + column
    }
}

/// Which of equal parts a value up to `all` lies in.
fn part(value: f64, all: f64, parts: usize) -> usize {
    let part = if all > 0.0 {
        (value / all * parts as f64) as usize
    } else {
        0
    };
    part.min(parts - 1)
}

/// The most visits of a shade, given those of the fullest cell.
fn most_of_shade(shade: usize, most: u64) -> u64 {
    let step = shade as u128 + 1;
    let all = SHADES.len() as u128;
    (u128::from(most) * step * step).div_ceil(all * all) as u64
}

fn shade(visits: Option<u64>, most: u64) -> char {
    match visits {
        None => ' ',
        Some(0) => UNVISITED,
        Some(visits) => {
            let fits = |shade: &usize| visits <= most_of_shade(*shade, most);
            let shade = (0..SHADES.len()).find(fits);
            SHADES[shade.unwrap_or(SHADES.len() - 1)]
        }
    }
}

/// What the characters mean, those that there are.
fn legend(cells: &[Option<u64>], most: u64) -> String {
    let mut line = String::from("visits");
    if cells.contains(&Some(0)) {
        line.push_str(&format!("  {UNVISITED} none"));
    }
    let mut below = 0;
    for (shade, character) in SHADES.into_iter().enumerate() {
        let end = most_of_shade(shade, most);
        if end > below {
            line.push_str(&format!("  {character} up to {}", count_text(end as f64)));
        }
        below = end;
    }
    line + "\n"
}

fn corner(lat: f64, lng: f64) -> String {
    let side = |degrees: f64, sides: [char; 2]| {
        let side = sides[usize::from(degrees < 0.0)];
        format!("{:.2}° {side}", degrees.abs())
    };
    format!("{}, {}", side(lat, ['N', 'S']), side(lng, ['E', 'W']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(points: &[(f64, f64, u64)], width: usize) -> String {
        let points: Vec<(Coordinate, u64)> = points
            .iter()
            .map(|&(lat, lng, visits)| (Coordinate { lat, lng }, visits))
            .collect();
        map_text(&points, width)
    }

    #[test]
    fn north_is_up_and_kilometres_are_square() {
        // At 60° a degree of longitude is half as long, and a character twice as high as wide:
        // four degrees by two make four columns by two lines.
        let picture = map(
            &[
                (61.0, 10.0, 1),
                (61.0, 14.0, 2),
                (59.0, 10.0, 9),
                (59.0, 14.0, 16),
            ],
            4,
        );
        assert_eq!(
            picture,
            "61.00° N, 10.00° E\n┌────┐\n│░  ▒│\n│▓  █│\n└────┘\n59.00° N, 14.00° E\n\
             visits  ░ up to 1  ▒ up to 4  ▓ up to 9  █ up to 16\n"
        );
    }

    #[test]
    fn one_box_across_the_antimeridian() {
        let picture = map(&[(0.0, 179.0, 1), (0.0, 180.0, 0), (0.0, -179.0, 1)], 8);
        assert_eq!(
            picture,
            "0.00° N, 179.00° E\n┌────────┐\n│░   ·  ░│\n└────────┘\n0.00° N, 179.00° W\n\
             visits  · none  ░ up to 1\n"
        );
    }

    #[test]
    fn one_point_is_one_character() {
        let one = "1.00° S, 2.00° W\n┌─┐\n│█│\n└─┘\n1.00° S, 2.00° W\n\
                   visits  ░ up to 1  ▒ up to 3  ▓ up to 6  █ up to 10\n";
        assert_eq!(map(&[(-1.0, -2.0, 10)], 60), one);
        assert_eq!(map(&[(-1.0, -2.0, 7), (-1.0, -2.0, 3)], 60), one);
        let unvisited = map(&[(-1.0, -2.0, 0)], 60);
        assert!(unvisited.contains("│·│") && unvisited.ends_with("visits  · none\n"));
    }

    #[test]
    fn tall_maps_are_narrow_and_extremes_are_quiet() {
        let tall = map(&[(0.0, 0.0, 1), (80.0, 1.0, 1)], 60);
        assert_eq!(tall.lines().count(), 24 + 5);
        assert_eq!(map(&[], 60), "");
        assert_eq!(map(&[(f64::NAN, 0.0, 1), (0.0, f64::INFINITY, 1)], 60), "");
        for width in [0, 1, 200] {
            let poles = map(&[(90.0, -180.0, u64::MAX), (-90.0, 180.0, u64::MAX)], width);
            assert!(poles.contains('█'), "{poles}");
        }
        let near = map(&[(0.0, 0.0, 1), (1e-300, 5e-324, 1)], 60);
        assert!(!near.is_empty());
    }
}
