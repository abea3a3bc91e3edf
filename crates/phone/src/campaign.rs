//! A campaign as its owner-to-be sees it before deciding.

use wayveil_client::announcement::{Announcement, Who};

/// What a campaign asks, for the owner of the phone to decide on.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Record)]
pub struct Campaign {
    /// Its number, which the ledger names.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The ε of a phone for the whole campaign, exactly: "2", "1/3".
    pub epsilon: String,
    /// The most fragments in the one question that a phone is asked.
    pub fragments: u32,
    /// The most visits in a fragment.
    pub length: u32,
    /// The number of rounds. A phone answers in one of them at most.
    pub rounds: u32,
    /// How many people are asked to take part.
    pub people: u64,
    /// What is published shall be had by at least so many people.
    pub k: u64,
    /// The number of places that it knows.
    pub locations: u32,
    /// Who may answer.
    pub admission: Admission,
    /// Why it is over, if it is.
    pub over: Option<String>,
}

/// Who may answer.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum Admission {
    /// Anyone.
    Anyone,
    /// Who was given a code, which the issuer takes for a token.
    ByCode {
        /// The address of the issuer, as the collector says. It must be the one that the person was
        /// handed with the code.
        issuer: String,
    },
}

impl From<Announcement> for Campaign {
    fn from(announced: Announcement) -> Self {
        let terms = announced.terms;
        Self {
            id: terms.campaign.to_string(),
            name: announced.name,
            epsilon: terms.epsilon.to_string(),
            fragments: terms.per_client,
            length: terms.length(),
            rounds: u32::try_from(terms.schedule.rounds()).unwrap_or(u32::MAX),
            people: terms.population,
            k: terms.k,
            locations: terms.locations,
            admission: match announced.admission {
                Who::Anyone => Admission::Anyone,
                Who::WithToken { issuer, .. } => Admission::ByCode { issuer },
            },
            over: announced.over,
        }
    }
}
