//! What was found.

use std::cmp::Ordering;

/// Whether the demand is met, and where it is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How many sequences were looked at.
    pub sequences: u64,
    /// How many of them violate. Extensions of one that too few share are not looked at.
    pub violations: u64,
    /// Those that the fewest owners share, fewest first.
    pub too_few: Vec<Violation>,
    /// Those that enough owners share but that tie them to a sensitive value, highest share first.
    pub too_certain: Vec<Violation>,
}

/// A sequence that violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Bins and locations, rising.
    pub sequence: Vec<(u32, u32)>,
    /// How many owners have a record that holds it.
    pub owners: u64,
    /// How many records hold it.
    pub records: u64,
    /// The sensitive value that comes with it most often, where any does and shares are bounded.
    pub tie: Option<Tie>,
}

/// How often a sensitive value comes with a sequence: `with` of `of`, owners or records, whichever
/// is the larger share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The column's position among those asked about.
    pub column: usize,
    /// Its value.
    pub value: u32,
    /// Those with the value.
    pub with: u64,
    /// All of them.
    pub of: u64,
}

impl Verdict {
    /// Whether nothing violates.
    pub fn holds(&self) -> bool {
        self.violations == 0
    }

    /// Adds a violation; keeps the worst `list` of its kind.
    pub(super) fn add(&mut self, violation: Violation, few: bool, list: usize) {
        self.violations += 1;
        let (kind, order): (_, fn(&Violation, &Violation) -> Ordering) = match few {
            true => (&mut self.too_few, fewer_first),
            false => (&mut self.too_certain, surer_first),
        };
        insert(kind, violation, order, list);
    }

    /// Both together.
    pub(super) fn merged(mut self, other: Self, list: usize) -> Self {
        self.sequences += other.sequences;
        self.violations += other.violations;
        for violation in other.too_few {
            insert(&mut self.too_few, violation, fewer_first, list);
        }
        for violation in other.too_certain {
            insert(&mut self.too_certain, violation, surer_first, list);
        }
        self
    }
}

fn insert(
    worst: &mut Vec<Violation>,
    violation: Violation,
    order: fn(&Violation, &Violation) -> Ordering,
    list: usize,
) {
    let at = worst.partition_point(|other| order(other, &violation).is_lt());
    if at < list {
        worst.insert(at, violation);
        worst.truncate(list);
    }
}

fn fewer_first(a: &Violation, b: &Violation) -> Ordering {
    a.owners.cmp(&b.owners).then_with(|| shorter_first(a, b))
}

fn surer_first(a: &Violation, b: &Violation) -> Ordering {
    let share = |violation: &Violation| violation.tie.map_or((0, 1), |tie| (tie.with, tie.of));
    let ((a_with, a_of), (b_with, b_of)) = (share(a), share(b));
    let (ours, theirs) = (
        u128::from(a_with) * u128::from(b_of),
        u128::from(b_with) * u128::from(a_of),
    );
    theirs.cmp(&ours).then_with(|| shorter_first(a, b))
}

fn shorter_first(a: &Violation, b: &Violation) -> Ordering {
    let lengths = a.sequence.len().cmp(&b.sequence.len());
    lengths.then_with(|| a.sequence.cmp(&b.sequence))
}
