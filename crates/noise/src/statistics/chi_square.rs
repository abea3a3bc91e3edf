//! Pearson's χ² tests.

use core::ops::RangeInclusive;

use super::{Outcome, StatisticsError, chi_square_survival};

/// Cells with a smaller expectation are pooled with their neighbours.
///
/// The usual 5 is meant for rates like 0.05; far in the tail, at a rate of 10^−9, the χ²
/// approximation needs more.
const MIN_EXPECTED: f64 = 30.0;

/// Whether `observed` counts come from cells of the given probabilities.
///
/// An unlikely cell is pooled with others, never left out or counted as zero. An observation in a cell
/// of probability zero is impossible and rejects at once, whatever it would be pooled with.
pub fn chi_square(observed: &[u64], probabilities: &[f64]) -> Result<Outcome, StatisticsError> {
    check_lengths(observed.len(), probabilities.len())?;
    let sum: f64 = probabilities.iter().sum();
    let valid = probabilities.iter().all(|p| (0.0..=1.0).contains(p));
    if !valid || (sum - 1.0).abs() > 1e-9 {
        return Err(StatisticsError::Probabilities { sum });
    }
    let samples: u64 = observed.iter().sum();
    let cells = observed.iter().zip(probabilities);
    let cells = cells.map(|(&o, &p)| ([o as f64, 0.0], p * samples as f64));
    let pooled = pool(cells);
    let impossible = observed
        .iter()
        .zip(probabilities)
        .any(|(&o, &p)| o > 0 && p == 0.0);
    let statistic = if impossible {
        f64::INFINITY
    } else {
        pooled.iter().map(|(o, e)| (o[0] - e).powi(2) / e).sum()
    };
    outcome(
        "chi-square goodness of fit",
        statistic,
        pooled.len(),
        samples,
    )
}

/// Whether integers come from the distribution with mass function `pmf`. Each value in `cells` has
/// a cell of its own; all other values share one.
pub fn fit_integers(
    samples: &[i64],
    cells: RangeInclusive<i64>,
    pmf: impl Fn(i64) -> f64,
) -> Result<Outcome, StatisticsError> {
    let start = *cells.start();
    let mut probabilities: Vec<f64> = cells.map(pmf).collect();
    let outside = probabilities.len();
    // Not zero: rounding of the sum must not make a rare value an impossible one.
    probabilities.push((1.0 - probabilities.iter().sum::<f64>()).max(f64::EPSILON));
    let mut observed = vec![0; outside + 1];
    for &sample in samples {
        let index = usize::try_from(i128::from(sample) - i128::from(start));
        observed[index.unwrap_or(outside).min(outside)] += 1;
    }
    chi_square(&observed, &probabilities)
}

/// Whether two lists of counts over the same cells come from one distribution.
pub fn same_distribution(left: &[u64], right: &[u64]) -> Result<Outcome, StatisticsError> {
    check_lengths(left.len(), right.len())?;
    let (n, m) = (left.iter().sum::<u64>(), right.iter().sum::<u64>());
    let (n_share, m_share) = (n as f64 / (n + m) as f64, m as f64 / (n + m) as f64);
    let cells = left.iter().zip(right).map(|(&l, &r)| {
        let smaller_expected = (l + r) as f64 * n_share.min(m_share);
        ([l as f64, r as f64], smaller_expected)
    });
    let pooled = pool(cells);
    let statistic = pooled.iter().map(|([l, r], _)| {
        let total = l + r;
        (l - total * n_share).powi(2) / (total * n_share)
            + (r - total * m_share).powi(2) / (total * m_share)
    });
    outcome(
        "chi-square equality of two samples",
        statistic.sum(),
        pooled.len(),
        n + m,
    )
}

