//! The one writer: takes all that waits, counts it in one transaction, and tells every sender.
//!
//! There is no delay to fill a batch. While one transaction is written, requests gather for the next.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::MissedTickBehavior;

use super::metrics::Metrics;
use crate::engine::{Engine, Publication, Verdict, View};
use crate::gate::Checked;

/// The most answers of one transaction.
const BATCH: usize = 512;

/// The most answers that wait. Beyond it clients are sent away, to come again.
const WAITING: usize = 4096;

/// How often time is looked at.
const TICK: Duration = Duration::from_secs(1);

/// One answer that waits, and where its verdict goes.
pub(crate) struct Waiting {
    checked: Checked,
    heard: oneshot::Sender<Option<Verdict>>,
}

/// The way to the writer. The writer ends when the last of these is gone.
#[derive(Clone)]
pub(crate) struct Queue(mpsc::Sender<Waiting>);

impl Queue {
    /// Hands an answer in; none if it cannot be kept now.
    pub(crate) async fn submit(&self, checked: Checked) -> Option<Verdict> {
        let (heard, hearing) = oneshot::channel();
        self.0.try_send(Waiting { checked, heard }).ok()?;
        hearing.await.ok().flatten()
    }
}

/// The writer of an engine, ready to run.
pub(crate) struct Writer {
    engine: Engine,
    waiting: mpsc::Receiver<Waiting>,
    view: watch::Sender<Arc<View>>,
    publication: watch::Receiver<Publication>,
    metrics: Arc<Metrics>,
}

impl Writer {
    /// A writer, the way to it, and what can be seen of the campaign.
    pub(crate) fn new(
        engine: Engine,
        publication: watch::Receiver<Publication>,
        metrics: Arc<Metrics>,
    ) -> (Self, Queue, watch::Receiver<Arc<View>>) {
        let (to, waiting) = mpsc::channel(WAITING);
        let (view, seen) = watch::channel(Arc::new(engine.view()));
        let writer = Self {
            engine,
            waiting,
            view,
            publication,
            metrics,
        };
        (writer, Queue(to), seen)
    }

    /// Runs until nobody can hand anything in any more, and gives the store back.
    pub(crate) async fn run(mut self) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                _ = ticks.tick() => {
                    let ticked = self.engine.tick().await;
                    self.noting(ticked);
                }
                first = self.waiting.recv() => match first {
                    Some(first) => self.count(first).await,
                    None => break,
                },
            }
            let publication = self.publication.borrow().clone();
            self.view.send_replace(Arc::new(View {
                publication,
                ..self.engine.view()
            }));
        }
        if let Err(error) = self.engine.stop().await {
            tracing::warn!(%error, "the time of the open round was not kept to the last second");
        }
    }

    async fn count(&mut self, first: Waiting) {
        let mut batch = vec![first];
        while batch.len() < BATCH
            && let Ok(next) = self.waiting.try_recv()
        {
            batch.push(next);
        }
        let checked: Vec<Checked> = batch.iter().map(|waiting| waiting.checked).collect();
        let verdicts = self.engine.submit(&checked).await;
        self.metrics.batch(batch.len());
        let verdicts: Vec<Option<Verdict>> = match self.noting(verdicts) {
            Some(verdicts) => verdicts.into_iter().map(Some).collect(),
            None => vec![None; batch.len()],
        };
        for (waiting, verdict) in batch.into_iter().zip(verdicts) {
            // A client that has gone away asks again.
            let _ = waiting.heard.send(verdict);
        }
    }

    /// Logs a failure of the store, once when it begins.
    fn noting<T>(&self, done: wayveil_core::Result<T>) -> Option<T> {
        match done {
            Ok(done) => Some(done),
            Err(error) => {
                if self.view.borrow().store_works {
                    tracing::error!(%error, "the store does not work; answers are not taken");
                }
                None
            }
        }
    }
}
