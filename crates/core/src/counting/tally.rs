//! Counts a part of the records, wherever it lies.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::num::TryFromIntError;

use super::{Question, What};
use crate::dataset::Owners;
use crate::error::{Error, Result};
use crate::sequences::Sequences;
use crate::unit::bounded_rows;

/// How often each pair of numbers was counted; what they number, the question says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: BTreeMap<(u32, u32), u64>,
}

impl Tally {
    /// Adds so many to a pair.
    pub fn add(&mut self, pair: (u32, u32), count: u64) -> Result<()> {
        let sum = self.counts.entry(pair).or_default();
        *sum = sum
            .checked_add(count)
            .ok_or_else(|| Error::input("a count is beyond 2^64"))?;
        Ok(())
    }

    /// Adds another part's tally.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        other
            .iter()
            .try_for_each(|(pair, count)| self.add(pair, count))
    }

    /// All pairs that were counted, ascending.
    pub fn iter(&self) -> impl Iterator<Item = ((u32, u32), u64)> {
        self.counts.iter().map(|(&pair, &count)| (pair, count))
    }

    /// The count of a pair.
    pub fn of(&self, pair: (u32, u32)) -> u64 {
        self.counts.get(&pair).copied().unwrap_or(0)
    }

    /// How many pairs were counted.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

/// Tallies some people's rows.
///
/// # What the caller must ensure
/// All rows of an owner are here, in the same order at every question, and no owner is given to two calls whose
/// tallies are added up; see [`crate::counting`]. Rows are bounded here, by the code that bounds them on one machine.
pub fn tally(question: &Question, trips: &Sequences, owners: &Owners) -> Result<Tally> {
    trips.check_ranges(question.locations as usize, question.bins)?;
    if trips.is_timed() != question.bins.is_some() {
        return Err(Error::input(
            "some rows have time bins where the others have none",
        ));
    }
    let records = bounded_rows(trips, owners, question.unit);
    let mut tally = Tally::default();
    match &question.what {
        What::Records => tally.add((0, 0), records.len() as u64)?,
        What::Children {
            height,
            depth,
            prefixes,
        } => children(question, &records, *height, *depth, prefixes, &mut tally)?,
        What::Fragments { length, codes } => {
            fragments(&records, *length as usize, codes, &mut tally)?;
        }
    }
    Ok(tally)
}

fn children(
    question: &Question,
    records: &Sequences,
    height: u32,
    depth: u32,
    prefixes: &[u32],
    tally: &mut Tally,
) -> Result<()> {
    let alphabet = question
        .alphabet()
        .ok_or_else(|| Error::input("there are more than 2^32 symbols"))?;
    let nodes = numbered(prefixes, depth as usize).map_err(|_| too_many())?;
    let (mut path, mut found) = (Vec::new(), HashMap::<(u32, u32), u64>::new());
    for record in 0..records.len() {
        if usable_length(records, record, height) <= depth {
            continue;
        }
        let (codes, bins) = (records.codes_of(record), records.bins_of(record));
        path.clear();
        path.extend((0..=depth as usize).map(|at| match bins.get(at) {
            Some(&bin) => alphabet.symbol(codes[at], bin),
            None => codes[at],
        }));
        let (symbol, prefix) = path.split_last().expect("one symbol more than the depth");
        if let Some(&node) = nodes.get(prefix) {
            *found.entry((node, *symbol)).or_default() += 1;
        }
    }
    let mut counted = found.into_iter();
    counted.try_for_each(|(pair, count)| tally.add(pair, count))
}

fn fragments(records: &Sequences, length: usize, codes: &[u32], tally: &mut Tally) -> Result<()> {
    let asked = numbered(codes, length).map_err(|_| too_many())?;
    // The last record in which each fragment was counted: one record counts once.
    let mut last = vec![usize::MAX; asked.len()];
    let mut counts = vec![0u64; asked.len()];
    for (record, trajectory) in records.iter().enumerate() {
        for window in trajectory.windows(length) {
            if let Some(&fragment) = asked.get(window)
                && last[fragment as usize] != record
            {
                last[fragment as usize] = record;
                counts[fragment as usize] += 1;
            }
        }
    }
    let held = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    held.map(|(fragment, &count)| ((fragment as u32, 0), count))
        .try_for_each(|(pair, count)| tally.add(pair, count))
}

/// Each of the sequences with its number; the empty one is number 0.
fn numbered(codes: &[u32], length: usize) -> Result<HashMap<&[u32], u32>, TryFromIntError> {
    if length == 0 {
        return Ok(HashMap::from([(&codes[..0], 0)]));
    }
    let sequences = codes.chunks_exact(length).enumerate();
    sequences
        .map(|(number, sequence)| Ok((sequence, u32::try_from(number)?)))
        .collect()
}

fn too_many() -> Error {
    Error::input("more than 2^32 sequences cannot be asked for at once")
}

/// At most `height` symbols of a record, cut before the first bin that lies before its predecessor. This
/// looks at one record alone, so that it does not change what one owner can change.
pub fn usable_length(sequences: &Sequences, record: usize, height: u32) -> u32 {
    let length = sequences.length(record).min(height as usize);
    let bins = sequences.bins_of(record);
    let monotone = bins
        .windows(2)
        .position(|pair| pair[1] < pair[0])
        .map_or(length, |at| at + 1);
    length.min(monotone) as u32
}
