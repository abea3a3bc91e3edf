//! What `weave` is told; all of it public.

use wayveil_core::{Delta, Epsilon, Error, Rational, Result};

use super::shares::Task;
use crate::parameters::{Parameter, Parameters};

/// The longest record that can be asked for.
const MAX_LENGTH: u64 = 1_000;

/// Parameters of `weave`.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) epsilon: Epsilon,
    /// Zero for the pure form.
    pub(super) delta: Delta,
    pub(super) max_length: usize,
    pub(super) task: Task,
    pub(super) grid: GridUse,
    /// Places are leaves of a grid, on which first and last points are counted besides.
    pub(super) leaves: bool,
}

/// Whether a regular grid is cut into cells that are small where people are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GridUse {
    /// Where it has many locations.
    Auto,
    /// Wherever there is a grid.
    Adaptive,
    /// Never.
    Off,
}

impl GridUse {
    const ALL: [Self; 3] = [Self::Auto, Self::Adaptive, Self::Off];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Adaptive => "adaptive",
            Self::Off => "off",
        }
    }
}

impl Options {
    pub(super) const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "epsilon",
            value: "E",
            help: "Privacy budget of the whole release, above 0; smaller is more private",
            default: None,
            example: "1",
        },
        Parameter {
            name: "delta",
            value: "D",
            help: "The probability with which the promise of epsilon may fail, far below one over the \
                   number of people; 0 for a promise that does not fail, with more noise",
            default: Some("0"),
            example: "1e-9",
        },
        Parameter {
            name: "max-length",
            value: "N",
            help: "How many locations of a trajectory count at most: a public bound, not read from \
                   the data",
            default: Some("128"),
            example: "20",
        },
        Parameter {
            name: "task",
            value: "TASK",
            help: "What the release is for: counts, patterns, flows or all; decides the shares of \
                   the budget",
            default: Some("all"),
            example: "all",
        },
        Parameter {
            name: "grid",
            value: "USE",
            help: "Whether a regular grid of locations is cut into cells that are small where \
                   people are, paid for: auto (where it has 400 locations or more), adaptive or off",
            default: Some("auto"),
            example: "auto",
        },
    ];

    pub(super) fn read(parameters: &Parameters) -> Result<Self> {
        let text = parameters.text("task");
        let task = Task::ALL.into_iter().find(|task| task.name() == text);
        let use_of_grid = parameters.text("grid");
        let grid = GridUse::ALL.into_iter().find(|it| it.name() == use_of_grid);
        Ok(Self {
            grid: grid.ok_or_else(|| {
                Error::input(format!(
                    "invalid grid (got {use_of_grid:?}): must be auto, adaptive or off"
                ))
            })?,
            leaves: false,
            epsilon: parameters.read("epsilon")?,
            delta: delta(parameters)?,
            max_length: parameters.whole("max-length", 1..=MAX_LENGTH)? as usize,
            task: task.ok_or_else(|| {
                Error::input(format!(
                    "invalid task (got {text:?}): must be counts, patterns, flows or all"
                ))
            })?,
        })
    }
}

/// The largest δ that means anything: with it, one of a thousand people may be given away.
const LARGEST_DELTA: (u64, u64) = (1, 1_000);

fn delta(parameters: &Parameters) -> Result<Delta> {
    let delta: Delta = parameters.read("delta")?;
    if *delta.value() > Rational::new(LARGEST_DELTA.0, LARGEST_DELTA.1)? {
        return Err(Error::input(format!(
            "invalid delta (got {delta}): must be at most 0.001, and far below one over the number of people"
        ))
        .hint("give --delta 1e-9, for instance, or leave it out for a promise that does not fail"));
    }
    Ok(delta)
}
