//! What a question lists, ready to be looked up.

use std::collections::HashMap;

use super::extensions::Trie;
use super::{Listed, What};
use crate::error::{Error, Result};

/// How the question's sequences are found among those of a record.
#[derive(Debug)]
pub(super) enum Index {
    /// Nothing is listed.
    Nothing,
    /// By their content.
    Numbers(Numbers),
    /// By a location that a record must have.
    Keys(Keys),
    /// By their beginnings.
    Trie(Trie),
}

impl Index {
    pub(super) fn of(what: &What) -> Result<Self> {
        Ok(match what {
            What::Records | What::Together => Self::Nothing,
            What::Children { prefixes, .. } => {
                let numbers = Numbers::of(prefixes);
                if numbers.lengths.len() > 1 {
                    return Err(Error::input(
                        "prefixes of several lengths were asked for at once",
                    ));
                }
                Self::Numbers(numbers)
            }
            What::Fragments(listed) | What::Followers(listed) => Self::Numbers(Numbers::of(listed)),
            What::Sets(sets) => Self::Keys(Keys::of(sets, |set| set.iter().min().copied())),
            What::Patterns(patterns) => {
                Self::Keys(Keys::of(patterns, |pattern| pattern.first().copied()))
            }
            What::Extensions { sets, .. } => Self::Trie(Trie::of(sets)),
        })
    }
}

/// Sequences by their content.
#[derive(Debug)]
pub(super) struct Numbers {
    by_content: HashMap<Box<[u32]>, u32>,
    /// The lengths that occur, ascending.
    pub(super) lengths: Vec<usize>,
    /// How many were listed.
    pub(super) listed: usize,
}

impl Numbers {
    fn of(listed: &Listed) -> Self {
        let mut lengths: Vec<usize> = listed.iter().map(<[u32]>::len).collect();
        lengths.sort_unstable();
        lengths.dedup();
        Self {
            by_content: listed.iter().map(Box::from).zip(0u32..).collect(),
            lengths,
            listed: listed.len(),
        }
    }

    /// The place of a sequence in the list; of equal ones the last.
    pub(super) fn of_sequence(&self, sequence: &[u32]) -> Option<u32> {
        self.by_content.get(sequence).copied()
    }
}

/// Sequences by one of their locations, without which a record cannot hold them.
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) by_key: HashMap<u32, Vec<u32>>,
    /// Those without a location, which every record holds.
    pub(super) empty: Vec<u32>,
}

impl Keys {
    fn of(listed: &Listed, key: impl Fn(&[u32]) -> Option<u32>) -> Self {
        let mut keys = Self {
            by_key: HashMap::new(),
            empty: Vec::new(),
        };
        for (sequence, number) in listed.iter().zip(0u32..) {
            match key(sequence) {
                Some(key) => keys.by_key.entry(key).or_default().push(number),
                None => keys.empty.push(number),
            }
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_found_by_their_place() {
        let listed = Listed::of([&[1u32, 2][..], &[], &[7]]).unwrap();
        let numbers = Numbers::of(&listed);
        assert_eq!(numbers.of_sequence(&[7]), Some(2));
        assert_eq!(numbers.of_sequence(&[2]), None);
        assert_eq!((&numbers.lengths[..], numbers.listed), (&[0, 1, 2][..], 3));
        let keys = Keys::of(&listed, |it| it.iter().min().copied());
        assert_eq!((&keys.by_key[&1], &keys.empty), (&vec![0], &vec![1]));
    }

    #[test]
    fn prefixes_are_of_one_length() {
        let prefixes = Listed::of([&[1u32, 2][..], &[7]]).unwrap();
        assert!(
            Index::of(&What::Children {
                height: 3,
                prefixes
            })
            .is_err()
        );
    }
}
