//! The end of a campaign: what was found is published, and tried again until that works.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use wayveil_core::{Error, Result};

use super::{Ended, Publish};
use crate::engine::{Publication, Setup, View};

/// Waits for the end of a campaign, and publishes it.
pub(super) struct Ending {
    pub(super) view: watch::Receiver<Arc<View>>,
    pub(super) setup: Arc<Setup>,
    pub(super) publish: Arc<Publish>,
    /// Hears what has become of the release.
    pub(super) told: watch::Sender<Publication>,
    /// The time between two attempts.
    pub(super) pause: Duration,
}

impl Ending {
    /// Runs until there is a release or `stop` is done. An attempt that has begun is finished. Ends with why there is no
    /// release of a complete campaign.
    pub(super) async fn run(mut self, mut stop: oneshot::Receiver<()>) -> Result<()> {
        let complete = tokio::select! {
            biased;
            complete = self.view.wait_for(|view| view.findings.is_some()) => complete,
            _ = &mut stop => return Ok(()),
        };
        let findings = complete.ok().and_then(|view| view.findings.clone());
        let Some(findings) = findings else {
            return Ok(());
        };
        let ended = Ended {
            setup: self.setup.clone(),
            findings,
        };
        loop {
            let Err(error) = self.attempt(&ended).await else {
                tracing::info!("the campaign is complete and published");
                self.told.send_replace(Publication::Done);
                return Ok(());
            };
            self.failed(&error);
            tokio::select! {
                () = tokio::time::sleep(self.pause) => {}
                _ = &mut stop => return Err(error),
            }
        }
    }

    async fn attempt(&self, ended: &Ended) -> Result<()> {
        let (publish, ended) = (self.publish.clone(), ended.clone());
        let published = tokio::task::spawn_blocking(move || publish(&ended)).await;
        published.unwrap_or_else(|cause| Err(Error::system("publication broke off", cause)))
    }

    /// Tells why, and logs it where it was not the reason before. Everybody is told without the place, which is a path
    /// of the operator's.
    fn failed(&self, error: &Error) {
        let failed = Publication::Failed(error.message().to_owned());
        if *self.told.borrow() != failed {
            let advice = error.advice().unwrap_or("");
            tracing::error!(%error, advice, "what was found could not be published; it is tried again");
        }
        self.told.send_replace(failed);
    }
}
