//! Tries to refute a guarantee: an empirical lower bound on ε, with stated confidence.
//!
//! A mechanism is run many times on pairs of neighbouring data sets. Whatever it promises, if an
//! event has probability p on one and q on the other, then ε ≥ ln(p/q). With a δ it promises
//! p ≤ e^ε·q + δ, so that ε ≥ ln((p − δ)/q): the claimed δ is taken away before anything is said
//! about ε, in choosing events, in bounds and in the verdict. An event of probability δ at most is
//! thereby no evidence, however rare it is on the other data set.
//!
//! ```text
//!  learn    all pairs: train a distinguisher
//!  choose   all pairs, as many runs again: for each pair and direction the event that promises
//!           most; the few pairs that promise most go on
//!  test     fresh runs: count how often each chosen event occurs, and bound p and q
//! ```
//! Which data sets are neighbours is what the claim says: one has an owner more, or one owner's
//! trajectories are replaced by others and both have as many owners. Where nothing is claimed, it is
//! the first.
//!
//! The auditor knows nothing of a mechanism but what it releases and what it tells: see
//! [`Rehearsal`].
//!
//! # Confidence
//! Events and pairs are chosen from other runs than those that they are tested on, and the number
//! of test runs is fixed before the first of them, so that choosing needs no correction. What is
//! corrected for is testing several events: each of the T tested (two for every pair that went
//! on) has α/T, and each of its two probabilities half of that, with the exact bounds of Clopper
//! and Pearson (1934). With probability at least 1 − α no bound is wrong, so that a mechanism
//! which keeps its promise has a bound above its ε with probability α at most.
//!
//! The *verdict* is stricter than the bound: a mechanism is refuted only if its bound exceeds its
//! claim at α = 10⁻⁶ too, so that nobody is accused by chance. A bound above the claim at a larger α
//! is reported as doubtful, with the least α at which it is.
//!
//! Not being refuted proves nothing: another event, pair or number of runs may show more.

mod bound;
mod distinguisher;
mod event;
mod observation;
mod pace;
mod pairs;
mod report;
mod sample;
mod tally;

use std::time::{Duration, Instant};

use wayveil_core::{
    Claim, Error, Mechanism, Model, Neighbouring, NonPrivate, PrivacyUnit, Progress, RandomSource,
    Rehearsal, Result, Silent, Terms,
};

pub use bound::Tested;
pub use event::{Direction, Event};
pub use observation::Origin;
pub use report::{Finding, PairReport, Report};

use distinguisher::Distinguisher;
use event::{Choice, choose};
use pace::Pace;
use pairs::{Pair, pairs};
use sample::sample;
use tally::{Sides, Tally};

/// So many pairs are tested; the others only take part in learning.
const TESTED_PAIRS: usize = 3;

/// The probability at most that a mechanism which keeps its promise is called refuted.
pub const VERDICT_ALPHA: f64 = 1e-6;

/// How much to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effort {
    /// So many test runs of each data set that is tested.
    Runs(u64),
    /// About so long.
    Time(Duration),
}

/// How to audit.
#[derive(Clone, Copy, Debug)]
pub struct AuditSettings {
    /// The unit of privacy to ask the mechanism for.
    pub unit: PrivacyUnit,
    /// The probability that a bound is wrong at most. A verdict is made at [`VERDICT_ALPHA`] where
    /// that is smaller.
    pub alpha: f64,
    /// How much to run.
    pub effort: Effort,
    /// An ε to hold against the mechanism instead of its claim; none for what it claims. So a method that
    /// promises nothing can be refuted too, at an ε that somebody might believe it to have.
    pub against: Option<f64>,
}

/// One pair with what was learned about it.
struct Learned {
    pair: usize,
    distinguisher: Distinguisher,
    choices: [Option<Choice>; 2],
}

impl Learned {
    fn promise(&self) -> f64 {
        let promises = self.choices.iter().flatten().map(|choice| choice.promise);
        promises.fold(f64::NEG_INFINITY, f64::max)
    }
}

const DIRECTIONS: [Direction; 2] = [Direction::Without, Direction::With];

