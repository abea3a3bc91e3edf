use std::num::NonZeroU64;

use rand_core::Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use wayveil_core::{RandomSource, Sequences};
use wayveil_noise::below;

use super::*;

type Counts = FxHashMap<Vec<u32>, u64>;

const RECORDS: usize = 100_000;

/// How many records hold each fragment of 1 to `longest` locations.
fn supports(sequences: &Sequences, longest: usize) -> Counts {
    let mut counts = Counts::default();
    for codes in sequences.iter() {
        let held: FxHashSet<&[u32]> = (1..=longest)
            .flat_map(|length| codes.windows(length))
            .collect();
        for fragment in held {
            *counts.entry(fragment.to_vec()).or_default() += 1;
        }
    }
    counts
}

fn mean_length(sequences: &Sequences) -> f64 {
    sequences.symbols() as f64 / sequences.len() as f64
}

fn public(clients: u64, locations: usize, longest: usize) -> Public {
    Public {
        clients,
        records: clients as usize,
        locations,
        longest,
    }
}

fn synthetic(counts: &Counts, public: &Public, seed: u64) -> Sequences {
    let mut listed: Vec<(&Vec<u32>, u64)> = counts.iter().map(|(f, &count)| (f, count)).collect();
    listed.sort_unstable();
    let (fragments, counts): (Vec<_>, Vec<_>) = listed.into_iter().unzip();
    let mut random = RandomSource::insecure_seed(seed);
    synthesise(
        &Sequences::from_codes(fragments),
        &counts,
        public,
        &mut random,
    )
    .unwrap()
}

/// The place of a weight, in proportion.
fn pick(weights: &[u64], rng: &mut impl Rng) -> usize {
    let mut drawn = below(NonZeroU64::new(weights.iter().sum()).unwrap(), rng);
    let taken = weights.iter().position(|&weight| {
        let here = drawn < weight;
        drawn = drawn.saturating_sub(weight);
        here
    });
    taken.unwrap()
}

/// Records of a chain whose next location has weights by the two before; the last weight is the
/// end.
fn chain(start: &[u64], next: impl Fn(Option<u32>, u32) -> Vec<u64>) -> Sequences {
    let mut rng = RandomSource::insecure_seed(5).stream();
    let mut records = Sequences::empty(false);
    for _ in 0..RECORDS {
        let mut record = vec![pick(start, &mut rng) as u32];
        loop {
            let last = record[record.len() - 1];
            let before = record.len().checked_sub(2).map(|at| record[at]);
            let weights = next(before, last);
            let taken = pick(&weights, &mut rng);
            if taken + 1 == weights.len() {
                break;
            }
            record.push(taken as u32);
        }
        records.push(&record, &[]);
    }
    records
}

/// The greatest relative difference of supports that are at least `least`.
fn worst(truth: &Counts, drawn: &Counts, least: u64) -> f64 {
    let frequent = truth.iter().filter(|(_, count)| **count >= least);
    frequent
        .map(|(fragment, &count)| {
            let found = drawn.get(fragment).copied().unwrap_or(0);
            found.abs_diff(count) as f64 / count as f64
        })
        .fold(0.0, f64::max)
}

/// Revisits are common here: counts of records are far from counts of occurrences.
fn first_order() -> Sequences {
    let weights = [
        [40, 20, 10, 0, 30],
        [0, 10, 50, 20, 20],
        [30, 30, 0, 30, 10],
        [5, 0, 60, 20, 15],
    ];
    chain(&[50, 30, 0, 20], |_, last| weights[last as usize].to_vec())
}

