//! Reads events: tables with one visit per row, by label (`uid, location, datetime`) or by
//! coordinates (`uid, lat, lng, datetime`).
//!
//! ```text
//!  files ─▶ blocks of whole records ─▶ parsed batches ─▶ gatherer ─▶ by owner, by time ─▶ records
//!           (a thread of its own)      (another)         (this one)
//! ```
//! Rows are grouped by owner and sorted by time; rows of equal time stay in the order of the file.
//! Columns may stand in any order; the delimiter is taken from the header (the most frequent of
//! comma, semicolon and tab) unless stated. Date and time of day may stand in two columns. An
//! attribute belongs to the owner, so that all rows of one owner must agree on it; an empty
//! attribute is a value like any other. Empty lines are skipped and counted.
//!
//! Points become locations of a public set ([`Places`](crate::Places)). Those outside of it are
//! left out and counted. Coordinates that are missing or no degrees are an error unless they are
//! to be left out. If most points lie outside and would lie inside with latitude and longitude
//! swapped, that is an error.

mod collect;
mod parse;
mod position;

use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread::{Scope, ScopedJoinHandle};

use wayveil_core::{Dataset, Error, Internal, Progress, Raw, Result};

use crate::csv::{Block, Cursor, Header, Layout, Table};
use crate::dates::{DateOptions, DateParser};
use crate::input::Input;
use crate::intern::Key;
use crate::native::check_attribute_names;
use crate::summary::ImportSummary;
use crate::visits::{Arrangement, Gatherer, Imported};
use collect::Collector;
use parse::{OpenFile, Parser};
pub use position::{InvalidPoints, Position};
pub(crate) use position::{PointCounts, Swapped, degrees};

/// Blocks or batches that may wait between two threads.
const WAITING: usize = 2;

/// How a table of events is to be read.
#[derive(Clone, Debug)]
pub struct EventsOptions {
    /// Name of the column of owners.
    pub uid: String,
    /// Name of the column that names an owner's trips, if there is one.
    pub trip: Option<String>,
    /// How rows say where.
    pub position: Position,
    /// Name of the column of dates, or of the columns of date and time of day.
    pub datetime: Vec<String>,
    /// Names of the columns to keep as attributes of the owner.
    pub attributes: Vec<String>,
    /// The byte between fields; taken from the header unless stated.
    pub delimiter: Option<u8>,
    /// How dates are written.
    pub dates: DateOptions,
    /// How visits become records.
    pub arrangement: Arrangement,
}

impl EventsOptions {
    /// Columns `uid` and `datetime`, UTC, no trips and no attributes.
    pub fn new(position: Position, arrangement: Arrangement) -> Self {
        Self {
            uid: "uid".into(),
            trip: None,
            position,
            datetime: vec!["datetime".into()],
            attributes: Vec::new(),
            delimiter: None,
            dates: DateOptions::default(),
            arrangement,
        }
    }
}

/// One file of a table, and what its place says about its rows.
pub(crate) struct Source {
    pub(crate) input: Input,
    /// The owner of all rows, where no column says it.
    pub(crate) owner: Option<String>,
    /// The trip of all rows.
    pub(crate) trip: Option<String>,
}

impl Source {
    pub(crate) fn plain(input: Input) -> Self {
        Self {
            input,
            owner: None,
            trip: None,
        }
    }
}

/// Reads a file of events into memory, compressed or not.
pub fn read_events(
    path: &Path,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
    import_events(path, options, progress)?.into_dataset(progress)
}

/// Reads events from any input into memory.
pub fn read_events_from(
    input: Input,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
    let source = std::iter::once(Ok(Source::plain(input)));
    import_tables(source, Layout::default(), options, progress)?.into_dataset(progress)
}

/// Reads a file of events, compressed or not.
pub fn import_events(
    path: &Path,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    let source = Input::open(path).map(Source::plain);
    import_tables(
        std::iter::once(source),
        Layout::default(),
        options,
        progress,
    )
}

