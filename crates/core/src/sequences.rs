//! Trajectories as columns: one buffer of location codes, one of offsets, optionally one of bins.
//!
//! This is Arrow's list layout. Sorting, counting and comparing work on codes, never on strings.

use crate::error::{Error, Result};

/// Trajectories in columns. Record `r` is `codes[offsets[r]..offsets[r + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequences {
    offsets: Vec<u64>,
    codes: Vec<u32>,
    bins: Option<Vec<u32>>,
}

impl Sequences {
    /// Checks that the columns fit together.
    pub fn new(offsets: Vec<u64>, codes: Vec<u32>, bins: Option<Vec<u32>>) -> Result<Self> {
        let ordered = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        let complete = offsets.first() == Some(&0)
            && offsets.last().is_some_and(|&end| end == codes.len() as u64);
        if !ordered || !complete {
            return Err(Error::input(
                "the offsets of the trajectories do not fit their symbols",
            ));
        }
        if bins.as_ref().is_some_and(|bins| bins.len() != codes.len()) {
            return Err(Error::input("there must be one time bin for each location"));
        }
        Ok(Self {
            offsets,
            codes,
            bins,
        })
    }

    /// A set without records.
    pub fn empty(timed: bool) -> Self {
        Self {
            offsets: vec![0],
            codes: Vec::new(),
            bins: timed.then(Vec::new),
        }
    }

    /// Untimed trajectories from slices of codes; for tests and small inputs.
    pub fn from_codes<R: AsRef<[u32]>>(records: impl IntoIterator<Item = R>) -> Self {
        let mut sequences = Self::empty(false);
        for record in records {
            sequences.push(record.as_ref(), &[]);
        }
        sequences
    }

    /// Appends a record. `bins` has one entry per code in a timed set and none in an untimed one;
    /// anything else is a bug of the caller and panics.
    pub fn push(&mut self, codes: &[u32], bins: &[u32]) {
        match &mut self.bins {
            Some(column) => {
                assert_eq!(codes.len(), bins.len(), "one bin for each location");
                column.extend_from_slice(bins);
            }
            None => assert!(bins.is_empty(), "an untimed set takes no bins"),
        }
        self.codes.extend_from_slice(codes);
        self.offsets.push(self.codes.len() as u64);
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many symbols there are in all records together.
    pub fn symbols(&self) -> usize {
        self.codes.len()
    }

    /// Whether symbols carry time bins.
    pub fn is_timed(&self) -> bool {
        self.bins.is_some()
    }

    /// Length of a record.
    pub fn length(&self, record: usize) -> usize {
        (self.offsets[record + 1] - self.offsets[record]) as usize
    }

    fn range(&self, record: usize) -> std::ops::Range<usize> {
        self.offsets[record] as usize..self.offsets[record + 1] as usize
    }

    /// The locations of a record.
    pub fn codes_of(&self, record: usize) -> &[u32] {
        &self.codes[self.range(record)]
    }

    /// The time bins of a record; empty in an untimed set.
    pub fn bins_of(&self, record: usize) -> &[u32] {
        match &self.bins {
            Some(bins) => &bins[self.range(record)],
            None => &[],
        }
    }

    /// All records' locations.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|record| self.codes_of(record))
    }

    /// The offsets column, one longer than the number of records.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The location column.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The bin column of a timed set.
    pub fn bins(&self) -> Option<&[u32]> {
        self.bins.as_deref()
    }

    /// Checks every code against the universe's size and every bin against the axis.
    pub fn check_ranges(&self, locations: usize, bins: Option<u32>) -> Result<()> {
        if let Some(code) = self.codes.iter().find(|&&code| code as usize >= locations) {
            return Err(Error::input(format!(
                "location code {code} lies outside the universe of {locations} locations"
            )));
        }
        match (&self.bins, bins) {
            (None, None) => Ok(()),
            (Some(column), Some(count)) => match column.iter().find(|&&bin| bin >= count) {
                Some(bin) => Err(Error::input(format!(
                    "time bin {bin} lies outside the axis of {count} bins"
                ))),
                None => Ok(()),
            },
            (Some(_), None) => Err(Error::input("trajectories have time bins but no time axis")),
            (None, Some(_)) => Err(Error::input("there is a time axis but no time bins")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_records_apart() {
        let sequences = Sequences::from_codes([vec![0, 1, 0], vec![], vec![2]]);
        assert_eq!(sequences.len(), 3);
        assert_eq!(sequences.symbols(), 4);
        assert_eq!(sequences.codes_of(0), [0, 1, 0]);
        assert_eq!(sequences.codes_of(1), [0u32; 0]);
        assert_eq!(sequences.codes_of(2), [2]);
    }

    #[test]
    fn refuses_columns_that_do_not_fit() {
        assert!(Sequences::new(vec![], vec![], None).is_err());
        assert!(Sequences::new(vec![0, 2], vec![1], None).is_err());
        assert!(Sequences::new(vec![0, 2, 1], vec![1], None).is_err());
        assert!(Sequences::new(vec![1, 1], vec![1], None).is_err());
        assert!(Sequences::new(vec![0, 1], vec![1], Some(vec![])).is_err());
        assert!(Sequences::new(vec![0, 1], vec![1], Some(vec![3])).is_ok());
    }

    #[test]
    fn finds_codes_and_bins_out_of_range() {
        let sequences = Sequences::new(vec![0, 1], vec![5], Some(vec![3])).unwrap();
        assert!(sequences.check_ranges(6, Some(4)).is_ok());
        assert!(sequences.check_ranges(5, Some(4)).is_err());
        assert!(sequences.check_ranges(6, Some(3)).is_err());
        assert!(sequences.check_ranges(6, None).is_err());
    }
}
