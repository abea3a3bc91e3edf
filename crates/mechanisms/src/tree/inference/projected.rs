//! Top-down projection: counts that could be true, found in one pass.

use crate::tree::grow::Tree;

/// Projects top-down: the children of each node onto the nearest point (in least squares) with
/// no negative entry and a sum of at most the parent's estimate. The root's children have no
/// such parent, since the number of records is never measured; they are only clipped at zero.
pub(super) fn infer(tree: &Tree) -> Vec<f64> {
    project(tree, tree.noisy.iter().map(|&noisy| noisy as f64).collect())
}

/// The same for any counts of the tree's nodes.
pub(super) fn project(tree: &Tree, mut counts: Vec<f64>) -> Vec<f64> {
    for root in &mut counts[..tree.roots] {
        *root = root.max(0.0);
    }
    // Parents stand before their children.
    for node in 0..tree.len() {
        let cap = counts[node];
        project_onto_capped_simplex(&mut counts[tree.children(node)], cap);
    }
    counts
}

/// The nearest point to `values` with no negative entry and a sum of at most `cap`.
///
/// Clipping at zero solves it where the clipped sum fits. Otherwise the sum is exactly `cap`, and
/// the solution is max(v − τ, 0) for the one τ that gives this sum; it is found by going through
/// the values from the largest on (Held, Wolfe and Crowder 1974).
fn project_onto_capped_simplex(values: &mut [f64], cap: f64) {
    let clipped: f64 = values.iter().map(|value| value.max(0.0)).sum();
    let mut shift = 0.0;
    if clipped > cap {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut sum = 0.0;
        for (rank, value) in sorted.iter().enumerate() {
            sum += value;
            let candidate = (sum - cap) / (rank + 1) as f64;
            if *value >= candidate {
                shift = candidate;
            } else {
                break;
            }
        }
    }
    for value in values {
        *value = (*value - shift).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::random_trees::{consistent, tree};
    use super::*;

    #[test]
    fn the_worked_example_becomes_consistent() {
        // A:10 with children B:8, C:6; B with children D:9, E:1. The published inference leaves
        // D above B and E below zero here.
        let tree = Tree::from_parts(1, vec![10, 8, 6, 9, 1], vec![2, 2, 0, 0, 0]);
        assert_eq!(infer(&tree), [10.0, 6.0, 4.0, 6.0, 0.0]);
    }

    #[test]
    fn counts_that_could_be_true_stay() {
        let tree = Tree::from_parts(1, vec![10, 3, 7, 2], vec![2, 1, 0, 0]);
        assert_eq!(infer(&tree), [10.0, 3.0, 7.0, 2.0]);
    }

    /// The nearest point by trying every set of entries that stay above zero.
    fn project_by_enumeration(values: &[f64], cap: f64) -> Vec<f64> {
        let mut best: Option<(f64, Vec<f64>)> = None;
        for tight in [false, true] {
            for support in 0u32..1 << values.len() {
                let kept = |at: usize| support >> at & 1 == 1;
                let size = support.count_ones() as f64;
                let sum: f64 = values
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| kept(*at))
                    .map(|(_, v)| v)
                    .sum();
                let shift = if tight && size > 0.0 {
                    (sum - cap) / size
                } else {
                    0.0
                };
                let point: Vec<f64> = values
                    .iter()
                    .enumerate()
                    .map(|(at, value)| if kept(at) { value - shift } else { 0.0 })
                    .collect();
                let feasible =
                    point.iter().all(|&x| x >= -1e-9) && point.iter().sum::<f64>() <= cap + 1e-9;
                let distance: f64 = point
                    .iter()
                    .zip(values)
                    .map(|(x, v)| (x - v) * (x - v))
                    .sum();
                if feasible && best.as_ref().is_none_or(|(least, _)| distance < *least) {
                    best = Some((distance, point));
                }
            }
        }
        best.expect("zero is feasible").1
    }

    proptest! {
        #[test]
        fn is_the_nearest_feasible_point(
            values in prop::collection::vec(-20.0..40.0f64, 0..7),
            cap in 0.0..60.0f64,
        ) {
            let mut fast = values.clone();
            project_onto_capped_simplex(&mut fast, cap);
            for (fast, slow) in fast.iter().zip(project_by_enumeration(&values, cap)) {
                prop_assert!((fast - slow).abs() < 1e-6, "{fast} against {slow}");
            }
        }

        #[test]
        fn random_trees_become_consistent(tree in tree(60)) {
            prop_assert_eq!(consistent(&tree, &infer(&tree)), Ok(()));
        }
    }
}
