//! Results as a table for people and as JSON for programs.

use std::fmt::{self, Write};

use serde_json::{Value, json};

use crate::growth::{self, Size};
use crate::rounds::Times;

/// Ours beside a peer or a floor, in one case.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What was measured.
    pub case: String,
    /// The unit of the times.
    pub unit: &'static str,
    /// Who or what ours is compared with.
    pub peer_name: &'static str,
    /// Our times.
    pub ours: Times,
    /// The other side's times.
    pub peer: Times,
    /// What was aimed at.
    pub goal: Goal,
    /// Where this is a point of a growth curve, which.
    pub size: Option<Size>,
}

/// What was aimed at; nothing, unless told.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Goal {
    /// The other side takes at least so many times longer.
    ratio: Option<f64>,
    /// Ours is at most this, in its unit.
    at_most: Option<f64>,
}

impl Goal {
    /// The other side takes at least so many times as long; below one: ours may take that much longer.
    pub const fn ratio(least: f64) -> Self {
        Self {
            ratio: Some(least),
            at_most: None,
        }
    }

    /// Ours is at most this, in its unit.
    pub const fn at_most(most: f64) -> Self {
        Self {
            ratio: None,
            at_most: Some(most),
        }
    }

    /// That, too.
    pub const fn and_at_most(self, most: f64) -> Self {
        Self {
            at_most: Some(most),
            ..self
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratio = self.ratio.map(|least| format!("≥ {}", ratio_text(least)));
        let at_most = self.at_most.map(|most| format!("ours ≤ {most:.0}"));
        let both: Vec<String> = ratio.into_iter().chain(at_most).collect();
        f.write_str(&both.join(", "))
    }
}

impl Comparison {
    /// How many times longer the other side takes, by medians.
    pub fn ratio(&self) -> f64 {
        self.peer.median() / self.ours.median()
    }

    /// Whether the goal is reached, if there is one.
    pub fn reached(&self) -> Option<bool> {
        let by_ratio = self.goal.ratio.map(|least| self.ratio() >= least);
        let by_size = self.goal.at_most.map(|most| self.ours.median() <= most);
        match (by_ratio, by_size) {
            (Some(one), Some(other)) => Some(one && other),
            (one, other) => one.or(other),
        }
    }
}

/// One line for each comparison: median (least to greatest) of each side, ratio, goal. After them how each
/// curve grows.
pub fn table(comparisons: &[Comparison]) -> String {
    let mut rows = vec![["case", "unit", "ours", "peer", "peer/ours", "goal"].map(str::to_owned)];
    rows.extend(comparisons.iter().map(|comparison| {
        [
            comparison.case.clone(),
            comparison.unit.to_owned(),
            summary(&comparison.ours),
            format!("{} {}", comparison.peer_name, summary(&comparison.peer)),
            ratio_text(comparison.ratio()),
            comparison.goal.to_string(),
        ]
    }));
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            // Writing to a string cannot fail.
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for curve in growth::curves(comparisons) {
        let _ = writeln!(text, "{curve}");
    }
    text
}

/// Two digits that matter where there are none before the point.
pub(crate) fn ratio_text(ratio: f64) -> String {
    match ratio {
        small if small < 0.095 => format!("{small:.3}"),
        medium if medium < 0.95 => format!("{medium:.2}"),
        large if large >= 99.5 => format!("{large:.0}"),
        large => format!("{large:.1}"),
    }
}

fn summary(times: &Times) -> String {
    format!(
        "{:.1} ({:.1} to {:.1})",
        times.median(),
        times.min(),
        times.max()
    )
}

/// The same numbers, unrounded.
pub fn json(benchmark: &str, comparisons: &[Comparison]) -> Value {
    let side = |times: &Times| {
        json!({
            "median": times.median(),
            "min": times.min(),
            "max": times.max(),
            "rounds": times.rounds(),
        })
    };
    let results: Vec<Value> = comparisons
        .iter()
        .map(|comparison| {
            let ratios = comparison.ours.ratios(&comparison.peer);
            json!({
                "case": comparison.case,
                "unit": comparison.unit,
                "ours": side(&comparison.ours),
                "peer_name": comparison.peer_name,
                "peer": side(&comparison.peer),
                "ratio": comparison.ratio(),
                "ratio_min": ratios.as_ref().map(Times::min),
                "ratio_max": ratios.as_ref().map(Times::max),
                "goal": comparison.goal.to_string(),
                "reached": comparison.reached(),
                "size": comparison.size.as_ref().map(Size::json),
            })
        })
        .collect();
    let growth: Vec<Value> = growth::curves(comparisons)
        .iter()
        .map(growth::Curve::json)
        .collect();
    json!({ "benchmark": benchmark, "results": results, "growth": growth })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Comparison {
        Comparison {
            case: "rate 1/12".to_owned(),
            unit: "ns/draw",
            peer_name: "peer",
            ours: Times::new(vec![50.0, 40.0, 60.0]).unwrap(),
            peer: Times::new(vec![1000.0]).unwrap(),
            goal: Goal::ratio(20.0).and_at_most(70.0),
            size: None,
        }
    }

    #[test]
    fn the_table_lines_up() {
        let expected = "\
case       unit     ours                 peer                           peer/ours  goal
rate 1/12  ns/draw  50.0 (40.0 to 60.0)  peer 1000.0 (1000.0 to 1000.0)  20.0       ≥ 20.0, ours ≤ 70
";
        let shown = table(&[example()]);
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeeze(&shown), squeeze(expected));
        let goal_columns: Vec<_> = shown
            .lines()
            .map(|line| line.find("goal").or(line.find("≥ 20.0")))
            .collect();
        assert_eq!(goal_columns[0], goal_columns[1]);
    }

    #[test]
    fn small_ratios_keep_their_digits() {
        let texts = [0.0312, 0.456, 1.04, 212.0].map(ratio_text);
        assert_eq!(texts, ["0.031", "0.46", "1.0", "212"]);
    }

    #[test]
    fn json_holds_the_ratio() {
        let value = json("laplace", &[example()]);
        assert_eq!(value["results"][0]["ratio"], 20.0);
        assert_eq!(value["results"][0]["ours"]["rounds"], 3);
        assert_eq!(value["results"][0]["reached"], true);
        assert_eq!(value["growth"], json!([]));
    }

    #[test]
    fn a_goal_is_reached_in_all_of_its_parts() {
        let with = |goal| Comparison { goal, ..example() }.reached();
        assert_eq!(with(Goal::default()), None);
        assert_eq!(with(Goal::ratio(21.0)), Some(false));
        assert_eq!(with(Goal::at_most(49.0)), Some(false));
        assert_eq!(with(Goal::ratio(20.0).and_at_most(49.0)), Some(false));
    }
}
