//! Both baselines on one made-up population.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;

use wayveil_core::{Delta, Epsilon, RandomSource, Sequences};
use wayveil_noise::below;

use super::sfp::Sfp;
use super::triehh::{TrieHh, Vote};
use super::{Baseline, Estimate, Found, Seen, Traffic};

const LOCATIONS: u32 = 12;
const LENGTH: usize = 3;

/// Walks that prefer two ways out of each place, of 3 to 9 stops.
fn walks(records: usize, seed: u64) -> Sequences {
    let mut rng = RandomSource::insecure_seed(seed).stream();
    let mut draw = |n: u64| NonZeroU64::new(n).map_or(0, |n| below(n, &mut rng)) as u32;
    let mut sequences = Sequences::empty(false);
    for _ in 0..records {
        let mut at = draw(12).min(draw(12));
        let mut walk = vec![at];
        for _ in 0..2 + draw(7) {
            at = match draw(10) {
                0..=4 => (at + 1) % LOCATIONS,
                5..=7 => (at * 5 + 2) % LOCATIONS,
                _ => draw(12).min(draw(12)),
            };
            walk.push(at);
        }
        sequences.push(&walk, &[]);
    }
    sequences
}

/// How many clients hold each fragment of up to [`LENGTH`].
fn truth(records: &Sequences, per_record: u64) -> BTreeMap<Vec<u32>, u64> {
    let mut support = BTreeMap::new();
    for record in records.iter() {
        let own: BTreeSet<&[u32]> = (1..=LENGTH).flat_map(|l| record.windows(l)).collect();
        for fragment in own {
            *support.entry(fragment.to_vec()).or_insert(0) += per_record;
        }
    }
    support
}

fn f1(found: &Found, truth: &BTreeMap<Vec<u32>, u64>, k: u64, length: usize) -> f64 {
    let found: BTreeSet<Vec<u32>> = (found.fragments.iter())
        .filter(|fragment| fragment.len() == length)
        .map(<[u32]>::to_vec)
        .collect();
    let frequent: BTreeSet<Vec<u32>> = (truth.iter())
        .filter(|(fragment, support)| **support >= k && fragment.len() == length)
        .map(|(fragment, _)| fragment.clone())
        .collect();
    let right = found.intersection(&frequent).count() as f64;
    2.0 * right / (found.len() + frequent.len()).max(1) as f64
}

/// A million clients, k = 2 %. The bounds are far below what is measured, so that only a broken
/// baseline fails; `--nocapture` prints the figures.
#[test]
fn frequent_fragments_are_found() {
    let (records, per_record) = (walks(4000, 1), 250);
    let clients = records.len() as u64 * per_record;
    let k = clients / 50;
    let truth = truth(&records, per_record);
    let delta: Delta = "1e-9".parse().unwrap();
    for (budget, bounds) in [
        ("10", [0.1, 0.5, 0.85, 0.1, 0.75]),
        ("2", [0.1, 0.5, 0.85, 0.0, 0.3]),
    ] {
        let epsilon: Epsilon = budget.parse().unwrap();
        let published = TrieHh::published(LOCATIONS, LENGTH, clients, &epsilon, &delta).unwrap();
        let lengths = [1, 2, 3];
        let baselines: [Box<dyn Baseline>; 5] = [
            Box::new(published.clone()),
            Box::new(published.with_vote(Vote::Drawn)),
            Box::new(TrieHh::repaired(LOCATIONS, LENGTH, k, &epsilon, &delta).unwrap()),
            Box::new(Sfp::published(LOCATIONS, &lengths, &epsilon).unwrap()),
            Box::new(Sfp::improved(LOCATIONS, &lengths, &epsilon).unwrap()),
        ];
        for (baseline, bound) in baselines.iter().zip(bounds) {
            let mut random = RandomSource::insecure_seed(11);
            let found = baseline.find(&records, per_record, k, &mut random).unwrap();
            let scores = lengths.map(|length| f1(&found, &truth, k, length));
            let mut errors: Vec<f64> = (found.fragments.iter().zip(&found.count))
                .map(|(fragment, count)| {
                    let support = *truth.get(fragment).unwrap_or(&1) as f64;
                    (count - support).abs() / support
                })
                .collect();
            errors.sort_by(f64::total_cmp);
            println!(
                "epsilon {budget}, {}: F1 {scores:.2?}, median relative error {:.3?}, bits {:.0?}",
                baseline.name(),
                errors.get(errors.len() / 2),
                found.traffic.per_answer()
            );
            let mean = scores.iter().sum::<f64>() / 3.0;
            assert!(mean >= bound, "{} at {budget}: {mean}", baseline.name());
        }
    }
}

