//! Curves over ε: a panel for each measure, a line for each method.

use wayveil_report::{Chart, Curve, CurvePoint, Panel, curves};

use super::data::Data;
use super::measure::{Measure, Outcome};
use wayveil_reproduce::campaigns::Method;

use super::plan::Plan;

const PANELS: [(Measure, &str); 4] = [
    (Measure::F1, "F1, longest"),
    (Measure::Error, "query error (at most 1.5), longest"),
    (Measure::Precision, "precision, longest"),
    (Measure::Recall, "recall, longest"),
];

/// As many as there are colours; false discovery lies beside family-wise.
const LINES: [Method; 7] = [
    Method::SfpPublished,
    Method::Sfp,
    Method::TrieHhPublished,
    Method::TrieHh,
    Method::AsPublished,
    Method::PerCandidate,
    Method::FamilyWise,
];

/// Draws the means over the settings.
pub(super) fn svg(plan: &Plan, data: &Data, outcomes: &[Outcome]) -> String {
    let panel = |&(measure, title): &(Measure, &str)| {
        let lines = LINES.iter().enumerate();
        Panel {
            title: title.to_owned(),
            curves: lines
                .map(|(candidate, &method)| Curve {
                    candidate,
                    points: points(plan, outcomes, method, measure),
                })
                .collect(),
        }
    };
    let settings = data.settings.len();
    curves(&Chart {
        title: format!(
            "{}: means of {settings} settings, by ε",
            data.title.replace('`', "")
        ),
        parameter: "epsilon".to_owned(),
        values: plan.epsilons.iter().map(|&it| it.to_owned()).collect(),
        candidates: LINES.map(|method| method.words().to_owned()).to_vec(),
        panels: PANELS.iter().map(panel).collect(),
    })
}

fn points(plan: &Plan, outcomes: &[Outcome], method: Method, measure: Measure) -> Vec<CurvePoint> {
    let epsilons = plan.epsilons.iter().enumerate();
    epsilons
        .filter_map(|(at, &epsilon)| {
            let found = outcomes
                .iter()
                .find(|outcome| outcome.method == method && outcome.epsilon == epsilon)?;
            let samples = found.samples(measure);
            let mean = samples.mean()?;
            let half = samples.half_width().unwrap_or(0.0);
            Some(CurvePoint {
                at,
                // A few answers that are wrong by far would hide all others.
                value: mean.min(MOST),
                half_width: if mean < MOST { half } else { 0.0 },
            })
        })
        .collect()
}

/// Larger values are drawn here.
const MOST: f64 = 1.5;
