//! Candidates: trajectories drawn from what the noisy counts tell. Post-processing.

use rayon::prelude::*;
use wayveil_core::{RandomSource, Sequences};
use wayveil_noise::Stream;

use super::draw::{Cumulative, unit};
use super::habits::Habits;
use super::shape::Recent;
use super::times::Timing;

/// Candidates drawn from one stream.
const CHUNK: usize = 4_096;
/// How often a place that the record has already is drawn again.
const TRIES: usize = 24;

/// Where a step leads from one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// The places; all in their order where it is empty.
    pub(super) targets: Vec<u32>,
    pub(super) weights: Cumulative,
    /// The part of steps of which nothing is known but how popular places are.
    pub(super) unknown: f64,
}

/// All that candidates are drawn from.
pub(super) struct Model {
    pub(super) habits: Habits,
    pub(super) first: Cumulative,
    pub(super) places: Cumulative,
    pub(super) next: Vec<Row>,
}

impl Model {
    /// A place that the record does not have yet.
    fn new_place(&self, recent: &Recent, rng: &mut Stream) -> Option<u32> {
        let Some(&here) = recent.places().first() else {
            return self.first.draw(rng).map(|place| place as u32);
        };
        let row = &self.next[here as usize];
        for attempt in 0..TRIES {
            let wander = row.weights.is_empty() || attempt > TRIES / 2 || unit(rng) < row.unknown;
            let place = match wander {
                true => self.places.draw(rng)? as u32,
                false => {
                    let at = row.weights.draw(rng)?;
                    row.targets.get(at).copied().unwrap_or(at as u32)
                }
            };
            if !recent.places().contains(&place) {
                return Some(place);
            }
        }
        None
    }

    /// Draws so many candidates, with times where there is something to draw them from; `timed` ones else have
    /// the first bin.
    pub(super) fn pool(
        &self,
        candidates: usize,
        timed: bool,
        timing: Option<&Timing>,
        random: &mut RandomSource,
    ) -> Sequences {
        let streams = random.streams(candidates.div_ceil(CHUNK));
        let chunk = |(number, mut stream): (usize, Stream)| {
            let count = CHUNK.min(candidates - number * CHUNK);
            let (mut recent, mut record) = (Recent::default(), Vec::new());
            let (mut codes, mut lengths) = (Vec::new(), Vec::with_capacity(count));
            let (mut own, mut bins) = (Vec::new(), Vec::new());
            for _ in 0..count {
                let length = self.habits.length(&mut stream);
                if let Some(timing) = timing {
                    timing.bins(length, &mut own, &mut stream);
                }
                self.habits.record(
                    length,
                    &mut recent,
                    &mut record,
                    &mut stream,
                    |at, recent, weights| {
                        if let Some(timing) = timing {
                            timing.weigh(&own, at, recent, weights);
                        }
                    },
                    |at, recent, rng| match timing {
                        Some(timing) => {
                            timing.choose(own[at], rng, |rng| self.new_place(recent, rng))
                        }
                        None => self.new_place(recent, rng),
                    },
                );
                codes.extend_from_slice(&record);
                lengths.push(record.len());
                if timed {
                    own.resize(record.len(), 0);
                    bins.extend_from_slice(&own);
                }
            }
            (codes, bins, lengths)
        };
        let chunks: Vec<(Vec<u32>, Vec<u32>, Vec<usize>)> =
            streams.into_par_iter().enumerate().map(chunk).collect();
        let mut pool = Sequences::empty(timed);
        for (codes, bins, lengths) in chunks {
            let (mut codes, mut bins) = (&codes[..], &bins[..]);
            for length in lengths {
                let (record, after) = codes.split_at(length);
                let (own, later) = bins.split_at(length.min(bins.len()));
                pool.push(record, own);
                (codes, bins) = (after, later);
            }
        }
        pool
    }
}
