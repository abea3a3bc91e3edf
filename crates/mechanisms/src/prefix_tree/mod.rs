//! `prefix-tree`: a tree of noisy counts of how trajectories begin.
//!
//! # What it releases
//! For each level of a prefix tree, noisy counts of the records that begin with a sequence of
//! symbols, kept where they reach a threshold; and trajectories drawn to match those counts. A
//! symbol is a location, or a location in a time bin.
//!
//! # Guarantee
//! Pure ε-differential privacy under adding or removing one unit of privacy: by default one
//! owner with everything they did, joined to one record; with a bound of m trips, one owner with
//! at most m records. Public inputs: the set of locations, the number of time bins, the height h,
//! ρ, and the unit.
//!
//! # Why it holds
//! 1. *One level.* Fix the nodes of level i−1 that are expanded. Each record lies below at most
//!    one of them, and in at most one of their children. The vector of exact counts over **all**
//!    candidate children of all expanded nodes, empty ones included, therefore changes by at most
//!    m in L1 when one unit with at most m records is added or removed. Discrete Laplace noise
//!    with α = e^(−ε/(h·m)) on every entry makes it ε/h-differentially private (Ghosh,
//!    Roughgarden and Sundararajan 2009).
//! 2. *Children that are not visited.* Drawing the number of passing empty children, then which,
//!    then their noisy counts, gives the same distribution as visiting each (see
//!    [`wayveil_noise::EmptyChildren`]); the sampler is exact, so the same bound holds for it.
//! 3. *Threshold.* It is a function of public inputs, the same for empty and non-empty children;
//!    comparing noisy counts with it is post-processing.
//! 4. *All levels.* Which nodes are expanded at level i depends on released values of the levels
//!    above only. Adaptive sequential composition over h levels gives ε.
//! 5. *The rest* (projection, rounding, the trajectories) uses released numbers and fresh
//!    randomness: post-processing.
//! 6. *Before counting*, a record is cut at h symbols and where its time bins go back, looking at
//!    that record alone: one unit still changes at most m records.
//!
//! # What it costs
//! Each level has ε/h. Branches whose counts meet the noise end there, and everything deeper is
//! lost; counts of branches just above the threshold are biased upward. Records are cut at h.
//!
//! # Repaired
//! As published, an empty child passes with probability 0.03, so that every node of a universe
//! above 34 symbols has more than one false child on average and the tree explodes. The threshold
//! here keeps the expected number of false children at ρ < 1. The published inference leaves
//! negative counts and children above their parents; projection does not.
//!
//! # Reference
//! R. Chen, B. C. M. Fung, B. C. Desai: Differentially private trajectory data publication, 2011.

mod count;
mod emit;
mod infer;
mod tree;

pub use count::{Alphabet, InMemory, Level, PrefixCounts};

use std::collections::BTreeMap;

use serde_json::json;
use wayveil_core::{
    Claim, Cost, Epsilon, Error, Guarantee, Mechanism, Output, Progress, PublicInputs,
    RandomSource, Rational, Records, Result,
};
use wayveil_noise::{DiscreteLaplace, EmptyChildren, Rate, auto_threshold};

use crate::parameters::{Parameter, Parameters};
use tree::LevelNoise;

/// The tree's parameters; all of them public.
#[derive(Clone, Debug)]
pub struct PrefixTree {
    /// The whole budget.
    pub epsilon: Epsilon,
    /// How many symbols of a record count.
    pub height: u32,
    /// The expected number of false children of a node; below 1.
    pub rho: Rational,
}

impl PrefixTree {
    /// The tallest tree.
    pub const MAX_HEIGHT: u64 = 1000;

