//! `weave`: noisy counts of many kinds, and candidates reweighted until they count alike.
//!
//! # What it releases
//! Synthetic trajectories, about as many as there are records. They are drawn from a model of noisy counts and
//! reweighted until they agree with those: how many records there are, their lengths, the way they return to
//! places, first and last places, places visited, steps between places, and places visited somewhere before
//! others.
//!
//! ```text
//!  records ─ features ─▶ exact counts ─ measure ─▶ noisy counts ─┬─ habits, model ─▶ pool of candidates
//!                                                                └─ denoise, fit ──▶ their weights ─ emit ─▶
//! ```
//!
//! # Guarantee
//! Pure ε-differential privacy under adding or removing one unit of privacy: by default one owner with
//! everything they did, joined to one record; with a bound of m trips, one owner with at most m records. Public
//! inputs: the set of locations and its taxonomy, the maximal length, the task, ε, and the unit.
//!
//! # Why it holds
//! 1. *One group.* A group is a function f of one record: the cells in which it counts, each with a whole number of
//!    units, c·u units at most in all (`features`; u is 60). It looks at that record alone, cut at the
//!    maximal length. The vector of counts is the sum of f over all records, so that adding a record changes it by
//!    at most c·u in the sum of absolute changes, and adding a unit of privacy of m records by at most c·u·m. Every
//!    cell, empty or not, has exact discrete Laplace noise with α = e^(−ε_g/(c·u·m)), so that the probability of any vector of noisy counts changes by a factor of at most
//!    e^(ε_g) (Ghosh, Roughgarden and Sundararajan 2009). Where there are too many cells to visit, those that
//!    reach a threshold are drawn, distributed exactly as if every one had been visited (see
//!    [`wayveil_noise::EmptyChildren`]); the threshold is a function of public inputs and c.
//! 2. *The bounds.* c is one for the number of records, lengths, shapes, variety, first places, and first and last
//!    places: a record counts in one cell at most. It is a constant for ranks. For places, steps and pairs it is
//!    chosen from noisy counts of groups measured before; given those it is fixed (adaptive composition).
//! 3. *All groups.* The shares ε_g are whole thousandths of ε that sum up to ε exactly, for every outcome of the
//!    first noisy count, on which they depend (`shares`). Adaptive sequential composition gives ε.
//! 4. *The rest* (habits, model, pool, targets, weights, rounding) sees noisy counts and public inputs only.
//!
//! | group | counts, for one record | c |
//! | --- | --- | --- |
//! | total | the record | 1 |
//! | length | its length | 1 |
//! | shape | which of its first six visits are to the same places, and whether there are more | 1 |
//! | novelty | for every visit but the first: how many places back, given how many are known | 6 |
//! | step | the same, given also the two visits before | 6 |
//! | variety | how many different places, by class of length | 1 |
//! | first | its first place | 1 |
//! | place | its places, each once | chosen |
//! | ends | first and last place, of two visits or more | 1 |
//! | transition | consecutive visits, as often as they occur | chosen |
//! | pair | one place somewhere before another, each pair once | chosen |
//!
//! A record with more than c cells counts c·u divided by their number in each, rounded down, and so on both sides:
//! the same function is applied to the candidates.
//!
//! # What it costs
//! Rare ways are made of common ones: what no group tells is as the model has it. Triples of places that go
//! together for other reasons than their pairs do are missed.
//!
//! # Reference
//! Our own. Fitting a weighted pool to noisy measurements is in the line of R. McKenna, D. Sheldon and
//! G. Miklau, Graphical-model based estimation and inference for differential privacy, 2019, and T. Liu,
//! G. Vietri and Z. S. Wu, Iterative methods for private synthetic data, 2021; improved iterative scaling is by
//! S. Della Pietra, V. Della Pietra and J. Lafferty, Inducing features of random fields, 1997.

mod claim;
mod denoise;
mod draw;
mod emit;
mod features;
mod fit;
mod ground;
mod habits;
mod measure;
mod model;
mod options;
mod paid;
mod pool;
mod shape;
mod shares;
mod smooth;
mod transcript;

use wayveil_core::{
    Claim, Error, Mechanism, Output, Progress, PublicInputs, RandomSource, Records, Result,
};

use crate::parameters::{Parameter, Parameters};
use features::Kind;
use fit::{Wanted, Weighted};
use ground::Survey;
use measure::Measured;
use model::Learned;
use options::Options;
use paid::{Paid, measure_all};

