//! Estimates beside actual numbers, as words and as Markdown.

use wayveil_core::ErrorEstimate;

use super::{Case, Number};

/// What is known of a number over the repeats of one data set at one ε.
struct Row {
    estimated: f64,
    actual: f64,
    /// Estimated over actual error.
    ratio: f64,
    covered: usize,
    of: usize,
}

impl Row {
    fn of(numbers: &[&Number]) -> Option<Self> {
        let of = numbers.len();
        let mean = |number: fn(&Number) -> f64| {
            numbers.iter().map(|it| number(it)).sum::<f64>() / of as f64
        };
        let error = |number: fn(&Number) -> f64| {
            numbers.iter().map(|it| it.error(number(it))).sum::<f64>() / of as f64
        };
        (of > 0).then(|| Self {
            estimated: mean(|it| it.value),
            actual: mean(|it| it.actual),
            ratio: error(|it| it.value) / error(|it| it.actual),
            covered: numbers.iter().filter(|it| it.covered()).count(),
            of,
        })
    }
}

fn names(cases: &[Case]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for number in cases.iter().flat_map(|case| &case.numbers) {
        if !names.contains(&number.name.as_str()) {
            names.push(&number.name);
        }
    }
    names
}

fn numbers<'a>(cases: &'a [Case], name: &str) -> Vec<&'a Number> {
    let all = cases.iter().flat_map(|case| &case.numbers);
    all.filter(|number| number.name == name).collect()
}

/// A few lines for the impatient: all cases are of one data set and one ε.
pub(super) fn words(cases: &[Case]) -> String {
    let Some(first) = cases.first() else {
        return String::new();
    };
    let seconds = cases.iter().map(|it| it.seconds).sum::<f64>() / cases.len() as f64;
    let share = cases.iter().map(|it| it.estimating).sum::<f64>() / cases.len() as f64 / seconds;
    let mut text = format!(
        "{} ε {} ({seconds:.1} s, {:.0} % of it for the estimates)\n",
        first.data,
        first.epsilon,
        100.0 * share
    );
    for name in names(cases) {
        if let Some(row) = Row::of(&numbers(cases, name)) {
            text.push_str(&format!(
                "  {name:32} estimated {:8.4} actual {:8.4} ratio {:5.2} covered {}/{}\n",
                row.estimated, row.actual, row.ratio, row.covered, row.of
            ));
        }
    }
    text
}

/// One line for each number on each data set at each ε; then how often estimates are right.
pub(super) fn markdown(cases: &[Case]) -> String {
    let mut text = String::from(
        "| data | ε | number | estimated | actual | ratio of errors | within 10–90 % |\n| --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for group in cases.chunk_by(|a, b| a.data == b.data && a.epsilon == b.epsilon) {
        for name in names(group) {
            let Some(row) = Row::of(&numbers(group, name)) else {
                continue;
            };
            text.push_str(&format!(
                "| {} | {} | {name} | {} | {} | {:.2} | {}/{} |\n",
                group[0].data,
                group[0].epsilon,
                ErrorEstimate::shown(row.estimated),
                ErrorEstimate::shown(row.actual),
                row.ratio,
                row.covered,
                row.of
            ));
        }
    }
    text.push_str("\n| number | within 10–90 % | within a factor of 1.5 | within a factor of 2 |\n| --- | --- | --- | --- |\n");
    for name in names(cases) {
        let numbers = numbers(cases, name);
        let covered = numbers.iter().filter(|it| it.covered()).count();
        let share = |count: usize| 100.0 * count as f64 / numbers.len() as f64;
        let within = |factor: f64| {
            let near = |it: &&&Number| {
                let (a, b) = (it.error(it.value), it.error(it.actual));
                a <= factor * b && b <= factor * a
            };
            numbers.iter().filter(near).count()
        };
        text.push_str(&format!(
            "| {name} | {:.0} % | {:.0} % | {:.0} % |\n",
            share(covered),
            share(within(1.5)),
            share(within(2.0))
        ));
    }
    text
}
