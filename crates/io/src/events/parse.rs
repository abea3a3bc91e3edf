//! Turns blocks of text into columns: places of the owners' ids, times, location codes.

use std::borrow::Cow;
use std::sync::Arc;

use wayveil_core::{Error, Result};

use super::position::{InvalidPoints, PointCounts, Position, Swapped, degrees};
use super::{Columns, EventsOptions, PlaceColumns};
use crate::csv::{Block, Cursor, Field, Header};
use crate::dates::{DateParser, empty_date_part};
use crate::intern::Key;
use crate::place::Places;
use crate::summary::ImportSummary;
use crate::universe::{LEFT_OUT, Located, LocationIndex, check_label};

/// A piece of text in a batch.
#[derive(Clone, Copy)]
struct Piece {
    start: u32,
    end: u32,
}

/// A file whose header was read, and what its place says about its rows.
pub(super) struct OpenFile {
    pub(super) name: String,
    pub(super) header: Header,
    pub(super) delimiter: u8,
    pub(super) blank_lines: u64,
    pub(super) owner: Option<(String, Key)>,
    pub(super) trip: Option<String>,
}

/// What later stages need of a file.
pub(super) struct FileFacts {
    pub(super) name: String,
    pub(super) uid_column: String,
    pub(super) owner: Option<(String, Key)>,
    trip: Option<String>,
}

/// The rows of one block, and the error that ended it, if one did.
pub(super) struct Batch {
    pub(super) file: Arc<FileFacts>,
    text: String,
    /// Fields with doubled quotes, written out. Their pieces lie behind the end of `text`.
    unescaped: String,
    first_line: u64,
    /// Empty where the file says who the owner is.
    uids: Vec<Piece>,
    pub(super) keys: Vec<Key>,
    pub(super) times: Vec<i64>,
    pub(super) codes: Vec<u32>,
    /// Lines after `first_line`, one per row.
    lines: Vec<u32>,
    /// Empty without a column of trips.
    trips: Vec<Piece>,
    /// One per row and attribute, row by row.
    attributes: Vec<Piece>,
    width: usize,
    pub(super) failed: Option<Error>,
}

impl Batch {
    fn new(file: Arc<FileFacts>, block: Block, rows: usize, width: usize) -> Self {
        Self {
            file,
            text: block.text,
            unescaped: String::new(),
            first_line: block.first_line,
            uids: Vec::with_capacity(rows),
            keys: Vec::with_capacity(rows),
            times: Vec::with_capacity(rows),
            codes: Vec::with_capacity(rows),
            lines: Vec::with_capacity(rows),
            trips: Vec::new(),
            attributes: Vec::new(),
            width,
            failed: None,
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.times.len()
    }

    pub(super) fn line(&self, row: usize) -> u64 {
        self.first_line + u64::from(self.lines[row])
    }

    pub(super) fn uid(&self, row: usize) -> &str {
        self.get(self.uids[row])
    }

    pub(super) fn trip(&self, row: usize) -> Option<&str> {
        match self.trips.get(row) {
            Some(&piece) => Some(self.get(piece)),
            None => self.file.trip.as_deref(),
        }
    }

    pub(super) fn attributes(&self, row: usize) -> impl Iterator<Item = &str> {
        let own = row * self.width..(row + 1) * self.width;
        self.attributes[own].iter().map(|&piece| self.get(piece))
    }

    fn get(&self, piece: Piece) -> &str {
        let (start, end) = (piece.start as usize, piece.end as usize);
        match start.checked_sub(self.text.len() + 1) {
            None => &self.text[start..end],
            Some(start) => &self.unescaped[start..end - self.text.len() - 1],
        }
    }

    fn piece(&mut self, field: &Field) -> Piece {
        let (start, end) = if field.doubled {
            let start = self.text.len() + 1 + self.unescaped.len();
            self.unescaped.push_str(&field.text(&self.text));
            (start, self.text.len() + 1 + self.unescaped.len())
        } else {
            (field.start, field.end)
        };
        // A block is at most a few megabytes.
        Piece {
            start: start as u32,
            end: end as u32,
        }
    }
}

/// Gives rows their location codes.
enum Placing {
    Labels(Box<LocationIndex>),
    Points {
        places: Arc<Places>,
        invalid: InvalidPoints,
        /// Of the rows of this block.
        points: Vec<(f64, f64)>,
        counts: PointCounts,
    },
}

/// The second stage: knows columns, dates and locations.
pub(super) struct Parser {
    options: EventsOptions,
    file: Arc<FileFacts>,
    header: Header,
    columns: Option<Columns>,
    delimiter: u8,
    dates: DateParser,
    placing: Placing,
    summary: ImportSummary,
    fields: Vec<Field>,
    rows_before: usize,
}

impl Parser {
    pub(super) fn new(options: &EventsOptions, dates: DateParser) -> Self {
        let placing = match &options.position {
            Position::Location {
                universe, unknown, ..
            } => Placing::Labels(Box::new(LocationIndex::new(universe, *unknown))),
            Position::Point {
                places, invalid, ..
            } => Placing::Points {
                places: places.clone(),
                invalid: *invalid,
                points: Vec::new(),
                counts: PointCounts::default(),
            },
        };
        let nothing = FileFacts {
            name: String::new(),
            uid_column: String::new(),
            owner: None,
            trip: None,
        };
        Self {
            options: options.clone(),
            file: Arc::new(nothing),
            header: Header::new("", Vec::new()),
            columns: None,
            delimiter: b',',
            dates,
            placing,
            summary: ImportSummary {
                dated: true,
                ..ImportSummary::default()
            },
            fields: Vec::new(),
            rows_before: 0,
        }
    }