/// Reads any number of files of one layout.
pub(crate) fn import_tables(
    sources: impl Iterator<Item = Result<Source>> + Send,
    layout: Layout,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    check_delimiter(options.delimiter)?;
    check_attribute_names(options.attributes.iter().map(String::as_str))?;
    let parser = Parser::new(options, DateParser::new(&options.dates)?);
    let attributes = options.attributes.iter().cloned();
    let gatherer = Gatherer::new(&options.arrangement.scratch, attributes);
    let collector = Collector::new(gatherer, !options.attributes.is_empty());
    let reader = Reader {
        sources,
        layout,
        delimiter: options.delimiter,
    };
    progress.begin("reading rows", None);
    let (gatherer, parser) = run(reader, parser, collector, progress)?;
    progress.end();
    let (located, summary) = parser.finish()?;
    Ok(Imported::new(
        gatherer,
        located,
        summary,
        &options.arrangement,
    ))
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

/// What the first stage sends on.
enum Piece {
    File(Box<OpenFile>),
    Block(Block, Cursor),
    Failed(Error),
}

/// The first stage.
struct Reader<S> {
    sources: S,
    layout: Layout,
    delimiter: Option<u8>,
}

impl<S: Iterator<Item = Result<Source>>> Reader<S> {
    /// Sends everything on until `send` refuses, or up to the first error.
    fn read(&mut self, mut send: impl FnMut(Piece) -> bool) {
        while let Some(source) = self.sources.next() {
            let outcome = source.and_then(|source| self.read_file(source, &mut send));
            match outcome {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    send(Piece::Failed(error));
                    return;
                }
            }
        }
    }

    fn read_file(&mut self, source: Source, send: &mut impl FnMut(Piece) -> bool) -> Result<bool> {
        let table = Table::open_as(source.input, self.delimiter, self.layout)?;
        let Table {
            mut blocks,
            header,
            first,
            cursor,
            blank,
        } = table;
        let owner = source.owner.map(|uid| {
            let key = Key::of(&uid);
            (uid, key)
        });
        let file = OpenFile {
            name: blocks.name().to_owned(),
            header,
            delimiter: blocks.delimiter(),
            blank_lines: blank,
            owner,
            trip: source.trip,
        };
        if !send(Piece::File(Box::new(file))) || !send(Piece::Block(first, cursor)) {
            return Ok(false);
        }
        while let Some(block) = blocks.next_block()? {
            let cursor = Cursor::new(&block);
            if !send(Piece::Block(block, cursor)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Runs the stages on threads of their own; the first error in the order of the files wins.
fn run<S: Iterator<Item = Result<Source>> + Send>(
    mut reader: Reader<S>,
    mut parser: Parser,
    mut collector: Collector,
    progress: &dyn Progress,
) -> Result<(Gatherer, Parser)> {
    let parser = std::thread::scope(|scope| {
        let (send_piece, pieces) = sync_channel::<Piece>(WAITING);
        let (send_batch, batches) = sync_channel(WAITING);
        let read = move || reader.read(|piece| send_piece.send(piece).is_ok());
        let parse = move || {
            for piece in pieces {
                let batch = match piece {
                    Piece::File(file) => match parser.open(*file) {
                        Ok(()) => continue,
                        Err(error) => parser.failed(error),
                    },
                    Piece::Block(block, cursor) => parser.parse(block, cursor),
                    Piece::Failed(error) => parser.failed(error),
                };
                let ended = batch.failed.is_some();
                if send_batch.send(batch).is_err() || ended {
                    break;
                }
            }
            parser
        };
        start("read", scope, read)?;
        let parsing = start("parse", scope, parse)?;
        for batch in batches {
            progress.advance(batch.rows() as u64);
            collector.add(batch)?;
        }
        parsing
            .join()
            .map_err(|_| Error::system("cannot read the table", "a worker stopped"))
    })?;
    Ok((collector.finish(), parser))
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

/// The columns that a row is read from.
#[derive(Clone, Debug)]
pub(crate) struct Columns<P = PlaceColumns> {
    /// None where the file says who the owner is.
    pub(crate) uid: Option<usize>,
    pub(crate) trip: Option<usize>,
    pub(crate) place: P,
    pub(crate) datetime: Vec<usize>,
    pub(crate) attributes: Vec<usize>,
}

/// The columns that say where.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlaceColumns {
    Label(usize),
    Point { lat: usize, lng: usize },
}

impl PlaceColumns {
    pub(crate) fn find(header: &Header, position: &Position) -> Result<Self> {
        Ok(match position {
            Position::Location { column, .. } => {
                Self::Label(header.require(column, "--location-column")?)
            }
            Position::Point { lat, lng, .. } => Self::Point {
                lat: header.require(lat, "--lat-column")?,
                lng: header.require(lng, "--lng-column")?,
            },
        })
    }
}

impl<P> Columns<P> {
    /// The columns beside the place.
    pub(crate) fn around(
        place: P,
        header: &Header,
        options: &EventsOptions,
        uid_is_known: bool,
    ) -> Result<Self> {
        let named = |names: &[String], flag: &str| -> Result<Vec<usize>> {
            names
                .iter()
                .map(|name| header.require(name, flag))
                .collect()
        };
        Ok(Self {
            uid: match uid_is_known {
                true => None,
                false => Some(header.require(&options.uid, "--uid-column")?),
            },
            trip: match &options.trip {
                Some(name) => Some(header.require(name, "--trip-column")?),
                None => None,
            },
            place,
            datetime: named(&options.datetime, "--datetime-column")?,
            attributes: named(&options.attributes, "--attribute")?,
        })
    }
}

#[cfg(test)]
mod tests;
