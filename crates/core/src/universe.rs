//! The public set of locations.
//!
//! A universe is a public input. Its [`Origin`] says whether it really is: one that was read off
//! the data reveals which locations occur there, and the door refuses it unless the publisher
//! accepts that.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::taxonomy::{Group, Taxonomy};

/// Where a public input came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "origin", content = "source")]
pub enum Origin {
    /// Stated by the publisher independently of the data, and how (never a path).
    Declared(String),
    /// Read off the raw data: a guarantee then holds only given that it is public anyway.
    FromData,
}

/// A point on the earth, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coordinate {
    /// Latitude, −90 to 90.
    pub lat: f64,
    /// Longitude, −180 to 180.
    pub lng: f64,
}

/// One location as written in documents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// Its label, unique in the universe; what releases contain.
    pub label: String,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Coordinate>,
    /// Its taxonomy group, as a position in the document's groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
}

/// A universe as a plain document; [`Universe`] is its checked form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UniverseDocument {
    /// Where it came from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The locations; a location's code is its position.
    pub locations: Vec<Location>,
    /// The taxonomy's groups; empty where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// The public set of locations: labels to codes and back, with optional coordinates and taxonomy.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "UniverseDocument", into = "UniverseDocument")]
pub struct Universe {
    locations: Vec<Location>,
    codes: FxHashMap<String, u32>,
    taxonomy: Option<Taxonomy>,
    origin: Origin,
}

impl Universe {
    /// The most locations a universe can have.
    pub const MAX_LOCATIONS: usize = 1 << 28;

    /// A universe of bare labels.
    pub fn from_labels<S: Into<String>>(
        labels: impl IntoIterator<Item = S>,
        origin: Origin,
    ) -> Result<Self> {
        let locations = labels
            .into_iter()
            .map(|label| Location {
                label: label.into(),
                ..Location::default()
            })
            .collect();
        Self::try_from(UniverseDocument {
            origin,
            locations,
            groups: Vec::new(),
        })
    }

    /// How many locations there are; never zero.
    pub fn len(&self) -> usize {
        self.locations.len()
    }

    /// Always false; a universe has at least one location.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }

    /// The code of a label.
    pub fn code(&self, label: &str) -> Option<u32> {
        self.codes.get(label).copied()
    }

    /// The label of a code; panics when out of range, like indexing a slice.
    pub fn label(&self, code: u32) -> &str {
        &self.locations[code as usize].label
    }

    /// All locations in the order of their codes.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// The taxonomy, if one was given.
    pub fn taxonomy(&self) -> Option<&Taxonomy> {
        self.taxonomy.as_ref()
    }

    /// The same locations with the same codes under another taxonomy.
    ///
    /// The taxonomy is a public input like the locations: it must not be made from the data.
    pub fn with_taxonomy(&self, taxonomy: Taxonomy) -> Result<Self> {
        if taxonomy.group_of_location().len() != self.len() {
            return Err(Error::input(format!(
                "the taxonomy is for {} locations and the universe has {}",
                taxonomy.group_of_location().len(),
                self.len()
            ))
            .hint("make the taxonomy for this universe; every location lies in one group"));
        }
        let mut universe = self.clone();
        for (location, &group) in universe
            .locations
            .iter_mut()
            .zip(taxonomy.group_of_location())
        {
            location.group = Some(group);
        }
        universe.taxonomy = Some(taxonomy);
        Ok(universe)
    }

