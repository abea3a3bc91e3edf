//! The state machine of one campaign over its store: no network, and no clock that was not handed in.
//!
//! The store has the truth. The engine keeps what it needs to answer quickly, and reads it again
//! after every failure of the store, as it cannot know what took place. A process that dies at any
//! moment loses nothing that was answered with *counted*.

mod clock;
mod rebuild;
mod view;

use std::sync::Arc;
use std::time::Duration;

use wayveil_core::{Error, Result, Universe};
use wayveil_federated::campaign::Campaign;
use wayveil_federated::collector::{Collector, Findings};

use crate::campaign_file::RoundRules;
use crate::gate::{Admit, Checked, Refusal};
use crate::store::{Ballot, CampaignState, Entry, Outcome, Store};
pub use clock::{Clock, Monotonic};
use rebuild::{apart, closed, rebuild};
pub use view::{ClosedRound, OpenRound, Publication, View};

/// The most that one tick counts for: a clock that jumps ahead does not close a round.
pub const LONGEST_TICK: Duration = Duration::from_secs(10);

/// How much of a round's time may be forgotten by a crash.
const KEPT_EVERY: Duration = Duration::from_secs(5);

/// What a campaign is, for as long as the service runs.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Its name, for people.
    pub name: String,
    /// The public set of locations.
    pub universe: Universe,
    /// What is asked of whom.
    pub campaign: Campaign,
    /// When rounds close.
    pub rounds: RoundRules,
    /// Who may answer.
    pub admit: Admit,
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Counted, for good.
    Counted,
    /// Counted before.
    Repeated,
    /// Not counted.
    Refused(Refusal),
}

/// A campaign in progress.
pub struct Engine {
    setup: Arc<Setup>,
    store: Store,
    clock: Box<dyn Clock>,
    /// When the clock was last looked at.
    looked: Duration,
    state: CampaignState,
    /// Has the answers of closed rounds alone: those of the open one are in the store until it closes.
    collector: Option<Arc<Collector>>,
    open: Option<OpenRound>,
    /// How much of the open round's time the store knows.
    kept: Duration,
    past: Vec<ClosedRound>,
    findings: Option<Arc<Findings>>,
    /// The store failed, and what is here may not be what it has.
    stale: bool,
}

impl Engine {
    /// Begins a campaign, or goes on where its store left off.
    pub async fn start(setup: Arc<Setup>, store: Store, clock: Box<dyn Clock>) -> Result<Self> {
        let mut engine = Self {
            looked: clock.now(),
            setup,
            store,
            clock,
            state: CampaignState::Running,
            collector: None,
            open: None,
            kept: Duration::ZERO,
            past: Vec::new(),
            findings: None,
            stale: true,
        };
        engine.reload().await?;
        Ok(engine)
    }

    /// What the campaign is.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// What can be told of it now.
    pub fn view(&self) -> View {
        View {
            state: self.state.clone(),
            open: self.open.clone(),
            past: self.past.clone(),
            findings: self.findings.clone(),
            closed_rounds: self.collector.clone(),
            store_works: !self.stale,
            publication: Publication::Waiting,
        }
    }

    /// Gives the store back in good order.
    pub async fn stop(mut self) -> Result<()> {
        let kept = self.keep_elapsed().await;
        self.store.close().await;
        kept
    }

    /// Counts submissions in the order given; an error means that none of them has an answer yet.
    pub async fn submit(&mut self, batch: &[Checked]) -> Result<Vec<Verdict>> {
        if self.stale {
            // The next tick reads the store again; until then nobody waits for it.
            return Err(Error::system("cannot use the store", "it failed before"));
        }
        let standings: Vec<Standing> = batch.iter().map(|it| self.standing(it)).collect();
        let entries: Vec<Entry> = batch
            .iter()
            .zip(&standings)
            .filter_map(|(checked, standing)| standing.entry(checked))
            .collect();
        let outcomes = match entries.is_empty() {
            true => Vec::new(),
            false => self.count(&entries).await?,
        };
        let mut outcomes = outcomes.into_iter();
        let verdicts = standings
            .into_iter()
            .map(|standing| standing.verdict(&mut outcomes))
            .collect();
        if let Some(open) = &self.open
            && let Some(enough) = self.setup.rounds.of(open.index()).enough
            && open.answers >= enough
        {
            // These answers are counted whether or not this works; if not, a tick tries again.
            if let Err(error) = self.close_round().await {
                tracing::error!(%error, "a round could not be closed");
            }
        }
        Ok(verdicts)
    }

