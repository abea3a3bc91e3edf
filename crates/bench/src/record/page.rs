//! The page about speed, made of what is kept.

use std::fmt::Write;

use super::kept::{Compared, Grown, Kept, Side};
use super::picture::exponent;
use super::sections::{INTRODUCTION, SECTIONS, Section};
use crate::report::ratio_text;

/// The whole page: of what is kept, and the names of what there is.
pub(super) fn page(all: &[Kept], names: &[&str]) -> String {
    let mut text = format!("{INTRODUCTION}\n{}", machines(all));
    text += &not_recorded(all, names);
    text += &missed(all);
    for section in SECTIONS {
        section_text(&mut text, section, all);
    }
    text
}

/// Writing to a string cannot fail.
fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{words}");
}

fn machines(all: &[Kept]) -> String {
    let mut known: Vec<String> = Vec::new();
    for kept in all {
        let words = kept.machine.words();
        if !known.contains(&words) {
            known.push(words);
        }
    }
    let dates = || all.iter().map(|kept| kept.date.as_str());
    let (Some(first), Some(last)) = (dates().min(), dates().max()) else {
        return "Nothing is recorded yet.\n".into();
    };
    let when = match first == last {
        true => format!("on {first}"),
        false => format!("from {first} to {last}"),
    };
    format!("Measured {when} on {}.\n", known.join("; and on "))
}

/// What this page cannot say anything about.
fn not_recorded(all: &[Kept], names: &[&str]) -> String {
    let known = |name: &str| all.iter().any(|kept| kept.benchmark == name);
    let missing: Vec<String> = names
        .iter()
        .filter(|name| !known(name))
        .map(|name| format!("`{name}`"))
        .collect();
    match missing.is_empty() {
        true => String::new(),
        false => format!("\nNot recorded: {}.\n", missing.join(", ")),
    }
}

/// What did not come out as hoped.
fn missed(all: &[Kept]) -> String {
    let mut text = String::from("\n## Goals missed\n\n");
    let mut count = 0;
    let mut aims = 0;
    for kept in all {
        for case in &kept.measured.results {
            aims += usize::from(case.reached.is_some());
            if case.reached == Some(false) {
                count += 1;
                line(
                    &mut text,
                    format_args!(
                        "- `{}`, {}: {} where {} was aimed at",
                        kept.benchmark,
                        case.case,
                        ratio_text(case.ratio),
                        case.goal
                    ),
                );
            }
        }
    }
    match count {
        0 => line(&mut text, format_args!("None of {aims}.")),
        _ => line(
            &mut text,
            format_args!("\n{count} of {aims}; why, is said below."),
        ),
    }
    text
}

fn section_text(text: &mut String, section: &Section, all: &[Kept]) {
    let of = |name: &&str| all.iter().find(|kept| kept.benchmark == *name);
    let parts: Vec<&Kept> = section.benchmarks.iter().filter_map(of).collect();
    let whole = parts.len() == section.benchmarks.len();
    if parts.is_empty() && !section.benchmarks.is_empty() {
        return;
    }
    line(
        text,
        format_args!("\n## {}\n\n{}", section.heading, section.words),
    );
    for kept in parts {
        benchmark(text, kept);
    }
    if whole && !section.after.is_empty() {
        line(text, format_args!("\n{}", section.after));
    }
}

fn benchmark(text: &mut String, kept: &Kept) {
    let quick = if kept.quick { ", a quick run" } else { "" };
    line(
        text,
        format_args!(
            "\n`cargo xtask bench record {}`: {} ({}{quick}; load before: {:.1}).\n",
            kept.benchmark, kept.about, kept.date, kept.machine.load_before
        ),
    );
    if !kept.measured.results.is_empty() {
        line(
            text,
            format_args!(
                "| case | unit | ours | other | other/ours | goal | |\n| --- | --- | --- | --- | --- | --- | --- |"
            ),
        );
        for case in &kept.measured.results {
            row(text, case);
        }
    }
    if !kept.measured.lines.is_empty() {
        let lines = kept.measured.lines.join("\n");
        line(text, format_args!("\n```text\n{}\n```", lines.trim_end()));
    }
    if let [first, ..] = &kept.measured.growth[..] {
        line(
            text,
            format_args!(
                "\n| growth by {} | from | to | exponent of ours | of the other |\n| --- | --- | --- | --- | --- |",
                first.of
            ),
        );
        for grown in &kept.measured.growth {
            growth(text, grown);
        }
        line(
            text,
            format_args!("\n![{}](benchmarks/{}.svg)", kept.about, kept.benchmark),
        );
    }
}

fn row(text: &mut String, case: &Compared) {
    let ratio = match (case.ratio_min, case.ratio_max) {
        (Some(min), Some(max)) if case.ours.rounds > 1 => {
            format!(
                "{} ({}–{})",
                ratio_text(case.ratio),
                ratio_text(min),
                ratio_text(max)
            )
        }
        _ => ratio_text(case.ratio),
    };
    let reached = match case.reached {
        Some(true) => "reached",
        Some(false) => "**missed**",
        None => "",
    };
    line(
        text,
        format_args!(
            "| {} | {} | {} | {}: {} | {ratio} | {} | {reached} |",
            case.case.replace('|', "\\|"),
            case.unit,
            side(&case.ours),
            case.peer_name,
            side(&case.peer),
            case.goal
        ),
    );
}

fn growth(text: &mut String, grown: &Grown) {
    line(
        text,
        format_args!(
            "| {} ({}) | {} | {} | {} | {}: {} |",
            grown.line,
            grown.unit,
            grown.from,
            grown.to,
            exponent(grown.ours),
            grown.peer_name,
            exponent(grown.peer)
        ),
    );
}

/// The median, and from the least to the greatest where there are several.
fn side(side: &Side) -> String {
    match side.rounds {
        1 => number(side.median),
        _ => format!(
            "{} ({}–{})",
            number(side.median),
            number(side.min),
            number(side.max)
        ),
    }
}

/// Three digits that matter.
fn number(value: f64) -> String {
    let digits = match value.abs() {
        large if large >= 100.0 => 0,
        medium if medium >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{value:.digits$}");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let grouped = whole.as_bytes().rchunks(3).rev();
    let grouped: Vec<String> = grouped
        .map(|part| String::from_utf8_lossy(part).into_owned())
        .collect();
    match rest {
        "" => grouped.join(","),
        rest => format!("{}.{rest}", grouped.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_recorded_is_named() {
        let text = page(&[], &["laplace", "gaussian"]);
        assert!(
            text.contains("Not recorded: `laplace`, `gaussian`."),
            "{text}"
        );
        // Words about what came out stand beside numbers only.
        let after = SECTIONS.iter().map(|section| section.after);
        let mut after = after.filter(|after| !after.is_empty());
        assert!(after.all(|after| !text.contains(after)), "{text}");
    }

    #[test]
    fn numbers_have_three_digits() {
        let texts = [0.5, 12.34, 123.4, 1_234_567.0].map(number);
        assert_eq!(texts, ["0.50", "12.3", "123", "1,234,567"]);
    }
}
