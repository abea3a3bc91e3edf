//! What is paid for on the ground before anything is woven: where people are, and how they move there.

use wayveil_core::{Group, Origin, RandomSource, Records, Result, Sequences, Taxonomy, Universe};

use super::super::features::{Features, Kind, UNITS};
use super::super::measure::{self, Measured};
use super::super::noise::Allowance;
use super::super::options::Options;
use super::super::shares::PARTS;
use super::lattice::Lattice;
use super::look::{self, Single};
use super::partition::{COARSEST, Level, Partition};

/// Shares in thousandths of ε.
const POINTS: u64 = 25;
const DISTANCE: u64 = 60;
const DIAMETER: u64 = 20;
const ENDS: u64 = 100;
const SECTORS: u64 = 100;
const STAYS: u64 = 25;
const STEPS: u64 = 30;
const LEVELS: u64 = 40;
/// All of them.
pub(super) const GROUND: u64 =
    POINTS + LEVELS + STAYS + STEPS + DISTANCE + DIAMETER + ENDS + SECTORS;

/// How many cells a record counts in fully: of blocks, of stays, of steps and of sectors.
pub(super) const MOST_BLOCKS: usize = 4;
pub(super) const MOST_STAYS: usize = 4;
pub(super) const MOST_STEPS: usize = 6;
pub(super) const MOST_SECTORS: usize = 3;
/// The fewest leaves and the most.
const LEAVES: (f64, f64) = (16.0, 1_024.0);
/// Leaves, for the root of how much there is to be seen.
const LEAVES_PER_ROOT: f64 = 0.4;
/// The fewest sectors at each side and the most; and how many for the fourth root of how much there is to be seen.
const SIDES: (f64, f64) = (2.0, 16.0);
const SIDES_PER_ROOT: f64 = 0.6;

/// The noisy counts, and the partition that they gave.
pub(in super::super) struct Survey {
    pub(super) lattice: Lattice,
    pub(super) partition: Partition,
    pub(super) singles: Vec<(Single, Measured)>,
    pub(super) stays: Measured,
    pub(super) steps: Measured,
    /// Sectors at each side of the grid.
    pub(super) side: u32,
    pub(super) sectors: Measured,
    levels: Vec<Measured>,
}

/// Who pays: every group by one rule.
struct Payer<'a, 'r> {
    records: &'a Records<'r>,
    options: &'a Options,
    allowance: &'a Allowance,
}

impl Payer<'_, '_> {
    /// Counts, for every record, the cells that `list` tells of it, and adds noise.
    fn pay(
        &self,
        name: &'static str,
        (part, of): (u64, u64),
        (most, cells): (usize, usize),
        random: &mut RandomSource,
        list: impl Fn(&[u32], &mut Vec<u32>),
    ) -> Result<Measured> {
        let lists = lists(&self.records.sequences, self.options.max_length, list);
        let kind = match most {
            1 => Kind::Class(name),
            _ => Kind::Ground(name),
        };
        let features = Features::new(kind, most, cells, self.options.max_length);
        let features = self.allowance.bounded(features);
        let share = self.allowance.fraction(part, of)?;
        let noise = share.noise(PARTS, &features, self.records.public.unit.records())?;
        measure::measure(&lists, features, noise, random)
    }
}

impl Survey {
    /// Pays for everything.
    pub(super) fn new(
        lattice: Lattice,
        records: &Records<'_>,
        options: &Options,
        allowance: &Allowance,
        random: &mut RandomSource,
    ) -> Result<Self> {
        let payer = Payer {
            records,
            options,
            allowance,
        };
        let single = |kind: Single, part: u64, random: &mut _| {
            let size = (1, kind.classes(&lattice, options.max_length));
            let list = |record: &[u32], into: &mut Vec<u32>| {
                into.clear();
                into.push(kind.class(&lattice, record));
            };
            let measured = payer.pay(kind.name(), (part, PARTS), size, random, list)?;
            Result::Ok((kind, measured))
        };
        let mut singles = vec![single(Single::Points, POINTS, random)?];
        let number = singles[0].1.dense().iter().sum::<i64>() as f64 / UNITS as f64;
        let seen = (number * options.epsilon.to_f64()).max(1.0);
        let finest = lattice.finest();
        let mut levels = Vec::new();
        let each = (LEVELS, PARTS * (u64::from(finest - COARSEST) + 1));
        for level in COARSEST..=finest {
            let size = (MOST_BLOCKS, 1usize << (2 * level));
            let name = LEVEL[level as usize];
            levels.push(payer.pay(name, each, size, random, |record, into| {
                look::blocks(&lattice, level, record, into);
            })?);
        }
        let partition = Partition::new(&lattice, counted(&levels), leaves(seen));
        let size = (MOST_STAYS, look::stay_cells());
        let stays = payer.pay("stays", (STAYS, PARTS), size, random, |record, into| {
            look::stays(&partition, record, into);
        })?;
        let size = (MOST_STEPS, 2 * look::STEPS);
        let steps = payer.pay("steps", (STEPS, PARTS), size, random, |record, into| {
            look::steps(&lattice, &partition, record, into);
        })?;
        let side = sides(seen, &lattice);
        for (kind, share) in [
            (Single::Distance, DISTANCE),
            (Single::Diameter, DIAMETER),
            (Single::Ends(side), ENDS),
        ] {
            singles.push(single(kind, share, random)?);
        }
        let size = (MOST_SECTORS, (side * side) as usize);
        let sectors = payer.pay("sectors", (SECTORS, PARTS), size, random, |record, into| {
            look::sectors(&lattice, side, record, into);
        })?;
        Ok(Self {
            side,
            sectors,
            lattice,
            partition,
            singles,
            stays,
            steps,
            levels,
        })
    }

