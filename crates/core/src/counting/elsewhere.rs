//! Counting records that are not here.

use super::{Alphabet, Counting, Level, Listed, PrefixCounts, Question, Tally, What};
use crate::error::{Error, Result};
use crate::unit::PrivacyUnit;

/// Carries questions to wherever records are, and brings the tallies back, added up.
///
/// # What an implementation must ensure
/// Stands in [`crate::counting`]: every owner's rows are together, and every owner is counted once.
pub trait Engine: Send + Sync {
    /// Has every part of the records tallied, and adds the tallies up.
    fn ask(&self, question: &Question) -> Result<Tally>;
}

/// Records that an engine counts, bounded by a unit of privacy.
pub struct Elsewhere<'a> {
    engine: &'a dyn Engine,
    unit: PrivacyUnit,
    locations: u32,
    bins: Option<u32>,
    columns: Vec<String>,
}

impl<'a> Elsewhere<'a> {
    /// Records over so many locations and time bins.
    pub(super) fn new(
        engine: &'a dyn Engine,
        unit: PrivacyUnit,
        locations: u32,
        bins: Option<u32>,
        columns: Vec<String>,
    ) -> Self {
        Self {
            engine,
            unit,
            locations,
            bins,
            columns,
        }
    }
}

impl Counting for Elsewhere<'_> {
    fn prefixes(&self, alphabet: Alphabet, height: u32) -> Result<Box<dyn PrefixCounts + '_>> {
        let ours = Alphabet::new(self.locations as usize, self.bins.unwrap_or(1));
        if ours != Some(alphabet) {
            return Err(Error::input(
                "the method counts other symbols than the records have",
            ));
        }
        Ok(Box::new(Prefixes {
            records: self,
            alphabet,
            height,
            depth: 0,
            paths: Vec::new(),
            below: None,
            level: Level::default(),
        }))
    }

    fn ask(&self, what: What) -> Result<Tally> {
        let question = Question {
            unit: self.unit,
            locations: self.locations,
            bins: self.bins,
            columns: self.columns.clone(),
            what,
        };
        let tally = self.engine.ask(&question)?;
        question.check_size(&tally)?;
        check(
            tally
                .iter()
                .all(|(pair, count)| question.allows(pair) && count > 0),
        )?;
        Ok(tally)
    }
}

/// Remembers the way to every node of the frontier, which an engine does not.
struct Prefixes<'a> {
    records: &'a Elsewhere<'a>,
    alphabet: Alphabet,
    height: u32,
    depth: u32,
    /// The symbols on the way to each node of the frontier, one node after another.
    paths: Vec<u32>,
    /// How many records lie below each node of the frontier; not known of the root.
    below: Option<Vec<u64>>,
    level: Level,
}

impl Prefixes<'_> {
    fn answer(&mut self) -> Result<Level> {
        let depth = self.depth as usize;
        let prefixes = match depth {
            0 => Listed::of([&[]])?,
            _ => Listed::of(self.paths.chunks_exact(depth))?,
        };
        let nodes = prefixes.len();
        let tally = match nodes {
            0 => Tally::default(),
            _ => self.records.ask(What::Children {
                height: self.height,
                prefixes,
            })?,
        };
        let mut level = Level {
            starts: vec![0],
            ..Level::default()
        };
        let mut sums = vec![0u64; nodes];
        // Ascending by node, then by symbol: the order of a level.
        for ((node, symbol), count) in tally.iter() {
            let node = node as usize;
            let last = self.paths[node * depth..(node + 1) * depth].last();
            let first_bin = self.alphabet.first_bin(last.copied());
            check(self.alphabet.bin(symbol) >= first_bin)?;
            while level.starts.len() <= node {
                level.starts.push(level.symbols.len());
            }
            sums[node] = sums[node].checked_add(count).ok_or_else(no_answer)?;
            level.symbols.push(symbol);
            level.counts.push(count);
        }
        level.starts.resize(nodes + 1, level.symbols.len());
        if let Some(below) = &self.below
            && below.iter().zip(&sums).any(|(all, sum)| sum > all)
        {
            return Err(changed());
        }
        self.level = level.clone();
        Ok(level)
    }
}

impl PrefixCounts for Prefixes<'_> {
    fn root(&mut self) -> Result<Level> {
        self.depth = 0;
        self.paths = Vec::new();
        self.below = None;
        self.answer()
    }

    fn descend(&mut self, kept: &[usize]) -> Result<Level> {
        let depth = self.depth as usize;
        let mut paths = Vec::with_capacity(kept.len() * (depth + 1));
        let mut node = 0;
        for &child in kept {
            while self.level.starts[node + 1] <= child {
                node += 1;
            }
            paths.extend_from_slice(&self.paths[node * depth..(node + 1) * depth]);
            paths.push(self.level.symbols[child]);
        }
        self.below = Some(kept.iter().map(|&child| self.level.counts[child]).collect());
        self.paths = paths;
        self.depth += 1;
        self.answer()
    }
}

fn check(holds: bool) -> Result<()> {
    holds.then_some(()).ok_or_else(no_answer)
}

fn no_answer() -> Error {
    Error::input("what was counted elsewhere does not answer what was asked")
        .hint("use one version of wayveil everywhere")
}

fn changed() -> Error {
    Error::input("more records were counted below a node than at it: they changed while they were counted")
        .hint("count rows that stay the same when they are read again: without random numbers, limits or the time of day")
}