    /// Lets time pass, and closes the open round when its time is over.
    pub async fn tick(&mut self) -> Result<()> {
        let now = self.clock.now();
        let step = now.saturating_sub(self.looked).min(LONGEST_TICK);
        self.looked = now;
        if self.stale {
            self.reload().await?;
        }
        let forgotten = self.store.forget_what_is_left().await;
        self.noting(forgotten)?;
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        let rule = self.setup.rounds.of(open.index());
        open.elapsed += step;
        let over = open.elapsed >= rule.open_for;
        if rule.enough.is_some_and(|enough| open.answers >= enough) {
            return self.close_round().await;
        }
        match over {
            true if open.answers < rule.quorum => self.fail().await,
            true => self.close_round().await,
            false if open.elapsed >= self.kept + KEPT_EVERY => self.keep_elapsed().await,
            false => Ok(()),
        }
    }

    /// Whether a submission can be counted, as far as rounds go.
    fn standing(&self, checked: &Checked) -> Standing {
        let Some(open) = &self.open else {
            return Standing::Hopeless(Refusal::Closed);
        };
        let answer = &checked.answer;
        let index = open.round.index() as u32;
        match answer.round.cmp(&index) {
            std::cmp::Ordering::Less => Standing::LookedUp(Refusal::Closed),
            std::cmp::Ordering::Greater => Standing::LookedUp(Refusal::Early),
            std::cmp::Ordering::Equal => match open.round.check(answer) {
                Ok(()) => Standing::Countable(Ballot {
                    round: index,
                    block: answer.block,
                    bits: answer.bits,
                }),
                Err(error) => Standing::Hopeless(Refusal::Garbage(error.message().to_owned())),
            },
        }
    }

    async fn count(&mut self, entries: &[Entry]) -> Result<Vec<Outcome>> {
        let counted = self.store.count(entries).await;
        let outcomes = self.noting(counted)?;
        if let Some(open) = &mut self.open {
            let fresh = outcomes.iter().filter(|it| **it == Outcome::Counted);
            open.answers += fresh.count() as u64;
        }
        Ok(outcomes)
    }

    /// Remembers that the store failed.
    fn noting<T>(&mut self, done: Result<T>) -> Result<T> {
        self.stale |= done.is_err();
        done
    }

    async fn keep_elapsed(&mut self) -> Result<()> {
        let Some((round, elapsed)) = (self.open.as_ref()).map(|it| (it.index(), it.elapsed)) else {
            return Ok(());
        };
        let kept = self.store.set_elapsed(round, elapsed).await;
        self.noting(kept)?;
        self.kept = elapsed;
        Ok(())
    }

    /// Decides the open round; the next one is open afterwards, or the campaign is complete.
    async fn close_round(&mut self) -> Result<()> {
        let (Some(open), Some(collector)) = (&self.open, &self.collector) else {
            return Ok(());
        };
        let (index, answers) = (open.index(), open.answers);
        let decided = closed(Collector::clone(collector), &mut self.store, answers).await;
        let collector = self.noting(decided)?;
        let next = collector.open().map(|round| round.index() as u32);
        let kept = match next {
            Some(next) => self.store.advance(index, next).await,
            None => self.store.complete(index).await,
        };
        self.noting(kept)?;
        tracing::info!(round = index, answers, "round closed");
        self.end_round();
        self.opened(collector, Duration::ZERO, 0);
        if next.is_none() {
            self.state = CampaignState::Complete;
            self.find().await?;
        }
        Ok(())
    }

