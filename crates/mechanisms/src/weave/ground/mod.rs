//! The ground under a regular grid: an adaptive partition that is paid for, and points drawn inside its cells.
//!
//! Where locations form a regular grid, pairs of them are too many and too rare to be told from noise. Here the
//! grid is first cut into leaves, small where people are; the usual weaving is over leaves; and points are drawn
//! inside of them, so that the release is over the public grid again.
//!
//! ```text
//!  records ─▶ points, blocks ─ noise ─▶ partition ─┬─▶ stays, steps, ways, trips, … ── noise ─┐
//!                                                  └─▶ records over leaves ─ weave's groups ──┼─▶ candidates
//! ```
//!
//! # Why the guarantee holds
//! 1. *Which grid* is read off public coordinates, and whether it is used at all off their number.
//! 2. *One group* here is, as in all of `weave`, a list of cells that one record alone decides, given the grid and the
//!    partition, cut at the maximal length. [`Kind::Ground`] (where it is one class: [`Kind::Class`]) counts such
//!    a list as every group is counted: c·u units at most, c a constant; so one unit of privacy of m records moves the counts by at most c·u·m in all (with a δ, by
//!    m·√c·u in length, with repeated cells counted as such), which is what the noise is made for.
//! 3. *Order.* The partition is made of noisy counts of points and blocks alone, the number of sectors of that of points.
//!    Stays, steps, trips, sectors and the records over leaves are functions of one record given those (adaptive
//!    composition).
//! 4. *Shares.* The groups here take [`GROUND`] thousandths of the budget, ε or with a δ its ρ: constants, that of
//!    blocks divided evenly among levels, whose number is public. The rest is the budget of the usual weaving, whose
//!    shares sum up to that. With a δ, lists are bounded in length, and noise is Gaussian.
//! 5. *The rest*, points included, sees noisy counts and public inputs only.
//!
//! | group | counts, for one record | c |
//! | --- | --- | --- |
//! | points | how many points it has, by class | 1 |
//! | blocks, of every level | the blocks that it has points in, each once | 4 |
//! | stays | how many points follow each other in one leaf, by the leaf's level | 4 |
//! | steps | how long steps are, within leaves and between them | 6 |
//! | distance | how far it goes in all, by class | 1 |
//! | diameter | the greatest distance between two of its points, by class | 1 |
//! | trips | the sectors of its first and last point, as a pair | 1 |
//! | sectors | the sectors that it has points in, each once | 3 |
//!
//! Sectors are those of a coarse even grid, about 0.6 times the fourth root of what is to be seen at each side.
//!
//! [`Kind::Ground`]: super::features::Kind::Ground
//! [`Kind::Class`]: super::features::Kind::Class

mod lattice;
mod look;
mod partition;
mod spread;
mod survey;

use std::borrow::Cow;

use wayveil_core::{
    ColumnNames, Epsilon, PublicInputs, RandomSource, Rational, Records, Result, Sequences,
    Universe,
};

use super::noise::Allowance;
use super::options::{GridUse, Options};
use super::shares::PARTS;
use lattice::Lattice;
use survey::GROUND;
pub(super) use survey::Survey;

/// With fewer locations a grid is left as it is: their pairs can be counted.
const FEW: usize = 400;
/// A grid of fewer rows or columns cannot be cut.
const SHALLOW: u32 = 3;

/// The grid to be cut, where there is one and it is wanted.
pub(super) fn lattice(options: &Options, public: &PublicInputs<'_>) -> Option<Lattice> {
    if public.time.is_some() {
        return None;
    }
    let enough = match options.grid {
        GridUse::Off => return None,
        GridUse::Adaptive => 0,
        GridUse::Auto => FEW,
    };
    let found = Lattice::of(public.universe)?;
    (found.cells() >= enough && found.finest() >= SHALLOW).then_some(found)
}

/// What is left of the budget for the weaving that follows.
pub(super) fn left(allowance: &Allowance) -> Result<Allowance> {
    allowance.fraction(PARTS - GROUND, PARTS)
}

/// The options of the weaving that follows: what is to be seen of ε goes down with what is left.
pub(super) fn rest(options: &Options) -> Result<Options> {
    let left = Rational::new(PARTS - GROUND, PARTS)?;
    Ok(Options {
        epsilon: Epsilon::new(options.epsilon.value().times(&left))?,
        leaves: true,
        ..options.clone()
    })
}

/// Pays for the ground.
pub(super) fn survey(
    lattice: Lattice,
    records: &Records<'_>,
    options: &Options,
    allowance: &Allowance,
    random: &mut RandomSource,
) -> Result<Survey> {
    Survey::new(lattice, records, options, allowance, random)
}

impl Survey {
    /// The leaves as a set of locations.
    pub(super) fn leaves(&self) -> Result<Universe> {
        self.universe()
    }

    /// The same records over leaves.
    pub(super) fn records<'a>(
        &self,
        records: &Records<'_>,
        leaves: &'a Universe,
        options: &Options,
    ) -> Records<'a> {
        let (mut coarse, mut own) = (Sequences::empty(false), Vec::new());
        for record in records.sequences.iter() {
            let cut = &record[..record.len().min(options.max_length)];
            self.partition.coarse(cut, &mut own);
            coarse.push(&own, &[]);
        }
        Records {
            public: PublicInputs {
                universe: leaves,
                time: None,
                unit: records.public.unit,
                columns: ColumnNames::of(&[]),
            },
            sequences: Cow::Owned(coarse),
            attributes: Vec::new(),
            owners: None,
            units: None,
        }
    }
}

#[cfg(test)]
mod tests;