#[test]
fn the_seed_decides_everything() {
    let records = walks(5000, 2);
    let (epsilon, delta): (Epsilon, Delta) = ("4".parse().unwrap(), "1e-6".parse().unwrap());
    let sfp = Sfp::improved(LOCATIONS, &[2, 3], &epsilon).unwrap();
    let baselines: [Box<dyn Baseline>; 2] = [
        Box::new(TrieHh::repaired(LOCATIONS, LENGTH, 500, &epsilon, &delta).unwrap()),
        Box::new(sfp.with_enumerable(0).with_sketch(64, 64).unwrap()),
    ];
    for baseline in baselines {
        let find = |seed| {
            let mut random = RandomSource::insecure_seed(seed);
            baseline.find(&records, 3, 500, &mut random).unwrap()
        };
        assert_eq!(find(1), find(1));
        assert_ne!(find(1).count, find(2).count);
    }
}

#[test]
fn what_is_found_is_filtered_and_in_order() {
    let estimate = |fragment: &[u32], count| Estimate {
        fragment: fragment.to_vec(),
        count,
        standard_error: count / 10.0,
    };
    let estimates = vec![
        estimate(&[1, 0], 50.0),
        estimate(&[2], 40.0),
        estimate(&[0], 40.0),
        estimate(&[3], 39.9),
        estimate(&[0, 2], 70.0),
    ];
    let found = Found::new(estimates, 40, Traffic::default(), Seen::default());
    let expected = Sequences::from_codes([vec![0], vec![2], vec![0, 2], vec![1, 0]]);
    assert_eq!(found.fragments, expected);
    assert_eq!(found.count, [40.0, 40.0, 70.0, 50.0]);
    assert_eq!(found.standard_error, [4.0, 4.0, 7.0, 5.0]);
}

#[test]
fn all_that_the_promise_is_about_is_seen() {
    let records = Sequences::from_codes([[0_u32, 1], [0, 1], [2, 1]]);
    let epsilon = "1".parse().unwrap();
    let random = &mut RandomSource::insecure_seed(3);
    let sfp = Sfp::improved(3, &[1, 2], &epsilon).unwrap();
    let sfp = sfp.with_sketch(4, 2).unwrap();
    // For each length two functions of four columns, and 32 columns of numbers of fragments; whether
    // or not anything reaches k.
    let seen = sfp.find(&records, 1, 1_000_000, random).unwrap().seen;
    let told = seen.told();
    assert_eq!(told.len(), 2 * (2 * 4 + 32));
    let mut names: Vec<&String> = told.iter().map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), told.len());

    let delta = "1e-6".parse().unwrap();
    let votes = TrieHh::repaired(3, 2, 10_000, &epsilon, &delta).unwrap();
    assert_eq!(votes.find(&records, 1, 1, random).unwrap().seen.told(), []);
    let told = votes
        .find(&records, 100_000, 1, random)
        .unwrap()
        .seen
        .told();
    let named = |name: &str| told.iter().any(|(told, _)| told == name);
    // Two locations to begin with, hence class 1; one fragment of two, hence class 0.
    assert!(named("votes of class 1 for 2"), "{told:?}");
    assert!(named("votes of class 0 for 0 1"), "{told:?}");
    let threshold = votes.threshold() as i64;
    assert!(
        told.iter().all(|(_, votes)| *votes >= threshold),
        "{told:?}"
    );
}
