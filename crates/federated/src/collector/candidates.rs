//! Which fragments of the next length are worth asking about.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

/// Fragments of one length that may have longer ones, with their estimated numbers of clients.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub(super) length: usize,
    /// One fragment after the other.
    pub(super) codes: Vec<u32>,
    pub(super) counts: Vec<f64>,
}

/// Candidates of one length, one after the other, and how many more there were.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Candidates {
    pub(super) codes: Vec<u32>,
    /// Left out since a Markov chain expects too few clients to have them.
    pub(super) cleaned: u64,
    /// Left out since there were too many.
    pub(super) left_out: u64,
}

/// Before cleaning so many times the allowed number are looked at.
const LOOK_AT: usize = 16;

impl Kept {
    fn fragments(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.codes.chunks_exact(self.length.max(1))
    }

    /// The estimate of each fragment.
    fn by_fragment(&self) -> FxHashMap<&[u32], f64> {
        self.fragments().zip(self.counts.iter().copied()).collect()
    }

    /// Only those with the largest estimates, so many that at most `most` pairs of them fit together
    /// as first and last part; the second number is how many pairs that leaves out.
    fn with_pairs_at_most(&self, most: usize) -> (Kept, u64) {
        let all = self.pairs(&vec![true; self.counts.len()]);
        if all <= most as u64 {
            return (self.clone(), 0);
        }
        let mut order: Vec<usize> = (0..self.counts.len()).collect();
        order.sort_by(|&a, &b| descending(self.counts[a], self.counts[b]).then(a.cmp(&b)));
        let chosen = |top: usize| {
            let mut chosen = vec![false; order.len()];
            order[..top].iter().for_each(|&at| chosen[at] = true);
            chosen
        };
        let (mut fits, mut too_many) = (0, order.len());
        while too_many - fits > 1 {
            let middle = fits.midpoint(too_many);
            match self.pairs(&chosen(middle)) <= most as u64 {
                true => fits = middle,
                false => too_many = middle,
            }
        }
        let chosen = chosen(fits);
        let mut kept = Kept {
            length: self.length,
            ..Kept::default()
        };
        for (at, fragment) in self.fragments().enumerate().filter(|(at, _)| chosen[*at]) {
            kept.codes.extend_from_slice(fragment);
            kept.counts.push(self.counts[at]);
        }
        let left_out = all - self.pairs(&chosen);
        (kept, left_out)
    }

    /// How many pairs of the chosen fit together.
    fn pairs(&self, chosen: &[bool]) -> u64 {
        let mut starts: FxHashMap<&[u32], u64> = FxHashMap::default();
        let chosen = || {
            let pairs = self.fragments().zip(chosen);
            pairs.filter(|(_, chosen)| **chosen).map(|(f, _)| f)
        };
        for fragment in chosen() {
            *starts.entry(&fragment[..self.length - 1]).or_default() += 1;
        }
        chosen()
            .map(|fragment| starts.get(&fragment[1..]).copied().unwrap_or(0))
            .sum()
    }
}

fn descending(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}

/// Candidates of the length after that of `parts`: every one whose first and last part are kept (no
/// other can reach k clients if they do not), less those of which a Markov chain expects fewer than
/// `least` clients, S(first)·S(last)/S(middle) with `middles` the fragments one shorter than `parts`;
/// at most `most`, those with the largest expectation.
pub(super) fn extend(parts: &Kept, middles: Option<&Kept>, least: f64, most: usize) -> Candidates {
    let (parts, mut left_out) = parts.with_pairs_at_most(most.saturating_mul(LOOK_AT));
    let shared = parts.length - 1;
    let mut ends: FxHashMap<&[u32], Vec<(u32, f64)>> = FxHashMap::default();
    for (fragment, &count) in parts.fragments().zip(&parts.counts) {
        let last = fragment[shared];
        ends.entry(&fragment[..shared])
            .or_default()
            .push((last, count));
    }
    let middles = middles.map(Kept::by_fragment);
    let mut cleaned = 0;
    let mut codes = Vec::new();
    let mut expectations = Vec::new();
    for (first, &count) in parts.fragments().zip(&parts.counts) {
        let middle = middles.as_ref().and_then(|m| m.get(&first[1..]).copied());
        for &(last, other) in ends.get(&first[1..]).into_iter().flatten() {
            let markov = middle.map(|middle| expectation(count, other, middle));
            if markov.is_some_and(|expected| expected < least) {
                cleaned += 1;
                continue;
            }
            codes.extend_from_slice(first);
            codes.push(last);
            expectations.push(markov.unwrap_or(count.min(other)));
        }
    }
    if expectations.len() > most {
        left_out += (expectations.len() - most) as u64;
        codes = largest(&codes, parts.length + 1, &expectations, most);
    }
    Candidates {
        codes,
        cleaned,
        left_out,
    }
}

