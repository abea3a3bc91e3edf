//! When the question is asked for, how often, and what the owner can still say before the answer leaves.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use common::faults::{Kill, Network};
use common::phone::{Phone, QUESTION, SPREAD};
use common::world::error;
use common::{call, code};
use wayveil_client::{Outcome, Reply, Settings};

/// The question's address names a place: it is asked for once, when its round, which is 1, is announced as open.
#[test]
fn the_question_is_asked_for_only_when_its_round_is_open() {
    for tokens in [false, true] {
        let mut phone = Phone::new(tokens, 10 * SPREAD);
        phone.settings.spread = Duration::ZERO;
        phone.sleeper.world.borrow_mut().open = vec![0, 0, 0, 1];
        assert_eq!(phone.call(), Outcome::Counted);
        let asked = phone.asked();
        let question = asked.iter().position(|path| path.starts_with(QUESTION));
        let (before, after) = asked.split_at(question.expect("it was asked for"));
        let times = |all: &[String], path: &str| all.iter().filter(|it| *it == path).count();
        assert_eq!(times(before, "/v1/campaign"), 4, "{asked:?}");
        assert_eq!(times(before, "a wait"), 3, "{asked:?}");
        assert_eq!(times(after, "a wait"), 0, "{asked:?}");
        let questions = asked.iter().filter(|path| path.starts_with(QUESTION));
        assert_eq!(questions.count(), 1, "{asked:?}");
        // Each wait is as long as the open round has left, and a little longer.
        let minute = Duration::from_secs(60);
        assert!(
            phone.sleeper.clock.slept.iter().all(|wait| *wait > minute),
            "{:?}",
            phone.sleeper.clock.slept
        );
    }
}

/// A call without patience says when to come back, and has told the collector nothing of its place.
#[test]
fn who_comes_before_the_round_is_told_when_to_come_back() {
    let mut phone = Phone::new(false, Duration::ZERO);
    phone.sleeper.world.borrow_mut().open = vec![0];
    assert!(phone.waits() >= 60);
    assert_eq!(phone.asked(), ["/v1/campaign"]);
    phone.sleeper.world.borrow_mut().open = vec![1];
    assert_eq!(phone.call(), Outcome::Counted);
}

/// The round is over before it was asked for: nothing was asked, nothing was spent.
#[test]
fn a_round_that_is_announced_as_past_is_missed_and_costs_nothing() {
    let mut phone = Phone::new(true, 10 * SPREAD);
    phone.sleeper.world.borrow_mut().open = vec![0, 2];
    let Outcome::Stopped { code, why } = phone.call() else {
        panic!("it is over");
    };
    assert_eq!(code, "closed");
    assert!(why.contains("nothing was spent"), "{why}");
    assert_eq!(phone.times(QUESTION), 0);
    assert_eq!(phone.booked(), 0);
}

/// While it waits for its round, the key of its token is put out of use: an answer would be given away for nothing.
#[test]
fn a_token_whose_key_ends_meanwhile_is_not_answered_with() {
    let mut phone = Phone::new(true, Duration::ZERO);
    phone.settings.spread = Duration::ZERO;
    phone.sleeper.world.borrow_mut().open = vec![0];
    phone.waits();
    assert_eq!(phone.sleeper.world.borrow().blinded.len(), 1);
    phone.sleeper.world.borrow_mut().announced = vec![(1, None), (0, Some(0))];
    phone.sleeper.world.borrow_mut().open = vec![1];
    let Outcome::Stopped { code, why } = phone.call() else {
        panic!("it cannot be answered");
    };
    assert_eq!(code, "expired");
    assert!(why.contains("nothing was spent"), "{why}");
    assert_eq!(phone.times(QUESTION), 0);
    assert_eq!(phone.booked(), 0);
}

/// The owner accepts less than when the campaign was joined: that counts, and accepting it again does too.
#[test]
fn an_owner_may_think_again_before_the_answer() {
    let mut phone = Phone::new(false, Duration::ZERO);
    phone.sleeper.world.borrow_mut().open = vec![0];
    phone.waits();
    phone.sleeper.world.borrow_mut().open = vec![1];
    let accepted = phone.settings.clone();
    let lower: [fn(&mut Settings); 2] = [
        |settings| settings.limits.epsilon = "0.5".parse().unwrap(),
        |settings| settings.total = "0.5".parse().unwrap(),
    ];
    for lower in lower {
        lower(&mut phone.settings);
        let refused = phone.try_call().unwrap_err();
        assert_eq!(refused.exit_code(), 1);
        assert_eq!(phone.times(QUESTION), 0);
        assert_eq!(phone.booked(), 0);
        phone.settings = accepted.clone();
    }
    assert_eq!(phone.call(), Outcome::Counted);
}

