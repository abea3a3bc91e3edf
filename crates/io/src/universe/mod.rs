//! Reads the public list of locations.

mod aliases;
mod index;
mod write;

use std::borrow::Cow;
use std::path::Path;

use rustc_hash::FxHashMap;
use wayveil_core::{
    Coordinate, Error, Group, Location, Origin, Result, Universe, UniverseDocument,
};

use crate::csv::Table;
use crate::feed::{Feed, FeedUniverse, read_feed_universe};
use crate::input::Input;
use crate::lines::{Lines, excerpt};
pub use aliases::{read_aliases, write_aliases};
pub(crate) use index::{LEFT_OUT, Located, LocationIndex};
pub use write::write_universe_table;

/// Where a reader takes the set of locations from.
#[derive(Clone, Debug)]
pub enum UniverseChoice {
    /// A public set, stated independently of the data.
    Declared(Universe),
    /// A public set whose locations have other public names too, such as the platforms of a
    /// station.
    Aliased {
        /// The set.
        universe: Universe,
        /// Other names, each with the label that it stands for.
        aliases: Vec<(String, String)>,
    },
    /// Whatever occurs in the data, sorted by label. Reveals what occurs; `publish` asks again.
    FromData,
}

impl UniverseChoice {
    /// The public set, where there is one.
    pub fn declared(&self) -> Option<&Universe> {
        match self {
            Self::Declared(universe) | Self::Aliased { universe, .. } => Some(universe),
            Self::FromData => None,
        }
    }

    /// The set with other names from a table, instead of those that it has.
    pub fn with_aliases(self, path: &Path) -> Result<Self> {
        let universe = self.into_declared().ok_or_else(|| {
            Error::input("locations that are taken from the data have no other names")
                .hint("state the locations with --universe FILE")
        })?;
        let aliases = read_aliases(path, &universe)?;
        Ok(Self::Aliased { universe, aliases })
    }

    /// The public set without other names, where there is one.
    pub fn into_declared(self) -> Option<Universe> {
        match self {
            Self::Declared(universe) | Self::Aliased { universe, .. } => Some(universe),
            Self::FromData => None,
        }
    }
}

/// What to do with a location that is not in the declared universe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// Stop and say where it is.
    #[default]
    Error,
    /// Leave the visit out and count it.
    Drop,
}

/// The longest label line of a list.
const LINE_LIMIT: usize = 1 << 20;

/// Reads a universe from a GTFS feed if the path is a folder or a zip archive, from a table if its
/// name ends in `.csv` or `.tsv` (also compressed), and else from a list.
///
/// Of a feed all stops are taken, labelled by `stop_id`; [`read_feed_universe`] has other choices.
/// A list has one label per line; empty lines are skipped, everything else is a label, also what
/// begins with `#`. A table has a header with `label` and optionally `name`, `lat` and `lng`, and
/// `parent`, the group of the taxonomy in which the location lies.
pub fn read_universe(path: &Path) -> Result<Universe> {
    if Feed::is_here(path)? {
        let locations = read_feed_universe(&Feed::open(path)?, &FeedUniverse::default())?;
        return Ok(locations.universe);
    }
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let plain = name.trim_end_matches(".gz").trim_end_matches(".zst");
    let input = Input::open(path)?;
    if plain.ends_with(".csv") || plain.ends_with(".tsv") {
        read_universe_table(input)
    } else {
        read_universe_list(input)
    }
}

/// Reads a list of labels.
pub fn read_universe_list(input: Input) -> Result<Universe> {
    let mut lines = Lines::new(input, LINE_LIMIT);
    let file = lines.name().to_owned();
    let mut first_lines = FxHashMap::default();
    let mut labels: Vec<String> = Vec::new();
    while let Some(line) = lines.next_line()? {
        if labels.is_empty() {
            refuse_table(line.text).map_err(|error| error.in_file(&file).at_line(line.number))?;
        }
        if line.text.is_empty() {
            continue;
        }
        let placed = |error: Error| error.in_file(&file).at_line(line.number);
        check_label(line.text, "location").map_err(placed)?;
        if let Some(first) = first_lines.insert(line.text.to_owned(), line.number) {
            return Err(placed(twice(line.text, first)));
        }
        labels.push(line.text.to_owned());
    }
    if labels.is_empty() {
        return Err(empty(&file));
    }
    Universe::from_labels(labels, Origin::Declared("list of labels".into()))
        .map_err(|error| error.in_file(file))
}

/// Refuses a first line that is the header of a table: its rows would become labels.
fn refuse_table(line: &str) -> Result<()> {
    let mut columns = line.split([',', ';', '\t']);
    let (first, several) = (
        columns.next().unwrap_or_default(),
        line.contains([',', ';', '\t']),
    );
    let mut names = std::iter::once(first)
        .chain(columns)
        .map(|name| name.trim_matches([' ', '"']));
    if !several {
        return Ok(());
    }
    let error = Error::input("this is a table, not a list with one label per line");
    match names.find(|&name| name == "stop_id" || name == "label") {
        Some("stop_id") => Err(error.hint("give the folder or zip of the GTFS feed instead")),
        Some(_) => Err(error.hint("let the file's name end in .csv or .tsv")),
        None => Ok(()),
    }
}

