//! Which column of a file is what, and whether its type fits.

use wayveil_core::{Error, Result};

use super::coordinates::is_degrees;
use super::geo::{Encoding, geometry};
use super::moments::{is_moment, is_part};
use super::open::TableFile;
use super::place::Table;
use super::texts::{is_attribute, is_text_or_integer};
use crate::csv::Header;
use crate::events::{Columns, PlaceColumns, Position};

const WORDS: &str = "text or whole numbers";

/// The columns that say where.
#[derive(Clone, Copy, Debug)]
pub(super) enum Where {
    Columns(PlaceColumns),
    Geometry { column: usize, encoding: Encoding },
}

/// The columns by name; where there are no columns of degrees, the file's own geometry.
pub(super) fn find_place(file: &TableFile, header: &Header, position: &Position) -> Result<Where> {
    if let Position::Point { lat, lng, .. } = position
        && header.find(lat)?.is_none()
        && header.find(lng)?.is_none()
        && let Some(geometry) = geometry(&file.schema, &file.name)?
    {
        let column = header.find(&geometry.column)?.ok_or_else(|| {
            Error::input(format!(
                "the file names {:?} as its geometry and has no such column",
                geometry.column
            ))
            .in_file(&file.name)
            .hint("write the file again, or name columns of degrees with --lat-column and --lng-column")
        })?;
        return Ok(Where::Geometry {
            column,
            encoding: geometry.encoding,
        });
    }
    PlaceColumns::find(header, position).map(Where::Columns)
}

/// Refuses columns whose types cannot be what they are read as.
pub(super) fn check_types(
    file: &TableFile,
    header: &Header,
    columns: &Columns<Where>,
) -> Result<()> {
    let table = Table {
        file: &file.name,
        header,
        types: file
            .schema
            .fields()
            .iter()
            .map(|it| it.data_type())
            .collect(),
    };
    match columns.place {
        Where::Columns(PlaceColumns::Label(column)) => {
            table.expect(column, is_text_or_integer, "location", WORDS)?;
        }
        Where::Columns(PlaceColumns::Point { lat, lng }) => {
            table.expect(lat, is_degrees, "latitude", "a number or text")?;
            table.expect(lng, is_degrees, "longitude", "a number or text")?;
        }
        Where::Geometry { column, encoding } => {
            let wanted = match encoding {
                Encoding::Wkb => "binary (WKB)",
                Encoding::Native => "a struct of x and y, or a list of two",
            };
            table.expect(column, |it| encoding.fits(it), "point", wanted)?;
        }
    }
    let dates = "a timestamp, a date, text or Unix time";
    match columns.datetime.as_slice() {
        [only] => table.expect(*only, is_moment, "date", dates)?,
        several => {
            for &column in several {
                table.expect(column, is_part, "date or time", dates)?;
            }
        }
    }
    if let Some(uid) = columns.uid {
        table.expect(uid, is_text_or_integer, "uid", WORDS)?;
    }
    if let Some(trip) = columns.trip {
        table.expect(trip, is_text_or_integer, "trip", WORDS)?;
    }
    for &column in &columns.attributes {
        let wanted = "text, whole numbers or truth values";
        table.expect(column, is_attribute, "attribute", wanted)?;
    }
    Ok(())
}

/// All columns that are read.
pub(super) fn wanted(columns: &Columns<Where>) -> Vec<usize> {
    let mut wanted = match columns.place {
        Where::Columns(PlaceColumns::Label(column)) => vec![column],
        Where::Columns(PlaceColumns::Point { lat, lng }) => vec![lat, lng],
        Where::Geometry { column, .. } => vec![column],
    };
    wanted.extend(columns.uid.iter().chain(&columns.trip));
    wanted.extend(columns.datetime.iter().chain(&columns.attributes));
    wanted
}
