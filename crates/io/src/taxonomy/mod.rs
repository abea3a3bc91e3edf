//! Reads taxonomies: which group every location lies in.
//!
//! A taxonomy is a public input. It comes from a table that the publisher writes, or from a
//! published timetable; never from the data.

mod gtfs;

use std::path::Path;

use wayveil_core::taxonomy::own_ancestor;
use wayveil_core::{Error, Group, Result, Taxonomy, Universe};

use crate::csv::Table;
use crate::input::Input;
use crate::intern::Interner;
use crate::universe::check_label;
pub use gtfs::read_gtfs_lines;

/// How many labels an error names before it only counts them.
const NAMED: usize = 5;

/// Reads a taxonomy from a table with the columns `label` and `parent`; see
/// [`read_taxonomy_from`].
pub fn read_taxonomy(path: &Path, universe: &Universe) -> Result<Taxonomy> {
    read_taxonomy_from(Input::open(path)?, universe)
}

/// Reads a taxonomy from a table with the columns `label` and `parent`; others are ignored.
///
/// A row says in which group a location or a group lies. A label that is a location of the
/// universe is that location; any other label is a group. A group without a row of its own, or
/// with an empty parent, is a top group. The tree may have any number of levels, and locations may
/// lie at any of them. Every location needs a row, and every group must hold a location, so that
/// a misspelt location does not pass for a group. Groups are numbered as they first appear, in a
/// row the label before the parent.
pub fn read_taxonomy_from(input: Input, universe: &Universe) -> Result<Taxonomy> {
    let table = Table::open(input, None)?;
    let file = table.blocks.name().to_owned();
    let hint = "the header is label,parent: each row names a location or group, and its group";
    let label = table.header.need("label", hint)?;
    let parent = table.header.need("parent", hint)?;
    let mut draft = Draft::new(universe);
    table.for_each(|line, fields| {
        draft
            .add(line, &fields[label], &fields[parent])
            .map_err(|(column, error)| error.in_file(&file).at_line(line).at_column(column))
    })?;
    draft.finish(&file)
}

/// An error and the column in which it lies.
type InColumn<T> = Result<T, (&'static str, Error)>;

/// A taxonomy while its rows are read.
struct Draft<'a> {
    universe: &'a Universe,
    /// Where each location lies, and the line that says so.
    locations: Vec<Option<(u32, u64)>>,
    labels: Interner,
    parents: Vec<Option<u32>>,
    /// The line of each group's own row.
    rows: Vec<Option<u64>>,
}

