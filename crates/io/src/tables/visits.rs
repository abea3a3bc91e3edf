//! Rows of visits.

use arrow_array::ArrayRef;
use wayveil_core::{Error, Progress, Result};

use super::coordinates::{Degrees, Points};
use super::layout::{Where, check_types, find_place, wanted};
use super::moments::Moments;
use super::open::{Batches, Piece, TableFile};
use super::place::{in_row, missing, unexpected_type};
use super::texts::Texts;
use crate::csv::Header;
use crate::dates::DateParser;
use crate::events::{Columns, EventsOptions, PlaceColumns, Position, Swapped};
use crate::intern::Key;
use crate::native::check_attribute_names;
use crate::points::PointBatch;
use crate::summary::ImportSummary;
use crate::universe::{LocationIndex, check_label};
use crate::visits::{Gatherer, Imported};

/// Rows decoded at once.
const ROWS: usize = 1 << 16;

/// Takes every row of a file.
pub(super) fn import(
    file: TableFile,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    check_attribute_names(options.attributes.iter().map(String::as_str))?;
    let header = file.header();
    let place = find_place(&file, &header, &options.position)?;
    let columns = Columns::around(place, &header, options, false)?;
    check_types(&file, &header, &columns)?;
    let (name, rows) = (file.name.clone(), file.rows);
    let mut batches = file.read(&wanted(&columns), ROWS)?;
    let mut importer = Importer {
        file: &name,
        header: &header,
        columns: &columns,
        dates: DateParser::new(&options.dates)?,
        placing: Placing::new(options),
        values: vec![String::new(); options.attributes.len()],
    };
    progress.begin("reading rows", rows);
    while let Some(piece) = batches.next_piece()? {
        importer.take(&batches, &piece)?;
        progress.advance(piece.batch.num_rows() as u64);
    }
    progress.end();
    let swapped = match columns.place {
        Where::Columns(_) => Swapped::ByColumns,
        Where::Geometry { .. } => Swapped::Fixed,
    };
    importer.placing.finish(&name, swapped, options)
}

/// Gives rows their locations, and hands them on.
enum Placing {
    Labels(Box<LocationIndex>, Box<Gatherer>),
    Points(Box<PointBatch>),
}

impl Placing {
    fn new(options: &EventsOptions) -> Self {
        let attributes = options.attributes.iter().cloned();
        let gatherer = Gatherer::new(&options.arrangement.scratch, attributes).of_rows();
        match &options.position {
            Position::Location {
                universe, unknown, ..
            } => Self::Labels(
                Box::new(LocationIndex::new(universe, *unknown)),
                Box::new(gatherer),
            ),
            Position::Point {
                places, invalid, ..
            } => Self::Points(Box::new(PointBatch::new(gatherer, places, *invalid))),
        }
    }

    fn gatherer(&mut self) -> &mut Gatherer {
        match self {
            Self::Labels(_, gatherer) => gatherer,
            Self::Points(batch) => batch.gatherer(),
        }
    }

    fn finish(self, file: &str, swapped: Swapped, options: &EventsOptions) -> Result<Imported> {
        let summary = ImportSummary {
            files: 1,
            dated: true,
            ..ImportSummary::default()
        };
        match self {
            Self::Labels(index, gatherer) => {
                let located = index.finish(file)?;
                Ok(Imported::new(
                    *gatherer,
                    located,
                    summary,
                    &options.arrangement,
                ))
            }
            Self::Points(batch) => batch.finish(file, swapped, summary, &options.arrangement),
        }
    }
}

/// The places of a batch.
enum Spots<'a> {
    Labels(Texts<'a>),
    LatLng(Degrees<'a>, Degrees<'a>),
    Geometry(Points<'a>),
}

/// A row's place: a code, or coordinates that are still to be placed.
enum Spot {
    Code(u32),
    Point(Faulty<(f64, f64)>),
}

struct Importer<'a> {
    file: &'a str,
    header: &'a Header,
    columns: &'a Columns<Where>,
    dates: DateParser,
    placing: Placing,
    /// The row's attributes.
    values: Vec<String>,
}

/// An error and the column of the file in which it lies.
type Faulty<T> = Result<T, (Error, usize)>;

