//! The issuer's key pair, its public part, and how keys are named.

use std::fmt;
use std::str::FromStr;

use blind_rsa_signatures as rsa;
use blind_rsa_signatures::{PSS, Randomized, Sha384};
use rand_core::CryptoRng;
use sha2::{Digest, Sha256};
use wayveil_core::{Error, Result};

use crate::bytes::hex;

pub(crate) type Public = rsa::PublicKey<Sha384, PSS, Randomized>;
type Pair = rsa::KeyPair<Sha384, PSS, Randomized>;
type Secret = rsa::SecretKey<Sha384, PSS, Randomized>;

/// The length of a new key in bits, unless one is asked for.
pub const DEFAULT_BITS: usize = 3072;

/// The lengths that a key may have, in bits: whole bytes, so that a signature's length is the key's.
pub const BITS: [usize; 3] = [2048, 3072, 4096];

/// The one public exponent.
const EXPONENT: u32 = 65537;

/// The name of a public key: SHA-256 of its SubjectPublicKeyInfo in DER.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub [u8; 32]);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for KeyId {
    type Err = Error;

    /// Reads 64 hexadecimal digits in lower case.
    fn from_str(text: &str) -> Result<Self> {
        let refused = || {
            Error::input(format!("invalid name of a key (got {text:?})"))
                .hint("a key's name is 64 hexadecimal digits in lower case")
        };
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(refused()),
        };
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| refused())?;
        let mut id = [0; 32];
        for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(id))
    }
}

/// What an issuer is asked to sign without being able to read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlindedMessage(pub Vec<u8>);

/// An issuer's reply, of use only to who blinded the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlindSignature(pub Vec<u8>);

/// The public part of an issuer's key: makes requests and checks tokens.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    id: KeyId,
    spki: Vec<u8>,
    pub(crate) inner: Public,
}

impl PublicKey {
    /// Reads a SubjectPublicKeyInfo in DER, in its one form.
    pub fn from_spki(spki: &[u8]) -> Result<Self> {
        let key = Public::from_der(spki).map_err(|error| unreadable("public key", error))?;
        let key = Self::new(key)?;
        match key.spki == spki {
            true => Ok(key),
            false => Err(unreadable("public key", "it is not in its one form")),
        }
    }

    /// Reads the PEM that [`PublicKey::to_pem`] and `openssl rsa -pubout` write.
    pub fn from_pem(pem: &str) -> Result<Self> {
        Self::new(Public::from_pem(pem).map_err(|error| unreadable("public key", error))?)
    }

    fn new(inner: Public) -> Result<Self> {
        let spki = inner.to_der().map_err(|error| failed("a key", error))?;
        let (modulus, exponent) = (inner.components().n(), inner.components().e());
        let exponent = exponent
            .iter()
            .fold(0_u64, |e, &byte| e << 8 | u64::from(byte));
        let full = modulus.first().is_some_and(|&first| first >= 0x80);
        let bits = modulus.len() * 8;
        if exponent != u64::from(EXPONENT) || !full || !BITS.contains(&bits) {
            return Err(Error::input(format!(
                "invalid key (got {bits} bits, exponent {exponent})"
            ))
            .hint("an RSA key of 2048, 3072 or 4096 bits with exponent 65537 is needed"));
        }
        let id = KeyId(Sha256::digest(&spki).into());
        Ok(Self { id, spki, inner })
    }

    /// The key's name.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// The SubjectPublicKeyInfo in DER.
    pub fn spki(&self) -> &[u8] {
        &self.spki
    }

    /// The key as PEM.
    pub fn to_pem(&self) -> Result<String> {
        self.inner.to_pem().map_err(|error| failed("a key", error))
    }

    /// The length of a blinded message, a blind signature and a signature, in bytes.
    pub fn signature_length(&self) -> usize {
        self.inner.components().n().len()
    }

    /// Whether a blinded message is one that this key can sign.
    pub fn can_sign(&self, message: &BlindedMessage) -> bool {
        self.has_residue(&message.0)
    }

    /// Whether bytes are a number below the modulus, in its full length: the one form of what passes
    /// under this key.
    pub(crate) fn has_residue(&self, bytes: &[u8]) -> bool {
        let modulus = self.inner.components().n();
        bytes.len() == modulus.len() && bytes < modulus.as_slice()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PublicKey").field(&self.id).finish()
    }
}

/// An issuer's key pair.
pub struct IssuerKey {
    public: PublicKey,
    secret: Secret,
}

impl IssuerKey {
    /// Draws a key of so many [`BITS`].
    pub fn generate<R: CryptoRng + ?Sized>(bits: usize, rng: &mut R) -> Result<Self> {
        if !BITS.contains(&bits) {
            return Err(
                Error::input(format!("invalid length of a key (got {bits})"))
                    .hint("use 2048, 3072 or 4096 bits"),
            );
        }
        let pair = Pair::generate(rng, bits).map_err(|error| failed("a key", error))?;
        Self::new(pair.sk)
    }

    /// Reads the PEM of a private key (PKCS #8, or PKCS #1).
    pub fn from_pem(pem: &str) -> Result<Self> {
        let secret = Secret::from_pem(pem.trim());
        Self::new(secret.map_err(|error| unreadable("private key", error))?)
    }

    fn new(secret: Secret) -> Result<Self> {
        let public = secret.public_key();
        let public = PublicKey::new(public.map_err(|error| unreadable("private key", error))?)?;
        Ok(Self { public, secret })
    }

    /// The key as PEM (PKCS #8). Whoever has it can make tokens.
    pub fn to_pem(&self) -> Result<String> {
        self.secret.to_pem().map_err(|error| failed("a key", error))
    }

    /// The public part.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs what it cannot read. The randomness guards the key against measuring of time; the same
    /// message gets the same signature.
    pub fn sign<R: CryptoRng + ?Sized>(
        &self,
        message: &BlindedMessage,
        rng: &mut R,
    ) -> Result<BlindSignature> {
        if !self.public.has_residue(&message.0) {
            return Err(Error::input(format!(
                "invalid blinded message (got {} bytes): it is no number below the key's modulus",
                message.0.len()
            ))
            .hint("blind the message for this key, and send all of it"));
        }
        let signed = self.secret.blind_sign_with_rng(rng, &message.0);
        let signed = signed.map_err(|error| failed("a signature", error))?;
        Ok(BlindSignature(signed.0))
    }
}

impl fmt::Debug for IssuerKey {
    /// Leaves the secret out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssuerKey")
            .field("id", &self.public.id)
            .finish_non_exhaustive()
    }
}

fn unreadable(what: &str, why: impl fmt::Display) -> Error {
    Error::input(format!("invalid {what}: {why}"))
        .hint("an RSA key of 2048, 3072 or 4096 bits with exponent 65537 is needed")
}

pub(crate) fn failed(making: &str, why: impl fmt::Display) -> Error {
    Error::system(format_args!("making {making}"), why)
}

#[cfg(test)]
mod tests;
