//! What a release says of its own error.

use wayveil_core::{ErrorEstimate, ExpectedError};

use crate::page::figure::{Cell, Table};
use crate::words::harmless;

/// The card of it.
pub(super) struct OwnError {
    pub(super) words: String,
    pub(super) table: Table,
}

/// The card of these estimates.
pub(super) fn of(expected: &ExpectedError) -> OwnError {
    let mut table = Table::new(
        "The release's own error, as it estimates it",
        &["number", "#estimate", "#from", "#to"],
    );
    for it in &expected.estimates {
        let number = |number: f64| Cell::shown(ErrorEstimate::shown(number), number);
        table.row([
            harmless(it.about()).into(),
            number(it.value),
            number(it.low),
            number(it.high),
        ]);
    }
    OwnError {
        words: harmless(&format!(
            "These numbers are {}. What is found in eight of ten releases lies between the last two columns.",
            expected.made
        )),
        table,
    }
}
