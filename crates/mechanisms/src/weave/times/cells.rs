//! The cells that a record counts in for its times, and what they stand for.

use super::super::features::Kind;
use super::gaps::class;
use super::{Times, Visits, stretch};

/// Classes of lengths: 1, 2, up to 4, 8 and 16, and more.
pub(super) const LENGTHS: usize = 6;
/// Classes of how many visits are left: one, up to three, and more.
pub(super) const LEFT: usize = 3;

pub(super) fn length_class(length: usize) -> usize {
    let bits = usize::BITS - length.saturating_sub(1).leading_zeros();
    (bits as usize).min(LENGTHS - 1)
}

pub(super) fn left_class(left: usize) -> usize {
    match left {
        0..=1 => 0,
        2..=3 => 1,
        _ => 2,
    }
}

impl Times {
    /// How many cells a group has that tells of time.
    pub(in super::super) fn cells(&self, kind: Kind, locations: u64) -> Option<u64> {
        match kind {
            Kind::Start => Some(LENGTHS as u64 * u64::from(self.starts)),
            Kind::Span => Some(u64::from(self.spans) * u64::from(self.spans)),
            Kind::Gap => Some((self.phases as usize * LEFT * self.gap_row()) as u64),
            Kind::When => locations.checked_mul(self.when.into()),
            Kind::Move => locations
                .checked_mul(locations)?
                .checked_mul(self.moves.into()),
            _ => None,
        }
    }

    /// The cells of a record that is cut already.
    pub(in super::super) fn list(
        &self,
        kind: Kind,
        visits: Visits<'_>,
        locations: u64,
        cells: &mut Vec<u64>,
    ) {
        let places = visits.places;
        let bin = |at: usize| visits.bin(at).min(self.bins - 1);
        match kind {
            Kind::Start if !places.is_empty() => {
                cells.push(self.start_cell(places.len(), bin(0)) as u64);
            }
            Kind::Span if places.len() > 1 => {
                let [first, last] =
                    [0, places.len() - 1].map(|at| stretch(bin(at), self.spans, self.bins) as u64);
                cells.push(first * u64::from(self.spans) + last);
            }
            Kind::Gap => cells.extend((1..places.len()).map(|at| {
                let stays = places[at] == places[at - 1];
                let gap = bin(at).saturating_sub(bin(at - 1));
                let context = self.gap_context(bin(at - 1), places.len() - at);
                let mut earlier = (0..at).rev().take_while(|&before| bin(before) == bin(at));
                let again = gap == 0 && !stays && earlier.any(|it| places[it] == places[at]);
                match again {
                    true => self.again_cell(context) as u64,
                    false => self.gap_cell(context, stays, class(gap)) as u64,
                }
            })),
            Kind::When => {
                let mut same = 0;
                for (at, &place) in places.iter().enumerate() {
                    let when = self.when(bin(at));
                    if at > 0 && self.when(bin(at - 1)) != when {
                        same = cells.len();
                    }
                    let cell = u64::from(place) * u64::from(self.when) + when as u64;
                    if !cells[same..].contains(&cell) {
                        cells.push(cell);
                    }
                }
            }
            Kind::Move => cells.extend((1..places.len()).map(|at| {
                let step = u64::from(places[at - 1]) * locations + u64::from(places[at]);
                let moved = stretch(bin(at), self.moves, self.bins) as u64;
                step * u64::from(self.moves) + moved
            })),
            _ => {}
        }
    }

    pub(super) fn start_cell(&self, length: usize, bin: u32) -> usize {
        length_class(length) * self.starts as usize + stretch(bin, self.starts, self.bins)
    }

    pub(super) fn gap_classes(&self) -> usize {
        class(self.bins - 1) + 1
    }

    /// What a gap is counted given: the bin before it, and the visits that are left.
    pub(super) fn gap_context(&self, bin: u32, left: usize) -> usize {
        self.phase(bin) * LEFT + left_class(left)
    }

    /// How many cells a context has.
    pub(super) fn gap_row(&self) -> usize {
        2 * self.gap_classes() + 1
    }

    pub(super) fn gap_cell(&self, context: usize, stays: bool, class: usize) -> usize {
        context * self.gap_row() + usize::from(stays) * self.gap_classes() + class
    }

    /// The cell of visits that return, from elsewhere, to a place of the same bin.
    pub(super) fn again_cell(&self, context: usize) -> usize {
        context * self.gap_row() + 2 * self.gap_classes()
    }

    pub(super) fn when(&self, bin: u32) -> usize {
        stretch(bin, self.when, self.bins)
    }
}
