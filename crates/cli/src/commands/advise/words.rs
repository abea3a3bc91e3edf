//! Advice for people.

use wayveil_core::{PrivacyUnit, Rational};
use wayveil_evaluate::Task;
use wayveil_evaluate::advise::{Advice, Point, Source};
use wayveil_report::histogram_text;

use crate::facts::thousands;
use crate::table::Table;

/// Said of everything that was learned from raw data.
pub(super) const INTERNAL: &str = "internal: computed from raw data, not for publication. Choosing by it \
     makes the guarantee conditional on that choice; the command says so, and so will the manifest.";

/// The width of a bar chart.
const WIDTH: usize = 60;

/// All of it.
pub(super) fn report(advice: &Advice, unit: PrivacyUnit, command: Option<&str>) -> String {
    let mut text = format!("{}\n", beginning(advice, unit));
    text += &format!("\n{}", table(advice));
    text += &curves(advice);
    text += &format!("\n{}\n", verdict(advice, unit));
    if let Some(command) = command {
        text += match advice.meets {
            true => "\nTo publish, type:\n",
            false => "\nTo publish it all the same, type:\n",
        };
        text += &format!("  {command}\n");
    }
    for left_out in &advice.left_out {
        text += &format!("\nnot considered: {}: {}", left_out.method, left_out.reason);
    }
    if !advice.left_out.is_empty() {
        text.push('\n');
    }
    if advice.source == Source::Raw {
        text += &format!("\n{INTERNAL}\n");
    }
    text
}

/// Where the advice comes from, and what was assumed.
fn beginning(advice: &Advice, unit: PrivacyUnit) -> String {
    let whom = match unit {
        PrivacyUnit::Trip => "trips",
        _ => "people",
    };
    let mut text = format!("Advice for {}, ", advice.task);
    text += &match advice.source {
        Source::Facts => format!(
            "from public facts alone: no row of the file was looked at.\nAbout {} {whom}, in {} kinds of \
             made-up data:\n  {}.",
            thousands(advice.people),
            advice.arenas.len(),
            advice.arenas.join(";\n  ")
        ),
        Source::Release => format!(
            "from trajectories that are released already, for about {} {whom}.",
            thousands(advice.people)
        ),
        Source::Raw => format!("from the raw data of {} {whom}.", thousands(advice.people)),
    };
    for assumed in &advice.assumed {
        text += &format!(
            "\nAssumed: {} (say otherwise with {}).",
            assumed.taken, assumed.flag
        );
    }
    if advice.factor > 1 {
        text += &match advice.task {
            Task::Truthful => format!(
                "\nOne in {} of them was tried, so that fewer share a visit than will: losses are shown \
                 too large.",
                advice.factor
            ),
            _ if advice.points.iter().any(|it| it.method == "fastpub") => format!(
                "\nEach record that was tried stood for {} clients.",
                advice.factor
            ),
            _ => format!(
                "\nOne in {} of them was tried, with an epsilon {0} times as large: the number of people \
                 times epsilon decides.",
                advice.factor
            ),
        };
    }
    text
}

fn table(advice: &Advice) -> String {
    let between = match advice.arenas.len() {
        1 => "runs",
        _ => "kinds of data",
    };
    let between = format!("between {between}");
    let with_epsilon = advice.task != Task::Truthful;
    let mut header = vec!["method"];
    if with_epsilon {
        header.push("epsilon");
    }
    header.extend(["error", "± 95 %", between.as_str(), "meets", "parameters"]);
    let mut table = Table::new(&header);
    for point in &advice.points {
        let error = &point.error;
        let mut row = vec![point.method.clone()];
        if with_epsilon {
            row.push(point.epsilon.clone().unwrap_or_default());
        }
        row.extend([
            percent(error.mean),
            percent(error.half_width),
            format!("{} to {}", percent(error.low), percent(error.high)),
            if point.meets { "yes" } else { "no" }.into(),
            parameters(point),
        ]);
        table.row(&row);
    }
    table.text()
}

/// Parameters but ε, as one would say them.
pub(super) fn parameters(point: &Point) -> String {
    let named = point
        .parameters
        .iter()
        .filter(|(name, _)| name != "epsilon");
    let texts: Vec<String> = named
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    texts.join(" ")
}

