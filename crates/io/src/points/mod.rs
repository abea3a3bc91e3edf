//! The field's own forms of GPS data.
//!
//! | form | what it is |
//! | --- | --- |
//! | T-Drive | a folder of files, one per taxi: `id,time,longitude,latitude` without a header |
//! | Geolife | folders `NNN/Trajectory/*.plt`: a person each, a trip each file |
//! | Porto | one trip per row, with a polyline: a fix every fifteen seconds |
//! | AdaTrace | `#id:` and then `>0:longitude,latitude;…`, without times |

mod adatrace;
mod batch;
mod files;
mod geolife;
mod polyline;
mod porto;
mod tdrive;

use std::sync::Arc;

use crate::dates::DateOptions;
use crate::events::{EventsOptions, InvalidPoints, Position};
use crate::place::Places;
use crate::visits::Arrangement;

pub(crate) use batch::PointBatch;

pub use adatrace::{import_adatrace, import_adatrace_from};
pub use geolife::{import_geolife, import_plt_from};
pub use porto::{import_porto, import_porto_from};
pub use tdrive::{import_tdrive, import_tdrive_from};

/// How GPS data of a known form is to be read.
#[derive(Clone, Debug)]
pub struct PointOptions {
    /// The public set of locations, and which point belongs to which.
    pub places: Arc<Places>,
    /// What to do with coordinates that are none.
    pub invalid: InvalidPoints,
    /// How dates are written, where the form leaves that open: their zone.
    pub dates: DateOptions,
    /// How visits become records.
    pub arrangement: Arrangement,
}

impl PointOptions {
    /// Every row needs coordinates; dates are UTC.
    pub fn new(places: Arc<Places>, arrangement: Arrangement) -> Self {
        Self {
            places,
            invalid: InvalidPoints::Error,
            dates: DateOptions::default(),
            arrangement,
        }
    }

    /// The same for a table with these columns.
    fn table(&self, datetime: &[&str]) -> EventsOptions {
        let position = Position::Point {
            lat: "lat".into(),
            lng: "lng".into(),
            places: self.places.clone(),
            invalid: self.invalid,
        };
        EventsOptions {
            datetime: datetime.iter().map(|&name| name.to_owned()).collect(),
            delimiter: Some(b','),
            dates: self.dates.clone(),
            ..EventsOptions::new(position, self.arrangement.clone())
        }
    }
}

#[cfg(test)]
mod tests;
