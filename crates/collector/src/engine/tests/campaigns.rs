//! Campaigns to the end, with processes that die.

use std::collections::BTreeSet;
use std::pin::pin;
use std::task::Poll;

use rand_core::Rng;
use wayveil_core::RandomSource;

use super::*;
use crate::campaign_file::StoreAddress;

/// Runs a future for so many turns; none if it was not done by then. What it was doing is cut off
/// there, as by a kill.
async fn for_turns<T>(turns: u64, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut left = turns;
    std::future::poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending if left == 0 => Poll::Ready(None),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

/// A campaign whose process dies now and then, also in the middle of a transaction.
struct Mortal<'a> {
    setup: Arc<Setup>,
    address: &'a StoreAddress,
    clock: HandClock,
    engine: Option<Engine>,
    kills: u32,
}

impl Mortal<'_> {
    async fn engine(&mut self) -> &mut Engine {
        if self.engine.is_none() {
            let engine = started(&self.setup, self.address, self.clock.clone()).await;
            self.engine = Some(engine);
        }
        self.engine.as_mut().unwrap()
    }

    fn die(&mut self) {
        self.engine = None;
        self.kills += 1;
    }

    /// Submits a batch, unless the process dies first.
    async fn submit(&mut self, batch: &[Checked], life: Option<u64>) -> Option<Vec<Verdict>> {
        let submitting = self.engine().await.submit(batch);
        let done = for_turns(life.unwrap_or(u64::MAX), submitting).await;
        if done.is_none() {
            self.die();
        }
        done.map(Result::unwrap)
    }

    async fn tick(&mut self, life: Option<u64>) {
        self.clock.advance(LONGEST_TICK);
        let ticking = self.engine().await.tick();
        match for_turns(life.unwrap_or(u64::MAX), ticking).await {
            None => self.die(),
            Some(done) => done.unwrap(),
        }
    }
}

/// 3,000 clients, random batches, repeats, kills in between and in the middle of writing. What is
/// found is what a collector finds that is simply given every answer once.
#[tokio::test]
async fn nothing_is_lost_and_nothing_counted_twice() {
    let setup = setup(3000, None);
    for fresh in fresh_stores().await {
        let mut rng = RandomSource::insecure_seed(5).stream();
        let mut people = Person::crowd(&setup, 3000);
        let mut plain = Collector::new(setup.campaign.clone()).unwrap();
        let mut mortal = Mortal {
            setup: setup.clone(),
            address: &fresh.address,
            clock: HandClock::default(),
            engine: None,
            kills: 0,
        };
        let mut counted = BTreeSet::new();
        while let Some(open) = mortal.engine().await.view().open {
            let index = open.index();
            assert_eq!(plain.open().unwrap().index() as u32, index);
            let mut waiting: Vec<usize> = (0..people.len())
                .filter(|&at| people[at].round() == Some(index))
                .collect();
            while !waiting.is_empty() {
                let size = (1 + rng.next_u64() as usize % 200).min(waiting.len());
                let mut who = waiting.split_off(waiting.len() - size);
                // Some send twice in one batch, others long after.
                who.extend(who.clone().into_iter().filter(|at| at % 7 == 0));
                who.extend(counted.iter().copied().filter(|at| at % 97 == 0));
                let batch: Vec<Checked> = (who.iter())
                    .map(|&at| match people[at].round() == Some(index) {
                        true => people[at].submission(&open.round),
                        false => people[at].again(),
                    })
                    .map(|bytes| checked(&setup, &bytes))
                    .collect();
                let life = rng
                    .next_u64()
                    .is_multiple_of(4)
                    .then(|| rng.next_u64() % 12);
                let Some(verdicts) = mortal.submit(&batch, life).await else {
                    // Nobody heard anything: all of them send again.
                    let heard: BTreeSet<usize> = counted.clone();
                    let again: BTreeSet<usize> =
                        who.into_iter().filter(|at| !heard.contains(at)).collect();
                    waiting.extend(again);
                    continue;
                };
                for (at, verdict) in who.into_iter().zip(verdicts) {
                    match verdict {
                        Verdict::Counted => assert!(counted.insert(at), "{at} counted twice"),
                        // Counted before; where a process died, without being told.
                        Verdict::Repeated => drop(counted.insert(at)),
                        Verdict::Refused(why) => panic!("{at}: {why:?}"),
                    }
                }
                if rng.next_u64().is_multiple_of(10) {
                    mortal.die();
                }
            }
            let answered = people.iter().filter(|it| it.round() == Some(index));
            for answer in answered.filter_map(|it| it.given) {
                plain.record(&answer).unwrap();
            }
            plain.close().unwrap();
            while mortal.engine().await.view().open.map(|it| it.index()) == Some(index) {
                let life = rng
                    .next_u64()
                    .is_multiple_of(2)
                    .then(|| rng.next_u64() % 25);
                mortal.tick(life).await;
            }
        }
        let (kills, view) = (mortal.kills, mortal.engine().await.view());
        assert_eq!(view.state, CampaignState::Complete);
        let expected = plain.finish();
        assert_eq!(expected.traffic.clients, counted.len() as u64);
        assert_eq!(*view.findings.unwrap(), expected);
        assert!(expected.released().count() > 0, "something is found");
        assert!(kills >= 5, "{kills} kills");
        // And once more from what is on disk.
        mortal.die();
        let again = mortal.engine().await.view();
        assert_eq!(*again.findings.unwrap(), expected);
    }
}

#[tokio::test]
async fn enough_answers_close_a_round_before_its_time() {
    let setup = setup(3000, Some(10));
    for fresh in fresh_stores().await {
        let mut engine = start(&setup, &fresh.address).await;
        let mut people = Person::crowd(&setup, 3000);
        while let Some(open) = engine.view().open {
            let index = open.index();
            let here = people.iter_mut().filter(|it| it.round() == Some(index));
            for person in here.take(10) {
                let bytes = person.submission(&open.round);
                assert_eq!(send(&mut engine, &bytes).await, Verdict::Counted);
            }
            assert_eq!(engine.view().past.last().unwrap().answers, 10);
            assert_ne!(engine.view().open.map(|it| it.index()), Some(index));
        }
        assert_eq!(engine.view().state, CampaignState::Complete);
        engine.stop().await.unwrap();
    }
}
