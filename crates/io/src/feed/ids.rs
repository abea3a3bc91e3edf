//! The ids by which the tables of a feed refer to each other.

use wayveil_core::Error;

use super::sheet::InColumn;
use crate::intern::{Interner, Key};
use crate::universe::check_label;

/// The ids of one table, numbered as they come. Ids are taken without the spaces that some feeds
/// have after commas.
#[derive(Default)]
pub(crate) struct Ids {
    ids: Interner,
    lines: Vec<u64>,
}

impl Ids {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The id of a number.
    pub(crate) fn get(&self, index: u32) -> &str {
        self.ids.get(index)
    }

    /// The line on which an id stands.
    pub(crate) fn line(&self, index: u32) -> u64 {
        self.lines[index as usize]
    }

    /// The number of an id, if the table has it.
    pub(crate) fn find(&self, id: &str) -> Option<u32> {
        let id = id.trim();
        self.ids.find(id, Key::of(id))
    }

    /// Adds an id, which must be new.
    pub(crate) fn add(&mut self, id: &str, line: u64, column: &'static str) -> InColumn<u32> {
        let placed = |error| (column, error);
        let id = id.trim();
        check_label(id, "id").map_err(placed)?;
        if let Some(first) = self.find(id) {
            let problem = format!(
                "the {column} {id:?} stands here a second time; first in line {}",
                self.line(first)
            );
            let hint = "ids are unique in GTFS; fetch the feed again";
            return Err(placed(Error::input(problem).hint(hint)));
        }
        let index = self.ids.insert_new(id, Key::of(id));
        self.lines.push(line);
        index.ok_or_else(|| placed(Error::input("there are too many ids")))
    }
}

/// The error for an id that another file of the feed should have.
pub(crate) fn unknown(column: &'static str, id: &str, file: &str) -> (&'static str, Error) {
    let problem = format!("the {column} {:?} is not in {file}", id.trim());
    let hint = "the feed contradicts itself; fetch all of its files again";
    (column, Error::input(problem).hint(hint))
}
