//! For people.

use std::fmt::Write;

use crate::entry::{Entry, Made, Panel};
use crate::papers::papers;
use crate::reproduced::{Cell, Reproduced, number};

/// The list of all entries, as a table for each paper.
pub fn list() -> String {
    let mut text = String::new();
    for paper in papers() {
        let _ = write!(
            text,
            "### {}: {}\n\n{}. Here: `{}`.\n\n| entry | what it shows | how it is made |\n| --- | --- | --- |\n",
            paper.id, paper.title, paper.cited, paper.method
        );
        for entry in paper.entries {
            let name = format!("{}/{}", paper.id, entry.name);
            let _ = writeln!(text, "| `{name}` | {} | {} |", entry.title, how(entry));
        }
        text.push('\n');
    }
    text
}

/// How an entry is made, in a word.
fn how(entry: &Entry) -> &'static str {
    match entry.made {
        Made::Drawing => "listed only",
        Made::Checked(_) => "checked exactly",
        Made::Measured { .. } => "measured",
    }
}

/// An entry with what came of it.
pub fn markdown(made: &Reproduced) -> String {
    let (paper, entry) = (made.paper, made.entry);
    let mut text = format!(
        "# {}: {}\n\n{}, {}. In our words; the numbers of the paper are its own, on its data.\n",
        made.name(),
        entry.title,
        paper.cited,
        paper.title
    );
    for (heading, words) in [("The paper", entry.says), ("Note", entry.note)] {
        if !words.is_empty() {
            let _ = write!(text, "\n**{heading}.** {words}\n");
        }
    }
    if let Made::Drawing = entry.made {
        text += "\nThere is nothing to run.\n";
    }
    if !made.checks.is_empty() {
        text += "\n| what | should be | is | |\n| --- | --- | --- | --- |\n";
        for check in &made.checks {
            let holds = if check.holds() {
                "holds"
            } else {
                "**differs**"
            };
            let (should, is) = (&check.expected, &check.found);
            let _ = writeln!(text, "| {} | {should} | {is} | {holds} |", check.what);
        }
    }
    if !made.cells.is_empty() {
        let data = match &made.given {
            Some(name) => format!("given data ({name})"),
            None => made.sources.join("; "),
        };
        let _ = write!(
            text,
            "\nData: {data}. What is random was run {} times; a cell has the mean and half the width of its \
             95 % interval (Student's t) over the method's noise: data and queries are the same in each. Wayveil {}, {}.\n",
            made.request.repeats(),
            env!("CARGO_PKG_VERSION"),
            made.date
        );
        let mut reasons = Vec::new();
        for panel in made.panels() {
            text += &table(made, panel, &mut reasons);
        }
        for (at, reason) in reasons.iter().enumerate() {
            let _ = write!(text, "\nRefused ({}): {reason}\n", at + 1);
        }
        let comparisons = made.comparisons();
        if !comparisons.is_empty() {
            text.push('\n');
        }
        for comparison in comparisons {
            let _ = writeln!(text, "- {}", comparison.words());
        }
    }
    text
}

fn table(made: &Reproduced, panel: &Panel, reasons: &mut Vec<String>) -> String {
    let values = made.values(panel);
    let parameter = match made.entry.made {
        Made::Measured { parameter, .. } => parameter,
        _ => "",
    };
    let mut text = format!("\n## {}\n\n| {parameter} | ", panel.title);
    text += &values.join(" | ");
    text += " |\n| ---";
    text += &" | ---".repeat(values.len());
    text += " |\n";
    for line in made.entry.reported {
        if line.panel != panel.reported || values.iter().all(|at| line.known(at).is_none()) {
            continue;
        }
        let cells = values.iter().map(|at| {
            let known = line.known(at);
            known.map_or("–".into(), |known| known.words())
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(
            text,
            "| *the paper: {}* | {} |",
            line.series,
            cells.join(" | ")
        );
    }
    for series in made.series(panel) {
        let cells = values.iter().map(|at| {
            let cell = made.cell(panel, series, at);
            cell.map_or("–".into(), |cell| words(cell, reasons))
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(text, "| {} | {} |", series.name, cells.join(" | "));
    }
    text
}

fn words(cell: &Cell, reasons: &mut Vec<String>) -> String {
    match (
        cell.samples.mean(),
        cell.samples.half_width(),
        &cell.refused,
    ) {
        (Some(mean), Some(half), _) => format!("{} ± {}", number(mean), number(half)),
        (Some(mean), None, _) => number(mean),
        (None, _, Some(reason)) => {
            let known = reasons.iter().position(|it| it == reason);
            let at = known.unwrap_or_else(|| {
                reasons.push(reason.clone());
                reasons.len() - 1
            });
            format!("refused ({})", at + 1)
        }
        (None, _, None) => "undefined".into(),
    }
}
