//! What a record looks like on the ground: lists of cells that are counted of it.
//!
//! Every function looks at one record alone, given the grid and a partition that is paid for already.

use super::lattice::Lattice;
use super::partition::Partition;

/// Classes of how many points follow each other in one leaf: their least numbers.
const STAYS: [usize; 12] = [1, 2, 3, 4, 5, 7, 9, 12, 16, 24, 40, 80];
/// Levels of leaves that stays are told apart by.
const STAY_LEVELS: usize = 6;
/// Classes of step lengths.
pub(super) const STEPS: usize = 16;
/// Lengths up to here are told apart; from here on those that differ by a fifth.
const SHORT: usize = 8;
const LONGER: f64 = 1.2;
/// Distances that differ by so much are told apart.
const FARTHER: f64 = 1.3;
/// Classes of distances between two points.
const SPANS: usize = 30;

/// The class of a record's number of points.
fn points(length: usize) -> usize {
    match length {
        0..SHORT => length,
        _ => SHORT + ((length as f64 / SHORT as f64).ln() / LONGER.ln()) as usize,
    }
}

fn distance_class(lattice: &Lattice, metres: f64) -> usize {
    match metres > 0.0 {
        false => 0,
        true => 1 + ((metres / lattice.shortest()).ln().max(0.0) / FARTHER.ln()) as usize,
    }
}

/// The class of the way that a record goes in all.
fn distance(lattice: &Lattice, record: &[u32]) -> usize {
    let way = record
        .windows(2)
        .map(|step| lattice.metres(step[0], step[1]));
    distance_class(lattice, way.sum())
}

/// The class of a distance between two points.
fn span_class(lattice: &Lattice, metres: f64) -> usize {
    match metres > 0.0 {
        false => 0,
        true => 1 + ((metres / lattice.diagonal() * SPANS as f64) as usize).min(SPANS - 1),
    }
}

/// The class of the greatest distance between two points of a record.
fn diameter(lattice: &Lattice, record: &[u32]) -> usize {
    let mut distinct = record.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut greatest = 0.0f64;
    for (at, &a) in distinct.iter().enumerate() {
        for &b in &distinct[at + 1..] {
            greatest = greatest.max(lattice.metres(a, b));
        }
    }
    span_class(lattice, greatest)
}

/// What is one class for every record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Single {
    /// How many points.
    Points,
    /// How far it goes in all.
    Distance,
    /// The greatest distance between two of its points.
    Diameter,
    /// The sectors of its first and last point, of so many at each side.
    Ends(u32),
}

impl Single {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Distance => "distance",
            Self::Diameter => "diameter",
            Self::Ends(_) => "trips",
        }
    }

    /// How many classes there are for records of up to so many points.
    pub(super) fn classes(self, lattice: &Lattice, max_length: usize) -> usize {
        1 + match self {
            Self::Points => points(max_length),
            Self::Diameter => SPANS + 1,
            Self::Distance => distance_class(lattice, lattice.diagonal() * max_length as f64) + 1,
            Self::Ends(side) => (side as usize).pow(4),
        }
    }

    /// The class of a record: the first one for an empty record alone.
    pub(super) fn class(self, lattice: &Lattice, record: &[u32]) -> u32 {
        if record.is_empty() {
            return 0;
        }
        let class = match self {
            Self::Points => points(record.len()) - 1,
            Self::Distance => distance(lattice, record),
            Self::Diameter => diameter(lattice, record),
            Self::Ends(side) => {
                let at = |code: u32| lattice.sector(side, code) as usize;
                at(record[0]) * (side as usize).pow(2) + at(record[record.len() - 1])
            }
        };
        1 + class as u32
    }
}

/// Blocks of a level that a record is in, each once.
pub(super) fn blocks(lattice: &Lattice, level: u32, record: &[u32], into: &mut Vec<u32>) {
    into.clear();
    into.extend(record.iter().map(|&code| lattice.block(level, code)));
    into.sort_unstable();
    into.dedup();
}

/// Sectors that a record is in, each once, of so many at each side.
pub(super) fn sectors(lattice: &Lattice, side: u32, record: &[u32], into: &mut Vec<u32>) {
    into.clear();
    into.extend(record.iter().map(|&code| lattice.sector(side, code)));
    into.sort_unstable();
    into.dedup();
}

/// The first cell of the stays in a leaf of this level.
fn stay_level(level: u32) -> usize {
    (level as usize).min(STAY_LEVELS - 1) * STAYS.len()
}

/// How many cells stays have.
pub(super) fn stay_cells() -> usize {
    STAY_LEVELS * STAYS.len()
}

/// For every stay in a leaf: how many points, by the level of the leaf.
pub(super) fn stays(partition: &Partition, record: &[u32], into: &mut Vec<u32>) {
    into.clear();
    let leaf = |code: &u32| partition.leaf[*code as usize];
    for stay in record.chunk_by(|a, b| leaf(a) == leaf(b)) {
        let level = partition.levels[leaf(&stay[0]) as usize];
        let class = STAYS.partition_point(|&least| least <= stay.len()) - 1;
        into.push((stay_level(level) + class) as u32);
    }
}

/// The cells of stays at a level, and the numbers of points that each stands for.
pub(super) fn stays_at(level: u32) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let range = |class: usize| {
        let least = STAYS[class];
        let next = STAYS.get(class + 1).copied();
        least..next.unwrap_or(least + least / 2)
    };
    (0..STAYS.len()).map(move |class| (stay_level(level) + class, range(class)))
}

/// The class of a step of so many rows and columns.
pub(super) fn step_class(lattice: &Lattice, rows: usize, columns: usize) -> usize {
    let metres = lattice.length(rows, columns);
    match metres > 0.0 {
        false => 0,
        true => {
            let class = 1 + (2.0 * (metres / lattice.shortest()).log2().max(0.0)) as usize;
            class.min(STEPS - 1)
        }
    }
}

/// For every step: its length, and whether it stays in its leaf.
pub(super) fn steps(lattice: &Lattice, partition: &Partition, record: &[u32], into: &mut Vec<u32>) {
    into.clear();
    for step in record.windows(2) {
        let ((ra, ca), (rb, cb)) = (lattice.place(step[0]), lattice.place(step[1]));
        let class = step_class(lattice, ra.abs_diff(rb), ca.abs_diff(cb));
        let leaves = partition.leaf[step[0] as usize] != partition.leaf[step[1] as usize];
        into.push((usize::from(leaves) * STEPS + class) as u32);
    }
}
