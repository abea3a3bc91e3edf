//! Counting by sorting and by codes; no strings, no hash of a whole record.

use rayon::prelude::*;
use wayveil_core::{Error, Result, Sequences};

use crate::compared::Compared;

/// Keys with how often they occur, ascending by key.
pub(super) type Counts = Vec<(u64, u64)>;

/// How often each key occurs.
pub(super) fn count(mut keys: Vec<u64>) -> Counts {
    keys.par_sort_unstable();
    keys.chunk_by(|a, b| a == b)
        .map(|run| (run[0], run.len() as u64))
        .collect()
}

/// Two codes as one key.
pub(super) fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// One pair of counts for every key of either side, ascending by key.
pub(super) fn aligned(raw: &Counts, released: &Counts) -> Vec<(u64, u64)> {
    let (mut left, mut right) = (raw.iter().peekable(), released.iter().peekable());
    let mut pairs = Vec::with_capacity(raw.len().max(released.len()));
    loop {
        let key = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) => a.0.min(b.0),
            (Some(a), None) => a.0,
            (None, Some(b)) => b.0,
            (None, None) => return pairs,
        };
        let a = left.next_if(|entry| entry.0 == key).map_or(0, |e| e.1);
        let b = right.next_if(|entry| entry.0 == key).map_or(0, |e| e.1);
        pairs.push((a, b));
    }
}

/// Both sides' visits of every location of the universe.
pub(super) fn visits(compared: &Compared<'_>) -> Result<Vec<(u64, u64)>> {
    let locations = compared.universe.len();
    let raw = visits_of(compared.raw, locations)?;
    let released = visits_of(&compared.released, locations)?;
    Ok(raw.into_iter().zip(released).collect())
}

fn visits_of(sequences: &Sequences, locations: usize) -> Result<Vec<u64>> {
    let mut counts = vec![0u64; locations];
    for &code in sequences.codes() {
        *counts.get_mut(code as usize).ok_or_else(outside)? += 1;
    }
    Ok(counts)
}

/// Both sides' records that visit a location, for every location of the universe.
pub(super) fn visitors(compared: &Compared<'_>) -> Result<Vec<(u64, u64)>> {
    let locations = compared.universe.len();
    let raw = visitors_of(compared.raw, locations)?;
    let released = visitors_of(&compared.released, locations)?;
    Ok(raw.into_iter().zip(released).collect())
}

fn visitors_of(sequences: &Sequences, locations: usize) -> Result<Vec<u64>> {
    // Per location: its visitors, and the last of them, counted from one.
    let mut counts = vec![(0u64, 0usize); locations];
    for (record, codes) in sequences.iter().enumerate() {
        for &code in codes {
            let (count, last) = counts.get_mut(code as usize).ok_or_else(outside)?;
            if *last != record + 1 {
                *last = record + 1;
                *count += 1;
            }
        }
    }
    Ok(counts.into_iter().map(|(count, _)| count).collect())
}

/// Checks that every code of both sides is one of the universe's.
pub(super) fn check_codes(compared: &Compared<'_>) -> Result<()> {
    let locations = compared.universe.len();
    let inside = |sequences: &Sequences| {
        sequences
            .codes()
            .par_iter()
            .all(|&code| (code as usize) < locations)
    };
    if inside(compared.raw) && inside(&compared.released) {
        Ok(())
    } else {
        Err(outside())
    }
}

fn outside() -> Error {
    Error::input("a trajectory visits a location outside the universe")
        .hint("compare a release with the data it was made from")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_aligns() {
        let raw = count(vec![5, 1, 5, 9]);
        let released = count(vec![9, 7, 9]);
        assert_eq!(raw, [(1, 1), (5, 2), (9, 1)]);
        assert_eq!(aligned(&raw, &released), [(1, 0), (2, 0), (0, 1), (1, 2)]);
        assert_eq!(aligned(&Vec::new(), &Vec::new()), []);
    }

    #[test]
    fn a_record_visits_a_location_once() {
        let sequences = Sequences::from_codes([vec![0, 1, 0], vec![], vec![0]]);
        assert_eq!(visitors_of(&sequences, 3).unwrap(), [2, 1, 0]);
        assert_eq!(visits_of(&sequences, 3).unwrap(), [3, 1, 0]);
        assert!(visits_of(&sequences, 1).is_err());
        assert!(visitors_of(&sequences, 1).is_err());
    }
}
