//! `weave`: noisy counts of many kinds, and candidates reweighted until they count alike.
//!
//! # What it releases
//! Synthetic trajectories, about as many as there are records. They are drawn from a model of noisy counts and
//! reweighted until they agree with those: how many records there are, their lengths, the way they return to
//! places, first and last places, places visited, steps between places, and places visited somewhere before
//! others. In data with time bins also: when records begin and end, gaps between visits, and which places and
//! steps belong to which times (`times`).
//!
//! ```text
//!  records ─ features ─▶ exact counts ─ measure ─▶ noisy counts ─┬─ habits, model ─▶ pool of candidates
//!                                                                └─ denoise, fit ──▶ their weights ─ emit ─▶
//! ```
//!
//! # Guarantee
//! Pure ε-differential privacy, or (ε, δ)-differential privacy where a δ is given, under adding or removing one unit
//! of privacy: by default one owner with everything they did, joined to one record; with a bound of m trips, one owner
//! with at most m records. Public inputs: the set of locations and its taxonomy, the axis of time bins with its clock,
//! the maximal length, the task, ε, δ, and the unit.
//!
//! # Why it holds
//! 1. *One group.* A group is a function f of one record: the cells in which it counts, each with a whole number of
//!    units, c·u units at most in all (`features`; u is 60). It looks at that record alone, cut at the
//!    maximal length and where its time goes back. The vector of counts is the sum of f over all records, so that adding a record changes it by
//!    at most c·u in the sum of absolute changes, and adding a unit of privacy of m records by at most c·u·m. Every
//!    cell, empty or not, has exact discrete Laplace noise with α = e^(−ε_g/(c·u·m)), so that the probability of any vector of noisy counts changes by a factor of at most
//!    e^(ε_g) (Ghosh, Roughgarden and Sundararajan 2009). Where there are too many cells to visit, those that
//!    reach a threshold are drawn, distributed exactly as if every one had been visited (see
//!    [`wayveil_noise::EmptyChildren`]); the threshold is a function of public inputs and c.
//! 2. *The bounds.* c is one for the number of records, lengths, shapes, variety, first places, first and last
//!    places, starts and spans: a record counts in one cell at most. It is a constant for ranks. For places,
//!    steps, pairs, gaps, places in bins and moves it is chosen from noisy counts of groups measured before;
//!    given those it is fixed (adaptive composition).
//! 3. *All groups.* The shares ε_g are whole thousandths of ε that sum up to ε exactly, for every outcome of the
//!    first noisy count, on which they depend (`shares`). Adaptive sequential composition gives ε.
//! 4. *The rest* (habits, model, pool, targets, weights, rounding, and the release's estimate of its own error) sees
//!    noisy counts and public inputs only.
//!
//! # Why it holds, with δ
//! Budgets are of concentrated differential privacy (Bun and Steinke 2016; [`wayveil_noise::zcdp`]): the mechanism is
//! ρ-zCDP where the Rényi divergence of order α between its outcomes on neighbouring data is at most α·ρ, for all α > 1.
//! 1. *One group that is visited cell by cell.* f is bounded in Euclidean length (`norm`): with n_i the times that a
//!    record lists cell i, S = Σ n_i², it counts u units each time where S ≤ c, and ⌊u·√(c/S)⌋ otherwise, by whole
//!    numbers, so that the sum of squares of its counts is at most c·u². By the triangle inequality m records move
//!    the counts by at most m·√c·u. Every cell has exact discrete Gaussian noise with σ² ≥ m²·c·u²/(2ρ_g), a fraction
//!    rounded up; this is ρ_g-zCDP (Canonne, Kamath and Steinke 2020, Theorem 14). Novelty and step stay bounded in the
//!    sum; Euclidean length is at most that, and σ² ≥ m²·c²·u²/(2ρ_g).
//! 2. *One group that is not.* As without δ, bounded in the sum, with ε_g ≤ √(2ρ_g), a fraction rounded down: it is
//!    ε_g-differentially private, hence ε_g²/2-zCDP (Bun and Steinke 2016, Proposition 1.4). Which groups these are
//!    is decided by the number of cells, which is public.
//! 3. *All groups.* Shares ρ_g are whole thousandths of ρ that sum up to ρ exactly, whatever the first noisy count is;
//!    ρ adds up under adaptive composition (Bun and Steinke 2016, Lemma 2.3).
//! 4. *ρ from (ε, δ).* ρ-zCDP is (ε, δ)-differential privacy where δ ≥ e^((α−1)(αρ−ε))/(α−1)·(1−1/α)^α for some α > 1
//!    (Canonne, Kamath and Steinke 2020, Proposition 12). A ρ and an α are chosen, and that they meet it is decided in
//!    whole numbers with directed rounding ([`wayveil_noise::zcdp::is_within`]).
//! 5. *The rest* is post-processing as before.
//!
//! # What is counted
//! c bounds how many cells count without δ, and the sum of squares of their repetitions with δ. That is the same but for
//! transition, novelty and step, where a record may list a cell twice; of the last two, c bounds how many cells count
//! in both forms.
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
//! | start | with time bins: the bin of its first visit, by class of length | 1 |
//! | span | with time bins: the bins of first and last visit, of two visits or more | 1 |
//! | gap | with time bins: the time to the next visit, given the time of day and the visits left | chosen |
//! | when | with time bins: its places in the bins of their visits, each once | chosen |
//! | move | with time bins: consecutive visits, by the time of the second | chosen |
//!
//! A record with more than c cells counts c·u divided by their number in each, rounded down (with δ, u times the root
//! of c over the sum of squares), and so on both sides: the same function is applied to the candidates.
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
mod expected;
mod features;
mod fit;
mod ground;
mod habits;
mod law;
mod measure;
mod model;
mod noise;
mod norm;
mod normal;
mod options;
mod paid;
mod pool;
mod shape;
mod shares;
mod smooth;
mod times;
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
use noise::Allowance;
use options::Options;
use paid::{Paid, measure_all};
use times::Timing;

