//! What a campaign found, as a release: by the side of the one door that takes no records.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wayveil_collector::gate::Admit;
use wayveil_collector::service::Ended;
use wayveil_core::{Collected, Error, RandomSource, Result, Silent, publish_collected};
use wayveil_io::write_release;
use wayveil_ledger::Ledger;
use wayveil_mechanisms::fastpub::CollectedCampaign;

use super::super::publish::RECIPIENTS_PAGE;

/// Where the release goes, and in which books it stands.
pub(super) struct Target {
    pub(super) folder: PathBuf,
    pub(super) ledger: PathBuf,
    /// The people's name in the books; the campaign's unless given.
    pub(super) population: Option<String>,
}

impl Target {
    /// Books and writes the release; nothing is done where there is one already.
    pub(super) fn publish(&self, ended: &Ended) -> Result<()> {
        if is_there(&self.folder) {
            return Ok(());
        }
        let setup = &ended.setup;
        let name = self.population.clone();
        let collected = Collected {
            universe: Arc::new(setup.universe.clone()),
            population: name.unwrap_or_else(|| setup.name.clone()),
            units: setup.campaign.parameters().population,
        };
        let (rests_on, limits) = about_admission(&setup.admit);
        let findings = ended.findings.as_ref().clone();
        let method = CollectedCampaign::new(setup.campaign.clone(), findings, rests_on, limits);
        let mut ledger = Ledger::open(&self.ledger)?;
        let mut random = RandomSource::os()
            .map_err(|cause| Error::system("cannot read the system's random generator", cause))?;
        let booked = publish_collected(&collected, &method, &mut ledger, &mut random, &Silent)?;
        let page = Some(RECIPIENTS_PAGE);
        write_release(&self.folder, &booked, page, &mut ledger, false)?;
        Ok(())
    }
}

/// Whether a folder is a release already.
pub(super) fn is_there(folder: &Path) -> bool {
    folder.join("manifest.json").exists()
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
