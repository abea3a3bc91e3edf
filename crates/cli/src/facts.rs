//! What there is to know about a set of trajectories at a glance.

use serde_json::{Value, json};
use wayveil_core::{Sequences, Universe};

/// Sizes, lengths and visits of a set of trajectories.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) records: u64,
    pub(crate) locations: u64,
    pub(crate) symbols: u64,
    pub(crate) max_length: usize,
    /// How many records have each length, from zero on.
    pub(crate) lengths: Vec<u64>,
    /// How many visits each location has, by code.
    pub(crate) visits: Vec<u64>,
}

impl Facts {
    pub(crate) fn of(sequences: &Sequences, universe: &Universe) -> Self {
        let max_length = (0..sequences.len())
            .map(|at| sequences.length(at))
            .max()
            .unwrap_or(0);
        let mut lengths = vec![0; max_length + 1];
        for record in 0..sequences.len() {
            lengths[sequences.length(record)] += 1;
        }
        let mut visits = vec![0; universe.len()];
        for &code in sequences.codes() {
            visits[code as usize] += 1;
        }
        Self {
            records: sequences.len() as u64,
            locations: universe.len() as u64,
            symbols: sequences.symbols() as u64,
            max_length,
            lengths,
            visits,
        }
    }

    /// The mean number of visits of a record; 0 where there is none.
    pub(crate) fn mean_length(&self) -> f64 {
        if self.records == 0 {
            0.0
        } else {
            self.symbols as f64 / self.records as f64
        }
    }

    /// The most visited locations, by falling visits, with their visits.
    pub(crate) fn top_locations(&self, most: usize) -> Vec<(u32, u64)> {
        let mut order: Vec<(u32, u64)> = self
            .visits
            .iter()
            .enumerate()
            .map(|(code, &visits)| (code as u32, visits))
            .collect();
        order.sort_by_key(|&(code, visits)| (std::cmp::Reverse(visits), code));
        order.retain(|&(_, visits)| visits > 0);
        order.truncate(most);
        order
    }

    /// How many locations have no visit.
    pub(crate) fn unvisited(&self) -> u64 {
        self.visits.iter().filter(|&&visits| visits == 0).count() as u64
    }

    pub(crate) fn to_json(&self, universe: &Universe) -> Value {
        let top: Vec<Value> = self
            .top_locations(10)
            .into_iter()
            .map(|(code, visits)| json!({ "location": universe.label(code), "visits": visits }))
            .collect();
        json!({
            "records": self.records,
            "locations": self.locations,
            "symbols": self.symbols,
            // A millionth of a visit is more than anyone asks for.
            "mean_length": (self.mean_length() * 1e6).round() / 1e6,
            "max_length": self.max_length,
            "lengths": self.lengths,
            "top_locations": top,
        })
    }
}

/// A whole number with commas between thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use wayveil_core::Origin;

    use super::*;

    #[test]
    fn counts_lengths_and_visits() {
        let universe = Universe::from_labels(["A", "B", "C"], Origin::FromData).unwrap();
        let facts = Facts::of(
            &Sequences::from_codes([vec![0, 1, 1], vec![], vec![1]]),
            &universe,
        );
        assert_eq!((facts.records, facts.symbols, facts.max_length), (3, 4, 3));
        assert_eq!(facts.lengths, [1, 1, 0, 1]);
        assert_eq!(facts.top_locations(5), [(1, 3), (0, 1)]);
        assert_eq!(facts.unvisited(), 1);
        assert_eq!(
            Facts::of(&Sequences::empty(false), &universe).mean_length(),
            0.0
        );
    }

    #[test]
    fn thousands_are_set_apart() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_210_096, "1,210,096"),
        ] {
            assert_eq!(thousands(number), text);
        }
    }
}