/// Audits a mechanism. With a fixed number of runs and a seeded source the result is the same
/// every time, whatever the number of threads.
pub fn audit(
    mechanism: &dyn Mechanism,
    settings: &AuditSettings,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Report> {
    let terms = Terms {
        unit: settings.unit,
        ..Terms::default()
    };
    let any = Neighbouring::AddOrRemoveOneUnit;
    let claim = accepted(&pairs(None, settings.unit, any)?, mechanism, &terms, random)?[0].1[0]
        .claim()
        .clone();
    if let Model::KclPrivacy { .. } = claim.guarantee.model {
        return Err(Error::refused(format!(
            "{} does not promise differential privacy, so there is no epsilon to refute",
            mechanism.name()
        ))
        .hint(
            "its promise is a property of what is released: check that with `wayveil verify \
             RELEASE`, and see what an attacker finds with `wayveil attack DATA RELEASE`",
        ));
    }
    let claimed = match settings.against {
        Some(epsilon) => Some(Claimed {
            epsilon,
            delta: 0.0,
        }),
        None => Claimed::of(&claim),
    };
    let delta = claimed.map_or(0.0, |it| it.delta);
    let epsilon = claimed.map(|it| it.epsilon);
    let pairs = pairs(epsilon, settings.unit, relation(&claim))?;
    let (pairs, stages): (Vec<&Pair>, Vec<[Rehearsal<'_>; 2]>) =
        accepted(&pairs, mechanism, &terms, random)?
            .into_iter()
            .unzip();
    let tests = 2 * TESTED_PAIRS.min(pairs.len());
    let alpha = settings.alpha / tests as f64;
    let verdict_alpha = settings.alpha.min(VERDICT_ALPHA) / tests as f64;

    let mut pace = Pace::new(settings.effort, &stages, random, progress);
    let mut learned = Vec::new();
    progress.begin(
        "learning what tells data sets apart",
        Some(pairs.len() as u64),
    );
    for (pair, stage) in stages.iter().enumerate() {
        let runs = pace.learning_runs(pair);
        let from = Instant::now();
        learned.push(learn(pair, stage, runs, (delta, alpha), random));
        pace.learned(pair, runs, from.elapsed());
        progress.advance(1);
    }
    progress.end();

    learned.sort_by(|one, other| other.promise().total_cmp(&one.promise()));
    let tested: Vec<usize> = learned.iter().map(|learned| learned.pair).collect();
    let runs = pace.test_runs(&tested[..tests / 2]);
    let done = pace.done() + 2 * runs * tests as u64 / 2;
    let mut reports = Vec::new();
    progress.begin(
        "testing what was learned",
        Some(2 * runs * TESTED_PAIRS as u64),
    );
    for (rank, learned) in learned.iter().enumerate() {
        let mut findings = Vec::new();
        if rank < TESTED_PAIRS {
            let tested = test(learned, &stages[learned.pair], runs, random, progress);
            for ((choice, tested), direction) in learned.choices.iter().zip(tested).zip(DIRECTIONS)
            {
                findings.extend(choice.as_ref().map(|choice| Finding {
                    direction,
                    event: choice.event.clone(),
                    tested,
                    epsilon_lower: tested.epsilon_lower(delta, alpha),
                    epsilon_certain: tested.epsilon_lower(delta, verdict_alpha),
                    least_alpha: claimed.map_or(1.0, |it| {
                        tested.least_alpha(it.epsilon, it.delta) * tests as f64
                    }),
                    delta_lower: claimed.map(|it| tested.delta_lower(it.epsilon, alpha)),
                }));
            }
        }
        reports.push(PairReport {
            about: pairs[learned.pair].about.clone(),
            findings,
        });
    }
    progress.end();
    Ok(Report::new(
        mechanism.name(),
        &claim,
        claimed,
        settings.alpha,
        runs,
        done,
        reports,
    ))
}

/// By what neighbours differ.
fn relation(claim: &Claim) -> Neighbouring {
    let claimed = claim.guarantee.model.neighbouring();
    claimed.unwrap_or(Neighbouring::AddOrRemoveOneUnit)
}

/// What is there to refute.
#[derive(Clone, Copy, Debug)]
struct Claimed {
    epsilon: f64,
    delta: f64,
}

impl Claimed {
    fn of(claim: &Claim) -> Option<Self> {
        match claim.guarantee.model {
            Model::DifferentialPrivacy { epsilon, delta, .. } => Some(Self { epsilon, delta }),
            _ => None,
        }
    }
}

/// The pairs that a mechanism takes: it may want timed data, or none. Where it takes none, its
/// first refusal.
fn accepted<'a>(
    pairs: &'a [Pair],
    mechanism: &'a dyn Mechanism,
    terms: &Terms,
    random: &RandomSource,
) -> Result<Vec<(&'a Pair, [Rehearsal<'a>; 2])>> {
    let mut taken = Vec::new();
    let mut refusal = None;
    for pair in pairs {
        match rehearse(pair, mechanism, terms, random) {
            Ok(stage) => taken.push((pair, stage)),
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    match refusal {
        Some(error) if taken.is_empty() => Err(error),
        _ => Ok(taken),
    }
}

fn rehearse<'a>(
    pair: &'a Pair,
    mechanism: &'a dyn Mechanism,
    terms: &Terms,
    random: &RandomSource,
) -> Result<[Rehearsal<'a>; 2]> {
    let stage = |side: usize| {
        let because = NonPrivate::because("the auditor made this data up");
        Rehearsal::new(&pair.data[side], mechanism, terms, random, because)
    };
    Ok([stage(0)?, stage(1)?])
}

/// Runs both data sets of a pair and tallies what is seen.
fn observe(
    stage: &[Rehearsal<'_>; 2],
    runs: u64,
    judge: Option<&Distinguisher>,
    random: &mut RandomSource,
) -> Tally {
    let mut total = Tally::default();
    for (side, rehearsal) in stage.iter().enumerate() {
        sample(
            rehearsal,
            runs,
            true,
            random,
            &Silent,
            |tally: &mut Tally, mut seen| {
                if let Some(distinguisher) = judge {
                    distinguisher.judge(&mut seen);
                }
                tally.see(side, &seen);
            },
            |tally| total.merge(&tally, 0..3),
        );
    }
    total
}

fn learn(
    pair: usize,
    stage: &[Rehearsal<'_>; 2],
    runs: u64,
    (delta, alpha): (f64, f64),
    random: &mut RandomSource,
) -> Learned {
    let mut all = observe(stage, runs, None, random);
    let distinguisher = Distinguisher::train(&all);
    let judged = observe(stage, runs, Some(&distinguisher), random);
    // The distinguisher would be too sure of the runs that it was trained on.
    all.merge(&judged, 0..2);
    let z = bound::deviations(alpha / 2.0);
    let tallies: [(&Tally, &[Origin]); 2] = [
        (&all, &[Origin::Transcript, Origin::Release]),
        (&judged, &[Origin::Distinguisher]),
    ];
    Learned {
        pair,
        choices: DIRECTIONS.map(|direction| choose(&tallies, direction, delta, z)),
        distinguisher,
    }
}

/// Counts on fresh runs how often the chosen events occur; one result for each direction.
fn test(
    learned: &Learned,
    stage: &[Rehearsal<'_>; 2],
    runs: u64,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> [Tested; 2] {
    let mut events = learned.choices.iter().flatten();
    let release_wanted = events.any(|choice| choice.event.needs_release());
    let mut hits: [Sides; 2] = [[0; 2]; 2];
    for (side, rehearsal) in stage.iter().enumerate() {
        sample(
            rehearsal,
            runs,
            release_wanted,
            random,
            progress,
            |counts: &mut [u64; 2], mut seen| {
                learned.distinguisher.judge(&mut seen);
                for (count, choice) in counts.iter_mut().zip(&learned.choices) {
                    let occurs = choice.as_ref().is_some_and(|c| c.event.occurs(&seen));
                    *count += u64::from(occurs);
                }
            },
            |counts| {
                hits[0][side] += counts[0];
                hits[1][side] += counts[1];
            },
        );
    }
    let runs = [runs, runs];
    [
        Tested {
            runs,
            hits: hits[0],
        },
        Tested {
            runs,
            hits: [hits[1][1], hits[1][0]],
        },
    ]
}
