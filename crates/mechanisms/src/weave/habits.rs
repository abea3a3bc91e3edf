//! How records look without names of places: lengths and returns, learned from paid counts.

use rand_core::Rng;
use wayveil_core::RandomSource;
use wayveil_noise::Stream;

use super::denoise::Estimate;
use super::draw::{Cumulative, once};
use super::features::{Kind, UNITS};
use super::measure::Measured;
use super::shape::{KNOWN, OLDEST, RANKS, Recent, SHORTER, STEP_CELLS, shorter};
use super::smooth::join_alike;

/// Distributions of lengths and of ranks given the ranks before.
#[derive(Clone, Debug)]
pub(super) struct Habits {
    /// How many records there are, by their noisy count, at least one.
    pub(super) records: f64,
    pub(super) mean_length: f64,
    /// Estimates of how many records have each length.
    pub(super) lengths: Vec<Estimate>,
    by_length: Cumulative,
    /// Weights of ranks by context.
    ranks: Vec<f64>,
}

impl Habits {
    /// Learns them from the groups that tell of them; one that is missing tells nothing.
    pub(super) fn new(records: f64, groups: &[Measured]) -> Self {
        let of = |kind: Kind| groups.iter().find(|group| group.features.kind == kind);
        let deviation = of(Kind::Length).map_or(1.0, |lengths| lengths.law.deviation());
        let noisy = of(Kind::Length).map_or(&[][..], Measured::dense);
        let mut smooth = join_alike(noisy, deviation);
        let all: f64 = smooth.iter().sum();
        // Targets are in units, like the counts that they are fitted beside.
        let units = records * UNITS as f64;
        match smooth.get_mut(1) {
            // Where noise hides every length, records are as short as they can be.
            Some(one) if all <= 0.0 => *one = units,
            _ => smooth.iter_mut().for_each(|count| *count *= units / all),
        }
        let symbols = (0u32..)
            .zip(&smooth)
            .map(|(length, count)| f64::from(length) * count);
        let mean = |&mean: &f64| Estimate { mean, deviation };
        Self {
            records,
            mean_length: symbols.sum::<f64>() / units,
            lengths: smooth.iter().map(mean).collect(),
            by_length: Cumulative::new(smooth),
            ranks: match (of(Kind::Novelty), of(Kind::Step)) {
                (Some(novelty), Some(steps)) => ranks(novelty, steps),
                _ => vec![1.0; STEP_CELLS],
            },
        }
    }

    /// Records whose places have no names but the order of their first visit.
    pub(super) fn nameless(&self, number: usize, random: &mut RandomSource) -> Vec<Vec<u32>> {
        let mut rng = random.stream();
        let (mut recent, mut record) = (Recent::default(), Vec::new());
        let draw = |_| {
            let length = self.length(&mut rng);
            let new = |_, recent: &Recent, _: &mut Stream| Some(recent.places().len() as u32);
            self.record(
                length,
                &mut recent,
                &mut record,
                &mut rng,
                |_, _, _| {},
                new,
            );
            record.clone()
        };
        (0..number).map(draw).collect()
    }

    /// The mean of a function of length.
    pub(super) fn mean_of(&self, function: impl Fn(f64) -> f64) -> f64 {
        let counts = self.lengths.iter().map(|it| it.mean);
        let all: f64 = counts.clone().sum();
        let sum = (0u32..)
            .zip(counts)
            .map(|(length, count)| function(length.into()) * count);
        sum.sum::<f64>() / all.max(f64::MIN_POSITIVE)
    }

    /// Draws a length.
    pub(super) fn length(&self, rng: &mut Stream) -> usize {
        self.by_length.draw(rng).unwrap_or(0)
    }

