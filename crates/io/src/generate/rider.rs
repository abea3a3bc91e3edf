//! What one passenger does in a week.
//!
//! Most commute, out and back, day after day; some run errands to a few favourite places; some
//! wander. A week is as long as was planned for it and is cut off there, like a card that was
//! used for a part of the week only.

use rand_core::Rng;

use super::demand::Demand;
use super::draw;
use super::network::Network;
use super::route::{Route, stopover};

/// The most favourite places of one rider.
const FAVOURITES: usize = 6;

/// A week that is being filled with visited stations.
struct Week<'a> {
    stations: &'a mut [u32],
    filled: usize,
}

impl Week<'_> {
    fn is_full(&self) -> bool {
        self.filled == self.stations.len()
    }

    /// Visits a station; who is there already does not visit it again, and a full week is over.
    fn visit(&mut self, station: u32) {
        let here = self.filled > 0 && self.stations[self.filled - 1] == station;
        if !here && !self.is_full() {
            self.stations[self.filled] = station;
            self.filled += 1;
        }
    }

    fn follow(&mut self, route: &Route) {
        for &station in route.stops() {
            self.visit(station);
        }
    }
}

/// What all riders share.
struct City<'a> {
    network: &'a Network,
    demand: &'a Demand,
}

/// Fills a week of the given length, at least one, with the visits of a new passenger.
pub(super) fn ride<R: Rng>(network: &Network, demand: &Demand, rng: &mut R, week: &mut [u32]) {
    let city = City { network, demand };
    let length = week.len();
    let mut week = Week {
        stations: week,
        filled: 0,
    };
    match draw::below(100, rng) {
        // Nobody commutes all day long; the heaviest riders work on the road.
        0..60 if length <= 45 => city.commute(&mut week, rng),
        0..85 => city.run_errands(&mut week, rng),
        _ => city.wander(&mut week, rng),
    }
}

impl City<'_> {
    /// Home, work, home, with a stop on the way back or an evening out now and then.
    fn commute<R: Rng>(&self, week: &mut Week, rng: &mut R) {
        let home = self.demand.homes().draw(rng);
        let to_work = self.trip(home, week.stations.len(), rng);
        let to_home = to_work.reversed();
        let evening = self.trip(home, week.stations.len(), rng);
        week.visit(home);
        while !week.is_full() {
            week.follow(&to_work);
            if draw::percent(14, rng) {
                self.follow_with_stopover(&to_home, week, rng);
            } else {
                week.follow(&to_home);
            }
            if draw::percent(10, rng) {
                week.follow(&evening);
                week.follow(&evening.reversed());
            }
        }
    }

    /// From home to one of a few places and back, the first ones more often.
    fn run_errands<R: Rng>(&self, week: &mut Week, rng: &mut R) {
        let home = self.demand.homes().draw(rng);
        let length = week.stations.len();
        let count = (1 + length / 8).min(FAVOURITES);
        let mut places = [self.trip(home, length, rng); FAVOURITES];
        for place in &mut places[1..count] {
            *place = self.trip(home, length, rng);
        }
        while !week.is_full() {
            // The lesser of two uniform choices prefers the first places.
            let [one, other] = [0; 2].map(|_: u8| draw::below(count as u64, rng));
            let route = &places[one.min(other) as usize];
            week.follow(route);
            week.follow(&route.reversed());
        }
    }

    /// From place to place, half of the time straight back.
    fn wander<R: Rng>(&self, week: &mut Week, rng: &mut R) {
        let mut here = self.demand.places().draw(rng);
        week.visit(here);
        while !week.is_full() {
            let route = self.trip(here, week.stations.len(), rng);
            week.follow(&route);
            if draw::percent(50, rng) {
                week.follow(&route.reversed());
            } else {
                here = route.end();
            }
        }
    }

    /// A trip that suits a week of this length: who rides little changes little.
    fn trip<R: Rng>(&self, start: u32, length: usize, rng: &mut R) -> Route {
        let (one, two) = match length {
            0..=3 => (12, 0),
            4 => (20, 0),
            _ => (32, 6),
        };
        let changes = match draw::below(100, rng) {
            chance if chance < two => 2,
            chance if chance < two + one => 1,
            _ => 0,
        };
        Route::draw(self.network, self.demand, start, changes, rng)
    }

    /// Interrupts the last leg of a trip somewhere on its line.
    fn follow_with_stopover<R: Rng>(&self, route: &Route, week: &mut Week, rng: &mut R) {
        let (&end, before) = route.stops().split_last().expect("a route has a start");
        for &station in before {
            week.visit(station);
        }
        let last = before.last().copied().unwrap_or(end);
        if let Some(station) = stopover(self.network, self.demand, last, end, rng) {
            week.visit(station);
        }
        week.visit(end);
    }
}