/// A small curve for each method with several values of ε.
fn curves(advice: &Advice) -> String {
    let mut text = String::new();
    let mut methods: Vec<&str> = advice.points.iter().map(|it| it.method.as_str()).collect();
    methods.sort_unstable();
    methods.dedup();
    for method in methods {
        let rows: Vec<(String, f64)> = advice
            .points
            .iter()
            .filter(|point| point.method == method)
            .filter_map(|point| {
                Some((
                    format!("ε = {}", point.epsilon.as_ref()?),
                    point.error.mean * 100.0,
                ))
            })
            .collect();
        if rows.len() > 1 {
            text += &format!("\n{method}: error in %\n{}", histogram_text(&rows, WIDTH));
        }
    }
    text
}

fn verdict(advice: &Advice, unit: PrivacyUnit) -> String {
    let Some(point) = advice.advised() else {
        return "No method could be tried.".into();
    };
    let mut text = String::new();
    match (advice.meets, advice.tolerance) {
        (true, _) => text += "Recommended: ",
        (false, Some(tolerance)) => {
            text += &format!(
                "Nothing that was tried meets {} and is at most three quarters as wrong as an empty release. \
                 The best: ",
                percent(tolerance)
            );
        }
        (false, None) => {
            text += "Nothing that was tried is better than an empty release. The best: "
        }
    }
    text += &point.method;
    if let Some(epsilon) = &point.epsilon {
        text += &format!(" with epsilon {epsilon}");
    }
    text += &format!(", {}.\n", parameters(point).replace(' ', ", "));
    let error = &point.error;
    let spread = match advice.arenas.len() {
        1 => format!(
            "single runs from {} to {}",
            percent(error.low),
            percent(error.high)
        ),
        _ => format!(
            "from {} to {} between kinds of data, as little as is known of yours",
            percent(error.low),
            percent(error.high)
        ),
    };
    let what = match advice.task {
        Task::Counts => format!("{} (± {}", percent(error.mean), percent(error.half_width)),
        _ => format!(
            "{} {} (± {}",
            percent(error.mean),
            advice.task.error_in_words(),
            percent(error.half_width)
        ),
    };
    text += &match advice.task {
        Task::Truthful => format!(
            "Expected: {} {} ({}).\n",
            percent(error.mean),
            advice.task.error_in_words(),
            spread
        ),
        _ => format!("Expected: {what} by chance; {spread}).\n"),
    };
    if advice.task == Task::Counts {
        text += &format!("The error is the {}.\n", advice.task.error_in_words());
    }
    if advice.task != Task::Truthful {
        text += &format!("An empty release has {}.\n", percent(advice.nothing));
    }
    text += &meaning(point, unit);
    for help in &advice.would_help {
        text += &format!("\nWhat would help: {help}.");
    }
    text
}

/// What a promise means to the people in the data.
fn meaning(point: &Point, unit: PrivacyUnit) -> String {
    let value = |name: &str| {
        let mut parameters = point.parameters.iter();
        parameters
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    let epsilon = point
        .epsilon
        .as_deref()
        .and_then(|it| it.parse::<Rational>().ok());
    match (epsilon, point.method.as_str()) {
        (Some(epsilon), method) => {
            let factor = epsilon.to_f64().exp();
            let factor = match factor {
                large if large >= 1000.0 => format!("{large:.1e}"),
                factor => format!("{factor:.2}"),
            };
            match method {
                "fastpub" => format!(
                    "It means: whatever a client sends, it would have sent with a probability within a \
                     factor of {factor} if its trajectory had been any other; nobody needs to be trusted."
                ),
                _ => format!(
                    "It means: whatever is released would have been released with a probability within a \
                     factor of {factor} without {}{}.",
                    unit.in_words(),
                    if method == "generalize" {
                        ", but for a probability of 1e-9"
                    } else {
                        ""
                    }
                ),
            }
        }
        (None, _) => {
            let (k, l) = (value("k").unwrap_or("K"), value("l").unwrap_or("L"));
            let mut text = format!(
                "It means: whoever knows up to {l} visits of a person finds at least {k} people who \
                 share them"
            );
            if let Some(c) = value("c") {
                text += &format!(", of whom no sensitive value has a share above {c}");
            }
            text + ". This is weaker than differential privacy. Promises are ordered by K, then L, then C."
        }
    }
}

pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        large if large >= 10.0 => format!("{large:.0} %"),
        some if some >= 1.0 => format!("{some:.1} %"),
        small => format!("{small:.2} %"),
    }
}
