//! Reads SPMF's sequences.

use std::path::Path;

use wayveil_core::{Error, Owners, Result};

use super::names::{ITEM, Names};
use super::{Itemsets, SpmfOptions};
use crate::input::Input;
use crate::lines::{Lines, Problem, excerpt, whole_number, words};
use crate::sequence_builder::{Beside, Import, LINE_LIMIT, SequenceBuilder};
use crate::summary::ImportSummary;

/// The hint of every line that is cut wrongly.
const FORM: &str = "a sequence is written as: item -1 item -1 -2";

/// The hint where only some itemsets have a time stamp.
const ALL_STAMPED: &str = "write a time stamp <bin> before every itemset, or before none";

/// Reads a file, compressed or not.
pub fn read_spmf(path: &Path, options: &SpmfOptions) -> Import {
    read_spmf_from(Input::open(path)?, options)
}

/// Reads any input.
pub fn read_spmf_from(input: Input, options: &SpmfOptions) -> Import {
    let mut reader = Reader {
        trips: SequenceBuilder::new(&options.universe, options.unknown, options.bins),
        itemsets: options.itemsets,
        names: Names::default(),
        skipped: ImportSummary::default(),
    };
    let file = Lines::new(input, LINE_LIMIT).for_each(|line| reader.line(line.text))?;
    let beside = Beside {
        owners: Owners::EachRecord,
        attributes: Vec::new(),
        population: options.population.clone(),
    };
    reader.trips.finish(&file, beside, reader.skipped)
}

struct Reader {
    trips: SequenceBuilder,
    itemsets: Itemsets,
    names: Names,
    skipped: ImportSummary,
}

/// The itemset that is open.
#[derive(Default)]
struct Itemset {
    bin: Option<u32>,
    items: usize,
}

impl Itemset {
    fn has_begun(&self) -> bool {
        self.bin.is_some() || self.items > 0
    }

    fn end(&mut self) -> Result<()> {
        if self.items == 0 {
            return Err(Error::input("the itemset is empty").hint(FORM));
        }
        *self = Self::default();
        Ok(())
    }
}

impl Reader {
    fn line(&mut self, text: &str) -> Result<(), Problem> {
        let Some((at, first)) = words(text).next() else {
            self.skipped.blank_lines += 1;
            return Ok(());
        };
        if first.starts_with(['#', '%', '@']) {
            self.skipped.comment_lines += 1;
            return match text[at..].strip_prefix(ITEM) {
                Some(definition) => self.name(definition).map_err(Problem::at(at)),
                None => Ok(()),
            };
        }
        self.sequence(text)?;
        self.trips.end_record();
        self.skipped.rows += 1;
        Ok(())
    }

    fn name(&mut self, definition: &str) -> Result<()> {
        if self.trips.records() > 0 {
            return Err(
                Error::input("an @ITEM line stands after the first sequence")
                    .hint("move all @ITEM lines to the beginning of the file"),
            );
        }
        self.names.add(definition)
    }

    fn sequence(&mut self, text: &str) -> Result<(), Problem> {
        let mut itemset = Itemset::default();
        let mut ended = false;
        for (at, word) in words(text) {
            if ended {
                return Err(Problem::at(at)(
                    Error::input("something follows -2, which ends the sequence")
                        .hint("write each sequence on a line of its own"),
                ));
            }
            match word {
                "-1" => itemset.end().map_err(Problem::at(at))?,
                "-2" if itemset.has_begun() => {
                    let error = Error::input("-2 stands inside an itemset that -1 has not ended");
                    return Err(Problem::at(at)(error.hint(FORM)));
                }
                "-2" => ended = true,
                _ => self.word(word, &mut itemset).map_err(Problem::at(at))?,
            }
        }
        if ended {
            return Ok(());
        }
        let error = Error::input("the sequence does not end with -2").hint(FORM);
        Err(Problem::at(text.len())(error))
    }

    /// A time stamp or an item.
    fn word(&mut self, word: &str, itemset: &mut Itemset) -> Result<()> {
        if let Some(stamp) = word.strip_prefix('<') {
            itemset.bin = Some(self.stamp(word, stamp.strip_suffix('>'), itemset)?);
            return Ok(());
        }
        let number = whole_number(word).ok_or_else(|| {
            Error::input(format!(
                "invalid item (got {:?}): a whole number from 0 to {}, -1 or -2",
                excerpt(word),
                u64::MAX
            ))
            .hint(FORM)
        })?;
        if itemset.items > 0 && self.itemsets == Itemsets::Single {
            return Err(Error::input(format!(
                "the itemset has a second item, {number}; a trajectory is at one place at a time"
            ))
            .hint("take the items one after the other with --itemsets flatten"));
        }
        if itemset.bin.is_none() {
            let agreed = self.trips.agree_on_time(word, false);
            agreed.map_err(|error| error.hint(ALL_STAMPED))?;
        }
        let Some(label) = self.names.label(number, word) else {
            return Err(
                Error::input(format!("the item {number} is not named in the header"))
                    .hint("add a line @ITEM=number=text for it, or remove all of them"),
            );
        };
        let code = self.trips.locate(label)?;
        self.trips.visit(code, itemset.bin);
        itemset.items += 1;
        Ok(())
    }

    fn stamp(&mut self, word: &str, digits: Option<&str>, itemset: &Itemset) -> Result<u32> {
        if itemset.has_begun() {
            return Err(
                Error::input("a time stamp stands inside an itemset, not before it")
                    .hint("write <bin> before the first item of the itemset"),
            );
        }
        let agreed = self.trips.agree_on_time(&excerpt(word), true);
        agreed.map_err(|error| error.hint(ALL_STAMPED))?;
        let form = "write a time stamp as <bin>, with bins counted from 0";
        self.trips.bin(digits.unwrap_or(word), form)
    }
}