/// The mechanism with its options.
#[derive(Clone, Debug)]
pub struct Weave {
    options: Options,
}

/// Candidates are so many times the records, within bounds.
const POOL: f64 = 2.0;
const SMALLEST_POOL: f64 = 500.0;
const LARGEST_POOL: f64 = 1_200_000.0;
/// The most visits of all candidates together.
const SYMBOLS: f64 = 60_000_000.0;

impl Weave {
    /// The parameters, as offered everywhere.
    pub const PARAMETERS: &'static [Parameter] = Options::PARAMETERS;

    /// Builds the mechanism from parameter values.
    pub fn build(parameters: &Parameters) -> Result<Box<dyn Mechanism>> {
        Ok(Box::new(Self {
            options: Options::read(parameters)?,
        }))
    }
}

impl Mechanism for Weave {
    fn name(&self) -> &'static str {
        "weave"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        claim::claim(&self.options, public)
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        progress.begin("measuring", None);
        let Some(lattice) = ground::lattice(&self.options, &records.public) else {
            let paid = measure_all(records, &self.options, random)?;
            progress.end();
            progress.begin("weaving", None);
            let output = weave(paid, records, None, random);
            progress.end();
            return output;
        };
        let survey = ground::survey(lattice, records, &self.options, random)?;
        let leaves = survey.leaves()?;
        let coarse = survey.records(records, &leaves, &self.options);
        let paid = measure_all(&coarse, &ground::rest(&self.options)?, random)?;
        progress.end();
        progress.begin("weaving", None);
        let ground = Some((survey, self.options.max_length));
        let output = weave(paid, &coarse, ground, random);
        progress.end();
        output
    }
}

/// Everything after the noise. On the ground, places are leaves, and points are drawn inside of them.
fn weave(
    mut paid: Paid,
    records: &Records<'_>,
    ground: Option<(Survey, usize)>,
    random: &mut RandomSource,
) -> Result<Output> {
    let group = |kind: Kind| {
        let found = paid.groups.iter().find(|it| it.features.kind == kind);
        found.ok_or_else(|| Error::refused(format!("no counts of {}", kind.name())))
    };
    let habits = paid.habits.clone();
    let number = habits.records;
    let learned = Learned::new(
        habits,
        group(Kind::First)?,
        group(Kind::Place)?,
        group(Kind::Transition)?,
        records.public.universe.taxonomy(),
    );
    let most = (SYMBOLS / paid.habits.mean_length.max(1.0)).min(LARGEST_POOL);
    let candidates = (number * POOL).clamp(SMALLEST_POOL, most.max(SMALLEST_POOL));
    let pool = learned.model.pool(candidates as usize, random);
    let spread = ground
        .as_ref()
        .map(|(survey, max_length)| survey.spread(&pool, *max_length, random));
    let mut wanted = wanted(&paid, learned);
    if let (Some((survey, _)), Some(spread)) = (&ground, &spread) {
        wanted.extend(survey.wanted(spread));
    }
    let counted = spread.as_ref().map_or(&pool, |spread| &spread.coarse);
    let mut weighted = Weighted::new(counted, number);
    weighted.fit(wanted);
    let drawn = spread.as_ref().map_or(&pool, |spread| &spread.fine);
    let trajectories = emit::emit(drawn, &weighted.weights(), &mut random.stream());
    paid.groups
        .extend(ground.into_iter().flat_map(|(survey, _)| survey.groups()));
    Ok(Output {
        trajectories,
        attributes: Vec::new(),
        counts: None,
        fragments: None,
        transcript: transcript::transcript(paid),
    })
}

/// What the pool is fitted to: all groups but those that only habits are made of. Those that the pool was drawn
/// from have their targets already.
fn wanted(paid: &Paid, learned: Learned) -> Vec<Wanted<'_>> {
    let Learned {
        first,
        places,
        steps,
        ..
    } = learned;
    let (mut first, mut places, mut steps) = (Some(first), Some(places), steps);
    let fitted = |group: &&Measured| !matches!(group.features.kind, Kind::Novelty | Kind::Step);
    let wanted = |measured| Wanted {
        targets: match Measured::kind(measured) {
            Kind::Length => Some(paid.habits.lengths.clone()),
            Kind::First => first.take(),
            Kind::Place => places.take(),
            Kind::Transition => steps.take(),
            _ => None,
        },
        measured,
        lists: None,
    };
    paid.groups.iter().filter(fitted).map(wanted).collect()
}

#[cfg(test)]
mod tests;
