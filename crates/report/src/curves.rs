//! Small charts side by side: how values change with a parameter, a line for each candidate.

use crate::number::Axis;
use crate::svg::{Anchor, Font, Frame, PAPER, RULE, SOFT_INK, Svg, escape, short};

const PANEL: (f64, f64) = (300.0, 190.0);
const MARGIN: f64 = 20.0;
const HEAD: f64 = 50.0;
const ROW_OF_LEGEND: f64 = 18.0;
/// Where the names in the legend begin.
const NAMES: f64 = MARGIN + 30.0;
const DOT: f64 = 2.5;
/// What lies under something else is so much wider on either side, so that it can be seen.
const RIM: f64 = 1.0;
/// Values nearer than this, in pixels, cover each other.
const NEAR: f64 = 1.0;
/// Colours that stay apart for every eye (Okabe and Ito 2008), then repeated with dashes.
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#22262b",
];

/// One value of a candidate with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Position among the parameter's values.
    pub at: usize,
    /// The value.
    pub value: f64,
    /// Half the width of its confidence interval; 0 where there is none.
    pub half_width: f64,
}

/// The values of one candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The candidate, as a position in [`Chart::candidates`].
    pub candidate: usize,
    /// Its values, by rising position.
    pub points: Vec<CurvePoint>,
}

/// One chart: a metric over the parameter's values.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What is drawn.
    pub title: String,
    /// A curve for each candidate that has values.
    pub curves: Vec<Curve>,
}

/// All charts of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The heading.
    pub title: String,
    /// The parameter that was swept.
    pub parameter: String,
    /// Its values, as given.
    pub values: Vec<String>,
    /// Names of the candidates.
    pub candidates: Vec<String>,
    /// The charts.
    pub panels: Vec<Panel>,
}

/// Draws a sweep as one SVG.
pub fn curves(chart: &Chart) -> String {
    let columns = match chart.panels.len() {
        0..=2 | 4 => 2,
        _ => 3,
    };
    let rows = chart.panels.len().div_ceil(columns);
    let legend = ROW_OF_LEGEND * chart.candidates.len() as f64;
    let names = chart.candidates.iter();
    let width = names
        .map(|name| NAMES + Font::LABEL.width_of(name) + MARGIN)
        .chain([MARGIN * 2.0 + Font::TITLE.width_of(&chart.title)])
        .fold(MARGIN * 2.0 + PANEL.0 * columns as f64, f64::max);
    let height = HEAD + legend + PANEL.1 * rows as f64 + MARGIN;
    let mut svg = Svg::default();
    svg.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\">",
        short(width),
        short(height)
    ));
    svg.put(format_args!("<title>{}</title>", escape(&chart.title)));
    svg.panel(Frame::new(0.5, 0.5, width - 1.0, height - 1.0), PAPER, RULE);
    svg.text(MARGIN, 28.0, Font::TITLE, &chart.title);
    for (index, name) in chart.candidates.iter().enumerate() {
        let y = HEAD + ROW_OF_LEGEND * index as f64;
        svg.rule((MARGIN, y - 4.0), (MARGIN + 22.0, y - 4.0), colour(index));
        svg.text(NAMES, y, Font::LABEL, name);
    }
    for (index, panel) in chart.panels.iter().enumerate() {
        let frame = Frame::new(
            MARGIN + PANEL.0 * (index % columns) as f64,
            HEAD + legend + PANEL.1 * (index / columns) as f64,
            PANEL.0 - 20.0,
            PANEL.1 - 10.0,
        );
        draw(&mut svg, frame, chart, panel);
    }
    svg.put(format_args!("</svg>"));
    svg.finish()
}

fn colour(candidate: usize) -> &'static str {
    COLOURS[candidate % COLOURS.len()]
}

