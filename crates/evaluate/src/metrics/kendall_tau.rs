//! How well the release keeps which location is more popular than which.

use wayveil_core::Result;

use super::counting::{visitors, visits};
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Kendall's rank correlation of popularity.
pub(super) static METRIC: Metric = Metric {
    name: "kendall-tau",
    about: "whether the release orders locations by popularity as the raw data does",
    definition: "Over all pairs of locations of the universe, C of them in the same order on both \
                 sides, D in opposite order, n₀ = n(n − 1)/2 in all, n₁ tied in the raw data, n₂ \
                 tied in the release. By visits: `tau-a` = (C − D)/n₀, `tau-b` = (C − D)/√((n₀ − \
                 n₁)(n₀ − n₂)). By records that visit the location: `coverage` = (C − R)/n₀ with R \
                 all other pairs that are not tied in the raw data, so that a tie of the release \
                 alone counts against it. 1 is the same order; with ties in the raw data tau-a and \
                 coverage stay below 1. Undefined for fewer than two locations, and tau-b where all \
                 locations of a side tie.",
    source: "Kendall 1938 and 1945; counted in O(n log n) after Knight 1966. `coverage` is the \
             location coverage of LDPTrace's code (Du et al., PVLDB 16, 2023); that of AdaTrace \
             (Gursoy et al., CCS 2018) counts a tie of the release for or against it by the order \
             of the cells.",
    better: Better::Higher,
    spatial: false,
    run,
};

const NAMES: [&str; 3] = ["tau-a", "tau-b", "coverage"];

fn run(compared: &Compared<'_>, _: &Settings) -> Result<Vec<Value>> {
    if compared.universe.len() < 2 {
        return Ok(NAMES.map(Value::undefined).to_vec());
    }
    let by_visits = Pairs::of(visits(compared)?);
    let by_records = Pairs::of(visitors(compared)?);
    Ok(vec![
        Value::of(NAMES[0], Some(by_visits.tau_a())),
        Value::of(NAMES[1], by_visits.tau_b()),
        Value::of(NAMES[2], Some(by_records.coverage())),
    ])
}

/// How many pairs of points are of which kind.
#[derive(Debug, PartialEq, Eq)]
struct Pairs {
    all: u64,
    tied_left: u64,
    tied_right: u64,
    concordant: u64,
    discordant: u64,
}

impl Pairs {
    /// Knight's method: sort by (left, right); discordant pairs are then the inversions of right,
    /// which a merge sort counts.
    fn of(mut points: Vec<(u64, u64)>) -> Self {
        points.sort_unstable();
        let all = choose_two(points.len());
        let tied_left = ties(&points, |a, b| a.0 == b.0);
        let tied_both = ties(&points, |a, b| a == b);
        let mut right: Vec<u64> = points.into_iter().map(|point| point.1).collect();
        let discordant = sort_counting_inversions(&mut right);
        let tied_right = ties(&right, |a, b| a == b);
        Self {
            all,
            tied_left,
            tied_right,
            concordant: all + tied_both - tied_left - tied_right - discordant,
            discordant,
        }
    }

    fn tau_a(&self) -> f64 {
        (self.concordant as f64 - self.discordant as f64) / self.all as f64
    }

    fn tau_b(&self) -> Option<f64> {
        let left = (self.all - self.tied_left) as f64;
        let right = (self.all - self.tied_right) as f64;
        let balance = self.concordant as f64 - self.discordant as f64;
        (left > 0.0 && right > 0.0).then(|| (balance / (left * right).sqrt()).clamp(-1.0, 1.0))
    }

    fn coverage(&self) -> f64 {
        let reversed = self.all - self.tied_left - self.concordant;
        (self.concordant as f64 - reversed as f64) / self.all as f64
    }
}

fn choose_two(n: usize) -> u64 {
    let n = n as u64;
    n * n.saturating_sub(1) / 2
}

fn ties<T>(sorted: &[T], same: impl Fn(&T, &T) -> bool) -> u64 {
    sorted.chunk_by(same).map(|run| choose_two(run.len())).sum()
}

/// Sorts, and tells how many pairs stood in descending order.
fn sort_counting_inversions(values: &mut Vec<u64>) -> u64 {
    let mut inversions = 0;
    let mut merged = Vec::with_capacity(values.len());
    let mut width = 1;
    while width < values.len() {
        merged.clear();
        for run in values.chunks(2 * width) {
            let (mut left, mut right) = run.split_at(width.min(run.len()));
            while let (Some((a, rest_left)), Some((b, rest_right))) =
                (left.split_first(), right.split_first())
            {
                if a <= b {
                    merged.push(*a);
                    left = rest_left;
                } else {
                    inversions += left.len() as u64;
                    merged.push(*b);
                    right = rest_right;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(values, &mut merged);
        width *= 2;
    }
    inversions
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;

    use super::*;

    fn naive(points: &[(u64, u64)]) -> Pairs {
        let mut pairs = Pairs {
            all: 0,
            tied_left: 0,
            tied_right: 0,
            concordant: 0,
            discordant: 0,
        };
        for (index, a) in points.iter().enumerate() {
            for b in &points[index + 1..] {
                let (left, right) = (a.0.cmp(&b.0), a.1.cmp(&b.1));
                pairs.all += 1;
                pairs.tied_left += u64::from(left == Ordering::Equal);
                pairs.tied_right += u64::from(right == Ordering::Equal);
                let untied = left != Ordering::Equal && right != Ordering::Equal;
                pairs.concordant += u64::from(untied && left == right);
                pairs.discordant += u64::from(untied && left != right);
            }
        }
        pairs
    }

    #[test]
    fn by_hand() {
        // Pairs: (1,1)-(2,3) C, (1,1)-(3,2) C, (2,3)-(3,2) D.
        let pairs = Pairs::of(vec![(1, 1), (2, 3), (3, 2)]);
        assert_eq!(pairs.tau_a(), 1.0 / 3.0);
        assert_eq!(pairs.tau_b(), Some(1.0 / 3.0));
        // One tie of the release counts against it in `coverage` only.
        let pairs = Pairs::of(vec![(1, 1), (2, 2), (3, 2)]);
        assert_eq!(pairs.tau_a(), 2.0 / 3.0);
        assert_eq!(pairs.tau_b(), Some(2.0 / 6.0_f64.sqrt()));
        assert_eq!(pairs.coverage(), 1.0 / 3.0);
        assert_eq!(Pairs::of(vec![(1, 1), (2, 1)]).tau_b(), None);
    }

    proptest! {
        #[test]
        fn as_counted_pair_by_pair(points in prop::collection::vec((0u64..6, 0u64..9), 0..70)) {
            prop_assert_eq!(Pairs::of(points.clone()), naive(&points));
        }
    }
}
