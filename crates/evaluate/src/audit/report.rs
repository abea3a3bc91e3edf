//! What an audit found.

use wayveil_core::{Claim, Model, Neighbouring};

use super::bound::Tested;
use super::event::{Direction, Event};
use super::{Claimed, relation};

/// One event, tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Which data set the event was expected to be likelier on.
    pub direction: Direction,
    /// The event.
    pub event: Event,
    /// How often it occurred.
    pub tested: Tested,
    /// What follows for ε, with the claimed δ.
    pub epsilon_lower: f64,
    /// What follows for ε with the confidence of a verdict.
    pub epsilon_certain: f64,
    /// The least α, over all tests together, at which the bound is above the claim; 1 or more
    /// where none is.
    pub least_alpha: f64,
    /// What follows for δ at the claimed ε.
    pub delta_lower: Option<f64>,
}

/// One pair of neighbouring data sets.
#[derive(Clone, Debug, PartialEq)]
pub struct PairReport {
    /// What the extra owner does, or what the replaced one did and does instead.
    pub about: String,
    /// The events tested; none where other pairs promised more.
    pub findings: Vec<Finding>,
}

impl PairReport {
    /// The finding with the greatest bound.
    pub fn best(&self) -> Option<&Finding> {
        let order =
            |one: &&Finding, other: &&Finding| one.epsilon_lower.total_cmp(&other.epsilon_lower);
        self.findings.iter().max_by(order)
    }
}

/// The result of an audit.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The method's name.
    pub method: &'static str,
    /// Which form of it.
    pub variant: &'static str,
    /// By what the data sets of each pair differ: as claimed, by one owner more where nothing is.
    pub neighbouring: Neighbouring,
    /// ε as claimed, or as held against the method; none where neither is.
    pub epsilon_claimed: Option<f64>,
    /// δ as claimed, zero for the pure form; none where nothing is claimed.
    pub delta_claimed: Option<f64>,
    /// Why the method itself claims nothing, where it does not.
    pub claims_nothing_because: Option<String>,
    /// With confidence 1 − α, the true ε is at least this, with the claimed δ.
    pub epsilon_lower: f64,
    /// With the confidence of a verdict, the true ε is at least this.
    pub epsilon_certain: f64,
    /// With confidence 1 − α, at the claimed ε the true δ is at least this.
    pub delta_lower: Option<f64>,
    /// The probability that a bound is wrong at most.
    pub alpha: f64,
    /// A mechanism that keeps its promise looks so bad with this probability at most.
    pub least_alpha: f64,
    /// Whether the claim is refuted: [`Self::epsilon_certain`] is above it.
    pub refuted: bool,
    /// Test runs of each data set that was tested.
    pub test_runs: u64,
    /// Runs in all.
    pub runs: u64,
    /// All pairs, those that promised most first.
    pub pairs: Vec<PairReport>,
}

impl Report {
    pub(super) fn new(
        method: &'static str,
        claim: &Claim,
        claimed: Option<Claimed>,
        alpha: f64,
        test_runs: u64,
        runs: u64,
        pairs: Vec<PairReport>,
    ) -> Self {
        let findings = || pairs.iter().flat_map(|pair| &pair.findings);
        let most = |bound: fn(&Finding) -> f64| findings().map(bound).fold(0.0, f64::max);
        let epsilon_lower = most(|found| found.epsilon_lower);
        let epsilon_certain = most(|found| found.epsilon_certain);
        Self {
            method,
            variant: claim.variant,
            neighbouring: relation(claim),
            epsilon_claimed: claimed.map(|it| it.epsilon),
            delta_claimed: claimed.map(|it| it.delta),
            claims_nothing_because: match &claim.guarantee.model {
                Model::None { reason } => Some(reason.clone()),
                _ => None,
            },
            epsilon_lower,
            epsilon_certain,
            delta_lower: findings()
                .filter_map(|found| found.delta_lower)
                .reduce(f64::max),
            alpha,
            least_alpha: findings()
                .map(|found| found.least_alpha)
                .fold(1.0, f64::min),
            refuted: claimed.is_some_and(|it| epsilon_certain > it.epsilon),
            test_runs,
            runs,
            pairs,
        }
    }

    /// Whether the bound, but not the verdict, is above the claim: chance, or a leak that needs
    /// more runs.
    pub fn doubtful(&self) -> bool {
        let above = |claimed| self.epsilon_lower > claimed;
        !self.refuted && self.epsilon_claimed.is_some_and(above)
    }

    /// The finding with the greatest bound, and its pair.
    pub fn best(&self) -> Option<(&PairReport, &Finding)> {
        let found = self
            .pairs
            .iter()
            .filter_map(|pair| Some((pair, pair.best()?)));
        found.max_by(|(_, one), (_, other)| one.epsilon_lower.total_cmp(&other.epsilon_lower))
    }
}
