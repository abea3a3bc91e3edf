//! Advice for people: the answer first, then what it rests on, then what else was tried.

use wayveil_core::{PrivacyUnit, Rational};
use wayveil_evaluate::Task;
use wayveil_evaluate::advise::{Advice, Point, Source, USEFUL};

use super::knowledge::Knowledge;
use super::meaning::meaning;
use crate::facts::thousands;
use crate::table::Table;

/// Said of everything that was learned from raw data.
pub(super) const INTERNAL: &str = "internal: computed from raw data, not for publication. Choosing by it \
     makes the guarantee conditional on that choice; the command says so, and so will the manifest.";

/// From this ε on a plain word is due.
const WEAK: f64 = 4.0;

/// What is told beside the advice itself.
pub(super) struct Beside<'a> {
    pub(super) unit: PrivacyUnit,
    pub(super) command: Option<&'a str>,
    pub(super) knowledge: &'a Knowledge,
    /// Whether places or bins were read off the data.
    pub(super) from_data: bool,
    pub(super) quick: bool,
    pub(super) sensitive: bool,
    pub(super) beside_allowance: bool,
    pub(super) names_methods: bool,
}

/// All of it.
pub(super) fn report(advice: &Advice, beside: &Beside<'_>) -> String {
    let mut text = answer(advice, beside);
    for caveat in caveats(advice, beside) {
        text += &format!("\n{caveat}\n");
    }
    text += &format!("\n{}", table(advice));
    if beside.names_methods {
        for left_out in &advice.left_out {
            text += &format!("\nnot considered: {}: {}", left_out.method, left_out.reason);
        }
        if !advice.left_out.is_empty() {
            text.push('\n');
        }
    }
    text
}

/// What to do, what it will be like, and what it costs.
fn answer(advice: &Advice, beside: &Beside<'_>) -> String {
    let Some(point) = advice.advised() else {
        return "No method could be tried.\n".into();
    };
    let mut text = lead(advice);
    text += &point.method;
    if let Some(epsilon) = &point.epsilon {
        text += &format!(" with epsilon {epsilon}");
    }
    text += &format!(", {}.\n", parameters(point).replace(' ', ", "));
    if let Some(command) = beside.command {
        text += match advice.meets {
            true => "\nTo publish, type:\n",
            false => "\nTo publish it all the same, type:\n",
        };
        text += &format!("  {command}\n");
    }
    text += &format!("\n{}\n", expected(advice, point));
    text += &format!("{}\n", meaning(point, beside.unit));
    if let Some(paid) = paid(point, beside.knowledge) {
        text += &format!("{paid}\n");
    }
    for help in &advice.would_help {
        text += &format!("What would help: {help}.\n");
    }
    text
}

/// The beginning of the answer, by the rule that was applied.
fn lead(advice: &Advice) -> String {
    let truthful = advice.task == Task::Truthful;
    match (advice.meets, advice.tolerance) {
        (true, _) => "Recommended: ".into(),
        (false, Some(tolerance)) if truthful => format!(
            "No promise that was tried loses at most {} of the visits. The one that loses least: ",
            percent(tolerance)
        ),
        (false, None) if truthful => {
            "No promise that was tried keeps a quarter of the visits. The one that loses least: "
                .into()
        }
        (false, Some(tolerance)) => format!(
            "Nothing that was tried meets {} and is at most three quarters as wrong as an empty release. \
             The best: ",
            percent(tolerance)
        ),
        (false, None) => {
            "Nothing that was tried is worth publishing for this purpose: all is more than three \
                          quarters as wrong as an empty release. The best: "
                .into()
        }
    }
}

/// The error beside the tolerance and beside an empty release.
fn expected(advice: &Advice, point: &Point) -> String {
    let error = &point.error;
    let chance = match advice.task {
        Task::Truthful => String::new(),
        _ => format!("± {} by chance; ", percent(error.half_width)),
    };
    let range = format!("{} to {}", percent(error.low), percent(error.high));
    let spread = match advice.arenas.len() {
        1 => format!("single runs from {range}"),
        _ => format!("from {range} between kinds of data, as little as is known of yours"),
    };
    let mut text = match advice.task {
        Task::Counts => format!("Expected error: {}", percent(error.mean)),
        task => format!(
            "Expected: {} {}",
            percent(error.mean),
            task.error_in_words()
        ),
    };
    if let Some(tolerance) = advice.tolerance {
        text += &format!(", where {} is tolerated", percent(tolerance));
    }
    text += &format!(
        "; an empty release has {} ({chance}{spread}).",
        percent(advice.nothing)
    );
    if advice.task == Task::Counts {
        text += &format!("\nThe error is the {}.", advice.task.error_in_words());
    }
    let missing = advice.missing_in();
    if advice.tolerance.is_some() && advice.meets && missing > 0 && advice.arenas.len() > 1 {
        text += &format!(
            "\nThe tolerance is met on average; in {missing} of {} kinds of data it would be missed.",
            advice.arenas.len()
        );
    }
    text
}

/// What was paid for the advice, and what it comes to with the release.
fn paid(point: &Point, knowledge: &Knowledge) -> Option<String> {
    let paid = knowledge.paid.as_ref()?;
    let mut text = paid.words.clone();
    match point
        .epsilon
        .as_deref()
        .and_then(|it| it.parse::<Rational>().ok())
    {
        Some(epsilon) => {
            let sum = epsilon.plus(paid.epsilon.value());
            text += &format!(" With the release above it adds up to an epsilon of {sum}.");
        }
        None => {
            text += " It and true records do not add up: there is no promise about both together.";
        }
    }
    Some(text)
}