/// Reads a table of locations.
pub fn read_universe_table(input: Input) -> Result<Universe> {
    let table = Table::open(input, None)?;
    let file = table.blocks.name().to_owned();
    let header = table.header.clone();
    let label = header.need(
        "label",
        "rename the column of labels to \"label\", or give a list (.txt), one per line",
    )?;
    let [name, lat, lng, parent] = [
        header.find("name")?,
        header.find("lat")?,
        header.find("lng")?,
        header.find("parent")?,
    ];
    let mut first_lines = FxHashMap::default();
    let mut groups = Groups::default();
    let mut locations = Vec::new();
    table.for_each(|line, fields| {
        let at = |column: usize| {
            let (file, column) = (&file, header.column(column));
            move |error: Error| error.in_file(file).at_line(line).at_column(column)
        };
        let text = &*fields[label];
        check_label(text, "location").map_err(at(label))?;
        if let Some(first) = first_lines.insert(text.to_owned(), line) {
            return Err(at(label)(twice(text, first)));
        }
        let group = match parent.filter(|&parent| !fields[parent].is_empty()) {
            Some(parent) => {
                check_label(&fields[parent], "group").map_err(at(parent))?;
                Some(groups.code(&fields[parent]))
            }
            None => None,
        };
        locations.push(Location {
            label: text.to_owned(),
            name: name
                .and_then(|column| not_empty(&fields[column]))
                .map(str::to_owned),
            at: coordinate(fields, lat, lng, at)?,
            group,
        });
        Ok(())
    })?;
    if locations.is_empty() {
        return Err(empty(&file));
    }
    let origin = Origin::Declared("table of locations".into());
    Universe::try_from(UniverseDocument {
        origin,
        locations,
        groups: groups.list,
    })
    .map_err(|error| error.in_file(file))
}

#[derive(Default)]
struct Groups {
    list: Vec<Group>,
    codes: FxHashMap<String, u32>,
}

impl Groups {
    fn code(&mut self, label: &str) -> u32 {
        if let Some(&code) = self.codes.get(label) {
            return code;
        }
        let code = self.list.len() as u32;
        self.list.push(Group {
            label: label.to_owned(),
            parent: None,
        });
        self.codes.insert(label.to_owned(), code);
        code
    }
}

fn not_empty(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn coordinate<F: FnOnce(Error) -> Error>(
    fields: &[Cow<'_, str>],
    lat: Option<usize>,
    lng: Option<usize>,
    at: impl Fn(usize) -> F,
) -> Result<Option<Coordinate>> {
    let degrees = |column: Option<usize>, most: f64| -> Result<Option<f64>> {
        let Some(column) = column else {
            return Ok(None);
        };
        let Some(text) = not_empty(&fields[column]) else {
            return Ok(None);
        };
        match text.parse::<f64>() {
            Ok(value) if value.abs() <= most => Ok(Some(value)),
            _ => Err(at(column)(
                Error::input(format!(
                    "invalid coordinate (got {text:?}): degrees between -{most} and {most}"
                ))
                .hint("write degrees with a decimal point, or leave lat and lng both empty"),
            )),
        }
    };
    match (degrees(lat, 90.0)?, degrees(lng, 180.0)?, lat.or(lng)) {
        (Some(lat), Some(lng), _) => Ok(Some(Coordinate { lat, lng })),
        (None, None, _) | (_, _, None) => Ok(None),
        (_, _, Some(column)) => Err(at(column)(
            Error::input("only one of lat and lng is given").hint("give both, or leave both empty"),
        )),
    }
}

/// Refuses labels that no one could see or type.
pub(crate) fn check_label(label: &str, what: &str) -> Result<()> {
    if label.trim().is_empty() {
        return Err(Error::input(format!("the {what} is empty"))
            .hint("every row needs one; remove the row or fill it in"));
    }
    if let Some(control) = label.chars().find(|character| character.is_control()) {
        return Err(Error::input(format!(
            "the {what} {:?} contains the control character U+{:04X}",
            excerpt(label),
            u32::from(control)
        ))
        .hint("remove it; labels are plain text on one line"));
    }
    Ok(())
}

fn twice(label: &str, first: u64) -> Error {
    Error::input(format!(
        "the location {label:?} stands here a second time; first in line {first}"
    ))
    .hint("remove one of the two; a location has one place in the universe")
}

fn empty(file: &str) -> Error {
    Error::input("there is no location in the list")
        .in_file(file)
        .hint("write one label per line")
}

#[cfg(test)]
mod tests;