    /// The open round is one of the past.
    fn end_round(&mut self) {
        self.past.extend(self.open.take().map(|open| ClosedRound {
            index: open.index(),
            slot: open.round.slot(),
            answers: open.answers,
        }));
    }

    /// Ends the campaign: too few have answered.
    async fn fail(&mut self) -> Result<()> {
        let Some(open) = &self.open else {
            return Ok(());
        };
        let why = format!(
            "round {} had {} answers when its time was over, and at least {} are needed",
            open.index(),
            open.answers,
            self.setup.rounds.of(open.index()).quorum
        );
        let failed = self.store.fail(open.index(), &why).await;
        self.noting(failed)?;
        tracing::warn!(why, "campaign failed");
        self.end_round();
        self.collector = None;
        self.state = CampaignState::Failed(why);
        Ok(())
    }

    /// Reads again what a failure of the store has left in doubt.
    async fn reload(&mut self) -> Result<()> {
        let rebuilt = rebuild(&self.setup.campaign, &mut self.store).await?;
        let schedule = self.setup.campaign.schedule();
        let past = rebuilt.rounds.iter().filter(|round| !round.open);
        self.past = past
            .map(|kept| ClosedRound {
                index: kept.round,
                slot: schedule.slot(kept.round as usize),
                answers: kept.answers,
            })
            .collect();
        // Time that passed here while the store was away is not forgotten.
        let here = self.open.as_ref().map(|open| (open.index(), open.elapsed));
        self.state = rebuilt.state;
        (self.open, self.collector) = (None, None);
        if let (Some(kept), Some(collector)) = (rebuilt.rounds.last(), rebuilt.collector) {
            let elapsed = match here {
                Some((index, elapsed)) if index == kept.round => elapsed.max(kept.elapsed),
                _ => kept.elapsed,
            };
            self.opened(collector, elapsed, kept.answers);
            self.kept = kept.elapsed;
        }
        if self.state == CampaignState::Complete {
            self.find().await?;
        }
        self.stale = false;
        Ok(())
    }

    /// Takes over a collector and the round that it has open.
    fn opened(&mut self, collector: Collector, elapsed: Duration, answers: u64) {
        self.open = collector.open().map(|round| OpenRound {
            round: Arc::new(round.clone()),
            elapsed,
            answers,
        });
        self.kept = elapsed;
        self.collector = Some(Arc::new(collector));
    }

    /// Makes the findings of a complete campaign.
    async fn find(&mut self) -> Result<()> {
        if let Some(collector) = self.collector.clone() {
            let findings = apart(move || Ok(Collector::clone(&collector).finish())).await;
            self.findings = Some(Arc::new(self.noting(findings)?));
        }
        Ok(())
    }
}

/// How a submission stands before the store is asked.
enum Standing {
    Countable(Ballot),
    /// Only a repeat of what was counted gets another answer.
    LookedUp(Refusal),
    Hopeless(Refusal),
}

impl Standing {
    fn entry(&self, checked: &Checked) -> Option<Entry> {
        let ballot = match self {
            Self::Countable(ballot) => Some(*ballot),
            Self::LookedUp(_) => None,
            Self::Hopeless(_) => return None,
        };
        Some(Entry {
            token: checked.token,
            receipt: checked.receipt,
            ballot,
        })
    }

    fn verdict(self, outcomes: &mut impl Iterator<Item = Outcome>) -> Verdict {
        let (why, is_late) = match self {
            Self::Hopeless(why) => return Verdict::Refused(why),
            Self::LookedUp(why) => (why.clone(), why == Refusal::Closed),
            Self::Countable(_) => (Refusal::Closed, false),
        };
        match outcomes.next() {
            Some(Outcome::Counted) => Verdict::Counted,
            Some(Outcome::Repeated) => Verdict::Repeated,
            // Whoever repeats an answer to a closed round is told that its token was counted in time.
            Some(Outcome::Past) if is_late => Verdict::Repeated,
            Some(Outcome::Used | Outcome::Past) => Verdict::Refused(Refusal::Used),
            Some(Outcome::Absent) | None => Verdict::Refused(why),
        }
    }
}

#[cfg(test)]
mod tests;
