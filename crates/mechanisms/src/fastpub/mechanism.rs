//! `fastpub` as the door sees it.

use std::collections::BTreeMap;

use serde_json::json;
use wayveil_core::{
    Claim, Cost, Counting, Epsilon, FragmentCounts, Guarantee, Mechanism, OnCounts, Output,
    Progress, PublicInputs, RandomSource, Records, Result, Transcript,
};
use wayveil_federated::campaign::{Campaign, Control, Parameters as CampaignParameters};
use wayveil_federated::collector::{self, Finding, Findings};
use wayveil_federated::simulate::{
    Clients, Holders, Options, Supports, aggregated, check_number, per_client,
};

use super::options::{Engine, FastpubOptions, control_name};
use crate::fragments::{Asked, from_rows, locations, so_many_trajectories};
use crate::parameters::{Parameter, Parameters};
use crate::simulated::{Simulated, Traffic, Wire};

/// From here on an answer is called practically truthful: it is turned over less than once in 58, which
/// at one bit is an epsilon above 4.
const TRUTHFUL: f64 = 0.0175;

/// FASTPub with its options.
#[derive(Clone, Debug)]
pub struct Fastpub {
    /// What it is told.
    pub options: FastpubOptions,
}

impl Fastpub {
    /// The parameters, as offered everywhere.
    pub const PARAMETERS: &'static [Parameter] = &FastpubOptions::PARAMETERS;

    /// Builds the mechanism from parameter values.
    pub fn build(parameters: &Parameters) -> Result<Box<dyn Mechanism>> {
        Ok(Box::new(Self::read(parameters)?))
    }

    /// Reads and checks the options.
    pub(crate) fn read(parameters: &Parameters) -> Result<Self> {
        Ok(Self {
            options: FastpubOptions::read(parameters)?,
        })
    }

    /// The campaign for so many clients.
    pub fn campaign(&self, locations: u32, population: u64) -> Result<Campaign> {
        let options = &self.options;
        let make = match options.as_published {
            true => CampaignParameters::as_published,
            false => CampaignParameters::repaired,
        };
        let asked = &options.asked;
        let epsilon = asked.epsilon.clone();
        let usual = make(locations, asked.length, population, asked.k, epsilon);
        Campaign::new(CampaignParameters {
            xi: options.xi,
            per_client: options.per_client.unwrap_or(usual.per_client),
            lambda: options.lambda.unwrap_or(usual.lambda),
            control: options.control,
            ..usual
        })
    }

    fn guarantee(&self, public: &PublicInputs<'_>, epsilon: &Epsilon) -> Guarantee {
        let options = &self.options;
        let guarantee = Guarantee::local(epsilon, public.unit).resting_on(
            "A client answers one question, ever, and repeats that answer if asked again.",
        );
        match options.asked.about_records() {
            None => guarantee,
            Some(about) => guarantee.resting_on(about),
        }
    }

    pub(super) fn limits(&self, campaign: &Campaign, public: &PublicInputs<'_>) -> Vec<String> {
        let options = &self.options;
        let (k, xi) = (options.asked.k, options.xi);
        let mut limits = vec![match (options.as_published, options.control) {
            (true, _) => format!(
                "If clients are taken as independent draws, a fragment that fewer than {k} of them \
                 have is published with probability at most {xi}, for each such fragment; the paper's \
                 bound on the loss of anonymity is not claimed."
            ),
            (false, Control::PerCandidate) => format!(
                "A fragment that fewer than {k} clients have is published with probability at most \
                 {xi}, for each such fragment: among many, some may be."
            ),
            (false, Control::FamilyWise) => format!(
                "Of each length, any fragment that fewer than {k} clients have is published with \
                 probability at most {xi}."
            ),
            (false, Control::FalseDiscovery) => format!(
                "Of each length, at most a share of {xi} of the published fragments, on average, is \
                 had by fewer than {k} clients."
            ),
        }];
        limits.push(
            "That rests on the clients of each round being drawn at random from a known number; \
             drop-out that depends on where clients went, self-selection and lying void it, though \
             not differential privacy."
                .into(),
        );
        let asked = u64::from(campaign.parameters().per_client);
        let turned = 1.0 / (1.0 + (options.asked.epsilon.to_f64() / asked as f64).exp());
        if turned < TRUTHFUL {
            limits.push(format!(
                "A client's bit is turned over with probability {turned:.1e} only: practically a \
                 truthful answer about one fragment. Choose an epsilon of 4 or less to hide it."
            ));
        }
        limits.push(
            "A fragment that is missing may still be frequent: what the answers do not show is not \
             published."
                .into(),
        );
        if options.drop_out > 0.0 || options.poison > 0.0 {
            limits.push(format!(
                "In this simulation a share of {} of the clients did not answer, and {} of the \
                 others said yes to everything.",
                options.drop_out, options.poison
            ));
        }
        limits.extend(options.asked.limits(public));
        limits
    }

