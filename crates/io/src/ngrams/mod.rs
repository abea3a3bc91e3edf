//! Tables of n-gram counts, as published beside the msnbc data: statistics, not trajectories.
//!
//! ```text
//! 154439
//! 1 3 : 22816.000000
//! 1 : 856173.000000
//! ```
//! The first line is a number of which the files do not say what it counts; it is kept as it is.
//! Each further line is a fragment (symbols that follow one another, separated by blanks), a colon
//! and its count, which may have decimals or be negative where noise was added. Empty lines are
//! skipped and counted. A fragment that stands twice is an error.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::Serialize;
use wayveil_core::{Error, Result};

use crate::csv::write_field;
use crate::input::Input;
use crate::lines::{Line, Lines, Problem, excerpt, words};
use crate::output::{cannot_write, write_file};
use crate::universe::check_label;

/// The longest line.
const LINE_LIMIT: usize = 1 << 20;

/// A fragment and how often it occurs.
#[derive(Clone, Debug, PartialEq)]
pub struct Ngram {
    /// The symbols in order; never empty.
    pub symbols: Vec<String>,
    /// The count; finite.
    pub count: f64,
}

/// A table of n-grams.
#[derive(Clone, Debug, PartialEq)]
pub struct Ngrams {
    /// The number in the first line.
    pub first_number: f64,
    /// The rows in the order of the file.
    pub grams: Vec<Ngram>,
    /// Empty lines skipped.
    pub blank_lines: u64,
}

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NgramSummary {
    /// How many fragments there are.
    pub grams: u64,
    /// How many there are of each length.
    pub by_length: BTreeMap<usize, u64>,
    /// The sum of the counts of fragments of one symbol.
    pub total_of_single: f64,
}

impl Ngrams {
    /// Counts the rows.
    pub fn summary(&self) -> NgramSummary {
        let mut by_length = BTreeMap::new();
        for gram in &self.grams {
            *by_length.entry(gram.symbols.len()).or_default() += 1;
        }
        let single = self.grams.iter().filter(|gram| gram.symbols.len() == 1);
        NgramSummary {
            grams: self.grams.len() as u64,
            by_length,
            total_of_single: single.map(|gram| gram.count).sum(),
        }
    }
}

/// Reads a file, compressed or not.
pub fn read_ngrams(path: &Path) -> Result<Ngrams> {
    read_ngrams_from(Input::open(path)?)
}

/// Reads any input.
pub fn read_ngrams_from(input: Input) -> Result<Ngrams> {
    let mut first_number = None;
    let (mut grams, mut blank_lines) = (Vec::new(), 0);
    let mut first_lines = FxHashMap::default();
    let file = Lines::new(input, LINE_LIMIT).for_each(|line| {
        if words(line.text).next().is_none() {
            blank_lines += 1;
        } else if first_number.is_none() {
            first_number = Some(number(line.text, 0)?);
        } else {
            let gram = ngram(&line)?;
            if let Some(first) = first_lines.insert(gram.symbols.clone(), line.number) {
                let error = Error::input(format!(
                    "this fragment stands here a second time; first in line {first}"
                ));
                return Err(Problem::at(0)(error.hint("remove one of the two")));
            }
            grams.push(gram);
        }
        Ok(())
    })?;
    let first_number = first_number.ok_or_else(|| {
        Error::input("the file is empty")
            .in_file(file)
            .hint("the first line is a number, every other a fragment: 1 3 : 22816.000000")
    })?;
    Ok(Ngrams {
        first_number,
        grams,
        blank_lines,
    })
}

fn ngram(line: &Line<'_>) -> Result<Ngram, Problem> {
    let hint = "write a fragment as: symbol symbol : count";
    let Some((fragment, count)) = line.text.rsplit_once(':') else {
        let error = Error::input("there is no colon between fragment and count").hint(hint);
        return Err(Problem::at(line.text.len())(error));
    };
    let symbol = |(at, word): (usize, &str)| match check_label(word, "symbol") {
        Ok(()) => Ok(word.to_owned()),
        Err(error) => Err(Problem::at(at)(error)),
    };
    let symbols: Vec<String> = words(fragment).map(symbol).collect::<Result<_, _>>()?;
    if symbols.is_empty() {
        let error = Error::input("the fragment is empty").hint(hint);
        return Err(Problem::at(0)(error));
    }
    Ok(Ngram {
        symbols,
        count: number(count, fragment.len() + 1)?,
    })
}

/// A number that stands alone in a part of a line, which begins at byte `start`.
fn number(text: &str, start: usize) -> Result<f64, Problem> {
    let mut found = words(text);
    let (at, word) = found.next().unwrap_or((text.len(), ""));
    let count = word.parse::<f64>().ok().filter(|count| count.is_finite());
    match (count, found.next()) {
        (Some(count), None) => Ok(count),
        (Some(_), Some((at, _))) => Err(Problem::at(start + at)(
            Error::input("something follows the number")
                .hint("write a fragment as: symbol symbol : count"),
        )),
        (None, _) => Err(Problem::at(start + at)(
            Error::input(format!(
                "invalid number (got {:?}): digits with a decimal point",
                excerpt(word)
            ))
            .hint("the first line is a number, every other a fragment: 1 3 : 22816.000000"),
        )),
    }
}

/// Writes fragments as CSV with the columns `fragment,count`; symbols are separated by blanks.
pub fn write_fragments_csv(path: &Path, grams: &[Ngram], overwrite: bool) -> Result<()> {
    write_file(path, overwrite, |out| {
        use std::io::Write;
        let mut write = || {
            out.write_all(b"fragment,count\n")?;
            for gram in grams {
                write_field(out, &gram.symbols.join(" "))?;
                writeln!(out, ",{}", gram.count)?;
            }
            Ok(())
        };
        write().map_err(|cause: std::io::Error| cannot_write(path, cause))
    })
}

#[cfg(test)]
mod tests;
