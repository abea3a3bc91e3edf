//! A trip: where it begins, where it changes lines, where it ends.
//!
//! A destination is found by riding there: along a line, perhaps over to another at a transfer
//! station, and out where it is attractive. A trip therefore runs over the network by
//! construction, and no table of all pairs of stations is needed however many there are.

use rand_core::Rng;

use super::demand::Demand;
use super::draw;
use super::network::{Call, Network};

/// The most changes in one trip.
const CHANGES: usize = 2;
/// How often a roundabout trip is planned anew before its rider settles for a direct one.
const TRIES: usize = 4;

/// The stations visited on a trip: the first, where it changes lines, and the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    stops: [u32; CHANGES + 2],
    len: usize,
}

impl Route {
    pub(super) fn from(station: u32) -> Self {
        Self {
            stops: [station; CHANGES + 2],
            len: 1,
        }
    }

    /// Goes on to another place; a route has room for [`CHANGES`] places and its end.
    pub(super) fn push(&mut self, station: u32) {
        self.stops[self.len] = station;
        self.len += 1;
    }

    /// The stations in order.
    pub(super) fn stops(&self) -> &[u32] {
        &self.stops[..self.len]
    }

    pub(super) fn end(&self) -> u32 {
        self.stops[self.len - 1]
    }

    /// The same way back.
    pub(super) fn reversed(&self) -> Self {
        let mut back = *self;
        back.stops[..self.len].reverse();
        back
    }

    /// A trip from a station to wherever demand takes it, with at most so many changes.
    pub(super) fn draw<R: Rng>(
        network: &Network,
        demand: &Demand,
        start: u32,
        changes: usize,
        rng: &mut R,
    ) -> Self {
        if changes > 0 {
            for _ in 0..TRIES {
                let route = Self::attempt(network, demand, start, changes, rng);
                if route.is_sensible(network) {
                    return route;
                }
            }
        }
        Self::attempt(network, demand, start, 0, rng)
    }

    fn attempt<R: Rng>(
        network: &Network,
        demand: &Demand,
        start: u32,
        changes: usize,
        rng: &mut R,
    ) -> Self {
        let mut route = Self::from(start);
        let Some(mut at) = board(network, network.calls(start).iter(), rng) else {
            return route;
        };
        for _ in 0..changes.min(CHANGES) {
            let Some(station) = along(network, demand, at, true, rng) else {
                break;
            };
            let onward = network
                .calls(station)
                .iter()
                .filter(|call| call.line != at.line);
            let Some(next) = board(network, onward, rng) else {
                break;
            };
            route.push(station);
            at = next;
        }
        if let Some(station) = along(network, demand, at, false, rng) {
            route.push(station);
        }
        route
    }

    /// Whether a person would go this way: no station twice, no change where one line would do,
    /// no long way round.
    fn is_sensible(&self, network: &Network) -> bool {
        let stops = self.stops();
        let needless = (0..stops.len())
            .flat_map(|one| (one + 2..stops.len()).map(move |other| (one, other)))
            .any(|(one, other)| network.share_a_line(stops[one], stops[other]));
        let ridden: f64 = stops
            .windows(2)
            .map(|leg| network.distance(leg[0], leg[1]))
            .sum();
        !needless && ridden <= 1.7 * network.distance(stops[0], self.end()) + 1.0
    }
}

/// One of several lines.
fn board<'a, R: Rng>(
    network: &Network,
    calls: impl Iterator<Item = &'a Call> + Clone,
    rng: &mut R,
) -> Option<Call> {
    let appeal = |call: &Call| network.lines[call.line as usize].mode.habit().appeal;
    draw::weighted(calls.map(|call| (*call, appeal(call))), rng)
}

/// Rides along a line and gets off where it is attractive or, if `to_change`, where other lines
/// stop; none if there is no such station.
fn along<R: Rng>(
    network: &Network,
    demand: &Demand,
    from: Call,
    to_change: bool,
    rng: &mut R,
) -> Option<u32> {
    let stops = &network.lines[from.line as usize].stops;
    let pulls = (0u32..).zip(stops).map(|(position, &station)| {
        let pull = match to_change {
            true => demand.pull_to_change(station),
            false => demand.pull(station),
        };
        (station, pull * ease(position.abs_diff(from.position)))
    });
    draw::weighted(pulls, rng)
}

/// How readily people ride so many stops: one is walked instead, most ride about six, and fewer
/// the farther it gets.
const EASE: [u64; 128] = {
    let mut ease = [0; 128];
    let mut stops = 0;
    while stops < ease.len() {
        let cube = stops * stops * stops;
        ease[stops] = (4096 * stops * stops / (125 + cube)) as u64;
        stops += 1;
    }
    ease
};

fn ease(stops: u32) -> u64 {
    EASE[(stops as usize).min(EASE.len() - 1)]
}

/// Somewhere else on a line that leads through both stations, to stop over on the way.
pub(super) fn stopover<R: Rng>(
    network: &Network,
    demand: &Demand,
    from: u32,
    to: u32,
    rng: &mut R,
) -> Option<u32> {
    let through = |call: &&Call| {
        network
            .calls(to)
            .iter()
            .any(|other| other.line == call.line)
    };
    let call = *network.calls(from).iter().find(through)?;
    along(network, demand, call, false, rng).filter(|&station| station != to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::network::Mode;
    use wayveil_core::RandomSource;

    #[test]
    fn trips_run_over_the_network() {
        let network = Network::build(&[(Mode::Metro, 68), (Mode::Bus, 944)]);
        let demand = Demand::of(&network);
        let mut rng = RandomSource::insecure_seed(5).stream();
        let mut by_changes = [0; 3];
        for round in 0..6_000 {
            let start = demand.homes().draw(&mut rng);
            let route = Route::draw(&network, &demand, start, round % 3, &mut rng);
            assert_eq!(route.stops()[0], start);
            for leg in route.stops().windows(2) {
                assert_ne!(leg[0], leg[1]);
                assert!(network.share_a_line(leg[0], leg[1]));
            }
            by_changes[route.stops().len() - 2] += 1;
        }
        assert!(
            by_changes.iter().all(|&trips| trips > 300),
            "{by_changes:?}"
        );
    }
}
