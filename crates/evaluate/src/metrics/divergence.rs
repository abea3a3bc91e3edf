//! The Jensen–Shannon divergence, which many metrics share.

/// Jensen–Shannon divergence, in bits, of two distributions given as pairs of counts.
///
/// With p and q the shares and m = (p + q)/2 it is ½·Σ p·log₂(p/m) + ½·Σ q·log₂(q/m): 0 for equal
/// distributions, 1 for disjoint ones. None where a side counts nothing.
pub(super) fn jensen_shannon(counts: &[(u64, u64)]) -> Option<f64> {
    let raw: u64 = counts.iter().map(|pair| pair.0).sum();
    let released: u64 = counts.iter().map(|pair| pair.1).sum();
    if raw == 0 || released == 0 {
        return None;
    }
    let term = |share: f64, middle: f64| match share > 0.0 {
        true => share * (share / middle).log2(),
        false => 0.0,
    };
    let sum: f64 = counts
        .iter()
        .map(|&(a, b)| {
            let (p, q) = (a as f64 / raw as f64, b as f64 / released as f64);
            let middle = (p + q) / 2.0;
            term(p, middle) + term(q, middle)
        })
        .sum();
    // Rounding can leave the range by a hair.
    Some((sum / 2.0).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_disjoint_and_in_between() {
        assert_eq!(jensen_shannon(&[(1, 3), (2, 6)]), Some(0.0));
        assert_eq!(jensen_shannon(&[(1, 0), (0, 6)]), Some(1.0));
        // p = (1, 0), q = (1/2, 1/2), m = (3/4, 1/4).
        let expected =
            0.5 * (4.0_f64 / 3.0).log2() + 0.5 * (0.5 * (2.0_f64 / 3.0).log2() + 0.5 * 1.0);
        let found = jensen_shannon(&[(4, 1), (0, 1)]).unwrap();
        assert!((found - expected).abs() < 1e-15, "{found} {expected}");
    }

    #[test]
    fn nothing_to_compare() {
        assert_eq!(jensen_shannon(&[]), None);
        assert_eq!(jensen_shannon(&[(0, 1)]), None);
        assert_eq!(jensen_shannon(&[(1, 0)]), None);
    }
}
