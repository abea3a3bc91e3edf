//! What FASTPub is compared with: Google's TrieHH and Apple's Sequence Fragment Puzzle.
//!
//! Both were made to find frequent strings, one word for each client. Here a client holds a
//! trajectory, and what is sought is every fragment (a run of consecutive locations) that occurs in
//! the trajectories of at least k clients. Each baseline comes in two forms: `published`, as near to
//! its paper as that task allows, and a form that makes the most of the same clients and promise.
//!
//! | | towards whom | promise |
//! | --- | --- | --- |
//! | [`triehh`] | who sees the counts of votes; sampler and counter are trusted | (ε, δ), one client replaced |
//! | [`sfp`] | everyone but the client itself | ε, local |
//!
//! The clients are simulated, `per_record` to each record, and none is held in memory.

pub mod sfp;
pub mod triehh;

use wayveil_core::{Error, RandomSource, Result, Sequences};

/// A way to find frequent fragments, to be compared with others.
pub trait Baseline {
    /// A short name for tables.
    fn name(&self) -> &'static str;

    /// Runs it on a population in which every record is the trajectory of `per_record` clients, and
    /// keeps the fragments of which at least `k` clients are estimated to hold one.
    fn find(
        &self,
        records: &Sequences,
        per_record: u64,
        k: u64,
        random: &mut RandomSource,
    ) -> Result<Found>;
}

/// The most clients that a baseline is run with.
pub const MAX_CLIENTS: u64 = u32::MAX as u64;

/// How many clients there are, if not too many.
fn number_of_clients(records: &Sequences, per_record: u64) -> Result<u64> {
    (records.len() as u64)
        .checked_mul(per_record)
        .filter(|&clients| clients <= MAX_CLIENTS)
        .ok_or_else(|| {
            Error::input("there are too many clients to be simulated")
                .hint(format!("there may be {MAX_CLIENTS}"))
        })
}

/// Fragments found, ordered by length, then count from the largest, then codes.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The fragments.
    pub fragments: Sequences,
    /// For each the estimated number of clients who hold it.
    pub count: Vec<f64>,
    /// For each an estimate of the count's standard deviation, without what is said to bias it.
    pub standard_error: Vec<f64>,
    /// What was sent.
    pub traffic: Traffic,
    /// What the promise is about: all that leaves the clients, or all that may be shown.
    pub seen: Seen,
}

/// Numbers behind what was found, whether or not they reached `k`: the promise covers every one of
/// them, and an auditor hears them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen(Vec<Part>);

#[derive(Clone, Debug, PartialEq)]
struct Part {
    about: String,
    numbers: Vec<u64>,
}

impl Seen {
    fn add(&mut self, about: impl Into<String>, numbers: Vec<u64>) {
        self.0.push(Part {
            about: about.into(),
            numbers,
        });
    }

    /// The numbers by name.
    pub fn told(&self) -> Vec<(String, i64)> {
        let named = |part: &Part| {
            let name = |(at, &number): (usize, &u64)| match part.numbers.len() {
                1 => (part.about.clone(), number as i64),
                _ => (format!("{} {at}", part.about), number as i64),
            };
            part.numbers
                .iter()
                .enumerate()
                .map(name)
                .collect::<Vec<_>>()
        };
        self.0.iter().flat_map(named).collect()
    }
}

/// Messages and bits between the clients and the server, without what transport adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How many times a client took part; more than the clients where rounds sample anew.
    pub answers: u64,
    /// Bits from all clients.
    pub bits_up: u64,
    /// Bits to all clients.
    pub bits_down: u64,
}

impl Traffic {
    /// Mean bits up and down of one answer.
    pub fn per_answer(&self) -> (f64, f64) {
        let answers = self.answers.max(1) as f64;
        (
            self.bits_up as f64 / answers,
            self.bits_down as f64 / answers,
        )
    }

    fn add(&mut self, answers: u64, bits_up: u64, bits_down: u64) {
        self.answers += answers;
        self.bits_up += answers * bits_up;
        self.bits_down += answers * bits_down;
    }
}

/// One fragment and what is known of its count.
#[derive(Clone, Debug, PartialEq)]
struct Estimate {
    fragment: Vec<u32>,
    count: f64,
    standard_error: f64,
}

impl Found {
    /// Keeps what reaches `k` and puts it in order.
    fn new(mut estimates: Vec<Estimate>, k: u64, traffic: Traffic, seen: Seen) -> Self {
        estimates.retain(|estimate| estimate.count >= k as f64);
        estimates.sort_by(|a, b| {
            (a.fragment.len().cmp(&b.fragment.len()))
                .then(b.count.total_cmp(&a.count))
                .then_with(|| a.fragment.cmp(&b.fragment))
        });
        Self {
            fragments: Sequences::from_codes(estimates.iter().map(|e| &e.fragment)),
            count: estimates.iter().map(|e| e.count).collect(),
            standard_error: estimates.iter().map(|e| e.standard_error).collect(),
            traffic,
            seen,
        }
    }
}

/// Bits that name one of `options` things.
fn bits_for(options: u64) -> u64 {
    u64::from(u64::BITS - options.saturating_sub(1).leading_zeros())
}

/// Records that one task works through with a stream of random words of its own, so that results
/// do not depend on the number of threads.
const RECORDS_PER_TASK: usize = 2048;

#[cfg(test)]
mod tests;
