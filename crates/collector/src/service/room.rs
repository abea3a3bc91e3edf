//! Room for connections: so many in all, and so many of one address, without remembering addresses.
//!
//! Requests are limited by [`super::limit`]; whoever never asks anything is limited here. A connection beyond the
//! room of its address is dropped before its handshake, which costs next to nothing.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::limit::neighbourhood;

/// The most connections at once; others wait to be taken.
const CONNECTIONS: usize = 4096;

/// Files that the service has open beside its connections.
const OTHER_FILES: usize = 128;

/// Places of the table of addresses.
const PLACES: usize = 1 << 16;

/// The room that there is.
pub(crate) struct Room {
    all: Arc<Semaphore>,
    of_address: u32,
    key: RandomState,
    taken: Mutex<Vec<u32>>,
}

impl Room {
    /// Room for so many connections of one address at once, and for as many in all as the system lets a process
    /// have open.
    pub(crate) fn new(of_address: u32) -> Arc<Self> {
        let all = open_files().saturating_sub(OTHER_FILES);
        Self::of(all.clamp(1, CONNECTIONS), of_address)
    }

    fn of(all: usize, of_address: u32) -> Arc<Self> {
        Arc::new(Self {
            all: Arc::new(Semaphore::new(all)),
            of_address,
            key: RandomState::new(),
            taken: Mutex::new(vec![0; PLACES]),
        })
    }

    /// Waits until there is room for one more connection.
    pub(crate) async fn any(&self) -> Option<OwnedSemaphorePermit> {
        self.all.clone().acquire_owned().await.ok()
    }

    /// A place for a connection of an address, or none.
    pub(crate) fn place(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let at = self.at(address);
        let mut taken = self.taken();
        if taken[at] >= self.of_address {
            return None;
        }
        taken[at] += 1;
        Some(Place {
            room: self.clone(),
            at,
        })
    }

    fn at(&self, address: IpAddr) -> usize {
        self.key.hash_one(neighbourhood(address)) as usize % PLACES
    }

    fn taken(&self) -> MutexGuard<'_, Vec<u32>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place that is free again when this value is gone.
pub(crate) struct Place {
    room: Arc<Room>,
    at: usize,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.room.taken()[self.at] -= 1;
    }
}

/// How many files this process may have open, after asking for as many as it may ask for.
#[cfg(unix)]
fn open_files() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let wanted = (CONNECTIONS + OTHER_FILES) as u64;
    let now = getrlimit(Resource::Nofile);
    let current = now.current.unwrap_or(wanted);
    if current >= wanted {
        return wanted as usize;
    }
    let more = wanted.min(now.maximum.unwrap_or(wanted));
    let raised = Rlimit {
        current: Some(more),
        maximum: now.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => more as usize,
        Err(_) => current as usize,
    }
}

#[cfg(not(unix))]
fn open_files() -> usize {
    CONNECTIONS + OTHER_FILES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_does_not_take_all_the_room() {
        let room = Room::of(100, 3);
        let address = |last: u8| IpAddr::from([192, 0, 2, last]);
        let one = address(0);
        // Addresses may share a place of the table.
        let other = (1..).map(address).find(|it| room.at(*it) != room.at(one));
        let mut held: Vec<Place> = (0..3).filter_map(|_| room.place(one)).collect();
        assert_eq!(held.len(), 3);
        assert!(room.place(one).is_none());
        assert!(room.place(other.unwrap()).is_some());
        held.pop();
        assert!(room.place(one).is_some());
    }

    #[test]
    fn there_is_room_for_many() {
        assert!(open_files() > OTHER_FILES);
    }
}
