//! The consistent counts nearest to the noisy ones: an exact weighted least-squares solution.
//!
//! Minimise Σ w_v (x_v − y_v)² with w_v = 1/variance, subject to x ≥ 0 and, at every node, the
//! children's sum at most the node's own x.
//!
//! *How.* Let X_v(λ) be the optimal x_v of v's subtree alone when v is paid λ per unit of x_v. It
//! is continuous, rises with λ, and is piecewise linear.
//! - A leaf: X(λ) = max(0, y + λ/2w).
//! - An inner node whose children together take S(μ) = Σ X_c(−μ) at the price μ ≥ 0: optimality
//!   says 2w(x − y) − μ = λ with x = S(μ), or μ = 0 and x ≥ S(0). So as μ runs over the
//!   breakpoints of S, (λ, x) = (2w(S(μ) − y) − μ, S(μ)) runs over those of X_v; for greater λ
//!   the children do not bind and X(λ) = y + λ/2w.
//!
//! The curves are built from the leaves up; the root's children have the price 0, and going down,
//! the price that a node passes on is the μ that belongs to its own price. Prices are never
//! negative, so only λ ≤ 0 is kept. A node adds one breakpoint and passes its children's on, so
//! the work is of the order of nodes × height, with a merge at each node.

use super::projected::project;
use crate::tree::grow::Tree;

/// A rising piecewise linear function on λ ≤ 0, as points from the greatest λ (which is 0) down;
/// constant below the last.
type Curve = Vec<(f64, f64)>;

pub(super) fn infer(tree: &Tree) -> Vec<f64> {
    let mut curves: Vec<Curve> = vec![Vec::new(); tree.len()];
    let mut sums: Vec<Curve> = vec![Vec::new(); tree.len()];
    for node in (0..tree.len()).rev() {
        let target = tree.noisy[node] as f64;
        let twice_weight = 2.0 / (tree.deviation[node] * tree.deviation[node]);
        let children = tree.children(node);
        sums[node] = sum(&curves[children.clone()]);
        for child in children {
            curves[child] = Vec::new();
        }
        curves[node] = curve(target, twice_weight, &sums[node]);
    }
    let mut estimate = vec![0.0; tree.len()];
    let mut price = vec![0.0f64; tree.len()];
    for node in 0..tree.len() {
        let target = tree.noisy[node] as f64;
        let twice_weight = 2.0 / (tree.deviation[node] * tree.deviation[node]);
        let pay = -price[node];
        let free = target + pay / twice_weight;
        let taken = value(&sums[node], 0.0);
        if free >= taken {
            estimate[node] = free.max(0.0);
        } else {
            // The children bind: find their price along their common curve.
            let passed_on = find_price(&sums[node], target, twice_weight, pay);
            estimate[node] = value(&sums[node], -passed_on);
            for child in tree.children(node) {
                price[child] = passed_on;
            }
        }
    }
    // Rounding leaves errors of the last digits; what follows relies on none.
    project(tree, estimate)
}

/// The curve of a node from what its children take together (a leaf: nothing).
fn curve(target: f64, twice_weight: f64, children: &Curve) -> Curve {
    let most = value(children, 0.0);
    // From here down the children bind.
    let bind = (most - target) * twice_weight;
    let mut points: Curve = Vec::with_capacity(children.len() + 2);
    if bind < 0.0 {
        points.push((0.0, target));
        points.push((bind, most));
    } else {
        points.push((bind, most));
    }
    for &(pay, taken) in children.iter().skip(1) {
        let own = twice_weight * (taken - target) + pay;
        // Rounding can make two points fall together.
        if points.last().is_some_and(|&(last, _)| own < last) {
            points.push((own, taken));
        }
    }
    begin_at_zero(&mut points);
    points
}

/// Cuts off what lies above λ = 0.
fn begin_at_zero(points: &mut Curve) {
    let above = points.partition_point(|&(pay, _)| pay > 0.0);
    if above == 0 {
        return;
    }
    let at_zero = value(points, 0.0);
    let on_zero = points.get(above).is_some_and(|&(pay, _)| pay == 0.0);
    points.drain(..above - usize::from(!on_zero));
    points[0] = (0.0, at_zero);
}

/// The value of a curve; 0 for the curve of nothing.
fn value(curve: &Curve, pay: f64) -> f64 {
    let after = curve.partition_point(|&(at, _)| at > pay);
    match (
        after.checked_sub(1).map(|before| curve[before]),
        curve.get(after),
    ) {
        (_, Some(&(at, value))) if at == pay => value,
        (Some((high, above)), Some(&(low, below))) => {
            below + (above - below) * (pay - low) / (high - low)
        }
        (Some((_, last)), None) => last,
        (None, Some(&(_, first))) => first,
        (None, None) => 0.0,
    }
}