    /// The parameters, as offered everywhere.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "epsilon",
            value: "E",
            help: "Privacy budget of the whole release, above 0; smaller is more private",
            default: None,
            example: "1",
        },
        Parameter {
            name: "height",
            value: "H",
            help: "How many locations of a trajectory count; each level has epsilon/H",
            default: None,
            example: "12",
        },
        Parameter {
            name: "rho",
            value: "R",
            help: "Expected number of false children of a node, above 0 and below 1",
            default: Some("1/2"),
            example: "1/2",
        },
    ];

    /// Builds the mechanism from parameter values.
    pub fn build(parameters: &Parameters) -> Result<Box<dyn Mechanism>> {
        let rho: Rational = parameters.read("rho")?;
        if rho.is_zero() || rho >= Rational::new(1, 1)? {
            return Err(Error::input(format!(
                "invalid rho (got {rho}): must be above 0 and below 1"
            ))
            .hint("with 1 or more false children per node the tree would never end"));
        }
        Ok(Box::new(Self {
            epsilon: parameters.read("epsilon")?,
            height: parameters.whole("height", 1..=Self::MAX_HEIGHT)? as u32,
            rho,
        }))
    }

    fn alphabet(&self, public: &PublicInputs<'_>) -> Result<Alphabet> {
        let bins = public.time.map_or(1, |axis| axis.bins);
        Alphabet::new(public.universe.len(), bins).ok_or_else(|| {
            Error::input(format!(
                "{} locations in {bins} time bins are too many symbols: more than 2^32",
                public.universe.len()
            ))
            .hint("use fewer or wider time bins")
        })
    }

    /// The noise rate of one count: ε over height and records per unit.
    fn rate(&self, public: &PublicInputs<'_>) -> Result<Rate> {
        self.epsilon
            .rate_over(u64::from(self.height) * u64::from(public.unit.records()))
    }

    /// The threshold for each bin that may come first among a node's candidates.
    fn thresholds(&self, public: &PublicInputs<'_>, alphabet: Alphabet) -> Result<Vec<u64>> {
        let rate = self.rate(public)?;
        let rho = self.rho.to_u64_parts().ok_or_else(|| {
            Error::input(format!("invalid rho (got {}): too many digits", self.rho))
        })?;
        let bins = public.time.map_or(1, |axis| axis.bins);
        let locations = alphabet.len() / bins.max(1);
        (0..bins.max(1))
            .map(|bin| {
                let candidates = u64::from(alphabet.len() - bin * locations);
                auto_threshold(&rate, candidates, rho)
                    .map_err(|cause| Error::input(format!("no threshold: {cause}")))
            })
            .collect()
    }
}

impl Mechanism for PrefixTree {
    fn name(&self) -> &'static str {
        "prefix-tree"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let alphabet = self.alphabet(public)?;
        let rate = self.rate(public)?;
        let thresholds = self.thresholds(public, alphabet)?;
        let parameters = BTreeMap::from([
            (
                "epsilon".to_owned(),
                json!(self.epsilon.value().exact_text()),
            ),
            ("height".to_owned(), json!(self.height)),
            ("rho".to_owned(), json!(self.rho.exact_text())),
            ("threshold".to_owned(), json!(thresholds[0])),
            ("inference".to_owned(), json!("projected")),
            (
                "rate".to_owned(),
                json!(format!("{}/{}", rate.numer(), rate.denom())),
            ),
        ]);
        let guarantee = Guarantee::pure(&self.epsilon, public.unit)
            .resting_on(
                "The set of locations, the height and all other parameters were chosen without \
                 looking at the data.",
            )
            .resting_on("The operating system's random generator is sound.");
        Ok(Claim {
            cost: Cost::Pure(self.epsilon.clone()),
            guarantee,
            variant: "repaired",
            parameters,
            limits: vec![
                format!("Trajectories are cut at {} locations.", self.height),
                "Rare ways are missing: a beginning shared by too few people is not released."
                    .into(),
                "Trajectories are synthetic: drawn to fit noisy counts, not copied from people."
                    .into(),
                "Counts of beginnings just above the threshold tend to be too high.".into(),
            ],
            noise: format!(
                "discrete Laplace, P[x] proportional to exp(-|x| * {}/{}), by an exact integer \
                 sampler",
                rate.numer(),
                rate.denom()
            ),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        let public = &records.public;
        if u32::try_from(records.sequences.len()).is_err() {
            return Err(Error::input(
                "more than 4,294,967,295 records are not supported",
            ));
        }
        let alphabet = self.alphabet(public)?;
        let laplace = DiscreteLaplace::new(self.rate(public)?);
        let thresholds = self.thresholds(public, alphabet)?;
        let empty = thresholds
            .iter()
            .map(|&threshold| EmptyChildren::new(laplace, threshold))
            .collect();
        let noise = LevelNoise {
            alphabet,
            laplace,
            thresholds,
            empty,
        };
        let mut counts = InMemory::new(records, alphabet, self.height);
        let tree = tree::grow(&mut counts, &noise, self.height, random, progress)?;
        let estimate = infer::project(&tree);
        let (trajectories, counts) = emit::emit(
            &tree,
            &estimate,
            laplace.std_dev(),
            alphabet,
            public.time.is_some(),
            &mut random.stream(),
        );
        Ok(Output {
            trajectories,
            counts: Some(counts),
        })
    }
}
