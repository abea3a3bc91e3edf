//! What a client must not forget between joining and the campaign's end.
//!
//! A client that forgot its round could draw a better one, and a client that forgot its answer would
//! give another with fresh noise, which tells more than one answer may. So both are kept, and taken
//! up only where they fit the terms.

use std::borrow::Cow;

use wayveil_core::{Error, Result};

use super::Client;
use crate::message::wire::{Kind, Reader, Writer};
use crate::message::{Answer, Question, Terms};

/// A client in a campaign, without its terms and its trajectory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    round: Option<u32>,
    place: u64,
    given: Option<(Question, Answer)>,
}

impl Saved {
    /// The round in which the client answers; none if it is not among the clients drawn.
    pub fn round(&self) -> Option<u32> {
        self.round
    }

    /// The uniform word that says which block of its round it is in.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// The answer, if it was given.
    pub fn given(&self) -> Option<&Answer> {
        self.given.as_ref().map(|(_, answer)| answer)
    }

    /// The bytes to keep.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer::new(Kind::Saved);
        to.number(self.round.map_or(0, |round| u64::from(round) + 1))
            .number(self.place);
        if let Some((question, answer)) = &self.given {
            to.bytes(&question.encode()).bytes(&answer.encode());
        }
        to.done()
    }

    /// Reads what was kept; every other spelling is refused.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut from = Reader::new(Kind::Saved, bytes)?;
        let round = from.within(0, 1 << 32)?.checked_sub(1);
        let place = from.number()?;
        let given = match from.is_empty() {
            true => None,
            false => Some((
                Question::decode(from.bytes()?)?,
                Answer::decode(from.bytes()?)?,
            )),
        };
        from.end()?;
        Ok(Self {
            round: round.map(|round| round as u32),
            place,
            given,
        })
    }
}

impl Client<'_> {
    /// What must not be forgotten, the answer among it as soon as there is one.
    pub fn save(&self) -> Saved {
        Saved {
            round: self.round,
            place: self.place,
            given: self.given.clone(),
        }
    }
}

impl Client<'static> {
    /// Goes on where a client was saved, under the terms that it had joined under.
    pub fn restore(terms: Terms, trajectory: Vec<u32>, saved: Saved) -> Result<Self> {
        let unfit = |why: &str| {
            Err(Error::input(format!("invalid saved client: {why}"))
                .hint("a client goes on in the campaign that it joined, and in no other"))
        };
        let rounds = terms.schedule.rounds() as u64;
        if saved.round.is_some_and(|round| u64::from(round) >= rounds) {
            return unfit("its campaign has no such round");
        }
        let client = Self {
            round: saved.round,
            place: saved.place,
            given: None,
            terms: Cow::Owned(terms),
            trajectory: Cow::Owned(trajectory),
        };
        if let Some((question, answer)) = &saved.given {
            client.check(question)?;
            let fits = answer.campaign == question.campaign
                && answer.round == question.round
                && answer.block == question.block
                && answer.fragments as usize == question.fragments();
            if !fits {
                return unfit("its answer is not one to its question");
            }
        }
        Ok(Self {
            given: saved.given,
            ..client
        })
    }
}

#[cfg(test)]
mod tests;