/// S(first)·S(last)/S(middle). Estimates can be negative: parts count as at least 0, and a middle of
/// at most 0 says nothing against a candidate.
fn expectation(first: f64, last: f64, middle: f64) -> f64 {
    match middle > 0.0 {
        true => first.max(0.0) * last.max(0.0) / middle,
        false => f64::INFINITY,
    }
}

/// The `most` fragments with the largest scores, in their old order.
fn largest(codes: &[u32], length: usize, scores: &[f64], most: usize) -> Vec<u32> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| descending(scores[a], scores[b]).then(a.cmp(&b)));
    order.truncate(most);
    order.sort_unstable();
    order
        .into_iter()
        .flat_map(|at| codes[at * length..(at + 1) * length].iter().copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kept(length: usize, fragments: &[(&[u32], f64)]) -> Kept {
        Kept {
            length,
            codes: fragments.iter().flat_map(|(f, _)| f.to_vec()).collect(),
            counts: fragments.iter().map(|(_, count)| *count).collect(),
        }
    }

    #[test]
    fn pairs_of_single_locations_are_all_pairs() {
        let singles = kept(1, &[(&[3], 10.0), (&[5], 20.0)]);
        let found = extend(&singles, None, 100.0, 10);
        assert_eq!(found.codes, [3, 3, 3, 5, 5, 3, 5, 5]);
        assert_eq!((found.cleaned, found.left_out), (0, 0));
    }

    #[test]
    fn a_chain_that_expects_too_few_cleans() {
        // 0 1 and 1 2 with middle 1: 30·20/60 = 10; 0 1 and 1 1: 30·6/60 = 3; 1 1 twice: 0.6.
        let singles = kept(1, &[(&[0], 40.0), (&[1], 60.0), (&[2], 40.0)]);
        let pairs = kept(2, &[(&[0, 1], 30.0), (&[1, 2], 20.0), (&[1, 1], 6.0)]);
        let found = extend(&pairs, Some(&singles), 3.0, 10);
        assert_eq!(found.codes, [0, 1, 2, 0, 1, 1]);
        assert_eq!(found.cleaned, 2);
        let found = extend(&pairs, Some(&singles), 3.1, 10);
        assert_eq!(found.codes, [0, 1, 2]);
        assert_eq!(found.cleaned, 3);
    }

    #[test]
    fn a_middle_estimated_below_zero_does_not_clean() {
        let singles = kept(1, &[(&[0], -4.0)]);
        let pairs = kept(2, &[(&[0, 0], 5.0)]);
        assert_eq!(extend(&pairs, Some(&singles), 9.0, 10).codes, [0, 0, 0]);
    }

    #[test]
    fn too_many_are_cut_to_the_likeliest() {
        let singles = kept(1, &[(&[0], 10.0), (&[1], 30.0), (&[2], 20.0)]);
        let found = extend(&singles, None, 0.0, 4);
        assert_eq!(found.codes, [1, 1, 1, 2, 2, 1, 2, 2]);
        assert_eq!(found.left_out, 5);
        // So many that they are not even looked at: 100 locations, at most 16 pairs are formed.
        let many: Vec<(Vec<u32>, f64)> = (0..100).map(|i| (vec![i], f64::from(i))).collect();
        let many: Vec<(&[u32], f64)> = many.iter().map(|(f, c)| (f.as_slice(), *c)).collect();
        let found = extend(&kept(1, &many), None, 0.0, 1);
        assert_eq!(found.codes, [99, 99]);
        assert_eq!(found.left_out, 9_999);
    }

    proptest! {
        /// Against all strings of the next length.
        #[test]
        fn candidates_are_those_whose_both_parts_are_kept(chosen: u64, length in 1_usize..4) {
            let universe = 3_u32.pow(length as u32);
            let spelled = |n: u32, length: usize| -> Vec<u32> {
                (0..length).rev().map(|at| n / 3_u32.pow(at as u32) % 3).collect()
            };
            let parts: Vec<Vec<u32>> = (0..universe)
                .filter(|n| chosen >> n & 1 == 1)
                .map(|n| spelled(n, length))
                .collect();
            let given: Vec<(&[u32], f64)> = parts.iter().map(|f| (f.as_slice(), 1.0)).collect();
            let found = extend(&kept(length, &given), None, 0.0, 1000);
            let expected: Vec<u32> = (0..universe * 3)
                .map(|n| spelled(n, length + 1))
                .filter(|f| {
                    parts.contains(&f[..length].to_vec()) && parts.contains(&f[1..].to_vec())
                })
                .flatten()
                .collect();
            prop_assert_eq!(found.codes, expected);
        }
    }
}
