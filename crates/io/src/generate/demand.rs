//! Which stations attract people, by rule: a few draw most of them, most draw few.

use super::draw::Cumulative;
use super::network::{Network, Point, hashed};

/// Weights by rank are this over the rank and an offset, as in Zipf's law.
const WEIGHT: u64 = 1_000_000;
/// What every transfer station has in its favour, apart from its surroundings.
const CHANGE: u64 = WEIGHT / 8;
/// Numbers drawn by [`hashed`] for these purposes differ from all others.
const CHARM: u64 = 101;
const HOME: u64 = 102;

/// How attractive each station is.
pub(super) struct Demand {
    /// As a place to go to.
    pull: Vec<u64>,
    /// As a place to change lines; zero where only one stops.
    pull_to_change: Vec<u64>,
    /// As a place to live at, for all stations.
    homes: Cumulative,
    /// As a place to be at, for all stations.
    places: Cumulative,
}

impl Demand {
    /// Work and shops cluster around the centre and where lines meet; homes are everywhere.
    pub(super) fn of(network: &Network) -> Self {
        let stations = network.stations.len() as u64;
        // Zipf's law softened at its head, most where there are few stations: the first is to be
        // a hub and not the city.
        let soft = 4 + 550 / stations;
        let pull = by_rank(network, soft, |station| remoteness(network, station));
        let homes = by_rank(network, 3 + stations / 4, |station| {
            (hashed(HOME, station.into()) >> 11) as f64
        });
        let to_change = (0u32..).zip(&pull).map(|(station, &pull)| {
            let others = network.calls(station).len().saturating_sub(1) as u64;
            others * (pull + CHANGE)
        });
        Self {
            pull_to_change: to_change.collect(),
            homes: Cumulative::new(homes.into_iter()),
            places: Cumulative::new(pull.iter().copied()),
            pull,
        }
    }

    pub(super) fn pull(&self, station: u32) -> u64 {
        self.pull[station as usize]
    }

    pub(super) fn pull_to_change(&self, station: u32) -> u64 {
        self.pull_to_change[station as usize]
    }

    pub(super) fn homes(&self) -> &Cumulative {
        &self.homes
    }

    pub(super) fn places(&self) -> &Cumulative {
        &self.places
    }
}

/// How little a station attracts: far from the centre, few lines, no charm of its own.
fn remoteness(network: &Network, station: u32) -> f64 {
    let Point { x, y } = network.stations[station as usize].at;
    let charm = (hashed(CHARM, station.into()) >> 11) as f64 / (1_u64 << 53) as f64;
    let lines = network.calls(station).len() as f64;
    (1.5 + (x * x + y * y).sqrt()) * (0.5 + charm) / lines.sqrt()
}

/// Weights that fall with the rank of a station by `key`, least first.
fn by_rank(network: &Network, soft: u64, key: impl Fn(u32) -> f64) -> Vec<u64> {
    let stations = 0..network.stations.len() as u32;
    let mut order: Vec<(f64, u32)> = stations.map(|station| (key(station), station)).collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let mut weights = vec![0; order.len()];
    for (rank, (_, station)) in (0u64..).zip(order) {
        let appeal = network.stations[station as usize].mode.habit().appeal;
        weights[station as usize] = appeal * WEIGHT / (rank + soft);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::network::Mode;

    #[test]
    fn the_hub_is_where_lines_meet_near_the_centre() {
        let network = Network::build(&[(Mode::Metro, 68)]);
        let demand = Demand::of(&network);
        let all = |&station: &u32| demand.pull(station) + demand.pull_to_change(station);
        let hub = (0..68).max_by_key(all).unwrap();
        assert!(network.calls(hub).len() > 1);
        assert!(network.stations[hub as usize].at.distance(Point::default()) < 4.0);
        assert!((0..68).all(|station| demand.pull(station) > 0));
    }
}
