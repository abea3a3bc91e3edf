//! `sfp` as the door sees it.

use serde_json::json;
use wayveil_core::{
    Claim, Cost, Error, Guarantee, Mechanism, Output, Progress, PublicInputs, RandomSource,
    Records, Result,
};
use wayveil_federated::baselines::sfp::Sfp as Baseline;

use crate::baseline;
use crate::fragments::{Asked, locations};
use crate::parameters::{Parameter, Parameters};
use crate::simulated::{Simulated, Traffic};

/// The most rows, and the most columns, of a sketch.
const LARGEST_SKETCH: u64 = 1 << 14;
/// The largest universe: the collector asks its sketches about every two locations, and beyond about
/// so many for each of 256 hashes as well.
const MOST_LOCATIONS: u32 = 1024;

/// The Sequence Fragment Puzzle with its options.
#[derive(Clone, Debug)]
pub struct Sfp {
    /// What it is asked for.
    pub asked: Asked,
    /// Columns of a sketch: the bits of a client's row.
    pub width: u32,
    /// Hash functions of a sketch.
    pub functions: u32,
    /// Whether the published form was asked for.
    pub as_published: bool,
}

impl Sfp {
    /// The parameters, as offered everywhere.
    pub const PARAMETERS: &'static [Parameter] = &[
        Asked::EPSILON,
        Asked::K,
        Asked::LENGTH,
        Parameter {
            name: "width",
            value: "W",
            help: "Columns of a sketch, which are the bits that a client sends",
            default: Some("1024"),
            example: "16",
        },
        Parameter {
            name: "functions",
            value: "H",
            help: "Public hash functions of a sketch, of which a client draws one",
            default: Some("1024"),
            example: "16",
        },
        Asked::CLIENTS_PER_RECORD,
        Asked::LONGEST,
        Parameter {
            name: "as-published",
            value: "",
            help: "Half of epsilon for a piece of the fragment, and counts that are not scaled; \
                   clients are as private",
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
        let size = |name| {
            let size = parameters.whole(name, 2..=LARGEST_SKETCH)?;
            Ok::<u32, Error>(u32::try_from(size).unwrap_or(u32::MAX))
        };
        Ok(Self {
            asked: Asked::read(parameters)?,
            width: size("width")?,
            functions: size("functions")?,
            as_published: parameters.switch("as-published")?,
        })
    }

    fn baseline(&self, locations: u32) -> Result<Baseline> {
        let make = match self.as_published {
            true => Baseline::published,
            false => Baseline::improved,
        };
        let lengths: Vec<usize> = (1..=self.asked.length as usize).collect();
        make(locations, &lengths, &self.asked.epsilon)?.with_sketch(self.width, self.functions)
    }
}

impl Mechanism for Sfp {
    fn name(&self) -> &'static str {
        "sfp"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let locations = locations(public);
        if locations > MOST_LOCATIONS {
            return Err(Error::input(format!(
                "the universe has {locations} locations, and sfp asks about every two of at most \
                 {MOST_LOCATIONS}"
            ))
            .hint("use a coarser universe, or another method, such as fastpub"));
        }
        self.baseline(locations)?;
        let epsilon = self.asked.record_epsilon()?;
        let guarantee = Guarantee::local(&epsilon, public.unit)
            .resting_on("A client reports once, and repeats that report if asked again.");
        let mut parameters = baseline::parameters(&self.asked);
        parameters.insert("width".into(), json!(self.width));
        parameters.insert("functions".into(), json!(self.functions));
        let (variant, about_counts, bits) = match self.as_published {
            true => (
                "as-published",
                "Counts are of clients who drew the fragment among their own of that length: far too \
                 low where clients have many.",
                "e^(epsilon/4) where a piece is sent too, e^(epsilon/2) elsewhere",
            ),
            false => (
                "repaired",
                "Counts are scaled by the mean number of fragments of a client: too low for \
                 fragments of long trajectories, too high for those of short ones.",
                "e^(epsilon/2)",
            ),
        };
        Ok(Claim {
            guarantee: match self.asked.about_records() {
                None => guarantee,
                Some(about) => guarantee.resting_on(about),
            },
            cost: Cost::pure(epsilon),
            variant,
            parameters,
            limits: baseline::limits(&self.asked, about_counts, public),
            noise: format!(
                "randomised response by an exact integer sampler: each of {} bits is turned over \
                 with odds of 1 to {bits}; simulated as sums of bits, which have the same law",
                self.width
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

impl Simulated for Sfp {
    fn asked(&self) -> &Asked {
        &self.asked
    }

    fn run_counting(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<(Output, Option<Traffic>)> {
        let make = |_| self.baseline(locations(&records.public));
        baseline::run(&self.asked, make, records, random, progress)
    }
}

#[cfg(test)]
mod tests;
