//! A phone whose waits are noted among its requests.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use tempfile::TempDir;
use wayveil_client::ledger::Ledger;
use wayveil_client::{Folder, Outcome, Settings, Sleeper, Tools, take_part};
use wayveil_core::{RandomSource, Result};

use super::faults::Network;
use super::world::World;
use super::{NoSleep, TRAJECTORY, settings};

pub(crate) const SPREAD: Duration = Duration::from_secs(600);
pub(crate) const QUESTION: &str = "/v1/rounds/1/question/";

/// Notes among the requests when somebody waits.
pub(crate) struct Noted {
    pub(crate) world: Rc<RefCell<World>>,
    pub(crate) clock: NoSleep,
    /// Somebody stops the call: waiting ends before its time.
    pub(crate) is_stopped: bool,
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

pub(crate) struct Phone {
    pub(crate) folder: TempDir,
    pub(crate) settings: Settings,
    pub(crate) sleeper: Noted,
    pub(crate) calls: u64,
}

impl Phone {
    pub(crate) fn new(tokens: bool, patience: Duration) -> Self {
        let (folder, world) = super::phone(tokens);
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
    pub(crate) fn call(&mut self) -> Outcome {
        self.try_call().unwrap()
    }

    pub(crate) fn try_call(&mut self) -> Result<Outcome> {
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
    pub(crate) fn waits(&mut self) -> u64 {
        let outcome = self.call();
        let Outcome::Later { seconds, .. } = outcome else {
            panic!("{outcome:?}");
        };
        assert!(!self.asked().iter().any(|path| path.starts_with(QUESTION)));
        seconds
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.sleeper.world.borrow().asked.clone()
    }

    /// How often what begins so was asked for.
    pub(crate) fn times(&self, path: &str) -> usize {
        let asked = self.asked();
        asked.iter().filter(|it| it.starts_with(path)).count()
    }

    /// How many campaigns were paid for.
    pub(crate) fn booked(&self) -> usize {
        let disk = Folder::open(self.folder.path()).unwrap();
        Ledger::read(&disk).unwrap().len()
    }
}
