//! A campaign as its store tells it: closed rounds are played again, which leads to the same questions.

use wayveil_core::{Error, Result};
use wayveil_federated::campaign::Campaign;
use wayveil_federated::collector::{Collector, Round, Tally};

use crate::store::{CampaignState, KeptCounts, KeptRound, Store, damaged};

/// What was read.
pub(super) struct Rebuilt {
    pub(super) state: CampaignState,
    pub(super) rounds: Vec<KeptRound>,
    /// None after a failure, when counts are gone.
    pub(super) collector: Option<Collector>,
}

/// Reads a campaign; one that has not begun is begun.
pub(super) async fn rebuild(campaign: &Campaign, store: &mut Store) -> Result<Rebuilt> {
    let state = store.state().await?;
    let mut rounds = store.rounds().await?;
    if let CampaignState::Failed(_) = state {
        return Ok(Rebuilt {
            state,
            rounds,
            collector: None,
        });
    }
    let begun = campaign.clone();
    let mut collector = apart(move || Collector::new(begun)).await?;
    if rounds.is_empty() {
        let first = collector.open().map(Round::index);
        let first = first.ok_or_else(|| Error::input("this campaign has nothing to ask"))?;
        store.open_first(first as u32).await?;
        rounds = store.rounds().await?;
    }
    for kept in &rounds {
        let open = collector.open().map(Round::index);
        if open != Some(kept.round as usize) {
            return Err(damaged("its rounds are not those of this campaign"));
        }
        if !kept.open {
            collector = closed(collector, store, kept.answers).await?;
        }
    }
    let last_is_open = rounds.last().is_some_and(|round| round.open);
    let all_but_last_closed = rounds.iter().rev().skip(1).all(|round| !round.open);
    let running = state == CampaignState::Running;
    if last_is_open != running || !all_but_last_closed || running != collector.open().is_some() {
        return Err(damaged("its rounds do not fit the state of the campaign"));
    }
    Ok(Rebuilt {
        state,
        rounds,
        collector: Some(collector),
    })
}

/// The collector after its open round, with the counts of the store.
pub(super) async fn closed(
    mut collector: Collector,
    store: &mut Store,
    answers: u64,
) -> Result<Collector> {
    let Some(round) = collector.open() else {
        return Err(Error::refused("no round is open"));
    };
    let tally = tally(round, store.counts(round.index() as u32).await?, answers)?;
    apart(move || {
        collector.merge(&tally)?;
        collector.close()?;
        Ok(collector)
    })
    .await
}

/// Numbers of the store as a tally of the round; numbers that cannot be are a damaged store.
fn tally(round: &Round, counts: KeptCounts, expected: u64) -> Result<Tally> {
    let mut starts = vec![0];
    for block in 0..round.blocks() {
        starts.push(starts[block] + round.fragments(block));
    }
    let mut answers = vec![0; round.blocks()];
    let mut yes = vec![0; starts[round.blocks()]];
    let unknown = || damaged("it has counts of questions that were not asked");
    for (block, number) in counts.blocks {
        *answers.get_mut(block as usize).ok_or_else(unknown)? = number;
    }
    for (block, fragment, number) in counts.yes {
        let (block, fragment) = (block as usize, fragment as usize);
        if block >= round.blocks() || fragment >= round.fragments(block) {
            return Err(unknown());
        }
        yes[starts[block] + fragment] = number;
    }
    if answers.iter().sum::<u64>() != expected {
        return Err(damaged("the answers of its blocks do not add up"));
    }
    Tally::from_counts(round, answers, yes).map_err(|error| damaged(error.message()))
}

/// Decides on a thread of its own: with many candidates it takes a while.
pub(super) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(cause) => Err(Error::system("cannot decide a round", cause)),
    }
}
