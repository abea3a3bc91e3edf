//! What is promised: (K, C)_L-privacy.

use std::num::NonZeroU32;

use wayveil_core::{Error, Rational, Result};

/// The longest knowledge that is looked at. Records of this many doublets have 65,535 sequences
/// each; the number doubles with every doublet more.
pub const MAX_KNOWLEDGE: usize = 16;

/// Every sequence of at most L doublets that occurs at all is shared by at least K owners, and
/// ties nobody to a sensitive value with a confidence above C.
///
/// Where owners have several records, confidence is taken over records and over owners, and
/// neither may exceed C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The least number of owners.
    pub k: u32,
    /// The greatest confidence, from 0 to 1.
    pub c: Rational,
    /// How many doublets an adversary may know; all of a record's unless given.
    pub l: Option<NonZeroU32>,
}

/// A requirement in the form in which counts are held against it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) k: u32,
    numerator: u64,
    denominator: u64,
}

impl Requirement {
    pub(super) fn limits(&self) -> Result<Limits> {
        let out_of_range = || {
            Error::input(format!(
                "invalid confidence (got {}): not from 0 to 1",
                self.c
            ))
            .hint("give --c a number such as 0.6")
        };
        if self.k == 0 {
            return Err(Error::input("invalid K (got 0): at least 1 owner")
                .hint("--k 1 bounds confidence only"));
        }
        let one = Rational::new(1, 1)?;
        if self.c > one {
            return Err(out_of_range());
        }
        let (numerator, denominator) = self.c.to_u64_parts().ok_or_else(|| {
            Error::input(format!(
                "invalid confidence (got {}): too many digits",
                self.c
            ))
            .hint("give --c a number such as 0.6")
        })?;
        Ok(Limits {
            k: self.k,
            numerator,
            denominator,
        })
    }

    /// The greatest length of a sequence to look at in records of at most `longest` doublets.
    pub(super) fn length(&self, longest: usize) -> Result<usize> {
        let length = match self.l {
            Some(l) => longest.min(l.get() as usize),
            None => longest,
        };
        if length > MAX_KNOWLEDGE {
            return Err(Error::input(format!(
                "an attacker who knows {length} visits knows too many combinations of them to look \
                 at each: at most {MAX_KNOWLEDGE} visits can be guarded against in records of more"
            ))
            .hint(format!(
                "give --l a number up to {MAX_KNOWLEDGE}, or import fewer visits of each person \
                 (wider or fewer time bins: --bin-width, --bins)"
            )));
        }
        Ok(length)
    }
}

impl Limits {
    /// Whether no confidence can be too high.
    pub(super) fn ignores_secrets(&self) -> bool {
        self.numerator >= self.denominator
    }

    pub(super) fn too_confident(&self, with_secret: u32, all: u32) -> bool {
        u128::from(with_secret) * u128::from(self.denominator)
            > u128::from(self.numerator) * u128::from(all)
    }
}
