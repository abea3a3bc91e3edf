//! Inference as published by Chen, Fung and Desai, for comparison.
//!
//! Along each way from the root to a leaf counts should not rise; isotonic regression sees to
//! that. A node's estimate is the mean over the leaves below it, and where children then sum to
//! more than their parent, the excess is taken from them in equal parts. The last step breaks
//! what the first established: a child can end above its parent, and below zero.

use crate::tree::grow::Tree;

pub(super) fn infer(tree: &Tree) -> Vec<f64> {
    let mut sums = vec![0.0; tree.len()];
    let mut leaves = vec![0u32; tree.len()];
    let mut path: Vec<usize> = Vec::new();
    let mut stack: Vec<(usize, usize)> = (0..tree.roots).rev().map(|root| (root, 0)).collect();
    while let Some((node, depth)) = stack.pop() {
        path.truncate(depth);
        path.push(node);
        let children = tree.children(node);
        if children.is_empty() {
            let counts: Vec<f64> = path.iter().map(|&node| tree.noisy[node] as f64).collect();
            for (&node, value) in path.iter().zip(falling_fit(&counts)) {
                sums[node] += value;
                leaves[node] += 1;
            }
        }
        stack.extend(children.rev().map(|child| (child, depth + 1)));
    }
    let mut estimate: Vec<f64> = sums
        .iter()
        .zip(&leaves)
        .map(|(sum, &leaves)| sum / f64::from(leaves))
        .collect();
    // Parents stand before their children.
    for node in 0..tree.len() {
        let children = tree.children(node);
        let below: f64 = estimate[children.clone()].iter().sum();
        let excess = (below - estimate[node]).max(0.0);
        let count = children.len() as f64;
        for child in children {
            estimate[child] -= excess / count;
        }
    }
    estimate
}

/// The values nearest to `counts`, in least squares, that never rise (pooling adjacent violators).
fn falling_fit(counts: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &count in counts {
        blocks.push((count, 1));
        while let [.., (first, n), (second, m)] = blocks[..]
            && first < second
        {
            blocks.pop();
            let pooled = (first * n as f64 + second * m as f64) / (n + m) as f64;
            if let Some(last) = blocks.last_mut() {
                *last = (pooled, n + m);
            }
        }
    }
    blocks
        .into_iter()
        .flat_map(|(value, size)| std::iter::repeat_n(value, size))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_to_the_digit() {
        // A:10 with children B:8, C:6; B with children D:9, E:1.
        let tree = Tree::from_parts(1, vec![10, 8, 6, 9, 1], vec![2, 2, 0, 0, 0]);
        assert_eq!(infer(&tree), [10.0, 6.125, 3.875, 6.8125, -0.6875]);
    }

    #[test]
    fn falling_fits() {
        assert_eq!(falling_fit(&[10.0, 8.0, 9.0]), [10.0, 8.5, 8.5]);
        assert_eq!(falling_fit(&[1.0, 2.0, 3.0]), [2.0, 2.0, 2.0]);
        assert_eq!(falling_fit(&[3.0, 2.0, 1.0]), [3.0, 2.0, 1.0]);
        assert_eq!(falling_fit(&[]), [0.0; 0]);
    }
}
