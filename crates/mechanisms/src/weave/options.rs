//! What `weave` is told; all of it public.

use wayveil_core::{Epsilon, Error, Result};

use super::shares::Task;
use crate::parameters::{Parameter, Parameters};

/// The longest record that can be asked for.
const MAX_LENGTH: u64 = 1_000;

/// Parameters of `weave`.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) epsilon: Epsilon,
    pub(super) max_length: usize,
    pub(super) task: Task,
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
    ];

    pub(super) fn read(parameters: &Parameters) -> Result<Self> {
        let text = parameters.text("task");
        let task = Task::ALL.into_iter().find(|task| task.name() == text);
        Ok(Self {
            epsilon: parameters.read("epsilon")?,
            max_length: parameters.whole("max-length", 1..=MAX_LENGTH)? as usize,
            task: task.ok_or_else(|| {
                Error::input(format!(
                    "invalid task (got {text:?}): must be counts, patterns, flows or all"
                ))
            })?,
        })
    }
}
