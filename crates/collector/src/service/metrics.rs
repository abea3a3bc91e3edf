//! Numbers for Prometheus: how many requests had which outcome, and how the campaign stands.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::engine::View;
use crate::store::CampaignState;

/// Every outcome of a request that is counted by itself.
const OUTCOMES: [&str; 14] = [
    "counted",
    "repeated",
    "garbage",
    "forged",
    "used",
    "closed",
    "early",
    "too-large",
    "slow-down",
    "unavailable",
    "unknown",
    "upgrade",
    "timed-out",
    "ok",
];

/// Counters since the start. They know no client, route or time.
#[derive(Default)]
pub(crate) struct Metrics {
    outcomes: [AtomicU64; OUTCOMES.len()],
    batches: AtomicU64,
    batched: AtomicU64,
}

impl Metrics {
    pub(crate) fn count(&self, outcome: &str) {
        if let Some(at) = OUTCOMES.iter().position(|known| *known == outcome) {
            self.outcomes[at].fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn batch(&self, size: usize) {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.batched.fetch_add(size as u64, Ordering::Relaxed);
    }

    /// Requests by outcome.
    pub(crate) fn outcomes(&self) -> Vec<(&'static str, u64)> {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (OUTCOMES.iter().zip(&self.outcomes))
            .map(|(name, counter)| (*name, read(counter)))
            .collect()
    }

    /// The text that Prometheus reads.
    pub(crate) fn text(&self, view: &View) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, rows: &[(String, u64)]| {
            let _ = writeln!(
                text,
                "# HELP wayveil_{name} {help}\n# TYPE wayveil_{name} {kind}"
            );
            for (labels, value) in rows {
                let _ = writeln!(text, "wayveil_{name}{labels} {value}");
            }
        };
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let plain = |value: u64| [(String::new(), value)];
        let outcomes: Vec<_> = (OUTCOMES.iter().zip(&self.outcomes))
            .map(|(name, counter)| (format!("{{outcome=\"{name}\"}}"), read(counter)))
            .collect();
        family(
            "requests_total",
            "counter",
            "Requests by outcome.",
            &outcomes,
        );
        let batches = plain(read(&self.batches));
        family(
            "commits_total",
            "counter",
            "Transactions of answers.",
            &batches,
        );
        let batched = plain(read(&self.batched));
        family("submitted_total", "counter", "Answers in them.", &batched);
        let state = |name: &str, is: bool| (format!("{{state=\"{name}\"}}"), u64::from(is));
        let states = [
            state("running", view.state == CampaignState::Running),
            state("complete", view.state == CampaignState::Complete),
            state("failed", matches!(view.state, CampaignState::Failed(_))),
        ];
        family(
            "campaign_state",
            "gauge",
            "1 for the state it is in.",
            &states,
        );
        let answers = view.open.as_ref().map_or(0, |open| open.answers);
        family(
            "open_round_answers",
            "gauge",
            "Answers of the open round.",
            &plain(answers),
        );
        let closed = plain(view.past.len() as u64);
        family("rounds_closed", "gauge", "Rounds that are over.", &closed);
        let works = plain(u64::from(view.store_works));
        family(
            "store_works",
            "gauge",
            "1 if the store worked when last used.",
            &works,
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_shown() {
        let metrics = Metrics::default();
        metrics.count("counted");
        metrics.count("counted");
        metrics.count("no such outcome");
        metrics.batch(2);
        let text = metrics.text(&View {
            state: CampaignState::Complete,
            open: None,
            past: Vec::new(),
            findings: None,
            closed_rounds: None,
            store_works: true,
        });
        for line in [
            "# TYPE wayveil_requests_total counter",
            "wayveil_requests_total{outcome=\"counted\"} 2",
            "wayveil_commits_total 1",
            "wayveil_submitted_total 2",
            "wayveil_campaign_state{state=\"complete\"} 1",
            "wayveil_campaign_state{state=\"running\"} 0",
            "wayveil_store_works 1",
        ] {
            assert!(
                text.lines().any(|it| it == line),
                "{line} is not in\n{text}"
            );
        }
    }
}