    /// Leaves as locations, in groups of the coarsest level.
    pub(super) fn universe(&self) -> Result<Universe> {
        let leaves = self.partition.members.len();
        let labels = (0..leaves).map(|leaf| leaf.to_string());
        let origin = Origin::Declared("leaves of a grid, paid for".into());
        let group = |members: &Vec<u32>| {
            let first = members.first().copied().unwrap_or(0);
            self.lattice.block(COARSEST, first)
        };
        let groups = (0..1u32 << (2 * COARSEST)).map(|block| Group {
            label: block.to_string(),
            parent: None,
        });
        let taxonomy = Taxonomy::new(
            groups.collect(),
            self.partition.members.iter().map(group).collect(),
        )?;
        Universe::from_labels(labels, origin)?.with_taxonomy(taxonomy)
    }

    /// Everything that was paid for, for the transcript.
    pub(in super::super) fn groups(self) -> impl Iterator<Item = Measured> {
        let singles = self.singles.into_iter().map(|(_, measured)| measured);
        singles
            .chain([self.stays, self.steps, self.sectors])
            .chain(self.levels)
    }
}

/// The list of every record, which is cut at the maximal length first.
pub(super) fn lists(
    records: &Sequences,
    max_length: usize,
    list: impl Fn(&[u32], &mut Vec<u32>),
) -> Sequences {
    let (mut lists, mut own) = (Sequences::empty(false), Vec::new());
    for record in records.iter() {
        list(&record[..record.len().min(max_length)], &mut own);
        lists.push(&own, &[]);
    }
    lists
}

const LEVEL: [&str; 8] = [
    "blocks-0", "blocks-1", "blocks-2", "blocks-3", "blocks-4", "blocks-5", "blocks-6", "blocks-7",
];

fn counted(levels: &[Measured]) -> Vec<Level> {
    (COARSEST..)
        .zip(levels)
        .map(|(level, measured)| Level {
            level,
            counts: measured.dense().iter().map(|&count| count as f64).collect(),
            variance: measured.law.variance(),
        })
        .collect()
}

/// So many leaves that counts of their pairs can be told from noise, with this much to be seen.
fn leaves(seen: f64) -> usize {
    (LEAVES_PER_ROOT * seen.sqrt()).clamp(LEAVES.0, LEAVES.1) as usize
}

/// So many sectors at each side that counts of their pairs can be told from noise.
fn sides(seen: f64, lattice: &Lattice) -> u32 {
    let side = SIDES_PER_ROOT * seen.sqrt().sqrt();
    let side = side.clamp(SIDES.0, SIDES.1) as usize;
    side.min(lattice.rows).min(lattice.columns) as u32
}

#[cfg(test)]
pub(super) mod tests {
    use wayveil_core::{Epsilon, Rational};

    use super::*;
    use crate::parameters::Parameters;

    /// What is paid here and what is left are all of this ε, however many levels there are.
    pub(in super::super) fn sums_up(epsilon: &str) {
        let given = [("epsilon", epsilon)];
        let parameters = Parameters::new(Options::PARAMETERS, given).unwrap();
        let options = Options::read(&parameters).unwrap();
        let left = super::super::rest(&options).unwrap().epsilon;
        for levels in 2..=6 {
            let level = Rational::new(LEVELS, PARTS)
                .unwrap()
                .divided_by(levels)
                .unwrap();
            let mut paid = Rational::zero();
            (0..levels).for_each(|_| paid = paid.plus(&level));
            for part in [POINTS, STAYS, STEPS, DISTANCE, DIAMETER, ENDS, SECTORS] {
                paid = paid.plus(&Rational::new(part, PARTS).unwrap());
            }
            let all = options.epsilon.value().times(&paid).plus(left.value());
            assert_eq!(Epsilon::new(all).unwrap(), options.epsilon);
        }
    }
}
