//! What `weave` estimates of its own error, beside its actual error.
//!
//! | module | |
//! | --- | --- |
//! | `run` | publishes, reads the estimates off the manifest, and measures against the raw data |
//! | `table` | both side by side, as Markdown |
//! | `fit` | the constants that would have made them agree |

mod fit;
mod run;
mod table;

use crate::weave::Plan;
use crate::weave::data::Source;

/// The name of the experiment on the command line.
pub const NAME: &str = "weave-errors";

/// What constants are fitted to: generated data, of other sizes than what they are checked on.
const FITTED_TO: [&str; 3] = ["metro:20000", "metro:80000", "bus:20000"];
/// What they are checked on.
const CHECKED_ON: [&str; 5] = ["bike", "msnbc", "bms1", "metro:50000", "bus:50000"];

/// One release: for every number its name, the estimate and the actual one.
struct Case {
    data: String,
    epsilon: String,
    /// How long publishing took, and how much of it the estimates.
    seconds: f64,
    estimating: f64,
    numbers: Vec<Number>,
}

/// A number as estimated and as it is.
struct Number {
    name: String,
    value: f64,
    low: f64,
    high: f64,
    actual: f64,
}

impl Number {
    /// How many there could be at most, where more is better.
    fn most(&self) -> Option<f64> {
        let top = self.name.strip_prefix("top-patterns.true-positives-");
        top.and_then(|top| top.parse().ok())
    }

    /// An error, less of which is better: of patterns, the missed ones.
    fn error(&self, number: f64) -> f64 {
        self.most().map_or(number, |most| most - number)
    }

    fn covered(&self) -> bool {
        // Patterns are whole numbers, and estimates are means.
        let slack = if self.most().is_some() { 0.5 } else { 0.0 };
        self.low - slack <= self.actual && self.actual <= self.high + slack
    }
}

/// Runs everything, tells each case on the error stream, and returns the table; or the constants where they are to be
/// fitted.
pub fn run(plan: &Plan, fit: bool) -> Result<String, String> {
    let usual = if fit { &FITTED_TO[..] } else { &CHECKED_ON };
    let names: Vec<String> = match plan.data.is_empty() {
        true => usual.iter().map(|&name| name.into()).collect(),
        false => plan.data.clone(),
    };
    let mut cases = Vec::new();
    for name in &names {
        let mut source = Source::find(name, plan.folder.as_deref())?;
        for epsilon in &plan.epsilons {
            let more = run::run(&mut source, epsilon, plan.repeats)?;
            eprint!("{}", table::words(&more));
            cases.extend(more);
        }
    }
    Ok(match fit {
        true => fit::constants(&cases),
        false => table::markdown(&cases),
    })
}
