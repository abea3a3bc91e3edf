//! Who counts: exact numbers of records below each node of a prefix tree, a level at a time.
//!
//! The private step needs nothing of the data but these counts. They are asked for through a
//! small batch interface, so that another engine can answer it.

use rayon::prelude::*;
use wayveil_core::{Records, Sequences};

/// The children that hold records, for every node of a frontier.
///
/// The children of node `n` are `symbols[starts[n]..starts[n + 1]]`, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Where each node's children begin; one longer than the number of nodes.
    pub starts: Vec<usize>,
    /// The symbol that leads to each child.
    pub symbols: Vec<u32>,
    /// How many records lie below each child; never zero.
    pub counts: Vec<u64>,
}

impl Level {
    /// The positions of a node's children.
    pub fn children(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node]..self.starts[node + 1]
    }
}

/// Counts records below the nodes of a prefix tree.
pub trait PrefixCounts {
    /// The children of the root, as the only node of its frontier.
    fn root(&mut self) -> Level;

    /// Goes down to some children of the last answer, named by ascending positions in its
    /// `symbols`. They become the frontier; the answer holds their children, in that order.
    fn descend(&mut self, kept: &[usize]) -> Level;
}

/// How locations and time bins become symbols.
///
/// A symbol is `bin · locations + location`. Along a path bins never decrease, so that the
/// symbols of the same bin and of later ones may follow a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alphabet {
    locations: u32,
    bins: u32,
}

impl Alphabet {
    /// An alphabet of `locations × bins` symbols, or none where they do not fit 32 bits.
    pub fn new(locations: usize, bins: u32) -> Option<Self> {
        let locations = u32::try_from(locations).ok()?;
        locations.checked_mul(bins.max(1))?;
        Some(Self {
            locations,
            bins: bins.max(1),
        })
    }

    /// How many symbols there are.
    pub fn symbols(self) -> u32 {
        self.locations * self.bins
    }

    /// How many locations there are.
    pub fn locations(self) -> u32 {
        self.locations
    }

    /// How many bins there are; 1 in untimed data.
    pub fn bins(self) -> u32 {
        self.bins
    }

    /// The symbol of a location in a bin.
    pub fn symbol(self, location: u32, bin: u32) -> u32 {
        bin * self.locations + location
    }

    /// The location of a symbol.
    pub fn location(self, symbol: u32) -> u32 {
        symbol % self.locations
    }

    /// The bin of a symbol.
    pub fn bin(self, symbol: u32) -> u32 {
        symbol / self.locations
    }

    /// The first bin that may follow on a path; 0 at the root.
    pub fn first_bin(self, after: Option<u32>) -> u32 {
        after.map_or(0, |symbol| self.bin(symbol))
    }
}

/// The records of a node by their next symbol, and how many have each.
type Sorted = (Vec<u32>, Vec<(u32, u64)>);

/// Counts in memory, by sorting record numbers from the first symbol on; only what lies below
/// the frontier is ever touched again.
pub struct InMemory<'a> {
    sequences: &'a Sequences,
    alphabet: Alphabet,
    /// How many symbols of each record count: at most the height, cut where time goes back.
    lengths: Vec<u32>,
    /// How many symbols lie between the root and the frontier.
    depth: u32,
    /// Record numbers of each node of the last answer, sorted by the symbol of their child.
    sorted: Vec<Vec<u32>>,
    level: Level,
}

impl<'a> InMemory<'a> {
    /// Prepares to count records up to `height` symbols deep.
    pub fn new(records: &'a Records<'_>, alphabet: Alphabet, height: u32) -> Self {
        let sequences = records.sequences.as_ref();
        let lengths = (0..sequences.len())
            .into_par_iter()
            .map(|record| usable_length(sequences, record, height))
            .collect();
        Self {
            sequences,
            alphabet,
            lengths,
            depth: 0,
            sorted: Vec::new(),
            level: Level::default(),
        }
    }

