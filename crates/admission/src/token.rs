//! A token's way: asked for, waited for, finished, checked.

use std::fmt;

use blind_rsa_signatures::{BlindMessage, BlindingResult, MessageRandomizer, Secret, Signature};
use rand_core::CryptoRng;
use sha2::{Digest, Sha256};
use wayveil_core::{Error, Result};

use crate::bytes::{Fields, broken};
use crate::key::{BlindSignature, BlindedMessage, KeyId, PublicKey, failed};

/// The mark and version of a request's bytes.
const MARK: &[u8] = b"WVR\x01";
const WHAT: &str = "token request";

/// What admits one answer: a random message and the issuer's signature of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The name of the key that it was signed with.
    pub key: KeyId,
    /// Drawn by the client, and hashed before the message.
    pub randomizer: [u8; 32],
    /// Drawn by the client; a token is known by it.
    pub message: [u8; 32],
    /// The signature, as long as the key.
    pub signature: Vec<u8>,
}

impl Token {
    /// Whether the key's owner signed it.
    pub fn verify(&self, key: &PublicKey) -> Result<()> {
        let forged = || Error::refused("the token's signature is not that of its key");
        if self.key != key.id() || !key.has_residue(&self.signature) {
            return Err(forged());
        }
        let randomizer = MessageRandomizer(self.randomizer);
        let signature = Signature(self.signature.clone());
        let verified = key.inner.verify(&signature, Some(randomizer), self.message);
        verified.map_err(|_| forged())
    }

    /// What a store keeps of a token that was used.
    pub fn spent_key(&self) -> [u8; 32] {
        Sha256::digest(self.message).into()
    }
}

/// A token that was asked for, with what takes the blinding off.
///
/// Who reads it can match the token to the request: it stays with the client and is forgotten when
/// the token is finished. It is kept before the request is sent, as an issuer signs one blinded
/// message for each person, ever.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenRequest {
    key: PublicKey,
    message: [u8; 32],
    blinding: BlindingResult,
}

impl TokenRequest {
    /// Draws a message and blinds it.
    pub fn new<R: CryptoRng + ?Sized>(key: &PublicKey, rng: &mut R) -> Result<Self> {
        let mut message = [0; 32];
        rng.fill_bytes(&mut message);
        let blinding = key.inner.blind(rng, message);
        Ok(Self {
            key: key.clone(),
            message,
            blinding: blinding.map_err(|error| failed("a token request", error))?,
        })
    }

    /// The key that is to sign it.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }

    /// What is sent to the issuer.
    pub fn blinded(&self) -> BlindedMessage {
        BlindedMessage(self.blinding.blind_message.0.clone())
    }

    /// Takes the blinding off the issuer's reply, and checks what is left.
    pub fn finish(&self, signature: &BlindSignature) -> Result<Token> {
        let refused = || {
            Error::refused("the issuer's reply is no signature of what was asked")
                .hint("ask again; if it stays so, the issuer signs with another key than announced")
        };
        if !self.key.has_residue(&signature.0) {
            return Err(refused());
        }
        let signature = blind_rsa_signatures::BlindSignature(signature.0.clone());
        let finished = self
            .key
            .inner
            .finalize(&signature, &self.blinding, self.message);
        let token = Token {
            key: self.key.id(),
            randomizer: self.randomizer(),
            message: self.message,
            signature: finished.map_err(|_| refused())?.0,
        };
        token.verify(&self.key)?;
        Ok(token)
    }

    fn randomizer(&self) -> [u8; 32] {
        // This form of the scheme always draws one.
        self.blinding
            .msg_randomizer
            .map_or([0; 32], |drawn| drawn.0)
    }

    /// The bytes to keep until the token is finished.
    pub fn to_bytes(&self) -> Vec<u8> {
        let spki = self.key.spki();
        // A key is at most 800 bytes long.
        let length = (spki.len() as u16).to_be_bytes();
        let parts: [&[u8]; 7] = [
            MARK,
            &length,
            spki,
            &self.message,
            &self.randomizer(),
            &self.blinding.secret.0,
            &self.blinding.blind_message.0,
        ];
        parts.concat()
    }

    /// Reads what was kept.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut from = Fields::after(MARK, WHAT, bytes)?;
        let length = u16::from_be_bytes(from.array()?);
        let key = PublicKey::from_spki(from.slice(length.into())?)?;
        let (message, randomizer) = (from.array()?, from.array()?);
        let secret = from.slice(key.signature_length())?;
        let blinded = from.slice(key.signature_length())?;
        from.end()?;
        if !key.has_residue(secret) || !key.has_residue(blinded) {
            return Err(broken(WHAT, "a number is not below the key's modulus"));
        }
        Ok(Self {
            key,
            message,
            blinding: BlindingResult {
                blind_message: BlindMessage(blinded.to_vec()),
                secret: Secret(secret.to_vec()),
                msg_randomizer: Some(MessageRandomizer(randomizer)),
            },
        })
    }
}

impl fmt::Debug for TokenRequest {
    /// Leaves out what would match the token to the request.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenRequest")
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
