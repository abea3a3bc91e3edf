//! What is paid for on the ground before anything is woven: where people are, and how they move there.

use wayveil_core::{
    Group, Origin, RandomSource, Rational, Records, Result, Sequences, Taxonomy, Universe,
};

use super::super::features::{Features, Kind, UNITS};
use super::super::measure::{self, Measured};
use super::super::options::Options;
use super::super::shares::PARTS;
use super::lattice::Lattice;
use super::look;
use super::partition::{COARSEST, Level, Partition};

/// Shares in thousandths of ε: numbers of points, ways, diameters, stays, steps, and all levels of blocks.
const POINTS: u64 = 25;
const DISTANCE: u64 = 30;
const DIAMETER: u64 = 30;
const STAYS: u64 = 25;
const STEPS: u64 = 30;
const LEVELS: u64 = 110;
/// All of them.
pub(super) const GROUND: u64 = POINTS + DISTANCE + DIAMETER + STAYS + STEPS + LEVELS;

/// How many cells a record counts in fully: of blocks, of stays and of steps.
const MOST_BLOCKS: usize = 4;
const MOST_STAYS: usize = 4;
const MOST_STEPS: usize = 6;
/// The fewest leaves and the most.
const LEAVES: (f64, f64) = (16.0, 1_024.0);

/// The noisy counts, and the partition that they gave.
pub(in super::super) struct Survey {
    pub(super) lattice: Lattice,
    pub(super) partition: Partition,
    pub(super) points: Measured,
    pub(super) distance: Measured,
    pub(super) diameter: Measured,
    pub(super) stays: Measured,
    pub(super) steps: Measured,
    levels: Vec<Measured>,
}

/// How often the levels of a grid are counted: once each.
pub(super) fn counted_levels(lattice: &Lattice) -> u64 {
    u64::from(lattice.finest() - COARSEST) + 1
}

/// Who pays: every group by one rule.
struct Payer<'a, 'r> {
    records: &'a Records<'r>,
    options: &'a Options,
}

impl Payer<'_, '_> {
    /// Counts, for every record, the cells that `list` tells of it, and adds noise.
    fn pay(
        &self,
        name: &'static str,
        share: &Rational,
        (most, cells): (usize, usize),
        random: &mut RandomSource,
        mut list: impl FnMut(&[u32], &mut Vec<u32>),
    ) -> Result<Measured> {
        let (mut lists, mut own) = (Sequences::empty(false), Vec::new());
        for record in self.records.sequences.iter() {
            list(&record[..record.len().min(self.options.max_length)], &mut own);
            lists.push(&own, &[]);
        }
        let features = Features::new(Kind::Ground(name), most, cells, self.options.max_length);
        let share = self.options.epsilon.value().times(share);
        let rate = measure::rate(&share, most, self.records.public.unit.records())?;
        measure::measure(&lists, features, rate, random)
    }
}

impl Survey {
    /// Pays for everything.
    pub(super) fn new(
        lattice: Lattice,
        records: &Records<'_>,
        options: &Options,
        random: &mut RandomSource,
    ) -> Result<Self> {
        let payer = Payer { records, options };
        let part = |part: u64| Rational::new(part, PARTS);
        let one = |cell: usize, into: &mut Vec<u32>| {
            into.clear();
            into.push(cell as u32);
        };
        let classes = look::points_classes(options.max_length);
        let points = payer.pay("points", &part(POINTS)?, (1, classes), random, |record, into| {
            one(look::points(record.len()), into);
        })?;
        let mut levels = Vec::new();
        let each = part(LEVELS)?.divided_by(counted_levels(&lattice))?;
        for level in COARSEST..=lattice.finest() {
            let size = (MOST_BLOCKS, 1usize << (2 * level));
            levels.push(payer.pay(LEVEL[level as usize], &each, size, random, |record, into| {
                look::blocks(&lattice, level, record, into);
            })?);
        }
        let number = points.dense().iter().sum::<i64>() as f64 / UNITS as f64;
        let partition = Partition::new(&lattice, counted(&levels), leaves(number, options));
        let size = (MOST_STAYS, look::stay_cells());
        let stays = payer.pay("stays", &part(STAYS)?, size, random, |record, into| {
            look::stays(&partition, record, into);
        })?;
        let size = (MOST_STEPS, 2 * look::STEPS);
        let steps = payer.pay("steps", &part(STEPS)?, size, random, |record, into| {
            look::steps(&lattice, &partition, record, into);
        })?;
        let size = (1, look::distance_classes(&lattice, options.max_length));
        let distance = payer.pay("distance", &part(DISTANCE)?, size, random, |record, into| {
            one(look::distance(&lattice, record), into);
        })?;
        let size = (1, look::diameter_classes());
        let mut distinct = Vec::new();
        let diameter = payer.pay("diameter", &part(DIAMETER)?, size, random, |record, into| {
            one(look::diameter(&lattice, record, &mut distinct), into);
        })?;
        Ok(Self {
            lattice,
            partition,
            points,
            distance,
            diameter,
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
        let single = [
            self.points,
            self.distance,
            self.diameter,
            self.stays,
            self.steps,
        ];
        single.into_iter().chain(self.levels)
    }
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
            variance: 2.0 * measured.scale * measured.scale,
        })
        .collect()
}

/// So many leaves that counts of their pairs can be told from noise.
fn leaves(number: f64, options: &Options) -> usize {
    let seen = (number * options.epsilon.to_f64()).max(1.0);
    (tune("LEAVES", 1.0) * seen.sqrt()).clamp(LEAVES.0, LEAVES.1) as usize
}

pub(super) fn tune(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}
