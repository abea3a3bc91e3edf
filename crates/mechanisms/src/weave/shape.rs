//! What a record looks like when names of places are left out: which visits return, and how far back.
//!
//! The *rank* of a visit is 0 where the place is new to the record, 1 where it is the place visited just
//! before, 2 where it is the most recent other place, and so on. The *shape* of a record is the order in which
//! its places first appear: `Berri, Laval, Berri` has the shape 0 1 0.

/// Ranks from here on are told apart no further.
pub(super) const OLDEST: usize = 8;
/// How many ranks there are.
pub(super) const RANKS: usize = OLDEST + 1;
/// A rank as the context of the next one: the first few, and none before the first step.
const CONTEXTS: usize = 6;
/// How many places the record has already, as a context: 1 to 4, up to 6, up to 9, up to 14, and more.
pub(super) const KNOWN: usize = 8;
/// How many cells the histogram of steps has.
pub(super) const STEP_CELLS: usize = CONTEXTS * CONTEXTS * KNOWN * RANKS;

/// Follows the visits of a record: the places seen so far, most recent first.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    places: Vec<u32>,
    contexts: [usize; 2],
}

impl Recent {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.contexts = [0; 2];
    }

    /// The places seen, most recent first.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// How many places the record has, as a context.
    pub(super) fn known(&self) -> usize {
        match self.places.len() {
            few @ 0..=4 => few.saturating_sub(1),
            5..=6 => 4,
            7..=9 => 5,
            10..=14 => 6,
            _ => 7,
        }
    }

    /// Where the ranks of the next step lie in the histogram of steps.
    pub(super) fn context(&self) -> usize {
        let known = self.known();
        ((self.contexts[0] * CONTEXTS + self.contexts[1]) * KNOWN + known) * RANKS
    }

    /// Visits a place and returns its rank.
    pub(super) fn visit(&mut self, place: u32) -> usize {
        let found = self.places.iter().position(|&other| other == place);
        let first = self.places.is_empty();
        let rank = match found {
            Some(at) => {
                self.places[..=at].rotate_right(1);
                (at + 1).min(OLDEST)
            }
            None => {
                self.places.insert(0, place);
                0
            }
        };
        if !first {
            self.contexts = [self.contexts[1], 1 + rank.min(CONTEXTS - 2)];
        }
        rank
    }
}

/// The context that a histogram cell of steps has without its older step; without any step it is what
/// remains of it modulo [`KNOWN`].
pub(super) fn shorter(cell: usize) -> usize {
    cell / RANKS % SHORTER
}

/// How many shorter contexts there are.
pub(super) const SHORTER: usize = CONTEXTS * KNOWN;

/// So many visits have their shape counted.
pub(super) const SHAPED: usize = 6;

/// All shapes of up to [`SHAPED`] visits, numbered.
#[derive(Clone, Debug)]
pub(super) struct Shapes {
    /// For each shape the shapes with one visit more, by the order of that visit's place.
    longer: Vec<[u32; SHAPED + 1]>,
    /// The first shape of full length.
    full: usize,
}

impl Shapes {
    pub(super) fn new() -> Self {
        // Number 0 is the shape of no visit. A shape with k places can go on with one of k + 1.
        let mut longer = vec![[0u32; SHAPED + 1]];
        let mut level: Vec<(usize, usize)> = vec![(0, 0)];
        let mut full = 0;
        for _ in 0..SHAPED {
            let mut next = Vec::new();
            full = longer.len();
            for (shape, places) in level {
                for place in 0..=places {
                    longer[shape][place] = longer.len() as u32;
                    next.push((longer.len(), places.max(place + 1)));
                    longer.push([0; SHAPED + 1]);
                }
            }
            level = next;
        }
        Self { longer, full }
    }

    /// How many cells there are: every shape, and those of full length again for records that go on.
    pub(super) fn cells(&self) -> usize {
        2 * self.longer.len() - self.full
    }

    /// The cell of a record.
    pub(super) fn cell(&self, record: &[u32]) -> usize {
        let mut seen = [0u32; SHAPED];
        let (mut places, mut shape) = (0, 0);
        for &visit in record.iter().take(SHAPED) {
            let known = seen[..places].iter().position(|&other| other == visit);
            let place = known.unwrap_or_else(|| {
                seen[places] = visit;
                places += 1;
                places - 1
            });
            shape = self.longer[shape][place] as usize;
        }
        match record.len() > SHAPED {
            true => self.longer.len() + shape - self.full,
            false => shape,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_how_many_places_back() {
        let mut recent = Recent::default();
        let ranks: Vec<usize> = [7, 3, 7, 7, 5, 3, 7]
            .map(|place| recent.visit(place))
            .into();
        assert_eq!(ranks, [0, 0, 2, 1, 0, 3, 3]);
        assert_eq!(recent.places(), [7, 3, 5]);
    }

    #[test]
    fn contexts_lie_within_the_histogram() {
        let mut recent = Recent::default();
        for place in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 1, 2] {
            recent.visit(place);
            assert!(recent.context() + RANKS <= STEP_CELLS);
            assert_eq!(shorter(recent.context() + 3) % KNOWN, recent.known());
        }
    }

    #[test]
    fn shapes_are_numbered_by_the_bell_numbers() {
        let shapes = Shapes::new();
        let bell = [1, 1, 2, 5, 15, 52, 203];
        assert_eq!(shapes.longer.len(), bell.iter().sum::<usize>());
        assert_eq!(shapes.cells(), bell.iter().sum::<usize>() + 203);
        assert_eq!(shapes.cell(&[]), 0);
        assert_eq!(shapes.cell(&[4, 9, 4]), shapes.cell(&[1, 0, 1]));
        assert_ne!(shapes.cell(&[4, 9, 4]), shapes.cell(&[1, 0, 0]));
        let long = [0, 1, 2, 3, 4, 5, 5];
        assert_ne!(shapes.cell(&long), shapes.cell(&long[..6]));
        assert!(shapes.cell(&long) < shapes.cells());
    }
}
