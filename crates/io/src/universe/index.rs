//! Codes of locations while a reader meets their labels.

use wayveil_core::{Error, Labels, Origin, Result, Universe};

use super::{UniverseChoice, Unknown};
use crate::intern::{Interner, Key};
use crate::lines::excerpt;
use crate::summary::UnknownLocations;

/// Stands for a location outside the universe whose visit is left out.
pub(crate) const LEFT_OUT: u32 = u32::MAX;

/// Labels with codes: all of a declared universe, or those met so far.
pub(crate) struct LocationIndex {
    labels: Interner,
    /// Codes of the strings behind the labels, which are other names of locations.
    code_of_alias: Vec<u32>,
    declared: Option<Universe>,
    unknown: Unknown,
    left_out: UnknownLocations,
}

/// What a reader needs once it has met all labels.
pub(crate) struct Located {
    pub(crate) universe: Universe,
    /// Final codes by the codes given so far, where they differ.
    pub(crate) code_of: Option<Vec<u32>>,
    pub(crate) left_out: UnknownLocations,
}

impl Located {
    /// A universe that was declared, of which everything is known.
    pub(crate) fn declared(universe: Universe) -> Self {
        Self {
            universe,
            code_of: None,
            left_out: UnknownLocations::default(),
        }
    }
}

impl LocationIndex {
    pub(crate) fn new(choice: &UniverseChoice, unknown: Unknown) -> Self {
        let mut labels = Interner::default();
        let mut code_of_alias = Vec::new();
        let declared = choice.declared();
        for location in declared.map_or(&[][..], Universe::locations) {
            labels.intern(&location.label);
        }
        if let UniverseChoice::Aliased { universe, aliases } = choice {
            for (alias, label) in aliases {
                let known = labels.find(alias, Key::of(alias)).is_some();
                if let (false, Some(code)) = (known, universe.code(label)) {
                    labels.intern(alias);
                    code_of_alias.push(code);
                }
            }
        }
        let declared = declared.cloned();
        Self {
            labels,
            code_of_alias,
            declared,
            unknown,
            left_out: UnknownLocations::default(),
        }
    }

    /// The code of a label that was declared or met before.
    pub(crate) fn find(&self, label: &str) -> Option<u32> {
        let index = self.labels.find(label, Key::of(label))?;
        let labels = self.labels.len() - self.code_of_alias.len();
        match (index as usize).checked_sub(labels) {
            None => Some(index),
            Some(alias) => self.code_of_alias.get(alias).copied(),
        }
    }

    /// A label that [`find`](Self::find) does not know: added, left out, or an error without a
    /// place.
    pub(crate) fn add(&mut self, label: &str) -> Result<u32> {
        let too_many = || {
            Error::input("there are too many different locations")
                .hint("check that the right column is read as the location")
        };
        match (&self.declared, self.unknown) {
            (None, _) if self.labels.len() >= Universe::MAX_LOCATIONS => Err(too_many()),
            (None, _) => self
                .labels
                .insert_new(label, Key::of(label))
                .ok_or_else(too_many),
            (Some(_), Unknown::Drop) => {
                self.left_out.add(&excerpt(label));
                Ok(LEFT_OUT)
            }
            (Some(_), Unknown::Error) if self.find(label.trim()).is_some() => {
                Err(Error::input(format!(
                    "the location {:?} is not in the universe, but it is without the blanks \
                     around it",
                    excerpt(label)
                ))
                .hint("remove the blanks in the file"))
            }
            (Some(_), Unknown::Error) => Err(Error::input(format!(
                "the location {:?} is not in the universe",
                excerpt(label)
            ))
            .hint(
                "if it is in the public timetable or map, add it to the list of --universe; \
                     otherwise leave such visits out with --unknown drop",
            )),
        }
    }

    pub(crate) fn finish(self, file: &str) -> Result<Located> {
        let (universe, code_of) = match self.declared {
            Some(universe) => (universe, None),
            None => {
                let (universe, code_of) = sorted(&self.labels.into_labels(), file)?;
                (universe, Some(code_of))
            }
        };
        Ok(Located {
            universe,
            code_of,
            left_out: self.left_out,
        })
    }
}

/// A universe of the labels that occur, sorted, and the new code of each old one.
fn sorted(labels: &Labels, file: &str) -> Result<(Universe, Vec<u32>)> {
    if labels.is_empty() {
        return Err(
            Error::input("there are no visits from which to take the locations")
                .in_file(file)
                .hint("state the locations with --universe FILE"),
        );
    }
    let mut order: Vec<u32> = (0..labels.len() as u32).collect();
    order.sort_unstable_by_key(|&code| labels.get(code as usize));
    let mut code_of = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        code_of[old as usize] = new as u32;
    }
    let names = order.iter().map(|&code| labels.get(code as usize));
    Ok((Universe::from_labels(names, Origin::FromData)?, code_of))
}
