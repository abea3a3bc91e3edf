//! The goals, and how many of them were met.

use std::fmt::Write;

use super::numbers::{NUMBERS, Number, PATTERNS, TOP_300};
use super::table::{best_tree, with_interval};
use super::trial::{Cell, Row};
use super::verdict::Verdict;

/// Whether a goal is about a number.
type About = fn(&Number) -> bool;

/// The goals that are counted: a heading, and the numbers that they are about.
const COUNTED: [(&str, About); 3] = [
    (
        "count errors at most a third, or below .01",
        Number::is_count_query,
    ),
    ("divergences at most a third", |it| {
        it.name.ends_with("-divergence")
    }),
    ("top 300 not below the trees", |it| it.name == TOP_300),
];

/// Small and large ε: ours at the one against the trees at the other.
const EPSILONS: (&str, &str) = ("0.1", "1");

/// Tables of all goals but those of time and memory.
pub(super) fn markdown(names: &[String], epsilons: &[String], rows: &[Row]) -> String {
    let mut text = "| goal |".to_owned();
    let names: Vec<&String> = names
        .iter()
        .filter(|name| rows.iter().any(|row| row.data == **name))
        .collect();
    for name in &names {
        let _ = write!(text, " {name} |");
    }
    let _ = write!(text, "\n| --- |{}\n", " --- |".repeat(names.len()));
    for (heading, about) in COUNTED {
        let _ = write!(text, "| {heading} |");
        for name in &names {
            let _ = write!(text, " {} |", counted(name, epsilons, rows, about));
        }
        text.push('\n');
    }
    let _ = write!(
        text,
        "| count errors at ε = {} no worse than trees at {} |",
        EPSILONS.0, EPSILONS.1
    );
    for name in &names {
        let _ = write!(text, " {} |", at_small_epsilon(name, rows));
    }
    let _ = write!(text, "\n| patterns of 300 at ε = {} |", EPSILONS.1);
    for name in &names {
        let _ = write!(text, " {} |", patterns(name, rows));
    }
    text.push('\n');
    text
}

fn here<'a>(name: &str, epsilon: &str, rows: &'a [Row]) -> Vec<&'a Row> {
    rows.iter()
        .filter(|row| row.data == name && row.epsilon == epsilon)
        .collect()
}

/// Ours is the first method that is no tree.
fn ours<'a>(rows: &[&'a Row]) -> Option<&'a Row> {
    rows.iter().find(|row| !row.tree).copied()
}

fn counted(name: &str, epsilons: &[String], rows: &[Row], about: About) -> String {
    let mut verdicts = Vec::new();
    for epsilon in epsilons {
        let here = here(name, epsilon, rows);
        let Some(ours) = ours(&here) else { continue };
        let tree = best_tree(&here);
        let cells = ours.cells.iter().zip(&tree).zip(&NUMBERS);
        verdicts.extend(cells.filter(|(_, number)| about(number)).filter_map(
            |((ours, tree), number)| Verdict::of(number.goal, &ours.samples, &tree.samples),
        ));
    }
    of(&verdicts)
}

fn of(verdicts: &[Verdict]) -> String {
    let met = verdicts.iter().filter(|it| it.met).count();
    match verdicts.len() {
        0 => "–".into(),
        all => format!("{met} of {all}"),
    }
}

fn at_small_epsilon(name: &str, rows: &[Row]) -> String {
    let (small, large) = (here(name, EPSILONS.0, rows), here(name, EPSILONS.1, rows));
    let Some(ours) = ours(&small) else {
        return "–".into();
    };
    let tree = best_tree(&large);
    let cells = ours.cells.iter().zip(&tree).zip(&NUMBERS);
    let verdicts: Vec<Verdict> = cells
        .filter(|(_, number)| number.is_count_query())
        .filter_map(|((ours, tree), _)| Verdict::at_most(&ours.samples, &tree.samples))
        .collect();
    of(&verdicts)
}

fn patterns(name: &str, rows: &[Row]) -> String {
    let found = || -> Option<(&Cell, &Number)> {
        let row = ours(&here(name, EPSILONS.1, rows))?;
        let mut cells = row.cells.iter().zip(&NUMBERS);
        cells.find(|(_, number)| number.name == TOP_300)
    };
    let Some((cell, number)) = found() else {
        return "–".into();
    };
    let words = with_interval(cell, number);
    let kind = name.split(':').next().unwrap_or(name);
    let goal = PATTERNS.iter().find(|(data, _)| *data == kind);
    match goal.and_then(|&(_, least)| Some((least, Verdict::at_least(&cell.samples, least)?))) {
        Some((least, verdict)) => format!("{words}, goal {least}: {}", verdict.word()),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(epsilon: &str, method: &str, value: f64) -> Row {
        let cell = |number: &Number| Cell {
            samples: match number.is_count() {
                true => [100.0 * value, 100.0 * value].into_iter().collect(),
                false => [value, value].into_iter().collect(),
            },
            setting: format!("{method} height=3"),
        };
        Row {
            data: "metro".into(),
            epsilon: epsilon.into(),
            method: method.into(),
            tree: method.ends_with("-tree"),
            cells: NUMBERS.iter().map(cell).collect(),
        }
    }

    #[test]
    fn goals_are_counted_against_the_better_tree() {
        let rows = [
            row("0.1", "weave", 0.5),
            row("0.1", "prefix-tree", 1.6),
            row("0.1", "hybrid-tree", 1.4),
            row("1", "weave", 0.1),
            row("1", "prefix-tree", 0.6),
            row("1", "hybrid-tree", 0.4),
        ];
        let epsilons = ["0.1".to_owned(), "1".to_owned()];
        let text = markdown(&["metro".to_owned(), "bus".to_owned()], &epsilons, &rows);
        // A third of 1.4 is less than .5, a third of .4 more than .1; at ε = 1 the better tree has .4.
        for line in [
            "| count errors at most a third, or below .01 | 4 of 8 |",
            "| divergences at most a third | 3 of 6 |",
            "| top 300 not below the trees | 0 of 2 |",
            "| count errors at ε = 0.1 no worse than trees at 1 | 0 of 4 |",
            "| patterns of 300 at ε = 1 | 10 ± 0.0, goal 290: missed |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("bus"), "{text}");
    }
}
