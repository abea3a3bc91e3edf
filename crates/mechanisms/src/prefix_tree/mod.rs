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
//! at most m records. Public inputs: the set of locations, the number of time bins, the height,
//! the split of ε over levels, thresholds, caps, and the unit.
//!
//! # Why it holds
//! Every level counts each record in at most one of all candidates of all expanded nodes, and
//! adds exact noise for the level's share of ε to all of them, empty ones included. The levels
//! compose; all else is post-processing. The argument stands in full in [`crate::tree`], of which
//! this is the case without a taxonomy.
//!
//! # What it costs
//! Each level has its share of ε. Branches whose counts meet the noise end there, and everything
//! deeper is lost; counts of branches just above the threshold are biased upward. Records are cut
//! at the height.
//!
//! # Repaired
//! As published, an empty child passes with probability e^(−2√2)/2 ≈ 0.03, so that every node of
//! a universe above 34 symbols has more than one false child on average and the tree explodes
//! (about 5·10¹⁷ nodes for 1,012 locations and height 12). The default threshold keeps the
//! expected number of false children at ρ < 1. The published inference leaves negative counts and
//! children above their parents; the default one does not. The published form is to be had with
//! `as-published`; where it would explode it is refused unless a cap on nodes is given. Its
//! privacy holds as well, since only its use suffers.
//!
//! # Reference
//! R. Chen, B. C. M. Fung, B. C. Desai: Differentially private trajectory data publication, 2011.

use wayveil_core::{
    Claim, Counting, Mechanism, OnCounts, Output, Progress, PublicInputs, RandomSource, Records,
    Result,
};

use crate::here::Here;
use crate::parameters::{Parameter, Parameters};
use crate::tree::{Planned, TreeOptions};

/// The prefix tree with its options.
#[derive(Clone, Debug)]
pub struct PrefixTree {
    /// What it is told.
    pub options: TreeOptions,
}

impl PrefixTree {
    /// The parameters, as offered everywhere.
    pub const PARAMETERS: &'static [Parameter] = &TreeOptions::PARAMETERS;

    /// Builds the mechanism from parameter values.
    pub fn build(parameters: &Parameters) -> Result<Box<dyn Mechanism>> {
        Ok(Box::new(Self {
            options: TreeOptions::read(parameters)?,
        }))
    }

    fn plan(&self, public: &PublicInputs<'_>) -> Result<Planned> {
        Planned::new(&self.options, public, None)
    }
}

impl Mechanism for PrefixTree {
    fn name(&self) -> &'static str {
        "prefix-tree"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        Ok(self.plan(public)?.claim(public))
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        self.run_on_counts(&records.public, &Here(records), random, progress)
    }

    fn on_counts(&self) -> Option<&dyn OnCounts> {
        Some(self)
    }
}

impl OnCounts for PrefixTree {
    fn run_on_counts(
        &self,
        public: &PublicInputs<'_>,
        counting: &dyn Counting,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        self.plan(public)?
            .run(counting, public.time.is_some(), random, progress)
    }
}
