//! Promises under replacement: clients who answer for themselves, and leaks planted in them.
//!
//! A client sees its own trajectory and nothing else; the transcript is all that the clients send.
//! Bounds are at α = 10⁻⁹, so that nothing is refuted by luck.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use wayveil_core::{
    Claim, Cost, Delta, Epsilon, FragmentCounts, Guarantee, Mechanism, Neighbouring, Output,
    PrivacyUnit, Progress, PublicInputs, RandomSource, Records, Result, Sequences, Silent,
    Transcript,
};
use wayveil_evaluate::audit::{Report, audit};
use wayveil_noise::{Stream, bernoulli_exp};

use super::leaks::{settings, shown};
use super::leaky::{first_locations, noise};

type Answers = Vec<(&'static str, i64)>;

/// What a mechanism does with all records; only some of them are clients that answer alone.
#[derive(Clone, Copy)]
enum Make {
    /// Each client answers by itself.
    Clients(fn(&[u32], &mut Stream) -> Answers),
    /// Noise on the number of records that begin with each location, with this budget.
    Histogram { numerator: u64, denominator: u64 },
    /// The number of records and nothing else.
    Number,
    /// Fragments of one location with their true counts, as if they were private.
    TrueFragments,
}

struct Replacing {
    epsilon: &'static str,
    relation: Neighbouring,
    make: Make,
}

impl Mechanism for Replacing {
    fn name(&self) -> &'static str {
        "replacing"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let epsilon: Epsilon = self.epsilon.parse()?;
        Ok(Claim {
            guarantee: match (self.relation, self.make) {
                (Neighbouring::AddOrRemoveOneUnit, _) => Guarantee::pure(&epsilon, public.unit),
                (_, Make::Clients(_)) => Guarantee::local(&epsilon, public.unit),
                _ => Guarantee::replacing(&epsilon, &Delta::zero(), public.unit),
            },
            cost: Cost::pure(epsilon),
            variant: "repaired",
            parameters: BTreeMap::new(),
            limits: Vec::new(),
            noise: "randomised response".into(),
            columns: Vec::new(),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        _progress: &dyn Progress,
    ) -> Result<Output> {
        let rng = &mut random.stream();
        let mut fragments = None;
        let told: Vec<(String, i64)> = match self.make {
            Make::Clients(answer) => {
                let clients = records.sequences.iter().enumerate();
                let told = clients.flat_map(|(client, record)| {
                    let answers = answer(record, rng).into_iter();
                    answers.map(move |(what, bit)| (format!("client {client}: {what}"), bit))
                });
                told.collect()
            }
            Make::Histogram {
                numerator,
                denominator,
            } => {
                let counts = first_locations(records).into_iter().enumerate();
                let noisy = counts.map(|(location, count)| {
                    let noisy = count + noise(numerator, denominator, rng);
                    (format!("records at {location}"), noisy)
                });
                noisy.collect()
            }
            Make::Number => vec![("records".into(), records.sequences.len() as i64)],
            Make::TrueFragments => {
                fragments = Some(true_fragments(records));
                Vec::new()
            }
        };
        Ok(Output {
            trajectories: Sequences::empty(records.public.time.is_some()),
            attributes: Vec::new(),
            counts: None,
            fragments,
            expected_error: None,
            transcript: Transcript::told_by(move || told),
        })
    }
}

fn true_fragments(records: &Records<'_>) -> FragmentCounts {
    let counts = first_locations(records).into_iter().enumerate();
    let mut rows: Vec<(u64, u32)> = counts
        .filter(|(_, count)| *count > 0)
        .map(|(location, count)| (count as u64, location as u32))
        .collect();
    rows.sort_by_key(|&(count, location)| (u64::MAX - count, location));
    FragmentCounts {
        fragments: Sequences::from_codes(rows.iter().map(|&(_, location)| [location])),
        count: rows.iter().map(|row| row.0).collect(),
        standard_error: vec![0.0; rows.len()],
        low: vec![0; rows.len()],
        high: vec![u64::MAX; rows.len()],
    }
}

/// The truth with odds of e^(1/parts) to one: a coin that lies with probability 1/(1 + e^(1/parts)),
/// exactly. Lying and telling the truth are proposed alike, and a lie is kept with e^(−1/parts).
fn response(truth: bool, parts: u64, rng: &mut Stream) -> i64 {
    let parts = NonZeroU64::new(parts).expect("not zero");
    let two = NonZeroU64::new(2).expect("not zero");
    loop {
        let lie = wayveil_noise::bernoulli(1, two, rng);
        if !lie || bernoulli_exp(1, parts, rng) {
            return i64::from(truth != lie);
        }
    }
}

fn audited(epsilon: &'static str, relation: Neighbouring, make: Make) -> Report {
    let mechanism = Replacing {
        epsilon,
        relation,
        make,
    };
    let mut random = RandomSource::os().expect("randomness");
    let settings = settings(PrivacyUnit::Owner);
    let report = audit(&mechanism, &settings, &mut random, &Silent).expect("an audit");
    println!("{}", shown(&report));
    assert_eq!(report.neighbouring, relation);
    report
}

#[track_caller]
fn assert_kept(epsilon: &'static str, make: Make, at_least: f64) {
    let report = audited(epsilon, Neighbouring::ReplaceOneUnit, make);
    assert!(!report.refuted, "{}", shown(&report));
    assert!(report.epsilon_lower > at_least, "{}", shown(&report));
}

#[track_caller]
fn assert_refuted(epsilon: &'static str, make: Make) {
    let report = audited(epsilon, Neighbouring::ReplaceOneUnit, make);
    assert!(report.refuted, "{}", shown(&report));
}

/// "Have you been at 0?"
fn honest(record: &[u32], rng: &mut Stream) -> Answers {
    vec![("bit", response(record.contains(&0), 1, rng))]
}

/// "Have you been at 0, 1, 2, 3?", with a quarter of the budget for each.
fn four_bits(record: &[u32], rng: &mut Stream) -> Answers {
    asked(record, 4, rng)
}

fn asked(record: &[u32], parts: u64, rng: &mut Stream) -> Answers {
    let names = ["bit 0", "bit 1", "bit 2", "bit 3"].into_iter().zip(0u32..);
    let answers = names.map(|(name, at)| (name, response(record.contains(&at), parts, rng)));
    answers.collect()
}

#[test]
fn one_bit_is_not_refuted() {
    assert_kept("1", Make::Clients(honest), 0.5);
}

#[test]
fn several_bits_that_share_the_budget_are_not_refuted() {
    // Four coins that hardly lean are told apart by their sum, if the auditor happens to choose it: how
    // much it sees is left open.
    let report = audited("1", Neighbouring::ReplaceOneUnit, Make::Clients(four_bits));
    assert!(!report.refuted, "{}", shown(&report));
}

#[test]
fn the_whole_budget_for_each_of_several_bits() {
    let each = |record: &[u32], rng: &mut Stream| asked(record, 1, rng);
    assert_refuted("1", Make::Clients(each));
}

#[test]
fn an_answer_given_twice_with_fresh_noise() {
    let twice = |record: &[u32], rng: &mut Stream| {
        let truth = record.contains(&0);
        let first = response(truth, 1, rng);
        vec![("bit", first), ("bit again", response(truth, 1, rng))]
    };
    assert_refuted("1", Make::Clients(twice));
}

#[test]
fn the_same_answer_given_twice_is_not_refuted() {
    let repeated = |record: &[u32], rng: &mut Stream| {
        let bit = response(record.contains(&0), 1, rng);
        vec![("bit", bit), ("bit again", bit)]
    };
    assert_kept("1", Make::Clients(repeated), 0.5);
}

#[test]
fn no_answer_from_an_empty_trajectory() {
    let silent = |record: &[u32], rng: &mut Stream| match record {
        [] => Vec::new(),
        record => honest(record, rng),
    };
    assert_refuted("1", Make::Clients(silent));
}

#[test]
fn taking_part_is_shown_under_replacement_and_a_leak_elsewhere() {
    let replaced = audited("1", Neighbouring::ReplaceOneUnit, Make::Number);
    assert!(!replaced.refuted, "{}", shown(&replaced));
    assert!(replaced.epsilon_lower < 0.1, "{}", shown(&replaced));
    for make in [Make::Number, Make::Clients(honest)] {
        let added = audited("1", Neighbouring::AddOrRemoveOneUnit, make);
        assert!(added.refuted, "{}", shown(&added));
    }
}

#[test]
fn replacing_costs_twice_what_adding_does() {
    // One count falls and another rises: noise for adding one is half of what is needed.
    let for_adding = Make::Histogram {
        numerator: 1,
        denominator: 1,
    };
    let added = audited("1", Neighbouring::AddOrRemoveOneUnit, for_adding);
    assert!(!added.refuted, "{}", shown(&added));
    assert_refuted("1", for_adding);
    let for_replacing = Make::Histogram {
        numerator: 1,
        denominator: 2,
    };
    assert_kept("1", for_replacing, 0.3);
}

#[test]
fn true_counts_of_fragments_are_refuted() {
    assert_refuted("1", Make::TrueFragments);
}
