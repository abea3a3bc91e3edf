//! Histograms of a number per record.

use super::divergence::jensen_shannon;

/// Bins between zero and the raw side's greatest value, as in AdaTrace.
const BINS: usize = 20;
/// Values this little away from an edge lie on it: the same way in the other direction adds up its
/// distances in another order, and multiples of one distance are common. In bins; relative above
/// the raw maximum.
const ROUNDING: f64 = 1e-9;

/// Jensen–Shannon divergence of two samples of non-negative numbers.
///
/// There are 20 bins of equal width over [0, M], M the greatest raw value, and one more for released
/// values above M. The bins do not depend on the release, so that releases can be compared with
/// each other. None where a side is empty.
pub(super) fn divergence(raw: &[f64], released: &[f64]) -> Option<f64> {
    let greatest = raw.iter().copied().fold(0.0, f64::max);
    let mut counts = [(0u64, 0u64); BINS + 1];
    for &value in raw {
        counts[bin(value, greatest)].0 += 1;
    }
    for &value in released {
        counts[bin(value, greatest)].1 += 1;
    }
    jensen_shannon(&counts)
}

fn bin(value: f64, greatest: f64) -> usize {
    if value > greatest * (1.0 + ROUNDING) {
        BINS
    } else if greatest > 0.0 {
        ((value / greatest * BINS as f64 + ROUNDING) as usize).min(BINS - 1)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fall_into_their_bins() {
        assert_eq!(
            [0.0, 0.49, 0.5, 9.99, 10.0].map(|v| bin(v, 10.0)),
            [0, 0, 1, 19, 19]
        );
        assert_eq!(bin(10.0 + 1e-12, 10.0), 19);
        assert_eq!(bin(11.0, 10.0), 20);
        // Three of ten equal steps, however they are added up, are on the edge of the seventh bin.
        assert_eq!(
            [0.1 + 0.1 + 0.1, 0.3, 1.0 - 0.7].map(|v| bin(v, 1.0)),
            [6; 3]
        );
        assert_eq!([0.0, 1.0].map(|v| bin(v, 0.0)), [0, 20]);
    }

    #[test]
    fn values_beyond_the_raw_range_differ_from_all_within() {
        assert_eq!(divergence(&[1.0, 2.0], &[3.0, 400.0]), Some(1.0));
        assert_eq!(divergence(&[1.0, 2.0], &[2.0, 1.0]), Some(0.0));
        assert_eq!(divergence(&[0.0], &[0.0]), Some(0.0));
        assert_eq!(divergence(&[], &[1.0]), None);
        assert_eq!(divergence(&[1.0], &[]), None);
    }
}
