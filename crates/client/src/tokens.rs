//! Having a token: what the issuer is asked, and what becomes of its reply.

use serde::Deserialize;
use wayveil_admission::{BlindSignature, Code, PublicKey, TokenGiven, TokenOrder, TokenRequest};
use wayveil_core::{Error, Result};

use crate::outcome::Outcome;
use crate::talk::{Heard, Talk};

/// When to ask again where services do not agree on keys yet, in seconds.
const CHANGING: u64 = 3600;

#[derive(Deserialize)]
struct Issuer {
    keys: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
    #[serde(default = "yes")]
    signs: bool,
}

fn yes() -> bool {
    true
}

/// Whether the issuer itself names the key. `issuer` is the address that was handed out with the code,
/// so a collector that announced a key of its own to one client, to know its answer again, would need
/// that issuer to do the same.
pub(crate) fn check_key(talk: &mut Talk<'_>, issuer: &str, key: &PublicKey) -> Heard<()> {
    let read = |body: &[u8]| -> Result<Issuer> {
        serde_json::from_slice(body)
            .map_err(|error| Error::input(format!("the issuer's keys cannot be read: {error}")))
    };
    let known = talk.get(&format!("{issuer}/v1/issuer"), 64 << 10, read)?;
    let id = key.id().to_string();
    match known.keys.iter().find(|named| named.id == id) {
        Some(named) if named.signs => Ok(()),
        Some(_) => Err(changing()),
        None => Err(Outcome::stopped(
            "issuer",
            format!("the collector announces the key {id}, which its issuer does not name"),
        )),
    }
}

/// The issuer has retired a key that the collector still announces first. No other key is taken: a
/// client that is sent to one that few others use would be known by it.
pub(crate) fn changing() -> Outcome {
    Outcome::Later {
        seconds: CHANGING,
        why: "the issuer signs nothing with the announced key any more".to_owned(),
    }
}

/// The collector does not announce the key of a token that it took before.
pub(crate) fn missing() -> Outcome {
    Outcome::Later {
        seconds: CHANGING,
        why: "the collector does not announce the key of this client's token; ask its operator to name it again"
            .to_owned(),
    }
}

/// What came of asking for a signature.
pub(crate) enum Asked {
    /// It came; whether it is one is seen when the token is finished.
    Signed(BlindSignature),
    /// The key signs nothing new, and this person has had no token.
    Retired,
    /// Nobody was given the code.
    UnknownCode,
}

/// Asks for the signature.
pub(crate) fn ask(
    talk: &mut Talk<'_>,
    issuer: &str,
    code: &Code,
    request: &TokenRequest,
) -> Result<Heard<Asked>> {
    let id = request.key().id();
    let order = TokenOrder {
        code: code.clone(),
        key: id,
        blinded: request.blinded(),
    };
    let given = talk.post(
        &format!("{issuer}/v1/tokens"),
        "application/json",
        &order.encode()?,
        TokenGiven::decode,
    );
    Ok(match given {
        Ok(given) if given.key == id => Ok(Asked::Signed(given.signature)),
        Ok(given) => Err(Outcome::stopped(
            "issuer",
            format!(
                "the issuer signs with the key {} instead of {id}",
                given.key
            ),
        )),
        Err(Outcome::Stopped { code, .. }) if code == "retired" => Ok(Asked::Retired),
        Err(Outcome::Stopped { code, .. }) if code == "unknown-code" => Ok(Asked::UnknownCode),
        Err(outcome) => Err(outcome),
    })
}
