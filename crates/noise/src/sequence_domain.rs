//! A public set of sequences, counted and numbered without visiting it.

use core::num::NonZeroU32;
use core::ops::RangeInclusive;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

/// All sequences of 1 to `longest` symbols in which time does not go back. A symbol is a place in a time
/// bin, numbered bin · places + place.
///
/// Which places follow each other and which bins do are two questions, so that there are, of n symbols,
/// P·p^(n−1) · C(B+n−1, n): with P places, p those that may follow one (P, or P − 1 without stays), and B
/// bins, of which n in a row that never go back are a multiset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceDomain {
    /// P: how many places there are.
    pub places: NonZeroU32,
    /// B: how many time bins there are; 1 where time is left out.
    pub bins: NonZeroU32,
    /// Whether a place may follow itself.
    pub stays: bool,
    /// The most symbols of a sequence.
    pub longest: NonZeroU32,
}

impl SequenceDomain {
    /// How many sequences there are.
    pub fn size(&self) -> BigUint {
        let mut lengths = Lengths::new(self);
        (0..self.longest.get()).map(|_| lengths.next().0).sum()
    }

    /// How many sequences of these lengths there are, or `most` where there are more.
    pub fn size_up_to(&self, lengths: RangeInclusive<u32>, most: u64) -> u64 {
        let last = (*lengths.end()).min(self.longest.get());
        let (mut each, mut sum) = (Lengths::new(self), 0_u64);
        for length in 1..=last {
            let all = each.next().0.to_u64().unwrap_or(u64::MAX);
            // Of longer ones there are as many at least, but none where nothing may follow.
            let enough = all >= most && *lengths.start() <= last;
            if length >= *lengths.start() {
                sum = sum.saturating_add(all);
            } else if enough && self.following() > 0 {
                return most;
            }
            if all == 0 || sum >= most {
                break;
            }
        }
        sum.min(most)
    }

    /// Whether a sequence is one of them.
    pub fn contains(&self, sequence: &[u32]) -> bool {
        let places = self.places.get();
        let (place, bin) = (|symbol: u32| symbol % places, |symbol: u32| symbol / places);
        let follows = |pair: &[u32]| {
            bin(pair[0]) <= bin(pair[1]) && (self.stays || place(pair[0]) != place(pair[1]))
        };
        (1..=self.longest.get() as usize).contains(&sequence.len())
            && sequence.iter().all(|&symbol| bin(symbol) < self.bins.get())
            && sequence.windows(2).all(follows)
    }

    /// The sequence of this number, which must be below [`Self::size`]; shorter ones first.
    pub(crate) fn spelled(&self, mut number: BigUint) -> Vec<u32> {
        let mut lengths = Lengths::new(self);
        for length in 1..=self.longest.get() {
            let (all, of_bins) = lengths.next();
            if number < all {
                let (places, bins) = number.div_rem(&of_bins);
                let places = self.spelled_places(places, length);
                let bins = self.spelled_bins(bins, of_bins, length);
                let symbol = |(place, bin): (u32, u32)| bin * self.places.get() + place;
                return places.into_iter().zip(bins).map(symbol).collect();
            }
            number -= all;
        }
        Vec::new()
    }

    /// The last digits have as many values as places may follow one, the first as there are places.
    fn spelled_places(&self, mut number: BigUint, length: u32) -> Vec<u32> {
        let following = BigUint::from(self.following());
        let mut digits = vec![0; length as usize];
        for digit in digits[1..].iter_mut().rev() {
            let (rest, last) = number.div_rem(&following);
            // A digit is below the number of places.
            *digit = last.to_u32().unwrap_or(0);
            number = rest;
        }
        digits[0] = number.to_u32().unwrap_or(0);
        if !self.stays {
            // A digit counts the places but the one before.
            for at in 1..digits.len() {
                digits[at] += u32::from(digits[at] >= digits[at - 1]);
            }
        }
        digits
    }

    /// Multisets in the order of their bins. Of the M(n, r) = C(n+r−1, r) multisets of r among the last
    /// n bins, a share of r/(n+r−1) has the first of these bins.
    fn spelled_bins(&self, mut number: BigUint, mut all: BigUint, length: u32) -> Vec<u32> {
        let (mut spelled, mut first) = (Vec::with_capacity(length as usize), 0);
        while spelled.len() < length as usize {
            let left = length - spelled.len() as u32;
            let bins = self.bins.get() - first;
            let with_first = &all * left / (u64::from(bins) + u64::from(left) - 1);
            if number < with_first {
                spelled.push(first);
                all = with_first;
            } else {
                number -= &with_first;
                all -= with_first;
                first += 1;
            }
        }
        spelled
    }

