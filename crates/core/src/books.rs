//! What the door needs of a publisher's books: a durable record of every spend, made before the
//! mechanism sees the data.
//!
//! [`Books`] is implemented by `wayveil-ledger`. A [`crate::Budget`] is the form in memory, for
//! trials; what is published on one cannot be written.

use crate::budget::Cost;
use crate::dataset::Dataset;
use crate::error::Result;
use crate::fingerprint;
use crate::guarantee::Guarantee;

/// A spend that is about to be made: what will be charged for, on whom, by what.
pub struct Spend<'a> {
    /// What it costs.
    pub cost: &'a Cost,
    /// What is promised for it, and for which unit.
    pub guarantee: &'a Guarantee,
    /// The mechanism's name.
    pub method: &'a str,
    /// Which form of it.
    pub variant: &'a str,
    data: &'a Dataset,
    answers: Option<&'a [u8; 32]>,
}

impl<'a> Spend<'a> {
    pub(crate) fn new(
        cost: &'a Cost,
        guarantee: &'a Guarantee,
        method: &'a str,
        variant: &'a str,
        data: &'a Dataset,
        answers: Option<&'a [u8; 32]>,
    ) -> Self {
        Self {
            cost,
            guarantee,
            method,
            variant,
            data,
            answers,
        }
    }

    /// The name under which spending on these people is kept.
    pub fn population(&self) -> &'a str {
        self.data.population()
    }

    /// A keyed hash of the trajectories: the same for the same records in any order and under
    /// another name, and of no use to anyone without the key. `None` where there are no trajectories to compare.
    pub fn fingerprint(&self, key: &[u8; 32]) -> Option<String> {
        fingerprint::of(self.data, key)
    }

    /// Which answers this is about, if they were private before they arrived: a public name of theirs
    /// ([`crate::Collected::answers`]). Only [`crate::publish_collected`] makes such a spend; one on records in
    /// the house has none, and cannot be given one.
    pub fn answers(&self) -> Option<&'a [u8; 32]> {
        self.answers
    }
}

/// What the books say about a spend that they have recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booking {
    /// The random name of the entry: all that a manifest says of the books.
    pub entry: String,
    /// What the publisher should know: no allowance, the same data under two names.
    pub warnings: Vec<String>,
}

/// A durable record of what was spent on whom.
///
/// # What an implementation must ensure
/// When [`book`](Self::book) returns a booking, the spend survives a crash of the program or the
/// machine, and no other process can exceed an allowance by not having seen it.
pub trait Books {
    /// Records a spend, or refuses it and records nothing.
    ///
    /// A spend that names [answers](Spend::answers) may be given the entry of an earlier one, if that names the
    /// same answers, is the same in all else, and is not [done](Self::done). That tells nothing more about
    /// anybody: an answer satisfies its promise from the moment at which it leaves its sender, whatever is made
    /// of it and however often (post-processing), so that one entry pays for all that is ever made of the
    /// same answers. Of records in the house this is not true: every look at them is another release of its
    /// own noise, and even a failed one may have told something. A spend on those is always a new entry.
    fn book(&mut self, spend: &Spend<'_>) -> Result<Booking>;

    /// Records that the release of an entry is in its place. Without this the spend still counts.
    fn done(&mut self, entry: &str) -> Result<()>;
}
