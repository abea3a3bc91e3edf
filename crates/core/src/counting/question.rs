//! A question to wherever records are.

use serde::{Deserialize, Serialize};

use super::{Alphabet, Listed, Tally};
use crate::error::{Error, Result};
use crate::unit::PrivacyUnit;

/// What is to be counted, of records bounded by which unit, over which symbols. It travels to the records as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The unit of privacy, by which rows become records before they are counted.
    pub unit: PrivacyUnit,
    /// How many locations there are.
    pub locations: u32,
    /// How many time bins there are, in timed data.
    pub bins: Option<u32>,
    /// The names of the columns beside the trajectories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// What is to be counted.
    pub what: What,
}

/// What is to be counted. Every answer is a [`super::Tally`]: how often each pair of numbers. Where a number stands for
/// something that the question lists, it is its place there. No two of a list are alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum What {
    /// Records: the pair (0, 0).
    Records,
    /// Records that begin with one of these prefixes of symbols, by the symbol that follows: (prefix, symbol).
    Children {
        /// How many symbols of a record count at most.
        height: u32,
        /// The prefixes, all of one length.
        prefixes: Listed,
    },
    /// Records that have one of these fragments, without gaps, times aside: (fragment, 0).
    Fragments(Listed),
    /// Records that visit all of one of these sets of locations: (set, 0).
    Sets(Listed),
    /// Records that have one of these patterns, with gaps or without, times aside: (pattern, 0).
    Patterns(Listed),
    /// How often one of these n-grams of locations is followed by a location, within a record: (n-gram, location).
    /// The empty one is followed by every visit.
    Followers(Listed),
    /// Records that visit two locations: (the lower one, the other), and (one, the same) for one alone.
    Together,
    /// Records that hold one of these sets of symbols, by each greater symbol that they hold: (set, symbol). A set stands
    /// in rising order; all have as many symbols.
    Extensions {
        /// The sets; at first the empty one.
        sets: Listed,
        /// Only records with this value in a column.
        having: Option<Having>,
    },
}

/// Pairs of an answer about sets, at most. How many occur, nobody knows beforehand: with records of many visits far
/// more than there are records.
const MOST_PAIRS: usize = 10_000_000;

/// A value of a column beside the trajectories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Having {
    /// The column's name.
    pub column: String,
    /// The value.
    pub value: String,
}

impl What {
    /// What the question lists.
    pub(super) fn listed(&self) -> Option<&Listed> {
        match self {
            Self::Records | Self::Together => None,
            Self::Children { prefixes, .. } => Some(prefixes),
            Self::Extensions { sets, .. } => Some(sets),
            Self::Fragments(listed)
            | Self::Sets(listed)
            | Self::Patterns(listed)
            | Self::Followers(listed) => Some(listed),
        }
    }

    /// Below which numbers the pairs of an answer lie.
    fn limits(&self, alphabet: Alphabet) -> (u32, u32) {
        let listed = self.listed().map_or(0, Listed::len) as u32;
        match self {
            Self::Records => (1, 1),
            Self::Children { .. } | Self::Extensions { .. } => (listed, alphabet.symbols()),
            Self::Fragments(_) | Self::Sets(_) | Self::Patterns(_) => (listed, 1),
            Self::Followers(_) => (listed, alphabet.locations()),
            Self::Together => (alphabet.locations(), alphabet.locations()),
        }
    }
}

impl Question {
    /// The text that travels.
    pub fn to_text(&self) -> Result<String> {
        serde_json::to_string(self)
            .map_err(|cause| Error::system("cannot write a question down", cause))
    }

    /// Reads a question again.
    pub fn from_text(text: &str) -> Result<Self> {
        let question: Self = serde_json::from_str(text)
            .map_err(|cause| Error::input(format!("this is no question: {cause}")))?;
        let fits = question.what.listed().is_none_or(Listed::fits) && question.alphabet().is_some();
        match fits {
            true => Ok(question),
            false => Err(Error::input("the parts of this question do not fit")),
        }
    }

    /// Refuses an answer, or a part of one, that has grown beyond what is held at once.
    pub fn check_size(&self, tally: &Tally) -> Result<()> {
        match self.what {
            What::Extensions { .. } if tally.len() > MOST_PAIRS => Err(Error::input(format!(
                "more than {MOST_PAIRS} combinations of visits occur that would have to be looked at at once"
            ))
            .hint("give --l a smaller number, or a larger --k")),
            _ => Ok(()),
        }
    }

    /// The symbols of the records, where they fit.
    pub fn alphabet(&self) -> Option<Alphabet> {
        Alphabet::new(self.locations as usize, self.bins.unwrap_or(1))
    }

    /// Whether a pair can be an answer.
    pub(super) fn allows(&self, (first, second): (u32, u32)) -> bool {
        self.alphabet().is_some_and(|alphabet| {
            let limits = self.what.limits(alphabet);
            first < limits.0 && second < limits.1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(what: What) -> Question {
        Question {
            unit: PrivacyUnit::Owner,
            locations: 3,
            bins: None,
            columns: Vec::new(),
            what,
        }
    }

    #[test]
    fn is_read_as_it_was_written() {
        let asked = question(What::Children {
            height: 4,
            prefixes: Listed::of([[0, 1], [2, 2]]).unwrap(),
        });
        let text = asked.to_text().unwrap();
        assert_eq!(Question::from_text(&text), Ok(asked.clone()));
        assert!(asked.allows((1, 2)) && !asked.allows((2, 0)) && !asked.allows((0, 3)));
    }

    #[test]
    fn answers_about_sets_have_an_end() {
        let sets = question(What::Extensions {
            sets: Listed::of([[]]).unwrap(),
            having: None,
        });
        let mut tally = Tally::default();
        for symbol in 0..MOST_PAIRS as u32 {
            tally.add((0, symbol), 1).unwrap();
        }
        assert_eq!(sets.check_size(&tally), Ok(()));
        tally.add((1, 0), 1).unwrap();
        assert!(sets.check_size(&tally).is_err());
        let children = question(What::Records);
        assert_eq!(children.check_size(&tally), Ok(()));
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let text = question(What::Sets(Listed::of([[1, 2]]).unwrap()));
        let text = text.to_text().unwrap();
        assert!(Question::from_text(&text.replace("[2]", "[3]")).is_err());
        assert!(Question::from_text("{}").is_err());
        let vast = Question {
            locations: u32::MAX,
            bins: Some(7),
            ..question(What::Records)
        };
        assert!(Question::from_text(&vast.to_text().unwrap()).is_err());
    }
}
