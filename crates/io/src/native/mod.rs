//! Wayveil's own file of a data set: Parquet with a description in its metadata.
//!
//! | column | type | |
//! | --- | --- | --- |
//! | `uid` | string | the owner; absent where every record has an owner of its own |
//! | `locations` | list of strings | the labels visited, in order |
//! | `bins` | list of uint32 | the time bin of each visit, in timed data |
//! | *attribute* | string | one column per attribute |
//!
//! The universe, the time axis, the attributes' names and the population stand as JSON under the
//! metadata key `wayveil`. The same data gives the same bytes. The file holds raw data: it is for
//! the publisher, and its name says nothing about privacy.

mod read;
mod write;

use serde::{Deserialize, Serialize};
use wayveil_core::{Error, Result, TimeAxis, Universe};

pub use read::read_dataset;
pub use write::write_dataset;
pub(crate) use write::{Frame, Writer};

pub(crate) const FORMAT: &str = "wayveil-data";
const VERSION: u32 = 1;
const UID: &str = "uid";
const LOCATIONS: &str = "locations";
const BINS: &str = "bins";

/// What the file says about itself.
#[derive(Serialize, Deserialize)]
struct Description {
    format: String,
    version: u32,
    population: String,
    owners: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<TimeAxis>,
    attributes: Vec<String>,
    universe: Universe,
}

/// Refuses attribute names that would collide with each other or with the file's own columns.
pub(crate) fn check_attribute_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<()> {
    let mut seen = Vec::new();
    for name in names {
        if name.is_empty() || [UID, LOCATIONS, BINS].contains(&name) || seen.contains(&name) {
            return Err(Error::input(format!(
                "invalid attribute name (got {name:?}): it is empty, given twice, or one of \
                 {UID}, {LOCATIONS}, {BINS}"
            ))
            .hint("rename the column in the input"));
        }
        seen.push(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
