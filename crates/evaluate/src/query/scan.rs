//! One question, answered by looking at every record.

use rayon::prelude::*;
use wayveil_core::Sequences;

/// Records that are looked at in one go; fewer are not worth a thread.
const PIECE: usize = 4096;

/// Records that are looked at together first: one long search is faster than many short ones, and
/// mostly shows that none of them contains everything.
const NEIGHBOURS: usize = 16;

/// What it means that a record contains a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All of them somewhere, in any order; repetitions in the question say nothing.
    Set,
    /// All of them in this order, without gaps.
    Contiguous,
    /// All of them in this order; others may lie between.
    Ordered,
}

/// A location, at any time or in one time bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol {
    /// The location's code.
    pub location: u32,
    /// The time bin, where it matters. An untimed record has no symbol with one.
    pub bin: Option<u32>,
}

impl Symbol {
    fn is_at(&self, at: usize, codes: &[u32], bins: &[u32]) -> bool {
        codes[at] == self.location && self.bin.is_none_or(|bin| bins.get(at) == Some(&bin))
    }
}

/// How many records contain all of these locations.
pub fn count_set(sequences: &Sequences, set: &[u32]) -> u64 {
    let mut set = set.to_vec();
    set.sort_unstable();
    set.dedup();
    let contains_all = |codes: &[u32]| set.iter().all(|location| codes.contains(location));
    (0..sequences.len().div_ceil(NEIGHBOURS))
        .into_par_iter()
        .with_min_len(PIECE / NEIGHBOURS)
        .map(|group| {
            let start = group * NEIGHBOURS;
            let end = sequences.len().min(start + NEIGHBOURS);
            let [first, last] = [start, end].map(|record| sequences.offsets()[record] as usize);
            if !contains_all(&sequences.codes()[first..last]) {
                return 0;
            }
            (start..end)
                .filter(|&record| contains_all(sequences.codes_of(record)))
                .count() as u64
        })
        .sum()
}

/// How many records contain these locations one directly after the other.
pub fn count_contiguous(sequences: &Sequences, fragment: &[u32]) -> u64 {
    if fragment.is_empty() {
        return sequences.len() as u64;
    }
    count_where(sequences, |record| {
        let mut windows = sequences.codes_of(record).windows(fragment.len());
        windows.any(|window| window == fragment)
    })
}

/// How many records contain these locations in this order, with or without gaps.
pub fn count_ordered(sequences: &Sequences, pattern: &[u32]) -> u64 {
    count_where(sequences, |record| {
        let mut codes = sequences.codes_of(record).iter();
        // Taking each at its first occasion loses nothing: it leaves the most for the rest.
        pattern
            .iter()
            .all(|wanted| codes.any(|code| code == wanted))
    })
}

/// How many records contain these symbols.
pub fn count(sequences: &Sequences, kind: Kind, symbols: &[Symbol]) -> u64 {
    if symbols.iter().all(|symbol| symbol.bin.is_none()) {
        let codes: Vec<u32> = symbols.iter().map(|symbol| symbol.location).collect();
        return match kind {
            Kind::Set => count_set(sequences, &codes),
            Kind::Contiguous => count_contiguous(sequences, &codes),
            Kind::Ordered => count_ordered(sequences, &codes),
        };
    }
    count_where(sequences, |record| {
        let (codes, bins) = (sequences.codes_of(record), sequences.bins_of(record));
        let is_at = |symbol: &Symbol, at: usize| symbol.is_at(at, codes, bins);
        let mut places = 0..codes.len();
        match kind {
            Kind::Set => symbols
                .iter()
                .all(|symbol| places.clone().any(|at| is_at(symbol, at))),
            Kind::Contiguous => (0..(codes.len() + 1).saturating_sub(symbols.len())).any(|start| {
                let mut pairs = symbols.iter().zip(start..);
                pairs.all(|(symbol, at)| is_at(symbol, at))
            }),
            Kind::Ordered => symbols
                .iter()
                .all(|symbol| places.any(|at| is_at(symbol, at))),
        }
    })
}

fn count_where(sequences: &Sequences, contains: impl Fn(usize) -> bool + Sync) -> u64 {
    (0..sequences.len())
        .into_par_iter()
        .with_min_len(PIECE)
        .filter(|&record| contains(record))
        .count() as u64
}