/// What the answer rests on and does not say, one thing at a time.
fn caveats(advice: &Advice, beside: &Beside<'_>) -> Vec<String> {
    let mut all = vec![source(advice, beside)];
    let epsilon = advice.advised().and_then(|it| it.epsilon.as_deref());
    let number = epsilon.and_then(|it| it.parse::<Rational>().ok());
    if number.is_some_and(|it| it.to_f64() >= WEAK) {
        all.push(format!(
            "Protection is weak at an epsilon of {}: whoever sees the release may learn nearly for sure whether \
             somebody is in the data.",
            epsilon.unwrap_or_default()
        ));
    }
    if advice.smaller_untried {
        all.push("A smaller epsilon was not tried.".into());
    }
    if advice.source == Source::Release {
        all.push(
            "What the release lost was made up: the true error may be far from this, either way."
                .into(),
        );
    }
    let inherited = &beside.knowledge.inherited;
    if !inherited.is_empty() {
        all.push(format!(
            "{} So the guarantee is conditional on this choice, and the command says so.",
            inherited.join(" ")
        ));
    }
    if advice.task == Task::Truthful {
        let most = if beside.quick { 3 } else { 4 };
        all.push(format!(
            "Promises are ordered by K, then L, then C; L was tried from 2 to {most}."
        ));
        if beside.sensitive && advice.source != Source::Raw {
            all.push(
                "What C costs depends on how sensitive values go with visits, and in the data that was tried they \
                 do not: yours may lose more."
                    .into(),
            );
        }
    }
    if beside.beside_allowance {
        all.push(
            "These people have an allowance, which cannot count true records: --beside-allowance says that \
             you publish them all the same."
                .into(),
        );
    }
    if advice.source == Source::Raw {
        all.push(INTERNAL.into());
    }
    all
}

/// Where the advice comes from, and what was assumed.
fn source(advice: &Advice, beside: &Beside<'_>) -> String {
    let whom = match beside.unit {
        PrivacyUnit::Trip => "trips",
        _ => "people",
    };
    let mut text = format!("Advice for {}, ", advice.task);
    text += &match advice.source {
        Source::Facts => format!(
            "from public facts alone: no row of the file was looked at{}.\nAbout {} {whom}, in {} kinds of \
             made-up data:\n  {}.",
            match beside.from_data {
                true => ", except for the list of places (or bins), which was read off it",
                false => "",
            },
            thousands(advice.people),
            advice.arenas.len(),
            advice.arenas.join(";\n  ")
        ),
        Source::Release => format!(
            "from trajectories that are released already, for about {} {whom}{}.",
            thousands(advice.people),
            match beside.knowledge.rows_of_release {
                true => " (rows of the release)",
                false => "",
            }
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
    if let Some(people) = advice
        .fewer_people()
        .filter(|_| advice.task != Task::Truthful)
    {
        text += &format!(
            "\nThere were too many to try: this is what {} {whom} would get, and more get a smaller error.",
            thousands(people)
        );
    }
    text
}

/// The best method of each ε, with the recommended row marked; of promises, all.
fn table(advice: &Advice) -> String {
    let between = match advice.arenas.len() {
        1 => "between runs",
        _ => "between kinds of data",
    };
    let with_epsilon = advice.task != Task::Truthful;
    let mut header = vec!["method"];
    if with_epsilon {
        header.push("epsilon");
    }
    header.extend(["error", "± 95 %", between, "meets", "parameters", ""]);
    let mut table = Table::new(&header);
    for (at, point) in advice.points.iter().enumerate() {
        let advised = advice.advised == Some(at);
        if !advised && with_epsilon && !is_best(advice, at) {
            continue;
        }
        let error = &point.error;
        let mut row = vec![point.method.clone()];
        if with_epsilon {
            row.push(point.epsilon.clone().unwrap_or_default());
        }
        row.extend([
            percent(error.mean),
            percent(error.half_width),
            format!("{} to {}", percent(error.low), percent(error.high)),
            meets(advice, point),
            parameters(point),
            match (advised, advice.meets) {
                (true, true) => "<- recommended".into(),
                (true, false) => "<- the best".into(),
                (false, _) => String::new(),
            },
        ]);
        table.row(&row);
    }
    table.text()
}

/// Whether a point stands for its ε: the advised one does, and else the one with the least error.
fn is_best(advice: &Advice, at: usize) -> bool {
    let point = &advice.points[at];
    if advice
        .advised()
        .is_some_and(|it| it.epsilon == point.epsilon)
    {
        return false;
    }
    let same = advice.points.iter().enumerate();
    let mut same = same.filter(|(_, it)| it.epsilon == point.epsilon);
    same.all(|(other, it)| {
        let order = point.error.mean.total_cmp(&it.error.mean);
        order.then(at.cmp(&other)).is_le()
    })
}

/// Yes, or no with the reason.
fn meets(advice: &Advice, point: &Point) -> String {
    let tolerated = advice.tolerance.is_none_or(|most| point.error.mean <= most);
    match (point.meets, advice.task) {
        (true, _) => "yes",
        (false, Task::Truthful) => "no",
        (false, _) if tolerated || advice.tolerance.is_none() => {
            "no: little better than an empty release"
        }
        (false, _) if point.error.mean > advice.nothing * USEFUL => {
            "no: too wrong, little better than an empty release"
        }
        (false, _) => "no: too wrong",
    }
    .into()
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

pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        large if large >= 10.0 => format!("{large:.0} %"),
        some if some >= 1.0 => format!("{some:.1} %"),
        small => format!("{small:.2} %"),
    }
}