impl Importer<'_> {
    fn take(&mut self, batches: &Batches, piece: &Piece) -> Result<()> {
        let column = |column: usize| piece.batch.column(batches.place_of(column));
        let broken = || unexpected_type().in_file(self.file);
        let texts = |at: usize| Texts::of(column(at)).ok_or_else(broken);
        let rows = Rows {
            spots: spots(&self.columns.place, &column).ok_or_else(broken)?,
            moments: {
                let dates: Vec<&ArrayRef> =
                    self.columns.datetime.iter().map(|&it| column(it)).collect();
                Moments::of(&dates).ok_or_else(broken)?
            },
            uids: self.columns.uid.map(texts).transpose()?,
            trips: self.columns.trip.map(texts).transpose()?,
            attributes: self
                .columns
                .attributes
                .iter()
                .map(|&it| texts(it))
                .collect::<Result<_>>()?,
        };
        let mut scratch = String::new();
        for row in 0..piece.batch.num_rows() {
            let number = piece.first_row + row as u64;
            self.row(&rows, row, number, &mut scratch)
                .map_err(|(error, column)| {
                    in_row(error, self.file, number, &self.header.column(column))
                })?;
        }
        Ok(())
    }

    fn row(
        &mut self,
        rows: &Rows<'_>,
        row: usize,
        number: u64,
        scratch: &mut String,
    ) -> Faulty<()> {
        let columns = self.columns;
        let spot = self.spot(rows, row, scratch)?;
        let time = rows.moments.get(row, &mut self.dates, scratch);
        let time = time.map_err(|(error, part)| {
            (
                error,
                columns.datetime.get(part).copied().unwrap_or_default(),
            )
        })?;
        let owner = match (&rows.uids, columns.uid) {
            (Some(uids), Some(column)) => {
                let at = |error| (error, column);
                let uid = uids.get(row, scratch).ok_or_else(|| at(missing("uid")))?;
                self.placing
                    .gatherer()
                    .owner(uid, Key::of(uid))
                    .map_err(at)?
            }
            _ => return Err((unexpected_type(), 0)),
        };
        if !columns.attributes.is_empty() {
            for (value, texts) in self.values.iter_mut().zip(&rows.attributes) {
                value.clear();
                value.push_str(texts.get(row, scratch).unwrap_or_default());
            }
            let values = self.values.iter().map(String::as_str);
            let taken = self.placing.gatherer().attributes(owner, number, values);
            taken.map_err(|error| {
                let named = error.place().and_then(|place| place.column.as_deref());
                let named = named.and_then(|name| self.header.find(name).ok().flatten());
                (error, named.unwrap_or(columns.attributes[0]))
            })?;
        }
        let trip = match (&rows.trips, columns.trip) {
            (Some(trips), Some(column)) => {
                let name = trips.get(row, scratch);
                let name = name.ok_or_else(|| (missing("trip"), column))?;
                let trip = self.placing.gatherer().trip(name);
                trip.map_err(|error| (error, column))?
            }
            _ => 0,
        };
        match (&mut self.placing, spot) {
            (Placing::Labels(_, gatherer), Spot::Code(code)) => {
                let pushed = gatherer.push(owner, trip, time, code);
                pushed.map_err(|error| (error, 0))
            }
            (Placing::Points(batch), Spot::Point(point)) => {
                let (point, column) = match point {
                    Ok(point) => (Ok(point), 0),
                    Err((error, column)) => (Err(error), column),
                };
                let pushed = batch.push((owner, trip, time), point);
                pushed.map_err(|error| (error, column))
            }
            _ => Err((unexpected_type(), 0)),
        }
    }

    fn spot(&mut self, rows: &Rows<'_>, row: usize, scratch: &mut String) -> Faulty<Spot> {
        match (&rows.spots, self.columns.place) {
            (Spots::Labels(labels), Where::Columns(PlaceColumns::Label(column))) => {
                let at = |error| (error, column);
                let label = labels.get(row, scratch);
                let label = label.ok_or_else(|| at(missing("location")))?;
                let Placing::Labels(locations, _) = &mut self.placing else {
                    return Err(at(unexpected_type()));
                };
                let code = match locations.find(label) {
                    Some(code) => Ok(code),
                    None => check_label(label, "location").and_then(|()| locations.add(label)),
                };
                code.map(Spot::Code).map_err(at)
            }
            (
                Spots::LatLng(lats, lngs),
                Where::Columns(PlaceColumns::Point {
                    lat: lat_column,
                    lng: lng_column,
                }),
            ) => {
                let lat = lats.get(row, 90.0, "latitude");
                let lng = lngs.get(row, 180.0, "longitude");
                let point = lat.map_err(|error| (error, lat_column));
                Ok(Spot::Point(point.and_then(|lat| {
                    Ok((lat, lng.map_err(|error| (error, lng_column))?))
                })))
            }
            (Spots::Geometry(points), Where::Geometry { column, .. }) => {
                let point = points.get(row).map_err(|error| (error, column))?;
                Ok(Spot::Point(point.map_err(|error| (error, column))))
            }
            _ => Err((unexpected_type(), 0)),
        }
    }
}

/// A batch's columns by what they are.
struct Rows<'a> {
    spots: Spots<'a>,
    moments: Moments<'a>,
    uids: Option<Texts<'a>>,
    trips: Option<Texts<'a>>,
    attributes: Vec<Texts<'a>>,
}

fn spots<'a>(place: &Where, column: &impl Fn(usize) -> &'a ArrayRef) -> Option<Spots<'a>> {
    Some(match *place {
        Where::Columns(PlaceColumns::Label(at)) => Spots::Labels(Texts::of(column(at))?),
        Where::Columns(PlaceColumns::Point { lat, lng }) => {
            Spots::LatLng(Degrees::of(column(lat))?, Degrees::of(column(lng))?)
        }
        Where::Geometry {
            column: at,
            encoding,
        } => Spots::Geometry(Points::of(column(at), encoding)?),
    })
}