/// A collector that names no open round is not asked to find out.
#[test]
fn where_no_round_is_announced_as_open_no_question_is_asked_for() {
    for patience in [Duration::ZERO, SPREAD] {
        let mut phone = Phone::new(false, patience);
        phone.sleeper.world.borrow_mut().open = Vec::new();
        phone.waits();
        assert_eq!(
            phone.times("/v1/campaign"),
            phone.asked().len() - phone.times("a wait")
        );
        phone.sleeper.world.borrow_mut().open = vec![1];
        assert_eq!(phone.call(), Outcome::Counted);
        assert_eq!(phone.times(QUESTION), 1);
    }
}

/// A collector announces the round as open and refuses the question: it is asked again after the announcement was,
/// and after a wait that doubles.
#[test]
fn a_question_that_is_refused_is_not_asked_for_again_and_again() {
    let mut phone = Phone::new(false, 100 * SPREAD);
    phone.sleeper.world.borrow_mut().early = 5;
    assert_eq!(phone.call(), Outcome::Counted);
    let asked = phone.asked();
    let questions: Vec<usize> = (0..asked.len())
        .filter(|&at| asked[at].starts_with(QUESTION))
        .collect();
    assert_eq!(questions.len(), 6, "{asked:?}");
    for pair in questions.windows(2) {
        assert_eq!(asked[pair[0] + 1..pair[1]], ["a wait", "/v1/campaign"]);
    }
    for (at, wait) in phone.sleeper.clock.slept.iter().enumerate() {
        // Half of it is drawn; the collector asks for half a minute at least.
        let most = Duration::from_secs(10 << at);
        let asked = Duration::from_secs(30);
        let expected = (most / 2).max(asked)..=most.max(asked);
        assert!(expected.contains(wait), "{at}: {wait:?}");
    }
}

/// However a collector fails, and however often the app is started again, a day brings it a few requests for the
/// question; that it asks for a longer wait is heeded.
#[test]
fn a_day_of_failing_brings_a_few_questions() {
    let garbage = Reply {
        status: 200,
        retry_after: None,
        body: b"<html>Welcome to our caf\xc3\xa9</html>".to_vec(),
    };
    for (reply, patience) in [
        (error(425, "early"), Duration::ZERO),
        (error(503, "unavailable"), Duration::ZERO),
        (garbage, Duration::ZERO),
        (error(503, "unavailable"), Duration::from_secs(86_400)),
    ] {
        let mut phone = Phone::new(false, patience);
        let world = phone.sleeper.world.clone();
        world.borrow_mut().instead.insert("/question/", reply);
        let begun = phone.sleeper.clock.now;
        while phone.sleeper.clock.now < begun + Duration::from_secs(86_400) {
            assert!(!phone.call().is_final());
            // Often, as an app that does not heed when to come back.
            phone.sleeper.clock.now += Duration::from_secs(30);
        }
        let times = phone.times(QUESTION);
        assert!((8..=16).contains(&times), "{times}");
        world.borrow_mut().instead.clear();
        phone.sleeper.clock.now += Duration::from_secs(86_400 * 2);
        assert_eq!(phone.call(), Outcome::Counted);
    }
    let mut phone = Phone::new(false, Duration::ZERO);
    let slow = Reply {
        retry_after: Some(1000),
        ..error(429, "slow-down")
    };
    phone
        .sleeper
        .world
        .borrow_mut()
        .instead
        .insert("/question/", slow);
    let Outcome::Later { seconds, .. } = phone.call() else {
        panic!("it is not had");
    };
    assert!(seconds >= 1000, "{seconds}");
}

