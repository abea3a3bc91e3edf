//! `generalize`: the repaired forms are not refuted, the published one is, and so are mistakes that one
//! could make in repairing it.
//!
//! Bounds are at α = 10⁻⁹, so that a form that keeps its promise fails once in 10⁹ runs. The δ is large,
//! so that a few thousand runs would show one that is too small.

use std::num::NonZeroU32;

use wayveil_core::{Coordinate, PrivacyUnit, RandomSource, Records, Silent};
use wayveil_evaluate::audit::{AuditSettings, Effort, Report, audit};
use wayveil_mechanisms::generalize::kmeans::k_means;
use wayveil_mechanisms::generalize::places;
use wayveil_noise::Rate;
use wayveil_noise::thresholded::{Contribution, laplace_delta, laplace_threshold};

use super::leaks::{found, settings, shown};
use super::leaky::{Leaky, Made, first_locations, noise};
use super::trees::built;

fn audited(given: &[(&str, &str)], settings: &AuditSettings) -> Report {
    let mut all = vec![("epsilon", "1"), ("delta", "0.05"), ("decoys", "2")];
    all.retain(|(name, _)| given.iter().all(|(other, _)| other != name));
    all.extend_from_slice(given);
    let mut random = RandomSource::os().expect("randomness");
    let mechanism = built("generalize", &all);
    let report = audit(mechanism.as_ref(), settings, &mut random, &Silent).expect("an audit");
    println!("{all:?} {:?}: {}", settings.unit, shown(&report));
    report
}

#[track_caller]
fn assert_kept(given: &[(&str, &str)], unit: PrivacyUnit) -> Report {
    let report = audited(given, &settings(unit));
    assert!(!report.refuted, "{given:?}: {}", shown(&report));
    report
}

#[test]
fn a_threshold_with_its_delta_is_not_refuted() {
    let report = assert_kept(&[], PrivacyUnit::Owner);
    assert!(report.epsilon_lower > 0.3, "{}", shown(&report));
    assert_kept(
        &[
            ("windows", "2"),
            ("window", "1"),
            ("near", "1"),
            ("collapse", "true"),
        ],
        PrivacyUnit::Owner,
    );
}

#[test]
fn truncated_noise_with_its_delta_is_not_refuted() {
    assert_kept(&[("noise", "truncated")], PrivacyUnit::Owner);
}

#[test]
fn noise_on_every_journey_is_not_refuted() {
    let report = assert_kept(&[("noise", "pure"), ("window", "1")], PrivacyUnit::Owner);
    assert_eq!(report.delta_claimed, Some(0.0));
    assert!(report.epsilon_lower > 0.3, "{}", shown(&report));
}

#[test]
fn private_centres_are_not_refuted() {
    for noise in ["laplace", "truncated", "pure"] {
        assert_kept(
            &[
                ("centres", "private"),
                ("clusters", "2"),
                ("noise", noise),
                ("rounds", "2"),
            ],
            PrivacyUnit::Owner,
        );
    }
}

#[test]
fn several_trips_of_an_owner_are_hidden() {
    let unit = PrivacyUnit::OwnerBounded(NonZeroU32::new(3).expect("not zero"));
    assert_kept(&[("epsilon", "3")], unit);
    assert_kept(&[("epsilon", "3"), ("noise", "truncated")], unit);
}

#[test]
fn the_published_form_is_refuted_at_every_epsilon_tried() {
    for epsilon in [1.0, 4.0] {
        let settings = AuditSettings {
            against: Some(epsilon),
            ..settings(PrivacyUnit::Owner)
        };
        let report = audited(&[("as-published", "true")], &settings);
        assert!(report.refuted, "{}", shown(&report));
        assert!(report.claims_nothing_because.is_some());
        assert_eq!(report.epsilon_claimed, Some(epsilon));
    }
    // What it claims itself is nothing.
    let settings = AuditSettings {
        effort: Effort::Runs(200),
        ..settings(PrivacyUnit::Owner)
    };
    let report = audited(&[("as-published", "true")], &settings);
    assert!(!report.refuted && report.epsilon_claimed.is_none());
}

/// Clusters of visited places instead of public ones, then honest noise: the place that stands for a
/// cluster tells who is there.
fn centres_from_raw_data(records: &Records<'_>, random: &mut RandomSource) -> Made {
    let counts = first_locations(records);
    let all = places(records.public.universe).expect("coordinates");
    let visited: Vec<usize> = (0..all.len()).filter(|&at| counts[at] > 0).collect();
    let points: Vec<Coordinate> = visited.iter().map(|&at| all[at]).collect();
    let mut made = Made::default();
    let Some(last) = points.last() else {
        return made;
    };
    let clustering = k_means(&points, None, &[points[0], *last], 20).expect("clusters");
    let rng = &mut random.stream();
    for (cluster, point) in clustering.representatives(&points).into_iter().enumerate() {
        let members = clustering.of_point.iter().zip(&visited);
        let members = members.filter(|(own, _)| **own as usize == cluster);
        let count: i64 = members.map(|(_, &at)| counts[at]).sum();
        let place = visited[point as usize] as u32;
        made.counts.insert(vec![place], count + noise(1, 1, rng));
    }
    made
}

