//! The client: one trajectory that never leaves it, and at most one randomised answer that does.
//!
//! A client joins a campaign whose terms keep to its owner's limits, draws its round and its place before anything is
//! asked, and answers one question of that round, ever. The answer has one bit for each fragment of the question:
//! whether the trajectory has it, turned over by chance.
//!
//! # What is promised
//! ε-differential privacy, *locally*: whatever leaves the client about its trajectory, it would have left with nearly
//! the same probability (within a factor of e^ε) with any other trajectory. That a client takes part is not hidden.
//!
//! # Why it holds
//! *One answer.* A question has n fragments, and each bit of the answer is turned over with probability
//! η = 1/(1 + e^(ε/n)), independently, by an exact sampler. Let t and t′ be any two trajectories, short or empty ones
//! among them, and b any string of n bits. Given the question, the bits of the answer are independent, and
//! bit i equals b_i with probability 1 − η or η, according to t alone. So P[b | t]/P[b | t′] is a
//! product of n factors, each at most (1 − η)/η = e^(ε/n): at most e^ε. Nothing is asked of the
//! fragments: they may repeat, overlap, or be chosen from what other clients have answered, as a
//! client's own answers never reach its own question. The number of random words depends on the
//! words alone, not on t.
//!
//! *One answer only.* The same question again gets the same answer, as fresh noise could be averaged away, and any
//! other question is refused. ε is that of the terms, which the owner's limits bound, and n is the number of fragments
//! that were sent: the noise never depends on what a question says of itself. Round and place are drawn apart from
//! the trajectory, and whether the client answers does not depend on it.
//!
//! What keeps a second answer from leaving a phone that is switched off in the middle is told in `crates/client`.

mod answer;
mod saved;

use std::borrow::Cow;

use rand_core::Rng;
use wayveil_core::{Epsilon, Error, Result};

use crate::campaign::response;
use crate::message::{Answer, Question, Terms};

pub use answer::{Prepared, answer};
pub use saved::Saved;

/// What a client's owner agrees to, whatever a campaign asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest ε.
    pub epsilon: Epsilon,
    /// The most fragments in one question.
    pub per_client: u32,
    /// The longest fragment.
    pub length: u32,
}

impl Limits {
    /// Refuses terms that ask for more.
    pub fn check(&self, terms: &Terms) -> Result<()> {
        if terms.epsilon > self.epsilon {
            return Err(Error::refused(format!(
                "the campaign's epsilon {} is above the {} that this client accepts",
                terms.epsilon, self.epsilon
            ))
            .hint(more("--accept-epsilon", "acceptEpsilon")));
        }
        let asked_and_allowed = [
            (
                "fragments",
                terms.per_client,
                self.per_client,
                more("--accept-fragments", "acceptFragments"),
            ),
            (
                "visits in a fragment",
                terms.length(),
                self.length,
                more("--accept-length", "acceptLength"),
            ),
        ];
        for (what, asked, allowed, hint) in asked_and_allowed {
            if asked > allowed {
                return Err(Error::refused(format!(
                    "the campaign asks about {asked} {what}, and this client accepts {allowed}"
                ))
                .hint(hint));
            }
        }
        Ok(())
    }
}

/// How an owner accepts more.
fn more(flag: &str, setting: &str) -> String {
    format!(
        "nothing was answered; who wants to accept more says so with {flag}, in an app with {setting}"
    )
}

/// A client in one campaign.
///
/// It draws its round and its place before anything is asked, so that neither depends on its data. It
/// answers one question of that round, ever: the same question again gets the same answer, as fresh
/// noise could be averaged away, and any other is refused. It computes the noise from the number of
/// fragments it was sent and the ε of the terms, never from what a question says. Whether it answers
/// does not depend on its trajectory.
#[derive(Debug)]
pub struct Client<'a> {
    terms: Cow<'a, Terms>,
    trajectory: Cow<'a, [u32]>,
    round: Option<u32>,
    place: u64,
    given: Option<(Question, Answer)>,
}

impl Client<'static> {
    /// As [`Client::join`], for a client that keeps terms and trajectory itself.
    pub fn join_for_good<R: Rng + ?Sized>(
        terms: Terms,
        limits: &Limits,
        trajectory: Vec<u32>,
        rng: &mut R,
    ) -> Result<Self> {
        Self::joining(Cow::Owned(terms), limits, Cow::Owned(trajectory), rng)
    }
}

impl<'a> Client<'a> {
    /// Joins a campaign whose terms keep to the limits.
    pub fn join<R: Rng + ?Sized>(
        terms: &'a Terms,
        limits: &Limits,
        trajectory: &'a [u32],
        rng: &mut R,
    ) -> Result<Self> {
        Self::joining(Cow::Borrowed(terms), limits, Cow::Borrowed(trajectory), rng)
    }

    fn joining<R: Rng + ?Sized>(
        terms: Cow<'a, Terms>,
        limits: &Limits,
        trajectory: Cow<'a, [u32]>,
        rng: &mut R,
    ) -> Result<Self> {
        limits.check(&terms)?;
        Ok(Self {
            round: terms.schedule.round_of(rng.next_u64()),
            place: rng.next_u64(),
            given: None,
            terms,
            trajectory,
        })
    }

    /// The round in which it answers; none if it is not among the clients drawn.
    pub fn round(&self) -> Option<u32> {
        self.round
    }

    /// The uniform word that says which block of its round it is in.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Answers the question, or says why not.
    pub fn answer<R: Rng + ?Sized>(&mut self, question: &Question, rng: &mut R) -> Result<Answer> {
        if let Some((answered, given)) = &self.given {
            return match answered == question {
                true => Ok(*given),
                false => Err(Error::refused("this client has answered its one question")),
            };
        }
        self.check(question)?;
        let fragments = question.fragments();
        let response = response(&self.terms.epsilon, fragments)?;
        let prepared = Prepared::new(question.length as usize, &question.codes, &response);
        let given = Answer {
            campaign: question.campaign,
            round: question.round,
            block: question.block,
            fragments: fragments as u32,
            bits: answer(prepared, &self.trajectory, rng),
        };
        self.given = Some((question.clone(), given));
        Ok(given)
    }

    /// Checks the question against the terms; the trajectory is not looked at.
    fn check(&self, question: &Question) -> Result<()> {
        let refused = |why: &str| Err(Error::refused(format!("question refused: {why}")));
        if question.campaign != self.terms.campaign {
            return refused("it belongs to another campaign");
        }
        if self.round != Some(question.round) {
            return refused("it belongs to a round that is not this client's");
        }
        let slot = self.terms.schedule.slot(question.round as usize);
        if question.length != slot.length {
            return refused("its fragments are not of the length of its round");
        }
        let whole = question.codes.len() == question.fragments() * question.length as usize;
        if !whole || !(1..=self.terms.per_client as usize).contains(&question.fragments()) {
            return refused("it has more fragments than the terms allow, or none");
        }
        if question
            .codes
            .iter()
            .any(|&code| code >= self.terms.locations)
        {
            return refused("a location lies outside the universe");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