#[test]
fn a_chain_of_first_order_is_found_again() {
    let raw = first_order();
    let truth = supports(&raw, 2);
    let drawn = synthetic(&truth, &public(RECORDS as u64, 4, 1_000), 1);
    // Chance alone makes about 1 % of the rarest.
    let difference = worst(&truth, &supports(&drawn, 2), 1_000);
    assert!(difference < 0.04, "supports differ by {difference}");
    let ratio = mean_length(&drawn) / mean_length(&raw);
    assert!((ratio - 1.0).abs() < 0.03, "lengths have the ratio {ratio}");
    // Nobody starts in 2, and nobody is empty.
    let first = |sequences: &Sequences, code: Option<u32>| {
        let starts = sequences
            .iter()
            .filter(|codes| codes.first().copied() == code);
        starts.count() as f64 / RECORDS as f64
    };
    assert!(first(&drawn, None) < 0.02);
    for code in 0..4 {
        let (raw, drawn) = (first(&raw, Some(code)), first(&drawn, Some(code)));
        assert!(
            (raw - drawn).abs() < 0.03,
            "{code} starts {raw}, drawn {drawn}"
        );
    }
}

/// Who comes from 0 to 1 goes on to 2, who comes from 2 goes back to 0.
fn second_order() -> Sequences {
    chain(&[40, 20, 40], |before, last| match (before, last) {
        (Some(0), 1) => vec![5, 5, 60, 30],
        (Some(2), 1) => vec![60, 5, 5, 30],
        (_, 0) => vec![5, 60, 5, 30],
        _ => vec![5, 60, 15, 20],
    })
}

#[test]
fn longer_fragments_carry_a_longer_memory() {
    let raw = second_order();
    let truth = supports(&raw, 3);
    let drawn = supports(&synthetic(&truth, &public(RECORDS as u64, 3, 1_000), 2), 3);
    let difference = worst(&truth, &drawn, 1_000);
    assert!(difference < 0.08, "supports differ by {difference}");
    // Without the fragments of three, nothing tells where one comes from.
    let short: Counts = truth
        .iter()
        .filter(|(f, _)| f.len() < 3)
        .map(|(f, &c)| (f.clone(), c))
        .collect();
    let drawn = supports(&synthetic(&short, &public(RECORDS as u64, 3, 1_000), 2), 3);
    assert!(worst(&truth, &drawn, 1_000) > 0.3);
}

#[test]
fn what_was_not_released_stays_rare() {
    // All come to 1: who comes from 0 ends there, the others go on to 3 and some of them to 2.
    let raw = chain(&[33, 0, 0, 0, 11, 11, 11, 11, 11, 11], |before, last| {
        let (to, share) = match (before, last) {
            (Some(0), 1) => (3, 5),
            (_, 1) => (3, 85),
            (_, 2) => (0, 0),
            (_, 3) => (2, 20),
            _ => (1, 100),
        };
        let mut weights = vec![0; 11];
        weights[to] = share;
        weights[10] = 100 - share;
        weights
    });
    let least = 10_000;
    let released: Counts = (supports(&raw, 3).into_iter())
        .filter(|(_, count)| *count >= least)
        .collect();
    // Only 1 3 2 is frequent. Without memory 0 1 3 would be, for so are its parts.
    let longest: Vec<_> = released.keys().filter(|f| f.len() == 3).collect();
    assert_eq!(longest, [&[1, 3, 2]]);
    let (front, back) = (released[&vec![0, 1]], released[&vec![1, 3]]);
    assert!(front * back > 3 * least / 2 * released[&vec![1]]);
    let drawn = synthetic(&released, &public(RECORDS as u64, 10, 1_000), 3);
    let drawn = supports(&drawn, 3);
    let difference = worst(&released, &drawn, least);
    assert!(difference < 0.1, "supports differ by {difference}");
    for (fragment, &count) in drawn.iter().filter(|(f, _)| !released.contains_key(*f)) {
        assert!(count < least, "{fragment:?} is drawn {count} times");
    }
}

#[test]
fn fewer_trajectories_than_clients_keep_the_proportions() {
    let truth = supports(&first_order(), 2);
    let few = Public {
        records: 20_000,
        ..public(RECORDS as u64, 4, 1_000)
    };
    let drawn = synthetic(&truth, &few, 4);
    assert_eq!(drawn.len(), 20_000);
    let (drawn, wanted) = (supports(&drawn, 1)[&vec![2]], truth[&vec![2]] / 5);
    assert!(drawn.abs_diff(wanted) < wanted / 20, "{drawn} of {wanted}");
}