/// The mechanism with its options.
#[derive(Clone, Debug)]
pub struct Weave {
    options: Options,
}

/// Candidates are so many times the records, within bounds.
const POOL: f64 = 2.0;
/// The same where points are drawn inside of leaves: more must differ.
const GROUND_POOL: f64 = 10.0;
/// At least so many, but of next to no records not more than so many times their noisy number.
const SMALLEST_POOL: f64 = 500.0;
const OF_FEW: f64 = 8.0;
const LARGEST_POOL: f64 = 1_200_000.0;
/// The most visits of all candidates together.
const SYMBOLS: f64 = 60_000_000.0;
/// The same for visits with times, of which more is kept.
const TIMED_SYMBOLS: f64 = 30_000_000.0;
/// The most pairs of places of all candidates together, about: four bytes each. Long records have many.
const PAIRS: f64 = 400_000_000.0;

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
        let bought = pay(records, &self.options, random)?;
        progress.end();
        weave(bought, &records.public, &self.options, random, progress)
    }
}

/// All that is known of the records once the budget is spent.
struct Bought {
    paid: Paid,
    /// What was paid for on the ground, where places are the leaves of a grid that was cut.
    ground: Option<Survey>,
}

/// Spends the budget. Nothing after this sees a record.
fn pay(records: &Records<'_>, options: &Options, random: &mut RandomSource) -> Result<Bought> {
    let allowance = Allowance::of(options)?;
    let Some(lattice) = ground::lattice(options, &records.public) else {
        let paid = measure_all(records, options, &allowance, random)?;
        return Ok(Bought { paid, ground: None });
    };
    let survey = ground::survey(lattice, records, options, &allowance, random)?;
    let leaves = survey.leaves()?;
    let coarse = survey.records(records, &leaves, options);
    let (left, rest) = (ground::left(&allowance)?, ground::rest(options)?);
    let paid = measure_all(&coarse, &rest, &left, random)?;
    let ground = Some(survey);
    Ok(Bought { paid, ground })
}

/// Everything after the noise. On the ground, places are leaves, and points are drawn inside of them.
fn weave(
    bought: Bought,
    public: &PublicInputs<'_>,
    options: &Options,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Output> {
    let Bought { mut paid, ground } = bought;
    let leaves = ground.as_ref().map(Survey::leaves).transpose()?;
    let universe = leaves.as_ref().unwrap_or(public.universe);
    progress.begin("weaving", None);
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
        universe.taxonomy(),
    );
    let timed = public.time.is_some();
    let lengths = &paid.habits.lengths;
    let timing = Timing::new(paid.times, &paid.groups, lengths, &learned.places);
    let symbols = if timed { TIMED_SYMBOLS } else { SYMBOLS };
    let longest = group(Kind::Pair)?.features.longest() as f64;
    let pairs = |length: f64| (0.5 * length * (length - 1.0)).min(longest);
    let most = (symbols / paid.habits.mean_length.max(1.0))
        .min(PAIRS / paid.habits.mean_of(pairs).max(1.0))
        .min(LARGEST_POOL);
    let least = SMALLEST_POOL.min(OF_FEW * number);
    let times = if ground.is_some() { GROUND_POOL } else { POOL };
    let candidates = (number * times).clamp(least, most.max(least)) as usize;
    let pool = learned
        .model
        .pool(candidates, timed, timing.as_ref(), random);
    let spread = ground
        .as_ref()
        .map(|survey| survey.spread(&pool, options.max_length, random));
    let likely = learned.likely.clone();
    let mut wanted = wanted(&paid, learned, timing);
    if let (Some(survey), Some(spread)) = (&ground, &spread) {
        wanted.extend(survey.wanted(spread));
    }
    let counted = spread.as_ref().map_or(&pool, |spread| &spread.coarse);
    let mut weighted = Weighted::new(counted, number);
    let mut fitted = weighted.fit(wanted);
    // Places were fitted to estimates with little relative error; the truth lies around others.
    for places in fitted
        .iter_mut()
        .filter(|it| it.measured.kind() == Kind::Place)
    {
        places.targets = places.cells.iter().map(|&it| likely[it as usize]).collect();
    }
    let weights = weighted.weights();
    let drawn = spread.as_ref().map_or(&pool, |spread| &spread.fine);
    let trajectories = emit::emit(drawn, &weights, &mut random.stream());
    progress.end();
    // What is known of leaves says little of errors on the public grid.
    let expected_error = ground.is_none().then(|| {
        progress.begin("estimating its own error", None);
        let told = expected::Told {
            paid: &paid,
            fitted: &fitted,
            pool: &pool,
            weights: &weights,
            released: &trajectories,
        };
        let expected = told.expected_error(universe.len(), random);
        progress.end();
        expected
    });
    paid.groups
        .extend(ground.into_iter().flat_map(Survey::groups));
    Ok(Output {
        trajectories,
        attributes: Vec::new(),
        counts: None,
        fragments: None,
        expected_error,
        transcript: transcript::transcript(paid),
    })
}

/// What the pool is fitted to: all groups but those that only habits are made of. Those that the pool was drawn
/// from have their targets already.
fn wanted(paid: &Paid, learned: Learned, mut timing: Option<Timing>) -> Vec<Wanted<'_>> {
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
            kind => timing.as_mut().and_then(|timing| timing.targets(kind)),
        },
        measured,
        lists: None,
    };
    paid.groups.iter().filter(fitted).map(wanted).collect()
}

#[cfg(test)]
mod tests;
