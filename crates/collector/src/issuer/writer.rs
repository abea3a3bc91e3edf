//! The one writer: settles all claims that wait in one transaction, and tells every sender.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::store::{Claim, Claimed, IssuerStore};

/// The most claims of one transaction.
const BATCH: usize = 256;

/// The most claims that wait. Beyond it clients are sent away, to come again.
const WAITING: usize = 4096;

/// How often a store that failed is tried again.
const TRIED_EVERY: Duration = Duration::from_secs(1);

struct Waiting {
    claim: Claim,
    heard: oneshot::Sender<Option<Claimed>>,
}

/// The way to the writer. The writer ends when the last of these is gone.
pub(super) struct Queue {
    to: mpsc::Sender<Waiting>,
    works: Arc<AtomicBool>,
}

impl Queue {
    /// Hands a claim in; none if it cannot be kept now.
    pub(super) async fn settle(&self, claim: Claim) -> Option<Claimed> {
        let (heard, hearing) = oneshot::channel();
        self.to.try_send(Waiting { claim, heard }).ok()?;
        hearing.await.ok().flatten()
    }

    /// Whether the store worked when it was last used.
    pub(super) fn works(&self) -> bool {
        self.works.load(Ordering::Relaxed)
    }
}

pub(super) struct Writer {
    store: IssuerStore,
    waiting: mpsc::Receiver<Waiting>,
    works: Arc<AtomicBool>,
}

impl Writer {
    pub(super) fn new(store: IssuerStore) -> (Self, Queue) {
        let (to, waiting) = mpsc::channel(WAITING);
        let works = Arc::new(AtomicBool::new(true));
        let writer = Self {
            store,
            waiting,
            works: works.clone(),
        };
        (writer, Queue { to, works })
    }

    /// Runs until nobody can hand anything in any more, and gives the store back.
    pub(super) async fn run(mut self) {
        let mut ticks = tokio::time::interval(TRIED_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => {
                    if !self.works.load(Ordering::Relaxed) {
                        let probed = self.store.probe().await;
                        self.noting(probed);
                    }
                }
                first = self.waiting.recv() => match first {
                    Some(first) => self.settle(first).await,
                    None => break,
                },
            }
        }
        self.store.close().await;
    }

    async fn settle(&mut self, first: Waiting) {
        let mut batch = vec![first];
        while batch.len() < BATCH
            && let Ok(next) = self.waiting.try_recv()
        {
            batch.push(next);
        }
        let claims: Vec<Claim> = batch.iter().map(|waiting| waiting.claim.clone()).collect();
        let settled = self.store.settle(&claims).await;
        let settled: Vec<Option<Claimed>> = match self.noting(settled) {
            Some(settled) => settled.into_iter().map(Some).collect(),
            None => vec![None; batch.len()],
        };
        for (waiting, claimed) in batch.into_iter().zip(settled) {
            // A client that has gone away asks again.
            let _ = waiting.heard.send(claimed);
        }
    }

    /// Logs a failure of the store, once when it begins.
    fn noting<T>(&self, done: wayveil_core::Result<T>) -> Option<T> {
        let worked = self.works.swap(done.is_ok(), Ordering::Relaxed);
        if let Err(error) = &done
            && worked
        {
            tracing::error!(%error, "the store does not work; nothing is signed");
        }
        done.ok()
    }
}
