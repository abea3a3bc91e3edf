//! Results as a picture: for each case a bar for ours and one for the other side.

use std::fmt::Write;

use crate::report::Comparison;
use crate::rounds::Times;

/// The longest bar.
const LENGTH: f64 = 440.0;
/// Room for the names of cases, unless they are longer.
const LEFT: f64 = 230.0;
/// About the width of a letter.
const LETTER: f64 = 6.6;
const RIGHT: f64 = 90.0;
const TITLE: f64 = 30.0;
const LEGEND: f64 = 22.0;
const BAR: f64 = 11.0;
const ROW: f64 = 34.0;
const OURS: &str = "#3f3d8f";
const PEER: &str = "#979ea9";

/// Draws medians as bars and least to greatest as a line across their end. Cases of one unit and one
/// other side share a scale.
pub fn svg(title: &str, comparisons: &[Comparison]) -> Result<String, String> {
    let parts = parts(comparisons);
    if parts.is_empty() {
        return Err("there is nothing to draw".into());
    }
    let longest = comparisons.iter().map(|it| it.case.chars().count());
    let left = (longest.max().unwrap_or(0) as f64 * LETTER + 24.0).max(LEFT);
    let width = left + LENGTH + RIGHT;
    let height = TITLE + LEGEND * parts.len() as f64 + ROW * comparisons.len() as f64 + 16.0;
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#20242c\">\n\
         <title>{title}</title>\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"8\" fill=\"#fbfbf9\"/>\n\
         <text x=\"16\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{title}</text>\n"
    );
    let mut top = TITLE;
    for part in parts {
        draw(&mut page, &part, left, top);
        top += LEGEND + ROW * part.len() as f64;
    }
    page.push_str("</svg>\n");
    Ok(page)
}

/// What can be drawn to one scale, in the order in which it first comes.
fn parts(comparisons: &[Comparison]) -> Vec<Vec<&Comparison>> {
    let mut parts: Vec<Vec<&Comparison>> = Vec::new();
    for comparison in comparisons {
        let kind = |other: &Comparison| (other.unit, other.peer_name);
        let fits = |part: &&mut Vec<&Comparison>| kind(part[0]) == kind(comparison);
        match parts.iter_mut().find(fits) {
            Some(part) => part.push(comparison),
            None => parts.push(vec![comparison]),
        }
    }
    parts
}

fn draw(page: &mut String, part: &[&Comparison], left: f64, top: f64) {
    let (unit, peer) = (part[0].unit, part[0].peer_name);
    let most = part
        .iter()
        .flat_map(|comparison| [comparison.ours.max(), comparison.peer.max()])
        .fold(f64::MIN_POSITIVE, f64::max);
    let scale = LENGTH / most;
    for (at, colour, name) in [(left, OURS, "ours"), (left + 110.0, PEER, peer)] {
        let _ = writeln!(
            page,
            "<rect x=\"{at:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{name} ({unit})</text>",
            top + 4.0,
            at + 15.0,
            top + 13.0
        );
    }
    for (row, comparison) in part.iter().enumerate() {
        let y = top + LEGEND + ROW * row as f64;
        let _ = writeln!(
            page,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 8.0,
            y + BAR + 4.0,
            comparison.case
        );
        bar(page, (left, y), &comparison.ours, OURS, scale);
        bar(page, (left, y + BAR + 2.0), &comparison.peer, PEER, scale);
    }
}

fn bar(page: &mut String, (left, y): (f64, f64), times: &Times, colour: &str, scale: f64) {
    let end = left + times.median() * scale;
    let middle = y + BAR / 2.0;
    let digits = usize::from(times.median() < 10.0);
    let _ = writeln!(
        page,
        "<rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>\
         <path d=\"M{:.1} {middle:.1}H{:.1}\" stroke=\"#20242c\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{:.digits$}</text>",
        end - left,
        left + times.min() * scale,
        left + times.max() * scale,
        left + times.max() * scale + 6.0,
        y + BAR - 1.5,
        times.median()
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Goal;

    fn comparison(unit: &'static str) -> Comparison {
        Comparison {
            case: "a case".into(),
            unit,
            peer_name: "floor",
            ours: Times::new(vec![1.0, 2.0, 4.0]).unwrap(),
            peer: Times::new(vec![3.0]).unwrap(),
            goal: Goal::default(),
            size: None,
        }
    }

    #[test]
    fn bars_are_as_long_as_their_medians() {
        let page = svg("title", &[comparison("ms")]).unwrap();
        let full = LENGTH;
        assert!(
            page.contains(&format!("width=\"{:.1}\"", full / 2.0)),
            "{page}"
        );
        assert!(
            page.contains(&format!("width=\"{:.1}\"", full * 3.0 / 4.0)),
            "{page}"
        );
    }

    #[test]
    fn nothing_is_refused() {
        assert!(svg("title", &[]).is_err());
    }

    #[test]
    fn what_cannot_be_compared_has_a_scale_of_its_own() {
        let mut long = comparison("ms");
        long.case = "a case with a name that needs more room than others have".into();
        let page = svg("title", &[comparison("MiB"), long, comparison("MiB")]).unwrap();
        assert_eq!(page.matches("ours (").count(), 2, "{page}");
        assert_eq!(page.matches("ours (MiB)").count(), 1, "{page}");
        // The longer of both sides fills each of the parts.
        let end = format!("H{:.1}", 56.0 * LETTER + 24.0 + LENGTH);
        assert_eq!(page.matches(&end).count(), 3, "{page}");
    }
}