fn draw(svg: &mut Svg, frame: Frame, chart: &Chart, panel: &Panel) {
    svg.text(frame.x, frame.y + 12.0, Font::HEADING, &panel.title);
    let plot = Frame::new(
        frame.x + 44.0,
        frame.y + 24.0,
        frame.width - 52.0,
        frame.height - 64.0,
    );
    let most = panel
        .curves
        .iter()
        .flat_map(|curve| &curve.points)
        .map(|point| point.value + point.half_width)
        .fold(0.0, f64::max);
    let axis = Axis::up_to(most, 4);
    for (value, words) in &axis.ticks {
        let y = plot.bottom() - plot.height * axis.part(*value);
        svg.rule((plot.x, y), (plot.right(), y), RULE);
        svg.text(
            plot.x - 6.0,
            y + 4.0,
            Font::SOFT.anchored(Anchor::End),
            words,
        );
    }
    let steps = chart.values.len().saturating_sub(1).max(1) as f64;
    let x = |at: usize| plot.x + plot.width * at as f64 / steps;
    for (at, value) in chart.values.iter().enumerate() {
        svg.text(
            x(at),
            plot.bottom() + 16.0,
            Font::SOFT.anchored(Anchor::Middle),
            value,
        );
    }
    let middle = plot.x + plot.width / 2.0;
    let font = Font::SOFT.anchored(Anchor::Middle);
    svg.text(middle, plot.bottom() + 31.0, font, &chart.parameter);
    svg.rule(
        (plot.x, plot.bottom()),
        (plot.right(), plot.bottom()),
        SOFT_INK,
    );
    let y = |value: f64| plot.bottom() - plot.height * axis.part(value);
    for (index, curve) in panel.curves.iter().enumerate() {
        let ink = colour(curve.candidate);
        let later = &panel.curves[index + 1..];
        let above: Vec<usize> = curve
            .points
            .iter()
            .map(|point| covering(later, point.at, y(point.value), y))
            .collect();
        for (pair, above) in curve.points.windows(2).zip(above.windows(2)) {
            svg.put(format_args!(
                "<path d=\"M{} {}L{} {}\" stroke=\"{ink}\" stroke-width=\"{}\" fill=\"none\"/>",
                short(x(pair[0].at)),
                short(y(pair[0].value)),
                short(x(pair[1].at)),
                short(y(pair[1].value)),
                short(1.0 + 2.0 * RIM * above[0].min(above[1]) as f64)
            ));
        }
        for (point, &above) in curve.points.iter().zip(&above) {
            svg.put(format_args!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{ink}\"/>",
                short(x(point.at)),
                short(y(point.value)),
                short(DOT + RIM * above as f64)
            ));
            let (low, high) = (
                point.value - point.half_width,
                point.value + point.half_width,
            );
            svg.rule((x(point.at), y(low)), (x(point.at), y(high)), ink);
        }
    }
}

/// How many curves that are drawn later go through the same point.
fn covering(later: &[Curve], at: usize, height: f64, y: impl Fn(f64) -> f64) -> usize {
    let through = |curve: &&Curve| {
        let mut points = curve.points.iter();
        points.any(|point| point.at == at && (y(point.value) - height).abs() < NEAR)
    };
    later.iter().filter(through).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_every_panel_and_candidate_and_never_nan() {
        let point = |at, value| CurvePoint {
            at,
            value,
            half_width: 0.1,
        };
        let chart = Chart {
            title: "A <sweep>".into(),
            parameter: "epsilon".into(),
            values: vec!["0.5".into(), "1".into()],
            candidates: vec!["one".into(), "two".into()],
            panels: vec![
                Panel {
                    title: "error".into(),
                    curves: vec![Curve {
                        candidate: 1,
                        points: vec![point(0, 2.0), point(1, 1.0)],
                    }],
                },
                Panel {
                    title: "empty".into(),
                    curves: vec![],
                },
            ],
        };
        let page = curves(&chart);
        for part in [
            "A &lt;sweep&gt;",
            "error",
            "empty",
            "one",
            "two",
            "epsilon",
            COLOURS[1],
        ] {
            assert!(page.contains(part), "{part} is missing");
        }
        assert!(!page.contains("NaN") && !page.contains("inf"));
        assert!(!curves(&Chart::default()).contains("NaN"));
    }

    #[test]
    fn what_lies_under_something_else_can_be_seen() {
        let curve = |candidate, values: [f64; 2]| Curve {
            candidate,
            points: (0..2)
                .map(|at| CurvePoint {
                    at,
                    value: values[at],
                    half_width: 0.0,
                })
                .collect(),
        };
        let chart = Chart {
            values: vec!["1".into(), "2".into()],
            candidates: vec!["one".into(), "two".into()],
            panels: vec![Panel {
                title: "same at first".into(),
                curves: vec![curve(0, [5.0, 1.0]), curve(1, [5.0, 4.0])],
            }],
            ..Chart::default()
        };
        let page = curves(&chart);
        let radii: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("<circle"))
            .filter_map(|line| line.split("r=\"").nth(1)?.split('"').next())
            .collect();
        assert_eq!(radii, ["3.5", "2.5", "2.5", "2.5"]);
    }

    #[test]
    fn long_names_fit_on_the_page() {
        let name = "a candidate with a name of many words ".repeat(6);
        let width = |names: &[String]| {
            let page = curves(&Chart {
                candidates: names.to_vec(),
                ..Chart::default()
            });
            let size = page.split("viewBox=\"0 0 ").nth(1).unwrap();
            let size = size.split(' ').next().unwrap();
            size.parse::<f64>().unwrap()
        };
        assert_eq!(width(&[]), 640.0);
        assert!(width(std::slice::from_ref(&name)) > NAMES + Font::LABEL.width_of(&name));
    }
}
