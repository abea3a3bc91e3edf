//! What is counted of a record, and how much of it.
//!
//! A feature group is a function of one record: the cells in which it counts, and how many units in each. A record
//! with no more cells than the bound counts [`UNITS`] in each; one with more counts the less in each, so that all of
//! them are seen and none has more weight than the bound. The same function is applied to raw records and to
//! candidates of the pool, so that it distorts both sides alike.

use super::norm::Norm;
use super::shape::{KNOWN, RANKS, Recent, STEP_CELLS, Shapes};
use super::times::{Times, Visits};

/// What a cell counts for a record that is within the bound. One that has more cells than the bound counts less
/// in each.
pub(super) const UNITS: u64 = 60;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// How many records there are.
    Total,
    /// How many visits.
    Length,
    /// The shape of the first visits.
    Shape,
    /// How many different places, by length.
    Variety,
    /// Ranks of visits, given how many places are known already.
    Novelty,
    /// Ranks of visits, given that and the two ranks before.
    Step,
    /// The first place.
    First,
    /// Places visited at all.
    Place,
    /// First and last place.
    Ends,
    /// Consecutive places, as often as they follow each other.
    Transition,
    /// A place somewhere before another, once for each pair.
    Pair,
    /// The bin of the first visit, by class of length.
    Start,
    /// The bins of the first and of the last visit.
    Span,
    /// The time between consecutive visits.
    Gap,
    /// Places in the bins of their visits, each once.
    When,
    /// Consecutive places, by the time of the second.
    Move,
    /// A list of cells that was made of a record on the ground; cells may repeat.
    Ground(&'static str),
    /// The one class of every record on the ground.
    Class(&'static str),
}

impl Kind {
    /// Whether every record counts in exactly one cell.
    pub(super) fn counts_every_record(self) -> bool {
        matches!(
            self,
            Self::Total | Self::Length | Self::Shape | Self::Variety | Self::Class(_)
        )
    }

    /// Whether no cell of a record is listed twice. What is not sure of it is counted.
    fn lists_cells_once(self) -> bool {
        matches!(self, Self::Place | Self::Pair) || self.counts_every_record()
    }

    /// Its name in manifests and transcripts.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Length => "length",
            Self::Shape => "shape",
            Self::Variety => "variety",
            Self::Novelty => "novelty",
            Self::Step => "step",
            Self::First => "first",
            Self::Place => "place",
            Self::Ends => "ends",
            Self::Transition => "transition",
            Self::Pair => "pair",
            Self::Start => "start",
            Self::Span => "span",
            Self::Gap => "gap",
            Self::When => "when",
            Self::Move => "move",
            Self::Ground(name) | Self::Class(name) => name,
        }
    }
}

/// A group with its bound.
#[derive(Clone, Debug)]
pub(super) struct Features {
    pub(super) kind: Kind,
    /// The most cells that a record counts in fully.
    pub(super) most: usize,
    /// The norm in which it is bounded.
    pub(super) norm: Norm,
    locations: u64,
    max_length: usize,
    shapes: Shapes,
    times: Times,
}

impl Features {
    pub(super) fn new(kind: Kind, most: usize, locations: usize, max_length: usize) -> Self {
        Self {
            kind,
            most,
            norm: Norm::default(),
            locations: locations as u64,
            max_length,
            shapes: Shapes::new(),
            times: Times::new(None, locations),
        }
    }

    /// The same, bounded in this norm.
    pub(super) fn bounded_in(self, norm: Norm) -> Self {
        Self { norm, ..self }
    }

    /// The same at a resolution of time.
    pub(super) fn at(self, times: Times) -> Self {
        Self { times, ..self }
    }

    /// How many cells there are; none where there are more than can be numbered.
    pub(super) fn cells(&self) -> Option<u64> {
        let l = self.locations;
        match self.kind {
            Kind::Total => Some(1),
            Kind::Length => Some(self.max_length as u64 + 1),
            Kind::Shape => Some(self.shapes.cells() as u64),
            Kind::Variety => Some(LENGTH_CLASSES * VARIETY),
            Kind::Novelty => Some((KNOWN * RANKS) as u64),
            Kind::Step => Some(STEP_CELLS as u64),
            Kind::First | Kind::Place | Kind::Ground(_) | Kind::Class(_) => Some(l),
            Kind::Ends | Kind::Transition | Kind::Pair => l.checked_mul(l),
            Kind::Start | Kind::Span | Kind::Gap | Kind::When | Kind::Move => {
                self.times.cells(self.kind, l)
            }
        }
    }

