//! `wayveil audit METHOD`: tries to refute what a method promises.
//!
//! The subcommands and their flags are made from the list of mechanisms, as for `publish`.

use std::num::NonZeroU32;
use std::time::Duration;

use clap::{Args, Command, FromArgMatches};
use serde_json::{Value, json};
use wayveil_core::{Epsilon, Error, Mechanism, Neighbouring, PrivacyUnit, Result};
use wayveil_evaluate::audit::{
    AuditSettings, Direction, Effort, Finding, Origin, PairReport, Report, VERDICT_ALPHA, audit,
};

use super::methods::{MethodArguments, WithEveryMethod};
use super::random_source;
use crate::table::Table;
use crate::terminal::Terminal;

pub(crate) const EXAMPLE: &str = "\
Examples:
  wayveil audit weave --epsilon 1
  wayveil audit hybrid-tree --epsilon 0.5 --height 3 --seconds 600 --json
  wayveil audit generalize --epsilon 1 --as-published --against 1

Exit codes: 0 not refuted, which proves nothing; 1 refuted.";

const PROVES_NOTHING: &str = "Not being refuted proves nothing: other events, other data or more \
                              runs may show more. The proof beside the code is what a guarantee \
                              rests on.";

/// Parameters with a small value that audits well: a tree of one level spends its whole budget where the
/// auditor looks, decoys, which are made up anyway, are slow to look through, a large sketch has more
/// cells than there are clients, and long trajectories are slow to draw from fragments or from counts.
const SMALL: &[(&str, &str)] = &[
    ("height", "1"),
    ("decoys", "3"),
    ("longest", "2"),
    ("width", "4"),
    ("functions", "2"),
    ("max-length", "4"),
];

/// What every audit takes.
#[derive(Args)]
pub(crate) struct CommonArguments {
    /// Keep at most this many trips of a person, each as a record of its own.
    #[arg(long, value_name = "M", conflicts_with = "trip_level")]
    max_trips: Option<NonZeroU32>,

    /// Protect single trips only.
    #[arg(long)]
    trip_level: bool,

    /// How long to run, about.
    #[arg(long, value_name = "S", default_value = "120", conflicts_with = "runs")]
    seconds: u32,

    /// Run each data set that is tested exactly this often, instead of for a time. Learning takes
    /// as many runs again, and more.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..=20_000_000))]
    runs: Option<u64>,

    /// The probability that the bound is wrong: above 0 and below 1. A method is called refuted at
    /// one in a million, or at this where it is less.
    #[arg(long, value_name = "A", default_value = "0.05")]
    alpha: f64,

    /// Hold this epsilon against the method, instead of what it claims: so one that promises nothing can
    /// be refuted too.
    #[arg(long, value_name = "E")]
    against: Option<Epsilon>,

    /// Run from the same random numbers every time; with --runs the result is then always the same.
    #[arg(long, value_name = "SEED")]
    insecure_seed: Option<u64>,
}

impl WithEveryMethod for CommonArguments {
    const EXAMPLE: &'static str = EXAMPLE;
    const DEFAULTS: &'static [(&'static str, &'static str)] = SMALL;
}

pub(crate) type AuditArguments = MethodArguments<CommonArguments>;

impl CommonArguments {
    /// Reads these flags alone, for a mechanism that no list knows.
    pub(crate) fn read(flags: &[String]) -> Result<Self, clap::Error> {
        let command = Self::augment_args(Command::new("audit")).no_binary_name(true);
        Self::from_arg_matches(&command.try_get_matches_from(flags)?)
    }
}

pub(crate) fn run(arguments: &AuditArguments, terminal: &Terminal) -> Result<bool> {
    let mechanism = arguments.chosen.build()?;
    examine(mechanism.as_ref(), &arguments.common, terminal)
}

/// Audits any mechanism.
pub(crate) fn examine(
    mechanism: &dyn Mechanism,
    common: &CommonArguments,
    terminal: &Terminal,
) -> Result<bool> {
    if !(common.alpha > 0.0 && common.alpha < 1.0) {
        return Err(Error::input(format!(
            "invalid alpha (got {}): must be above 0 and below 1",
            common.alpha
        ))
        .hint("0.05 is usual: one bound in twenty may be wrong"));
    }
    let settings = AuditSettings {
        unit: match (common.max_trips, common.trip_level) {
            (Some(trips), _) => PrivacyUnit::OwnerBounded(trips),
            (None, true) => PrivacyUnit::Trip,
            (None, false) => PrivacyUnit::Owner,
        },
        alpha: common.alpha,
        effort: match common.runs {
            Some(runs) => Effort::Runs(runs),
            None => Effort::Time(Duration::from_secs(u64::from(common.seconds.max(1)))),
        },
        against: common.against.as_ref().map(Epsilon::to_f64),
    };
    let mut random = random_source("audit", common.insecure_seed)?;
    let report = audit(mechanism, &settings, &mut random, terminal)?;
    terminal.result(
        || object(&report),
        &text(&report, settings.against.is_some()),
    )?;
    Ok(!report.refuted)
}

