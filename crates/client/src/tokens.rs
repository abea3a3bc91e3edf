//! Having a token: what the issuer is asked, and what becomes of its reply.

use serde::{Deserialize, Serialize};
use wayveil_admission::{BlindSignature, KeyId, PublicKey, TokenRequest};
use wayveil_core::{Error, Result};

use crate::encoding::{base64, from_base64};
use crate::outcome::Outcome;
use crate::talk::{Heard, Talk};

#[derive(Deserialize)]
struct Issuer {
    keys: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

#[derive(Serialize)]
struct Wanted<'a> {
    code: &'a str,
    blinded_message: String,
}

#[derive(Deserialize)]
struct Given {
    key: String,
    blind_signature: String,
}

/// Whether the issuer itself names the key. A collector that announced a key of its own to one
/// client, to know its answer again, would need the issuer to do the same.
pub(crate) fn check_key(talk: &mut Talk<'_>, issuer: &str, key: &PublicKey) -> Heard<()> {
    let read = |body: &[u8]| -> Result<Issuer> {
        serde_json::from_slice(body)
            .map_err(|error| Error::input(format!("the issuer's keys cannot be read: {error}")))
    };
    let known = talk.get(&format!("{issuer}/v1/issuer"), 64 << 10, read)?;
    let id = key.id().to_string();
    match known.keys.iter().any(|named| named.id == id) {
        true => Ok(()),
        false => Err(Outcome::stopped(
            "issuer",
            format!("the collector announces the key {id}, which its issuer does not name"),
        )),
    }
}

/// Asks for the signature; whether it is one is seen when the token is finished.
pub(crate) fn ask(
    talk: &mut Talk<'_>,
    issuer: &str,
    code: &str,
    request: &TokenRequest,
) -> Result<Heard<BlindSignature>> {
    let wanted = Wanted {
        code,
        blinded_message: base64(&request.blinded().0)?,
    };
    let body = serde_json::to_vec(&wanted)
        .map_err(|error| Error::system("writing a token request", error))?;
    let given = talk.post(
        &format!("{issuer}/v1/tokens"),
        "application/json",
        &body,
        given,
    );
    let id = request.key().id();
    Ok(given.and_then(|(key, signature)| match key == id {
        true => Ok(signature),
        false => Err(Outcome::stopped(
            "issuer",
            format!("the issuer signs with the key {key} instead of {id}"),
        )),
    }))
}

fn given(body: &[u8]) -> Result<(KeyId, BlindSignature)> {
    let given: Given = serde_json::from_slice(body)
        .map_err(|error| Error::input(format!("the issuer's reply cannot be read: {error}")))?;
    let signature = from_base64(&given.blind_signature)?;
    Ok((given.key.parse()?, BlindSignature(signature)))
}
