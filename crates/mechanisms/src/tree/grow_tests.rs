//! The fast noise step against visiting every candidate child.

use std::collections::BTreeMap;

use wayveil_noise::Rate;
use wayveil_noise::statistics::{assert_plausible, assert_rejected, same_distribution};

use super::*;

const RUNS: usize = 200_000;

fn noise(locations: usize, bins: u32, thresholds: &[u64]) -> LevelNoise {
    let laplace = DiscreteLaplace::new(Rate::new(2, 3).unwrap());
    LevelNoise {
        alphabet: Alphabet::new(locations, bins).unwrap(),
        laplace,
        thresholds: thresholds.to_vec(),
        empty: thresholds
            .iter()
            .map(|&t| EmptyChildren::new(laplace, t))
            .collect(),
    }
}

/// What the paper's definition says: draw noise for every candidate, keep what passes.
fn visit_every_child(
    node: Option<u32>,
    exact: &Level,
    noise: &LevelNoise,
    rng: &mut impl Rng,
) -> Vec<(u32, i64)> {
    let bin = node.map_or(0, |symbol| noise.alphabet.bin(symbol)) as usize;
    (noise.alphabet.first_candidate(node)..noise.alphabet.len())
        .filter_map(|symbol| {
            let at = exact.symbols.iter().position(|&other| other == symbol);
            let count = at.map_or(0, |at| exact.counts[at] as i64);
            let noisy = count + noise.laplace.sample(rng);
            (noisy >= noise.thresholds[bin] as i64).then_some((symbol, noisy))
        })
        .collect()
}

/// How often each outcome occurred on either side, outcome by outcome.
fn tally<T: Ord>(left: Vec<T>, right: Vec<T>) -> (Vec<u64>, Vec<u64>) {
    let mut cells: BTreeMap<T, (u64, u64)> = BTreeMap::new();
    for outcome in left {
        cells.entry(outcome).or_default().0 += 1;
    }
    for outcome in right {
        cells.entry(outcome).or_default().1 += 1;
    }
    cells.into_values().unzip()
}

fn compare<T: Ord>(
    node: Option<u32>,
    exact: &Level,
    noise: &LevelNoise,
    outcome: impl Fn(&[(u32, i64)]) -> T,
) {
    let mut random = RandomSource::os().unwrap();
    let (mut fast_rng, mut slow_rng) = (random.stream(), random.stream());
    let children = 0..exact.symbols.len();
    let fast = (0..RUNS)
        .map(|_| {
            let passed = pass_children(node, exact, children.clone(), noise, &mut fast_rng);
            let pairs: Vec<_> = passed.iter().map(|p| (p.symbol, p.noisy)).collect();
            outcome(&pairs)
        })
        .collect();
    let slow = (0..RUNS)
        .map(|_| outcome(&visit_every_child(node, exact, noise, &mut slow_rng)))
        .collect();
    let (fast, slow) = tally(fast, slow);
    assert_plausible(&same_distribution(&fast, &slow).unwrap());
}

fn level(children: &[(u32, u64)]) -> Level {
    Level {
        starts: vec![0, children.len()],
        symbols: children.iter().map(|child| child.0).collect(),
        counts: children.iter().map(|child| child.1).collect(),
    }
}

#[test]
fn which_children_pass_is_as_if_every_one_were_visited() {
    let noise = noise(6, 1, &[2]);
    let exact = level(&[(1, 2), (4, 1)]);
    let which = |passed: &[(u32, i64)]| passed.iter().fold(0u32, |set, p| set | 1 << p.0);
    compare(None, &exact, &noise, which);
}

#[test]
fn the_noisy_counts_are_as_if_every_child_were_visited() {
    let noise = noise(3, 1, &[1]);
    let exact = level(&[(1, 3)]);
    compare(None, &exact, &noise, <[(u32, i64)]>::to_vec);
}

#[test]
fn later_bins_only_are_candidates_after_a_timed_symbol() {
    let noise = noise(2, 3, &[3, 2, 1]);
    // After a symbol of bin 1: symbols 2 to 5.
    let exact = level(&[(2, 1), (5, 4)]);
    compare(Some(3), &exact, &noise, <[(u32, i64)]>::to_vec);
}

#[test]
fn a_node_without_records_is_expanded_like_any_other() {
    let noise = noise(5, 1, &[1]);
    let which = |passed: &[(u32, i64)]| passed.iter().fold(0u32, |set, p| set | 1 << p.0);
    compare(None, &level(&[]), &noise, which);
}

#[test]
fn forgetting_empty_children_would_be_caught() {
    let noise = noise(6, 1, &[2]);
    let exact = level(&[(1, 2), (4, 1)]);
    let mut rng = RandomSource::os().unwrap().stream();
    let which = |passed: Vec<u32>| passed.iter().fold(0u32, |set, symbol| set | 1 << symbol);
    let full = |rng: &mut wayveil_noise::Stream| {
        which(
            pass_children(None, &exact, 0..2, &noise, rng)
                .iter()
                .map(|p| p.symbol)
                .collect(),
        )
    };
    let leaky = |rng: &mut wayveil_noise::Stream| {
        let passed = pass_children(None, &exact, 0..2, &noise, rng);
        which(
            passed
                .iter()
                .filter(|p| p.held.is_some())
                .map(|p| p.symbol)
                .collect(),
        )
    };
    let (left, right) = tally(
        (0..RUNS).map(|_| full(&mut rng)).collect(),
        (0..RUNS).map(|_| leaky(&mut rng)).collect(),
    );
    assert_rejected(&same_distribution(&left, &right).unwrap());
}

#[test]
fn every_symbol_can_pass_and_ranks_skip_children_that_hold_records() {
    let noise = noise(8, 1, &[1]);
    let exact = level(&[(0, 9), (3, 9), (7, 9)]);
    let mut rng = RandomSource::insecure_seed(3).stream();
    let mut seen = [false; 8];
    for _ in 0..1000 {
        let passed = pass_children(None, &exact, 0..3, &noise, &mut rng);
        assert!(
            passed
                .windows(2)
                .all(|pair| pair[0].symbol < pair[1].symbol)
        );
        for child in passed {
            assert_eq!(child.held.is_some(), [0, 3, 7].contains(&child.symbol));
            seen[child.symbol as usize] = true;
        }
    }
    assert_eq!(seen, [true; 8]);
}