    /// Turns to the next file.
    pub(super) fn open(&mut self, file: OpenFile) -> Result<()> {
        let place = PlaceColumns::find(&file.header, &self.options.position)?;
        let known = file.owner.is_some();
        let columns = Columns::around(place, &file.header, &self.options, known)?;
        self.file = Arc::new(FileFacts {
            name: file.name,
            uid_column: columns
                .uid
                .map_or_else(String::new, |uid| file.header.column(uid)),
            owner: file.owner,
            trip: file.trip,
        });
        self.columns = Some(columns);
        self.header = file.header;
        self.delimiter = file.delimiter;
        self.summary.files += 1;
        self.summary.blank_lines += file.blank_lines;
        self.summary.delimiter = Some(char::from(file.delimiter));
        Ok(())
    }

    /// The locations met, and what was counted on the way.
    pub(super) fn finish(mut self) -> Result<(Located, ImportSummary)> {
        let located = match self.placing {
            Placing::Labels(index) => index.finish(&self.file.name)?,
            Placing::Points { places, counts, .. } => {
                counts.check_order(&self.file.name, Swapped::ByColumns)?;
                counts.write_to(&mut self.summary);
                Located::declared(places.universe().clone())
            }
        };
        Ok((located, self.summary))
    }

    /// A batch without rows that carries an error.
    pub(super) fn failed(&self, error: Error) -> Batch {
        let nothing = Block {
            text: String::new(),
            first_line: 0,
        };
        let mut batch = Batch::new(self.file.clone(), nothing, 0, 0);
        batch.failed = Some(error);
        batch
    }

    /// Parses a block from the cursor on, up to its end or the first error.
    pub(super) fn parse(&mut self, block: Block, mut cursor: Cursor) -> Batch {
        let Some(columns) = self.columns.take() else {
            return self.failed(Error::system("cannot read the table", "no file is open"));
        };
        let rows = self.rows_before + self.rows_before / 32;
        let mut batch = Batch::new(self.file.clone(), block, rows, columns.attributes.len());
        let mut fields = std::mem::take(&mut self.fields);
        loop {
            let next = cursor.next_record(
                &batch.text,
                self.delimiter,
                &self.file.name,
                &mut fields,
                &mut self.summary.blank_lines,
            );
            let outcome = match next {
                Ok(Some(line)) => self.row(&mut batch, &columns, &fields, line),
                Ok(None) => break,
                Err(error) => Err(error),
            };
            if let Err(error) = outcome {
                batch.failed = Some(error);
                break;
            }
        }
        if let Placing::Points {
            places,
            points,
            counts,
            ..
        } = &mut self.placing
        {
            counts.place_batch(places, points, &mut batch.codes);
        }
        self.fields = fields;
        self.columns = Some(columns);
        self.rows_before = batch.rows();
        batch
    }