    /// Where it came from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// SHA-256 of the universe's document, in hexadecimal: names the public input exactly.
    pub fn digest(&self) -> String {
        let document = serde_json::to_vec(&UniverseDocument::from(self.clone()))
            .expect("a universe is plain data");
        hex(&Sha256::digest(document))
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check_location(location: &Location) -> Result<()> {
    if location.label.is_empty() {
        return Err(Error::input("a location has an empty label"));
    }
    if let Some(Coordinate { lat, lng }) = location.at {
        let inside = (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng);
        if !inside {
            return Err(Error::input(format!(
                "invalid coordinates of location {:?} (got latitude {lat}, longitude {lng}): \
                 latitude lies within ±90 and longitude within ±180",
                location.label
            ))
            .hint("check whether latitude and longitude are swapped"));
        }
    }
    Ok(())
}

impl TryFrom<UniverseDocument> for Universe {
    type Error = Error;

    fn try_from(document: UniverseDocument) -> Result<Self> {
        let UniverseDocument {
            origin,
            locations,
            groups,
        } = document;
        if locations.is_empty() {
            return Err(Error::input("the universe has no location")
                .hint("give at least one location label, one per line"));
        }
        if locations.len() > Self::MAX_LOCATIONS {
            return Err(Error::input(format!(
                "the universe has {} locations; at most {} are supported",
                locations.len(),
                Self::MAX_LOCATIONS
            )));
        }
        let mut codes = FxHashMap::default();
        for (code, location) in locations.iter().enumerate() {
            check_location(location)?;
            if codes.insert(location.label.clone(), code as u32).is_some() {
                return Err(Error::input(format!(
                    "location {:?} appears twice in the universe",
                    location.label
                ))
                .hint("remove the double entry; a location has one place in the universe"));
            }
        }
        let taxonomy = taxonomy_of(&locations, groups)?;
        Ok(Self {
            locations,
            codes,
            taxonomy,
            origin,
        })
    }
}

fn taxonomy_of(locations: &[Location], groups: Vec<Group>) -> Result<Option<Taxonomy>> {
    if groups.is_empty() && locations.iter().all(|location| location.group.is_none()) {
        return Ok(None);
    }
    let group_of_location = locations
        .iter()
        .map(|location| {
            location.group.ok_or_else(|| {
                Error::input(format!(
                    "location {:?} is missing from the taxonomy",
                    location.label
                ))
                .hint("every location lies in exactly one group of the taxonomy")
            })
        })
        .collect::<Result<Vec<_>>>()?;
    Taxonomy::new(groups, group_of_location).map(Some)
}

impl From<Universe> for UniverseDocument {
    fn from(universe: Universe) -> Self {
        Self {
            origin: universe.origin,
            locations: universe.locations,
            groups: universe
                .taxonomy
                .map_or_else(Vec::new, |taxonomy| taxonomy.groups().to_vec()),
        }
    }
}

impl PartialEq for Universe {
    fn eq(&self, other: &Self) -> bool {
        self.locations == other.locations
            && self.taxonomy == other.taxonomy
            && self.origin == other.origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Origin {
        Origin::Declared("a list".into())
    }

    #[test]
    fn maps_labels_to_codes_and_back() {
        let universe = Universe::from_labels(["A", "B"], declared()).unwrap();
        assert_eq!(universe.code("B"), Some(1));
        assert_eq!(universe.label(0), "A");
        assert_eq!(universe.code("C"), None);
    }

    #[test]
    fn refuses_empty_and_double_labels_and_bad_coordinates() {
        assert!(Universe::from_labels(Vec::<String>::new(), declared()).is_err());
        assert!(Universe::from_labels([""], declared()).is_err());
        assert!(Universe::from_labels(["A", "A"], declared()).is_err());
        for (lat, lng) in [
            (91.0, 0.0),
            (0.0, 181.0),
            (f64::NAN, 0.0),
            (0.0, f64::INFINITY),
        ] {
            let document = UniverseDocument {
                origin: declared(),
                locations: vec![Location {
                    label: "A".into(),
                    at: Some(Coordinate { lat, lng }),
                    ..Location::default()
                }],
                groups: Vec::new(),
            };
            assert!(
                Universe::try_from(document).is_err(),
                "{lat}, {lng} was accepted"
            );
        }
    }

    #[test]
    fn a_taxonomy_must_hold_every_location() {
        let mut document = UniverseDocument {
            origin: declared(),
            locations: vec![
                Location {
                    label: "A".into(),
                    group: Some(0),
                    ..Location::default()
                },
                Location {
                    label: "B".into(),
                    ..Location::default()
                },
            ],
            groups: vec![Group {
                label: "line".into(),
                parent: None,
            }],
        };
        assert!(Universe::try_from(document.clone()).is_err());
        document.locations[1].group = Some(0);
        assert!(Universe::try_from(document).unwrap().taxonomy().is_some());
    }

    #[test]
    fn survives_json_and_is_named_by_its_digest() {
        let universe = Universe::from_labels(["A", "B"], declared()).unwrap();
        let text = serde_json::to_string(&universe).unwrap();
        let back: Universe = serde_json::from_str(&text).unwrap();
        assert_eq!(back, universe);
        assert_eq!(back.digest(), universe.digest());
        let other = Universe::from_labels(["B", "A"], declared()).unwrap();
        assert_ne!(other.digest(), universe.digest());
    }

    #[test]
    fn takes_another_taxonomy() {
        let group = |label: &str| Group {
            label: label.into(),
            parent: None,
        };
        let bare = Universe::from_labels(["A", "B"], declared()).unwrap();
        let first = Taxonomy::new(vec![group("x")], vec![0, 0]).unwrap();
        let second = Taxonomy::new(vec![group("y"), group("z")], vec![1, 0]).unwrap();
        let universe = bare.with_taxonomy(first).unwrap();
        let universe = universe.with_taxonomy(second.clone()).unwrap();
        assert_eq!(universe.taxonomy(), Some(&second));
        assert_eq!(universe.code("B"), Some(1));
        assert_eq!(universe.origin(), bare.origin());
        assert_ne!(universe.digest(), bare.digest());
        let text = serde_json::to_string(&universe).unwrap();
        assert_eq!(serde_json::from_str::<Universe>(&text).unwrap(), universe);
        for other in [vec![0], vec![0, 0, 0]] {
            let other = Taxonomy::new(vec![group("x")], other).unwrap();
            assert!(bare.with_taxonomy(other).is_err());
        }
    }
}
