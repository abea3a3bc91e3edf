//! A picture: a panel for each measure, a line for each form, the paper's own lines among them.

use wayveil_report::{Chart, Curve, CurvePoint, Panel as Drawn, curves};

use crate::entry::{Bound, Made, Panel};
use crate::reproduced::Reproduced;

/// Draws the measured cells as an SVG.
pub fn svg(made: &Reproduced) -> String {
    let mut values: Vec<String> = Vec::new();
    for cell in &made.cells {
        if !values.contains(&cell.at) {
            values.push(cell.at.clone());
        }
    }
    let mut candidates: Vec<String> = Vec::new();
    let panels = made.panels();
    let panels = panels
        .into_iter()
        .map(|panel| draw(made, panel, &values, &mut candidates));
    let panels = panels.collect();
    let parameter = match made.entry.made {
        Made::Measured { parameter, .. } => parameter,
        _ => "",
    };
    curves(&Chart {
        title: format!("{}: {}", made.name(), made.entry.title),
        parameter: parameter.to_owned(),
        values,
        candidates,
        panels,
    })
}

fn draw(
    made: &Reproduced,
    panel: &Panel,
    values: &[String],
    candidates: &mut Vec<String>,
) -> Drawn {
    let mut lines: Vec<(String, Vec<CurvePoint>)> = Vec::new();
    let place = |at: &str| values.iter().position(|value| value == at);
    for line in made.entry.reported {
        if line.panel != panel.reported || line.bound != Bound::Is {
            continue;
        }
        let points = line.values.iter().filter_map(|&(at, value)| {
            Some(CurvePoint {
                at: place(at)?,
                value,
                half_width: 0.0,
            })
        });
        lines.push((
            format!("the paper's {}, its data", line.series),
            points.collect(),
        ));
    }
    for series in made.series(panel) {
        let points = values.iter().enumerate().filter_map(|(at, value)| {
            let samples = &made.cell(panel, series, value)?.samples;
            Some(CurvePoint {
                at,
                value: samples.mean()?,
                half_width: samples.half_width().unwrap_or(0.0),
            })
        });
        lines.push((series.name.to_owned(), points.collect()));
    }
    lines.retain(|(_, points)| !points.is_empty());
    let curves = lines.into_iter().map(|(name, points)| {
        let known = candidates.iter().position(|candidate| *candidate == name);
        let candidate = known.unwrap_or_else(|| {
            candidates.push(name);
            candidates.len() - 1
        });
        Curve { candidate, points }
    });
    Drawn {
        title: panel.title.clone(),
        curves: curves.collect(),
    }
}
