//! Whole campaigns through the engine, with clients of the real protocol.

mod campaigns;

use super::*;
use crate::gate;
use crate::store::Identity;
use crate::testing::fresh_stores;
use crate::testing::people::{HandClock, Person, setup};

const IDENTITY: Identity = Identity {
    id: 77,
    digest: [1; 32],
};

async fn start(setup: &Arc<Setup>, address: &crate::campaign_file::StoreAddress) -> Engine {
    started(setup, address, HandClock::default()).await
}

async fn started(
    setup: &Arc<Setup>,
    address: &crate::campaign_file::StoreAddress,
    clock: HandClock,
) -> Engine {
    let store = Store::open(address.clone(), IDENTITY).await.unwrap();
    let engine = Engine::start(setup.clone(), store, Box::new(clock)).await;
    engine.unwrap()
}

fn checked(setup: &Setup, bytes: &[u8]) -> Checked {
    gate::check(bytes, &setup.campaign, &setup.admit).unwrap()
}

/// Submits one person's bytes.
async fn send(engine: &mut Engine, bytes: &[u8]) -> Verdict {
    let one = checked(engine.setup(), bytes);
    engine.submit(&[one]).await.unwrap().remove(0)
}

/// The database's log could not be emptied when a round was closed: the next tick does it.
#[tokio::test]
async fn a_log_that_is_left_is_emptied_by_a_tick() {
    let setup = setup(200, None);
    let fresh = fresh_stores().await.remove(0);
    let mut engine = start(&setup, &fresh.address).await;
    let log = fresh.folder.path().join("campaign.db-wal");
    assert!(log.metadata().unwrap().len() > 0, "a round was opened");
    engine.tick().await.unwrap();
    assert!(
        log.metadata().unwrap().len() > 0,
        "nothing was to be emptied"
    );
    engine.store.leave_history();
    engine.tick().await.unwrap();
    assert_eq!(log.metadata().unwrap().len(), 0);
    assert!(!engine.store.has_history());
    engine.stop().await.unwrap();
}

#[tokio::test]
async fn every_submission_gets_its_verdict() {
    let setup = setup(200, None);
    for fresh in fresh_stores().await {
        let mut engine = start(&setup, &fresh.address).await;
        let mut people = Person::crowd(&setup, 3000);
        let view = engine.view();
        let open = view.open.unwrap();
        let here: Vec<usize> = (0..people.len())
            .filter(|&at| people[at].round() == Some(0))
            .collect();
        let first = people[here[0]].submission(&open.round);
        assert_eq!(send(&mut engine, &first).await, Verdict::Counted);
        assert_eq!(send(&mut engine, &first).await, Verdict::Repeated);
        // The same ticket with another nonce.
        let reused = people[here[0]].with_other_nonce(&open.round);
        assert_eq!(
            send(&mut engine, &reused).await,
            Verdict::Refused(Refusal::Used)
        );
        // An answer to a round that has not begun, and one that does not fit its question.
        let early = people[here[1]].claiming(&open.round, |answer| answer.round = 1);
        assert_eq!(
            send(&mut engine, &early).await,
            Verdict::Refused(Refusal::Early)
        );
        for unfit in [
            people[here[1]].claiming(&open.round, |answer| answer.block = 10_000),
            people[here[1]].claiming(&open.round, |answer| answer.fragments = 2),
        ] {
            let verdict = send(&mut engine, &unfit).await;
            assert!(matches!(verdict, Verdict::Refused(Refusal::Garbage(_))));
        }
        assert_eq!(engine.view().open.unwrap().answers, 1);
        engine.stop().await.unwrap();
    }
}

#[test]
fn the_gate_refuses_what_is_no_submission_of_this_campaign() {
    let setup = setup(50, None);
    let mut people = Person::crowd(&setup, 3000);
    let round = wayveil_federated::collector::Collector::new(setup.campaign.clone()).unwrap();
    let round = round.open().unwrap();
    let person = people.iter_mut().find(|it| it.round() == Some(0)).unwrap();
    let good = person.submission(round);
    let check = |bytes: &[u8]| gate::check(bytes, &setup.campaign, &setup.admit);
    assert!(check(&good).is_ok());
    let others = [
        Vec::new(),
        vec![0; 4096],
        good[1..].to_vec(),
        [good.as_slice(), &[0]].concat(),
        person.claiming(round, |answer| answer.campaign += 1),
        person.claiming(round, |answer| answer.round = 10_000),
    ];
    for bytes in others {
        assert!(matches!(check(&bytes), Err(Refusal::Garbage(_))));
    }
}

