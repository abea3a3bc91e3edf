//! What a client keeps of one campaign: a line with a hash, and a document of text.
//!
//! It never holds the trajectory. When the campaign ends for this client, all but the outcome goes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wayveil_admission::{Admission, Submission, Token, TokenRequest};
use wayveil_core::{Error, Result};
use wayveil_federated::client::Saved;
use wayveil_federated::message::Terms;

use crate::disk::Disk;
use crate::encoding::{array, from_hex, hex};
use crate::outcome::Outcome;
use crate::spread::Spread;

const VERSION: u32 = 1;

/// A client in one campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// Where it was joined.
    pub(crate) collector: String,
    pub(crate) stage: Stage,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// On its way.
    Joined(Box<Joined>),
    /// It has ended.
    Ended(Outcome),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Joined {
    /// As they were when the owner agreed.
    pub(crate) terms: Terms,
    pub(crate) universe: String,
    /// Where tokens are had; nobody where none are needed.
    pub(crate) issuer: Option<String>,
    pub(crate) saved: Saved,
    pub(crate) nonce: [u8; 16],
    pub(crate) pass: Pass,
    /// What is waited before the question is asked for, until it is over.
    pub(crate) spread: Option<Spread>,
    /// How often the question was, or may have been, asked for.
    pub(crate) tries: u32,
    /// What is sent, as soon as there is an answer.
    pub(crate) submission: Option<Submission>,
}

/// What admits the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// A token is needed, and was not asked for.
    Needed,
    /// It was, or may have been, asked for.
    Asked(TokenRequest),
    /// There it is.
    Had(Admission),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    collector: String,
    campaign: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    joined: Option<JoinedNote>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Outcome>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JoinedNote {
    terms: String,
    universe: String,
    issuer: Option<String>,
    saved: String,
    nonce: String,
    pass: PassNote,
    spread: Option<SpreadNote>,
    #[serde(default, skip_serializing_if = "none_yet")]
    tries: u32,
    submission: Option<String>,
}

fn none_yet(tries: &u32) -> bool {
    *tries == 0
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpreadNote {
    since: u64,
    lasts: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum PassNote {
    Needed,
    Asked(String),
    Ticket(String),
    Token {
        key: String,
        randomizer: String,
        message: String,
        signature: String,
    },
}

impl State {
    /// The name of a campaign's file.
    pub(crate) fn file(campaign: u64) -> String {
        format!("campaign-{campaign:016x}")
    }

    /// What is kept of a campaign, if anything is.
    pub(crate) fn read(disk: &dyn Disk, campaign: u64) -> Result<Option<Self>> {
        let Some(bytes) = disk.read(&Self::file(campaign))? else {
            return Ok(None);
        };
        let place = |error: Error| {
            error.in_file(Self::file(campaign)).hint(
                "it was changed from outside; this client takes no further part in the campaign",
            )
        };
        Self::parse(&bytes, campaign).map(Some).map_err(place)
    }

    fn parse(bytes: &[u8], campaign: u64) -> Result<Self> {
        let broken = |why: &str| Error::input(format!("the state of a campaign is damaged: {why}"));
        let text = std::str::from_utf8(bytes).map_err(|_| broken("it is no text"))?;
        let (hash, document) = text
            .split_once('\n')
            .ok_or_else(|| broken("it is cut off"))?;
        if hash != hex(&Sha256::digest(document)) {
            return Err(broken("its hash is another"));
        }
        let read: Document =
            serde_json::from_str(document).map_err(|error| broken(&error.to_string()))?;
        if read.version != VERSION || read.campaign != campaign.to_string() {
            return Err(broken("it is of another version or campaign"));
        }
        let stage = match (read.joined, read.ended) {
            (Some(joined), None) => Stage::Joined(Box::new(joined.read()?)),
            (None, Some(outcome)) => Stage::Ended(outcome),
            _ => return Err(broken("it has neither begun nor ended, or both")),
        };
        Ok(Self {
            collector: read.collector,
            stage,
        })
    }

    /// Keeps it, durably.
    pub(crate) fn keep(&self, disk: &mut dyn Disk, campaign: u64) -> Result<()> {
        let (joined, ended) = match &self.stage {
            Stage::Joined(joined) => (Some(JoinedNote::of(joined)?), None),
            Stage::Ended(outcome) => (None, Some(outcome.clone())),
        };
        let document = Document {
            version: VERSION,
            collector: self.collector.clone(),
            campaign: campaign.to_string(),
            joined,
            ended,
        };
        let document = serde_json::to_string(&document)
            .map_err(|error| Error::system("writing the state of a campaign", error))?;
        let bytes = format!("{}\n{document}", hex(&Sha256::digest(&document)));
        disk.replace(&Self::file(campaign), bytes.as_bytes())
    }
}

impl JoinedNote {
    fn of(joined: &Joined) -> Result<Self> {
        Ok(Self {
            terms: hex(&joined.terms.encode()?),
            universe: joined.universe.clone(),
            issuer: joined.issuer.clone(),
            saved: hex(&joined.saved.encode()),
            nonce: hex(&joined.nonce),
            pass: PassNote::of(&joined.pass),
            spread: (joined.spread).map(|Spread { since, lasts }| SpreadNote { since, lasts }),
            tries: joined.tries,
            submission: joined.submission.as_ref().map(|sent| hex(&sent.encode())),
        })
    }

    fn read(self) -> Result<Joined> {
        let submission = self
            .submission
            .map(|text| Submission::decode(&from_hex(&text)?));
        Ok(Joined {
            terms: Terms::decode(&from_hex(&self.terms)?)?,
            universe: self.universe,
            issuer: self.issuer,
            saved: Saved::decode(&from_hex(&self.saved)?)?,
            nonce: array(&self.nonce)?,
            pass: self.pass.read()?,
            spread: (self.spread).map(|SpreadNote { since, lasts }| Spread { since, lasts }),
            tries: self.tries,
            submission: submission.transpose()?,
        })
    }
}

impl PassNote {
    fn of(pass: &Pass) -> Self {
        match pass {
            Pass::Needed => Self::Needed,
            Pass::Asked(request) => Self::Asked(hex(&request.to_bytes())),
            Pass::Had(Admission::Ticket(ticket)) => Self::Ticket(hex(ticket)),
            Pass::Had(Admission::Token(token)) => Self::Token {
                key: token.key.to_string(),
                randomizer: hex(&token.randomizer),
                message: hex(&token.message),
                signature: hex(&token.signature),
            },
        }
    }

    fn read(self) -> Result<Pass> {
        Ok(match self {
            Self::Needed => Pass::Needed,
            Self::Asked(request) => Pass::Asked(TokenRequest::from_bytes(&from_hex(&request)?)?),
            Self::Ticket(ticket) => Pass::Had(Admission::Ticket(array(&ticket)?)),
            Self::Token {
                key,
                randomizer,
                message,
                signature,
            } => Pass::Had(Admission::Token(Token {
                key: key.parse()?,
                randomizer: array(&randomizer)?,
                message: array(&message)?,
                signature: from_hex(&signature)?,
            })),
        })
    }
}
