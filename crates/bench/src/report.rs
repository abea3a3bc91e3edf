//! Results as a table for people and as JSON for programs.

use std::fmt::Write;

use serde_json::{Value, json};

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
    /// What was aimed at, in words.
    pub goal: &'static str,
}

impl Comparison {
    /// How many times longer the other side takes, by medians.
    pub fn ratio(&self) -> f64 {
        self.peer.median() / self.ours.median()
    }
}

/// One line for each comparison: median (least to greatest) of each side, ratio, goal.
pub fn table(comparisons: &[Comparison]) -> String {
    let mut rows = vec![["case", "unit", "ours", "peer", "peer/ours", "goal"].map(str::to_owned)];
    rows.extend(comparisons.iter().map(|comparison| {
        [
            comparison.case.clone(),
            comparison.unit.to_owned(),
            summary(&comparison.ours),
            format!("{} {}", comparison.peer_name, summary(&comparison.peer)),
            ratio_text(comparison.ratio()),
            comparison.goal.to_owned(),
        ]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
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
    text
}

/// Two digits that matter where there are none before the point.
fn ratio_text(ratio: f64) -> String {
    match ratio {
        small if small < 0.095 => format!("{small:.3}"),
        medium if medium < 0.95 => format!("{medium:.2}"),
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
            json!({
                "case": comparison.case,
                "unit": comparison.unit,
                "ours": side(&comparison.ours),
                "peer_name": comparison.peer_name,
                "peer": side(&comparison.peer),
                "ratio": comparison.ratio(),
                "goal": comparison.goal,
            })
        })
        .collect();
    json!({ "benchmark": benchmark, "results": results })
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
            goal: "20 times faster",
        }
    }

    #[test]
    fn the_table_lines_up() {
        let expected = "\
case       unit     ours                 peer                           peer/ours  goal
rate 1/12  ns/draw  50.0 (40.0 to 60.0)  peer 1000.0 (1000.0 to 1000.0)  20.0       20 times faster
";
        let shown = table(&[example()]);
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeeze(&shown), squeeze(expected));
        let goal_columns: Vec<_> = shown
            .lines()
            .map(|line| line.find("goal").or(line.find("20 times")))
            .collect();
        assert_eq!(goal_columns[0], goal_columns[1]);
    }

    #[test]
    fn small_ratios_keep_their_digits() {
        let texts = [0.0312, 0.456, 1.04, 212.0].map(ratio_text);
        assert_eq!(texts, ["0.031", "0.46", "1.0", "212.0"]);
    }

    #[test]
    fn json_holds_the_ratio() {
        let value = json("laplace", &[example()]);
        assert_eq!(value["results"][0]["ratio"], 20.0);
        assert_eq!(value["results"][0]["ours"]["rounds"], 3);
    }
}
