//! Candidates: trajectories drawn from what the noisy counts tell. Post-processing.

use rayon::prelude::*;
use wayveil_core::{RandomSource, Sequences};
use wayveil_noise::Stream;

use super::draw::{Cumulative, unit};
use super::habits::Habits;
use super::shape::Recent;

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

    /// Draws so many candidates.
    pub(super) fn pool(&self, candidates: usize, random: &mut RandomSource) -> Sequences {
        let streams = random.streams(candidates.div_ceil(CHUNK));
        let chunk = |(number, mut stream): (usize, Stream)| {
            let count = CHUNK.min(candidates - number * CHUNK);
            let (mut recent, mut record) = (Recent::default(), Vec::new());
            let (mut codes, mut lengths) = (Vec::new(), Vec::with_capacity(count));
            for _ in 0..count {
                self.habits
                    .record(&mut recent, &mut record, &mut stream, |recent, rng| {
                        self.new_place(recent, rng)
                    });
                codes.extend_from_slice(&record);
                lengths.push(record.len());
            }
            (codes, lengths)
        };
        let chunks: Vec<(Vec<u32>, Vec<usize>)> =
            streams.into_par_iter().enumerate().map(chunk).collect();
        let mut pool = Sequences::empty(false);
        for (codes, lengths) in chunks {
            let mut rest = &codes[..];
            for length in lengths {
                let (record, after) = rest.split_at(length);
                pool.push(record, &[]);
                rest = after;
            }
        }
        pool
    }
}
