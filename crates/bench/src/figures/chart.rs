//! A figure as a picture: a panel for each data set and measure, a line for each scheme.

use wayveil_report::{Chart, Curve, CurvePoint, Panel, curves};

use super::Measured;
use super::plan::{Figure, Measure, SCHEMES, Scheme};

/// Draws a figure. Runs that were refused are left out.
pub(super) fn svg(figure: &Figure, measured: &[Measured]) -> String {
    let panels = measured.iter().flat_map(|measured| {
        let measures = figure.measures.iter();
        measures.map(move |&measure| panel(figure, measured, measure))
    });
    curves(&Chart {
        title: figure.title(),
        parameter: figure.parameter.to_owned(),
        values: figure.points.iter().map(|(name, _)| name.clone()).collect(),
        candidates: SCHEMES.map(|scheme| figure.name(scheme)).to_vec(),
        panels: panels.collect(),
    })
}

fn panel(figure: &Figure, measured: &Measured, measure: Measure) -> Panel {
    let lines = SCHEMES.iter().enumerate();
    Panel {
        title: format!("{}: {}, %", measured.data.name, measure.words()),
        curves: lines
            .map(|(candidate, &scheme)| Curve {
                candidate,
                points: points(figure, measured, measure, scheme),
            })
            .collect(),
    }
}

fn points(
    figure: &Figure,
    measured: &Measured,
    measure: Measure,
    scheme: Scheme,
) -> Vec<CurvePoint> {
    let points = figure.points.iter().enumerate();
    points
        .filter_map(|(at, &(_, setting))| {
            let run = measured.run(&figure.options(measure, scheme, setting))?;
            Some(CurvePoint {
                at,
                value: 100.0 * run.loss()?.share?,
                half_width: 0.0,
            })
        })
        .collect()
}
