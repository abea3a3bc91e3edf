//! What passes between a client and the collector, and its size.
//!
//! | message | from | carries |
//! | --- | --- | --- |
//! | [`Terms`] | collector, once for all clients | what a client needs to decide whether to take part, and the rounds |
//! | [`Question`] | collector | fragments |
//! | [`Answer`] | client | one bit for each fragment |
//!
//! Each has one form in bytes: decoding refuses every other spelling, never panics, and takes memory
//! in proportion to the bytes. The size is counted twice: as *information*, the logarithm of how many
//! different messages there are in that place, and as bytes on the wire.

pub(crate) mod wire;

use wayveil_core::{Epsilon, Rational, Result};

use crate::campaign::{Campaign, MAX_LENGTH, MAX_PER_CLIENT, Schedule};
use wire::{Kind, Reader, Writer, broken};

/// What a campaign asks of a client, published once before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Tells campaigns apart.
    pub campaign: u64,
    /// The size of the universe.
    pub locations: u32,
    /// The most fragments in one question.
    pub per_client: u32,
    /// The number of clients.
    pub population: u64,
    /// What is published shall be had by at least so many clients.
    pub k: u64,
    /// The privacy parameter of a client for the whole campaign.
    pub epsilon: Epsilon,
    /// The rounds and their shares.
    pub schedule: Schedule,
}

impl Terms {
    /// The terms of a campaign.
    pub fn of(campaign: &Campaign) -> Self {
        let parameters = campaign.parameters();
        Self {
            campaign: parameters.id,
            locations: parameters.locations,
            per_client: parameters.per_client,
            population: parameters.population,
            k: parameters.k,
            epsilon: parameters.epsilon.clone(),
            schedule: campaign.schedule().clone(),
        }
    }

    /// The longest fragment that is asked about.
    pub fn length(&self) -> u32 {
        let last = self.schedule.rounds().checked_sub(1);
        last.map_or(0, |round| self.schedule.slot(round).length)
    }

    /// The bytes of this message; none if ε has more digits than a campaign can have.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let parts = self.epsilon.value().to_u64_parts();
        let (numerator, denominator) = parts.ok_or_else(|| broken("ε has too many digits"))?;
        let mut to = Writer::new(Kind::Terms);
        to.number(self.campaign)
            .number(self.locations)
            .number(self.per_client)
            .number(self.population)
            .number(self.k)
            .number(numerator)
            .number(denominator)
            .number(self.length());
        for phases in self.schedule.widths_by_length() {
            to.number(phases.len() as u64);
            for width in phases {
                to.number(width);
            }
        }
        Ok(to.done())
    }

    /// Reads the message.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut from = Reader::new(Kind::Terms, bytes)?;
        let campaign = from.number()?;
        let locations = from.within(1, u32::MAX.into())? as u32;
        let per_client = from.within(1, MAX_PER_CLIENT.into())? as u32;
        let population = from.within(1, 1 << 53)?;
        let k = from.within(1, population)?;
        let epsilon = Epsilon::new(Rational::new(from.number()?, from.number()?)?)?;
        let mut widths = Vec::new();
        for _ in 0..from.within(1, MAX_LENGTH.into())? {
            let phases = from.within(1, bytes.len() as u64)?;
            widths.push((0..phases).map(|_| from.number()).collect::<Result<_>>()?);
        }
        from.end()?;
        let terms = Self {
            campaign,
            locations,
            per_client,
            population,
            k,
            epsilon,
            schedule: Schedule::from_widths(&widths)?,
        };
        // A fraction not in lowest terms, or shares beyond the whole, would be a second spelling.
        match terms.encode()? == bytes {
            true => Ok(terms),
            false => Err(broken("it is not in its one form")),
        }
    }
}

/// Fragments of one length that a client is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The campaign.
    pub campaign: u64,
    /// The round.
    pub round: u32,
    /// The block of the round: all clients of a block get the same question.
    pub block: u32,
    /// The length of each fragment.
    pub length: u32,
    /// The locations of the fragments, one fragment after the other.
    pub codes: Vec<u32>,
}

impl Question {
    /// How many fragments there are.
    pub fn fragments(&self) -> usize {
        self.codes.len() / self.length.max(1) as usize
    }

    /// The information in it for a client that knows the terms: which fragments, and the place of
    /// the question among so many rounds and blocks.
    pub fn information_bits(&self, locations: u32, rounds: usize, blocks: usize) -> f64 {
        question_bits(self.codes.len(), locations, rounds, blocks)
    }

    /// The bytes of this message.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer::new(Kind::Question);
        to.number(self.campaign)
            .number(self.round)
            .number(self.block)
            .number(self.length)
            .number(self.fragments() as u64);
        for &code in &self.codes {
            to.number(code);
        }
        to.done()
    }

    /// Reads the message.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut from = Reader::new(Kind::Question, bytes)?;
        let (campaign, round, block) = (from.number()?, from.small()?, from.small()?);
        let length = from.within(1, MAX_LENGTH.into())? as u32;
        let fragments = from.within(1, MAX_PER_CLIENT.into())? as u32;
        let codes = (0..length * fragments)
            .map(|_| from.small())
            .collect::<Result<_>>()?;
        from.end()?;
        Ok(Self {
            campaign,
            round,
            block,
            length,
            codes,
        })
    }
}

/// The information in a question of so many locations in all.
pub(crate) fn question_bits(codes: usize, locations: u32, rounds: usize, blocks: usize) -> f64 {
    codes as f64 * f64::from(locations).log2() + (rounds as f64).log2() + (blocks as f64).log2()
}

/// The bits of one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The campaign.
    pub campaign: u64,
    /// The round of the question.
    pub round: u32,
    /// The block of the question.
    pub block: u32,
    /// How many fragments the question had, which is the information in the answer in bits.
    pub fragments: u32,
    /// The bit of the i-th fragment is bit i.
    pub bits: u64,
}

impl Answer {
    /// The bytes of this message.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer::new(Kind::Answer);
        to.number(self.campaign)
            .number(self.round)
            .number(self.block)
            .number(self.fragments)
            .number(self.bits);
        to.done()
    }

    /// Reads the message.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut from = Reader::new(Kind::Answer, bytes)?;
        let (campaign, round, block) = (from.number()?, from.small()?, from.small()?);
        let fragments = from.within(1, MAX_PER_CLIENT.into())? as u32;
        let bits = from.within(0, u64::MAX >> (64 - fragments))?;
        from.end()?;
        Ok(Self {
            campaign,
            round,
            block,
            fragments,
            bits,
        })
    }
}

#[cfg(test)]
mod tests;
