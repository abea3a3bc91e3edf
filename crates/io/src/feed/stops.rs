//! The list of stops, with all that GTFS says of them checked.

use std::borrow::Cow;

use wayveil_core::{Coordinate, Error, Result};

use super::sheet::{InColumn, text};
use super::{Feed, Ids, STOPS};
use crate::universe::check_label;

const FOLLOW: &str = "the file does not follow GTFS; fetch the feed again";

/// What a row of `stops.txt` is, by its `location_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A stop or platform, where people board.
    Stop,
    /// A station, which holds stops and entrances.
    Station,
    /// An entrance or exit of a station.
    Entrance,
    /// A point of a way within a station.
    Node,
    /// A part of a platform.
    BoardingArea,
}

impl Kind {
    fn parse(text: &str) -> InColumn<Self> {
        Ok(match text {
            "" | "0" => Self::Stop,
            "1" => Self::Station,
            "2" => Self::Entrance,
            "3" => Self::Node,
            "4" => Self::BoardingArea,
            other => {
                let problem = format!("invalid location_type (got {other:?}): 0 to 4");
                return Err(("location_type", Error::input(problem).hint(FOLLOW)));
            }
        })
    }

    /// What its `parent_station` must be, if it has one.
    fn kind_of_parent(self) -> Option<Self> {
        match self {
            Self::Stop | Self::Entrance | Self::Node => Some(Self::Station),
            Self::BoardingArea => Some(Self::Stop),
            Self::Station => None,
        }
    }

    fn needs_coordinates(self) -> bool {
        matches!(self, Self::Stop | Self::Station | Self::Entrance)
    }
}

/// A row of the list.
pub(super) struct Stop {
    /// Empty where it has none.
    pub(super) code: String,
    /// Empty where it has none.
    pub(super) name: String,
    pub(super) at: Option<Coordinate>,
    pub(super) kind: Kind,
    pub(super) parent: Option<u32>,
}

/// All rows of the list, numbered as they come.
pub(super) struct StopList {
    pub(super) ids: Ids,
    pub(super) stops: Vec<Stop>,
    /// What error messages call the file.
    pub(super) file: String,
}

impl StopList {
    pub(super) fn read(feed: &Feed) -> Result<Self> {
        let hint = "give the folder or archive of a GTFS feed; it lists its stops in stops.txt";
        let sheet = feed.need_sheet(STOPS, hint)?;
        let id = sheet.column("stop_id")?;
        let (lat, lng) = (sheet.column("stop_lat")?, sheet.column("stop_lon")?);
        let code = sheet.optional_column("stop_code")?;
        let name = sheet.optional_column("stop_name")?;
        let kind = sheet.optional_column("location_type")?;
        let parent = sheet.optional_column("parent_station")?;
        let file = sheet.file().to_owned();
        let (mut ids, mut stops, mut parents) = (Ids::default(), Vec::new(), Vec::new());
        sheet.for_each(|line, fields| {
            ids.add(&fields[id], line, "stop_id")?;
            let [code, name] =
                [(code, "stop_code"), (name, "stop_name")].map(|(column, called)| {
                    let text = text(fields, column);
                    if !text.is_empty() {
                        check_label(text, "text").map_err(|error| (called, error))?;
                    }
                    Ok(text.to_owned())
                });
            let kind = Kind::parse(text(fields, kind))?;
            let (code, name) = (code?, name?);
            stops.push(Stop {
                code,
                name,
                at: coordinate(fields, lat, lng, kind)?,
                kind,
                parent: None,
            });
            parents.push(text(fields, parent).to_owned());
            Ok(())
        })?;
        let mut list = Self { ids, stops, file };
        for (row, parent) in (0..).zip(&parents).filter(|(_, it)| !it.is_empty()) {
            let found = list.parent(row, parent).map_err(|error| {
                let line = list.ids.line(row);
                error
                    .in_file(&list.file)
                    .at_line(line)
                    .at_column("parent_station")
            })?;
            list.stops[row as usize].parent = Some(found);
        }
        Ok(list)
    }

    /// The row that a row names as its parent. Since a parent is of another kind than its children,
    /// no row can be its own ancestor.
    fn parent(&self, row: u32, parent: &str) -> Result<u32> {
        let id = self.ids.get(row);
        let found = self.ids.find(parent).ok_or_else(|| {
            Error::input(format!(
                "the parent_station {parent:?} of {id:?} is not in the file"
            ))
            .hint("the feed contradicts itself; fetch the feed again")
        })?;
        let wanted = self.stops[row as usize].kind.kind_of_parent();
        if wanted != Some(self.stops[found as usize].kind) {
            let wanted = match wanted {
                None => "a station has none",
                Some(Kind::Station) => "it must be a station, of location_type 1",
                Some(_) => "that of a boarding area must be a platform, of location_type 0",
            };
            return Err(Error::input(format!(
                "invalid parent_station of {id:?} (got {parent:?}): {wanted}"
            ))
            .hint(FOLLOW));
        }
        Ok(found)
    }

    /// Adds file, line and column to an error about a row.
    pub(super) fn placed(&self, row: u32, column: &str, error: Error) -> Error {
        error
            .in_file(&self.file)
            .at_line(self.ids.line(row))
            .at_column(column)
    }
}

fn coordinate(
    fields: &[Cow<'_, str>],
    lat: usize,
    lng: usize,
    kind: Kind,
) -> InColumn<Option<Coordinate>> {
    if !kind.needs_coordinates() && fields[lat].trim().is_empty() && fields[lng].trim().is_empty() {
        return Ok(None);
    }
    let lat = degrees(&fields[lat], "stop_lat", 90.0)?;
    let lng = degrees(&fields[lng], "stop_lon", 180.0)?;
    if lat == 0.0 && lng == 0.0 {
        let problem = "the coordinates 0, 0 stand for a place that nobody filled in";
        let hint = "correct the row, or take it out of the feed";
        return Err(("stop_lat", Error::input(problem).hint(hint)));
    }
    Ok(Some(Coordinate { lat, lng }))
}

fn degrees(text: &str, column: &'static str, most: f64) -> InColumn<f64> {
    let text = text.trim();
    let value = text.parse().ok().filter(|value: &f64| value.abs() <= most);
    value.ok_or_else(|| {
        let problem =
            format!("invalid coordinate (got {text:?}): degrees between -{most} and {most}");
        let hint = "check whether latitude and longitude are swapped; stops, stations and \
                    entrances need both";
        (column, Error::input(problem).hint(hint))
    })
}
