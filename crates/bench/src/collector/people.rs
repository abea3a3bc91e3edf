//! Who takes part: a person of a number, always the same.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rand_core::Rng;
use wayveil_client::{Outcome, Settings, Sleeper, Tools, take_part};
use wayveil_core::RandomSource;
use wayveil_federated::client::{Client, Limits};
use wayveil_federated::message::Terms;

use super::line::Line;
use super::memory_disk::MemoryDisk;
use super::scene::{PLACES, place};

/// How much faster than real ones these clients lose their patience.
const HASTE: u32 = 50;

pub(super) struct Hasty;

impl Sleeper for Hasty {
    fn sleep(&mut self, how_long: Duration) {
        std::thread::sleep(how_long / HASTE);
    }

    /// Their clocks run as fast, so that a wait that is kept passes as one that is slept.
    fn now(&self) -> Duration {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.unwrap_or_default() * HASTE
    }
}

/// What everybody agrees to.
pub(super) fn limits(epsilon: u32) -> Limits {
    Limits {
        epsilon: epsilon
            .to_string()
            .parse()
            .expect("a whole number above zero"),
        per_client: 1,
        length: 5,
    }
}

/// What one person has at hand.
pub(super) struct Phone {
    person: u64,
    disk: MemoryDisk,
    random: RandomSource,
}

impl Phone {
    pub(super) fn of(person: u64) -> Self {
        Self {
            person,
            disk: MemoryDisk::default(),
            random: RandomSource::insecure_seed(person),
        }
    }

    /// The round that this person will draw: the draw that the client makes first, made beforehand.
    pub(super) fn round(
        person: u64,
        terms: &Terms,
        limits: &Limits,
    ) -> Result<Option<u32>, String> {
        let mut random = RandomSource::insecure_seed(person);
        let _of_the_talk = random.stream();
        let client = Client::join_for_good(terms.clone(), limits, Vec::new(), &mut random.stream());
        Ok(client.map_err(|error| error.to_string())?.round())
    }

    /// Takes part, or goes on with it.
    pub(super) fn take_part(
        &mut self,
        settings: &Settings,
        line: &mut Line,
    ) -> Result<Outcome, String> {
        let tools = Tools {
            disk: &mut self.disk,
            transport: line,
            sleeper: &mut Hasty,
            random: &mut self.random,
        };
        let done = take_part(settings, &trajectory(self.person), tools);
        done.map_err(|error| error.to_string())
    }
}

/// Most people take one of two ways through the city; the others wander.
fn trajectory(person: u64) -> Vec<String> {
    let mut rng = RandomSource::insecure_seed(person ^ 1 << 63).stream();
    let mut wander = || (rng.next_u64() % PLACES as u64) as usize;
    let codes: Vec<usize> = match wander() % 6 {
        0..3 => (0..5).collect(),
        3..5 => (5..10).collect(),
        _ => (0..5).map(|_| wander()).collect(),
    };
    codes.into_iter().map(place).collect()
}
