//! `suppress`: (K, C)_L-privacy, by records that are true but from which doublets were taken.
//!
//! # What it releases
//! Records of people with the columns that were asked for. A record is a set of doublets, each a
//! location at a time bin; what is released is a part of what was there, and nothing else. Records
//! of which nothing is left are not released, nor are their values. A visit that repeats a doublet
//! of its record is merged with it, and the order of visits within a bin is lost. Untimed data is
//! refused.
//!
//! # Guarantee
//! An adversary knows up to L doublets of a victim. A table meets (K, C)_L-privacy when every
//! sequence of up to L doublets that occurs at all is shared by at least K owners, and no sensitive
//! value is tied to it with a confidence above C. With L = all and C = 1 this is k-anonymity, with
//! L = all and K = 1 confidence bounding; with C = 1/ℓ and all values of a column sensitive, those
//! who share a sequence have at least ℓ different ones. Public inputs: K, C, L, the sensitive
//! values, the columns to keep, the set of locations and the number of time bins. It is not
//! differential privacy and does not compose: nothing is promised about two releases of the same
//! people.
//!
//! # Why it holds
//! The engine finds all minimal violating sequences and suppresses doublets, by one of three ways
//! ([`Mode`]), then enumerates everything from scratch, and again, until nothing is found:
//!
//! - each record gives up what it must (`by_record`): no record holds a violating sequence any more,
//!   but others may have become too rare, so that there are several rounds;
//! - locally, out of the records of one sequence, and only where no new violation comes of it
//!   ([`validity`](self) argues why the check is complete);
//! - globally, out of all records, which never makes a new one.
//!
//! Every round removes at least one instance; after [`RECORD_ROUNDS`] or [`LOCAL_ROUNDS`] only global
//! suppression is used, and every such round removes at least one doublet for good. What is returned
//! is a table in which the enumeration found nothing. The door checks it again with code that shares none with this
//! ([`wayveil_core::verify`]), and releases nothing unless that passes.
//!
//! # What it costs
//! Doublets that few people share are lost, and with them rare places and hours; counts are too low.
//! Work grows with the number of sequences of up to L doublets that occur: L is at most
//! [`MAX_KNOWLEDGE`] where records are longer.
//!
//! # Repaired
//! That each record chooses for itself is ours: it loses far less, and is the default. What a record
//! gives up is a function of its doublets and of the table's counts, so that two records with equal
//! doublets lose the same whatever their sensitive values are; these enter the counts that decide which
//! sequences violate.
//! The published validity check overlooks sequences, and its results go stale; the published form is
//! kept as [`Variant::AsPublished`], to compare with. Doublets of one bin are combined like others.
//! K counts distinct owners.
//!
//! # Reference
//! R. Chen, B. C. M. Fung, N. Mohammed, B. C. Desai, K. Wang: Privacy-preserving trajectory data
//! publishing by local suppression, Information Sciences, 2013.

mod as_published;
mod by_record;
mod clean;
mod enumerate;
mod greedy;
mod lists;
mod mechanism;
mod outcome;
mod part;
mod projection;
mod requirement;
mod table;
mod tally;
#[cfg(test)]
mod tests;
mod utility;
mod validity;
mod violations;
mod working;

use wayveil_core::{Error, Progress, Result, Silent};

use greedy::Greedy;
pub use mechanism::Suppress;
pub use outcome::{Outcome, Summary};
pub use requirement::{MAX_KNOWLEDGE, Requirement};
pub use table::{SensitiveColumn, Table};
use tally::Judge;
use utility::Utility;
use utility::instances::Instances;
use utility::mfs::MaximalFrequent;
use working::Working;

/// After so many rounds from scratch, local suppression is given up.
pub const LOCAL_ROUNDS: u32 = 4;

/// After so many rounds, records do not choose for themselves any more.
pub const RECORD_ROUNDS: u32 = 50;

/// Which suppressions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each record keeps the largest part of itself that violates nothing. Where that leaves less
    /// than half, global suppression is tried too, and what loses less is taken.
    Record,
    /// Local ones where they are valid, else global ones.
    Local,
    /// Global ones only.
    Global,
}

/// What is to be lost as little as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preserve {
    /// Instances of doublets.
    Instances,
    /// Maximal frequent sequences, those that at least so many records hold.
    MaximalFrequent {
        /// The least support, K′ in the paper; at least 1.
        min_support: u32,
    },
}

