//! What came of it, as Markdown.

use std::fmt::Write;

use wayveil_evaluate::samples::Samples;

use super::engines::Engines;
use super::measure::{Measure, Outcome};
use wayveil_reproduce::campaigns::{DELTA, Method, Sent};

use super::plan::Plan;
use super::planted::Row;
use super::{NAME, Population, admissions_table, goals};

const HEAD: &str = "\
A *setting* is a greatest length l and a threshold k; its campaign looks for the fragments of 1 to l locations
that at least k clients hold. A cell has the mean over all settings (where the number is defined) and half the
width of its 95 % interval over repeats (Student's t); without it there were fewer than three repeats.

- *precision*, *recall*, *F1*: of the fragments of length l, as in the paper; then of all lengths together.
  SFP looks for one length. FASTPub as published returns the longest only; for all lengths, and to answer
  queries, what it admitted on the way counts as released.
- *query error*: the median relative error of the counts of fragments with more than k clients. What was not
  released is estimated from shorter fragments by the paper's equation 13 (for SFP, by its sketch, from a quarter
  of the smallest k on).
- *false*: released fragments with fewer than k clients, all lengths, for each campaign.

FASTPub runs by numbers of clients drawn from their exact law (the last table compares with every client by
itself). As published: C = 5, ξ = 0.01, λ = 0.8, a fifth of the clients for each length. Repaired: its
defaults. SFP and FASTPub are ε-locally private. **TrieHH is not**: its promise, with δ besides ε, needs a
trusted sampler and counter, and as published it does not hold as claimed.
What clients send in SFP, and in TrieHH as published, does not depend on k, so that one run serves all k of a
length.
";

const COLUMNS: [(Measure, &str, usize); 9] = [
    (Measure::Precision, "precision", 2),
    (Measure::Recall, "recall", 2),
    (Measure::F1, "F1", 3),
    (Measure::Error, "query error", 3),
    (Measure::AllPrecision, "all lengths: precision", 2),
    (Measure::AllRecall, "recall", 2),
    (Measure::AllF1, "F1", 3),
    (Measure::AllError, "query error", 3),
    (Measure::FalseAdmissions, "false", 2),
];

/// Rows of the paper's MSNBC experiment, at ε = 10.
const PAPER: [&str; 3] = [
    "| the paper: SFP | 10 | | | 0.30 to 0.40 | 0.74 | | | | | |",
    "| the paper: TrieHH | no ε | | | 0.30 to 0.40 | 0.66 | | | | | |",
    "| the paper: FASTPub | 10 | 1.00 | 0.59 | 0.72 | 0.09 | | | | | |",
];

/// All tables.
pub(super) fn markdown(
    plan: &Plan,
    populations: &[Population<'_>],
    engines: &[Engines],
    planted: &[Row],
) -> String {
    let repeats = |method| plan.repeats(method);
    // Writing to a string cannot fail.
    let mut text = format!(
        "# FASTPub and its baselines: all numbers\n\nMade by `cargo xtask bench {NAME}`. Repeats: FASTPub \
         {}, TrieHH {} (δ = {DELTA}), SFP {}, which takes longest and is run at ε = {} only.\n\n{HEAD}\n",
        repeats(Method::PerCandidate),
        repeats(Method::TrieHh),
        repeats(Method::Sfp),
        plan.few_epsilons.join(" and "),
    );
    text += &sizes(populations);
    text += &goals::markdown(populations, planted);
    for population in populations {
        text += &results(population);
        for epsilon in ["10", "2"] {
            text += &by_setting(population, epsilon);
        }
    }
    text += &communication(populations);
    text += &admissions_table::markdown(planted);
    text += &both_engines(engines);
    text
}

fn sizes(populations: &[Population<'_>]) -> String {
    let mut text = "| population | records | mean length | locations | clients for each record | clients | k | \
                    longest fragments to find: most, fewest |\n\
                    | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for Population { data, to_find, .. } in populations {
        let ks = || data.settings.iter().map(|setting| setting.k);
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {} | {} | {} | {} to {} | {}, {} |",
            data.title,
            thousands(data.records.len() as u64),
            data.mean_length(),
            data.locations,
            thousands(data.per_record),
            thousands(data.clients().len()),
            thousands(ks().min().unwrap_or(0)),
            thousands(ks().max().unwrap_or(0)),
            to_find.iter().max().unwrap_or(&0),
            to_find.iter().min().unwrap_or(&0),
        );
    }
    text + "\n"
}

