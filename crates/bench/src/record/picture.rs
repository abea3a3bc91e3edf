//! Growth as a picture: both sides of every curve, on logarithmic axes, with their exponents.

use std::fmt::Write;

use super::kept::{Exponent, Grown, Kept};

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 44.0;
const ROW: f64 = 18.0;
const COLOURS: [&str; 8] = [
    "#3f3d8f", "#b0562f", "#2f7d6b", "#8a6d1f", "#7a3b78", "#2f6ea3", "#6b6f2a", "#a33b4a",
];

/// A point of a curve: size, ours, the other's.
type Points = Vec<(f64, f64, f64)>;

/// Draws the curves of one benchmark; none where nothing grows.
pub(super) fn svg(kept: &Kept) -> Option<String> {
    let lines: Vec<(&Grown, Points)> = (kept.measured.growth.iter())
        .map(|grown| (grown, points(kept, grown)))
        .collect();
    let first = lines.first()?.0;
    let all = || lines.iter().flat_map(|(_, points)| points);
    let x = Axis::over(all().map(|it| it.0))?;
    let y = Axis::over(all().flat_map(|it| [it.1, it.2]))?;
    let height = TOP + HEIGHT + 56.0 + ROW * lines.len() as f64;
    let width = LEFT + WIDTH + 40.0;
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#20242c\">\n\
         <title>{0}</title>\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"8\" fill=\"#fbfbf9\"/>\n\
         <text x=\"16\" y=\"24\" font-size=\"14\" font-weight=\"bold\">{0}</text>\n",
        kept.about
    );
    for (value, at) in x.marks() {
        let at = LEFT + at * WIDTH;
        let _ = writeln!(
            page,
            "<path d=\"M{at:.1} {TOP}v{HEIGHT}\" stroke=\"#e4e4df\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{value}</text>",
            TOP + HEIGHT + 16.0
        );
    }
    for (value, at) in y.marks() {
        let at = TOP + (1.0 - at) * HEIGHT;
        let _ = writeln!(
            page,
            "<path d=\"M{LEFT} {at:.1}h{WIDTH}\" stroke=\"#e4e4df\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{value} {}</text>",
            LEFT - 6.0,
            at + 4.0,
            first.unit
        );
    }
    for (index, (grown, points)) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let row = TOP + HEIGHT + 44.0 + ROW * index as f64;
        let path = |of: fn(&(f64, f64, f64)) -> f64| {
            let places = points.iter().map(|point| {
                let (x, y) = (x.place(point.0), y.place(of(point)));
                format!("{:.1} {:.1}", LEFT + x * WIDTH, TOP + (1.0 - y) * HEIGHT)
            });
            places.collect::<Vec<_>>().join("L")
        };
        let _ = writeln!(
            page,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-dasharray=\"4 4\"/>\
             <path d=\"M16 {row:.1}h22\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"46\" y=\"{:.1}\">{}: exponent {}; dashed: {}, {}</text>",
            path(|it| it.1),
            path(|it| it.2),
            row + 4.0,
            grown.line,
            exponent(grown.ours),
            grown.peer_name,
            exponent(grown.peer)
        );
    }
    page.push_str("</svg>\n");
    Some(page)
}

/// An exponent with its standard error.
pub(super) fn exponent(of: Exponent) -> String {
    match of.error {
        Some(error) => format!("{:.2} ± {error:.2}", of.exponent),
        None => format!("{:.2}", of.exponent),
    }
}

fn points(kept: &Kept, grown: &Grown) -> Points {
    let cases = kept.measured.results.iter().filter_map(|case| {
        let size = case.size.as_ref()?;
        let same = size.line == grown.line && size.of == grown.of;
        let same = same && case.unit == grown.unit && case.peer_name == grown.peer_name;
        same.then_some((size.value, case.ours.median, case.peer.median))
    });
    let mut points: Points = cases.collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// A logarithmic axis.
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>) -> Option<Self> {
        let logs = values.map(f64::ln);
        let (from, to) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), value| {
            (from.min(value), to.max(value))
        });
        let room = ((to - from) * 0.06).max(0.05);
        (from.is_finite() && to.is_finite()).then_some(Self {
            from: from - room,
            to: to + room,
        })
    }

    fn place(&self, value: f64) -> f64 {
        (value.ln() - self.from) / (self.to - self.from)
    }

    /// Ones, twos and fives within the axis, no closer than a twelfth of it.
    fn marks(&self) -> Vec<(String, f64)> {
        let mut marks: Vec<(String, f64)> = Vec::new();
        for power in -9..13 {
            for digit in [1.0, 2.0, 5.0] {
                let value = digit * 10_f64.powi(power);
                let at = self.place(value);
                let close = marks.last().is_some_and(|(_, last)| at - last < 1.0 / 12.0);
                if (0.0..=1.0).contains(&at) && !close {
                    marks.push((short(value), at));
                }
            }
        }
        marks
    }
}

fn short(value: f64) -> String {
    match value {
        millions if millions >= 1e6 => format!("{} M", millions / 1e6),
        thousands if thousands >= 1e3 => format!("{} k", thousands / 1e3),
        _ => format!("{value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lie_on_the_axis_and_apart() {
        let axis = Axis::over([400_000.0, 1_200_000.0].into_iter()).unwrap();
        let marks = axis.marks();
        let names: Vec<&str> = marks.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["500 k", "1 M"]);
        assert!(marks.iter().all(|(_, at)| (0.0..=1.0).contains(at)));
        assert!(Axis::over(std::iter::empty()).is_none());
    }
}