#[test]
fn centres_from_raw_data_are_refuted() {
    let report = found(&Leaky::pure("1", centres_from_raw_data), PrivacyUnit::Owner);
    println!("{}", shown(&report));
    assert!(report.refuted, "{}", shown(&report));
}

const SMALL_DELTA: (u128, u128) = (1, 20);

fn threshold() -> u64 {
    let rate = Rate::new(1, 1).expect("a rate");
    laplace_threshold(rate, Contribution::ONE_KEY, SMALL_DELTA).expect("a threshold")
}

fn from_threshold(records: &Records<'_>, random: &mut RandomSource, threshold: i64) -> Made {
    let rng = &mut random.stream();
    let counts = first_locations(records).into_iter().enumerate();
    let noisy = counts
        .filter(|(_, count)| *count > 0)
        .map(|(at, count)| (vec![at as u32], count + noise(1, 1, rng)));
    Made {
        counts: noisy.filter(|(_, noisy)| *noisy >= threshold).collect(),
        ..Made::default()
    }
}

#[test]
fn a_threshold_one_too_low_is_refuted() {
    let rate = Rate::new(1, 1).expect("a rate");
    let right = threshold().try_into().expect("not zero");
    let delta = laplace_delta(rate, right, Contribution::ONE_KEY).to_string();
    let settings = AuditSettings {
        effort: Effort::Runs(12_000),
        ..settings(PrivacyUnit::Owner)
    };
    type Make = fn(&Records<'_>, &mut RandomSource) -> Made;
    let makes: [(Make, bool); 2] = [
        (
            |records, random| from_threshold(records, random, threshold() as i64),
            false,
        ),
        (
            |records, random| from_threshold(records, random, threshold() as i64 - 1),
            true,
        ),
    ];
    for (make, refuted) in makes {
        let leak = Leaky {
            epsilon: "1",
            delta: delta.clone(),
            make,
        };
        let mut random = RandomSource::os().expect("randomness");
        let report = audit(&leak, &settings, &mut random, &Silent).expect("an audit");
        println!("{}", shown(&report));
        assert_eq!(report.refuted, refuted, "{}", shown(&report));
    }
}

/// What a person adds at most, in the tests of noise that does not follow it.
const MOST: u32 = 3;

fn most() -> NonZeroU32 {
    NonZeroU32::new(MOST).expect("not zero")
}

/// Windows of one point, at most three different ones of each record, from a threshold on: with noise of
/// rate 1/`parts` and the threshold that belongs to it.
fn windows_counted(records: &Records<'_>, random: &mut RandomSource, parts: u64) -> Made {
    let mut counts = vec![0; records.public.universe.len()];
    for record in records.sequences.iter() {
        let mut own: Vec<u32> = Vec::new();
        for &location in record {
            if own.len() < MOST as usize && !own.contains(&location) {
                own.push(location);
                counts[location as usize] += 1;
            }
        }
    }
    thresholded(counts, random, parts, Contribution::DistinctKeys(most()))
}

/// Three trips of a person, which may go to one place.
fn trips_counted(records: &Records<'_>, random: &mut RandomSource, parts: u64) -> Made {
    let counts = first_locations(records);
    thresholded(counts, random, parts, Contribution::InAll(most()))
}

fn thresholded(counts: Vec<i64>, random: &mut RandomSource, parts: u64, by: Contribution) -> Made {
    let rng = &mut random.stream();
    let rate = Rate::new(1, parts).expect("a rate");
    let threshold = laplace_threshold(rate, by, SMALL_DELTA).expect("a threshold") as i64;
    let noisy = counts
        .into_iter()
        .enumerate()
        .filter(|(_, count)| *count > 0)
        .map(|(at, count)| (vec![at as u32], count + noise(1, parts, rng)));
    Made {
        counts: noisy.filter(|(_, noisy)| *noisy >= threshold).collect(),
        ..Made::default()
    }
}

#[test]
fn noise_that_is_not_divided_among_windows_or_trips_is_refuted() {
    type Make = fn(&Records<'_>, &mut RandomSource) -> Made;
    let bounded = PrivacyUnit::OwnerBounded(most());
    let makes: [(PrivacyUnit, Make, Make); 2] = [
        (
            PrivacyUnit::Owner,
            |records, random| windows_counted(records, random, MOST.into()),
            |records, random| windows_counted(records, random, 1),
        ),
        (
            bounded,
            |records, random| trips_counted(records, random, MOST.into()),
            |records, random| trips_counted(records, random, 1),
        ),
    ];
    for (unit, right, wrong) in makes {
        for (make, refuted) in [(right, false), (wrong, true)] {
            let mechanism = Leaky {
                epsilon: "1",
                delta: "0.05".into(),
                make,
            };
            let report = found(&mechanism, unit);
            println!("{unit:?} {}", shown(&report));
            assert_eq!(report.refuted, refuted, "{unit:?} {}", shown(&report));
        }
    }
}