#[tokio::test]
async fn a_round_closes_when_its_time_is_over_and_late_answers_say_so() {
    let setup = setup(3000, None);
    for fresh in fresh_stores().await {
        let clock = HandClock::default();
        let mut engine = started(&setup, &fresh.address, clock.clone()).await;
        let open = engine.view().open.unwrap();
        let mut people = Person::crowd(&setup, 3000);
        let mut here: Vec<_> = (people.iter_mut())
            .filter(|it| it.round() == Some(0))
            .map(|it| it.submission(&open.round))
            .collect();
        let (late, last) = (here.pop().unwrap(), here.last().unwrap().clone());
        for bytes in &here {
            assert_eq!(send(&mut engine, bytes).await, Verdict::Counted);
        }
        // A jump of a year counts for one tick, and a step back for none.
        clock.set(Duration::from_secs(31_536_000));
        engine.tick().await.unwrap();
        clock.set(Duration::ZERO);
        engine.tick().await.unwrap();
        assert_eq!(engine.view().open.unwrap().elapsed, LONGEST_TICK);
        assert_eq!(engine.view().open.unwrap().index(), 0);
        while engine.view().past.is_empty() {
            clock.advance(LONGEST_TICK);
            engine.tick().await.unwrap();
        }
        let closed = engine.view().past[0];
        assert_eq!((closed.index, closed.answers), (0, here.len() as u64));
        assert_eq!(
            send(&mut engine, &late).await,
            Verdict::Refused(Refusal::Closed)
        );
        // Who did not hear the first time hears that it was counted.
        assert_eq!(send(&mut engine, &last).await, Verdict::Repeated);
        // What was used in a closed round admits nothing in the open one, nor in one to come.
        let open = engine.view().open.unwrap();
        let spent = (people.iter())
            .find(|it| it.given.is_some() && it.again() == last)
            .unwrap();
        for round in [open.index(), open.index() + 1] {
            let reused = spent.reusing(&open.round, round);
            assert_eq!(
                send(&mut engine, &reused).await,
                Verdict::Refused(Refusal::Used)
            );
        }
        assert_eq!(engine.view().open.unwrap().answers, 0);
        engine.stop().await.unwrap();
    }
}

#[tokio::test]
async fn time_passes_only_while_the_service_runs() {
    let setup = setup(200, None);
    for fresh in fresh_stores().await {
        let clock = HandClock::default();
        let mut engine = started(&setup, &fresh.address, clock.clone()).await;
        for _ in 0..2 {
            clock.advance(LONGEST_TICK);
            engine.tick().await.unwrap();
        }
        drop(engine);
        clock.advance(Duration::from_secs(1_000_000));
        let engine = started(&setup, &fresh.address, clock.clone()).await;
        assert_eq!(engine.view().open.unwrap().elapsed, 2 * LONGEST_TICK);
        engine.stop().await.unwrap();
    }
}

#[tokio::test]
async fn without_a_quorum_the_campaign_fails_and_stays_failed() {
    let setup = setup(200, None);
    for fresh in fresh_stores().await {
        let clock = HandClock::default();
        let mut engine = started(&setup, &fresh.address, clock.clone()).await;
        while engine.view().state == CampaignState::Running {
            clock.advance(LONGEST_TICK);
            engine.tick().await.unwrap();
        }
        let CampaignState::Failed(why) = engine.view().state else {
            panic!("{:?}", engine.view().state);
        };
        assert_eq!(
            why,
            "round 0 had 0 answers when its time was over, and at least 2 are needed"
        );
        drop(engine);
        let mut engine = start(&setup, &fresh.address).await;
        assert_eq!(engine.view().state, CampaignState::Failed(why));
        assert!(engine.view().findings.is_none() && engine.view().open.is_none());
        engine.tick().await.unwrap();
        let mut people = Person::crowd(&setup, 3000);
        let collector = Collector::new(setup.campaign.clone()).unwrap();
        let person = people.iter_mut().find(|it| it.round() == Some(0)).unwrap();
        let bytes = person.submission(collector.open().unwrap());
        assert_eq!(
            send(&mut engine, &bytes).await,
            Verdict::Refused(Refusal::Closed)
        );
        engine.stop().await.unwrap();
    }
}
