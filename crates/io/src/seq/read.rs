//! Reads `seq`.

use std::path::Path;
use std::sync::Arc;

use wayveil_core::{Attribute, Dataset, Error, NonPrivate, Owners, Raw, Result, Sequences};

use super::bins::BinRule;
use super::escape::unescape;
use super::{Import, LINE_LIMIT, SeqOptions};
use crate::input::Input;
use crate::intern::Interner;
use crate::lines::Lines;
use crate::native::check_attribute_names;
use crate::summary::ImportSummary;
use crate::universe::{LEFT_OUT, LocationIndex};

/// Reads a file, compressed or not.
pub fn read_seq(path: &Path, options: &SeqOptions) -> Import {
    read_seq_from(Input::open(path)?, options)
}

/// Reads any input.
pub fn read_seq_from(input: Input, options: &SeqOptions) -> Import {
    check_attribute_names(options.attributes.iter().map(String::as_str))?;
    let mut lines = Lines::new(input, LINE_LIMIT);
    let file = lines.name().to_owned();
    let mut reader = Reader::new(options);
    while let Some(line) = lines.next_line()? {
        reader.line(line.text).map_err(|problem| {
            let before = &line.text[..problem.at];
            let column = before.chars().count() + 1;
            problem
                .error
                .in_file(&file)
                .at_line(line.number)
                .at_column(column)
        })?;
    }
    let (dataset, summary) = reader.finish(&file, options)?;
    let raw = Raw::new(dataset);
    let because = NonPrivate::because("the publisher is told what an import read and left out");
    let summary = raw.inspect(because, |_| summary);
    Ok((raw, summary))
}

/// An error and the byte of its line at which it lies.
struct Problem {
    at: usize,
    error: Error,
}

struct Column {
    values: Interner,
    of_record: Vec<u32>,
}

struct Reader {
    locations: LocationIndex,
    /// Whether symbols carry bins; unknown until the first symbol unless bins were declared.
    timed: Option<bool>,
    rule: BinRule,
    offsets: Vec<u64>,
    codes: Vec<u32>,
    bins: Vec<u32>,
    /// None until the first line, unless names were given.
    columns: Option<Vec<Column>>,
    out_of_order: u64,
}

fn columns(count: usize) -> Vec<Column> {
    let column = || Column {
        values: Interner::default(),
        of_record: Vec::new(),
    };
    std::iter::repeat_with(column).take(count).collect()
}

impl Reader {
    fn new(options: &SeqOptions) -> Self {
        let names = options.attributes.len();
        Self {
            locations: LocationIndex::new(&options.universe, options.unknown),
            timed: options.bins.map(|_| true),
            rule: BinRule::new(options.bins, &options.universe),
            offsets: vec![0],
            codes: Vec::new(),
            bins: Vec::new(),
            columns: (names > 0).then(|| columns(names)),
            out_of_order: 0,
        }
    }

    fn line(&mut self, text: &str) -> Result<(), Problem> {
        let end = text.find('\t').unwrap_or(text.len());
        let mut at = 0;
        let mut latest = 0;
        for symbol in text[..end].split(' ') {
            if !symbol.is_empty() {
                self.symbol(symbol, &mut latest)
                    .map_err(|problem| Problem {
                        at: at + problem.at,
                        ..problem
                    })?;
            }
            at += symbol.len() + 1;
        }
        self.offsets.push(self.codes.len() as u64);
        self.attributes(text, end)
    }