    fn placed(&self, error: Error, line: u64, column: usize) -> Error {
        error
            .in_file(&self.file.name)
            .at_line(line)
            .at_column(self.header.column(column))
    }

    fn row(
        &mut self,
        batch: &mut Batch,
        columns: &Columns,
        fields: &[Field],
        line: u64,
    ) -> Result<()> {
        if fields.len() != self.header.len() {
            return Err(self.header.wrong_width(line, fields.len()));
        }
        match columns.place {
            PlaceColumns::Label(column) => {
                let code = self.label(&fields[column].text(&batch.text), line, column)?;
                batch.codes.push(code);
            }
            PlaceColumns::Point { lat, lng } => {
                let texts = [lat, lng].map(|column| (fields[column].text(&batch.text), column));
                self.point(texts, line)?;
            }
        }
        let time = self.time(&batch.text, &columns.datetime, fields, line)?;
        batch.times.push(time);
        if let Some(column) = columns.uid {
            let uid = batch.piece(&fields[column]);
            batch.keys.push(Key::of(batch.get(uid)));
            batch.uids.push(uid);
        }
        if let Some(column) = columns.trip {
            let trip = batch.piece(&fields[column]);
            check_label(batch.get(trip), "trip").map_err(|e| self.placed(e, line, column))?;
            batch.trips.push(trip);
        }
        batch.lines.push((line - batch.first_line) as u32);
        for &column in &columns.attributes {
            let piece = batch.piece(&fields[column]);
            batch.attributes.push(piece);
        }
        Ok(())
    }

    fn label(&mut self, label: &str, line: u64, column: usize) -> Result<u32> {
        let Placing::Labels(locations) = &mut self.placing else {
            return Ok(LEFT_OUT);
        };
        match locations.find(label) {
            Some(code) => Ok(code),
            None => check_label(label, "location")
                .and_then(|()| locations.add(label))
                .map_err(|error| self.placed(error, line, column)),
        }
    }

    /// Reads a row's coordinates; they are placed with the others of their block.
    fn point(&mut self, texts: [(Cow<'_, str>, usize); 2], line: u64) -> Result<()> {
        let [(lat, lat_column), (lng, lng_column)] = texts;
        let lat = degrees(&lat, 90.0, "latitude").map_err(|error| (error, lat_column));
        let lng = degrees(&lng, 180.0, "longitude").map_err(|error| (error, lng_column));
        let point = lat.and_then(|lat| Ok((lat, lng?)));
        let Placing::Points {
            invalid,
            points,
            counts,
            ..
        } = &mut self.placing
        else {
            return Ok(());
        };
        match point {
            Ok(point) => points.push(point),
            Err(_) if *invalid == InvalidPoints::Drop => {
                counts.invalid += 1;
                points.push((f64::NAN, f64::NAN));
            }
            Err((error, column)) => return Err(self.placed(error, line, column)),
        }
        Ok(())
    }

    fn time(&mut self, text: &str, columns: &[usize], fields: &[Field], line: u64) -> Result<i64> {
        let joined;
        let first = columns.first().copied().unwrap_or_default();
        let date = match columns {
            [only] => fields[*only].text(text),
            several => {
                let parts = several.iter().map(|&column| fields[column].text(text));
                let parts: Vec<Cow<'_, str>> = parts.collect();
                let trimmed: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
                if let Some(empty) = trimmed.iter().position(|part| part.is_empty()) {
                    return Err(self.placed(empty_date_part(), line, several[empty]));
                }
                joined = trimmed.join(" ");
                Cow::Borrowed(joined.as_str())
            }
        };
        self.dates.parse(&date).map_err(|error| {
            let error = check_label(&date, "date").err().unwrap_or(error);
            self.placed(error, line, first)
        })
    }
}
