//! What a mechanism asks of whoever counts.

use wayveil_noise::RandomSource;

use super::{Alphabet, Listed, Tally, What};
use crate::error::Result;
use crate::mechanism::Output;
use crate::progress::Progress;
use crate::unit::PublicInputs;

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

/// Counts records below the nodes of a prefix tree. It can fail where the records lie elsewhere.
pub trait PrefixCounts {
    /// The children of the root, as the only node of its frontier.
    fn root(&mut self) -> Result<Level>;

    /// Goes down to some children of the last answer, named by ascending positions in its
    /// `symbols`. They become the frontier; the answer holds their children, in that order.
    fn descend(&mut self, kept: &[usize]) -> Result<Level>;
}

/// Records of which only exact counts are to be had, wherever they are.
pub trait Counting {
    /// How records begin, up to `height` symbols deep.
    fn prefixes(&self, alphabet: Alphabet, height: u32) -> Result<Box<dyn PrefixCounts + '_>>;

    /// Tallies anything that can be asked for. What comes back answers the question, by its numbers.
    fn ask(&self, what: What) -> Result<Tally>;
}

impl dyn Counting + '_ {
    /// How many records there are.
    pub fn records(&self) -> Result<u64> {
        Ok(self.ask(What::Records)?.of((0, 0)))
    }

    /// How many records have each of these fragments of one length, whose codes stand one after another.
    pub fn fragments(&self, length: usize, codes: &[u32]) -> Result<Vec<u64>> {
        let fragments = codes.chunks_exact(length.max(1));
        self.listed(What::Fragments(Listed::of(fragments)?))
    }

    /// How many records visit all of each of these sets of locations.
    pub fn sets<S: AsRef<[u32]>>(&self, sets: &[S]) -> Result<Vec<u64>> {
        self.listed(What::Sets(Listed::of(sets)?))
    }

    /// How many records have each of these patterns, with gaps or without.
    pub fn patterns<S: AsRef<[u32]>>(&self, patterns: &[S]) -> Result<Vec<u64>> {
        self.listed(What::Patterns(Listed::of(patterns)?))
    }

    fn listed(&self, what: What) -> Result<Vec<u64>> {
        let asked = what.listed().map_or(0, Listed::len) as u32;
        let tally = self.ask(what)?;
        Ok((0..asked).map(|number| tally.of((number, 0))).collect())
    }
}

/// A mechanism to which records are nothing but exact counts of them.
///
/// # What an implementation must ensure
/// As [`crate::Mechanism`], with the same output for the same counts and the same randomness, whoever has counted.
pub trait OnCounts {
    /// Makes the output. All randomness comes from `random`.
    fn run_on_counts(
        &self,
        public: &PublicInputs<'_>,
        counting: &dyn Counting,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output>;
}
