use std::collections::BTreeMap;

use wayveil_core::{PrivacyUnit, RandomSource};
use wayveil_noise::statistics::{assert_plausible, chi_square};

use super::*;
use crate::generalize::testing::{counting, options, public, towns};

fn symbols(clusters: usize) -> Symbols {
    Symbols::new(clusters, None).unwrap()
}

/// P[noise = x].
fn mass(counting: &Counting, x: i64) -> f64 {
    match counting.law {
        Law::Laplace(noise) | Law::Pure(noise, _) => noise.pmf(x),
        Law::Truncated(noise) => noise.pmf(x),
    }
}

/// The law of what is seen of a journey with this count: nothing (first), then every noisy count from
/// the threshold on, until nothing worth mentioning is left.
fn law(counting: &Counting, count: i64) -> Vec<f64> {
    let occurs = count > 0 || matches!(counting.law, Law::Pure(..));
    let from = counting.threshold as i64;
    let mut seen: Vec<f64> = (from..from + 400)
        .map(|noisy| {
            if occurs {
                mass(counting, noisy - count)
            } else {
                0.0
            }
        })
        .collect();
    seen.insert(0, 1.0 - seen.iter().sum::<f64>());
    seen
}

/// The least δ with P(S) ≤ e^ε·Q(S) + δ for all S.
fn delta_between(p: &[f64], q: &[f64], epsilon: f64) -> f64 {
    let beyond = |(p, q): (&f64, &f64)| (p - epsilon.exp() * q).max(0.0);
    p.iter().zip(q).map(beyond).sum()
}

/// All answers about two journeys together.
fn both(one: &[f64], other: &[f64]) -> Vec<f64> {
    let each = one.iter().flat_map(|a| other.iter().map(move |b| a * b));
    each.collect()
}

/// Every answer about the journeys that one person changes, enumerated: the claimed δ holds at the
/// claimed ε, both ways, whatever the counts were before.
#[test]
fn the_claimed_delta_holds_for_every_answer() {
    for noise in ["laplace", "truncated", "pure"] {
        for (epsilon, delta) in [("1", "0.01"), ("2", "1e-4"), ("1/2", "0.05")] {
            for windows in ["1", "2"] {
                let options = options(&[
                    ("noise", noise),
                    ("epsilon", epsilon),
                    ("delta", delta),
                    ("window", "1"),
                    ("windows", windows),
                ]);
                let planned = counting(&options, symbols(3));
                let claimed = planned.delta.to_f64();
                assert_eq!(claimed == 0.0, noise == "pure");
                assert!(planned.delta <= options.delta);
                let epsilon = options.epsilon.to_f64();
                let mut worst: f64 = 0.0;
                for count in 0..4 {
                    for other in 0..4 {
                        let pair = |more: i64| match windows {
                            "1" => law(&planned, count + more),
                            _ => both(&law(&planned, count + more), &law(&planned, other + more)),
                        };
                        let (without, with) = (pair(0), pair(1));
                        worst = worst
                            .max(delta_between(&without, &with, epsilon))
                            .max(delta_between(&with, &without, epsilon));
                    }
                }
                let what = format!("{noise} {epsilon} {delta} {windows}: {worst} {claimed}");
                assert!(worst <= claimed * (1.0 + 1e-5) + 1e-12, "{what}");
                // One key: the bound is attained, so that a threshold one lower would break it.
                assert!(windows == "2" || worst >= claimed * 0.99 - 1e-12, "{what}");
            }
        }
    }
}

