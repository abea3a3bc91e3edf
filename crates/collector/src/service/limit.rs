//! How often one address may ask, without remembering addresses.
//!
//! An address is turned into a place of a table by a hash whose key was drawn at the start and is
//! never written down. Addresses that meet in a place share it. The table has a fixed size and holds
//! how much is left and when that was, nothing else.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::campaign_file::AddressLimit;

/// Places of the table; 16 bytes each.
const PLACES: usize = 1 << 16;

/// What is left in one place, and when that was, in milliseconds.
#[derive(Clone, Copy)]
struct Place {
    left: f64,
    at: u64,
}

pub(crate) struct Limiter {
    /// Whole neighbourhoods of phones share an address, so it may be much.
    allowed: AddressLimit,
    key: RandomState,
    places: Mutex<Vec<Place>>,
}

impl Limiter {
    pub(crate) fn new(allowed: AddressLimit) -> Self {
        let full = Place {
            left: allowed.burst.into(),
            at: 0,
        };
        Self {
            allowed,
            key: RandomState::new(),
            places: Mutex::new(vec![full; PLACES]),
        }
    }

    /// Whether an address may ask now, a time since the start.
    pub(crate) fn admits(&self, address: IpAddr, now: Duration) -> bool {
        let place = self.key.hash_one(neighbourhood(address)) as usize % PLACES;
        let now = now.as_millis() as u64;
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let place = &mut places[place];
        let passed = now.saturating_sub(place.at) as f64 / 1000.0;
        place.left = (place.left + passed * f64::from(self.allowed.per_second))
            .min(self.allowed.burst.into());
        place.at = now;
        let admitted = place.left >= 1.0;
        if admitted {
            place.left -= 1.0;
        }
        admitted
    }
}

/// One household has many addresses of IPv6: the first half tells it apart.
pub(crate) fn neighbourhood(address: IpAddr) -> u128 {
    match address.to_canonical() {
        IpAddr::V4(address) => u32::from(address).into(),
        IpAddr::V6(address) => u128::from(address) >> 64 | 1 << 127,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_runs_dry_and_fills_up_again() {
        let limiter = Limiter::new(AddressLimit {
            per_second: 50,
            burst: 200,
        });
        let address: IpAddr = "192.0.2.7".parse().unwrap();
        let now = Duration::from_secs(5);
        let admitted = (0..1000).filter(|_| limiter.admits(address, now)).count();
        assert_eq!(admitted, 200);
        assert!(limiter.admits(address, now + Duration::from_millis(30)));
        assert!(!limiter.admits(address, now + Duration::from_millis(30)));
        // A clock that stands still or goes back fills nothing.
        assert!(!limiter.admits(address, Duration::ZERO));
    }

    #[test]
    fn a_household_is_one_address() {
        let of = |text: &str| neighbourhood(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:192.0.2.7"), of("192.0.2.7"));
    }
}