    /// The cells of a record, into a buffer that is emptied first, and how many units it counts in each, decided
    /// by this record alone: at most `most` times [`UNITS`] in all, or at most `most` times the square of that in the
    /// sum of squares, by the norm.
    pub(super) fn of(&self, visits: Visits<'_>, recent: &mut Recent, cells: &mut Vec<u64>) -> u64 {
        self.list(visits.cut(self.max_length), recent, cells);
        // More cells than units are left: the first ones count.
        cells.truncate(self.longest());
        self.norm.units(self.most, self.size(cells))
    }

    /// The most cells that count of one record.
    pub(super) fn longest(&self) -> usize {
        let once = self.kind.lists_cells_once();
        self.norm.longest(self.most, once)
    }

    /// What the bound is for, of a record that has these cells.
    pub(super) fn size(&self, cells: &[u64]) -> usize {
        self.norm.size(cells, self.kind.lists_cells_once())
    }

    fn list(&self, visits: Visits<'_>, recent: &mut Recent, cells: &mut Vec<u64>) {
        let record = visits.places;
        let pair = |a: u32, b: u32| u64::from(a) * self.locations + u64::from(b);
        cells.clear();
        match self.kind {
            Kind::Total => cells.push(0),
            Kind::Length => cells.push(record.len() as u64),
            Kind::Shape => cells.push(self.shapes.cell(record) as u64),
            Kind::Variety => {
                recent.clear();
                record.iter().for_each(|&place| {
                    recent.visit(place);
                });
                let variety = (recent.places().len() as u64).min(VARIETY - 1);
                cells.push(length_class(record.len()) * VARIETY + variety);
            }
            Kind::First => cells.extend(record.first().map(|&first| u64::from(first))),
            Kind::Ends => {
                if let [first, .., last] = record {
                    cells.push(pair(*first, *last));
                }
            }
            Kind::Step | Kind::Novelty => {
                recent.clear();
                for (at, &place) in record.iter().enumerate() {
                    let context = match self.kind {
                        Kind::Novelty => recent.known() * RANKS,
                        _ => recent.context(),
                    };
                    let rank = recent.visit(place);
                    if at > 0 {
                        cells.push((context + rank) as u64);
                    }
                }
            }
            Kind::Place => {
                for &place in record {
                    let place = u64::from(place);
                    if !cells.contains(&place) {
                        cells.push(place);
                    }
                }
            }
            Kind::Transition => {
                cells.extend(record.windows(2).map(|step| pair(step[0], step[1])));
            }
            Kind::Pair => {
                self.pairs(record, cells);
            }
            Kind::Start | Kind::Span | Kind::Gap | Kind::When | Kind::Move => {
                self.times.list(self.kind, visits, self.locations, cells);
            }
            Kind::Ground(_) | Kind::Class(_) => {
                cells.extend(record.iter().map(|&cell| u64::from(cell)))
            }
        }
    }

    /// Pairs by the visit that completes them.
    fn pairs(&self, record: &[u32], cells: &mut Vec<u64>) {
        // Places by their first visit, each with how many were known before its latest one: all pairs of
        // those with it are there already.
        let mut known: Vec<(u32, usize)> = Vec::with_capacity(16);
        for &place in record {
            let at = known.iter().position(|&(other, _)| other == place);
            let paired = at.map_or(0, |at| known[at].1);
            let cell =
                |&(before, _): &(u32, usize)| u64::from(before) * self.locations + u64::from(place);
            cells.extend(known[paired..].iter().map(cell));
            let all = known.len();
            match at {
                Some(at) => known[at].1 = all,
                None => known.push((place, all)),
            }
        }
    }
}

/// Classes of lengths for the variety of places: up to 4, up to 8, and so on.
const LENGTH_CLASSES: u64 = 6;
/// Different places are told apart up to here.
const VARIETY: u64 = 32;

fn length_class(length: usize) -> u64 {
    let doubled = (length.max(1) - 1) / 4;
    u64::from(usize::BITS - doubled.leading_zeros()).min(LENGTH_CLASSES - 1)
}