/// Two records of a person may add two to one count.
#[test]
fn two_records_of_a_person_on_one_journey_are_paid_for() {
    let universe = towns();
    let two = PrivacyUnit::OwnerBounded(NonZeroU32::new(2).unwrap());
    for noise in ["laplace", "truncated", "pure"] {
        let options = options(&[
            ("noise", noise),
            ("epsilon", "4"),
            ("delta", "0.001"),
            ("window", "1"),
        ]);
        let public = public(&universe, None, two);
        let planned = Counting::new(&options, &public, &options.epsilon, symbols(3)).unwrap();
        assert_eq!(planned.by, Contribution::InAll(NonZeroU32::new(2).unwrap()));
        for count in 0..4 {
            let (without, with) = (law(&planned, count), law(&planned, count + 2));
            let needed =
                delta_between(&with, &without, 4.0).max(delta_between(&without, &with, 4.0));
            let claimed = planned.delta.to_f64();
            assert!(
                needed <= claimed * (1.0 + 1e-5) + 1e-12,
                "{noise} {needed} {claimed}"
            );
        }
    }
}

/// The released counts of a domain of two journeys have the enumerated law. A sound sampler fails with
/// the false-alarm rate of `assert_plausible`.
#[test]
fn released_counts_have_the_law_that_the_promise_rests_on() {
    for noise in ["laplace", "truncated", "pure"] {
        let options = options(&[("noise", noise), ("delta", "0.05"), ("window", "1")]);
        let planned = counting(&options, symbols(2));
        let merged = Merged {
            keys: Sequences::from_codes([[1u32]]),
            counts: vec![3],
        };
        let rng = &mut RandomSource::insecure_seed(71).stream();
        // What is seen of both: 0 for nothing, else the noisy count less the threshold, up to 5.
        let cell = |released: &Released, key: u32| {
            let found = released.keys.iter().position(|found| found == [key]);
            found.map_or(0, |at| {
                (released.counts[at] - planned.threshold as i64 + 1).min(6) as usize
            })
        };
        let mut seen: BTreeMap<usize, u64> = BTreeMap::new();
        for _ in 0..100_000 {
            let released = planned.release(&merged, symbols(2), rng);
            let cells = 7 * cell(&released, 0) + cell(&released, 1);
            *seen.entry(cells).or_default() += 1;
        }
        let pooled = |count: i64| {
            let mut law = law(&planned, count);
            let rest = law.split_off(6);
            law.push(rest.iter().sum());
            law
        };
        let expected = both(&pooled(0), &pooled(3));
        let counts: Vec<u64> = (0..49)
            .map(|cells| seen.get(&cells).copied().unwrap_or(0))
            .collect();
        assert_plausible(&chi_square(&counts, &expected).unwrap());
    }
}

#[test]
fn what_cannot_be_promised_is_refused() {
    let refused = |given: &[(&str, &str)]| {
        let options = options(given);
        let universe = towns();
        let public = public(&universe, None, PrivacyUnit::Owner);
        let error = Counting::new(&options, &public, &options.epsilon, symbols(3)).unwrap_err();
        format!("{error} {:?}", error.advice())
    };
    for noise in ["laplace", "truncated"] {
        let error = refused(&[("delta", "0"), ("noise", noise)]);
        assert!(error.contains("needs a delta above 0"), "{error}");
        assert!(error.contains("--noise pure"), "{error}");
    }
    let error = refused(&[("noise", "pure"), ("window", "all")]);
    assert!(error.contains("--window"), "{error}");
    let error = refused(&[("epsilon", "0.00001")]);
    assert!(error.contains("nothing but noise"), "{error}");
}

#[test]
fn whole_tracks_have_a_domain_of_big_integers() {
    let options = options(&[("noise", "pure"), ("window", "25")]);
    let planned = counting(&options, symbols(20));
    // len·ln K/ε ≈ 74.9.
    assert_eq!(planned.threshold, 75);
    let nobody = Merged {
        keys: Sequences::empty(false),
        counts: Vec::new(),
    };
    let rng = &mut RandomSource::insecure_seed(72).stream();
    let found: usize = (0..2000)
        .map(|_| {
            let released = planned.release(&nobody, symbols(20), rng);
            assert!(
                released
                    .keys
                    .iter()
                    .all(|key| (1..=25).contains(&key.len()))
            );
            released.keys.len()
        })
        .sum();
    // At most one on average, and here 0.7.
    assert!((1200..=1700).contains(&found), "{found}");
}