/// Joins neighbouring cells until each expectation is at least [`MIN_EXPECTED`]; what is left over at
/// the end joins the last one. The order of cells, not the counts, decides what is pooled with what.
fn pool(cells: impl Iterator<Item = ([f64; 2], f64)>) -> Vec<([f64; 2], f64)> {
    let mut pooled: Vec<([f64; 2], f64)> = Vec::new();
    let mut open = ([0.0; 2], 0.0);
    let join = |to: &mut ([f64; 2], f64), cell: ([f64; 2], f64)| {
        to.0[0] += cell.0[0];
        to.0[1] += cell.0[1];
        to.1 += cell.1;
    };
    for cell in cells {
        join(&mut open, cell);
        if open.1 >= MIN_EXPECTED {
            pooled.push(core::mem::take(&mut open));
        }
    }
    if let Some(last) = pooled.last_mut() {
        join(last, open);
    }
    pooled
}

fn check_lengths(left: usize, right: usize) -> Result<(), StatisticsError> {
    if left == right {
        Ok(())
    } else {
        Err(StatisticsError::Lengths { left, right })
    }
}

fn outcome(
    test: &'static str,
    statistic: f64,
    cells: usize,
    samples: u64,
) -> Result<Outcome, StatisticsError> {
    if cells < 2 {
        return Err(StatisticsError::TooFew { samples });
    }
    let degrees = cells as u64 - 1;
    let p_value = chi_square_survival(statistic, degrees);
    Ok(Outcome {
        test,
        statistic,
        degrees: Some(degrees),
        samples,
        p_value,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{assert_plausible, assert_rejected};
    use super::*;

    #[test]
    fn a_worked_example() {
        let found = chi_square(&[120, 90, 90], &[1.0 / 3.0; 3]).unwrap();
        assert_eq!((found.statistic, found.degrees), (6.0, Some(2)));
        assert!((found.p_value - (-3_f64).exp()).abs() < 1e-12);
    }

    #[test]
    fn small_cells_are_pooled_and_misplaced_mass_is_still_seen() {
        let found = chi_square(&[500, 470, 15, 15, 0], &[0.5, 0.47, 0.01, 0.01, 0.01]).unwrap();
        assert_eq!(found.degrees, Some(2));
        assert_plausible(&found);
        assert_rejected(&chi_square(&[500_000, 500_000, 1], &[0.5, 0.5, 0.0]).unwrap());
    }

    #[test]
    fn what_is_left_over_joins_the_last_cell() {
        let found = chi_square(&[350, 300, 50], &[0.5, 0.46, 0.04]).unwrap();
        assert_eq!(found.degrees, Some(1));
        assert!(found.statistic < 1e-20);
    }

    #[test]
    fn values_outside_the_cells_share_one() {
        let samples: Vec<i64> = (0..1000).map(|i| i % 10).collect();
        let uniform = |x: i64| if (0..10).contains(&x) { 0.1 } else { 0.0 };
        assert_plausible(&fit_integers(&samples, 0..=4, uniform).unwrap());
        assert_rejected(&fit_integers(&[i64::MIN; 1000], 0..=4, uniform).unwrap());
        assert_rejected(&fit_integers(&[i64::MAX; 1000], 0..=4, uniform).unwrap());
    }

    #[test]
    fn two_samples_of_different_size() {
        let left = [1000, 2000, 3000];
        assert_plausible(&same_distribution(&left, &[110, 190, 300]).unwrap());
        assert_rejected(&same_distribution(&left, &[300, 200, 100]).unwrap());
    }

    #[test]
    fn what_cannot_be_tested_is_an_error() {
        assert!(matches!(
            chi_square(&[1], &[0.5, 0.5]),
            Err(StatisticsError::Lengths { .. })
        ));
        assert!(matches!(
            chi_square(&[90, 90], &[0.5, 0.4]),
            Err(StatisticsError::Probabilities { .. })
        ));
        let nan = chi_square(&[90, 90], &[0.5, f64::NAN]);
        assert!(matches!(nan, Err(StatisticsError::Probabilities { .. })));
        for few in [
            chi_square(&[3, 4], &[0.5, 0.5]),
            same_distribution(&[], &[]),
        ] {
            assert!(matches!(few, Err(StatisticsError::TooFew { .. })));
        }
    }
}
