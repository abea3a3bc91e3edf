//! The public parameters of a campaign, checked before anyone is asked anything.
//!
//! Nothing here comes from data: universe, sizes and shares are fixed before the campaign and known
//! to every client, so they cost no privacy, and the promise about what is published rests on them.

mod plan;

use std::sync::Arc;

use wayveil_core::{Epsilon, Error, Result};
use wayveil_noise::RandomizedResponse;

pub use plan::{Schedule, Slot};

/// The most fragments in one question: an answer is a word of bits.
pub const MAX_PER_CLIENT: u32 = 64;

/// The longest fragment that can be asked about.
pub const MAX_LENGTH: u32 = 64;

/// The most clients of a campaign: all numbers up to it are numbers of a float.
pub const MAX_POPULATION: u64 = 1 << 53;

/// Candidates of one length that are asked about at most, unless told otherwise.
const DEFAULT_CANDIDATES: usize = 100_000;

/// Which algorithm is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As Wang, Zhu, Wang and Han (2022) have it: one phase for each length, Hoeffding's threshold,
    /// only admitted fragments are extended, and only the longest are published.
    AsPublished,
    /// With an exact sequential test, phases, and fragments of all lengths.
    Repaired,
}

/// Over what the level ξ of false admissions is promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Each fragment below k is published with probability at most ξ.
    PerCandidate,
    /// Any fragment below k is published, of those of one length, with probability at most ξ (Holm).
    FamilyWise,
    /// Of the published fragments of one length a share of at most ξ lies below k, on average
    /// (Benjamini and Yekutieli).
    FalseDiscovery,
}

/// The parameters of a campaign, as given.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Tells campaigns apart in messages.
    pub id: u64,
    /// The size of the universe; locations are 0 to this less one.
    pub locations: u32,
    /// The greatest length of a fragment, l_max.
    pub length: u32,
    /// The number of clients N, known and public.
    pub population: u64,
    /// A fragment may be published if at least so many clients have it.
    pub k: u64,
    /// ξ, the level of false admissions.
    pub xi: f64,
    /// The privacy parameter of one client for the whole campaign.
    pub epsilon: Epsilon,
    /// The most fragments in one question, C.
    pub per_client: u32,
    /// A candidate is not asked about if a Markov chain expects fewer than λk clients to have it.
    pub lambda: f64,
    /// For each length, the share of all clients in each of its phases.
    pub shares: Vec<Vec<f64>>,
    /// Which algorithm is run.
    pub form: Form,
    /// Over what ξ is promised; of no effect as published.
    pub control: Control,
    /// The most candidates of one length that are asked about.
    pub max_candidates: usize,
}

impl Parameters {
    /// The repaired form with its defaults: one bit for each client, ξ = 0.01, λ = 0.5, every client
    /// asked once.
    pub fn repaired(
        locations: u32,
        length: u32,
        population: u64,
        k: u64,
        epsilon: Epsilon,
    ) -> Self {
        Self {
            id: 0,
            locations,
            length,
            population,
            k,
            xi: 0.01,
            epsilon,
            per_client: 1,
            lambda: 0.5,
            shares: plan::repaired_shares(length.min(MAX_LENGTH), locations),
            form: Form::Repaired,
            control: Control::PerCandidate,
            max_candidates: DEFAULT_CANDIDATES,
        }
    }

    /// The published form with its defaults: five bits for each client, a fifth of the clients for
    /// each length.
    pub fn as_published(
        locations: u32,
        length: u32,
        population: u64,
        k: u64,
        epsilon: Epsilon,
    ) -> Self {
        Self {
            per_client: 5,
            lambda: 0.8,
            form: Form::AsPublished,
            ..Self::repaired(locations, length, population, k, epsilon)
        }
        .with_share(plan::PUBLISHED_SHARE)
    }

    /// The same with one phase for each length and this share of all clients in it.
    #[must_use]
    pub fn with_share(mut self, share: f64) -> Self {
        self.shares = plan::published_shares(self.length.min(MAX_LENGTH), share);
        self
    }
}

/// Parameters that were checked, and the schedule that follows from them.
#[derive(Clone, Debug)]
pub struct Campaign {
    parameters: Parameters,
    schedule: Schedule,
    /// For questions of one fragment, of two, and so on.
    responses: Arc<[RandomizedResponse]>,
}

