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

/// How many requests had which outcome, since the start.
pub(crate) struct Outcomes<const N: usize> {
    names: [&'static str; N],
    counts: [AtomicU64; N],
}

impl<const N: usize> Outcomes<N> {
    pub(crate) fn of(names: [&'static str; N]) -> Self {
        let counts = names.map(|_| AtomicU64::new(0));
        Self { names, counts }
    }

    pub(crate) fn count(&self, outcome: &str) {
        if let Some(at) = self.names.iter().position(|known| *known == outcome) {
            self.counts[at].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Every outcome with its number.
    pub(crate) fn read(&self) -> Vec<(&'static str, u64)> {
        (self.names.iter().zip(&self.counts))
            .map(|(name, count)| (*name, count.load(Ordering::Relaxed)))
            .collect()
    }

    /// A row for each.
    pub(crate) fn rows(&self) -> Vec<(String, u64)> {
        let row = |(name, count)| (format!("{{outcome=\"{name}\"}}"), count);
        self.read().into_iter().map(row).collect()
    }
}

/// Adds the rows of one name.
pub(crate) fn family(
    text: &mut String,
    name: &str,
    kind: &str,
    help: &str,
    rows: &[(String, u64)],
) {
    let _ = writeln!(
        text,
        "# HELP wayveil_{name} {help}\n# TYPE wayveil_{name} {kind}"
    );
    for (labels, value) in rows {
        let _ = writeln!(text, "wayveil_{name}{labels} {value}");
    }
}

/// Counters since the start. They know no client, route or time.
pub(crate) struct Metrics {
    outcomes: Outcomes<{ OUTCOMES.len() }>,
    batches: AtomicU64,
    batched: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            outcomes: Outcomes::of(OUTCOMES),
            batches: AtomicU64::new(0),
            batched: AtomicU64::new(0),
        }
    }
}

impl Metrics {
    pub(crate) fn count(&self, outcome: &str) {
        self.outcomes.count(outcome);
    }

    pub(crate) fn batch(&self, size: usize) {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.batched.fetch_add(size as u64, Ordering::Relaxed);
    }

    /// Requests by outcome.
    pub(crate) fn outcomes(&self) -> Vec<(&'static str, u64)> {
        self.outcomes.read()
    }

    /// The text that Prometheus reads.
    pub(crate) fn text(&self, view: &View) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, rows: &[(String, u64)]| {
            family(&mut text, name, kind, help, rows);
        };
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let plain = |value: u64| [(String::new(), value)];
        let outcomes = self.outcomes.rows();
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
        let published = |name: &str| state(name, view.published().0 == name);
        family(
            "campaign_published",
            "gauge",
            "1 for whether what was found is published.",
            &["waiting", "yes", "no"].map(published),
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
    use crate::engine::Publication;

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
            publication: Publication::Failed("no room".into()),
        });
        for line in [
            "# TYPE wayveil_requests_total counter",
            "wayveil_requests_total{outcome=\"counted\"} 2",
            "wayveil_commits_total 1",
            "wayveil_submitted_total 2",
            "wayveil_campaign_state{state=\"complete\"} 1",
            "wayveil_campaign_state{state=\"running\"} 0",
            "wayveil_campaign_published{state=\"no\"} 1",
            "wayveil_campaign_published{state=\"yes\"} 0",
            "wayveil_store_works 1",
        ] {
            assert!(
                text.lines().any(|it| it == line),
                "{line} is not in\n{text}"
            );
        }
    }
}
