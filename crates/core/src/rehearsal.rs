//! The auditor's way past the door, and that of whoever measures: everything that [`crate::publish`] does, but no release.
//!
//! A guarantee is tested by running a mechanism many times on data that was made up for it. The
//! steps are the door's own (terms, unit, claim, and the check of the claim); what comes out is
//! [`Internal`], shows the transcript, and does not turn into a release:
//! ```compile_fail,E0277
//! use wayveil_core::{Internal, Rehearsed, Release};
//! fn forge(seen: Internal<Rehearsed>) -> Release {
//!     seen.into()
//! }
//! ```
//! Nor can anyone begin without saying why:
//! ```compile_fail,E0061
//! use wayveil_core::{Dataset, Mechanism, Raw, RandomSource, Rehearsal, Terms};
//! fn peek(raw: &Raw<Dataset>, mechanism: &dyn Mechanism, random: &RandomSource) {
//!     let _ = Rehearsal::new(raw, mechanism, &Terms::default(), random);
//! }
//! ```

use wayveil_noise::RandomSource;

use crate::dataset::Dataset;
use crate::door::{Prepared, Terms, as_released, prepare};
use crate::error::Result;
use crate::fragments::FragmentCounts;
use crate::mechanism::{Claim, Mechanism, NoisyCounts};
use crate::progress::{Progress, Silent};
use crate::raw::{Internal, NonPrivate, Raw};
use crate::sequences::Sequences;

/// A mechanism before its data, ready to be run again and again.
pub struct Rehearsal<'a> {
    data: &'a Dataset,
    mechanism: &'a dyn Mechanism,
    prepared: Prepared<'a>,
}

/// What one run made, with its transcript.
#[derive(Debug)]
pub struct Rehearsed {
    /// The trajectories that would have been released.
    pub trajectories: Sequences,
    /// The counts that would have been released.
    pub counts: Option<NoisyCounts>,
    /// The fragments that would have been released.
    pub fragments: Option<FragmentCounts>,
    /// What the mechanism tells of the run.
    pub transcript: Vec<(String, i64)>,
}

/// What one run shows of each record, side by side.
#[derive(Debug)]
pub struct InPlace {
    /// The records, as the unit of privacy makes them of rows; without time bins.
    pub records: Sequences,
    /// What is shown of each: any codes, with positions as time bins.
    pub shown: Sequences,
}

impl<'a> Rehearsal<'a> {
    /// Takes the door's steps up to the charge, which nobody pays since nobody sees the result.
    pub fn new(
        raw: &'a Raw<Dataset>,
        mechanism: &'a dyn Mechanism,
        terms: &Terms,
        random: &RandomSource,
        _because: NonPrivate,
    ) -> Result<Self> {
        Ok(Self {
            data: &raw.inner,
            mechanism,
            prepared: prepare(&raw.inner, mechanism, terms, random)?,
        })
    }

    /// What the mechanism would charge and promise.
    pub fn claim(&self) -> &Claim {
        &self.prepared.claim
    }

    /// Runs the mechanism once. A failure is an outcome like any other: it may depend on the data.
    pub fn run(&self, random: &mut RandomSource) -> Internal<Result<Rehearsed>> {
        let mut run = || {
            let records = &self.prepared.records;
            let output = self.mechanism.run(records, random, &Silent)?;
            let output = as_released(self.data, &self.prepared.claim, output)?;
            Ok(Rehearsed {
                trajectories: output.trajectories,
                counts: output.counts,
                fragments: output.fragments,
                transcript: output.transcript.tell(),
            })
        };
        Internal::of(run())
    }

    /// Runs the mechanism once, to be measured: the trajectories that would have been released, and what
    /// they show of each record where a record has a place in them.
    pub fn run_in_place(
        &self,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Internal<Result<(Sequences, Option<InPlace>)>> {
        let mut run = || {
            let records = &self.prepared.records;
            let (output, shown) = self.mechanism.run_in_place(records, random, progress)?;
            let output = as_released(self.data, &self.prepared.claim, output)?;
            let in_place = match shown {
                None => None,
                Some(shown) => Some(InPlace {
                    records: Sequences::new(
                        records.sequences.offsets().to_vec(),
                        records.sequences.codes().to_vec(),
                        None,
                    )?,
                    shown,
                }),
            };
            Ok((output.trajectories, in_place))
        };
        Internal::of(run())
    }
}
