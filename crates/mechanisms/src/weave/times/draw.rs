//! The times of candidates: drawn before their places, which are then drawn by what is known of the time.

use rand_core::Rng;
use wayveil_noise::Stream;

use super::super::draw::once;
use super::super::shape::{OLDEST, RANKS, Recent};
use super::Timing;
use super::bins_of;
use super::cells::length_class;
use super::gaps::{class, of_class};

/// Bins of a gap's class that are looked at, and places.
const CHOICES: usize = 4;
/// How often a gap that leads beyond the axis is drawn again.
const TRIES: usize = 12;

impl Timing {
    /// Draws the bins of a record of this length: never going back, never beyond the axis.
    pub(in super::super) fn bins(&self, length: usize, bins: &mut Vec<u32>, rng: &mut Stream) {
        bins.clear();
        if length == 0 {
            return;
        }
        let times = &self.times;
        let first = self.starts[length_class(length)].draw(rng).unwrap_or(0);
        let mut bin = within(bins_of(first, times.starts, times.bins), rng);
        bins.push(bin);
        for at in 1..length {
            bin = self.next(bin, length - at, rng);
            bins.push(bin);
        }
    }

    /// The bin of the next visit of so many that are left.
    fn next(&self, bin: u32, left: usize, rng: &mut Stream) -> u32 {
        let gaps = &self.gaps[self.times.gap_context(bin, left)];
        for _ in 0..TRIES {
            let class = gaps.draw(rng).unwrap_or(0);
            let gaps = of_class(class);
            let (first, last) = (bin.saturating_add(*gaps.start()), *gaps.end());
            if first >= self.times.bins {
                continue;
            }
            let end = bin.saturating_add(last).min(self.times.bins - 1) + 1;
            if end - first == 1 {
                return first;
            }
            // Busy times are likelier.
            let choices: [u32; CHOICES] = std::array::from_fn(|_| within(first..end, rng));
            let weights = choices.map(|bin| self.busy[self.times.when(bin)] + 1e-9);
            return choices[once(&weights, rng).unwrap_or(0)];
        }
        bin
    }

    /// Weighs what the next visit can return to by what is known of its time.
    pub(in super::super) fn weigh(
        &self,
        bins: &[u32],
        at: usize,
        recent: &Recent,
        weights: &mut [f64; RANKS],
    ) {
        let (before, bin) = (bins[at - 1], bins[at]);
        let context = self.times.gap_context(before, bins.len() - at);
        let class = class(bin - before);
        weights[1] *= self.staying[context * self.times.gap_classes() + class];
        let known = weights[1..OLDEST].iter_mut().zip(recent.places());
        known.for_each(|(weight, &place)| *weight *= self.lift(place, bin));
        if before == bin {
            // Places of this bin are the most recent ones; the last of them is who stays.
            let same = bins[..at].iter().rev().take_while(|&&other| other == bin);
            let same = same.count().min(recent.places().len()).min(OLDEST - 1);
            let returns = &mut weights[2..(same + 1).max(2)];
            returns
                .iter_mut()
                .for_each(|weight| *weight *= self.again[context]);
        }
    }

    /// One of several places that a draw offers, by how they are visited in this bin.
    pub(in super::super) fn choose(
        &self,
        bin: u32,
        rng: &mut Stream,
        mut draw: impl FnMut(&mut Stream) -> Option<u32>,
    ) -> Option<u32> {
        let mut choices = [0u32; CHOICES];
        let mut weights = [0.0; CHOICES];
        for (choice, weight) in choices.iter_mut().zip(&mut weights) {
            *choice = draw(rng)?;
            *weight = self.lift(*choice, bin);
        }
        Some(choices[once(&weights, rng).unwrap_or(0)])
    }

    fn lift(&self, place: u32, bin: u32) -> f64 {
        let at = place as usize * self.times.when as usize + self.times.when(bin);
        self.lift.get(at).map_or(1.0, |&lift| f64::from(lift))
    }
}

fn within(bins: std::ops::Range<u32>, rng: &mut Stream) -> u32 {
    let width = u64::from(bins.end - bins.start).max(1);
    bins.start + (rng.next_u64() % width) as u32
}
