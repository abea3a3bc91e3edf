//! `weave`: not refuted, and its counts are seen. Faults that it could have had, planted in small, are refuted.
//!
//! Its shares are small, so that a fault in one group alone is within what the whole promises and no audit can see it:
//! `crates/mechanisms/src/weave/tests/spent.rs` adds up what is spent, group by group.

use std::num::NonZeroU32;

use wayveil_core::{PrivacyUnit, RandomSource, Records, Silent};
use wayveil_evaluate::audit::{AuditSettings, Effort, audit};

use super::leaks::{found, settings, shown};
use super::leaky::{Leaky, Made, noise};
use super::trees::built;

/// What a cell counts for a record within its bound.
const UNITS: i64 = 60;

#[test]
fn weave_is_not_refuted() {
    not_refuted(&[("epsilon", "1"), ("max-length", "4")]);
}

#[test]
fn weave_with_a_delta_is_not_refuted() {
    not_refuted(&[("epsilon", "1"), ("delta", "1e-3"), ("max-length", "4")]);
}

fn not_refuted(parameters: &[(&str, &str)]) {
    let trips = NonZeroU32::new(2).expect("not zero");
    for unit in [PrivacyUnit::Owner, PrivacyUnit::OwnerBounded(trips)] {
        let settings = AuditSettings {
            effort: Effort::Runs(60),
            ..settings(unit)
        };
        let mechanism = built("weave", parameters);
        let mut random = RandomSource::os().expect("randomness");
        let report = audit(mechanism.as_ref(), &settings, &mut random, &Silent).expect("an audit");
        assert!(!report.refuted, "{}", shown(&report));
        assert!(report.pairs.iter().any(|pair| !pair.findings.is_empty()));
    }
}

#[track_caller]
fn assert_refuted(make: fn(&Records<'_>, &mut RandomSource) -> Made) {
    let report = found(&Leaky::pure("1", make), PrivacyUnit::Owner);
    assert!(report.refuted, "{}", shown(&report));
}

/// Different places of each record, in units that `each` says by their number.
fn places(records: &Records<'_>, each: impl Fn(i64) -> i64) -> Vec<i64> {
    let mut counts = vec![0; records.public.universe.len()];
    for record in records.sequences.iter() {
        let mut own = record.to_vec();
        own.sort_unstable();
        own.dedup();
        let units = each(own.len() as i64);
        own.iter()
            .for_each(|&place| counts[place as usize] += units);
    }
    counts
}

/// Units of a record that counts in one place fully, or in more of them less.
fn within(places: i64) -> i64 {
    UNITS / places.max(1)
}

fn told(counts: impl IntoIterator<Item = i64>) -> Made {
    let counts = counts.into_iter().enumerate();
    Made {
        told: counts
            .map(|(place, noisy)| (format!("place {place}"), noisy))
            .collect(),
        ..Made::default()
    }
}

#[test]
fn units_that_share_a_bound_are_not_refuted() {
    let make = |records: &Records<'_>, random: &mut RandomSource| {
        let rng = &mut random.stream();
        told(
            places(records, within)
                .into_iter()
                .map(|it| it + noise(1, UNITS as u64, rng)),
        )
    };
    let report = found(&Leaky::pure("1", make), PrivacyUnit::Owner);
    assert!(!report.refuted, "{}", shown(&report));
    assert!(report.epsilon_lower > 0.3, "{}", shown(&report));
}

#[test]
fn units_that_ignore_the_bound() {
    assert_refuted(|records, random| {
        let rng = &mut random.stream();
        let counts = places(records, |_| UNITS);
        told(
            counts
                .into_iter()
                .map(|it| it + noise(1, UNITS as u64, rng)),
        )
    });
}

#[test]
fn noise_of_half_the_scale() {
    assert_refuted(|records, random| {
        let rng = &mut random.stream();
        let counts = places(records, within);
        told(
            counts
                .into_iter()
                .map(|it| it + noise(2, UNITS as u64, rng)),
        )
    });
}

#[test]
fn shares_that_follow_the_exact_number_of_records() {
    assert_refuted(|records, random| {
        let rng = &mut random.stream();
        // Whatever the rule, two numbers of records side by side have two shares.
        let tenths = if records.sequences.len() % 2 == 0 {
            9
        } else {
            1
        };
        let counts = places(records, within);
        told(
            counts
                .into_iter()
                .map(|it| it + noise(tenths, 10 * UNITS as u64, rng)),
        )
    });
}

#[test]
fn a_threshold_that_is_taken_from_the_data() {
    assert_refuted(|records, random| {
        let rng = &mut random.stream();
        let counts = places(records, within);
        let threshold = counts.iter().copied().max().unwrap_or(0);
        let noisy = counts.into_iter().enumerate();
        let noisy = noisy.map(|(place, it)| (place, it + noise(1, UNITS as u64, rng)));
        Made {
            told: noisy
                .filter(|(_, noisy)| *noisy >= threshold)
                .map(|(_, noisy)| ("passed".to_owned(), noisy))
                .collect(),
            ..Made::default()
        }
    });
}
