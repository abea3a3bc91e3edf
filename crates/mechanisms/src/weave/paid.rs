//! All measurements of a release, in their order: what the whole budget is spent on.

use wayveil_core::{RandomSource, Records, Result};

use super::features::{Features, Kind, UNITS};
use super::habits::Habits;
use super::measure::{self, Measured};
use super::noise::Allowance;
use super::norm::Norm;
use super::options::Options;
use super::shape::Recent;
use super::shares::{TOTAL, much};
use super::times::{self, Times, Visits};

/// The most cells of one group that a record may count in, whatever is chosen.
pub(super) const MOST: usize = 40;
/// Steps of a record whose ranks are counted.
const STEPS: usize = 6;
/// Records without names that bounds are chosen from.
const NAMELESS: usize = 500;

/// Every noisy count of a release, and what was learned of habits on the way.
pub(super) struct Paid {
    pub(super) total: Measured,
    pub(super) groups: Vec<Measured>,
    pub(super) habits: Habits,
    pub(super) times: Times,
}

/// Measures everything. The number of records comes first and decides the shares of the others; habits come
/// next and decide how many cells a record may count in.
pub(super) fn measure_all(
    records: &Records<'_>,
    options: &Options,
    allowance: &Allowance,
    random: &mut RandomSource,
) -> Result<Paid> {
    let unit = records.public.unit.records();
    let locations = records.public.universe.len();
    let times = Times::new(records.public.time, locations);
    let bounded = |kind: Kind, most: usize| {
        let features = Features::new(kind, most, locations, options.max_length);
        allowance.bounded(features.at(times))
    };
    let pay = |kind: Kind, part: u64, most: usize, random: &mut RandomSource| {
        let features = bounded(kind, most);
        let noise = allowance.noise(part, &features, unit)?;
        measure::measure(&records.sequences, features, noise, random)
    };
    let total = pay(Kind::Total, TOTAL, 1, random)?;
    let number = (total.dense().iter().sum::<i64>() as f64 / UNITS as f64).max(1.0);
    let seen = number * options.epsilon.to_f64();
    let mut groups: Vec<Measured> = Vec::new();
    let mut learned: Option<(Habits, Vec<Vec<u32>>)> = None;
    let mut shares = options.task.shares(seen);
    if options.leaves {
        super::shares::without_ends(&mut shares);
    }
    for (kind, part) in times::shares(&shares, &times) {
        let most = match kind {
            Kind::Novelty | Kind::Step => STEPS,
            Kind::Place | Kind::Transition | Kind::Pair | Kind::Gap | Kind::When | Kind::Move => {
                let (_, nameless) = learned.get_or_insert_with(|| {
                    let habits = Habits::new(number, &groups);
                    let nameless = habits.nameless(NAMELESS, random);
                    (habits, nameless)
                });
                bound(
                    kind,
                    bounded(kind, MOST).norm,
                    nameless,
                    options.max_length,
                    quantile(seen),
                )
            }
            _ => 1,
        };
        groups.push(pay(kind, part, most, random)?);
    }
    let habits = match learned {
        Some((habits, _)) => habits,
        None => Habits::new(number, &groups),
    };
    Ok(Paid {
        total,
        groups,
        habits,
        times,
    })
}

/// The part of records that shall count in full: with less to be seen, noise matters more than what is left out.
fn quantile(seen: f64) -> f64 {
    0.6 + 0.25 * much(seen)
}

/// How many cells of a kind a record may count in: enough for that part of nameless records.
fn bound(kind: Kind, norm: Norm, nameless: &[Vec<u32>], max_length: usize, quantile: f64) -> usize {
    // Records without names have no times: steps tell of gaps, and visits of places in bins.
    let (kind, more) = match kind {
        Kind::When => (Kind::Transition, 1),
        Kind::Gap | Kind::Move => (Kind::Transition, 0),
        other => (other, 0),
    };
    let features = Features::new(kind, MOST, max_length, max_length).bounded_in(norm);
    let (mut recent, mut cells) = (Recent::default(), Vec::new());
    let mut sizes: Vec<usize> = nameless
        .iter()
        .map(|record| {
            features.of(Visits::untimed(record), &mut recent, &mut cells);
            features.size(&cells) + more
        })
        .collect();
    sizes.sort_unstable();
    let at = (sizes.len().saturating_sub(1) as f64 * quantile) as usize;
    sizes.get(at).copied().unwrap_or(1).clamp(1, MOST)
}
