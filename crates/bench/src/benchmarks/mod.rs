//! The benchmarks, one module each.

mod empty_children;
mod federated;
mod gaussian;
mod gps;
mod import;
mod kmeans;
mod laplace;
mod merge;
mod mine;
mod python;
mod queries;
mod stm;
mod suppress;
mod trees;

use crate::report::Comparison;

/// How long to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// A few seconds, to see that it runs.
    Quick,
    /// Enough for numbers to quote.
    Full,
}

/// One entry of the list.
pub struct Benchmark {
    /// The name on the command line.
    pub name: &'static str,
    /// One line for `list`.
    pub about: &'static str,
    /// Measures; an error is a sentence for the user.
    pub run: fn(Effort) -> Result<Vec<Comparison>, String>,
}

/// Every benchmark there is.
pub const ALL: &[Benchmark] = &[
    empty_children::BENCHMARK,
    federated::BENCHMARK,
    federated::BY_CLIENTS,
    gaussian::BENCHMARK,
    gps::BENCHMARK,
    import::BENCHMARK,
    kmeans::BENCHMARK,
    laplace::BENCHMARK,
    merge::BENCHMARK,
    mine::BENCHMARK,
    queries::BENCHMARK,
    suppress::BENCHMARK,
    suppress::BY_RECORDS,
    suppress::BY_DOUBLETS,
    trees::BENCHMARK,
    trees::BY_RECORDS,
    trees::BY_LOCATIONS,
    trees::BY_HEIGHT,
];

/// The benchmark of that name.
pub fn find(name: &str) -> Option<&'static Benchmark> {
    ALL.iter().find(|benchmark| benchmark.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_do_not_repeat() {
        for (index, benchmark) in ALL.iter().enumerate() {
            assert_ne!(benchmark.name, "list");
            let found = ALL.iter().position(|other| other.name == benchmark.name);
            assert_eq!(found, Some(index));
        }
        assert!(find("nothing").is_none());
    }
}
