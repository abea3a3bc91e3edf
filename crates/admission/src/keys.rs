//! The public keys of a campaign: a new one can be added and an old one end without a pause.

use wayveil_core::{Error, Result};

use crate::key::{KeyId, PublicKey};
use crate::token::Token;

/// A key whose tokens are accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The key.
    pub key: PublicKey,
    /// The last round in which its tokens are accepted; all rounds if there is none.
    pub not_after_round: Option<u32>,
}

impl Accepted {
    /// Whether tokens of the key are good in a round.
    pub fn is_good_in(&self, round: u32) -> bool {
        self.not_after_round.is_none_or(|last| round <= last)
    }
}

/// Keys of different names, in the order in which they are announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys(Vec<Accepted>);

impl Keys {
    /// At least one key, none of them twice.
    pub fn new(keys: Vec<Accepted>) -> Result<Self> {
        if keys.is_empty() {
            return Err(Error::input("there is no key of an issuer")
                .hint("name the file of at least one public key"));
        }
        for (at, accepted) in keys.iter().enumerate() {
            let id = accepted.key.id();
            if keys[..at].iter().any(|earlier| earlier.key.id() == id) {
                return Err(Error::input(format!("the key {id} is named twice")));
            }
        }
        Ok(Self(keys))
    }

    /// The keys.
    pub fn all(&self) -> &[Accepted] {
        &self.0
    }

    /// The key of this name.
    pub fn get(&self, id: KeyId) -> Option<&Accepted> {
        self.0.iter().find(|accepted| accepted.key.id() == id)
    }

    /// The first key that is good in a round: what every client of that round uses, so that they
    /// hide among each other.
    pub fn for_round(&self, round: u32) -> Option<&PublicKey> {
        let mut good = self.0.iter().filter(|accepted| accepted.is_good_in(round));
        good.next().map(|accepted| &accepted.key)
    }

    /// Whether a token is good in a round; the refusal says why not.
    pub fn verify(&self, token: &Token, round: u32) -> Result<()> {
        let accepted = self.get(token.key).ok_or_else(|| {
            Error::refused("the token is of a key that this campaign does not know")
        })?;
        if !accepted.is_good_in(round) {
            return Err(Error::refused(
                "the token is of a key that is no longer accepted in this round",
            ));
        }
        token.verify(&accepted.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{issuer, token};

    fn accepted(which: usize, not_after_round: Option<u32>) -> Accepted {
        Accepted {
            key: issuer(which).public().clone(),
            not_after_round,
        }
    }

    #[test]
    fn keys_end_with_their_last_round() {
        let keys = Keys::new(vec![accepted(0, Some(3)), accepted(1, None)]).unwrap();
        let (old, new) = (token(0, 1), token(1, 2));
        for (round, old_is_good) in [(0, true), (3, true), (4, false), (u32::MAX, false)] {
            assert_eq!(keys.verify(&old, round).is_ok(), old_is_good, "{round}");
            assert!(keys.verify(&new, round).is_ok(), "{round}");
            let first = usize::from(!old_is_good);
            assert_eq!(keys.for_round(round), Some(issuer(first).public()));
        }
    }

    #[test]
    fn an_unknown_key_is_refused_even_where_the_token_is_sound() {
        let keys = Keys::new(vec![accepted(0, None)]).unwrap();
        let foreign = token(1, 3);
        assert!(foreign.verify(issuer(1).public()).is_ok());
        let error = keys.verify(&foreign, 0).unwrap_err();
        assert!(error.message().contains("does not know"), "{error}");
        // Under the name of a known key its signature is wrong.
        let renamed = Token {
            key: issuer(0).public().id(),
            ..foreign
        };
        assert!(keys.verify(&renamed, 0).is_err());
    }

    #[test]
    fn no_key_and_a_key_twice_are_refused() {
        assert!(Keys::new(vec![]).is_err());
        let twice = vec![accepted(0, Some(1)), accepted(0, None)];
        assert!(Keys::new(twice).is_err());
    }
}
