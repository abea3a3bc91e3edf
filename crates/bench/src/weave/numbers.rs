//! What is measured, and what was aimed at for it.

/// The metrics that give the numbers.
pub(super) const METRICS: [&str; 6] = [
    "count-query-error",
    "top-patterns",
    "length-divergence",
    "trip-divergence",
    "transition-divergence",
    "flow-error",
];

/// What is aimed at, beside the better tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// At most a third of the tree's, or below this.
    ThirdOrBelow(f64),
    /// Not below the tree's.
    NotBelow,
    /// Nothing is asked.
    Nothing,
}

/// A number of a metric.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) name: &'static str,
    pub(super) heading: &'static str,
    pub(super) goal: Goal,
}

impl Number {
    /// Whether a value is better than another.
    pub(super) fn is_better(&self, value: f64, other: f64) -> bool {
        match self.is_count() {
            true => value > other,
            false => value < other,
        }
    }

    /// Patterns are counted, and more are better; everything else is an error.
    pub(super) fn is_count(&self) -> bool {
        self.name.starts_with("top-patterns")
    }

    /// Whether it is an error of counting queries.
    pub(super) fn is_count_query(&self) -> bool {
        self.name.starts_with("count-query-error")
    }
}

const fn number(name: &'static str, heading: &'static str, goal: Goal) -> Number {
    Number {
        name,
        heading,
        goal,
    }
}

/// The most patterns that are looked for.
pub(super) const TOP_300: &str = "top-patterns.true-positives-300";

const COUNTS: Goal = Goal::ThirdOrBelow(0.01);
const THIRD: Goal = Goal::ThirdOrBelow(0.0);

/// Every number, in the order of the columns.
pub(super) const NUMBERS: [Number; 12] = [
    number("count-query-error.group-1", "counts 1", COUNTS),
    number("count-query-error.group-2", "counts 2", COUNTS),
    number("count-query-error.group-3", "counts 3", COUNTS),
    number("count-query-error.group-4", "counts 4", COUNTS),
    number("top-patterns.true-positives-100", "top 100", Goal::NotBelow),
    number("top-patterns.true-positives-200", "top 200", Goal::NotBelow),
    number(TOP_300, "top 300", Goal::NotBelow),
    number("length-divergence", "length", THIRD),
    number("trip-divergence", "trip", THIRD),
    number("transition-divergence", "transition", THIRD),
    number("flow-error.transitions", "flows: steps", Goal::Nothing),
    number("flow-error.trips", "flows: trips", Goal::Nothing),
];

/// The least patterns of 300 at ε = 1, by data set.
pub(super) const PATTERNS: [(&str, f64); 4] = [
    ("metro", 290.0),
    ("bus", 270.0),
    ("bike", 250.0),
    ("msnbc", 290.0),
];
