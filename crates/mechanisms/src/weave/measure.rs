//! Who counts and adds noise: the one place where records are seen.

use rand_core::Rng;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wayveil_core::{Error, RandomSource, Result, Sequences};
use wayveil_noise::{DiscreteLaplace, EmptyChildren, Stream, auto_threshold};

use super::features::{Features, Kind};
use super::law::Law;
use super::noise::Noise;
use super::shape::Recent;
use super::times::Visits;

/// Up to so many cells every one has its noisy count; beyond, those above a threshold.
pub(super) const DENSE: u64 = 1 << 21;
/// How many empty cells pass the threshold on average, as a fraction.
const FALSE_CELLS: (u64, u64) = (20, 1);
/// Cells whose noise is drawn from one stream.
const CHUNK: usize = 1 << 14;
/// Fewer records than this are not worth another thread.
const SMALLEST_PIECE: usize = 256;

/// Noisy counts of a group, in units.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) features: Features,
    /// The law of the noise, in units.
    pub(super) law: Law,
    pub(super) counts: Counts,
}

/// Noisy counts by cell.
#[derive(Clone, Debug)]
pub(super) enum Counts {
    /// Every cell.
    Dense(Vec<i64>),
    /// The cells that reach the threshold, by ascending number.
    Sparse { cells: Vec<u64>, noisy: Vec<i64> },
}

impl Measured {
    /// What was counted.
    pub(super) fn kind(&self) -> Kind {
        self.features.kind
    }

    /// The noisy counts of every cell; empty where only some are known.
    pub(super) fn dense(&self) -> &[i64] {
        match &self.counts {
            Counts::Dense(noisy) => noisy,
            Counts::Sparse { .. } => &[],
        }
    }
}

/// Counts a group over all records and adds exact noise to every cell.
pub(super) fn measure(
    records: &Sequences,
    features: Features,
    noise: Noise,
    random: &mut RandomSource,
) -> Result<Measured> {
    let cells = features.cells().ok_or_else(too_many)?;
    let counts = match (cells <= DENSE, noise) {
        (true, _) => Counts::Dense(dense(records, &features, cells as usize, noise, random)),
        (false, Noise::Laplace(noise)) => sparse(records, &features, cells, noise, random)?,
        // Thresholds are known for Laplace noise only; see `Allowance::norm`.
        (false, Noise::Gaussian(_)) => return Err(too_many()),
    };
    Ok(Measured {
        features,
        law: noise.law(),
        counts,
    })
}

fn too_many() -> Error {
    Error::refused("there are too many locations: their pairs and triples cannot be numbered")
        .hint("use a coarser set of locations")
}

fn pieces(records: &Sequences) -> Vec<std::ops::Range<usize>> {
    let size = records
        .len()
        .div_ceil(rayon::current_num_threads().max(1))
        .max(SMALLEST_PIECE);
    (0..records.len())
        .step_by(size)
        .map(|start| start..(start + size).min(records.len()))
        .collect()
}

/// Runs a function on every cell that every record counts in. The order of pieces does not matter: counts
/// are whole numbers.
pub(super) fn gather<T: Send + Default>(
    records: &Sequences,
    features: &Features,
    start: impl Fn() -> T + Sync,
    count: impl Fn(&mut T, u64, i64) + Sync,
) -> Vec<T> {
    let piece = |range: std::ops::Range<usize>| {
        let (mut all, mut recent, mut cells) = (start(), Recent::default(), Vec::new());
        for record in range {
            let units = features.of(Visits::of(records, record), &mut recent, &mut cells) as i64;
            cells.iter().for_each(|&cell| count(&mut all, cell, units));
        }
        all
    };
    pieces(records).into_par_iter().map(piece).collect()
}

fn dense(
    records: &Sequences,
    features: &Features,
    cells: usize,
    noise: Noise,
    random: &mut RandomSource,
) -> Vec<i64> {
    let counted = gather(
        records,
        features,
        || vec![0i64; cells],
        |all, cell, units| all[cell as usize] += units,
    );
    let mut counts = vec![0i64; cells];
    for piece in counted {
        counts
            .iter_mut()
            .zip(piece)
            .for_each(|(sum, own)| *sum += own);
    }
    let streams = random.streams(cells.div_ceil(CHUNK));
    counts
        .par_chunks_mut(CHUNK)
        .zip(streams)
        .for_each(|(counts, mut stream): (_, Stream)| {
            for count in counts {
                *count = count.saturating_add(noise.sample(&mut stream));
            }
        });
    counts
}

fn sparse(
    records: &Sequences,
    features: &Features,
    cells: u64,
    noise: DiscreteLaplace,
    random: &mut RandomSource,
) -> Result<Counts> {
    let counted = gather(
        records,
        features,
        FxHashMap::<u64, i64>::default,
        |all, cell, units| {
            *all.entry(cell).or_default() += units;
        },
    );
    let mut all = FxHashMap::<u64, i64>::default();
    for piece in counted {
        for (cell, count) in piece {
            *all.entry(cell).or_default() += count;
        }
    }
    let mut held: Vec<(u64, i64)> = all.into_iter().collect();
    held.sort_unstable();
    let threshold = auto_threshold(&noise.rate(), cells, FALSE_CELLS)
        .map_err(|error| Error::refused(error.to_string()))?;
    let passed = above(&held, cells, noise, threshold, &mut random.stream());
    let (cells, noisy) = passed.into_iter().unzip();
    Ok(Counts::Sparse { cells, noisy })
}

/// The cells whose noisy count reaches the threshold, as if every one of them had been visited (see
/// [`EmptyChildren`]), by ascending number.
fn above(
    held: &[(u64, i64)],
    cells: u64,
    noise: DiscreteLaplace,
    threshold: u64,
    rng: &mut impl Rng,
) -> Vec<(u64, i64)> {
    let least = i64::try_from(threshold).unwrap_or(i64::MAX);
    let mut passed: Vec<(u64, i64)> = held
        .iter()
        .map(|&(cell, count)| (cell, count.saturating_add(noise.sample(rng))))
        .filter(|&(_, noisy)| noisy >= least)
        .collect();
    let empty = EmptyChildren::new(noise, threshold).draw(cells - held.len() as u64, rng);
    // The r-th empty cell: skip the cells that hold records, which are sorted.
    let mut skipped = 0;
    for (rank, noisy) in empty {
        let mut cell = rank + skipped as u64;
        while skipped < held.len() && held[skipped].0 <= cell {
            skipped += 1;
            cell += 1;
        }
        passed.push((cell, noisy));
    }
    passed.sort_unstable();
    passed
}
