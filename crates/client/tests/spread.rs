//! The time between a token and the question that is asked with it.

mod common;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use common::faults::Network;
use common::world::World;
use common::{NoSleep, TRAJECTORY, phone, settings};
use tempfile::TempDir;
use wayveil_client::ledger::Ledger;
use wayveil_client::{Folder, Outcome, Settings, Sleeper, Tools, take_part};
use wayveil_core::{RandomSource, Result};

const SPREAD: Duration = Duration::from_secs(600);
const QUESTION: &str = "/v1/rounds/1/question/";

/// Notes among the requests when somebody waits.
struct Noted {
    world: Rc<RefCell<World>>,
    clock: NoSleep,
    /// Somebody stops the call: waiting ends before its time.
    is_stopped: bool,
}

impl Sleeper for Noted {
    fn sleep(&mut self, how_long: Duration) {
        self.world.borrow_mut().asked.push("a wait".to_owned());
        match self.is_stopped {
            true => self.clock.slept.push(how_long),
            false => self.clock.sleep(how_long),
        }
    }

    fn now(&self) -> Duration {
        self.clock.now
    }
}

struct Phone {
    folder: TempDir,
    settings: Settings,
    sleeper: Noted,
    calls: u64,
}

impl Phone {
    fn new(tokens: bool, patience: Duration) -> Self {
        let (folder, world) = phone(tokens);
        let mut settings = settings();
        (settings.spread, settings.patience) = (SPREAD, patience);
        let now = Duration::from_secs(1_000_000);
        let clock = NoSleep {
            now,
            ..NoSleep::default()
        };
        Self {
            folder,
            settings,
            sleeper: Noted {
                world,
                clock,
                is_stopped: false,
            },
            calls: 0,
        }
    }

    /// One call, as after a start of the app.
    fn call(&mut self) -> Outcome {
        self.try_call().unwrap()
    }

    fn try_call(&mut self) -> Result<Outcome> {
        self.calls += 1;
        let mut network = Network::sound(&self.sleeper.world);
        let tools = Tools {
            disk: &mut Folder::open(self.folder.path()).unwrap(),
            transport: &mut network,
            sleeper: &mut self.sleeper,
            random: &mut RandomSource::insecure_seed_for("spread", self.calls),
        };
        take_part(&self.settings, &TRAJECTORY, tools)
    }

    /// After how many seconds to call again, when nothing was asked for but the token.
    fn waits(&mut self) -> u64 {
        let outcome = self.call();
        let Outcome::Later { seconds, .. } = outcome else {
            panic!("{outcome:?}");
        };
        assert!(!self.asked().iter().any(|path| path.starts_with(QUESTION)));
        seconds
    }

    fn asked(&self) -> Vec<String> {
        self.sleeper.world.borrow().asked.clone()
    }
}

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
    phone.sleeper.world.borrow_mut().early = 1;
    assert!(!phone.call().is_final());
    assert!(phone.asked().iter().any(|path| path.starts_with(QUESTION)));
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
    assert!(!phone.asked().iter().any(|path| path.starts_with(QUESTION)));
    assert_eq!(ledger_of(&phone), 0);
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
    assert!(!phone.asked().iter().any(|path| path.starts_with(QUESTION)));
    assert_eq!(ledger_of(&phone), 0);
}

/// The owner accepts less than when the campaign was joined: that counts, and accepting it again does too.
#[test]
fn an_owner_may_think_again_before_the_answer() {
    let mut phone = Phone::new(false, Duration::ZERO);
    phone.sleeper.world.borrow_mut().open = vec![0];
    phone.waits();
    phone.sleeper.world.borrow_mut().open = vec![1];
    let accepted = phone.settings.limits.clone();
    phone.settings.limits.epsilon = "0.5".parse().unwrap();
    let refused = phone.try_call().unwrap_err();
    assert_eq!(refused.exit_code(), 1);
    assert!(!phone.asked().iter().any(|path| path.starts_with(QUESTION)));
    assert_eq!(ledger_of(&phone), 0);
    phone.settings.limits = accepted;
    assert_eq!(phone.call(), Outcome::Counted);
}

/// How many campaigns were paid for.
fn ledger_of(phone: &Phone) -> usize {
    let disk = Folder::open(phone.folder.path()).unwrap();
    Ledger::read(&disk).unwrap().len()
}
