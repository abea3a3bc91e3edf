//! What passes between a client and an issuer: JSON, as it is small and rare.

use ct_codecs::{Base64, Decoder, Encoder};
use serde::{Deserialize, Serialize};
use wayveil_core::{Error, Result};

use crate::code::Code;
use crate::key::{BlindSignature, BlindedMessage, KeyId, failed};

/// What a client asks an issuer for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenOrder {
    /// Who asks.
    pub code: Code,
    /// The key that is to sign.
    pub key: KeyId,
    /// What is to be signed.
    pub blinded: BlindedMessage,
}

/// An issuer's reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenGiven {
    /// The key that has signed.
    pub key: KeyId,
    /// The signature of what was sent.
    pub signature: BlindSignature,
}

/// Why a request is none.
#[derive(Clone, Debug)]
pub enum NoOrder {
    /// It is not of the protocol.
    Garbage(Error),
    /// It is, but somebody mistyped the code.
    Mistyped(Error),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderNote {
    code: String,
    key: String,
    blinded_message: String,
}

#[derive(Serialize, Deserialize)]
struct GivenNote {
    key: String,
    blind_signature: String,
}

impl TokenOrder {
    /// The longest request: with a key of 4096 bits.
    pub const MAX_BYTES: usize = 1024;

    /// The body of the request.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let note = OrderNote {
            code: self.code.text(),
            key: self.key.to_string(),
            blinded_message: base64(&self.blinded.0)?,
        };
        serde_json::to_vec(&note).map_err(|error| failed("a token request", error))
    }

    /// Reads the body of a request.
    pub fn decode(body: &[u8]) -> std::result::Result<Self, NoOrder> {
        if body.len() > Self::MAX_BYTES {
            return Err(NoOrder::Garbage(unreadable("it is too long")));
        }
        let note: OrderNote = serde_json::from_slice(body)
            // The cause may repeat what was sent, and with it a code.
            .map_err(|_| NoOrder::Garbage(unreadable("it is no JSON of the three fields")))?;
        // Nor is the name repeated: people put things where they do not belong.
        let key = note.key.parse();
        let key = key.map_err(|_| NoOrder::Garbage(unreadable("its key is no name of one")))?;
        let blinded = from_base64(&note.blinded_message).map_err(NoOrder::Garbage)?;
        Ok(Self {
            code: note.code.parse().map_err(NoOrder::Mistyped)?,
            key,
            blinded: BlindedMessage(blinded),
        })
    }
}

impl TokenGiven {
    /// The body of the reply.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let note = GivenNote {
            key: self.key.to_string(),
            blind_signature: base64(&self.signature.0)?,
        };
        serde_json::to_vec(&note).map_err(|error| failed("a reply", error))
    }

    /// Reads the body of a reply. Fields that this version does not know are passed over.
    pub fn decode(body: &[u8]) -> Result<Self> {
        let note: GivenNote = serde_json::from_slice(body)
            .map_err(|error| Error::input(format!("the issuer's reply cannot be read: {error}")))?;
        Ok(Self {
            key: note.key.parse()?,
            signature: BlindSignature(from_base64(&note.blind_signature)?),
        })
    }
}

fn unreadable(why: &str) -> Error {
    Error::input(format!("this is no request for a token: {why}"))
}

fn base64(bytes: &[u8]) -> Result<String> {
    Base64::encode_to_string(bytes).map_err(|error| failed("base64", error))
}

fn from_base64(text: &str) -> Result<Vec<u8>> {
    Base64::decode_to_vec(text, None)
        .map_err(|error| Error::input(format!("invalid base64: {error}")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{issuer, rng};

    fn order(length: usize) -> TokenOrder {
        TokenOrder {
            code: Code::draw(&mut rng(1)),
            key: issuer(0).public().id(),
            blinded: BlindedMessage(vec![0xFB; length]),
        }
    }

    #[test]
    fn orders_and_replies_come_back() {
        for length in [256, 384, 512] {
            let bytes = order(length).encode().unwrap();
            assert!(bytes.len() <= TokenOrder::MAX_BYTES);
            assert_eq!(TokenOrder::decode(&bytes).unwrap(), order(length));
        }
        let given = TokenGiven {
            key: issuer(0).public().id(),
            signature: BlindSignature(vec![9; 256]),
        };
        assert_eq!(TokenGiven::decode(&given.encode().unwrap()).unwrap(), given);
    }

    #[test]
    fn what_is_wrong_is_told_apart() {
        let good = String::from_utf8(order(256).encode().unwrap()).unwrap();
        let code = order(256).code.text();
        let wrong = good.replace(&code, &code.replace('-', "").replace(&code[..4], "0000"));
        let mistyped = TokenOrder::decode(wrong.as_bytes()).unwrap_err();
        assert!(matches!(mistyped, NoOrder::Mistyped(_)), "{mistyped:?}");
        for bad in [
            String::new(),
            "{}".to_owned(),
            good.replace("\"key\"", "\"Key\""),
            good.replace('}', ",\"more\":1}"),
            good.replace("+/v7", "-_v7"),
            good.replace(&order(256).key.to_string(), &code),
            good.clone() + " {}",
            good + &" ".repeat(TokenOrder::MAX_BYTES),
        ] {
            let error = TokenOrder::decode(bad.as_bytes()).unwrap_err();
            assert!(matches!(error, NoOrder::Garbage(_)), "{bad}: {error:?}");
            assert!(
                !format!("{error:?}").contains(&code),
                "a code is not repeated"
            );
        }
    }

    proptest! {
        #[test]
        fn changed_bytes_are_read_or_refused(at: usize, to: u8, cut: Option<u16>) {
            let mut bytes = order(256).encode().unwrap();
            let at = at % bytes.len();
            bytes[at] = to;
            bytes.truncate(cut.map_or(usize::MAX, usize::from));
            if let Ok(read) = TokenOrder::decode(&bytes) {
                prop_assert_eq!(TokenOrder::decode(&read.encode().unwrap()).unwrap(), read);
            }
        }
    }
}
