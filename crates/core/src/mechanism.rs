//! What a mechanism is to the rest of the program.
//!
//! A mechanism works in two steps. [`Mechanism::claim`] sees public inputs only: it checks
//! parameters, refuses what cannot work, and says what will be charged and promised.
//! [`Mechanism::run`] sees the records, after the charge. A promise can therefore never depend on
//! the data. That holds for the number of records too, even where the relation makes it public: what
//! depends on it is decided by `run`, which is told ([`Records::units`]).

use std::collections::BTreeMap;

use wayveil_noise::RandomSource;

use crate::attribute::Attribute;
use crate::budget::Cost;
use crate::counting::OnCounts;
use crate::error::Result;
use crate::expected::ExpectedError;
use crate::fragments::FragmentCounts;
use crate::guarantee::Guarantee;
use crate::progress::Progress;
use crate::sequences::Sequences;
use crate::transcript::Transcript;
use crate::unit::{PublicInputs, Records};

/// A way to make a release from records.
///
/// # What an implementation must ensure
/// For all public inputs, and all records that are neighbouring under the claimed relation, the
/// distributions of what [`run`](Self::run) returns (or of its failing) satisfy the claimed
/// guarantee. The proof sketch stands beside the implementation; the types cannot check it.
pub trait Mechanism: Sync {
    /// Its name on the command line and in manifests.
    fn name(&self) -> &'static str;

    /// What will be charged and promised, from public inputs alone.
    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim>;

    /// Makes the output. All randomness comes from `random`.
    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output>;

    /// The same mechanism for records that stay elsewhere, where exact counts are all that it needs of them.
    fn on_counts(&self) -> Option<&dyn OnCounts> {
        None
    }

    /// As [`run`](Self::run), and beside it what that output shows of each record, in the order of the
    /// records and with positions as time bins; none where a method's rows are not made of records. For
    /// measuring: it is raw data, and only a [`crate::Rehearsal`] asks for it.
    fn run_in_place(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<(Output, Option<Sequences>)> {
        Ok((self.run(records, random, progress)?, None))
    }
}

/// What a mechanism will charge and promise.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What it costs.
    pub cost: Cost,
    /// What it promises.
    pub guarantee: Guarantee,
    /// Which form of the method, as a manifest has it.
    pub variant: &'static str,
    /// All parameters, for the manifest.
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// What a recipient must not expect, for the manifest.
    pub limits: Vec<String>,
    /// The noise distribution and its sampler, for the manifest.
    pub noise: String,
    /// The columns beside the trajectory that it will read, by name; it can release no others. None
    /// under differential privacy.
    pub columns: Vec<String>,
}

/// What a mechanism makes: safe to publish by its guarantee.
#[derive(Debug)]
pub struct Output {
    /// The released trajectories, in canonical order; the door sorts those of a truthful mechanism.
    pub trajectories: Sequences,
    /// The released columns beside them, one value for each; only columns that the claim names.
    pub attributes: Vec<Attribute>,
    /// The noisy counts behind them, where the method releases them.
    pub counts: Option<NoisyCounts>,
    /// Frequent fragments with how many have them, where the method releases such.
    pub fragments: Option<FragmentCounts>,
    /// What the method estimates of its own error, from what it releases and has paid for alone.
    pub expected_error: Option<ExpectedError>,
    /// What it tells the auditor; never released.
    pub transcript: Transcript,
}

/// Released counts of prefixes.
#[derive(Clone, Debug)]
pub struct NoisyCounts {
    /// What was counted: how many records begin so.
    pub prefixes: Sequences,
    /// The count with its noise, as drawn.
    pub noisy: Vec<i64>,
    /// The count after inference.
    pub estimate: Vec<f64>,
    /// Standard deviation of the noise in `noisy`.
    pub standard_error: Vec<f64>,
}
