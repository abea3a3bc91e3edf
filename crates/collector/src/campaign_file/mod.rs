//! The campaign file: what an operator writes, checked as a whole before anything is opened.
//!
//! Everything that clients are asked, and when rounds close, follows from this file and from numbers
//! of answers. Its [`digest`](CampaignFile::digest) is kept in the store, so that a campaign cannot
//! be continued under other rules; where the service listens and which token keys it takes may change.

mod named;
mod rounds;
mod universe;
mod values;
mod written;

use std::net::SocketAddr;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::json;
use sha2::{Digest, Sha256};
use toml::Spanned;
use wayveil_core::{Epsilon, Error, Result, Universe};
use wayveil_federated::campaign::{Campaign, Control, Parameters};

pub(crate) use named::Named;
pub use rounds::{RoundRule, RoundRules};
pub use values::StoreAddress;
pub(crate) use written::Service as WrittenService;
use written::{AdmissionKind, Asked, Written};

/// A campaign file that was checked.
#[derive(Clone, Debug)]
pub struct CampaignFile {
    /// The campaign's name, for people.
    pub name: String,
    /// The public set of locations.
    pub universe: Universe,
    /// What is asked of whom.
    pub campaign: Campaign,
    /// When rounds close.
    pub rounds: RoundRules,
    /// Who may answer.
    pub admission: AdmissionRule,
    /// Where and how the service runs.
    pub service: ServiceSettings,
    /// SHA-256 of all that makes this campaign what it is.
    pub digest: [u8; 32],
}

/// Who may answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdmissionRule {
    /// Everybody, any number of times: for trials.
    Open,
    /// Whoever has a one-time token.
    Tokens {
        /// Where clients get tokens.
        issuer: String,
        /// The issuer's public keys, those first that clients are to use.
        keys: Vec<KeyRule>,
    },
}

/// A public key of the issuer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRule {
    /// Its file, PEM.
    pub file: PathBuf,
    /// The last round in which its tokens are taken, if that is not the campaign's last.
    pub not_after_round: Option<u32>,
}

/// Where and how the service runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceSettings {
    /// The address to listen at.
    pub listen: SocketAddr,
    /// The certificate chain, PEM.
    pub certificate: PathBuf,
    /// Its private key, PEM.
    pub key: PathBuf,
    /// Where counts are kept.
    pub store: StoreAddress,
    /// How often one address may ask.
    pub limit: AddressLimit,
    /// Where the operator's own page is served, on this machine alone.
    pub operator: Option<SocketAddr>,
}

/// How often one address may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressLimit {
    /// Requests in a second, for long.
    pub per_second: u32,
    /// Requests at once.
    pub burst: u32,
}

impl CampaignFile {
    /// Reads and checks a file. Paths in it are relative to its folder.
    pub fn read(path: &Path) -> Result<Self> {
        Source::read(path)?.check()
    }
}

/// A file's text, which errors are placed in.
pub(crate) struct Source {
    file: String,
    text: String,
    pub(crate) folder: PathBuf,
}