/// A process that is killed while it asks has asked.
#[test]
fn a_kill_does_not_make_waits_short_again() {
    let mut phone = Phone::new(false, Duration::ZERO);
    let killed = catch_unwind(AssertUnwindSafe(|| {
        let mut network = Network::sound(&phone.sleeper.world);
        // Announcement and places pass two points each, and keeping two things three each.
        let kill = Kill::after(Some(2 + 3 + 2 + 3 + 1));
        network.kill = kill.clone();
        call(
            &phone.settings,
            phone.folder.path(),
            &mut network,
            &kill,
            500,
        )
    }));
    assert!(killed.is_err());
    assert_eq!(phone.times(QUESTION), 1, "{:?}", phone.asked());
    phone.sleeper.clock.now = Duration::from_secs(3600 * 500);
    let Outcome::Later { seconds, .. } = phone.call() else {
        panic!("it waits");
    };
    assert!(seconds >= 5, "{seconds}");
    assert_eq!(phone.times(QUESTION), 1);
}

/// What everybody asks for is had first: if it fails, nothing was told of the place.
#[test]
fn places_are_had_and_checked_before_the_question() {
    let other = Reply {
        status: 200,
        retry_after: None,
        body: b"{}".to_vec(),
    };
    for reply in [error(503, "unavailable"), other] {
        let mut phone = Phone::new(false, SPREAD);
        let world = phone.sleeper.world.clone();
        world.borrow_mut().instead.insert("/v1/universe", reply);
        assert!(!phone.call().is_final());
        assert!(phone.times("/v1/universe") > 1);
        assert_eq!(phone.times(QUESTION), 0);
        world.borrow_mut().instead.clear();
        assert_eq!(phone.call(), Outcome::Counted);
        assert_eq!(phone.times(QUESTION), 1);
    }
}

/// Those who wait for the same round do not come at the same second, and not much later.
#[test]
fn clients_of_a_round_do_not_come_at_once() {
    let waits: Vec<u64> = (0..40)
        .map(|seed| {
            let mut phone = Phone::new(false, Duration::ZERO);
            phone.calls = seed;
            phone.sleeper.world.borrow_mut().open = vec![0];
            phone.sleeper.world.borrow_mut().closes_in = 600;
            phone.waits()
        })
        .collect();
    // A quarter of 600 seconds; 40 draws fall into one half of it with probability 2^-39.
    assert!(
        waits.iter().all(|wait| (600..=752).contains(wait)),
        "{waits:?}"
    );
    let (first, last) = (waits.iter().min().unwrap(), waits.iter().max().unwrap());
    assert!(*first < 676 && *last > 675, "{waits:?}");
}

/// A phone that was killed after it kept its answer and before it booked it: nothing has left.
fn kept_and_not_booked() -> Phone {
    for at in 0..100 {
        let phone = Phone::new(false, Duration::ZERO);
        let killed = catch_unwind(AssertUnwindSafe(|| {
            let kill = Kill::after(Some(at));
            let mut network = Network::sound(&phone.sleeper.world);
            call(&phone.settings, phone.folder.path(), &mut network, &kill, 1)
        }));
        assert!(killed.is_err());
        let state = std::fs::read_to_string(phone.folder.path().join("campaign-0000000000001092"));
        if state.is_ok_and(|it| it.contains("\"submission\":\"")) {
            assert_eq!(phone.booked(), 0);
            return phone;
        }
    }
    panic!("it is never so");
}

/// Until it is booked, the owner can say no, and yes again.
#[test]
fn an_owner_may_think_again_after_the_answer_was_kept() {
    let lower: [fn(&mut Settings); 2] = [
        |settings| settings.limits.epsilon = "0.5".parse().unwrap(),
        |settings| settings.total = "0.5".parse().unwrap(),
    ];
    for lower in lower {
        let mut phone = kept_and_not_booked();
        let accepted = phone.settings.clone();
        lower(&mut phone.settings);
        assert_eq!(phone.try_call().unwrap_err().exit_code(), 1);
        assert_eq!(phone.booked(), 0);
        assert_eq!(phone.times("/v1/answers"), 0);
        phone.settings = accepted;
        assert_eq!(phone.call(), Outcome::Counted);
        assert_eq!(phone.times(QUESTION), 1);
    }
}

/// What cannot be counted any more is not paid for, and stays.
#[test]
fn a_kept_answer_whose_round_is_over_is_not_booked() {
    let mut phone = kept_and_not_booked();
    phone.sleeper.world.borrow_mut().open = vec![2];
    assert_eq!(code(&phone.call()), "closed");
    assert_eq!(phone.booked(), 0);
    assert_eq!(phone.times("/v1/answers"), 0);
}