    /// Draws a record of a length. After some visits, `weigh` may change the weights of the next rank, and for a visit
    /// of a number `new` names a place that the record does not have yet, none where there is no other.
    pub(super) fn record(
        &self,
        length: usize,
        recent: &mut Recent,
        record: &mut Vec<u32>,
        rng: &mut Stream,
        weigh: impl Fn(usize, &Recent, &mut [f64; RANKS]),
        mut new: impl FnMut(usize, &Recent, &mut Stream) -> Option<u32>,
    ) {
        recent.clear();
        record.clear();
        for at in 0..length {
            let known = recent.places().len();
            let rank = match at {
                0 => 0,
                _ => {
                    let context = recent.context();
                    let mut weights = [0.0; RANKS];
                    weights.copy_from_slice(&self.ranks[context..context + RANKS]);
                    weights[(known + 1).min(RANKS)..].fill(0.0);
                    weigh(at, recent, &mut weights);
                    once(&weights, rng).unwrap_or(0)
                }
            };
            let recent_places = recent.places();
            let returned = |rank: usize, random: u64| {
                let oldest = known.saturating_sub(OLDEST - 1).max(1) as u64;
                let at = match rank {
                    OLDEST => OLDEST - 1 + (random % oldest) as usize,
                    _ => rank.saturating_sub(1),
                };
                recent_places[at.min(known - 1)]
            };
            let place = match rank {
                0 => match new(at, recent, rng) {
                    Some(place) => place,
                    None if known > 0 => returned(1, 0),
                    None => return,
                },
                _ => returned(rank, rng.next_u64()),
            };
            recent.visit(place);
            record.push(place);
        }
    }
}

/// Weights of ranks by context: what was counted, moved towards what the next shorter context tells as far as
/// noise outweighs it. Of records with so many places already those with fewer are the shorter context.
fn ranks(novelty: &Measured, steps: &Measured) -> Vec<f64> {
    let deviation = novelty.law.deviation();
    let own = |counts: &[i64]| -> [f64; RANKS] { std::array::from_fn(|rank| counts[rank] as f64) };
    let mut by_known: Vec<[f64; RANKS]> = Vec::with_capacity(KNOWN);
    for counts in novelty.dense().chunks_exact(RANKS) {
        let own = own(counts);
        by_known.push(match by_known.last() {
            Some(before) => blended(own, before, deviation),
            None => normal(own),
        });
    }
    let (noisy, deviation) = (steps.dense(), steps.law.deviation());
    let contexts = noisy.len() / RANKS;
    let mut middle = vec![[0.0f64; RANKS]; SHORTER];
    for (cell, &noisy) in noisy.iter().enumerate() {
        middle[shorter(cell)][cell % RANKS] += noisy as f64;
    }
    let joined = (contexts / SHORTER) as f64;
    for (context, own) in middle.iter_mut().enumerate() {
        *own = blended(*own, &by_known[context % KNOWN], deviation * joined.sqrt());
    }
    let mut ranks = Vec::with_capacity(noisy.len());
    for (context, counts) in noisy.chunks_exact(RANKS).enumerate() {
        let back = &middle[shorter(context * RANKS)];
        ranks.extend(blended(own(counts), back, deviation));
    }
    ranks
}

fn normal(weights: [f64; RANKS]) -> [f64; RANKS] {
    let weights = weights.map(|weight| weight.max(0.0));
    let sum: f64 = weights.iter().sum();
    match sum > 0.0 {
        true => weights.map(|weight| weight / sum),
        false => [1.0 / RANKS as f64; RANKS],
    }
}

/// Counts, each moved towards what the fall-back expects of it by as much as noise outweighs them.
fn blended(own: [f64; RANKS], back: &[f64; RANKS], deviation: f64) -> [f64; RANKS] {
    let all = own.iter().sum::<f64>().max(0.0);
    let noise = deviation * deviation;
    normal(std::array::from_fn(|rank| {
        let expected = all * back[rank];
        // The fall-back's own error is taken for a third of what it expects, but what stands out is seen.
        let wrong = expected * expected / 9.0;
        let trust = match own[rank] > 3.0 * deviation {
            true => 0.9f64.max(wrong / (wrong + noise)),
            false => wrong / (wrong + noise),
        };
        expected + trust * (own[rank] - expected) + 1e-3 * back[rank]
    }))
}