impl Source {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|cause| Error::input(format!("cannot be read: {cause}")).in_file(&file))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { file, text, folder })
    }

    /// The file's shape; nothing else is checked.
    pub(crate) fn written<T: DeserializeOwned>(&self, hint: &str) -> Result<T> {
        toml::from_str(&self.text).map_err(|cause| {
            let error = Error::input(cause.message().trim().to_owned());
            let span = cause.span().unwrap_or_default();
            self.placed(error, span).hint(hint)
        })
    }

    /// A campaign's name.
    pub(crate) fn name(&self, written: &Spanned<String>) -> Result<String> {
        let name = written.get_ref().trim().to_owned();
        if name.is_empty() || name.chars().count() > 200 || name.chars().any(char::is_control) {
            let error = Error::input("a campaign's name has 1 to 200 printable characters")
                .hint("name it as people know it");
            return Err(self.placed(error, written.span()));
        }
        Ok(name)
    }

    fn check(&self) -> Result<CampaignFile> {
        let written: Written =
            self.written("the form of a campaign file stands in docs/collector.md")?;
        let name = self.name(&written.name)?;
        let universe = universe::read(&self.folder.join(written.universe.get_ref()))?;
        let mut parameters = self.parameters(&written.asked, &universe)?;
        let asked = |parameters: &Parameters| {
            Campaign::new(parameters.clone())
                .map_err(|error| self.placed(error, written.asked.span()))
        };
        let campaign = asked(&parameters)?;
        let rounds = self.rounds(&written.rounds, &campaign)?;
        let admission = self.admission(&written.admission)?;
        let service = self.service(&written.service)?;
        let digest = digest(&name, &universe, &campaign, &rounds, &admission);
        // The same questions to the same people are the same campaign, wherever it runs: a client that
        // has answered it repeats its answer instead of giving another.
        parameters.id = u64::from_be_bytes(digest.as_chunks::<8>().0[0]);
        let campaign = asked(&parameters)?;
        self.covered(&campaign, &written.admission)?;
        Ok(CampaignFile {
            name,
            universe,
            campaign,
            rounds,
            admission,
            service,
            digest,
        })
    }

    /// Adds file, line and column to an error.
    pub(crate) fn placed(&self, error: Error, span: Range<usize>) -> Error {
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        error
            .in_file(&self.file)
            .at_line(line as u64)
            .at_column(column)
    }

    fn parameters(&self, asked: &Spanned<Asked>, universe: &Universe) -> Result<Parameters> {
        let given = asked.get_ref();
        let epsilon: Epsilon = (given.epsilon.get_ref().parse())
            .map_err(|error| self.placed(error, given.epsilon.span()))?;
        let locations = u32::try_from(universe.len())
            .map_err(|_| Error::input("the universe has too many locations"))?;
        let clients = *given.clients.get_ref();
        let mut parameters =
            Parameters::repaired(locations, given.length, clients, given.k, epsilon);
        parameters.xi = given.xi;
        parameters.per_client = given.per_client;
        parameters.control = match given.control {
            written::Control::PerCandidate => Control::PerCandidate,
            written::Control::FamilyWise => Control::FamilyWise,
            written::Control::FalseDiscovery => Control::FalseDiscovery,
        };
        Ok(parameters)
    }

    fn admission(&self, written: &Spanned<written::Admission>) -> Result<AdmissionRule> {
        let given = written.get_ref();
        let refused = |what: &str| Err(self.placed(Error::input(what), written.span()));
        match (given.kind, &given.issuer, given.keys.as_slice()) {
            (AdmissionKind::Open, None, []) => Ok(AdmissionRule::Open),
            (AdmissionKind::Open, ..) => refused("open admission has neither issuer nor keys"),
            (AdmissionKind::Tokens, None, _) => refused("admission by tokens needs an issuer"),
            (AdmissionKind::Tokens, Some(_), []) => {
                refused("admission by tokens needs the issuer's public keys")
            }
            (AdmissionKind::Tokens, Some(issuer), keys) => {
                let url = issuer.get_ref();
                if !url.starts_with("https://") || url.len() < 9 {
                    let error = Error::input(format!("invalid issuer (got {url:?})"))
                        .hint("write its address, beginning with https://");
                    return Err(self.placed(error, issuer.span()));
                }
                let keys = keys.iter().map(|key| KeyRule {
                    file: self.folder.join(&key.get_ref().0.file),
                    not_after_round: key.get_ref().0.not_after_round,
                });
                Ok(AdmissionRule::Tokens {
                    issuer: url.trim_end_matches('/').to_owned(),
                    keys: keys.collect(),
                })
            }
        }
    }

    /// Refuses last rounds of keys that there are not, and keys that leave rounds without any: a
    /// client of such a round would give up.
    fn covered(&self, campaign: &Campaign, written: &Spanned<written::Admission>) -> Result<()> {
        let last = campaign.schedule().rounds().saturating_sub(1) as u32;
        let keys = &written.get_ref().keys;
        for key in keys {
            let given = key.get_ref().0.not_after_round;
            if let Some(given) = given.filter(|given| *given > last) {
                let error = Error::input(format!(
                    "invalid not_after_round (got {given}): the last round is {last}"
                ))
                .hint("leave it out for a key that is good to the end");
                return Err(self.placed(error, key.span()));
            }
        }
        let ends = |key: &Spanned<Named<written::Key>>| {
            (key.get_ref().0.not_after_round).is_some_and(|given| given < last)
        };
        if !keys.is_empty() && keys.iter().all(ends) {
            let error = Error::input(format!("no key is good in the last round, {last}"))
                .hint("name a key without not_after_round, before the others");
            return Err(self.placed(error, written.span()));
        }
        Ok(())
    }

    pub(crate) fn service(&self, written: &WrittenService) -> Result<ServiceSettings> {
        let listen = written.listen.get_ref();
        let listen = listen.parse().map_err(|_| {
            let error = Error::input(format!("invalid address (got {listen:?})"))
                .hint("write an address and a port, such as 0.0.0.0:8443 or [::]:8443");
            self.placed(error, written.listen.span())
        })?;
        let store = StoreAddress::parse(written.store.get_ref(), &self.folder)
            .map_err(|error| self.placed(error, written.store.span()))?;
        Ok(ServiceSettings {
            listen,
            certificate: self.folder.join(&written.certificate),
            key: self.folder.join(&written.key),
            store,
            limit: self.limit(written)?,
            operator: written
                .operator
                .as_ref()
                .map(|it| self.operator(it))
                .transpose()?,
        })
    }

    fn limit(&self, written: &written::Service) -> Result<AddressLimit> {
        let above_zero = |given: &Option<Spanned<u32>>, otherwise: u32| match given {
            None => Ok(otherwise),
            Some(given) if *given.get_ref() > 0 => Ok(*given.get_ref()),
            Some(given) => {
                let error = Error::input("invalid limit of requests (got 0)")
                    .hint("it is at least 1; leave it out for the usual one");
                Err(self.placed(error, given.span()))
            }
        };
        Ok(AddressLimit {
            per_second: above_zero(&written.requests_per_second, 50)?,
            burst: above_zero(&written.requests_at_once, 200)?,
        })
    }

    /// The operator's page shows what is not published, without a password: it stays on this machine.
    fn operator(&self, written: &Spanned<String>) -> Result<SocketAddr> {
        let text = written.get_ref();
        let address = text.parse::<SocketAddr>().ok();
        match address.filter(|it| it.ip().to_canonical().is_loopback()) {
            Some(address) => Ok(address),
            None => {
                let error = Error::input(format!("invalid operator address (got {text:?})")).hint(
                    "the operator's page is for this machine alone: write 127.0.0.1:9090 or [::1]:9090; \
                     from elsewhere reach it by a tunnel, such as ssh -L 9090:127.0.0.1:9090",
                );
                Err(self.placed(error, written.span()))
            }
        }
    }
}

