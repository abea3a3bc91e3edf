//! Counting in memory: exact numbers of records below each node of a prefix tree, a level at a time.
//!
//! The private step needs nothing of the data but these counts. They are asked for through
//! [`wayveil_core::counting`], which another engine answers where the records lie elsewhere.

use rayon::prelude::*;
use wayveil_core::counting::usable_length;
pub use wayveil_core::counting::{Alphabet, Level, PrefixCounts};
use wayveil_core::{Records, Result, Sequences};

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
    fn root(&mut self) -> Result<Level> {
        self.depth = 0;
        let everything = (0..self.sequences.len() as u32).collect();
        Ok(self.answer(vec![everything]))
    }

    fn descend(&mut self, kept: &[usize]) -> Result<Level> {
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
        Ok(self.answer(nodes))
    }
}

#[cfg(test)]
#[path = "count_tests.rs"]
mod tests;