/// Whether the paper's errors are repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Every output meets the requirement.
    Repaired,
    /// The paper's procedures to the letter. Outputs may violate; to compare with only.
    AsPublished,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What is promised.
    pub requirement: Requirement,
    /// Which suppressions are made.
    pub mode: Mode,
    /// What is to be lost as little as possible.
    pub preserve: Preserve,
    /// Whether the paper's errors are repaired.
    pub variant: Variant,
}

/// Suppresses doublets until the requirement is met.
pub fn suppress(table: &Table, options: &Options, progress: &dyn Progress) -> Result<Outcome> {
    let outcome = one_way(table, options, progress)?;
    let Summary {
        instances_before,
        instances_after,
        ..
    } = outcome.summary;
    let by_record = options.mode == Mode::Record && options.variant == Variant::Repaired;
    if !by_record || 2 * instances_after >= instances_before {
        return Ok(outcome);
    }
    let everywhere = Options {
        mode: Mode::Global,
        ..options.clone()
    };
    let other = one_way(table, &everywhere, progress)?;
    let value = |outcome: &Outcome| {
        let summary = &outcome.summary;
        (summary.frequent_after, summary.instances_after)
    };
    Ok(match value(&other) > value(&outcome) {
        true => other,
        false => outcome,
    })
}

fn one_way(table: &Table, options: &Options, progress: &dyn Progress) -> Result<Outcome> {
    let judge = Judge::new(options.requirement.limits()?, table);
    let mut working = Working::new(table);
    options.requirement.length(working.longest())?;
    let mut utility: Box<dyn Utility> = match options.preserve {
        Preserve::Instances => Box::new(Instances),
        Preserve::MaximalFrequent { min_support: 0 } => {
            return Err(
                Error::input("invalid support (got 0): everything would be frequent")
                    .hint("give --min-support a number from 1"),
            );
        }
        Preserve::MaximalFrequent { min_support } => {
            Box::new(MaximalFrequent::new(&working, min_support))
        }
    };
    let mut summary = Summary {
        frequent_before: utility.frequent_left(),
        ..Summary::default()
    };
    match options.variant {
        Variant::Repaired => {
            repaired(
                &mut working,
                &judge,
                options,
                utility.as_mut(),
                &mut summary,
                progress,
            )?;
        }
        Variant::AsPublished => {
            let length = options.requirement.length(working.longest())?;
            let local = options.mode == Mode::Local;
            let (found, steps) =
                as_published::run(&mut working, &judge, utility.as_mut(), length, local);
            summary.rounds = 1;
            summary.minimal_violating = found;
            summary.count(steps);
        }
    }
    summary.frequent_after = utility.frequent_left();
    Outcome::new(&working, summary)
}

/// How many minimal violating sequences a table has.
pub fn count_minimal_violating(table: &Table, requirement: &Requirement) -> Result<u64> {
    let judge = Judge::new(requirement.limits()?, table);
    let working = Working::new(table);
    let length = requirement.length(working.longest())?;
    let (found, _) = enumerate::enumerate(&working, &judge, length, &Silent)?;
    Ok(found.len() as u64)
}

/// How many sequences are held by at least `min_support` records while no longer one is.
pub fn count_maximal_frequent(table: &Table, min_support: u32) -> u64 {
    utility::maximal::mine(&Working::new(table), min_support).len() as u64
}

fn repaired(
    working: &mut Working<'_>,
    judge: &Judge,
    options: &Options,
    utility: &mut dyn Utility,
    summary: &mut Summary,
    progress: &dyn Progress,
) -> Result<()> {
    loop {
        let length = options.requirement.length(working.longest())?;
        let found = enumerate::enumerate(working, judge, length, progress)?;
        if found.0.is_empty() {
            return Ok(());
        }
        if summary.rounds == 0 {
            summary.minimal_violating = found.0.len() as u64;
        }
        let round = summary.rounds;
        summary.rounds += 1;
        if options.mode == Mode::Record && round < RECORD_ROUNDS {
            summary.record_suppressions +=
                by_record::round(working, judge, &found, utility, length, progress);
            continue;
        }
        let local = options.mode == Mode::Local && round < LOCAL_ROUNDS;
        summary.count(Greedy::new(working, judge, found, utility, length, local).run(progress));
    }
}
