//! What a collector says of its campaign, checked before anything is done about it.

use serde::Deserialize;
use wayveil_admission::{Accepted, Keys, PublicKey};
use wayveil_core::{Error, Result};
use wayveil_federated::message::Terms;

use crate::encoding::{from_base64, from_base64url};
use crate::url;

/// The most keys of issuers: clients of one key hide among each other, so there are few.
const MOST_KEYS: usize = 16;

/// A campaign as announced.
#[derive(Clone, Debug)]
pub struct Announcement {
    /// What it is called.
    pub name: String,
    /// What it asks of a client.
    pub terms: Terms,
    /// The SHA-256 of the document of locations, in hexadecimal.
    pub universe: String,
    /// Who may answer.
    pub admission: Who,
    /// Which round is open.
    pub open: Option<Open>,
    /// Why it is over, if it is.
    pub over: Option<String>,
}

/// The open round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Open {
    /// Which it is, from 0.
    pub index: u32,
    /// Seconds until its time is over.
    pub closes_in_seconds: u64,
}

/// Who may answer.
#[derive(Clone, Debug)]
pub enum Who {
    /// Anyone.
    Anyone,
    /// Who was given a token.
    WithToken {
        /// Where tokens are had, as the collector says. Whoever holds a code knows this from elsewhere.
        issuer: String,
        /// Whose tokens are good.
        keys: Keys,
    },
}

impl Who {
    /// The issuer that is announced, if any is.
    pub(crate) fn issuer(&self) -> Option<&str> {
        match self {
            Self::Anyone => None,
            Self::WithToken { issuer, .. } => Some(issuer),
        }
    }
}

#[derive(Deserialize)]
struct Document {
    protocol: u32,
    campaign: String,
    name: String,
    terms: String,
    universe: UniverseNote,
    admission: AdmissionNote,
    state: State,
    #[serde(default)]
    round: Option<Open>,
    why: Option<String>,
}

#[derive(Deserialize)]
struct UniverseNote {
    sha256: String,
    locations: u32,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum AdmissionNote {
    Open,
    Tokens { issuer: String, keys: Vec<KeyNote> },
}

#[derive(Deserialize)]
struct KeyNote {
    id: String,
    public_key: String,
    not_after_round: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Running,
    Complete,
    Failed,
}

impl Announcement {
    /// Reads the document. Fields that this version does not know are passed over.
    pub fn read(document: &[u8]) -> Result<Self> {
        let read: Document = serde_json::from_slice(document)
            .map_err(|error| broken(&format!("it cannot be read: {error}")))?;
        if read.protocol != 1 {
            return Err(broken("it is of another version of the protocol"));
        }
        let terms = Terms::decode(&from_base64url(&read.terms)?)?;
        if read.campaign != terms.campaign.to_string() {
            return Err(broken("it names another campaign than its terms"));
        }
        if read.universe.locations != terms.locations {
            return Err(broken(
                "it names another number of locations than its terms",
            ));
        }
        let why = |state: &str| read.why.clone().unwrap_or_else(|| format!("it is {state}"));
        Ok(Self {
            over: match read.state {
                State::Running => None,
                State::Complete => Some(why("complete")),
                State::Failed => Some(why("failed")),
            },
            open: read.round,
            name: read.name,
            terms,
            universe: read.universe.sha256,
            admission: who(read.admission)?,
        })
    }
}

fn who(note: AdmissionNote) -> Result<Who> {
    let AdmissionNote::Tokens { issuer, keys } = note else {
        return Ok(Who::Anyone);
    };
    if keys.len() > MOST_KEYS {
        return Err(broken("it has too many keys"));
    }
    let keys = keys.into_iter().map(accepted).collect::<Result<_>>()?;
    Ok(Who::WithToken {
        issuer: url::checked(&issuer)?,
        keys: Keys::new(keys)?,
    })
}

fn accepted(note: KeyNote) -> Result<Accepted> {
    let key = PublicKey::from_spki(&from_base64(&note.public_key)?)?;
    match key.id().to_string() == note.id {
        true => Ok(Accepted {
            key,
            not_after_round: note.not_after_round,
        }),
        false => Err(broken("a key is not the one of its name")),
    }
}

fn broken(why: &str) -> Error {
    Error::input(format!("invalid announcement of a campaign: {why}"))
}