fn object(report: &Report) -> Value {
    let words = Words::of(report.neighbouring);
    json!({
        "method": report.method,
        "variant": report.variant,
        "neighbouring": report.neighbouring,
        "epsilon_lower": report.epsilon_lower,
        "epsilon_claimed": report.epsilon_claimed,
        "delta_claimed": report.delta_claimed,
        "claims_nothing_because": report.claims_nothing_because,
        "delta_lower": report.delta_lower,
        "refuted": report.refuted,
        "confidence": 1.0 - report.alpha,
        "runs": report.runs,
        "test_runs": report.test_runs,
        "best": report.best().map(|(pair, found)| finding(words, pair, found)),
        "pairs": report.pairs.iter().map(|pair| json!({
            words.key: pair.about,
            "tested": pair.findings.iter().map(|found| finding(words, pair, found)).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "epsilon_certain": report.epsilon_certain,
        "least_alpha": report.least_alpha,
        "verdict_confidence": 1.0 - report.alpha.min(VERDICT_ALPHA),
        "note": note(report),
    })
}

fn finding(words: &Words, pair: &PairReport, found: &Finding) -> Value {
    json!({
        words.key: pair.about,
        "event": found.event.in_words(),
        "seen_in": seen_in(found.event.origin()),
        "likelier": words.likelier(found.direction),
        "epsilon_lower": found.epsilon_lower,
        "delta_lower": found.delta_lower,
        "runs": found.tested.runs,
        "occurred": found.tested.hits,
    })
}

fn note(report: &Report) -> String {
    if report.refuted {
        format!(
            "A method that keeps its promise looks so bad with probability {:.1e} at most.",
            report.least_alpha
        )
    } else if report.doubtful() {
        format!(
            "Doubtful: the bound is above the claim, which happens to a method that keeps its \
             promise with probability {:.1e} at most. Run it again and longer (--seconds): a leak \
             will show.",
            report.least_alpha
        )
    } else {
        PROVES_NOTHING.to_owned()
    }
}

/// 1 − α in percent, or as a difference where it is too near to one.
fn confidence(alpha: f64) -> String {
    if alpha < 1e-6 {
        return format!("1 − {alpha:e}");
    }
    let text = format!("{:.4}", 100.0 * (1.0 - alpha));
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// What the data sets of a pair are called.
struct Words {
    owner: &'static str,
    key: &'static str,
    sides: [&'static str; 2],
}

impl Words {
    fn of(neighbouring: Neighbouring) -> &'static Self {
        match neighbouring {
            Neighbouring::AddOrRemoveOneUnit => &Self {
                owner: "extra owner",
                key: "extra_owner",
                sides: ["without", "with"],
            },
            Neighbouring::ReplaceOneUnit => &Self {
                owner: "replaced owner",
                key: "replaced_owner",
                sides: ["before", "after"],
            },
        }
    }

    fn likelier(&self, direction: Direction) -> &'static str {
        match direction {
            Direction::Without => self.sides[0],
            Direction::With => self.sides[1],
        }
    }
}

fn seen_in(origin: Origin) -> &'static str {
    match origin {
        Origin::Transcript => "transcript",
        Origin::Release => "release",
        Origin::Distinguisher => "trained distinguisher",
    }
}

/// `against`: whether an ε was given to hold against the method.
fn text(report: &Report, against: bool) -> String {
    let words = Words::of(report.neighbouring);
    let mut table = Table::new(&[words.owner, "epsilon >=", "likelier", "event"]);
    for pair in &report.pairs {
        match pair.best() {
            None => table.row(&[pair.about.clone(), "not tested".into()]),
            Some(found) => table.row(&[
                pair.about.clone(),
                format!("{:.4}", found.epsilon_lower),
                words.likelier(found.direction).into(),
                found.event.in_words(),
            ]),
        }
    }
    let mut text = table.text();
    text += &format!(
        "\n{} runs; the pairs that promised most in learning were tested on {} fresh runs of each \
         data set.\n\n",
        report.runs, report.test_runs
    );
    let confidence = format!("with confidence {}", confidence(report.alpha));
    text += &match (report.epsilon_claimed, &report.claims_nothing_because) {
        (Some(claimed), reason) => format!(
            "{}: {confidence}, epsilon is at least {:.4}{}; {claimed} is {}.\n",
            if report.refuted {
                "REFUTED"
            } else {
                "Not refuted"
            },
            report.epsilon_lower,
            match report.delta_claimed {
                Some(delta) if delta > 0.0 => format!(" with the claimed delta of {delta:e}"),
                _ => String::new(),
            },
            match reason {
                Some(reason) => format!("held against it, which claims nothing ({reason})"),
                None if against => "held against it, whatever it claims".into(),
                None => "claimed".into(),
            }
        ),
        (None, reason) => format!(
            "Nothing is claimed, so there is nothing to refute ({}). {confidence}, epsilon is at \
             least {:.4}.\n",
            reason.as_deref().unwrap_or("no differential privacy"),
            report.epsilon_lower
        ),
    };
    if let Some(delta) = report.delta_lower.filter(|&delta| delta > 0.0) {
        let claimed = report.delta_claimed.unwrap_or(0.0);
        text += &match report.claims_nothing_because {
            Some(_) => format!("At that epsilon, delta would be at least {delta:.2e}.\n"),
            None if against => format!(
                "At the epsilon held against it, delta is at least {delta:.2e}; {claimed:e} is \
                 claimed.\n"
            ),
            None => format!(
                "At the claimed epsilon, delta is at least {delta:.2e}; {claimed:e} is claimed.\n"
            ),
        };
    }
    text += &format!("{}\n", note(report));
    text
}

#[cfg(test)]
mod tests;
