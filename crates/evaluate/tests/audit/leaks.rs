//! Leaks as published systems have had them, each planted in a small mechanism, each to be refuted.
//!
//! Every one promises ε-differential privacy (ε = 1 unless it says otherwise) and has bounds at
//! α = 10⁻⁹, so that none is refuted by luck.

use std::num::NonZeroU32;

use rand_core::Rng;
use wayveil_core::{PrivacyUnit, RandomSource, Records, Silent};
use wayveil_evaluate::audit::{AuditSettings, Effort, Report, audit};

use super::leaky::{Leaky, Made, first_locations, noise, release};

/// The false-alarm rate of each of these audits.
pub(crate) const ALPHA: f64 = 1e-9;
/// Test runs of each data set. The same number clears the real mechanisms.
pub(crate) const RUNS: u64 = 4_000;
const THRESHOLD: i64 = 3;

pub(crate) fn settings(unit: PrivacyUnit) -> AuditSettings {
    AuditSettings {
        unit,
        alpha: ALPHA,
        effort: Effort::Runs(RUNS),
        against: None,
    }
}

pub(crate) fn found(leak: &Leaky, unit: PrivacyUnit) -> Report {
    let mut random = RandomSource::os().expect("randomness");
    audit(leak, &settings(unit), &mut random, &Silent).expect("an audit")
}

#[track_caller]
fn assert_refuted(epsilon: &'static str, make: fn(&Records<'_>, &mut RandomSource) -> Made) {
    let report = found(&Leaky::pure(epsilon, make), PrivacyUnit::Owner);
    assert!(report.refuted, "{}", shown(&report));
    println!("{}", shown(&report));
}

pub(crate) fn shown(report: &Report) -> String {
    let best = report.best().map(|(pair, found)| {
        format!(
            "{} ({:?}): {} {:?}",
            pair.about,
            found.direction,
            found.event.in_words(),
            found.tested
        )
    });
    format!(
        "epsilon at least {:.3}, claimed {:?} with delta {:?}: {}",
        report.epsilon_lower,
        report.epsilon_claimed,
        report.delta_claimed,
        best.unwrap_or_default()
    )
}

/// What all of them should have been: noise on every location, empty ones included.
fn honest(records: &Records<'_>, random: &mut RandomSource) -> Made {
    let rng = &mut random.stream();
    let counts = first_locations(records).into_iter();
    Made {
        counts: release(
            counts.map(|count| count + noise(1, 1, rng)).enumerate(),
            THRESHOLD,
        ),
        ..Made::default()
    }
}

#[test]
fn honest_noise_is_not_refuted() {
    let make = honest;
    let report = found(&Leaky::pure("1", make), PrivacyUnit::Owner);
    assert!(!report.refuted, "{}", shown(&report));
    assert!(report.epsilon_lower > 0.5, "{}", shown(&report));
}

#[test]
fn half_the_noise() {
    assert_refuted("1", |records, random| {
        let rng = &mut random.stream();
        let counts = first_locations(records).into_iter();
        Made {
            counts: release(
                counts.map(|count| count + noise(2, 1, rng)).enumerate(),
                THRESHOLD,
            ),
            ..Made::default()
        }
    });
}

#[test]
fn a_charge_of_half_of_what_is_spent() {
    assert_refuted("1/2", honest);
}

#[test]
fn noise_on_children_with_records_only() {
    assert_refuted("1", |records, random| {
        let rng = &mut random.stream();
        let noisy = |count: i64| {
            if count == 0 {
                0
            } else {
                count + noise(1, 1, rng)
            }
        };
        let counts = first_locations(records).into_iter().map(noisy);
        Made {
            counts: release(counts.enumerate(), i64::MIN),
            ..Made::default()
        }
    });
}

#[test]
fn empty_children_never_sampled() {
    assert_refuted("1", |records, random| {
        let rng = &mut random.stream();
        let held = first_locations(records).into_iter().enumerate();
        let held = held.filter(|(_, count)| *count > 0);
        let counts: Vec<_> = held
            .map(|(location, count)| (location, count + noise(1, 1, rng)))
            .collect();
        Made {
            counts: release(counts, THRESHOLD),
            ..Made::default()
        }
    });
}

#[test]
fn a_universe_from_the_data() {
    assert_refuted("1", |records, random| {
        let rng = &mut random.stream();
        let mut seen: Vec<u32> = records.sequences.codes().to_vec();
        seen.sort_unstable();
        seen.dedup();
        let counts = first_locations(records);
        // Every location of this "universe" is noised, empty ones too, and all are released.
        let noised = seen.iter().map(|&location| {
            (
                location as usize,
                counts[location as usize] + noise(1, 1, rng),
            )
        });
        Made {
            counts: release(noised.collect::<Vec<_>>(), i64::MIN),
            ..Made::default()
        }
    });
}