#[test]
fn single_locations_alone() {
    let truth = Counts::from_iter([(vec![0], 60_000), (vec![1], 50_000), (vec![2], 5_000)]);
    let drawn = synthetic(&truth, &public(100_000, 3, 50), 6);
    let difference = worst(&truth, &supports(&drawn, 1), 0);
    assert!(difference < 0.1, "supports differ by {difference}");
    // Nothing says that anybody stays.
    assert!(!supports(&drawn, 2).contains_key(&vec![0, 0]));
    // Clients that were never seen are empty.
    let one = Counts::from_iter([(vec![1], 30_000)]);
    let drawn = synthetic(&one, &public(100_000, 3, 50), 6);
    let difference = worst(&one, &supports(&drawn, 1), 0);
    assert!(difference < 0.05, "supports differ by {difference}");
    assert_eq!(drawn.iter().map(<[u32]>::len).max(), Some(1));
}

#[test]
fn one_fragment_without_its_parts() {
    let only = Counts::from_iter([(vec![0, 1, 2], 40_000)]);
    let drawn = synthetic(&only, &public(100_000, 3, 50), 7);
    let difference = worst(&only, &supports(&drawn, 3), 0);
    assert!(difference < 0.1, "supports differ by {difference}");
}

#[test]
fn cycles_end() {
    let cycle = Counts::from_iter(
        [vec![0], vec![1], vec![0, 1], vec![1, 0]].map(|fragment| (fragment, 20_000)),
    );
    let drawn = synthetic(&cycle, &public(20_000, 2, 30), 8);
    assert!(drawn.iter().all(|codes| codes.len() <= 30));
    assert!(worst(&cycle, &supports(&drawn, 2), 0) < 0.1);
    let stay = Counts::from_iter([vec![0], vec![0, 0], vec![0; 3]].map(|f| (f, 20_000)));
    let drawn = synthetic(&stay, &public(20_000, 1, 30), 8);
    assert!(worst(&stay, &supports(&drawn, 3), 0) < 0.1);
}

#[test]
fn nothing_released_is_nothing_drawn() {
    let nothing = [
        (Counts::default(), public(7, 3, 9)),
        (Counts::from_iter([(vec![0, 1], 0)]), public(7, 3, 9)),
        (Counts::from_iter([(vec![0, 1], 5)]), public(7, 3, 0)),
    ];
    for (counts, public) in nothing {
        let drawn = synthetic(&counts, &public, 9);
        assert_eq!((drawn.len(), drawn.symbols()), (7, 0));
    }
    let some = Counts::from_iter([(vec![0], 5)]);
    assert!(synthetic(&some, &public(0, 1, 9), 9).is_empty());
    // More than all is all.
    let drawn = synthetic(
        &Counts::from_iter([(vec![0], u64::MAX)]),
        &public(1_000, 1, 9),
        9,
    );
    assert!(supports(&drawn, 1)[&vec![0]] > 980);
}

#[test]
fn the_source_decides_and_threads_do_not() {
    let truth = supports(&first_order(), 2);
    let public = public(40_000, 4, 20);
    let alone = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let drawn = synthetic(&truth, &public, 10);
    assert_eq!(alone.install(|| synthetic(&truth, &public, 10)), drawn);
    assert_ne!(synthetic(&truth, &public, 11), drawn);
}

#[test]
fn what_is_no_release_is_refused() {
    let refused = [
        (vec![vec![0_u32], vec![0]], vec![1_u64, 1]),
        (vec![vec![]], vec![1]),
        (vec![vec![0], vec![3]], vec![1, 1]),
        (vec![vec![0]], vec![]),
    ];
    for (fragments, counts) in refused {
        let fragments = Sequences::from_codes(fragments);
        let mut random = RandomSource::insecure_seed(1);
        assert!(synthesise(&fragments, &counts, &public(9, 3, 9), &mut random).is_err());
    }
}
