//! A town seen by its metro: the stations where people get on, change and get off.

use rand_core::Rng;
use wayveil_core::{Result, Universe};

use super::Town;
use crate::generate::demand::Demand;
use crate::generate::network::{Mode, Network};
use crate::generate::route::Route;
use crate::generate::{Preset, draw};

/// The metro network of the preset metro.
pub(super) struct Stations {
    network: Network,
    demand: Demand,
}

impl Stations {
    pub(super) fn new(count: u32) -> Self {
        let network = Network::build(&[(Mode::Metro, count)]);
        Self {
            demand: Demand::of(&network),
            network,
        }
    }
}

impl Town for Stations {
    /// Gates see who passes, and hardly anybody else.
    const STAYING: u64 = 2;

    fn universe(&self, preset: Preset) -> Result<Universe> {
        self.network.universe(preset)
    }

    fn home<R: Rng>(&self, rng: &mut R) -> u32 {
        self.demand.homes().draw(rng)
    }

    fn way<R: Rng>(&self, from: u32, rng: &mut R) -> Route {
        let changes = match draw::below(100, rng) {
            0..65 => 0,
            65..93 => 1,
            _ => 2,
        };
        Route::draw(&self.network, &self.demand, from, changes, rng)
    }
}
