//! Sequences of numbers, one after another.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Sequences of numbers, numbered by their place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// Where each sequence ends in `codes`.
    ends: Vec<u32>,
    codes: Vec<u32>,
}

impl Listed {
    /// Lists sequences.
    pub fn of<S: AsRef<[u32]>>(sequences: impl IntoIterator<Item = S>) -> Result<Self> {
        let mut listed = Self::default();
        for sequence in sequences {
            listed.codes.extend_from_slice(sequence.as_ref());
            let end = u32::try_from(listed.codes.len()).map_err(|_| too_many())?;
            listed.ends.push(end);
        }
        Ok(listed)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One of them.
    pub fn get(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.codes[start as usize..self.ends[number] as usize]
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Whether the parts fit, after reading from text.
    pub(super) fn fits(&self) -> bool {
        let end = self.ends.last().map_or(0, |&end| end as usize);
        self.ends.is_sorted() && end == self.codes.len()
    }
}

fn too_many() -> Error {
    Error::input("too much is asked for at once: more than 2^32 numbers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_listed() {
        let sequences: [&[u32]; 3] = [&[1, 2], &[], &[7]];
        let listed = Listed::of(sequences).unwrap();
        assert!(listed.iter().eq(sequences) && listed.fits());
        let cut = Listed {
            ends: vec![3],
            codes: vec![1],
        };
        assert!(!cut.fits());
    }
}
