//! Curves over ε for one data set: a panel for each measure, ours and the best height of each tree.

use wayveil_report::{Chart, Curve, CurvePoint, Panel, curves};

use super::numbers::NUMBERS;
use super::trial::Row;

/// The columns that are drawn.
const PANELS: [(&str, &str); 6] = [
    ("counts 2", "count-query error, group 2"),
    ("counts 4", "count-query error, group 4"),
    ("top 300", "true ones of the top 300"),
    ("length", "length divergence"),
    ("trip", "trip divergence"),
    ("transition", "transition divergence"),
];

/// Draws the rows of one data set.
pub(super) fn svg(data: &str, epsilons: &[String], rows: &[&Row]) -> String {
    let mut methods: Vec<String> = Vec::new();
    for row in rows {
        if !methods.contains(&row.method) {
            methods.push(row.method.clone());
        }
    }
    let panel = |&(heading, title): &(&str, &str)| {
        let column = NUMBERS.iter().position(|it| it.heading == heading);
        let curve = |(candidate, method): (usize, &String)| Curve {
            candidate,
            points: epsilons
                .iter()
                .enumerate()
                .filter_map(|(at, epsilon)| {
                    let mut found = rows.iter();
                    let row = found.find(|row| row.method == *method && row.epsilon == *epsilon)?;
                    let samples = &row.cells.get(column?)?.samples;
                    Some(CurvePoint {
                        at,
                        value: samples.mean()?,
                        half_width: samples.half_width().unwrap_or(0.0),
                    })
                })
                .collect(),
        };
        Panel {
            title: title.to_owned(),
            curves: methods.iter().enumerate().map(curve).collect(),
        }
    };
    curves(&Chart {
        title: format!("{data}: means with 95 % intervals, by ε; trees with their best heights"),
        parameter: "epsilon".to_owned(),
        values: epsilons.to_vec(),
        candidates: methods.clone(),
        panels: PANELS.iter().map(panel).collect(),
    })
}
