//! Who may answer, without anyone knowing who answered.
//!
//! A campaign that hands out *tokens* counts one answer for each. An *issuer* knows who asks for a
//! token and never sees an answer; the *collector* sees answers and tokens and never who asked for
//! them. What keeps the two apart is a blind signature: the issuer signs a message that it cannot
//! read, the client takes the blinding off, and what is left can be checked by anyone and matched to
//! nothing that the issuer saw, even if issuer and collector are one and keep everything.
//!
//! The scheme is RSABSSA-SHA384-PSS-Randomized of [RFC 9474](https://www.rfc-editor.org/rfc/rfc9474):
//! of its four forms one of the two that stay blind under a key that was made with ill intent.
//!
//! | module | |
//! | --- | --- |
//! | [`key`] | the issuer's key pair, its public part and how keys are named |
//! | [`keys`] | the public keys of a campaign, each good up to some round |
//! | [`token`] | what a client asks for, keeps meanwhile, and has in the end |
//! | [`code`] | what a person is handed, and asks for tokens with |
//! | [`order`] | what a client sends to the issuer, and what comes back |
//! | [`submission`] | what a client sends to the collector |
//!
//! Nothing here has a clock, a network or randomness that was not handed in.
//!
//! # What this does not do
//!
//! Clients of one key hide among each other. Who gives every client a key of its own tells them
//! apart, so keys are public, few, and compared: a client uses a key only if announcement and issuer
//! both name it. A key belongs to one campaign: a token says nothing of campaigns, and one that was
//! not used could be used in any other campaign that takes its key. And nothing here hides *when* a
//! client asked for its token and when it answered, or from which address.

mod bytes;
pub mod code;
pub mod key;
pub mod keys;
pub mod order;
pub mod submission;
pub mod token;

pub use code::Code;
pub use key::{BlindSignature, BlindedMessage, IssuerKey, KeyId, PublicKey};
pub use keys::{Accepted, Keys};
pub use order::{TokenGiven, TokenOrder};
pub use submission::{Admission, Submission};
pub use token::{Token, TokenRequest};

#[cfg(test)]
mod testing;
