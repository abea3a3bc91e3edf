//! How times grow with a size: the exponent of a power law, fitted to both sides of a comparison.
//!
//! Least squares on logarithms of medians. An exponent of 1 is linear growth; the standard error is that of the
//! fit alone, and says nothing where there are two points.

use std::fmt;

use serde_json::{Value, json};

use crate::report::Comparison;

/// A point of a growth curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Size {
    /// What grows: records, locations, clients.
    pub of: &'static str,
    /// How much of it.
    pub value: f64,
    /// Which curve.
    pub line: String,
}

impl Size {
    /// A point of a curve.
    pub fn new(of: &'static str, value: impl Into<f64>, line: impl Into<String>) -> Option<Self> {
        Some(Self {
            of,
            value: value.into(),
            line: line.into(),
        })
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        json!({ "of": self.of, "value": self.value, "line": self.line })
    }
}

/// A power law's exponent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponent {
    /// The slope of logarithms.
    pub value: f64,
    /// Its standard error, from three points on.
    pub error: Option<f64>,
}

impl fmt::Display for Exponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.value)?;
        match self.error {
            Some(error) => write!(f, " ± {error:.2}"),
            None => Ok(()),
        }
    }
}

/// One curve of ours with the other side's.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    line: String,
    of: &'static str,
    from: f64,
    to: f64,
    unit: &'static str,
    peer_name: &'static str,
    ours: Exponent,
    peer: Exponent,
}

impl Curve {
    /// For programs, and for the page.
    pub fn json(&self) -> Value {
        let side = |of: Exponent| json!({ "exponent": of.value, "error": of.error });
        json!({
            "line": self.line,
            "of": self.of,
            "from": self.from,
            "to": self.to,
            "unit": self.unit,
            "peer_name": self.peer_name,
            "ours": side(self.ours),
            "peer": side(self.peer),
        })
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, from {} to {} {}: exponent {}, {} {}",
            self.line, self.from, self.to, self.of, self.ours, self.peer_name, self.peer
        )
    }
}

/// All curves of at least two sizes, in the order in which they first come.
pub fn curves(comparisons: &[Comparison]) -> Vec<Curve> {
    let mut groups: Vec<Vec<&Comparison>> = Vec::new();
    for comparison in comparisons.iter().filter(|it| it.size.is_some()) {
        let kind = |it: &Comparison| {
            let size = it.size.as_ref().map(|size| (size.of, size.line.clone()));
            (size, it.unit, it.peer_name)
        };
        let own = kind(comparison);
        match groups.iter_mut().find(|group| kind(group[0]) == own) {
            Some(group) => group.push(comparison),
            None => groups.push(vec![comparison]),
        }
    }
    groups.iter().filter_map(|group| curve(group)).collect()
}

fn curve(group: &[&Comparison]) -> Option<Curve> {
    let sizes: Vec<f64> = group
        .iter()
        .filter_map(|it| Some(it.size.as_ref()?.value))
        .collect();
    let fitted = |time: fn(&Comparison) -> f64| {
        let points = sizes
            .iter()
            .zip(group)
            .map(|(&size, &comparison)| (size, time(comparison)));
        fit(&points.collect::<Vec<_>>())
    };
    let first = group.first()?;
    let size = first.size.as_ref()?;
    Some(Curve {
        line: size.line.clone(),
        of: size.of,
        from: sizes.iter().copied().fold(f64::INFINITY, f64::min),
        to: sizes.iter().copied().fold(0.0, f64::max),
        unit: first.unit,
        peer_name: first.peer_name,
        ours: fitted(|it| it.ours.median())?,
        peer: fitted(|it| it.peer.median())?,
    })
}

/// The exponent b of a·x^b through points of positive numbers; none without two different x.
fn fit(points: &[(f64, f64)]) -> Option<Exponent> {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    if logs.iter().any(|(x, y)| !x.is_finite() || !y.is_finite()) {
        return None;
    }
    let n = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / n;
    let (mx, my) = (mean(|it| it.0), mean(|it| it.1));
    let spread: f64 = logs.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    if spread <= 1e-12 {
        return None;
    }
    let together: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let value = together / spread;
    let rest: f64 = logs
        .iter()
        .map(|(x, y)| (y - my - value * (x - mx)).powi(2))
        .sum();
    let error = (logs.len() > 2).then(|| (rest / (n - 2.0) / spread).sqrt());
    Some(Exponent { value, error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Goal;
    use crate::rounds::Times;

    #[test]
    fn a_power_law_is_found_again() {
        let points: Vec<(f64, f64)> = [1.0, 2.0, 5.0, 9.0]
            .map(|x: f64| (x, 3.0 * x.powf(1.5)))
            .to_vec();
        let found = fit(&points).unwrap();
        assert!((found.value - 1.5).abs() < 1e-12);
        assert!(found.error.unwrap() < 1e-7);
        // Off by a factor of two at the end: the slope and its error by hand.
        let found = fit(&[(1.0, 1.0), (2.0, 2.0), (4.0, 8.0)]).unwrap();
        assert!((found.value - 1.5).abs() < 1e-12);
        assert!((found.error.unwrap() - (1.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn one_size_has_no_exponent() {
        assert_eq!(fit(&[(2.0, 1.0), (2.0, 3.0)]), None);
        assert_eq!(fit(&[]), None);
        assert_eq!(fit(&[(1.0, 0.0), (2.0, 1.0)]), None);
        assert_eq!(fit(&[(1.0, 1.0), (2.0, 1.0)]).unwrap().error, None);
    }

    #[test]
    fn lines_are_kept_apart() {
        let point = |line: &str, size: f64, ours: f64| Comparison {
            case: String::new(),
            unit: "ms",
            peer_name: "floor",
            ours: Times::new(vec![ours]).unwrap(),
            peer: Times::new(vec![1.0]).unwrap(),
            goal: Goal::default(),
            size: Size::new("records", size, line),
        };
        let points = [
            point("a", 10.0, 1.0),
            point("b", 10.0, 1.0),
            point("a", 100.0, 10.0),
            point("b", 100.0, 100.0),
            Comparison {
                size: None,
                ..point("", 1.0, 1.0)
            },
        ];
        let found = curves(&points);
        assert_eq!(found.len(), 2);
        assert!((found[0].ours.value - 1.0).abs() < 1e-12);
        assert!((found[1].ours.value - 2.0).abs() < 1e-12);
        assert_eq!(found[1].peer.value, 0.0);
        assert_eq!(
            found[0].to_string(),
            "a, from 10 to 100 records: exponent 1.00, floor 0.00"
        );
    }
}
