//! Reads `seq`.

use std::path::Path;

use wayveil_core::{Error, Owners, Result};

use super::SeqOptions;
use super::escape::unescape;
use crate::input::Input;
use crate::lines::{Lines, Problem, words};
use crate::native::check_attribute_names;
use crate::sequence_builder::{Beside, Import, LINE_LIMIT, SequenceBuilder};
use crate::summary::ImportSummary;
use crate::text_column::TextColumn;

/// Reads a file, compressed or not.
pub fn read_seq(path: &Path, options: &SeqOptions) -> Import {
    read_seq_from(Input::open(path)?, options)
}

/// Reads any input.
pub fn read_seq_from(input: Input, options: &SeqOptions) -> Import {
    check_attribute_names(options.attributes.iter().map(String::as_str))?;
    let mut reader = Reader::new(options);
    let file = Lines::new(input, LINE_LIMIT).for_each(|line| reader.line(line.text))?;
    let rows = reader.trips.records();
    let columns = reader.columns.unwrap_or_default().into_iter().enumerate();
    let name = attribute_names(columns.len(), &options.attributes);
    let beside = Beside {
        owners: Owners::EachRecord,
        attributes: columns
            .map(|(index, column)| column.into_attribute(name(index)))
            .collect(),
        population: options.population.clone(),
    };
    let skipped = ImportSummary {
        rows,
        ..ImportSummary::default()
    };
    reader.trips.finish(&file, beside, skipped)
}

struct Reader {
    trips: SequenceBuilder,
    /// None until the first line, unless names were given.
    columns: Option<Vec<TextColumn>>,
}

fn columns(count: usize) -> Vec<TextColumn> {
    std::iter::repeat_with(TextColumn::default)
        .take(count)
        .collect()
}

impl Reader {
    fn new(options: &SeqOptions) -> Self {
        let names = options.attributes.len();
        Self {
            trips: SequenceBuilder::new(&options.universe, options.unknown, options.bins),
            columns: (names > 0).then(|| columns(names)),
        }
    }

    fn line(&mut self, text: &str) -> Result<(), Problem> {
        let end = text.find('\t').unwrap_or(text.len());
        for (at, symbol) in words(&text[..end]) {
            self.symbol(symbol).map_err(|problem| Problem {
                at: at + problem.at,
                ..problem
            })?;
        }
        self.trips.end_record();
        self.attributes(text, end)
    }

    fn symbol(&mut self, symbol: &str) -> Result<(), Problem> {
        let (label, bin) = match symbol.split_once('@') {
            Some((label, bin)) => (label, Some(bin)),
            None => (symbol, None),
        };
        let agreed = self.trips.agree_on_time(symbol, bin.is_some());
        agreed
            .map_err(|error| error.hint("write all symbols as location@bin, or none"))
            .map_err(Problem::at(0))?;
        let name = unescape(label).map_err(|at| Problem::at(at)(bad_escape()))?;
        if name.is_empty() {
            let error = Error::input("the location is empty").hint("write @ inside a label as %40");
            return Err(Problem::at(0)(error));
        }
        let code = self.trips.locate(&name).map_err(Problem::at(0))?;
        let form = "write a doublet as location@bin, and @ inside a label as %40";
        let bin = bin.map(|bin| self.trips.bin(bin, form)).transpose();
        let bin = bin.map_err(Problem::at(label.len() + 1))?;
        self.trips.visit(code, bin);
        Ok(())
    }

    fn attributes(&mut self, text: &str, end: usize) -> Result<(), Problem> {
        let count = text[end..].matches('\t').count();
        let columns = self.columns.get_or_insert_with(|| columns(count));
        if columns.len() != count {
            let error = Error::input(format!(
                "the line has {count} values after tabs, {} are expected",
                columns.len()
            ));
            return Err(Problem::at(end)(error.hint(
                "every line needs the same number of values, each after a tab",
            )));
        }
        let mut at = end + 1;
        for (value, column) in text[end..].split('\t').skip(1).zip(columns) {
            let name = unescape(value).map_err(|bad| Problem::at(at + bad)(bad_escape()))?;
            column.push(&name).map_err(Problem::at(at))?;
            at += value.len() + 1;
        }
        Ok(())
    }
}

/// The name of each of `count` attributes.
fn attribute_names(count: usize, names: &[String]) -> impl Fn(usize) -> String {
    move |index| match names.get(index) {
        Some(name) => name.clone(),
        None if count > 1 => format!("sensitive{}", index + 1),
        None => "sensitive".into(),
    }
}

fn bad_escape() -> Error {
    Error::input("this is neither plain text nor a percent code").hint(
        "write % inside a label as %25, and control characters as the codes of their UTF-8 bytes",
    )
}
