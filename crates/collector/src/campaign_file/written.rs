//! The campaign file as written, before anything is checked but its shape.

use serde::Deserialize;
use toml::Spanned;

use super::named::Named;
use super::rounds::PerRound;

/// The whole file. Every value keeps its place, so that an error can name line and column.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) name: Spanned<String>,
    pub(super) universe: Spanned<String>,
    pub(super) asked: Spanned<Asked>,
    pub(super) rounds: Rounds,
    pub(super) admission: Spanned<Admission>,
    pub(super) service: Service,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub(super) clients: Spanned<u64>,
    pub(super) k: u64,
    pub(super) length: u32,
    pub(super) epsilon: Spanned<String>,
    #[serde(default = "one_per_cent")]
    pub(super) xi: f64,
    #[serde(default = "per_candidate")]
    pub(super) control: Control,
    #[serde(default = "one")]
    pub(super) per_client: u32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Control {
    PerCandidate,
    FamilyWise,
    FalseDiscovery,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rounds {
    pub(super) open_for: Spanned<PerRound<String>>,
    pub(super) quorum: Spanned<PerRound<u64>>,
    pub(super) enough: Option<Spanned<PerRound<u64>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Admission {
    pub(super) kind: AdmissionKind,
    pub(super) issuer: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) keys: Vec<Spanned<Named<Key>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Key {
    pub(super) file: String,
    pub(super) not_after_round: Option<u32>,
}

impl From<String> for Key {
    fn from(file: String) -> Self {
        Self {
            file,
            not_after_round: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AdmissionKind {
    Tokens,
    Open,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Service {
    pub(super) listen: Spanned<String>,
    pub(super) certificate: String,
    pub(super) key: String,
    pub(super) store: Spanned<String>,
    pub(super) requests_per_second: Option<Spanned<u32>>,
    pub(super) requests_at_once: Option<Spanned<u32>>,
    pub(crate) operator: Option<Spanned<String>>,
}

fn one_per_cent() -> f64 {
    0.01
}

fn per_candidate() -> Control {
    Control::PerCandidate
}

fn one() -> u32 {
    1
}
