//! `triehh` as the door sees it.

use serde_json::json;
use wayveil_core::{
    Claim, Cost, Delta, Guarantee, Mechanism, Output, Progress, PublicInputs, RandomSource,
    Records, Result,
};
use wayveil_federated::baselines::triehh::{Sampling, TrieHh as Baseline};

use crate::baseline;
use crate::fragments::{Asked, locations};
use crate::parameters::{DELTA, Parameter, Parameters};
use crate::simulated::{Simulated, Traffic};

/// TrieHH with its options.
#[derive(Clone, Debug)]
pub struct TrieHh {
    /// What it is asked for.
    pub asked: Asked,
    /// δ.
    pub delta: Delta,
    /// Whether the published form was asked for.
    pub as_published: bool,
}

impl TrieHh {
    /// The parameters, as offered everywhere.
    pub const PARAMETERS: &'static [Parameter] = &[
        Asked::EPSILON,
        DELTA,
        Asked::K,
        Asked::LENGTH,
        Asked::CLIENTS_PER_RECORD,
        Asked::LONGEST,
        Parameter {
            name: "as-published",
            value: "",
            help: "Samples of fixed size and votes for beginnings, as the paper has it; promises \
                   nothing",
            default: Some("false"),
            example: "false",
        },
    ];

    /// Builds the mechanism from parameter values.
    pub fn build(parameters: &Parameters) -> Result<Box<dyn Mechanism>> {
        Ok(Box::new(Self::read(parameters)?))
    }

    /// Reads and checks the options.
    pub(crate) fn read(parameters: &Parameters) -> Result<Self> {
        Ok(Self {
            asked: Asked::read(parameters)?,
            delta: parameters.read("delta")?,
            as_published: parameters.switch("as-published")?,
        })
    }

    fn baseline(&self, locations: u32, clients: u64) -> Result<Baseline> {
        let Asked {
            epsilon, length, k, ..
        } = &self.asked;
        let rounds = *length as usize;
        match self.as_published {
            true => Baseline::published(locations, rounds, clients, epsilon, &self.delta),
            false => Baseline::repaired(locations, rounds, *k, epsilon, &self.delta),
        }
    }

    /// Why nothing is promised, if nothing is.
    fn why_nothing(&self) -> Option<String> {
        if self.as_published {
            return Some(
                "the theorem published for it fails, as a sample of fixed size couples the votes: \
                 of 36 clients with 6 sampled and a threshold of 5, exact enumeration finds a delta \
                 of 0.0238 where 0.0125 is claimed. Nor does that theorem cover counts"
                    .into(),
            );
        }
        (self.asked.clients_per_record > 1).then(|| {
            format!(
                "each record stands for {} clients, and what is promised for one client does not \
                 add up to a useful promise for so many: delta would grow by a factor of e^epsilon \
                 with each",
                self.asked.clients_per_record
            )
        })
    }
}

impl Mechanism for TrieHh {
    fn name(&self) -> &'static str {
        "triehh"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        // The published form's samples depend on the number of clients; nothing claimed does.
        let baseline = self.baseline(locations(public), self.asked.k)?;
        let (epsilon, delta) = (&self.asked.epsilon, &self.delta);
        let mut parameters = baseline::parameters(&self.asked);
        parameters.insert("delta".into(), json!(delta.value().exact_text()));
        parameters.insert("threshold".into(), json!(baseline.threshold()));
        let how = match baseline.sampling() {
            Sampling::Fixed(_) => "a fixed number of clients is drawn for each round".to_owned(),
            Sampling::Independent(rate) => {
                parameters.insert("sampled_of_2_to_32".into(), json!(rate));
                format!("each client is drawn for each round with probability {rate}/2^32")
            }
        };
        let (variant, about_counts) = match self.as_published {
            true => (
                "as-published",
                "Counts are of clients whose trajectory begins with the fragment, a part of those \
                 who have it.",
            ),
            false => (
                "repaired",
                "Votes that do not reach the threshold are lost, so that counts of rare fragments \
                 are too low.",
            ),
        };
        let (guarantee, cost) = match self.why_nothing() {
            Some(reason) => (Guarantee::none(reason, public.unit), Cost::NotComposing),
            None => (
                Guarantee::replacing(epsilon, delta, public.unit).resting_on(
                    "Whoever draws the clients of a round and counts their votes is trusted, or is \
                     secure aggregation: votes leave clients as they are, and who was drawn, how \
                     many were, and votes below the threshold must not be seen.",
                ),
                Cost::DifferentialPrivacy {
                    epsilon: epsilon.clone(),
                    delta: delta.clone(),
                },
            ),
        };
        Ok(Claim {
            guarantee,
            cost,
            variant,
            parameters,
            limits: baseline::limits(&self.asked, about_counts, public),
            noise: format!(
                "sampling: {how}, fewer than {} votes are not shown, and nothing is added to those that \
                 are",
                baseline.threshold()
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
        Ok(self.run_counting(records, random, progress)?.0)
    }
}

impl Simulated for TrieHh {
    fn asked(&self) -> &Asked {
        &self.asked
    }

    fn run_counting(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<(Output, Option<Traffic>)> {
        let make = |clients| self.baseline(locations(&records.public), clients);
        baseline::run(&self.asked, make, records, random, progress)
    }
}

#[cfg(test)]
mod tests;
