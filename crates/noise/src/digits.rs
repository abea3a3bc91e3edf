//! Uniform reals that are revealed digit by digit.
//!
//! A digit has `B` bits. The product uses `B = 64`; the tests run the same code with a few bits, so
//! that ties are frequent and all digit strings can be enumerated.

use rand_core::Rng;

/// The digits of the product.
pub(crate) const WORD: u32 = 64;

/// One uniform digit: the top `B` bits of a random word.
#[inline]
pub(crate) fn digit<const B: u32, R: Rng + ?Sized>(rng: &mut R) -> u64 {
    rng.next_u64() >> (64 - B)
}

/// Whether the uniform real U whose digits `next` gives is below `num/den`; `num < den`.
///
/// With w the first digit and f the rest, U = (w + f)/2^B with f in [0, 1), so U < num/den iff
/// f·den < num·2^B − w·den. The right side decides alone if it is ≤ 0 (no) or ≥ den (yes);
/// otherwise the question is whether f < gap/den with 0 < gap < den, the same question about a
/// real that is again uniform and independent of w. A digit leaves it open for at most one value of
/// w, so the expected number of digits is below 1 + 2/2^B. No product exceeds 2^128.
#[inline]
pub(crate) fn lies_below<const B: u32>(
    mut num: u64,
    den: u64,
    mut next: impl FnMut() -> u64,
) -> bool {
    loop {
        let reached = u128::from(next()) * u128::from(den);
        let bound = u128::from(num) << B;
        if reached >= bound {
            return false;
        }
        let gap = bound - reached;
        if gap >= u128::from(den) {
            return true;
        }
        num = gap as u64;
    }
}

/// A uniform real of which only the digits asked for so far exist. Those are kept, so that later
/// questions about the same real get consistent answers.
pub(crate) struct LazyReal<const B: u32> {
    first: u64,
    rest: Vec<u64>,
}

impl<const B: u32> LazyReal<B> {
    #[inline]
    pub(crate) fn draw<R: Rng + ?Sized>(rng: &mut R) -> Self {
        LazyReal {
            first: digit::<B, R>(rng),
            rest: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// The digit at `index` after the first one.
    pub(crate) fn later<R: Rng + ?Sized>(&mut self, index: usize, rng: &mut R) -> u64 {
        while self.rest.len() <= index {
            self.rest.push(digit::<B, R>(rng));
        }
        self.rest[index]
    }

    /// Whether this real is below the other. Ends with probability 1, nearly always at once.
    #[inline]
    pub(crate) fn less_than<R: Rng + ?Sized>(&mut self, other: &mut Self, rng: &mut R) -> bool {
        if self.first != other.first {
            self.first < other.first
        } else {
            self.less_after_tie(other, rng)
        }
    }

    #[cold]
    fn less_after_tie<R: Rng + ?Sized>(&mut self, other: &mut Self, rng: &mut R) -> bool {
        let mut index = 0;
        loop {
            let (mine, theirs) = (self.later(index, rng), other.later(index, rng));
            if mine != theirs {
                return mine < theirs;
            }
            index += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumeration::Enumeration;

    #[test]
    fn below_a_fraction_has_exactly_that_probability() {
        for (num, den) in [(1, 3), (2, 3), (3, 7), (5, 11), (1, 100)] {
            let law = Enumeration::run::<2, _>(11, |rng| {
                lies_below::<2>(num, den, || digit::<2, _>(rng))
            });
            law.assert_contains(&true, num as f64 / den as f64, 1e-5);
        }
    }

    #[test]
    fn comparison_is_fair_and_remembers_its_digits() {
        let law = Enumeration::run::<1, _>(18, |rng| {
            let mut a = LazyReal::<1>::draw(rng);
            let mut b = LazyReal::<1>::draw(rng);
            let less = a.less_than(&mut b, rng);
            assert_ne!(less, b.less_than(&mut a, rng));
            less
        });
        law.assert_contains(&true, 0.5, 0.01);
    }
}