fn results(population: &Population<'_>) -> String {
    let (data, outcomes) = (population.data, &population.outcomes);
    let mut text = format!(
        "## {}\n\n![Curves over ε]({})\n\n| method | ε",
        data.title,
        data.picture()
    );
    for (_, heading, _) in COLUMNS {
        let _ = write!(text, " | {heading}");
    }
    let _ = writeln!(text, " |\n| --- | ---{} |", " | ---".repeat(COLUMNS.len()));
    for outcome in outcomes {
        let _ = write!(text, "| {} | {}", outcome.method.words(), outcome.epsilon);
        for (measure, _, digits) in COLUMNS {
            let one_length = matches!(
                measure,
                Measure::AllPrecision | Measure::AllRecall | Measure::AllF1 | Measure::AllError
            );
            let cell = match outcome.method.is_sfp() && one_length {
                true => "–".into(),
                false => cell(&outcome.samples(measure), digits),
            };
            let _ = write!(text, " | {cell}");
        }
        text += " |\n";
    }
    if data.is_visits() {
        for row in PAPER {
            let _ = writeln!(text, "{row}");
        }
    }
    text + "\n"
}

/// F1 of the longest, setting by setting.
fn by_setting(population: &Population<'_>, epsilon: &str) -> String {
    let data = population.data;
    let chosen = || {
        population
            .outcomes
            .iter()
            .filter(|it| it.epsilon == epsilon)
    };
    if chosen().next().is_none() {
        return String::new();
    }
    let mut text = format!("F1 of the longest at ε = {epsilon}, by l and k:\n\n|");
    for setting in &data.settings {
        let _ = write!(text, " | {}, {}", setting.length, thousands(setting.k));
    }
    let _ = writeln!(
        text,
        " |\n| ---{} |\n| to find{} |",
        " | ---".repeat(data.settings.len()),
        population
            .to_find
            .iter()
            .map(|number| format!(" | {number}"))
            .collect::<String>()
    );
    for outcome in chosen() {
        let _ = write!(text, "| {}", outcome.method.words());
        for &setting in &data.settings {
            let f1 = outcome.at(Measure::F1, setting).mean();
            let _ = write!(
                text,
                " | {}",
                f1.map_or("–".into(), |f1| format!("{f1:.2}"))
            );
        }
        text += " |\n";
    }
    text + "\n"
}

/// What one client sends and gets.
fn communication(populations: &[Population<'_>]) -> String {
    let mut text = "## Communication\n\nFor each client, means over all settings and ε. Information: the \
                    logarithm of how many messages there could be in that place; in brackets the most of any \
                    client. Bytes: the encoded messages. Goals: at most 2 bits of answer and 100 bits of \
                    question. The paper: FASTPub 5 up and 400 down, TrieHH 64 and 1,680, SFP 4,096 and 0.\n\n\
                    | population | method | answer, bits | question, bits | answer, bytes | question, bytes |\n\
                    | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for population in populations {
        for method in Method::ALL {
            let of_method = |outcome: &&Outcome| outcome.method == method;
            let runs = || {
                population
                    .outcomes
                    .iter()
                    .filter(of_method)
                    .flat_map(|it| &it.runs)
            };
            let mean = |of: &dyn Fn(&Sent) -> Option<f64>| {
                runs()
                    .filter_map(|run| of(&run.sent))
                    .collect::<Samples>()
                    .mean()
            };
            let most = |of: &dyn Fn((f64, f64)) -> f64| {
                let all = runs().filter_map(|run| run.sent.most.map(of));
                let most = all.reduce(f64::max);
                most.map_or(String::new(), |most| format!(" ({most:.1})"))
            };
            let number =
                |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.1}"));
            let _ = writeln!(
                text,
                "| {} | {} | {}{} | {}{} | {} | {} |",
                population.data.title,
                method.words(),
                number(mean(&|sent| Some(sent.bits_up))),
                most(&|most| most.0),
                number(mean(&|sent| Some(sent.bits_down))),
                most(&|most| most.1),
                number(mean(&|sent| sent.bytes.map(|bytes| bytes.0))),
                number(mean(&|sent| sent.bytes.map(|bytes| bytes.1))),
            );
        }
    }
    text + "\n"
}

fn both_engines(engines: &[Engines]) -> String {
    let mut text = "## Both engines\n\nThe repaired form, per candidate: by numbers of clients, and by every client's own \
                    code; as many repeats of each.\n\n\
                    | l | k | ε | F1, numbers | F1, every client | query error, numbers | query error, every \
                    client |\n| --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for both in engines {
        let [f1, error] = [&both.f1, &both.error].map(|it| it.each_ref().map(|it| cell(it, 3)));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            both.setting.length,
            thousands(both.setting.k),
            both.epsilon,
            f1[0],
            f1[1],
            error[0],
            error[1],
        );
    }
    text
}

/// Mean and half width.
pub(super) fn cell(samples: &Samples, digits: usize) -> String {
    let Some(mean) = samples.mean() else {
        return "–".into();
    };
    // Of two repeats an interval is wider than what is measured.
    let half = samples.half_width().filter(|_| samples.len() > 2);
    let half = half.map_or(String::new(), |half| format!(" ± {half:.digits$}"));
    format!("{mean:.digits$}{half}")
}

/// Digits in groups of three.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
