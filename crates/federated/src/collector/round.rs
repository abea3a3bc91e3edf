//! One round as the collector opens it: blocks of candidates, which clients belong to which, and
//! what they answered.

use wayveil_core::{Error, Result};
use wayveil_noise::RandomizedResponse;

use crate::campaign::{Campaign, MAX_POPULATION, Slot};
use crate::client::Prepared;
use crate::message::{Answer, Question};

/// A round: blocks of candidates, each shared by many clients.
///
/// Every block but perhaps the last has the same number of candidates.
#[derive(Clone, Debug)]
pub struct Round {
    campaign: u64,
    index: u32,
    slot: Slot,
    /// Candidates in a block, n.
    in_block: usize,
    /// The candidates of the level, block after block.
    members: Vec<u32>,
    /// Their locations, in the same order.
    codes: Vec<u32>,
    /// For full blocks, and for a last one that is not full.
    responses: [RandomizedResponse; 2],
    cuts: Cuts,
}

/// What goes into a round: candidates in the order of blocks, and the weight of each block.
pub(super) struct Blocks {
    pub(super) in_block: usize,
    pub(super) members: Vec<u32>,
    pub(super) weights: Vec<f64>,
}

impl Round {
    /// `codes` are those of all candidates of the level.
    pub(super) fn new(campaign: &Campaign, index: usize, blocks: Blocks, codes: &[u32]) -> Self {
        let slot = campaign.schedule().slot(index);
        let length = slot.length as usize;
        let of = |&member: &u32| {
            let start = member as usize * length;
            codes[start..start + length].iter().copied()
        };
        let last = blocks.members.len() - (blocks.weights.len() - 1) * blocks.in_block;
        Self {
            campaign: campaign.parameters().id,
            index: index as u32,
            slot,
            in_block: blocks.in_block,
            codes: blocks.members.iter().flat_map(of).collect(),
            members: blocks.members,
            responses: [
                campaign.response(blocks.in_block).clone(),
                campaign.response(last).clone(),
            ],
            cuts: Cuts::new(&blocks.weights),
        }
    }

    /// Its number among the rounds of the campaign.
    pub fn index(&self) -> usize {
        self.index as usize
    }

    /// The length asked about, and the phase.
    pub fn slot(&self) -> Slot {
        self.slot
    }

    /// How many blocks there are; at least one.
    pub fn blocks(&self) -> usize {
        self.cuts.ends.len()
    }

    /// The share of the round's clients that a block has, of 2^64.
    pub fn width(&self, block: usize) -> u64 {
        let start = block
            .checked_sub(1)
            .map_or(0, |before| self.cuts.ends[before]);
        self.cuts.ends[block] - start
    }

    /// The block of a client that drew this word.
    #[inline]
    pub fn block_of(&self, drawn: u64) -> usize {
        self.cuts.of(drawn)
    }

    /// The candidates of a block, by their place in the level.
    pub(crate) fn members(&self, block: usize) -> &[u32] {
        let start = block * self.in_block;
        &self.members[start..(start + self.in_block).min(self.members.len())]
    }

    /// How a bit of this block's question is randomised.
    #[inline]
    pub(crate) fn response(&self, block: usize) -> &RandomizedResponse {
        let partial = (block + 1) * self.in_block > self.members.len();
        &self.responses[usize::from(partial)]
    }

    /// The question of a block, ready for many clients.
    #[inline]
    pub(crate) fn prepared(&self, block: usize) -> Prepared<'_> {
        let length = self.slot.length as usize;
        Prepared::new(length, self.codes_of(block), self.response(block))
    }

    #[inline]
    fn codes_of(&self, block: usize) -> &[u32] {
        let width = self.in_block * self.slot.length as usize;
        &self.codes[block * width..((block + 1) * width).min(self.codes.len())]
    }

    /// The question of a block as it is sent.
    pub fn question(&self, block: usize) -> Question {
        Question {
            campaign: self.campaign,
            round: self.index,
            block: block as u32,
            length: self.slot.length,
            codes: self.codes_of(block).to_vec(),
        }
    }

    /// An empty tally of this round.
    pub fn tally(&self) -> Tally {
        Tally {
            in_block: self.in_block,
            answers: vec![0; self.blocks()],
            yes: vec![0; self.members.len()],
        }
    }

    /// How many fragments the question of a block has.
    pub fn fragments(&self, block: usize) -> usize {
        self.members(block).len()
    }

    /// Checks that an answer belongs to this round and has the bits of its block.
    pub fn check(&self, answer: &Answer) -> Result<()> {
        let refused = |why| Err(Error::refused(format!("answer refused: {why}")));
        if answer.campaign != self.campaign || answer.round != self.index {
            return refused("it belongs to another round");
        }
        let block = answer.block as usize;
        if block >= self.blocks() || answer.fragments as usize != self.members(block).len() {
            return refused("it does not fit its question");
        }
        if answer.bits & !(u64::MAX >> (64 - answer.fragments)) != 0 {
            return refused("it has more bits than its question has fragments");
        }
        Ok(())
    }
}

/// The answers to a round, counted.
///
/// Tallies of one round add up, in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    in_block: usize,
    answers: Vec<u64>,
    yes: Vec<u64>,
}

