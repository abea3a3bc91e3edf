//! Reads events: a table with one visit per row (`uid, location, datetime`).
//!
//! ```text
//!  file ─▶ blocks of whole records ─▶ parsed batches ─▶ columns ─▶ by owner, by time ─▶ records
//!          (a thread of its own)      (another)         (this one)
//! ```
//! Rows are grouped by owner and sorted by time; rows of equal time stay in the order of the file.
//! Each owner becomes one record. Columns may stand in any order; the delimiter is taken from the
//! header (the most frequent of comma, semicolon and tab) unless stated. An attribute belongs to
//! the owner, so that all rows of one owner must agree on it; an empty attribute is a value like
//! any other. Empty lines are skipped and counted.

mod arrange;
mod gather;
mod parse;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::{Scope, ScopedJoinHandle};

use wayveil_core::{
    Dataset, Error, Internal, NonPrivate, Owners, Progress, Raw, Result, Sequences,
};

use crate::csv::{Block, Cursor, Header, Table};
use crate::dates::{DateOptions, DateParser};
use crate::input::Input;
use crate::native::check_attribute_names;
use crate::summary::ImportSummary;
use crate::universe::{Located, LocationIndex, UniverseChoice, Unknown};
use gather::{Gathered, Gatherer};
use parse::Parser;

/// Blocks or batches that may wait between two threads.
const WAITING: usize = 2;

/// How a table of events is to be read.
#[derive(Clone, Debug)]
pub struct EventsOptions {
    /// Name of the column of owners.
    pub uid: String,
    /// Name of the column of locations.
    pub location: String,
    /// Name of the column of dates.
    pub datetime: String,
    /// Names of the columns to keep as attributes of the owner.
    pub attributes: Vec<String>,
    /// The byte between fields; taken from the header unless stated.
    pub delimiter: Option<u8>,
    /// How dates are written.
    pub dates: DateOptions,
    /// The set of locations.
    pub universe: UniverseChoice,
    /// What to do with locations outside of it.
    pub unknown: Unknown,
    /// The name under which spending on these people is kept.
    pub population: String,
}

impl EventsOptions {
    /// Columns `uid`, `location` and `datetime`, UTC, nothing unknown accepted.
    pub fn new(universe: UniverseChoice, population: impl Into<String>) -> Self {
        Self {
            uid: "uid".into(),
            location: "location".into(),
            datetime: "datetime".into(),
            attributes: Vec::new(),
            delimiter: None,
            dates: DateOptions::default(),
            universe,
            unknown: Unknown::Error,
            population: population.into(),
        }
    }
}

/// Where the needed columns stand.
#[derive(Clone, Debug)]
struct Columns {
    uid: usize,
    location: usize,
    datetime: usize,
    attributes: Vec<usize>,
}

impl Columns {
    fn find(header: &Header, options: &EventsOptions) -> Result<Self> {
        Ok(Self {
            uid: header.require(&options.uid, "--uid-column")?,
            location: header.require(&options.location, "--location-column")?,
            datetime: header.require(&options.datetime, "--datetime-column")?,
            attributes: options
                .attributes
                .iter()
                .map(|name| header.require(name, "--attribute"))
                .collect::<Result<_>>()?,
        })
    }
}

/// Reads a file of events, compressed or not.
pub fn read_events(
    path: &Path,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
    read_events_from(Input::open(path)?, options, progress)
}

/// Reads events from any input.
pub fn read_events_from(
    input: Input,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
    check_delimiter(options.delimiter)?;
    check_attribute_names(options.attributes.iter().map(String::as_str))?;
    let dates = DateParser::new(&options.dates)?;
    let table = Table::open(input, options.delimiter)?;
    let columns = Columns::find(&table.header, options)?;
    let file = table.blocks.name().to_owned();
    let delimiter = table.blocks.delimiter();
    let locations = LocationIndex::new(&options.universe, options.unknown);
    let parser = Parser::new(&table, columns.clone(), dates, locations);
    let gatherer = Gatherer::new(&file, &table.header, &columns);
    progress.begin("reading rows", None);
    let (gathered, parser) = run(table, parser, gatherer, progress)?;
    progress.end();
    let (locations, blank_lines) = parser.finish();
    let (dataset, summary) = assemble(gathered, locations.finish(&file)?, options)?;
    let summary = ImportSummary {
        blank_lines,
        delimiter: Some(char::from(delimiter)),
        ..summary
    };
    let raw = Raw::new(dataset);
    let because = NonPrivate::because("the publisher is told what an import read and left out");
    let summary = raw.inspect(because, |_| summary);
    Ok((raw, summary))
}

