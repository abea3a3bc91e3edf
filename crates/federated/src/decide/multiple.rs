//! Many tests at once: which hypotheses may be rejected together.
//!
//! Both ways hold however the p-values depend on each other, as those of fragments with common
//! clients do. A p-value that is not a number counts as 1.

/// Holm's step-down (1979): the probability that any true hypothesis is rejected is at most `level`.
pub fn holm(p: &[f64], level: f64) -> Vec<bool> {
    let order = ascending(p);
    let left = |rank: usize| (p.len() - rank) as f64;
    let rejected = order
        .iter()
        .enumerate()
        .take_while(|&(rank, &i)| p[i] * left(rank) <= level)
        .count();
    marked(&order, rejected)
}

/// The step-up of Benjamini and Yekutieli (2001): of those rejected, on average at most a share of
/// `level` is true.
pub fn benjamini_yekutieli(p: &[f64], level: f64) -> Vec<bool> {
    let order = ascending(p);
    let harmonic: f64 = (1..=p.len()).map(|i| 1.0 / i as f64).sum();
    let bound = |rank: usize| (rank + 1) as f64 * level / (p.len() as f64 * harmonic);
    let last = order
        .iter()
        .enumerate()
        .rposition(|(rank, &i)| p[i] <= bound(rank));
    marked(&order, last.map_or(0, |rank| rank + 1))
}

fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    // Stable: what is not a number comes last, equal values keep their places.
    order.sort_by(|&a, &b| p[a].abs().total_cmp(&p[b].abs()));
    order
}

fn marked(order: &[usize], first: usize) -> Vec<bool> {
    let mut rejected = vec![false; order.len()];
    for &i in &order[..first] {
        rejected[i] = true;
    }
    rejected
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn holm_by_hand() {
        // 0.005·4 ≤ 0.05, 0.01·3 ≤ 0.05, 0.03·2 > 0.05: the last is not looked at.
        let p = [0.01, 0.04, 0.03, 0.005];
        assert_eq!(holm(&p, 0.05), [true, false, false, true]);
        assert_eq!(holm(&[0.02, 0.04], 0.05), [true, true]);
        assert_eq!(holm(&[0.03, 0.04], 0.05), [false, false]);
        assert!(holm(&[], 0.05).is_empty());
    }

    #[test]
    fn benjamini_yekutieli_by_hand() {
        // Harmonic sum of 4: 25/12. Bounds at 0.1: 0.012, 0.024, 0.036, 0.048.
        let p = [0.035, 0.013, 0.9, 0.025];
        assert_eq!(benjamini_yekutieli(&p, 0.1), [true, true, false, true]);
        let p = [0.037, 0.013, 0.9, 0.025];
        assert_eq!(benjamini_yekutieli(&p, 0.1), [false; 4]);
        assert!(benjamini_yekutieli(&[], 0.05).is_empty());
    }

    #[test]
    fn what_is_not_a_number_is_never_rejected_and_spoils_nothing() {
        let p = [f64::NAN, 0.001, -f64::NAN, 1.0];
        assert_eq!(holm(&p, 0.05), [false, true, false, false]);
        assert_eq!(benjamini_yekutieli(&p, 0.05), [false, true, false, false]);
    }

    /// Holm's procedure is the closure of Bonferroni's: a hypothesis is rejected iff every set with it
    /// has a p-value of at most the level over the set's size.
    fn closed_bonferroni(p: &[f64], level: f64) -> Vec<bool> {
        let sets = 1_usize..1 << p.len();
        let members = |set: usize| (0..p.len()).filter(move |i| set >> i & 1 == 1);
        let rejects = |set: usize| {
            let size = members(set).count() as f64;
            members(set).any(|i| p[i] * size <= level)
        };
        (0..p.len())
            .map(|i| sets.clone().filter(|set| set >> i & 1 == 1).all(rejects))
            .collect()
    }

    /// From the definition: the largest number r such that at least r p-values are at most r shares.
    fn by_definition(p: &[f64], level: f64) -> Vec<bool> {
        let m = p.len() as f64;
        let harmonic: f64 = (1..=p.len()).map(|i| 1.0 / i as f64).sum();
        let bound = |r: usize| r as f64 * level / (m * harmonic);
        let enough = |&r: &usize| p.iter().filter(|&&p| p <= bound(r)).count() >= r;
        let r = (0..=p.len()).rev().find(enough).unwrap_or(0);
        p.iter().map(|&p| r > 0 && p <= bound(r)).collect()
    }

    proptest! {
        #[test]
        fn as_by_brute_force(
            p in prop::collection::vec((1_u32..40).prop_map(|i| f64::from(i) / 256.0), 0..9),
            level in 0.01_f64..0.4,
        ) {
            prop_assert_eq!(holm(&p, level), closed_bonferroni(&p, level));
            prop_assert_eq!(benjamini_yekutieli(&p, level), by_definition(&p, level));
        }
    }
}
