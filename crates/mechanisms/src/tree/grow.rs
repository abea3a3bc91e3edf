//! Who adds noise: grows the noisy tree from exact counts, a level at a time.

use std::ops::Range;

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{Error, Progress, RandomSource, Result};
use wayveil_noise::{DiscreteLaplace, EmptyChildren};

use super::count::{Alphabet, Level, PrefixCounts};

/// A tree of noisy counts, level by level; the children of a node stand side by side, by
/// ascending symbol. The root is not stored: its children are the first [`Tree::roots`] nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) roots: usize,
    pub(super) symbol: Vec<u32>,
    pub(super) noisy: Vec<i64>,
    first_child: Vec<u32>,
    child_count: Vec<u32>,
}

impl Tree {
    pub(super) fn len(&self) -> usize {
        self.symbol.len()
    }

    pub(super) fn children(&self, node: usize) -> Range<usize> {
        let first = self.first_child[node] as usize;
        first..first + self.child_count[node] as usize
    }

    #[cfg(test)]
    pub(super) fn from_parts(roots: usize, noisy: Vec<i64>, child_count: Vec<u32>) -> Self {
        let mut next = roots as u32;
        let first_child = child_count
            .iter()
            .map(|&count| {
                next += count;
                next - count
            })
            .collect();
        let symbol = (0..noisy.len() as u32).collect();
        Self {
            roots,
            symbol,
            noisy,
            first_child,
            child_count,
        }
    }
}

/// The noise of one level: the same for every level, since they have equal shares of ε.
#[derive(Debug)]
pub(super) struct LevelNoise {
    pub(super) alphabet: Alphabet,
    pub(super) laplace: DiscreteLaplace,
    /// For each first bin that may follow: the threshold among the candidates that are left.
    pub(super) thresholds: Vec<u64>,
    /// For each first bin that may follow: the empty children that pass.
    pub(super) empty: Vec<EmptyChildren>,
}

/// A child that passed: its symbol, its noisy count, and its position in the exact answer if it
/// holds records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    pub(super) symbol: u32,
    pub(super) noisy: i64,
    pub(super) held: Option<usize>,
}

/// Nodes whose noise is drawn from one stream of randomness. A constant, so that a release does
/// not depend on the number of threads.
const NODES_PER_STREAM: usize = 64;

/// A tree beyond this size cannot be numbered; the thresholds keep far below it.
const MOST_NODES: usize = u32::MAX as usize / 2;

/// Grows the tree to at most `height` levels below the root.
pub(super) fn grow(
    counts: &mut dyn PrefixCounts,
    noise: &LevelNoise,
    height: u32,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Tree> {
    let mut tree = Tree::default();
    progress.begin("growing the tree", Some(u64::from(height)));
    // The nodes to expand: the symbol that leads there (none for the root), and where the last
    // answer has their children (none for a node that only noise keeps alive).
    let mut frontier: Vec<(Option<u32>, Option<usize>)> = vec![(None, Some(0))];
    let mut exact = counts.root();
    for depth in 0..height {
        let passed = pass_level(&frontier, &exact, noise, random);
        let first_new = tree.len();
        for (node, children) in passed.iter().enumerate() {
            if depth > 0 {
                let parent = first_new - frontier.len() + node;
                tree.first_child[parent] = tree.len() as u32;
                tree.child_count[parent] = children.len() as u32;
            }
            for child in children {
                tree.symbol.push(child.symbol);
                tree.noisy.push(child.noisy);
                tree.first_child.push(0);
                tree.child_count.push(0);
            }
            if tree.len() > MOST_NODES {
                return Err(
                    Error::refused("the noisy tree has grown beyond two billion nodes")
                        .hint("choose a smaller rho or a larger epsilon"),
                );
            }
        }
        if depth == 0 {
            tree.roots = tree.len();
        }
        progress.advance(1);
        if tree.len() == first_new || depth + 1 == height {
            break;
        }
        let held: Vec<usize> = passed
            .iter()
            .flatten()
            .filter_map(|child| child.held)
            .collect();
        exact = counts.descend(&held);
        let mut answered = 0..;
        frontier = passed
            .iter()
            .flatten()
            .map(|child| (Some(child.symbol), child.held.and_then(|_| answered.next())))
            .collect();
    }
    progress.end();
    Ok(tree)
}

fn pass_level(
    frontier: &[(Option<u32>, Option<usize>)],
    exact: &Level,
    noise: &LevelNoise,
    random: &mut RandomSource,
) -> Vec<Vec<Passed>> {
    let streams = random.streams(frontier.len().div_ceil(NODES_PER_STREAM));
    frontier
        .par_chunks(NODES_PER_STREAM)
        .zip(streams)
        .flat_map_iter(|(nodes, mut stream)| {
            nodes
                .iter()
                .map(|&(symbol, node)| {
                    let children = node.map_or(0..0, |node| exact.children(node));
                    pass_children(symbol, exact, children, noise, &mut stream)
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Draws the noise of all candidate children of one node and returns those that pass, by
/// ascending symbol. Children that hold records are visited; the others are not, and yet the
/// result has the distribution of visiting every one (see [`EmptyChildren`]).
pub(super) fn pass_children(
    node: Option<u32>,
    exact: &Level,
    children: Range<usize>,
    noise: &LevelNoise,
    rng: &mut (impl Rng + ?Sized),
) -> Vec<Passed> {
    let first = noise.alphabet.first_candidate(node);
    let bin = node.map_or(0, |symbol| noise.alphabet.bin(symbol)) as usize;
    let threshold = noise.thresholds[bin];
    let candidates = u64::from(noise.alphabet.len() - first);
    let holding = &exact.symbols[children.clone()];
    let mut passed = Vec::new();
    for child in children {
        let noisy = saturating(exact.counts[child]).saturating_add(noise.laplace.sample(rng));
        if noisy >= saturating(threshold) {
            passed.push(Passed {
                symbol: exact.symbols[child],
                noisy,
                held: Some(child),
            });
        }
    }
    let empty = noise.empty[bin].draw(candidates - holding.len() as u64, rng);
    // The r-th empty candidate: skip the children that hold records, which are sorted.
    let mut skipped = 0;
    for (rank, noisy) in empty {
        let mut symbol = u64::from(first) + rank + skipped as u64;
        while skipped < holding.len() && u64::from(holding[skipped]) <= symbol {
            skipped += 1;
            symbol += 1;
        }
        passed.push(Passed {
            symbol: symbol as u32,
            noisy,
            held: None,
        });
    }
    passed.sort_unstable_by_key(|child| child.symbol);
    passed
}

/// Counts beyond 2⁶³ do not occur; clamping is per count, and moves no count by more than the
/// record that was added.
fn saturating(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
