//! Promises with a δ: what it allows is no leak, and what it does not allow is found.
//!
//! All release noisy counts of first locations that occur, from a threshold on: (ε, δ)-differential
//! privacy with exactly the δ of `wayveil_noise::thresholded`, which its own tests enumerate. That
//! δ is large here, so that a few thousand runs show it.

use std::num::NonZeroU32;

use wayveil_core::{PrivacyUnit, RandomSource, Records, Silent};
use wayveil_evaluate::audit::{AuditSettings, Effort, Report, audit};
use wayveil_noise::thresholded::{Contribution, laplace_delta, truncated_delta};
use wayveil_noise::{Rate, TruncatedLaplace};

use super::leaks::{found, settings, shown};
use super::leaky::{Leaky, Made, first_locations, noise, release};

const THRESHOLD: i64 = 2;
const BOUND: u64 = 2;

fn rate(num: u64) -> Rate {
    Rate::new(num, 1).expect("a rate")
}

/// Only what occurs is given noise.
fn occurring(records: &Records<'_>) -> impl Iterator<Item = (usize, i64)> {
    let counts = first_locations(records).into_iter().enumerate();
    counts.filter(|(_, count)| *count > 0)
}

/// At ε = 1, with one location for each owner.
fn thresholded(records: &Records<'_>, random: &mut RandomSource) -> Made {
    let rng = &mut random.stream();
    let noisy = occurring(records).map(|(location, count)| (location, count + noise(1, 1, rng)));
    Made {
        counts: release(noisy, THRESHOLD),
        ..Made::default()
    }
}

fn true_delta() -> String {
    let threshold = (THRESHOLD as u64).try_into().expect("not zero");
    laplace_delta(rate(1), threshold, Contribution::ONE_KEY).to_string()
}

/// The same with noise that is never beyond [`BOUND`].
fn truncated(records: &Records<'_>, random: &mut RandomSource) -> Made {
    let rng = &mut random.stream();
    let law = TruncatedLaplace::new(rate(1), BOUND);
    let noisy = occurring(records).map(|(location, count)| (location, count + law.sample(rng)));
    Made {
        counts: release(noisy, BOUND as i64 + 1),
        ..Made::default()
    }
}

fn audited(delta: impl Into<String>, make: fn(&Records<'_>, &mut RandomSource) -> Made) -> Report {
    let (epsilon, delta) = ("1", delta.into());
    let leak = Leaky {
        epsilon,
        delta,
        make,
    };
    let report = found(&leak, PrivacyUnit::Owner);
    println!("{}", shown(&report));
    report
}

#[test]
fn a_promise_with_its_whole_delta_is_not_refuted() {
    let report = audited(true_delta(), thresholded);
    assert!(!report.refuted && !report.doubtful(), "{}", shown(&report));
    assert!(report.epsilon_lower > 0.1, "{}", shown(&report));
    let claimed = report.delta_claimed.expect("a delta");
    assert!((claimed - 0.268_942).abs() < 1e-12);
    // At its ε it is seen to need a good part of its δ, and no more.
    let lower = report.delta_lower.expect("a bound");
    assert!(lower <= claimed, "{lower}");
}

#[test]
fn half_the_delta_is_refuted() {
    // The truth is 0.268942. By chance this would be refuted once in 10⁹ audits at most.
    let report = audited("0.13447", thresholded);
    assert!(report.refuted, "{}", shown(&report));
    let lower = report.delta_lower.expect("a bound");
    assert!(lower > 0.13447 && lower < 0.268_942, "{lower}");
    assert!(report.least_alpha < 1e-9, "{}", report.least_alpha);
}

#[test]
fn no_delta_at_all_is_refuted() {
    let report = audited("0", thresholded);
    assert!(report.refuted, "{}", shown(&report));
}

#[test]
fn a_delta_is_no_excuse_for_half_the_noise() {
    let report = audited("1e-3", |records, random| {
        let rng = &mut random.stream();
        let noisy = (0..6).zip(first_locations(records));
        let noisy = noisy.map(|(location, count)| (location, count + noise(2, 1, rng)));
        Made {
            counts: release(noisy, THRESHOLD),
            ..Made::default()
        }
    });
    assert!(report.refuted, "{}", shown(&report));
}

#[test]
fn truncated_noise_needs_its_delta_and_not_half_of_it() {
    let whole = truncated_delta(rate(1), BOUND, Contribution::ONE_KEY);
    let report = audited(whole.to_string(), truncated);
    assert!(!report.refuted, "{}", shown(&report));
    let mut random = RandomSource::os().expect("randomness");
    let half = Leaky {
        epsilon: "1",
        delta: format!("{}", whole.as_f64() / 2.0),
        make: truncated,
    };
    let settings = AuditSettings {
        effort: Effort::Runs(12_000),
        ..settings(PrivacyUnit::Owner)
    };
    let report = audit(&half, &settings, &mut random, &Silent).expect("an audit");
    assert!(report.refuted, "{}", shown(&report));
}

/// Two trips of an owner, each counted, at ε = 4: noise of rate 2.
fn trips_counted(records: &Records<'_>, random: &mut RandomSource) -> Made {
    let rng = &mut random.stream();
    let noisy = occurring(records).map(|(location, count)| (location, count + noise(2, 1, rng)));
    Made {
        counts: release(noisy, THRESHOLD),
        ..Made::default()
    }
}

#[test]
fn a_key_twice_is_not_two_keys() {
    let two = NonZeroU32::new(2).expect("not zero");
    let threshold = (THRESHOLD as u64).try_into().expect("not zero");
    for (by, refuted) in [
        (Contribution::DistinctKeys(two), true),
        (Contribution::InAll(two), false),
    ] {
        let leak = Leaky {
            epsilon: "4",
            delta: laplace_delta(rate(2), threshold, by).to_string(),
            make: trips_counted,
        };
        let report = found(&leak, PrivacyUnit::OwnerBounded(two));
        println!("{}", shown(&report));
        assert_eq!(report.refuted, refuted, "{by:?}: {}", shown(&report));
    }
}
