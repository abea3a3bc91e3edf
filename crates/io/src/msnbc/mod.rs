//! The page visits of msnbc.com on 28 September 1999, as the UCI archive gives them.
//!
//! ```text
//! % Different categories found in input file:
//!
//! frontpage news tech … travel
//!
//! % Sequences:
//!
//! 1 1
//! 2
//! 3 2 2 4 2 2 2 3 3
//! ```
//! Each line is one person's day: the categories of the pages in the order in which they were
//! asked for, numbered from 1. Reduced forms of the file have the sequences alone. The categories
//! are documented with the data, so that they are a public universe; a label is the number as it
//! stands in the file, for comparison with published figures, and the category is its name.
//!
//! Empty lines and those that begin with `%` are skipped and counted.

use std::path::Path;

use wayveil_core::{Error, Location, Origin, Owners, Result, Universe, UniverseDocument};

use crate::input::Input;
use crate::lines::{Line, Lines, Problem, excerpt, whole_number, words};
use crate::sequence_builder::{Beside, Import, LINE_LIMIT, SequenceBuilder};
use crate::summary::ImportSummary;
use crate::universe::{UniverseChoice, Unknown};

/// The page categories in the order of their numbers.
const CATEGORIES: [&str; 17] = [
    "frontpage",
    "news",
    "tech",
    "local",
    "opinion",
    "on-air",
    "misc",
    "weather",
    "msn-news",
    "health",
    "living",
    "business",
    "msn-sports",
    "sports",
    "summary",
    "bbs",
    "travel",
];

/// How an `msnbc` file is to be read.
#[derive(Clone, Debug)]
pub struct MsnbcOptions {
    /// What to do with numbers that are no category.
    pub unknown: Unknown,
    /// The name under which spending on these people is kept.
    pub population: String,
}

impl MsnbcOptions {
    /// Nothing unknown accepted.
    pub fn new(population: impl Into<String>) -> Self {
        Self {
            unknown: Unknown::Error,
            population: population.into(),
        }
    }
}

/// The documented page categories: labels `1` to `17`, with their names.
pub fn msnbc_universe() -> Result<Universe> {
    let location = |(index, name): (usize, &&str)| Location {
        label: (index + 1).to_string(),
        name: Some((*name).to_owned()),
        ..Location::default()
    };
    Universe::try_from(UniverseDocument {
        origin: Origin::Declared("the 17 page categories that the data set documents".into()),
        locations: CATEGORIES.iter().enumerate().map(location).collect(),
        groups: Vec::new(),
    })
}

/// Reads a file, compressed or not.
pub fn read_msnbc(path: &Path, options: &MsnbcOptions) -> Import {
    read_msnbc_from(Input::open(path)?, options)
}

/// Reads any input.
pub fn read_msnbc_from(input: Input, options: &MsnbcOptions) -> Import {
    let universe = UniverseChoice::Declared(msnbc_universe()?);
    let mut reader = Reader {
        unknown: options.unknown,
        trips: SequenceBuilder::new(&universe, options.unknown, None),
        names_seen: false,
        skipped: ImportSummary::default(),
    };
    let file = Lines::new(input, LINE_LIMIT).for_each(|line| reader.line(&line))?;
    let beside = Beside {
        owners: Owners::EachRecord,
        attributes: Vec::new(),
        population: options.population.clone(),
    };
    reader.trips.finish(&file, beside, reader.skipped)
}

struct Reader {
    unknown: Unknown,
    trips: SequenceBuilder,
    names_seen: bool,
    skipped: ImportSummary,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>) -> Result<(), Problem> {
        let Some((_, first)) = words(line.text).next() else {
            self.skipped.blank_lines += 1;
            return Ok(());
        };
        if first.starts_with('%') {
            self.skipped.comment_lines += 1;
            return Ok(());
        }
        let may_be_names = !self.names_seen && self.trips.records() == 0;
        if may_be_names && first.starts_with(|first: char| first.is_alphabetic()) {
            self.names_seen = true;
            return check_names(line.text);
        }
        for (at, word) in words(line.text) {
            self.visit(word).map_err(Problem::at(at))?;
        }
        self.trips.end_record();
        self.skipped.rows += 1;
        Ok(())
    }

    fn visit(&mut self, word: &str) -> Result<()> {
        let category = whole_number(word)
            .and_then(|number| usize::try_from(number).ok())
            .filter(|number| (1..=CATEGORIES.len()).contains(number));
        if let Some(number) = category {
            self.trips.visit(number as u32 - 1, None);
            return Ok(());
        }
        let shown = excerpt(word);
        if !is_number(word) {
            return Err(
                Error::input(format!("invalid category (got {shown:?}): a whole number"))
                    .hint("a line holds numbers of categories, separated by blanks"),
            );
        }
        if self.unknown == Unknown::Drop {
            self.trips.locate(&shown)?;
            return Ok(());
        }
        Err(Error::input(format!(
            "the category {shown} is not one of the {} of this data set",
            CATEGORIES.len()
        ))
        .hint(
            "leave such visits out with --unknown drop; for other data give --format seq and \
             --universe",
        ))
    }
}

/// Whether a word is a whole number of any size.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The header's list must be the documented one.
fn check_names(text: &str) -> Result<(), Problem> {
    let mut found = words(text);
    let refused = |at: usize, what: String| {
        Err(Problem::at(at)(Error::input(what).hint(
            "this is not the msnbc data set: give --format seq and --universe for other data",
        )))
    };
    for expected in CATEGORIES {
        match found.next() {
            Some((_, name)) if name == expected => {}
            Some((at, name)) => {
                let name = excerpt(name);
                let what = format!("the header lists the category {name:?} for {expected:?}");
                return refused(at, what);
            }
            None => {
                let what = format!("the header does not list the category {expected:?}");
                return refused(text.len(), what);
            }
        }
    }
    match found.next() {
        Some((at, name)) => {
            let (name, count) = (excerpt(name), CATEGORIES.len());
            refused(
                at,
                format!("the header lists {name:?} beyond the {count} categories"),
            )
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
