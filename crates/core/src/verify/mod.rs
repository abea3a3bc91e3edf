//! Whether trajectories meet (K, C)_L-privacy, by looking at every sequence there is.
//!
//! Every sequence of up to L doublets (a location at a time bin) that occurs in a record must occur
//! in records of at least K owners, and no sensitive value may be had by more than a share C of the
//! records that hold it, nor of their owners. This shares no code with the mechanism that makes such
//! tables, so that an error there is found here: sequences are walked depth first, each with the
//! list of records that hold it, and nothing is inferred from other sequences but two things: what
//! too few people share is not extended, as its extensions say nothing new; and where K is 1, what no
//! record with a sensitive value holds is not, as no such record holds anything longer either, and
//! nothing else can violate. Where there is too much to look at, there is no verdict but an error.
//!
//! Where an adversary may know whole records and confidence is not bounded, whole records are all
//! that has to be looked at: whoever shares a record shares its parts.

mod counted;
mod rows;
mod search;
#[cfg(test)]
mod tests;
mod verdict;
mod whole;

use std::num::NonZeroU32;

use crate::error::{Error, Result};
use crate::guarantee::Model;
use crate::mechanism::Output;
use crate::rational::Rational;
use crate::sequences::Sequences;
use crate::syntactic::Knowledge;

pub use counted::Counted;
use rows::Rows;
pub use verdict::{Tie, Verdict, Violation};

/// The longest sequences that are looked at, unless whole records are enough.
pub const MAX_LENGTH: usize = 16;

/// The most work that is done for a verdict: records looked at, once for each sequence that they
/// hold, and sensitive values, once for each sequence. Some minutes.
const MOST_WORK: u64 = 1 << 36;

/// A column beside the trajectories.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// Every record's value.
    pub of_record: &'a [u32],
    /// The values that nobody may be tied to.
    pub sensitive: &'a [u32],
}

/// What is to be verified.
#[derive(Clone, Copy, Debug)]
pub struct Published<'a> {
    /// Timed trajectories.
    pub trips: &'a Sequences,
    /// Whose each of them is; everybody has one record unless given.
    pub owners: Option<&'a [u32]>,
    /// The columns with sensitive values.
    pub columns: &'a [Column<'a>],
}

/// What must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// K: how many owners share whatever occurs.
    pub k: u32,
    /// C: the greatest share with one sensitive value, from 0 to 1.
    pub c: Rational,
    /// L: how many doublets an adversary may know; all of a record's unless given.
    pub l: Option<NonZeroU32>,
}

/// Looks at everything; tells the worst violations, at most `list` of either kind.
pub fn verify(published: &Published<'_>, demand: &Demand, list: usize) -> Result<Verdict> {
    verify_within(published, demand, list, MOST_WORK)
}

fn verify_within(
    published: &Published<'_>,
    demand: &Demand,
    list: usize,
    most_work: u64,
) -> Result<Verdict> {
    let bound = demand.bound()?;
    let rows = Rows::new(published)?;
    let longest = rows.longest();
    let length = demand.l.map_or(longest, |l| longest.min(l.get() as usize));
    let everything_known = length == longest;
    let confidence_is_free = bound.is_free() || rows.secrets() == 0;
    if everything_known && confidence_is_free {
        return Ok(whole::verify(&rows, demand.k, list));
    }
    if length > MAX_LENGTH {
        return Err(Error::input(format!(
            "an attacker who knows {length} visits knows too many combinations of them to look at \
             each: at most {MAX_LENGTH} visits"
        ))
        .hint(format!("give --l a number up to {MAX_LENGTH}")));
    }
    let settings = search::Settings {
        k: demand.k,
        bound,
        length,
        list,
        most_work,
    };
    search::verify(&rows, &settings).ok_or_else(|| {
        Error::input(format!(
            "there are too many combinations of up to {length} visits to look at each"
        ))
        .hint("give --l a smaller number, or cut the trajectories to fewer visits of a person")
    })
}

/// Holds what is about to be released against what is promised for it: the door's last look, so
/// that no release breaks a promise of this kind whatever its mechanism did.
pub(crate) fn check_promise(model: &Model, output: &Output) -> Result<()> {
    let Model::KclPrivacy {
        k,
        c_exact,
        l,
        sensitive,
        ..
    } = model
    else {
        return Ok(());
    };
    let demand = Demand {
        k: k.get(),
        c: Rational::from_exact_text(c_exact)?,
        l: match l {
            Knowledge::All => None,
            Knowledge::AtMost(visits) => Some(*visits),
        },
    };
    // A column that is not released ties nobody to anything.
    let sensitive: Vec<(&[u32], Vec<u32>)> = output
        .attributes
        .iter()
        .filter_map(|column| {
            let wanted = sensitive.iter().find(|it| it.column == column.name)?;
            let known = column.values.iter().zip(0u32..);
            let known = known.filter(|(value, _)| wanted.values.iter().any(|it| it == value));
            Some((
                column.of_record.as_slice(),
                known.map(|(_, code)| code).collect(),
            ))
        })
        .collect();
    let columns: Vec<Column<'_>> = sensitive
        .iter()
        .map(|(of_record, sensitive)| Column {
            of_record,
            sensitive,
        })
        .collect();
    let published = Published {
        trips: &output.trajectories,
        owners: None,
        columns: &columns,
    };
    match verify(&published, &demand, 1)?.violations {
        0 => Ok(()),
        number => Err(Error::refused(format!(
            "what would be released breaks its promise ({number} violations of {}): nothing is \
             released",
            model.name()
        ))
        .hint("this is an error in the method; please report it")),
    }
}

/// A greatest share, as a fraction.
#[derive(Clone, Copy, Debug)]
struct Bound {
    part: u64,
    whole: u64,
}

impl Bound {
    fn is_free(&self) -> bool {
        self.part >= self.whole
    }

    fn is_exceeded_by(&self, part: u64, whole: u64) -> bool {
        u128::from(part) * u128::from(self.whole) > u128::from(self.part) * u128::from(whole)
    }
}

impl Demand {
    fn bound(&self) -> Result<Bound> {
        let wrong = |reason: &str| {
            Error::input(format!("invalid confidence (got {}): {reason}", self.c))
                .hint("give --c a number such as 0.6")
        };
        if self.k == 0 {
            return Err(Error::input("invalid K (got 0): at least 1 owner")
                .hint("--k 1 asks about confidence only"));
        }
        let (part, whole) = self
            .c
            .to_u64_parts()
            .ok_or_else(|| wrong("too many digits"))?;
        if part > whole {
            return Err(wrong("not from 0 to 1"));
        }
        Ok(Bound { part, whole })
    }
}
