//! From estimated counts to whole trajectories.
//!
//! A node emits what its estimate has above its children's: the records that end there. These
//! amounts are fractions; one uniform offset and systematic sampling in depth-first order make
//! them whole. The expectation of every node's and every subtree's number is exact, and every
//! subtree, being one stretch of that order, is within one of its estimate.

use rand_core::Rng;
use wayveil_core::{NoisyCounts, Sequences};

use super::count::Alphabet;
use super::grow::Tree;

/// The released trajectories, in lexicographic order of symbols, and the counts behind them.
pub(super) fn emit(
    tree: &Tree,
    estimate: &[f64],
    alphabet: Alphabet,
    timed: bool,
    rng: &mut impl Rng,
) -> (Sequences, NoisyCounts) {
    let mut writer = Writer {
        trajectories: Sequences::empty(timed),
        counts: NoisyCounts {
            prefixes: Sequences::empty(timed),
            noisy: Vec::with_capacity(tree.len()),
            estimate: Vec::with_capacity(tree.len()),
            standard_error: Vec::with_capacity(tree.len()),
        },
        // 53 random bits: as fine as a float between 0 and 1 can be.
        reached: (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64,
    };
    let (mut codes, mut bins): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    // Nodes to visit, the next one last, with their depth.
    let mut stack: Vec<(usize, usize)> = (0..tree.roots).rev().map(|node| (node, 0)).collect();
    while let Some((node, depth)) = stack.pop() {
        codes.truncate(depth);
        codes.push(alphabet.location(tree.symbol[node]));
        if timed {
            bins.truncate(depth);
            bins.push(alphabet.bin(tree.symbol[node]));
        }
        writer.node(tree, estimate, node, &codes, &bins);
        stack.extend(tree.children(node).rev().map(|child| (child, depth + 1)));
    }
    (writer.trajectories, writer.counts)
}

struct Writer {
    trajectories: Sequences,
    counts: NoisyCounts,
    /// The offset plus everything emitted so far, before rounding.
    reached: f64,
}

impl Writer {
    fn node(&mut self, tree: &Tree, estimate: &[f64], node: usize, codes: &[u32], bins: &[u32]) {
        let below: f64 = estimate[tree.children(node)].iter().sum();
        let before = self.reached.floor();
        self.reached += (estimate[node] - below).max(0.0);
        let copies = (self.reached.floor() - before) as u64;
        for _ in 0..copies {
            self.trajectories.push(codes, bins);
        }
        self.counts.prefixes.push(codes, bins);
        self.counts.noisy.push(tree.noisy[node]);
        self.counts.estimate.push(estimate[node]);
        self.counts.standard_error.push(tree.deviation[node]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wayveil_core::RandomSource;

    use super::*;

    fn emitted(tree: &Tree, estimate: &[f64], seed: u64) -> Sequences {
        let alphabet = Alphabet::new(100, 1).unwrap();
        let mut rng = RandomSource::insecure_seed(seed).stream();
        emit(tree, estimate, alphabet, false, &mut rng).0
    }

    #[test]
    fn whole_counts_come_out_as_they_are_in_canonical_order() {
        let tree = Tree::from_parts(2, vec![5, 2, 3, 1], vec![2, 0, 0, 0]);
        let out = emitted(&tree, &[5.0, 2.0, 3.0, 1.0], 7);
        let expected: [&[u32]; 7] = [&[0], &[0, 2], &[0, 2], &[0, 2], &[0, 3], &[1], &[1]];
        assert_eq!(out, Sequences::from_codes(expected));
    }

    #[test]
    fn fractions_are_right_on_average() {
        let tree = Tree::from_parts(3, vec![1, 1, 1], vec![0, 0, 0]);
        let estimate = [0.3, 0.45, 1.9];
        let mut totals = [0u32; 3];
        const RUNS: u64 = 40_000;
        for seed in 0..RUNS {
            for record in emitted(&tree, &estimate, seed).iter() {
                totals[record[0] as usize] += 1;
            }
        }
        // Seeds are fixed, so this cannot fail by chance; 7 standard deviations of a coin.
        let tolerance = 7.0 * 0.5 / (RUNS as f64).sqrt();
        for (total, expected) in totals.iter().zip(estimate) {
            let mean = f64::from(*total) / RUNS as f64;
            assert!(
                (mean - expected).abs() < tolerance,
                "{mean} instead of {expected}"
            );
        }
    }

    proptest! {
        #[test]
        fn every_subtree_is_within_one(
            parts in prop::collection::vec(0.0..3.0f64, 12),
            seed: u64,
        ) {
            // Two roots with two children each, with two children each.
            let child_count = vec![2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0];
            let tree = Tree::from_parts(2, vec![0; 14], child_count);
            let mut estimate = vec![0.0; 14];
            for node in (0..14).rev() {
                let own = parts.get(node).copied().unwrap_or(0.4);
                estimate[node] = own + estimate[tree.children(node)].iter().sum::<f64>();
            }
            let out = emitted(&tree, &estimate, seed);
            let below = |symbol: u32| out.iter().filter(|r| r.contains(&symbol)).count() as f64;
            for (node, expected) in estimate.iter().enumerate() {
                prop_assert!((below(node as u32) - expected).abs() <= 1.0 + 1e-9);
            }
        }
    }
}
