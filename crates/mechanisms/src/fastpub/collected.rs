//! A campaign that was held: what clients answered, as the door sees it.
//!
//! Nothing here sees a record; there is none in the house. The answers were ε-locally private when they left
//! their clients ([`wayveil_federated::client::answer`] has the argument), and all that is done with them is
//! post-processing.

use std::collections::BTreeMap;

use serde_json::json;
use wayveil_core::{
    Claim, Cost, Error, Guarantee, Mechanism, Output, Progress, PublicInputs, RandomSource,
    Records, Result, Transcript,
};
use wayveil_federated::campaign::{Campaign, Form};
use wayveil_federated::collector::{Finding, Findings};

use super::mechanism::{Fastpub, released, told};
use super::options::{Engine, FastpubOptions, control_name};
use crate::fragments::{Asked, locations, so_many_trajectories};

/// More trajectories than this are not drawn, however many people there were.
const MOST_TRAJECTORIES: u64 = 1_000_000;
/// The longest trajectory that is drawn.
const LONGEST: usize = 64;

/// What a campaign found, to be published by [`wayveil_core::publish_collected`].
#[derive(Clone, Debug)]
pub struct CollectedCampaign {
    campaign: Campaign,
    found: Vec<Finding>,
    /// What else the promise rests on, such as how clients were admitted.
    rests_on: Vec<String>,
    /// What else recipients must not expect.
    limits: Vec<String>,
    /// The method in words and limits.
    method: Fastpub,
}

impl CollectedCampaign {
    /// A campaign that is over. What the promise rests on and what it is not good for, beside what follows from its
    /// parameters, are whole sentences.
    pub fn new(
        campaign: Campaign,
        findings: Findings,
        rests_on: Vec<String>,
        limits: Vec<String>,
    ) -> Self {
        let parameters = campaign.parameters();
        let method = Fastpub {
            options: FastpubOptions {
                asked: Asked {
                    epsilon: parameters.epsilon.clone(),
                    k: parameters.k,
                    length: parameters.length,
                    clients_per_record: 1,
                    longest: LONGEST,
                },
                xi: parameters.xi,
                per_client: Some(parameters.per_client),
                lambda: Some(parameters.lambda),
                control: parameters.control,
                engine: Engine::Clients,
                drop_out: 0.0,
                poison: 0.0,
                as_published: parameters.form == Form::AsPublished,
            },
        };
        Self {
            campaign,
            found: findings.fragments,
            rests_on,
            limits,
            method,
        }
    }

    fn drawn(&self) -> u64 {
        self.campaign.parameters().population.min(MOST_TRAJECTORIES)
    }
}

impl Mechanism for CollectedCampaign {
    fn name(&self) -> &'static str {
        "fastpub"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let parameters = self.campaign.parameters();
        if locations(public) != parameters.locations {
            return Err(Error::refused(format!(
                "the campaign was about {} locations, and {} are to be published",
                parameters.locations,
                public.universe.len()
            )));
        }
        let mut guarantee = Guarantee::local(&parameters.epsilon, public.unit)
            .resting_on(
                "A client answers one question, ever, and repeats that answer if asked again.",
            )
            .resting_on("The random generators of clients are sound.");
        for more in &self.rests_on {
            guarantee = guarantee.resting_on(more.clone());
        }
        let mut limits = self.method.limits(&self.campaign, public);
        limits.extend(self.limits.iter().cloned());
        if self.drawn() < parameters.population {
            limits.push(format!(
                "{} trajectories were drawn, fewer than there are people.",
                self.drawn()
            ));
        }
        Ok(Claim {
            cost: Cost::pure(parameters.epsilon.clone()),
            guarantee,
            variant: "collected",
            parameters: BTreeMap::from([
                (
                    "epsilon".to_owned(),
                    json!(parameters.epsilon.value().exact_text()),
                ),
                ("clients".to_owned(), json!(parameters.population)),
                ("k".to_owned(), json!(parameters.k)),
                ("length".to_owned(), json!(parameters.length)),
                ("xi".to_owned(), json!(parameters.xi)),
                (
                    "control".to_owned(),
                    json!(control_name(parameters.control)),
                ),
                ("per_client".to_owned(), json!(parameters.per_client)),
                ("lambda".to_owned(), json!(parameters.lambda)),
                ("shares".to_owned(), json!(parameters.shares)),
                ("longest".to_owned(), json!(LONGEST)),
            ]),
            limits,
            noise: format!(
                "randomised response by an exact integer sampler, on clients' devices: each of n bits is \
                 turned over with probability 1/(1 + e^({}/n))",
                parameters.epsilon
            ),
            columns: Vec::new(),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        let population = self.campaign.parameters().population;
        if records.units != Some(population) || !records.sequences.is_empty() {
            return Err(Error::refused(
                "this campaign was held elsewhere: it can be published as collected, and about its own \
                 people only",
            ));
        }
        let fragments = released(&self.found);
        progress.begin("drawing trajectories", None);
        let number = usize::try_from(self.drawn()).unwrap_or(0);
        let public = &records.public;
        let trajectories =
            so_many_trajectories(number, &fragments, population, public, LONGEST, random)?;
        progress.end();
        let found = self.found.clone();
        Ok(Output {
            trajectories,
            attributes: Vec::new(),
            counts: None,
            fragments: Some(fragments),
            expected_error: None,
            transcript: Transcript::told_by(move || told(&found)),
        })
    }
}

#[cfg(test)]
mod tests;
