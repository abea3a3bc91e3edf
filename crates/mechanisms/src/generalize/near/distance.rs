//! Edit distance.

/// Whether the edit distance is at most `bound`, in time of order bound times length: cells farther
/// than that from the diagonal cannot lie on a path that short.
pub(super) fn within(a: &[u32], b: &[u32], bound: usize) -> bool {
    if a.len().abs_diff(b.len()) > bound {
        return false;
    }
    let beyond = bound + 1;
    // row[j] is the distance of a[..i] and b[..j], or `beyond` where it is more than the bound.
    let mut row: Vec<usize> = (0..=b.len()).map(|j| j.min(beyond)).collect();
    for (i, symbol) in a.iter().enumerate() {
        let first = (i + 1).saturating_sub(bound).max(1);
        let last = (i + 1 + bound).min(b.len());
        let mut diagonal = row[first - 1];
        row[first - 1] = if first == 1 {
            (i + 1).min(beyond)
        } else {
            beyond
        };
        let mut least = row[first - 1];
        for j in first..=last {
            // Above the band of the last row nothing is known but that it is too far.
            let above = if j == i + 1 + bound { beyond } else { row[j] };
            let replaced = diagonal + usize::from(*symbol != b[j - 1]);
            diagonal = row[j];
            row[j] = replaced.min(above + 1).min(row[j - 1] + 1).min(beyond);
            least = least.min(row[j]);
        }
        if least > bound {
            return false;
        }
    }
    row[b.len()] <= bound
}

/// The edit distance by the whole table, to compare with.
#[cfg(test)]
pub(super) fn edit_distance(a: &[u32], b: &[u32]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => (table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]))
                    .min(table[i - 1][j] + 1)
                    .min(table[i][j - 1] + 1),
            };
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_hand() {
        let (kitten, sitting) = ([1, 2, 3, 3, 4, 5], [6, 2, 3, 3, 2, 5, 7]);
        assert_eq!(edit_distance(&kitten, &sitting), 3);
        assert!(within(&kitten, &sitting, 3) && !within(&kitten, &sitting, 2));
        assert!(within(&[], &[], 0) && within(&[], &[1], 1) && !within(&[], &[1], 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_band_loses_nothing(
            a in prop::collection::vec(0u32..3, 0..12),
            b in prop::collection::vec(0u32..3, 0..12),
            bound in 0usize..14,
        ) {
            prop_assert_eq!(within(&a, &b, bound), edit_distance(&a, &b) <= bound);
        }
    }
}