    fn symbol(&mut self, symbol: &str, latest: &mut u32) -> Result<(), Problem> {
        let problem = |at: usize| move |error: Error| Problem { at, error };
        let (label, bin) = match symbol.split_once('@') {
            Some((label, bin)) => (label, Some(bin)),
            None => (symbol, None),
        };
        let timed = *self.timed.get_or_insert(bin.is_some());
        if timed != bin.is_some() {
            let error = if timed {
                Error::input(format!(
                    "the symbol {symbol:?} has no time bin, others have"
                ))
            } else {
                Error::input(format!(
                    "the symbol {symbol:?} has a time bin, others have none"
                ))
            };
            return Err(problem(0)(
                error.hint("write all symbols as location@bin, or none"),
            ));
        }
        let name = unescape(label).map_err(|at| problem(at)(bad_escape()))?;
        if name.is_empty() {
            return Err(problem(0)(
                Error::input("the location is empty").hint("write @ inside a label as %40"),
            ));
        }
        let code = match self.locations.find(&name) {
            Some(code) => code,
            None => self.locations.add(&name).map_err(problem(0))?,
        };
        let bin = match bin {
            Some(bin) => Some(self.bin(bin).map_err(problem(label.len() + 1))?),
            None => None,
        };
        if code == LEFT_OUT {
            return Ok(());
        }
        self.codes.push(code);
        if let Some(bin) = bin {
            self.rule.met(bin);
            self.out_of_order += u64::from(bin < *latest);
            *latest = bin.max(*latest);
            self.bins.push(bin);
        }
        Ok(())
    }

    fn bin(&self, text: &str) -> Result<u32> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let bin = text
            .parse::<u32>()
            .ok()
            .filter(|&bin| digits && bin < u32::MAX);
        let bin = bin.ok_or_else(|| {
            Error::input(format!(
                "invalid time bin (got {text:?}): a whole number from 0 on"
            ))
            .hint("write a doublet as location@bin, and @ inside a label as %40")
        })?;
        self.rule.check(bin)
    }

    fn attributes(&mut self, text: &str, end: usize) -> Result<(), Problem> {
        let count = text[end..].matches('\t').count();
        let columns = self.columns.get_or_insert_with(|| columns(count));
        if columns.len() != count {
            let error = Error::input(format!(
                "the line has {count} values after tabs, {} are expected",
                columns.len()
            ));
            return Err(Problem {
                at: end,
                error: error.hint("every line needs the same number of values, each after a tab"),
            });
        }
        let mut at = end + 1;
        for (value, column) in text[end..].split('\t').skip(1).zip(columns) {
            let name = unescape(value).map_err(|bad| Problem {
                at: at + bad,
                error: bad_escape(),
            })?;
            let code = column.values.intern(&name).ok_or_else(|| Problem {
                at,
                error: Error::input("there are more than four billion values"),
            })?;
            column.of_record.push(code);
            at += value.len() + 1;
        }
        Ok(())
    }

    fn finish(self, file: &str, options: &SeqOptions) -> Result<(Dataset, ImportSummary)> {
        let located = self.locations.finish(file)?;
        let mut codes = self.codes;
        if let Some(code_of) = &located.code_of {
            for code in &mut codes {
                *code = code_of[*code as usize];
            }
        }
        let timed = self.timed == Some(true);
        let time = timed.then(|| self.rule.axis());
        let records = (self.offsets.len() - 1) as u64;
        let summary = ImportSummary {
            rows: records,
            records,
            owners: records,
            symbols: codes.len() as u64,
            locations: located.universe.len() as u64,
            unknown: located.left_out,
            out_of_order: self.out_of_order,
            ..ImportSummary::default()
        };
        let trips = Sequences::new(self.offsets, codes, timed.then_some(self.bins))?;
        let attributes = named(self.columns.unwrap_or_default(), &options.attributes);
        let dataset = Dataset::new(
            Arc::new(located.universe),
            time,
            trips,
            Owners::EachRecord,
            attributes,
            options.population.clone(),
        )?;
        Ok((dataset, summary))
    }
}

fn named(columns: Vec<Column>, names: &[String]) -> Vec<Attribute> {
    let several = columns.len() > 1;
    let name = |index: usize| match names.get(index) {
        Some(name) => name.clone(),
        None if several => format!("sensitive{}", index + 1),
        None => "sensitive".into(),
    };
    let attribute = |(index, column): (usize, Column)| Attribute {
        name: name(index),
        values: column.values.into_labels(),
        of_record: column.of_record,
    };
    columns.into_iter().enumerate().map(attribute).collect()
}

fn bad_escape() -> Error {
    Error::input("this is neither plain text nor a percent code").hint(
        "write % inside a label as %25, and control characters as the codes of their UTF-8 bytes",
    )
}