    fn parameters(&self, campaign: &Campaign) -> BTreeMap<String, serde_json::Value> {
        let (options, campaign) = (&self.options, campaign.parameters());
        let asked = &options.asked;
        let shares: Vec<Vec<f64>> = campaign.shares.clone();
        BTreeMap::from([
            (
                "epsilon".to_owned(),
                json!(asked.epsilon.value().exact_text()),
            ),
            ("k".to_owned(), json!(asked.k)),
            ("length".to_owned(), json!(asked.length)),
            ("xi".to_owned(), json!(options.xi)),
            ("control".to_owned(), json!(control_name(options.control))),
            ("per_client".to_owned(), json!(campaign.per_client)),
            ("lambda".to_owned(), json!(campaign.lambda)),
            ("shares".to_owned(), json!(shares)),
            (
                "clients_per_record".to_owned(),
                json!(asked.clients_per_record),
            ),
            ("longest".to_owned(), json!(asked.longest)),
            ("engine".to_owned(), json!(options.engine.name())),
            ("drop_out".to_owned(), json!(options.drop_out)),
            ("poison".to_owned(), json!(options.poison)),
        ])
    }

    /// Runs the campaign; nothing where there are too few clients for any fragment.
    pub fn simulate(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Option<Findings>> {
        let options = &self.options;
        let clients = Clients {
            records: &records.sequences,
            per_record: options.asked.clients_per_record,
        };
        if !options.asked.enough(clients.len(), progress) {
            return Ok(None);
        }
        let campaign = self.campaign(locations(&records.public), clients.len())?;
        progress.begin("asking clients", None);
        let findings = match options.engine {
            Engine::Clients => per_client(campaign, &clients, &self.unruly(), random),
            Engine::Numbers => {
                let mut supports = Supports::new(clients);
                aggregated(campaign, &mut supports, &self.unruly(), random)
            }
        };
        progress.end();
        findings.map(Some)
    }

    fn unruly(&self) -> Options {
        Options {
            drop_out: self.options.drop_out,
            poison: self.options.poison,
        }
    }

    /// What is released of what was found among so many records, which is public.
    fn output(
        &self,
        found: Vec<Finding>,
        records: u64,
        public: &PublicInputs<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        let asked = &self.options.asked;
        let fragments = released(&found);
        let clients = records.saturating_mul(asked.clients_per_record);
        progress.begin("drawing trajectories", None);
        let (number, longest) = (records as usize, asked.longest);
        let trajectories =
            so_many_trajectories(number, &fragments, clients, public, longest, random)?;
        progress.end();
        if fragments.is_empty() && clients >= asked.k {
            progress.warn(
                "no fragment is published: the answers show none that enough clients have. More \
                 clients, a smaller k or --length, or a larger epsilon find more. What was spent \
                 stays spent",
            );
        }
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

/// The promise where numbers of clients are drawn.
fn nothing(public: &PublicInputs<'_>) -> Guarantee {
    Guarantee::none(
        "numbers of clients were drawn instead of clients, which keeps the law of each count but not \
         of all counts together; it is meant for experiments",
        public.unit,
    )
}

impl Mechanism for Fastpub {
    fn name(&self) -> &'static str {
        "fastpub"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        // The number of clients is not known yet, and nothing that is claimed depends on it.
        let campaign = self.campaign(locations(public), self.options.asked.k)?;
        let (guarantee, cost) = match self.options.engine {
            Engine::Clients => {
                let epsilon = self.options.asked.record_epsilon()?;
                (self.guarantee(public, &epsilon), Cost::pure(epsilon))
            }
            Engine::Numbers => (nothing(public), Cost::NotComposing),
        };
        Ok(Claim {
            cost,
            guarantee,
            variant: match self.options.as_published {
                true => "as-published",
                false => "repaired",
            },
            parameters: self.parameters(&campaign),
            limits: self.limits(&campaign, public),
            noise: format!(
                "randomised response by an exact integer sampler: each of n bits is turned over with \
                 probability 1/(1 + e^({}/n))",
                self.options.asked.epsilon
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

    /// Where numbers of clients are drawn, counts are enough; clients who answer need their records.
    fn on_counts(&self) -> Option<&dyn OnCounts> {
        match self.options.engine {
            Engine::Clients => None,
            Engine::Numbers => Some(self),
        }
    }
}

impl OnCounts for Fastpub {
    fn run_on_counts(
        &self,
        public: &PublicInputs<'_>,
        counting: &dyn Counting,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        let asked = &self.options.asked;
        let records = counting.records()?;
        let clients = records.saturating_mul(asked.clients_per_record);
        let mut found = Vec::new();
        if asked.enough(clients, progress) {
            let campaign = self.campaign(locations(public), clients)?;
            let mut counted = Counted {
                counting,
                clients,
                per_record: asked.clients_per_record,
            };
            progress.begin("asking clients", None);
            found = aggregated(campaign, &mut counted, &self.unruly(), random)?.fragments;
            progress.end();
        }
        self.output(found, records, public, random, progress)
    }
}

/// Clients of records that are only counted.
struct Counted<'a> {
    counting: &'a dyn Counting,
    clients: u64,
    per_record: u64,
}

impl Holders for Counted<'_> {
    fn check(&self, campaign: &Campaign) -> Result<()> {
        check_number(self.clients, campaign)
    }

    fn of(&mut self, length: usize, codes: &[u32]) -> Result<Vec<u64>> {
        let mut held = self.counting.fragments(length, codes)?;
        held.iter_mut()
            .for_each(|records| *records = records.saturating_mul(self.per_record));
        Ok(held)
    }
}

impl Simulated for Fastpub {
    fn asked(&self) -> &Asked {
        &self.options.asked
    }

    fn run_counting(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<(Output, Option<Traffic>)> {
        let findings = self.simulate(records, random, progress)?;
        let sent = findings.as_ref().map(|findings| sent(&findings.traffic));
        // From here on nothing sees a record but the number of them, which is public.
        let found: Vec<Finding> = findings.map_or_else(Vec::new, |findings| findings.fragments);
        let number = records.sequences.len() as u64;
        let output = self.output(found, number, &records.public, random, progress)?;
        Ok((output, sent))
    }
}

fn sent(traffic: &collector::Traffic) -> Traffic {
    Traffic {
        answers: traffic.clients,
        bits_up: traffic.answer_bits,
        bits_down: traffic.question_bits,
        wire: Some(Wire {
            bytes_up: traffic.answer_bytes,
            bytes_down: traffic.question_bytes,
            most_bits_up: traffic.most_answer_bits,
            most_bits_down: traffic.most_question_bits,
        }),
    }
}

pub(super) fn released(found: &[Finding]) -> FragmentCounts {
    let rows = found.iter().filter_map(|finding| {
        let (count, (low, high)) = (finding.count?, finding.interval?);
        let error = finding.standard_error;
        Some((finding.fragment.as_slice(), count, error, low, high))
    });
    from_rows(rows.collect())
}

/// All that the collector holds: how many answered and said yes, in every phase.
pub(super) fn told(found: &[Finding]) -> Vec<(String, i64)> {
    let mut told = Vec::new();
    for finding in found {
        let codes: Vec<String> = finding.fragment.iter().map(u32::to_string).collect();
        for (phase, answers) in finding.history.phases.iter().enumerate() {
            let about = format!("about {} in phase {phase}", codes.join(" "));
            told.push((format!("answers {about}"), answers.asked as i64));
            told.push((format!("yes {about}"), answers.yes as i64));
        }
    }
    told
}

#[cfg(test)]
mod tests;