impl Tally {
    /// A tally of a round that was counted elsewhere: for each block how many answered, and for each
    /// fragment, block after block, how many of them said yes.
    ///
    /// Numbers that no answers to this round could have are refused.
    pub fn from_counts(round: &Round, answers: Vec<u64>, yes: Vec<u64>) -> Result<Self> {
        let refused = |why: String| Err(Error::refused(format!("tally refused: {why}")));
        if answers.len() != round.blocks() || yes.len() != round.members.len() {
            return refused(format!(
                "it has {} blocks and {} fragments, and the round has {} and {}",
                answers.len(),
                yes.len(),
                round.blocks(),
                round.members.len()
            ));
        }
        let sum = answers.iter().try_fold(0_u64, |sum, &n| sum.checked_add(n));
        if sum.is_none_or(|sum| sum > MAX_POPULATION) {
            return refused("it has more answers than a campaign can have clients".into());
        }
        let of_blocks = yes.chunks(round.in_block).zip(&answers).enumerate();
        for (block, (yes, &answers)) in of_blocks {
            if let Some(more) = yes.iter().find(|&&yes| yes > answers) {
                return refused(format!("{more} of {answers} said yes in block {block}"));
            }
        }
        Ok(Self {
            in_block: round.in_block,
            answers,
            yes,
        })
    }

    /// Counts one client's bits.
    #[inline]
    pub fn add(&mut self, block: usize, bits: u64) {
        self.answers[block] += 1;
        if self.in_block == 1 {
            self.yes[block] += bits;
            return;
        }
        let start = block * self.in_block;
        let end = (start + self.in_block).min(self.yes.len());
        for (at, yes) in self.yes[start..end].iter_mut().enumerate() {
            *yes += bits >> at & 1;
        }
    }

    /// Counts many clients of a block: how many answered, and how many said yes to each fragment.
    pub(crate) fn add_many(&mut self, block: usize, answers: u64, yes: &[u64]) {
        self.answers[block] += answers;
        let start = block * self.in_block;
        for (sum, yes) in self.yes[start..].iter_mut().zip(yes) {
            *sum += yes;
        }
    }

    /// Whether another tally has the same questions, as far as their number tells.
    pub(super) fn fits(&self, other: &Tally) -> bool {
        self.in_block == other.in_block
            && self.answers.len() == other.answers.len()
            && self.yes.len() == other.yes.len()
    }

    /// Adds another tally of the same round; one of another round is a bug of the caller.
    #[must_use]
    pub fn merged(mut self, other: &Tally) -> Tally {
        debug_assert_eq!(self.yes.len(), other.yes.len());
        let add = |(sum, more): (&mut u64, &u64)| *sum += more;
        self.answers.iter_mut().zip(&other.answers).for_each(add);
        self.yes.iter_mut().zip(&other.yes).for_each(add);
        self
    }

    /// How many clients of a block answered.
    pub fn answers(&self, block: usize) -> u64 {
        self.answers[block]
    }

    /// How many said yes to each fragment of a block.
    pub fn yes(&self, block: usize) -> &[u64] {
        let start = block * self.in_block;
        &self.yes[start..(start + self.in_block).min(self.yes.len())]
    }
}

/// The unit interval cut into pieces by weight, with a table that leads near the right one.
#[derive(Clone, Debug)]
struct Cuts {
    /// Exclusive ends, of 2^64; the last piece also has the very last word.
    ends: Vec<u64>,
    /// For each value of the top bits, the first piece that can hold such a word.
    guide: Vec<u32>,
    shift: u32,
}

impl Cuts {
    /// At least one weight; weights are at least 0 and not all 0.
    fn new(weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let scale = 2_f64.powi(64) / total;
        let mut sum = 0.0;
        let mut ends: Vec<u64> = weights
            .iter()
            .map(|weight| {
                sum += weight;
                (sum * scale) as u64
            })
            .collect();
        if let Some(last) = ends.last_mut() {
            *last = u64::MAX;
        }
        let bits = ends.len().next_power_of_two().ilog2() + 1;
        let shift = 64 - bits;
        let guide = (0..1_u64 << bits)
            .map(|top| ends.partition_point(|&end| end <= top << shift) as u32)
            .collect();
        Self { ends, guide, shift }
    }

    #[inline]
    fn of(&self, drawn: u64) -> usize {
        let mut piece = self.guide[(drawn >> self.shift) as usize] as usize;
        while piece + 1 < self.ends.len() && self.ends[piece] <= drawn {
            piece += 1;
        }
        piece
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_guide_finds_what_a_search_finds(
            weights in proptest::collection::vec(0.0_f64..3.0, 1..70), drawn: u64, near: bool, at: usize,
        ) {
            prop_assume!(weights.iter().sum::<f64>() > 0.0);
            let cuts = Cuts::new(&weights);
            let drawn = match near {
                true => cuts.ends[at % cuts.ends.len()].wrapping_sub(drawn % 3),
                false => drawn,
            };
            let expected = cuts.ends.partition_point(|&end| end <= drawn).min(weights.len() - 1);
            prop_assert_eq!(cuts.of(drawn), expected);
        }
    }

    #[test]
    fn shares_are_the_weights() {
        let cuts = Cuts::new(&[1.0, 2.0, 1.0]);
        let quarter = 1_u64 << 62;
        assert_eq!(cuts.ends, [quarter, 3 * quarter, u64::MAX]);
        assert_eq!(cuts.of(u64::MAX), 2);
        assert_eq!(Cuts::new(&[0.3]).of(u64::MAX), 0);
    }
}