impl<'a> Draft<'a> {
    fn new(universe: &'a Universe) -> Self {
        Self {
            universe,
            locations: vec![None; universe.len()],
            labels: Interner::default(),
            parents: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn add(&mut self, line: u64, label: &str, parent: &str) -> InColumn<()> {
        let in_label = |error| ("label", error);
        match self.universe.code(label) {
            Some(location) => {
                if let Some((_, first)) = self.locations[location as usize] {
                    return Err(in_label(twice("location", label, first)));
                }
                let group = self.parent(parent)?.ok_or_else(|| {
                    let problem = format!("the location {label:?} lies in no group");
                    let hint = "name its group; one that stands alone can have a group of its own";
                    ("parent", Error::input(problem).hint(hint))
                })?;
                self.locations[location as usize] = Some((group, line));
            }
            None => {
                let group = self.group(label).map_err(in_label)?;
                if let Some(first) = self.rows[group as usize] {
                    return Err(in_label(twice("group", label, first)));
                }
                self.rows[group as usize] = Some(line);
                self.parents[group as usize] = self.parent(parent)?;
            }
        }
        Ok(())
    }

    /// The group that a parent names; none for the top.
    fn parent(&mut self, label: &str) -> InColumn<Option<u32>> {
        if label.is_empty() {
            return Ok(None);
        }
        if self.universe.code(label).is_some() {
            let problem = format!("the location {label:?} cannot hold anything");
            let hint = "a parent is a group; give the group a label that no location has";
            return Err(("parent", Error::input(problem).hint(hint)));
        }
        self.group(label)
            .map(Some)
            .map_err(|error| ("parent", error))
    }

    /// The number of a group, new or known.
    fn group(&mut self, label: &str) -> Result<u32> {
        check_label(label, "label")?;
        if label.trim() != label {
            // Otherwise " green" and "green" would be two groups that look like one.
            return Err(
                Error::input(format!("the group {label:?} begins or ends with a space"))
                    .hint("remove the space"),
            );
        }
        let group = self
            .labels
            .intern(label)
            .ok_or_else(|| too_many("groups"))?;
        if group as usize == self.parents.len() {
            self.parents.push(None);
            self.rows.push(None);
        }
        Ok(group)
    }

    fn finish(self, file: &str) -> Result<Taxonomy> {
        let groups: Vec<Group> = self
            .parents
            .iter()
            .enumerate()
            .map(|(group, &parent)| Group {
                label: self.labels.get(group as u32).to_owned(),
                parent,
            })
            .collect();
        self.refuse_cycle(&groups, file)?;
        self.refuse_strangers(&groups, file)?;
        let missing = self.missing();
        if !missing.is_empty() {
            let problem = match missing.len() {
                1 => "a location of the universe has no row".to_owned(),
                many => format!("{many} locations of the universe have no row"),
            };
            return Err(Error::input(format!("{problem}: {}", first_few(&missing)))
                .in_file(file)
                .hint("write a row for each; every location lies in exactly one group"));
        }
        let of_location = self.locations.iter().flatten().map(|&(group, _)| group);
        Taxonomy::new(groups, of_location.collect()).map_err(|error| error.in_file(file))
    }

    /// Refuses a cycle at the last of its lines, the one that closes it.
    fn refuse_cycle(&self, groups: &[Group], file: &str) -> Result<()> {
        let Some(first) = own_ancestor(groups) else {
            return Ok(());
        };
        let row = |group: u32| self.rows[group as usize].unwrap_or_default();
        let next = |group: &u32| groups[*group as usize].parent.filter(|&next| next != first);
        let last = std::iter::successors(Some(first), next)
            .max_by_key(|&group| row(group))
            .unwrap_or(first);
        Err(Error::input(format!(
            "the group {:?} is its own ancestor",
            groups[last as usize].label
        ))
        .in_file(file)
        .at_line(row(last))
        .at_column("parent")
        .hint("follow the parents up from here; one of them must be a top group"))
    }

    /// Refuses a group without any location in or below it: most likely a misspelt location.
    fn refuse_strangers(&self, groups: &[Group], file: &str) -> Result<()> {
        let mut holds = vec![false; groups.len()];
        for &(group, _) in self.locations.iter().flatten() {
            let mut at = Some(group);
            while let Some(group) = at.filter(|&group| !holds[group as usize]) {
                holds[group as usize] = true;
                at = groups[group as usize].parent;
            }
        }
        // The lowest one is at fault; those above it are empty because it is.
        let mut is_parent = vec![false; groups.len()];
        for parent in groups.iter().filter_map(|group| group.parent) {
            is_parent[parent as usize] = true;
        }
        let Some(stranger) = (0..groups.len()).find(|&it| !holds[it] && !is_parent[it]) else {
            return Ok(());
        };
        let missing = self.missing();
        let hint = if missing.is_empty() {
            "remove the row, or add the location to the universe".to_owned()
        } else {
            format!("check its spelling; no row has {}", first_few(&missing))
        };
        let error = Error::input(format!(
            "{:?} is neither a location of the universe nor a group that holds one",
            groups[stranger].label
        ))
        .in_file(file)
        .at_column("label")
        .hint(hint);
        Err(match self.rows[stranger] {
            Some(line) => error.at_line(line),
            None => error,
        })
    }

    /// The locations without a row.
    fn missing(&self) -> Vec<&str> {
        let locations = self.universe.locations().iter().zip(&self.locations);
        locations
            .filter(|(_, place)| place.is_none())
            .map(|(location, _)| location.label.as_str())
            .collect()
    }
}

/// Some labels for a message, and how many more there are.
fn first_few(labels: &[&str]) -> String {
    let named: Vec<_> = labels
        .iter()
        .take(NAMED)
        .map(|label| format!("{label:?}"))
        .collect();
    match labels.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

fn twice(what: &str, label: &str, first: u64) -> Error {
    Error::input(format!(
        "the {what} {label:?} stands here a second time; first in line {first}"
    ))
    .hint("remove one of the two; everything lies in one place of a tree")
}

fn too_many(what: &str) -> Error {
    Error::input(format!("there are more than {} {what}", u32::MAX))
}

#[cfg(test)]
mod tests;
