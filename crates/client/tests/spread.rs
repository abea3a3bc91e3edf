//! The time between a token and the question that is asked with it.

mod common;

use std::time::Duration;

use common::phone::{Phone, QUESTION, SPREAD};
use wayveil_client::Outcome;

/// Who needs a token waits for a time that is drawn after it and before anything that tells the answer's
/// place; who needs none does not.
#[test]
fn tokens_and_answers_are_spread_in_time() {
    let mut phone = Phone::new(true, SPREAD);
    assert_eq!(phone.call(), Outcome::Counted);
    let asked = phone.asked();
    let at = |what: &str| {
        let found = asked.iter().position(|path| path.starts_with(what));
        found.unwrap_or_else(|| panic!("{what} in {asked:?}"))
    };
    assert!(at("/v1/tokens") < at("a wait"), "{asked:?}");
    for later in [QUESTION, "/v1/universe", "/v1/answers"] {
        assert!(at("a wait") < at(later), "{asked:?}");
    }
    let [waited] = phone.sleeper.clock.slept[..] else {
        panic!("{:?}", phone.sleeper.clock.slept);
    };
    assert!(!waited.is_zero() && waited < SPREAD, "{waited:?}");

    let mut open = Phone::new(false, SPREAD);
    assert_eq!(open.call(), Outcome::Counted);
    assert!(open.sleeper.clock.slept.is_empty());
}

/// With no patience a call says when to come back. One that comes too early is told the rest; at its time
/// it goes on. Neither is the wait begun anew by a restart, nor cut short by one.
#[test]
fn a_wait_goes_on_after_a_restart() {
    let mut phone = Phone::new(true, Duration::ZERO);
    let first = phone.waits();
    assert!(first > 2 && first <= SPREAD.as_secs(), "{first}");
    let begun = phone.sleeper.clock.now;
    for passed in [0, 1, first - 2] {
        phone.sleeper.clock.now = begun + Duration::from_secs(passed);
        assert_eq!(phone.waits(), first - passed);
    }
    // One token was had, and the wait is over for good even if the clock is set back then.
    phone.sleeper.clock.now = begun + Duration::from_secs(first);
    phone.sleeper.world.borrow_mut().open = vec![0, 1];
    let outcome = phone.call();
    let Outcome::Later { why, .. } = &outcome else {
        panic!("{outcome:?}");
    };
    assert!(why.contains("not open yet"), "{why}");
    phone.sleeper.clock.now = begun;
    assert_eq!(phone.call(), Outcome::Counted);
    assert_eq!(phone.sleeper.world.borrow().blinded.len(), 1);
}

#[test]
fn a_clock_that_is_set_back_begins_it_anew_and_no_more() {
    let mut phone = Phone::new(true, Duration::ZERO);
    let first = phone.waits();
    phone.sleeper.clock.now = Duration::from_secs(77);
    assert_eq!(phone.waits(), first);
    phone.sleeper.clock.now += Duration::from_secs(first);
    assert_eq!(phone.call(), Outcome::Counted);
}

/// An app stops a call that waits: what is left of it is waited for by the next one.
#[test]
fn a_wait_that_is_stopped_is_not_over() {
    let mut phone = Phone::new(true, 3 * SPREAD);
    phone.sleeper.is_stopped = true;
    let left = phone.waits();
    assert!(left > 2 && left <= SPREAD.as_secs(), "{left}");
    phone.sleeper.is_stopped = false;
    phone.sleeper.clock.slept.clear();
    assert_eq!(phone.call(), Outcome::Counted);
    let waited: Duration = phone.sleeper.clock.slept.iter().sum();
    assert_eq!(waited.as_secs() + 1, left);
}

/// A round that closes meanwhile is missed: the owner is told, and nothing was spent.
#[test]
fn a_round_that_closes_meanwhile_is_missed_and_costs_nothing() {
    let mut phone = Phone::new(true, Duration::ZERO);
    phone.waits();
    phone.sleeper.clock.now += SPREAD;
    phone.sleeper.world.borrow_mut().closed = true;
    let Outcome::Stopped { code, why } = phone.call() else {
        panic!("it is over");
    };
    assert_eq!(code, "closed");
    assert!(why.contains("nothing was spent"), "{why}");
    assert!(phone.sleeper.world.borrow().answers.is_empty());
}
