//! Numbers for Prometheus. They know no client, code or time.

use crate::service::metrics::{Outcomes, family};

/// Every outcome of a request that is counted by itself.
const OUTCOMES: [&str; 15] = [
    "signed",
    "repeated",
    "garbage",
    "mistyped",
    "unknown-code",
    "unknown-key",
    "used",
    "retired",
    "too-large",
    "slow-down",
    "unavailable",
    "unknown",
    "upgrade",
    "timed-out",
    "ok",
];

/// Counters since the start.
pub(super) struct Metrics(Outcomes<{ OUTCOMES.len() }>);

impl Default for Metrics {
    fn default() -> Self {
        Self(Outcomes::of(OUTCOMES))
    }
}

impl Metrics {
    pub(super) fn count(&self, outcome: &str) {
        self.0.count(outcome);
    }

    /// The text that Prometheus reads.
    pub(super) fn text(&self, store_works: bool) -> String {
        let mut text = String::new();
        family(
            &mut text,
            "issuer_requests_total",
            "counter",
            "Requests by outcome.",
            &self.0.rows(),
        );
        family(
            &mut text,
            "issuer_store_works",
            "gauge",
            "1 if the store worked when last used.",
            &[(String::new(), u64::from(store_works))],
        );
        text
    }
}
