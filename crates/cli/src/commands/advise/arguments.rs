//! What `wayveil advise` is told.

use std::num::NonZeroU32;
use std::path::PathBuf;

use wayveil_core::{Epsilon, Error, PrivacyUnit, Result};
use wayveil_evaluate::Task;
use wayveil_evaluate::advise::{Effort, Method, Sizes};

use crate::books::LedgerFile;

#[derive(clap::Args)]
pub(crate) struct AdviseArguments {
    /// The data file that is to be published.
    pub(super) input: PathBuf,

    /// What the release is for: counts, patterns, flows or truthful.
    #[arg(long, value_name = "TASK")]
    pub(super) task: String,

    /// How wrong it may be, such as 5%. Without it the least error is looked for.
    #[arg(long, value_name = "SHARE")]
    tolerance: Option<String>,

    /// About how many people there are (trips with --trip-level), as you would say in public.
    #[arg(long, value_name = "N", conflicts_with = "look")]
    people: Option<u64>,

    /// How many visits an average record has, as you would say in public.
    #[arg(long, value_name = "VISITS", conflicts_with = "look")]
    typical_length: Option<f64>,

    /// How many visits the longest record has, as you would say in public. It bounds heights, also with
    /// --look.
    #[arg(long, value_name = "VISITS")]
    longest: Option<u32>,

    /// Learn from an earlier release instead of made-up data. Costs nothing.
    #[arg(long, value_name = "RELEASE", conflicts_with_all = ["look", "pay"])]
    pub(super) like: Option<PathBuf>,

    /// Try methods on the raw data itself. The result is for you alone, and the choice makes the
    /// guarantee conditional: the manifest will say so.
    #[arg(long, conflicts_with = "pay")]
    pub(super) look: bool,

    /// Publish a small release with this epsilon first, and learn from that. It needs a trusted
    /// collector, -o and --people.
    #[arg(
        long,
        value_name = "EPSILON",
        requires_all = ["output", "people"],
        conflicts_with = "nobody_trusted"
    )]
    pay: Option<String>,

    /// The folder of the small release.
    #[arg(long, short, value_name = "FOLDER", requires = "pay")]
    pub(super) output: Option<PathBuf>,

    /// Only this epsilon: choose parameters alone.
    #[arg(long, value_name = "E", conflicts_with = "max_epsilon")]
    epsilon: Option<String>,

    /// The greatest epsilon that may be advised: 1 unless given, or what is left of the allowance.
    #[arg(long, value_name = "E")]
    max_epsilon: Option<String>,

    /// Only these methods, separated by commas.
    #[arg(long, value_name = "METHOD,...")]
    methods: Option<String>,

    /// Nobody may collect raw data: only methods in which people's own devices add the noise.
    #[arg(long)]
    pub(super) nobody_trusted: bool,

    /// For truthful: values that nobody may be tied to.
    #[arg(long, value_name = "[COLUMN=]VALUE,...")]
    pub(super) sensitive: Option<String>,

    /// For truthful: about which part of the people has a sensitive value; 0.1 unless given.
    #[arg(long, value_name = "SHARE", requires = "sensitive")]
    pub(super) sensitive_share: Option<f64>,

    /// How much is tried: quick, normal or thorough.
    #[arg(long, value_name = "HOW", default_value = "normal")]
    effort: String,

    /// Keep at most this many trips of a person, each as a record of its own, as `publish` does.
    #[arg(long, value_name = "M", conflicts_with = "trip_level")]
    pub(super) max_trips: Option<NonZeroU32>,

    /// Protect single trips only, not people, as `publish` does.
    #[arg(long)]
    pub(super) trip_level: bool,

    /// A table of the taxonomy of locations, instead of the data file's own, as for `publish`.
    #[arg(long, value_name = "FILE", conflicts_with = "taxonomy_gtfs")]
    pub(super) taxonomy: Option<PathBuf>,

    /// A GTFS feed as a taxonomy, as for `publish`.
    #[arg(long, value_name = "FEED")]
    pub(super) taxonomy_gtfs: Option<PathBuf>,

    /// Accept a universe that was read off the data, as `publish` does.
    #[arg(long)]
    pub(super) universe_from_data: bool,

    /// Give the same advice every time. A release that is paid for is marked as not publishable.
    #[arg(long, value_name = "SEED")]
    pub(super) insecure_seed: Option<u64>,

    /// Draw error against epsilon as an SVG.
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,

    /// Replace the plot if it exists.
    #[arg(long)]
    pub(super) force: bool,

    #[command(flatten)]
    pub(super) ledger: LedgerFile,
}

impl AdviseArguments {
    pub(super) fn task(&self) -> Result<Task> {
        self.task.parse()
    }

    pub(super) fn tolerance(&self) -> Result<Option<f64>> {
        self.tolerance.as_deref().map(share).transpose()
    }

    pub(super) fn effort(&self) -> Result<Effort> {
        self.effort.parse()
    }

    pub(super) fn epsilon(&self) -> Result<Option<Epsilon>> {
        self.epsilon.as_deref().map(str::parse).transpose()
    }

    pub(super) fn max_epsilon(&self) -> Result<Option<Epsilon>> {
        self.max_epsilon.as_deref().map(str::parse).transpose()
    }

    pub(super) fn pay(&self) -> Result<Option<Epsilon>> {
        self.pay.as_deref().map(str::parse).transpose()
    }

    pub(super) fn methods(&self) -> Result<Vec<Method>> {
        let names = self.methods.as_deref().unwrap_or_default().split(',');
        let names = names.map(str::trim).filter(|name| !name.is_empty());
        names
            .map(|name| {
                let known = Method::ALL.into_iter().find(|it| it.name() == name);
                known.ok_or_else(|| {
                    let all = Method::ALL.map(Method::name).join(", ");
                    Error::input(format!("there is no advice about a method {name:?}"))
                        .hint(format!("choose from: {all}"))
                })
            })
            .collect()
    }

    /// Whether methods were named.
    pub(super) fn names_methods(&self) -> bool {
        self.methods.is_some()
    }

    pub(super) fn unit(&self) -> PrivacyUnit {
        match (self.max_trips, self.trip_level) {
            (Some(trips), _) => PrivacyUnit::OwnerBounded(trips),
            (None, true) => PrivacyUnit::Trip,
            (None, false) => PrivacyUnit::Owner,
        }
    }

    pub(super) fn sizes(&self) -> Sizes {
        Sizes {
            people: self.people,
            typical_length: self.typical_length,
            longest: self.longest,
        }
    }
}

/// Reads `5%` or `0.05`.
fn share(text: &str) -> Result<f64> {
    let trimmed = text.trim();
    let number = match trimmed.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|it| it / 100.0),
        None => trimmed.parse(),
    };
    let share = number.ok().filter(|it| *it > 0.0 && *it < 1.0);
    share.ok_or_else(|| {
        Error::input(format!(
            "invalid tolerance (got {text:?}): must be above 0 % and below 100 %"
        ))
        .hint("give --tolerance how wrong the release may be, such as 5% or 0.05")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_and_nonsense_is_not() {
        for (text, number) in [("5%", 0.05), ("0.05", 0.05), (" 12.5 %", 0.125)] {
            assert!((share(text).unwrap() - number).abs() < 1e-12, "{text}");
        }
        for text in [
            "", "%", "5", "0", "0%", "100%", "-5%", "nan", "inf%", "five", "5%%",
        ] {
            assert!(share(text).is_err(), "{text:?} was taken");
        }
    }
}
