//! The tail of the normal law, for what is made of noisy counts: post-processing.

use std::f64::consts::PI;
use std::sync::LazyLock;

/// Nodes lie this close to each other, up to the last one.
const STEP: f64 = 0.125;
const NODES: usize = 97;
/// Terms of the series around a node. At half a step the next one is below 10⁻¹².
const TERMS: usize = 9;

/// The density of the normal law with deviation 1.
pub(super) fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// P[Z ≥ z] for z ≥ 0, to nearly all digits however small it is, and the density there.
pub(super) fn tail_and_density(z: f64) -> (f64, f64) {
    let density = density(z);
    (density * ratio(z), density)
}

/// Tail over density, R(z) (Mills 1926), for z ≥ 0.
fn ratio(z: f64) -> f64 {
    let node = (z / STEP).round() as usize;
    match SERIES.get(node) {
        Some(terms) => {
            let off = z - node as f64 * STEP;
            terms.iter().rev().fold(0.0, |sum, term| sum * off + term)
        }
        None => far(z),
    }
}

/// The continued fraction 1/(z + 1/(z + 2/(z + 3/…))) (Laplace 1805), which is exact to a float from 12 on.
fn far(z: f64) -> f64 {
    1.0 / (1..=24).rev().fold(z, |rest, n| z + f64::from(n) / rest)
}

/// The Taylor series of R around every node.
///
/// R′ = z·R − 1, so that with R(z + h) = Σ a_n·hⁿ: a₁ = z·a₀ − 1 and (n+1)·a_(n+1) = z·a_n + a_(n−1). Errors shrink
/// on the way down, where R is the solution that stays small, so that nodes are made from the last to the first.
static SERIES: LazyLock<Vec<[f64; TERMS]>> = LazyLock::new(|| {
    let last = (NODES - 1) as f64 * STEP;
    let mut value = far(last);
    let mut series = Vec::with_capacity(NODES);
    for node in (0..NODES).rev() {
        let terms: [f64; 2 * TERMS] = expansion(node as f64 * STEP, value);
        series.push(std::array::from_fn(|n| terms[n]));
        value = terms.iter().rev().fold(0.0, |sum, term| term - STEP * sum);
    }
    series.reverse();
    series
});

fn expansion<const N: usize>(z: f64, value: f64) -> [f64; N] {
    let mut terms = [0.0; N];
    terms[0] = value;
    terms[1] = z * value - 1.0;
    for n in 1..N - 1 {
        terms[n + 1] = (z * terms[n] + terms[n - 1]) / (n as f64 + 1.0);
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail(z: f64) -> f64 {
        tail_and_density(z).0
    }

    #[test]
    fn tails_are_those_of_tables() {
        for (z, known) in [
            (0.0, 0.5),
            (1.0, 0.158_655_253_931_457_05),
            (1.96, 0.024_997_895_148_220_435),
            (3.0, 0.001_349_898_031_630_094_6),
            (6.0, 9.865_876_450_376_98e-10),
            (10.0, 7.619_853_024_160_527e-24),
            (20.0, 2.753_624_118_606_233_7e-89),
        ] {
            assert!(
                (tail(z) / known - 1.0).abs() < 1e-11,
                "{z}: {} {known}",
                tail(z)
            );
        }
    }

    #[test]
    fn tails_agree_with_numbers_summed_up() {
        // Simpson's rule, as far as anything is left.
        for at in 0..400 {
            let z = f64::from(at) * 0.033;
            let steps = 6_000;
            let width = 40.0 / (3.0 + z) / f64::from(steps);
            let sum: f64 = (0..=steps)
                .map(|step| {
                    let weight = match step {
                        0 => 1.0,
                        step if step == steps => 1.0,
                        step if step % 2 == 1 => 4.0,
                        _ => 2.0,
                    };
                    weight * density(z + f64::from(step) * width)
                })
                .sum();
            let summed = sum * width / 3.0;
            assert!(
                (tail(z) / summed - 1.0).abs() < 1e-9,
                "{z}: {} {summed}",
                tail(z)
            );
        }
    }
}
