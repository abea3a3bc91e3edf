//! Results as a picture: for each case a bar for ours and one for the other side.

use std::fmt::Write;

use crate::report::Comparison;
use crate::rounds::Times;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 230.0;
const RIGHT: f64 = 90.0;
const TOP: f64 = 52.0;
const BAR: f64 = 11.0;
const ROW: f64 = 34.0;
const OURS: &str = "#3f3d8f";
const PEER: &str = "#979ea9";

/// Draws medians as bars and least to greatest as a line across their end. All cases must have one
/// unit.
pub fn svg(title: &str, comparisons: &[Comparison]) -> Result<String, String> {
    let first = comparisons.first().ok_or("there is nothing to draw")?;
    if comparisons.iter().any(|other| other.unit != first.unit) {
        return Err("cases of different units cannot be drawn together".into());
    }
    let most = comparisons
        .iter()
        .flat_map(|comparison| [comparison.ours.max(), comparison.peer.max()])
        .fold(f64::MIN_POSITIVE, f64::max);
    let scale = (WIDTH - LEFT - RIGHT) / most;
    let height = TOP + ROW * comparisons.len() as f64 + 16.0;
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#20242c\">\n\
         <title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" rx=\"8\" fill=\"#fbfbf9\"/>\n\
         <text x=\"16\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{title}</text>\n"
    );
    for (at, colour, name) in [(LEFT, OURS, "ours"), (LEFT + 110.0, PEER, first.peer_name)] {
        let _ = writeln!(
            page,
            "<rect x=\"{at}\" y=\"34\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"43\">{name} ({})</text>",
            at + 15.0,
            first.unit
        );
    }
    for (row, comparison) in comparisons.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        let _ = writeln!(
            page,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            y + BAR + 4.0,
            comparison.case
        );
        bar(&mut page, y, &comparison.ours, OURS, scale);
        bar(&mut page, y + BAR + 2.0, &comparison.peer, PEER, scale);
    }
    page.push_str("</svg>\n");
    Ok(page)
}

fn bar(page: &mut String, y: f64, times: &Times, colour: &str, scale: f64) {
    let end = LEFT + times.median() * scale;
    let middle = y + BAR / 2.0;
    let _ = writeln!(
        page,
        "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>\
         <path d=\"M{:.1} {middle:.1}H{:.1}\" stroke=\"#20242c\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{:.0}</text>",
        end - LEFT,
        LEFT + times.min() * scale,
        LEFT + times.max() * scale,
        LEFT + times.max() * scale + 6.0,
        y + BAR - 1.5,
        times.median()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(unit: &'static str) -> Comparison {
        Comparison {
            case: "a case".into(),
            unit,
            peer_name: "floor",
            ours: Times::new(vec![1.0, 2.0, 4.0]).unwrap(),
            peer: Times::new(vec![3.0]).unwrap(),
            goal: "",
        }
    }

    #[test]
    fn bars_are_as_long_as_their_medians() {
        let page = svg("title", &[comparison("ms")]).unwrap();
        let full = WIDTH - LEFT - RIGHT;
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
    fn nothing_and_mixed_units_are_refused() {
        assert!(svg("title", &[]).is_err());
        assert!(svg("title", &[comparison("ms"), comparison("MiB")]).is_err());
    }
}
