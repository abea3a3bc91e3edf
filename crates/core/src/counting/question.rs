//! A question to wherever records are.

use serde::{Deserialize, Serialize};

use super::Alphabet;
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
    /// What is to be counted.
    pub what: What,
}

/// What is to be counted. Every answer is a [`super::Tally`]: how often each pair of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum What {
    /// Records: the pair (0, 0).
    Records,
    /// Records that begin with one of the prefixes, by the symbol that follows: (prefix, symbol).
    Children {
        /// How many symbols of a record count at most.
        height: u32,
        /// How many symbols the prefixes have.
        depth: u32,
        /// The prefixes, one after another; no two are alike. At depth 0 there is one, which is empty.
        prefixes: Vec<u32>,
    },
    /// Records that have one of the fragments, somewhere and without gaps, times aside: (fragment, 0).
    Fragments {
        /// How many locations the fragments have.
        length: u32,
        /// The fragments, one after another; no two are alike.
        codes: Vec<u32>,
    },
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
        let whole = |codes: &[u32], length: u32| match length {
            0 => codes.is_empty(),
            _ => codes.len().is_multiple_of(length as usize),
        };
        let fits = match &question.what {
            What::Records => true,
            What::Children {
                depth, prefixes, ..
            } => whole(prefixes, *depth),
            What::Fragments { length, codes } => *length > 0 && whole(codes, *length),
        };
        match fits && question.alphabet().is_some() {
            true => Ok(question),
            false => Err(Error::input("the parts of this question do not fit")),
        }
    }

    /// The symbols of the records, where they fit.
    pub fn alphabet(&self) -> Option<Alphabet> {
        Alphabet::new(self.locations as usize, self.bins.unwrap_or(1))
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
            what,
        }
    }

    #[test]
    fn is_read_as_it_was_written() {
        let asked = question(What::Children {
            height: 4,
            depth: 2,
            prefixes: vec![0, 1, 2, 2],
        });
        let text = asked.to_text().unwrap();
        assert_eq!(Question::from_text(&text), Ok(asked));
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        for what in [
            What::Children {
                height: 4,
                depth: 2,
                prefixes: vec![0, 1, 2],
            },
            What::Fragments {
                length: 0,
                codes: vec![],
            },
        ] {
            let text = question(what).to_text().unwrap();
            assert!(Question::from_text(&text).is_err(), "{text}");
        }
        let vast = Question {
            locations: u32::MAX,
            bins: Some(7),
            ..question(What::Records)
        };
        assert!(Question::from_text(&vast.to_text().unwrap()).is_err());
    }
}
