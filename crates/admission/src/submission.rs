//! What a client sends to the collector: an answer, and what admits it.
//!
//! ```text
//! "WVS" 1 │ kind │ nonce │ length │ answer, filled up with zeros │ ticket
//!    4       1      16       1                 32                  32              kind 0
//!                                                                  key, randomizer, message, signature
//!                                                                   32      32        32     256 to 512   kind 1
//! ```
//!
//! Every submission of a campaign has the same length, whatever the answer, so that the length of
//! what is sent tells nothing to who sees only that. Decoding refuses every other spelling, never
//! panics, and takes memory in proportion to the bytes.

use sha2::{Digest, Sha256};
use wayveil_core::Result;
use wayveil_federated::message::Answer;

use crate::bytes::{Fields, broken};
use crate::key::{BITS, KeyId};
use crate::token::Token;

/// The mark and version.
const MARK: &[u8] = b"WVS\x01";
const WHAT: &str = "submission";

/// No answer is longer: its head, and numbers of 64, 32, 32, 7 and 64 bits in groups of seven.
const ANSWER: usize = 1 + 10 + 5 + 5 + 1 + 10;

const OPEN: u8 = 0;
const TOKEN: u8 = 1;

/// What admits an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Anyone may answer. The random ticket only tells a repeat from another answer.
    Ticket([u8; 32]),
    /// Who was given a token may answer once.
    Token(Token),
}

impl Admission {
    /// What the store keeps, so that nothing is counted twice.
    pub fn spent_key(&self) -> [u8; 32] {
        match self {
            Self::Ticket(ticket) => Sha256::digest(ticket).into(),
            Self::Token(token) => token.spent_key(),
        }
    }
}

/// One answer on its way to the collector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// The answer.
    pub answer: Answer,
    /// Drawn by the client and kept with the answer: what a store keeps of the answer says nothing
    /// to who does not know it.
    pub nonce: [u8; 16],
    /// What admits it.
    pub admission: Admission,
}

impl Submission {
    /// The longest submission in bytes.
    pub const MAX_BYTES: usize = MARK.len() + 1 + 16 + 1 + ANSWER + 3 * 32 + BITS[2] / 8;

    /// SHA-256 of nonce and answer: the same for a repeat and for nothing else.
    pub fn receipt(&self) -> [u8; 32] {
        Sha256::new()
            .chain_update(self.nonce)
            .chain_update(self.answer.encode())
            .finalize()
            .into()
    }

    /// What the store keeps, so that nothing is counted twice.
    pub fn spent_key(&self) -> [u8; 32] {
        self.admission.spent_key()
    }

    /// The bytes of this message.
    pub fn encode(&self) -> Vec<u8> {
        let kind = match self.admission {
            Admission::Ticket(_) => OPEN,
            Admission::Token(_) => TOKEN,
        };
        let answer = self.answer.encode();
        let mut bytes = [MARK, &[kind], &self.nonce, &[answer.len() as u8]].concat();
        let end = bytes.len() + ANSWER;
        bytes.extend(answer);
        bytes.resize(end, 0);
        match &self.admission {
            Admission::Ticket(ticket) => bytes.extend(ticket),
            Admission::Token(token) => {
                bytes.extend(token.key.0);
                bytes.extend(token.randomizer);
                bytes.extend(token.message);
                bytes.extend(&token.signature);
            }
        }
        bytes
    }

    /// Reads the message. Whether a token is good is another question: see [`crate::Keys::verify`].
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut from = Fields::after(MARK, WHAT, bytes)?;
        let [kind] = from.array()?;
        let nonce = from.array()?;
        let [length] = from.array()?;
        let answer: [u8; ANSWER] = from.array()?;
        let Some((answer, filling)) = answer.split_at_checked(length.into()) else {
            return Err(broken(WHAT, "its answer is too long"));
        };
        if filling.iter().any(|&byte| byte != 0) {
            return Err(broken(WHAT, "it is not in its one form"));
        }
        let answer = Answer::decode(answer)?;
        let admission = match kind {
            OPEN => {
                let ticket = from.array()?;
                from.end()?;
                Admission::Ticket(ticket)
            }
            TOKEN => Admission::Token(token(from)?),
            _ => return Err(broken(WHAT, "what admits it is of an unknown kind")),
        };
        Ok(Self {
            answer,
            nonce,
            admission,
        })
    }
}

fn token(mut from: Fields<'_>) -> Result<Token> {
    let (key, randomizer, message) = (KeyId(from.array()?), from.array()?, from.array()?);
    let signature = from.rest();
    if !BITS.contains(&(signature.len() * 8)) {
        return Err(broken(WHAT, "its signature has the length of no key"));
    }
    Ok(Token {
        key,
        randomizer,
        message,
        signature: signature.to_vec(),
    })
}

#[cfg(test)]
mod tests;
