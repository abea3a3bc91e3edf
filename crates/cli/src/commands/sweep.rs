//! Candidates over the values of a parameter, for `wayveil evaluate`.

use wayveil_core::{Error, Result};
use wayveil_evaluate::evaluation::{Candidate, Measured};
use wayveil_report::{Chart, Curve, CurvePoint, Panel};

/// Candidates and the values of a parameter to try each with.
pub(super) struct Sweep {
    candidates: Vec<(String, Candidate)>,
    parameter: Option<String>,
    values: Vec<String>,
}

/// One candidate at one value.
pub(super) struct Point {
    pub(super) name: String,
    candidate: usize,
    value: usize,
    pub(super) tried: Candidate,
}

impl Sweep {
    pub(super) fn read(publish: &[String], sweep: Option<&str>) -> Result<Self> {
        let candidates = publish
            .iter()
            .map(|text| Ok((text.clone(), candidate(text)?)))
            .collect::<Result<_>>()?;
        let Some(text) = sweep else {
            return Ok(Self {
                candidates,
                parameter: None,
                values: vec![String::new()],
            });
        };
        let (name, values) = text.split_once('=').ok_or_else(|| {
            Error::input(format!(
                "invalid sweep (got {text:?}): expected PARAMETER=VALUE,..."
            ))
            .hint("for instance --sweep epsilon=0.5,1,1.5")
        })?;
        Ok(Self {
            candidates,
            parameter: Some(name.to_owned()),
            values: values.split(',').map(str::to_owned).collect(),
        })
    }

    /// Every candidate at every value.
    pub(super) fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for (at, (text, base)) in self.candidates.iter().enumerate() {
            for (position, value) in self.values.iter().enumerate() {
                let (name, tried) = match &self.parameter {
                    None => (text.clone(), base.clone()),
                    Some(parameter) => (
                        format!("{text} {parameter}={value}"),
                        base.with(parameter, value),
                    ),
                };
                points.push(Point {
                    name,
                    candidate: at,
                    value: position,
                    tried,
                });
            }
        }
        points
    }

    /// A panel for each number, a curve for each candidate.
    pub(super) fn chart(&self, measured: &[(Point, Vec<Measured>)]) -> Chart {
        let mut panels: Vec<Panel> = Vec::new();
        for (point, entries) in measured {
            for entry in entries {
                let Some(value) = entry.samples.mean() else {
                    continue;
                };
                let title = entry.name();
                let at = panels.iter().position(|panel| panel.title == title);
                let panel = at.unwrap_or_else(|| {
                    panels.push(Panel {
                        title,
                        curves: Vec::new(),
                    });
                    panels.len() - 1
                });
                let curves = &mut panels[panel].curves;
                let known = curves
                    .iter()
                    .position(|curve| curve.candidate == point.candidate);
                let curve = known.unwrap_or_else(|| {
                    curves.push(Curve {
                        candidate: point.candidate,
                        points: Vec::new(),
                    });
                    curves.len() - 1
                });
                curves[curve].points.push(CurvePoint {
                    at: point.value,
                    value,
                    half_width: entry.samples.half_width().unwrap_or(0.0),
                });
            }
        }
        Chart {
            title: "What releases are good for (internal)".into(),
            parameter: self.parameter.clone().unwrap_or_default(),
            values: self.values.clone(),
            candidates: self
                .candidates
                .iter()
                .map(|(text, _)| text.clone())
                .collect(),
            panels,
        }
    }
}

fn candidate(text: &str) -> Result<Candidate> {
    text.parse().map_err(|_| {
        Error::input("--publish needs a method")
            .hint("for instance --publish 'prefix-tree height=12'")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_makes_a_point_of_every_value() {
        let sweep = Sweep::read(&["a x=1".into(), "b".into()], Some("y=1,2")).unwrap();
        let names: Vec<_> = sweep.points().into_iter().map(|point| point.name).collect();
        assert_eq!(names, ["a x=1 y=1", "a x=1 y=2", "b y=1", "b y=2"]);
        assert!(Sweep::read(&["a".into()], Some("epsilon")).is_err());
    }
}