fn check_delimiter(delimiter: Option<u8>) -> Result<()> {
    match delimiter {
        Some(byte) if byte == b'"' || byte == b'\n' || byte == b'\r' || !byte.is_ascii() => Err(
            Error::input(format!("invalid delimiter (got {:?})", char::from(byte)))
                .hint("a delimiter is one ASCII character, such as , or ;"),
        ),
        _ => Ok(()),
    }
}

/// Runs the stages on threads of their own; the first error in the order of the file wins.
fn run(
    table: Table,
    mut parser: Parser,
    mut gatherer: Gatherer,
    progress: &dyn Progress,
) -> Result<(Gathered, Parser)> {
    let Table {
        mut blocks,
        first,
        cursor,
        ..
    } = table;
    let parser = std::thread::scope(|scope| {
        let (send_block, blocks_read) = sync_channel::<Result<Block>>(WAITING);
        let (send_batch, batches) = sync_channel(WAITING);
        let read = move || {
            while let Some(block) = blocks.next_block().transpose() {
                let failed = block.is_err();
                if send_block.send(block).is_err() || failed {
                    break;
                }
            }
        };
        let parse = move || {
            if send_batch.send(parser.parse(first, cursor)).is_err() {
                return parser;
            }
            for block in blocks_read {
                let batch = match block {
                    Ok(block) => {
                        let cursor = Cursor::new(&block);
                        parser.parse(block, cursor)
                    }
                    Err(error) => parser.failed(error),
                };
                if send_batch.send(batch).is_err() {
                    break;
                }
            }
            parser
        };
        start("read", scope, read)?;
        let parsing = start("parse", scope, parse)?;
        for batch in batches {
            progress.advance(batch.rows() as u64);
            gatherer.add(batch)?;
        }
        parsing
            .join()
            .map_err(|_| Error::system("cannot read the table", "a worker stopped"))
    })?;
    Ok((gatherer.finish(), parser))
}

fn start<'scope, T: Send + 'scope>(
    name: &str,
    scope: &'scope Scope<'scope, '_>,
    stage: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    thread
        .spawn_scoped(scope, stage)
        .map_err(|cause| Error::system("cannot start a thread", cause))
}

/// Builds the data set from the gathered columns.
fn assemble(
    gathered: Gathered,
    located: Located,
    options: &EventsOptions,
) -> Result<(Dataset, ImportSummary)> {
    let rows = gathered.rows;
    let arranged = arrange::arrange(gathered, located.code_of.as_deref());
    let date = |micros: i64| jiff::Timestamp::from_microsecond(micros).ok();
    let summary = ImportSummary {
        rows,
        records: arranged.owners.len() as u64,
        owners: arranged.owners.len() as u64,
        symbols: arranged.codes.len() as u64,
        locations: located.universe.len() as u64,
        unknown: located.left_out,
        owners_without_known_location: arranged.owners_left_out,
        duplicates: arranged.duplicates,
        out_of_order: arranged.out_of_order,
        first: arranged.span.and_then(|(first, _)| date(first)),
        last: arranged.span.and_then(|(_, last)| date(last)),
        ..ImportSummary::default()
    };
    let owners = Owners::Known {
        of_record: (0..arranged.owners.len() as u32).collect(),
        labels: arranged.owners,
    };
    let trips = Sequences::new(arranged.offsets, arranged.codes, None)?;
    let dataset = Dataset::new(
        Arc::new(located.universe),
        None,
        trips,
        owners,
        arranged.attributes,
        options.population.clone(),
    )?;
    Ok((dataset, summary))
}

#[cfg(test)]
mod tests;