/// The price μ at which what the children take satisfies 2w(S(μ) − y) − μ = λ.
fn find_price(children: &Curve, target: f64, twice_weight: f64, pay: f64) -> f64 {
    let own = |(child_pay, taken): (f64, f64)| twice_weight * (taken - target) + child_pay;
    // `own` falls along the points.
    let after = children.partition_point(|&point| own(point) > pay);
    let Some(&low) = children.get(after) else {
        // Below the last point the children take a constant amount.
        let last = children.last().map_or(0.0, |&(_, taken)| taken);
        return twice_weight * (last - target) - pay;
    };
    let Some(before) = after.checked_sub(1) else {
        return -low.0;
    };
    let high = children[before];
    let part = (own(high) - pay) / (own(high) - own(low));
    -(high.0 + (low.0 - high.0) * part)
}

/// The sum of curves: at every breakpoint of any of them.
fn sum(curves: &[Curve]) -> Curve {
    match curves {
        [] => return Vec::new(),
        [one] => return one.clone(),
        _ => {}
    }
    // A curve is its value at 0 and changes of slope; these add up.
    let mut bends: Vec<(f64, f64)> = Vec::new();
    let mut start = 0.0;
    for curve in curves {
        start += curve.first().map_or(0.0, |&(_, value)| value);
        let mut slope = 0.0;
        for pair in curve.windows(2) {
            let [(high, above), (low, below)] = [pair[0], pair[1]];
            let next = (above - below) / (high - low);
            bends.push((high, next - slope));
            slope = next;
        }
        if let Some(&(last, _)) = curve.last() {
            bends.push((last, -slope));
        }
    }
    bends.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let mut points = vec![(0.0, start)];
    let (mut at, mut level, mut slope) = (0.0, start, 0.0);
    for (pay, change) in bends {
        if pay < at {
            level -= slope * (at - pay);
            at = pay;
            points.push((at, level));
        }
        slope += change;
    }
    // What is left of the slope is rounding: below the last bend all curves are constant.
    points
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::random_trees::{consistent, tree};
    use super::*;

    /// Any quadratic program with inequalities, by Hildreth's method of dual coordinates; knows
    /// nothing of trees.
    fn solve_slowly(target: &[f64], weight: &[f64], rows: &[Vec<(usize, f64)>]) -> Vec<f64> {
        let mut dual = vec![0.0f64; rows.len()];
        let mut x = target.to_vec();
        for _ in 0..200_000 {
            let mut moved = 0.0f64;
            for (row, price) in rows.iter().zip(&mut dual) {
                let excess: f64 = row.iter().map(|&(at, factor)| factor * x[at]).sum();
                let size: f64 = row
                    .iter()
                    .map(|&(at, factor)| factor * factor / weight[at])
                    .sum();
                let next = (*price + excess / size).max(0.0);
                for &(at, factor) in row {
                    x[at] -= (next - *price) * factor / weight[at];
                }
                moved = moved.max((next - *price).abs());
                *price = next;
            }
            if moved < 1e-13 {
                break;
            }
        }
        x
    }

    fn infer_slowly(tree: &Tree) -> Vec<f64> {
        let target: Vec<f64> = tree.noisy.iter().map(|&noisy| noisy as f64).collect();
        let weight: Vec<f64> = tree.deviation.iter().map(|d| 1.0 / (d * d)).collect();
        let mut rows: Vec<Vec<(usize, f64)>> =
            (0..tree.len()).map(|node| vec![(node, -1.0)]).collect();
        for node in 0..tree.len() {
            let mut row: Vec<(usize, f64)> = tree.children(node).map(|c| (c, 1.0)).collect();
            row.push((node, -1.0));
            rows.push(row);
        }
        solve_slowly(&target, &weight, &rows)
    }

    #[test]
    fn a_small_tree_by_hand() {
        // A:10 with children B:8, C:6, equal trust: all move by 4/3.
        let tree = Tree::from_parts(1, vec![10, 8, 6], vec![2, 0, 0]);
        for (found, expected) in infer(&tree)
            .iter()
            .zip([34.0 / 3.0, 20.0 / 3.0, 14.0 / 3.0])
        {
            assert!(
                (found - expected).abs() < 1e-12,
                "{found} instead of {expected}"
            );
        }
    }

    #[test]
    fn counts_that_could_be_true_stay() {
        let tree = Tree::from_parts(1, vec![10, 3, 7, 2], vec![2, 1, 0, 0]);
        assert_eq!(infer(&tree), [10.0, 3.0, 7.0, 2.0]);
    }

    #[test]
    fn exact_measurements_are_trusted() {
        let mut tree = Tree::from_parts(1, vec![10, 8, 6], vec![2, 0, 0]);
        tree.deviation[0] = 1e-6;
        let found = infer(&tree);
        assert!(
            (found[0] - 10.0).abs() < 1e-6 && (found[1] - 6.0).abs() < 1e-6,
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn matches_a_generic_solver(tree in tree(9)) {
            let (fast, slow) = (infer(&tree), infer_slowly(&tree));
            for (fast, slow) in fast.iter().zip(&slow) {
                prop_assert!((fast - slow).abs() < 1e-4, "{fast} against {slow}");
            }
        }

        #[test]
        fn random_trees_become_consistent(tree in tree(60)) {
            prop_assert_eq!(consistent(&tree, &infer(&tree)), Ok(()));
        }
    }
}