#[test]
fn a_height_from_the_data() {
    assert_refuted("1", |records, random| {
        let rng = &mut random.stream();
        let height = records
            .sequences
            .iter()
            .map(<[u32]>::len)
            .max()
            .unwrap_or(0);
        // The budget is split over as many levels as the longest record has.
        let level = |depth: usize| {
            let reach = records
                .sequences
                .iter()
                .filter(|record| record.len() > depth);
            (
                depth.min(5),
                reach.count() as i64 + noise(1, height as u64, rng),
            )
        };
        Made {
            counts: release((0..height).map(level).collect::<Vec<_>>(), THRESHOLD),
            ..Made::default()
        }
    });
}

#[test]
fn a_threshold_before_the_noise() {
    assert_refuted("1", |records, random| {
        let rng = &mut random.stream();
        let noisy = |count: i64| if count >= THRESHOLD { count } else { 0 } + noise(1, 1, rng);
        let counts = first_locations(records).into_iter().map(noisy);
        Made {
            counts: release(counts.enumerate(), THRESHOLD),
            ..Made::default()
        }
    });
}

#[test]
fn hours_from_the_data() {
    // Only timed data shows it: hours without visits get no noise.
    assert_refuted("1", |records, random| {
        let rng = &mut random.stream();
        let mut visits = std::collections::BTreeMap::<u32, i64>::new();
        for &bin in records.sequences.bins().unwrap_or_default() {
            *visits.entry(bin).or_default() += 1;
        }
        let told = |(bin, count)| (format!("visits in bin {bin}"), count + noise(1, 24, rng));
        Made {
            told: visits.into_iter().map(told).collect(),
            ..Made::default()
        }
    });
}

/// Laplace noise by the textbook: the inverse of its distribution function at a uniform number of
/// 53 bits.
fn textbook_laplace(random: &mut RandomSource) -> f64 {
    let word = random.stream().next_u64() >> 11;
    let centred = (word as f64 + 0.5) / (1u64 << 53) as f64 - 0.5;
    -centred.signum() * (1.0 - 2.0 * centred.abs()).ln()
}

#[test]
fn floating_point_laplace() {
    // The distribution is right to fifteen digits, and yet small sums are as coarse as the noise
    // and the count that they are made of: a fine one was never added to a count.
    assert_refuted("1", |records, random| {
        let mut made = Made::default();
        for (location, count) in first_locations(records).into_iter().enumerate() {
            let prefix = vec![location as u32];
            let noisy = count as f64 + textbook_laplace(random);
            made.estimates.insert(prefix.clone(), noisy);
            made.counts.insert(prefix, 0);
        }
        made
    });
}

#[test]
fn one_sided_noise_scaled_by_the_data() {
    // Paper 001: equal trajectories are merged with a count, noise lies on (0, 2μ) about the mean
    // count μ, its scale is the largest difference of counts over μ.
    assert_refuted("1", |records, random| {
        let mut merged = std::collections::BTreeMap::<&[u32], i64>::new();
        for record in records.sequences.iter() {
            *merged.entry(record).or_default() += 1;
        }
        let mean = merged.values().sum::<i64>() as f64 / merged.len().max(1) as f64;
        let largest = merged.values().copied().max().unwrap_or(0);
        let spread = largest - merged.values().copied().min().unwrap_or(0);
        let scale = spread as f64 / mean.max(1.0);
        let mut noised = Made::default();
        for (record, count) in merged {
            let noise = loop {
                let noise = mean + scale * textbook_laplace(random);
                if noise > 0.0 && noise < 2.0 * mean {
                    break noise;
                }
            };
            let noisy = count + noise.round() as i64;
            noised
                .counts
                .insert(record[..record.len().min(3)].to_vec(), noisy);
        }
        noised
    });
}

#[test]
fn a_seeded_generator() {
    assert_refuted("1", |records, _| {
        honest(records, &mut RandomSource::insecure_seed(7))
    });
}

#[test]
fn an_answer_repeated_with_fresh_noise() {
    // "Have you been at 0?", with a coin of ε each time; whoever is asked again is found out.
    assert_refuted("1", |records, random| {
        let rng = &mut random.stream();
        let truth = first_locations(records)[0] > 0;
        let lie = std::f64::consts::E.recip() / (1.0 + std::f64::consts::E.recip());
        let mut answer = |_| truth != (((rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64) < lie);
        let answers = (1..=3).map(|time| (format!("answer {time}"), i64::from(answer(time))));
        Made {
            told: answers.collect(),
            ..Made::default()
        }
    });
}

#[test]
fn a_bound_on_trips_that_the_noise_forgets() {
    let unit = PrivacyUnit::OwnerBounded(NonZeroU32::new(3).expect("not zero"));
    let make = honest;
    let report = found(&Leaky::pure("1", make), unit);
    assert!(report.refuted, "{}", shown(&report));
}
