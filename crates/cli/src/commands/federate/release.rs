//! What a campaign found, as a release: by the side of the one door that takes no records.
//!
//! The entry is booked, the release is written beside its place and renamed, and the entry is marked as done. Whatever stops
//! this between two steps, doing it again goes on with the same entry, which the ledger knows by the campaign's
//! hash: there is one entry, and at last one release.

use std::path::PathBuf;
use std::sync::Arc;

use wayveil_collector::gate::Admit;
use wayveil_collector::service::Ended;
use wayveil_core::{Books, Collected, Error, RandomSource, Result, Silent, publish_collected};
use wayveil_io::{check_release_target, read_manifest, write_release};
use wayveil_ledger::{Chain, Ledger};
use wayveil_mechanisms::fastpub::CollectedCampaign;

use super::super::publish::RECIPIENTS_PAGE;

/// Where the release goes, and in which books it stands.
pub(super) struct Target {
    pub(super) folder: PathBuf,
    pub(super) ledger: PathBuf,
    /// The people's name in the books; the campaign's unless given.
    pub(super) population: Option<String>,
    /// The campaign's hash, which names its answers in the books.
    pub(super) answers: [u8; 32],
}

impl Target {
    /// Books and writes the release. Where this campaign's release is in its place already, only its entry is marked as done,
    /// if a crash has prevented that.
    pub(super) fn publish(&self, ended: &Ended) -> Result<()> {
        let mut ledger = Ledger::open(&self.ledger)?;
        let chain = ledger.chain()?;
        if let Some(entry) = self.found(&chain)? {
            return match chain.is_done(&entry) {
                true => Ok(()),
                false => ledger.done(&entry),
            };
        }
        // Not spent for a folder that is in the way.
        check_release_target(&self.folder, false)?;
        let setup = &ended.setup;
        let name = self.population.clone();
        let collected = Collected {
            universe: Arc::new(setup.universe.clone()),
            population: name.unwrap_or_else(|| setup.name.clone()),
            units: setup.campaign.parameters().population,
            answers: self.answers,
        };
        let (rests_on, limits) = about_admission(&setup.admit);
        let findings = ended.findings.as_ref().clone();
        let method = CollectedCampaign::new(setup.campaign.clone(), findings, rests_on, limits);
        let mut random = RandomSource::os()
            .map_err(|cause| Error::system("cannot read the system's random generator", cause))?;
        let booked = publish_collected(&collected, &method, &mut ledger, &mut random, &Silent)?;
        let page = Some(RECIPIENTS_PAGE);
        write_release(&self.folder, &booked, page, &mut ledger, false)?;
        Ok(())
    }

    /// The entry of this campaign's release, if that is in its place. A manifest names its entry, and the entry the
    /// campaign; a release of anything else is refused.
    pub(super) fn found(&self, chain: &Chain) -> Result<Option<String>> {
        let manifest = self.folder.join("manifest.json");
        if !manifest.exists() {
            return Ok(None);
        }
        let entry = read_manifest(&manifest)?.id;
        if chain.is_about(&entry, &self.answers) {
            return Ok(Some(entry));
        }
        Err(Error::refused(
            "there is a release already, and it is not known to be of this campaign",
        )
        .in_file(self.folder.display().to_string())
        .hint(
            "name another folder with -o; or, if it is of this campaign, the ledger that it \
                     was booked in with --ledger FILE",
        ))
    }
}

/// What the promise rests on, and what recipients must not expect, by who could answer.
fn about_admission(admit: &Admit) -> (Vec<String>, Vec<String>) {
    match admit {
        Admit::Tokens(_) => (
            vec![
                "Each person has one token: whoever answers with several gives away several times as \
                 much."
                    .into(),
            ],
            Vec::new(),
        ),
        Admit::Open => (
            vec!["Each person answers with one client, and that client answers once.".into()],
            vec![
                "Anybody could answer, as often as they liked: whoever wanted to could make any \
                 fragment look frequent."
                    .into(),
            ],
        ),
    }
}
