//! Released fragments: parts of trajectories without gaps, and how many have them.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::error::{Error, Result};
use crate::sequences::Sequences;

/// Fragments with how many units have them, by length, then by count from the greatest, then by codes.
///
/// A unit has a fragment where its trajectory contains those locations one after the other, once or more
/// often. Fragments have no time bins, whether or not the trajectories had.
#[derive(Clone, Debug, PartialEq)]
pub struct FragmentCounts {
    /// The fragments; none is empty, and none stands twice.
    pub fragments: Sequences,
    /// How many units have each, as estimated.
    pub count: Vec<u64>,
    /// Standard error of each count.
    pub standard_error: Vec<f64>,
    /// The least count that is compatible with what was seen; at most the count.
    pub low: Vec<u64>,
    /// The greatest such count; at least the count.
    pub high: Vec<u64>,
}

impl FragmentCounts {
    /// No fragments.
    pub fn empty() -> Self {
        Self {
            fragments: Sequences::empty(false),
            count: Vec::new(),
            standard_error: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
        }
    }

    /// How many fragments there are.
    pub fn len(&self) -> usize {
        self.fragments.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fragments.is_empty()
    }

    /// Checks that the columns fit, that all numbers make sense, and the order.
    pub fn check(&self, locations: usize) -> Result<()> {
        let rows = self.len();
        let columns = [
            self.count.len(),
            self.standard_error.len(),
            self.low.len(),
            self.high.len(),
        ];
        if columns != [rows; 4] {
            return Err(Error::input(
                "the columns of the fragments do not fit together",
            ));
        }
        if self.fragments.is_timed() {
            return Err(Error::input("fragments have no time bins"));
        }
        self.fragments.check_ranges(locations, None)?;
        match self.fault() {
            Some((row, what)) => Err(Error::input(format!("fragment {}: {what}", row + 1))),
            None => Ok(()),
        }
    }

    /// The first row that makes no sense by itself or after those before it, and why.
    pub fn fault(&self) -> Option<(usize, &'static str)> {
        let columns = [self.count.len(), self.low.len(), self.high.len()];
        let complete = columns.into_iter().min().unwrap_or(0);
        let complete = complete.min(self.standard_error.len()).min(self.len());
        let mut seen = HashSet::new();
        (0..complete).find_map(|row| {
            let error = self.standard_error[row];
            let new = seen.insert(self.fragments.codes_of(row));
            let what = if self.fragments.length(row) == 0 {
                "it is empty"
            } else if !(error.is_finite() && error >= 0.0) {
                "its standard error is not a number from 0 on"
            } else if !(self.low[row]..=self.high[row]).contains(&self.count[row]) {
                "its count does not lie between low and high"
            } else if !new {
                "it stands a second time"
            } else if row > 0 && self.key(row - 1) > self.key(row) {
                "it is out of order: by length, then by count from the greatest, then by location"
            } else {
                return None;
            };
            Some((row, what))
        })
    }

    fn key(&self, row: usize) -> (usize, Reverse<u64>, &[u32]) {
        let codes = self.fragments.codes_of(row);
        (codes.len(), Reverse(self.count[row]), codes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> FragmentCounts {
        FragmentCounts {
            fragments: Sequences::from_codes([vec![1], vec![0], vec![2], vec![0, 1], vec![1, 0]]),
            count: vec![9, 7, 7, 8, 0],
            standard_error: vec![0.0, 1.5, 1.5, 2.0, 0.25],
            low: vec![9, 5, 6, 0, 0],
            high: vec![9, 7, 9, 20, 0],
        }
    }

    #[test]
    fn what_fits_is_accepted() {
        assert!(sound().check(3).is_ok());
        assert!(FragmentCounts::empty().check(0).is_ok());
        assert_eq!((sound().len(), FragmentCounts::empty().len()), (5, 0));
        assert!(FragmentCounts::empty().is_empty() && !sound().is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        type Change = fn(&mut FragmentCounts);
        let changes: [(Change, &str); 13] = [
            (|it| it.count.truncate(4), "columns"),
            (|it| it.low.push(1), "columns"),
            (|it| it.fragments = Sequences::empty(true), "columns"),
            (|it| it.fragments.push(&[1, 3], &[]), "columns"),
            (|it| it.high[0] = 8, "fragment 1: its count does not lie"),
            (|it| it.low[3] = 9, "fragment 4: its count does not lie"),
            (
                |it| it.standard_error[1] = f64::NAN,
                "fragment 2: its standard error",
            ),
            (
                |it| it.standard_error[4] = -1.0,
                "fragment 5: its standard error",
            ),
            (
                |it| (it.count[1], it.low[1]) = (6, 5),
                "fragment 3: it is out of order",
            ),
            (
                |it| {
                    it.fragments =
                        Sequences::from_codes([vec![1], vec![2], vec![0], vec![], vec![1, 0]])
                },
                "fragment 3: it is out of order",
            ),
            (
                |it| {
                    it.fragments =
                        Sequences::from_codes([vec![], vec![0], vec![2], vec![0, 1], vec![1, 0]])
                },
                "fragment 1: it is empty",
            ),
            (
                |it| {
                    it.fragments =
                        Sequences::from_codes([vec![1], vec![0], vec![1], vec![0, 1], vec![1, 0]])
                },
                "fragment 3: it stands a second time",
            ),
            (
                |it| {
                    it.fragments =
                        Sequences::from_codes([vec![1], vec![0], vec![2], vec![0, 1], vec![1]])
                },
                "fragment 5: it stands a second time",
            ),
        ];
        for (at, (change, expected)) in changes.into_iter().enumerate() {
            let mut changed = sound();
            change(&mut changed);
            let error = changed.check(3).unwrap_err();
            assert!(error.message().contains(expected), "{at}: {error}");
        }
        assert!(
            sound()
                .check(2)
                .unwrap_err()
                .message()
                .contains("location code 2")
        );
        let timed = FragmentCounts {
            fragments: Sequences::empty(true),
            ..FragmentCounts::empty()
        };
        assert!(
            timed
                .check(3)
                .unwrap_err()
                .message()
                .contains("no time bins")
        );
    }
}