    fn symbol(&self, record: u32) -> u32 {
        let at = self.sequences.offsets()[record as usize] as usize + self.depth as usize;
        let location = self.sequences.codes()[at];
        match self.sequences.bins() {
            Some(bins) => self.alphabet.symbol(location, bins[at]),
            None => location,
        }
    }

    /// Sorts the records of every frontier node by their next symbol and counts runs.
    fn answer(&mut self, nodes: Vec<Vec<u32>>) -> Level {
        let sorted: Vec<Sorted> = nodes
            .into_par_iter()
            .map(|records| self.sort_node(records))
            .collect();
        let mut level = Level {
            starts: vec![0],
            ..Level::default()
        };
        self.sorted = Vec::with_capacity(sorted.len());
        for (records, runs) in sorted {
            for (symbol, count) in runs {
                level.symbols.push(symbol);
                level.counts.push(count);
            }
            level.starts.push(level.symbols.len());
            self.sorted.push(records);
        }
        self.level = level.clone();
        level
    }

    fn sort_node(&self, mut records: Vec<u32>) -> Sorted {
        records.retain(|&record| self.lengths[record as usize] > self.depth);
        let symbols = self.alphabet.symbols() as usize;
        if records.len() >= symbols {
            self.sort_by_counting(&records)
        } else {
            self.sort_by_comparing(&records)
        }
    }

    fn sort_by_counting(&self, records: &[u32]) -> Sorted {
        let mut next = vec![0usize; self.alphabet.symbols() as usize];
        for &record in records {
            next[self.symbol(record) as usize] += 1;
        }
        let mut runs = Vec::new();
        let mut start = 0;
        for (symbol, slot) in next.iter_mut().enumerate() {
            let count = std::mem::replace(slot, start);
            if count > 0 {
                runs.push((symbol as u32, count as u64));
            }
            start += count;
        }
        let mut sorted = vec![0u32; records.len()];
        for &record in records {
            let slot = &mut next[self.symbol(record) as usize];
            sorted[*slot] = record;
            *slot += 1;
        }
        (sorted, runs)
    }

    fn sort_by_comparing(&self, records: &[u32]) -> Sorted {
        let mut keys: Vec<u64> = records
            .iter()
            .map(|&record| u64::from(self.symbol(record)) << 32 | u64::from(record))
            .collect();
        keys.sort_unstable();
        let mut runs: Vec<(u32, u64)> = Vec::new();
        for key in &keys {
            let symbol = (key >> 32) as u32;
            match runs.last_mut() {
                Some((last, count)) if *last == symbol => *count += 1,
                _ => runs.push((symbol, 1)),
            }
        }
        (keys.into_iter().map(|key| key as u32).collect(), runs)
    }
}

impl PrefixCounts for InMemory<'_> {
    fn root(&mut self) -> Level {
        self.depth = 0;
        let everything = (0..self.sequences.len() as u32).collect();
        self.answer(vec![everything])
    }

    fn descend(&mut self, kept: &[usize]) -> Level {
        let mut nodes = Vec::with_capacity(kept.len());
        let mut wanted = kept.iter().copied().peekable();
        for (node, records) in self.sorted.iter().enumerate() {
            let mut at = 0;
            for child in self.level.children(node) {
                let count = self.level.counts[child] as usize;
                if wanted.next_if_eq(&child).is_some() {
                    nodes.push(records[at..at + count].to_vec());
                }
                at += count;
            }
        }
        assert!(
            wanted.next().is_none(),
            "positions ascend and lie in the last answer"
        );
        self.depth += 1;
        self.answer(nodes)
    }
}

/// At most `height` symbols, cut before the first bin that lies before its predecessor. This
/// looks at one record alone, so that it does not change what one owner can change.
fn usable_length(sequences: &Sequences, record: usize, height: u32) -> u32 {
    let length = sequences.length(record).min(height as usize);
    let bins = sequences.bins_of(record);
    let monotone = bins
        .windows(2)
        .position(|pair| pair[1] < pair[0])
        .map_or(length, |at| at + 1);
    length.min(monotone) as u32
}

#[cfg(test)]
#[path = "count_tests.rs"]
mod tests;
