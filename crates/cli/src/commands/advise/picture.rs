//! Error against ε as a picture.

use wayveil_evaluate::advise::Advice;
use wayveil_report::{Chart, Curve, CurvePoint, Panel, curves};

/// One panel, a curve for each method; for promises without an ε, error against the promise.
pub(super) fn svg(advice: &Advice) -> String {
    let label = |point: &wayveil_evaluate::advise::Point| match &point.epsilon {
        Some(epsilon) => epsilon.clone(),
        None => {
            let parameters = point.parameters.iter();
            let strengths = parameters.filter(|(name, _)| ["k", "l", "c"].contains(&name.as_str()));
            let texts: Vec<&str> = strengths.map(|(_, value)| value.as_str()).collect();
            texts.join("/")
        }
    };
    let mut values: Vec<String> = Vec::new();
    let mut candidates: Vec<String> = Vec::new();
    let mut lines: Vec<Curve> = Vec::new();
    for point in &advice.points {
        let value = label(point);
        if !values.contains(&value) {
            values.push(value.clone());
        }
        if !candidates.contains(&point.method) {
            lines.push(Curve {
                candidate: candidates.len(),
                points: Vec::new(),
            });
            candidates.push(point.method.clone());
        }
        let at = values.iter().position(|it| *it == value).unwrap_or(0);
        let curve = candidates
            .iter()
            .position(|it| *it == point.method)
            .unwrap_or(0);
        lines[curve].points.push(CurvePoint {
            at,
            value: point.error.mean * 100.0,
            half_width: point.error.half_width * 100.0,
        });
    }
    curves(&Chart {
        title: format!("Expected error for {}, in %", advice.task),
        parameter: match advice.points.iter().all(|it| it.epsilon.is_none()) {
            true => "K/L/C".into(),
            false => "epsilon".into(),
        },
        values,
        candidates,
        panels: vec![Panel {
            title: format!("{}, %", advice.task),
            curves: lines,
        }],
    })
}
