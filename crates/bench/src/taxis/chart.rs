//! Curves over ε: a panel for each measure, a line for each kind of release.

use wayveil_report::{Chart, Curve, CurvePoint, Panel, curves};

use super::Outcome;
use super::data::Data;
use super::measure::Measure;
use super::plan::{Plan, Way};

const PANELS: [Measure; 6] = [
    Measure::Journeys,
    Measure::Shown,
    Measure::Bits,
    Measure::Visits,
    Measure::Pairs,
    Measure::Distance,
];

/// The most lines: as many as there are colours.
const LINES: usize = 7;

/// Draws what became of windows with one for each taxi, beside the paper's way.
pub(super) fn svg(plan: &Plan, data: &Data, outcomes: &[Outcome]) -> String {
    let names = names(outcomes);
    let panel = |&measure: &Measure| {
        let lines = names.iter().enumerate().map(|(candidate, name)| Curve {
            candidate,
            points: match (measure, candidate) {
                // All taxis and decoys: the other lines would lie at the bottom.
                (Measure::Journeys, 0) => Vec::new(),
                _ => points(plan, outcomes, name, measure),
            },
        });
        Panel {
            title: heading(measure).to_owned(),
            curves: lines.collect(),
        }
    };
    curves(&Chart {
        title: format!(
            "{}: the usual window of n points of each, and {} decoys, by ε",
            data.words(),
            plan.decoys
        ),
        parameter: "epsilon".to_owned(),
        values: plan.epsilons.iter().map(|&it| it.to_owned()).collect(),
        candidates: names.clone(),
        panels: PANELS.iter().map(panel).collect(),
    })
}

fn heading(measure: Measure) -> &'static str {
    match measure {
        Measure::Visits => "visits, divergence",
        Measure::Pairs => "pairs, divergence",
        Measure::Distance => "visits moved, km",
        other => other.words(),
    }
}

/// The lines: the paper's way, and all windows with m = 1 and nothing unusual, public centres first.
fn names(outcomes: &[Outcome]) -> Vec<String> {
    let mut names = vec![Way::AsPublished.name()];
    for ending in ["m = 1, public centres", "m = 1, private centres"] {
        for outcome in outcomes {
            let name = outcome.way.name();
            if name.ends_with(ending) && !names.contains(&name) && names.len() < LINES {
                names.push(name);
            }
        }
    }
    names
}

/// A way without ε has the same value everywhere.
fn points(plan: &Plan, outcomes: &[Outcome], name: &str, measure: Measure) -> Vec<CurvePoint> {
    let epsilons = plan.epsilons.iter().enumerate();
    epsilons
        .filter_map(|(at, &epsilon)| {
            let found = outcomes.iter().find(|outcome| {
                let repaired = outcome.way.repaired();
                outcome.way.name() == name && repaired.is_none_or(|it| it.epsilon == epsilon)
            })?;
            let samples = found.measured.of(measure);
            Some(CurvePoint {
                at,
                value: samples.mean()?,
                half_width: samples.half_width().unwrap_or(0.0),
            })
        })
        .collect()
}