    /// How many places may follow one.
    fn following(&self) -> u32 {
        self.places.get() - u32::from(!self.stays)
    }
}

/// How many sequences there are of 1, 2, … symbols, and how many ways in time.
struct Lengths {
    length: u64,
    following: u32,
    first_bins: u64,
    places: BigUint,
    bins: BigUint,
}

impl Lengths {
    fn new(domain: &SequenceDomain) -> Self {
        Self {
            length: 0,
            following: domain.following(),
            first_bins: u64::from(domain.bins.get()) - 1,
            places: domain.places.get().into(),
            bins: BigUint::one(),
        }
    }

    fn next(&mut self) -> (BigUint, BigUint) {
        if self.length > 0 {
            self.places *= self.following;
        }
        self.length += 1;
        // C(B+n−1, n) = C(B+n−2, n−1)·(B+n−1)/n.
        self.bins = &self.bins * (self.first_bins + self.length) / self.length;
        (&self.places * &self.bins, self.bins.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn number(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    fn domains() -> Vec<SequenceDomain> {
        let mut domains = Vec::new();
        for (places, bins, longest) in [
            (1, 1, 3),
            (3, 1, 3),
            (1, 4, 3),
            (2, 3, 3),
            (3, 2, 4),
            (2, 1, 5),
        ] {
            domains.extend([true, false].map(|stays| SequenceDomain {
                places: number(places),
                bins: number(bins),
                stays,
                longest: number(longest),
            }));
        }
        domains
    }

    /// Every sequence of symbols, possible or not.
    fn every(symbols: u32, longest: u32) -> Vec<Vec<u32>> {
        let mut all: Vec<Vec<u32>> = vec![vec![]];
        let mut last = all.clone();
        for _ in 0..longest {
            last = (last.iter())
                .flat_map(|sequence| {
                    (0..symbols).map(move |next| [&sequence[..], &[next]].concat())
                })
                .collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    #[test]
    fn numbers_spell_exactly_the_sequences_in_which_time_does_not_go_back() {
        for domain in domains() {
            let (places, bins) = (domain.places.get(), domain.bins.get());
            let possible = |sequence: &&Vec<u32>| {
                let pairs = || sequence.windows(2);
                !sequence.is_empty()
                    && pairs().all(|pair| pair[0] / places <= pair[1] / places)
                    && (domain.stays || pairs().all(|pair| pair[0] % places != pair[1] % places))
            };
            let every = every(places * bins, domain.longest.get());
            let expected: BTreeSet<&Vec<u32>> = every.iter().filter(possible).collect();
            assert_eq!(domain.size(), expected.len().into(), "{domain:?}");
            let spelled: Vec<Vec<u32>> = (0..expected.len())
                .map(|number| domain.spelled(number.into()))
                .collect();
            assert!(spelled.is_sorted_by_key(Vec::len));
            assert_eq!(
                spelled.iter().collect::<BTreeSet<_>>(),
                expected,
                "{domain:?}"
            );
            for sequence in &every {
                assert_eq!(domain.contains(sequence), expected.contains(sequence));
            }
            assert!(!domain.contains(&[places * bins]));
            for (least, most) in [(1, 1), (2, 3), (1, 9), (3, 9), (7, 9)] {
                let within = expected
                    .iter()
                    .filter(|it| (least..=most).contains(&it.len()))
                    .count();
                for cap in [0, 1, 7, 1000] {
                    let found = domain.size_up_to(least as u32..=most as u32, cap);
                    assert_eq!(
                        found,
                        cap.min(within as u64),
                        "{domain:?} {least}..={most} {cap}"
                    );
                }
            }
        }
    }

    #[test]
    fn large_ones_are_counted_and_spelled() {
        let domain = SequenceDomain {
            places: number(20),
            bins: number(500),
            stays: false,
            longest: number(1000),
        };
        let size = domain.size();
        // log₂ of 20·19⁹⁹⁹·C(1499, 1000), and a little for the shorter ones.
        assert!((5600..5700).contains(&size.bits()), "{}", size.bits());
        let last = domain.spelled(size - 1_u32);
        assert_eq!(last.len(), 1000);
        assert!(domain.contains(&last));
        assert!(last.iter().all(|symbol| symbol / 20 == 499));
        assert_eq!(domain.size_up_to(900..=1000, u64::MAX), u64::MAX);
    }
}