/// What must not change while a campaign runs, in one form.
fn digest(
    name: &str,
    universe: &Universe,
    campaign: &Campaign,
    rounds: &RoundRules,
    admission: &AdmissionRule,
) -> [u8; 32] {
    let parameters = campaign.parameters();
    let rule = |round: usize| {
        let rule = rounds.of(round as u32);
        json!([rule.open_for.as_secs(), rule.quorum, rule.enough])
    };
    let issuer = match admission {
        AdmissionRule::Open => None,
        AdmissionRule::Tokens { issuer, .. } => Some(issuer),
    };
    let document = json!({
        "wayveil": "campaign 1",
        "name": name,
        "universe": universe.digest(),
        "clients": parameters.population,
        "k": parameters.k,
        "length": parameters.length,
        "epsilon": parameters.epsilon.to_string(),
        "xi": parameters.xi,
        "control": format!("{:?}", parameters.control),
        "per_client": parameters.per_client,
        "lambda": parameters.lambda,
        "shares": parameters.shares,
        "max_candidates": parameters.max_candidates,
        "rounds": (0..campaign.schedule().rounds()).map(rule).collect::<Vec<_>>(),
        "issuer": issuer,
    });
    Sha256::digest(document.to_string()).into()
}

#[cfg(test)]
mod tests;
