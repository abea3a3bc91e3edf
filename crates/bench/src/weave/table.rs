//! What came of it, as words and as Markdown.

use std::fmt::Write;

use super::goals;
use super::numbers::{NUMBERS, Number};
use super::trial::{Cell, Row};
use super::verdict::Verdict;

/// One line for the impatient.
pub(super) fn words(row: &Row) -> String {
    let cells: Vec<String> = row.cells.iter().zip(&NUMBERS).map(short).collect();
    format!(
        "{} {} {}: {}",
        row.data,
        row.epsilon,
        row.method,
        cells.join(" ")
    )
}

fn short((cell, number): (&Cell, &Number)) -> String {
    match cell.samples.mean() {
        None => "–".into(),
        Some(mean) => of(mean, number),
    }
}

fn of(value: f64, number: &Number) -> String {
    match number.is_count() {
        true => format!("{value:.0}"),
        false => format!("{value:.4}"),
    }
}

/// A mean with its interval.
pub(super) fn with_interval(cell: &Cell, number: &Number) -> String {
    let mean = short((cell, number));
    match cell.samples.half_width() {
        None => mean,
        Some(half) if number.is_count() => format!("{mean} ± {half:.1}"),
        Some(half) => format!("{mean} ± {half:.4}"),
    }
}

/// The better of the trees for every number.
pub(super) fn best_tree(rows: &[&Row]) -> Vec<Cell> {
    let mut best = vec![Cell::default(); NUMBERS.len()];
    for row in rows.iter().filter(|row| row.tree) {
        for ((best, cell), number) in best.iter_mut().zip(&row.cells).zip(&NUMBERS) {
            if cell.beats(best, number) {
                *best = cell.clone();
            }
        }
    }
    best
}

/// `hybrid-tree height=4 fan-out=8` as `h4`.
fn tree_and_height(setting: &str) -> String {
    let height = setting
        .split_whitespace()
        .find_map(|word| word.strip_prefix("height="));
    let tree = setting.get(..1).unwrap_or_default();
    format!("{tree}{}", height.unwrap_or_default())
}

/// The table of one data set: for every ε ours, the better tree, and what that means for the goal.
pub(super) fn of_data(epsilons: &[String], rows: &[&Row]) -> String {
    let headings: Vec<&str> = NUMBERS.iter().map(|number| number.heading).collect();
    let mut text = format!("| ε | method | {} |\n", headings.join(" | "));
    let _ = writeln!(text, "| {} |", ["---"; 14].join(" | "));
    for epsilon in epsilons {
        let here: Vec<&Row> = rows
            .iter()
            .copied()
            .filter(|row| row.epsilon == *epsilon)
            .collect();
        let tree = best_tree(&here);
        for row in here.iter().filter(|row| !row.tree) {
            let pairs = || row.cells.iter().zip(&NUMBERS);
            let ours: Vec<String> = pairs()
                .map(|(it, number)| with_interval(it, number))
                .collect();
            let _ = writeln!(
                text,
                "| {epsilon} | {} | {} |",
                row.method,
                ours.join(" | ")
            );
            let verdicts = pairs().zip(&tree).map(|((cell, number), tree)| {
                let verdict = Verdict::of(number.goal, &cell.samples, &tree.samples);
                let word = verdict.map_or("", Verdict::word);
                match (cell.samples.mean(), tree.samples.mean()) {
                    (Some(ours), Some(tree)) if !number.is_count() => {
                        format!("{:.2} {word}", ours / tree).trim_end().to_owned()
                    }
                    _ => word.to_owned(),
                }
            });
            let verdicts: Vec<String> = verdicts.collect();
            let _ = writeln!(text, "| | of the tree | {} |", verdicts.join(" | "));
        }
        if here.iter().any(|row| row.tree) {
            let trees = tree.iter().zip(&NUMBERS).map(|(cell, number)| {
                let words = with_interval(cell, number);
                format!("{words} {}", tree_and_height(&cell.setting))
            });
            let trees: Vec<String> = trees.collect();
            let _ = writeln!(text, "| | best tree | {} |", trees.join(" | "));
        }
    }
    text
}

/// Everything: how to read it, the goals, and a table with a picture for each data set.
pub(super) fn markdown(
    names: &[String],
    epsilons: &[String],
    rows: &[Row],
    repeats: usize,
    picture: &dyn Fn(&str) -> Option<String>,
) -> String {
    let mut text = format!(
        "Means over {repeats} runs ± half of their 95 % interval (Student's t). *best tree*: for every number anew, the \
         better of both trees with the best of their heights, named after the number (p: simple, h: hybrid). *of the \
         tree*: ours over the tree's, and whether the goal is met: at most a third (counts: or below .01), patterns not \
         below. A question mark: the intervals cannot tell. A height that two runs showed to be the best for no number \
         was not run again.\n\n"
    );
    text.push_str(&goals::markdown(names, epsilons, rows));
    for name in names {
        let here: Vec<&Row> = rows.iter().filter(|row| row.data == *name).collect();
        if here.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n### {name}\n");
        if let Some(file) = picture(name) {
            let _ = writeln!(text, "![{name}: errors against ε]({file})\n");
        }
        text.push_str(&of_data(epsilons, &here));
    }
    text
}
