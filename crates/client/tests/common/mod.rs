//! A collector, an issuer, a network that fails and a phone that is killed. Each test uses a part.
#![allow(dead_code)]

pub(crate) mod faults;
pub(crate) mod phone;
pub(crate) mod world;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use tempfile::TempDir;
use wayveil_client::{Folder, Outcome, Settings, Sleeper, Tools, take_part};
use wayveil_core::{RandomSource, Result};

use faults::{Kill, Killed, KillingDisk, Network};
use world::{COLLECTOR, World};

/// What the person of these tests did.
pub(crate) const TRAJECTORY: [&str; 4] = ["harbour", "market", "unheard of", "station"];

/// Nobody waits in these tests: the clock is put forward.
#[derive(Default)]
pub(crate) struct NoSleep {
    pub(crate) slept: Vec<Duration>,
    pub(crate) now: Duration,
}

impl Sleeper for NoSleep {
    fn sleep(&mut self, how_long: Duration) {
        self.slept.push(how_long);
        self.now += how_long;
    }

    fn now(&self) -> Duration {
        self.now
    }
}

pub(crate) fn settings() -> Settings {
    let mut settings = Settings::new(COLLECTOR);
    settings.limits.per_client = 64;
    settings.spread = Duration::ZERO;
    settings.issuer = Some(world::ISSUER.to_owned());
    settings.code = Some(world::code().text());
    settings
}

/// A phone with an empty folder, and services that announce its round as open and have its question.
pub(crate) fn phone(tokens: bool) -> (TempDir, Rc<RefCell<World>>) {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(tokens, folder.path());
    world.borrow_mut().early = 0;
    (folder, world)
}

/// One call over a network that does not fail.
pub(crate) fn once(
    settings: &Settings,
    folder: &TempDir,
    world: &Rc<RefCell<World>>,
) -> Result<Outcome> {
    let kill = Kill::after(None);
    call(
        settings,
        folder.path(),
        &mut Network::sound(world),
        &kill,
        5,
    )
}

/// The code of an end by refusal.
pub(crate) fn code(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Stopped { code, .. } => code,
        other => panic!("{other:?} is no end by refusal"),
    }
}

/// One call, as after a start of the app: nothing is remembered but the folder, and noise is fresh. With
/// each seed it is an hour later.
pub(crate) fn call(
    settings: &Settings,
    folder: &Path,
    network: &mut Network,
    kill: &Rc<Kill>,
    seed: u64,
) -> Result<Outcome> {
    let mut disk = KillingDisk::new(Folder::open(folder)?, folder, kill.clone());
    take_part(
        settings,
        &TRAJECTORY,
        Tools {
            disk: &mut disk,
            transport: network,
            sleeper: &mut NoSleep {
                now: Duration::from_secs(3600 * seed),
                ..NoSleep::default()
            },
            random: &mut RandomSource::insecure_seed_for("client", seed),
        },
    )
}

/// Calls until it has ended, starting anew after each kill.
pub(crate) fn until_the_end(
    settings: &Settings,
    folder: &Path,
    network: &mut Network,
    kills: &[u32],
    seed: u64,
) -> Outcome {
    let mut kills = kills.iter();
    for start in 0..400 {
        let kill = Kill::after(kills.next().copied());
        network.kill = kill.clone();
        let called = catch_unwind(AssertUnwindSafe(|| {
            call(settings, folder, network, &kill, seed * 1000 + start)
        }));
        match called {
            Err(panic) if panic.is::<Killed>() => {}
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(outcome) => match outcome.expect("nothing is wrong with disk or settings") {
                Outcome::Later { .. } => {}
                ended => return ended,
            },
        }
    }
    panic!("it never ends");
}
