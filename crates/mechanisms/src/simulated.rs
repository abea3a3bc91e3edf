//! Methods that are campaigns among simulated clients, and what their clients sent.
//!
//! How much was sent is told to whoever runs a simulation and is no part of a release. It need not be
//! private: how many clients TrieHH has sampled would, beside the votes that are shown, say more than
//! its promise allows.

use std::sync::Mutex;

use wayveil_core::{
    Claim, Error, Mechanism, OnCounts, Output, Progress, PublicInputs, RandomSource, Records,
    Result,
};
use wayveil_federated::baselines::MAX_CLIENTS;
use wayveil_federated::campaign::MAX_POPULATION;

use crate::fastpub::Fastpub;
use crate::fragments::Asked;
use crate::list::{Entry, find};
use crate::parameters::Parameters;
use crate::sfp::Sfp;
use crate::triehh::TrieHh;

/// The methods that can be simulated, the first by default.
pub const SIMULATED: [&str; 3] = ["fastpub", "sfp", "triehh"];

/// Messages between all clients and the collector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traffic {
    /// How many answers there were; more than clients where a client may answer in several rounds.
    pub answers: u64,
    /// The information in all answers, in bits.
    pub bits_up: f64,
    /// The information in all questions, in bits.
    pub bits_down: f64,
    /// The sizes of messages, where the method has a form in bytes.
    pub wire: Option<Wire>,
}

/// Sizes of encoded messages, and the largest of them as information.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wire {
    /// The bytes of all answers.
    pub bytes_up: u64,
    /// The bytes of all questions.
    pub bytes_down: u64,
    /// The most information in one answer, in bits.
    pub most_bits_up: f64,
    /// The most information in one question, in bits.
    pub most_bits_down: f64,
}

/// A mechanism that is a campaign among simulated clients.
pub(crate) trait Simulated: Mechanism {
    /// What it was asked for.
    fn asked(&self) -> &Asked;

    /// Runs as [`Mechanism::run`] does, and says what was sent; none where nobody was asked.
    fn run_counting(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<(Output, Option<Traffic>)>;
}

/// One of the simulated methods, which remembers what its clients sent.
pub struct Simulation {
    mechanism: Box<dyn Simulated>,
    sent: Mutex<Option<Traffic>>,
}

impl Simulation {
    /// The entry of a simulated method in the list.
    pub fn entry(name: &str) -> Result<&'static Entry> {
        match SIMULATED.contains(&name) {
            true => find(name),
            false => Err(
                Error::input(format!("there is no simulated method {name:?}"))
                    .hint(format!("choose one of: {}", SIMULATED.join(", "))),
            ),
        }
    }

    /// Builds a simulated method from parameter values.
    pub fn build(name: &str, parameters: &Parameters) -> Result<Self> {
        let mechanism: Box<dyn Simulated> = match Self::entry(name)?.name {
            "sfp" => Box::new(Sfp::read(parameters)?),
            "triehh" => Box::new(TrieHh::read(parameters)?),
            _ => Box::new(Fastpub::read(parameters)?),
        };
        Ok(Self {
            mechanism,
            sent: Mutex::new(None),
        })
    }

    /// What it was asked for.
    pub fn asked(&self) -> &Asked {
        self.mechanism.asked()
    }

    /// The most clients that it can be run with.
    pub fn most_clients(&self) -> u64 {
        match self.mechanism.name() {
            "fastpub" => MAX_POPULATION,
            _ => MAX_CLIENTS,
        }
    }

    /// What was sent in the last run; none before it, and where nobody was asked.
    pub fn traffic(&self) -> Option<Traffic> {
        self.sent.lock().map_or(None, |sent| *sent)
    }
}

impl Mechanism for Simulation {
    fn name(&self) -> &'static str {
        self.mechanism.name()
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        self.mechanism.claim(public)
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        let (output, traffic) = self.mechanism.run_counting(records, random, progress)?;
        if let Ok(mut sent) = self.sent.lock() {
            *sent = traffic;
        }
        Ok(output)
    }

    fn on_counts(&self) -> Option<&dyn OnCounts> {
        self.mechanism.on_counts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_simulated_method_is_built_under_its_name() {
        for name in SIMULATED {
            let entry = Simulation::entry(name).unwrap();
            let given = entry.parameters.iter().map(|it| (it.name, it.example));
            let values = Parameters::new(entry.parameters, given).unwrap();
            let simulation = Simulation::build(name, &values).unwrap();
            assert_eq!(simulation.name(), name);
            assert_eq!(simulation.traffic(), None);
        }
        let error = Simulation::entry("suppress").err().unwrap();
        assert!(error.to_string().contains("suppress"), "{error}");
    }
}
