//! From noisy counts to estimates.
//!
//! All of this is post-processing of released numbers, so floating point is harmless here.

mod least_squares;
mod paper;
mod projected;

use std::str::FromStr;

use wayveil_core::{Error, Result};

use super::grow::Tree;

/// How noisy counts are made into estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inference {
    /// Not at all ("Basic" in the papers).
    None,
    /// As published ("Full"). Leaves negative counts and children above their parents.
    Paper,
    /// Top-down projection: consistent, and parents are trusted over their children.
    Projected,
    /// The consistent counts nearest to the noisy ones over the whole tree, each trusted by its
    /// noise. Children that passed a threshold are too high on average and pull their parents up,
    /// which projection does not let them.
    LeastSquares,
}

impl Inference {
    /// All of them with their names on the command line.
    pub const ALL: [(&'static str, Self); 4] = [
        ("none", Self::None),
        ("paper", Self::Paper),
        ("projected", Self::Projected),
        ("least-squares", Self::LeastSquares),
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        let entry = Self::ALL.iter().find(|(_, inference)| *inference == self);
        entry.map_or("", |(name, _)| name)
    }

    /// What becomes of a small tree's counts, for examples: `noisy` by level, the first `roots` of them at the top,
    /// with the number of children of each. Every count is trusted alike.
    pub fn estimates(self, roots: usize, noisy: Vec<i64>, children: Vec<u32>) -> Vec<f64> {
        self.infer(&Tree::from_parts(roots, noisy, children))
    }

    pub(super) fn infer(self, tree: &Tree) -> Vec<f64> {
        match self {
            Self::None => tree.noisy.iter().map(|&noisy| noisy as f64).collect(),
            Self::Paper => paper::infer(tree),
            Self::Projected => projected::infer(tree),
            Self::LeastSquares => least_squares::infer(tree),
        }
    }
}

impl FromStr for Inference {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let entry = Self::ALL.iter().find(|(name, _)| *name == text);
        entry.map(|(_, inference)| *inference).ok_or_else(|| {
            let names = Self::ALL.map(|(name, _)| name).join(", ");
            Error::input(format!(
                "invalid inference (got {text:?}): must be one of {names}"
            ))
        })
    }
}

#[cfg(test)]
pub(super) mod random_trees {
    //! Trees of any shape, for property tests.

    use proptest::prelude::*;

    use crate::tree::grow::Tree;

    /// Trees of at most `most` nodes with noisy counts of both signs.
    pub(crate) fn tree(most: usize) -> impl Strategy<Value = Tree> {
        let noisy = prop::collection::vec(-50i64..200, 1..=most);
        let shape = prop::collection::vec(0u32..4, most);
        let scale = prop::collection::vec(1u32..5, most);
        (noisy, shape, scale).prop_map(|(mut noisy, shape, scale)| {
            let mut child_count = Vec::new();
            let roots = 1 + (shape[0] as usize).min(noisy.len() - 1);
            let mut next = roots;
            // Nodes that are nobody's children end the tree.
            while child_count.len() < next {
                let count = (shape[child_count.len()] as usize).min(noisy.len() - next);
                child_count.push(count as u32);
                next += count;
            }
            noisy.truncate(next);
            let mut tree = Tree::from_parts(roots, noisy, child_count);
            tree.deviation = scale[..next]
                .iter()
                .map(|&scale| f64::from(scale))
                .collect();
            tree
        })
    }

    /// Whether no estimate is negative and children sum to at most their parent.
    pub(crate) fn consistent(tree: &Tree, estimate: &[f64]) -> Result<(), String> {
        for node in 0..tree.len() {
            let below: f64 = estimate[tree.children(node)].iter().sum();
            if estimate[node] < 0.0 || below > estimate[node] + 1e-6 {
                return Err(format!("node {node}: {} above {below}", estimate[node]));
            }
        }
        Ok(())
    }
}