impl Campaign {
    /// Checks the parameters.
    pub fn new(parameters: Parameters) -> Result<Self> {
        let p = &parameters;
        range(
            "number of locations",
            p.locations.into(),
            1,
            u32::MAX.into(),
        )?;
        range("length of fragments", p.length.into(), 1, MAX_LENGTH.into())?;
        range(
            "number of fragments for each client",
            p.per_client.into(),
            1,
            MAX_PER_CLIENT.into(),
        )?;
        range("number of clients", p.population, 1, MAX_POPULATION)?;
        range("k", p.k, 1, p.population)?;
        range("number of candidates", p.max_candidates as u64, 1, 1 << 24)?;
        if p.locations as usize > p.max_candidates {
            return Err(Error::input(format!(
                "the universe has {} locations, and at most {} candidates of one length may be \
                 asked about",
                p.locations, p.max_candidates
            ))
            .hint("use a coarser universe"));
        }
        if !(p.xi > 0.0 && p.xi < 1.0) {
            return Err(invalid("xi", p.xi).hint("xi lies between 0 and 1; 0.01 is usual"));
        }
        if !(p.lambda >= 0.0 && p.lambda.is_finite()) {
            return Err(invalid("lambda", p.lambda)
                .hint("lambda is at least 0; 0.8 is usual, and 0 asks about every candidate"));
        }
        if p.shares.len() != p.length as usize {
            return Err(Error::input(format!(
                "there are shares of clients for {} lengths, and fragments of {} lengths",
                p.shares.len(),
                p.length
            )));
        }
        if p.form == Form::AsPublished && p.shares.iter().any(|phases| phases.len() != 1) {
            return Err(Error::input(
                "the published form asks about each length in one phase",
            ));
        }
        let schedule = Schedule::from_shares(&p.shares)?;
        // Also checks that every η that can be needed is one that is drawn exactly.
        let responses = (1..=p.per_client as usize)
            .map(|asked| response(&p.epsilon, asked))
            .collect::<Result<_>>()?;
        Ok(Self {
            parameters,
            schedule,
            responses,
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The rounds and their shares.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The randomised response of a client that is asked about so many fragments, from one to the
    /// most allowed.
    pub(crate) fn response(&self, asked: usize) -> &RandomizedResponse {
        &self.responses[asked - 1]
    }
}

/// The randomised response of each bit where `asked` bits together may cost ε.
pub(crate) fn response(epsilon: &Epsilon, asked: usize) -> Result<RandomizedResponse> {
    Ok(RandomizedResponse::new(epsilon.rate_over(asked as u64)?))
}

fn invalid(what: &str, got: impl std::fmt::Display) -> Error {
    Error::input(format!("invalid {what} (got {got})"))
}

fn range(what: &str, got: u64, least: u64, most: u64) -> Result<()> {
    if (least..=most).contains(&got) {
        return Ok(());
    }
    Err(invalid(what, got).hint(format!("it must lie between {least} and {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Parameters {
        Parameters::repaired(17, 5, 1000, 10, "1".parse().unwrap())
    }

    #[test]
    fn defaults_are_accepted() {
        assert!(Campaign::new(good()).is_ok());
        let published = Parameters::as_published(17, 5, 1000, 10, "10".parse().unwrap());
        let campaign = Campaign::new(published).unwrap();
        assert_eq!(campaign.schedule().rounds(), 5);
    }

    #[test]
    fn a_share_that_would_ask_twice_is_refused_with_advice() {
        let six = Parameters::as_published(17, 6, 1000, 10, "10".parse().unwrap());
        let error = Campaign::new(six.clone()).unwrap_err();
        assert!(error.message().contains("sum to 1.2"), "{error}");
        assert!(error.advice().is_some());
        assert!(Campaign::new(six.with_share(0.15)).is_ok());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused: [fn(&mut Parameters); 12] = [
            |p| p.locations = 0,
            |p| p.length = 0,
            |p| p.length = MAX_LENGTH + 1,
            |p| p.population = 0,
            |p| p.k = 0,
            |p| p.k = 1001,
            |p| p.xi = 0.0,
            |p| p.xi = f64::NAN,
            |p| p.lambda = -1.0,
            |p| p.per_client = 0,
            |p| p.per_client = MAX_PER_CLIENT + 1,
            |p| p.shares.truncate(3),
        ];
        for (index, change) in refused.into_iter().enumerate() {
            let mut parameters = good();
            change(&mut parameters);
            assert!(Campaign::new(parameters).is_err(), "change {index}");
        }
        let mut two_phases = good();
        two_phases.form = Form::AsPublished;
        assert!(Campaign::new(two_phases).is_err());
    }
}
