//! From labels to codes.

use sha2::{Digest, Sha256};
use wayveil_core::{Error, Result, Universe};

use crate::encoding::hex;

/// A visit to a place that the campaign does not know. No question can contain it, as locations
/// outside the universe are refused there.
const ELSEWHERE: u32 = u32::MAX;

/// The public set of locations of a campaign.
#[derive(Clone, Debug)]
pub struct Places(Universe);

impl Places {
    /// Reads the document, which must be the one that was announced.
    pub fn read(document: &[u8], sha256: &str, locations: u32) -> Result<Self> {
        let found = hex(&Sha256::digest(document));
        if found != sha256 {
            return Err(Error::input(format!(
                "the locations are not those announced: their SHA-256 is {found}, not {sha256}"
            )));
        }
        let universe: Universe = serde_json::from_slice(document)
            .map_err(|error| Error::input(format!("invalid document of locations: {error}")))?;
        match universe.len() == locations as usize {
            true => Ok(Self(universe)),
            false => Err(Error::input(format!(
                "there are {} locations, and {locations} were announced",
                universe.len()
            ))),
        }
    }

    /// The codes of a trajectory. A place that the campaign does not know stays in its place and
    /// matches nothing: leaving it out would make neighbours of visits that were none, and refusing
    /// to answer would tell that the trajectory has such a place.
    pub fn codes<S: AsRef<str>>(&self, labels: &[S]) -> Vec<u32> {
        let code = |label: &S| self.0.code(label.as_ref()).unwrap_or(ELSEWHERE);
        labels.iter().map(code).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_places_keep_neighbours_apart() {
        let document =
            br#"{"origin":"declared","source":"test","locations":[{"label":"a"},{"label":"b"}]}"#;
        let digest = hex(&Sha256::digest(document));
        let places = Places::read(document, &digest, 2).unwrap();
        assert_eq!(places.codes(&["b", "elsewhere", "a"]), [1, ELSEWHERE, 0]);
        assert!(places.codes::<&str>(&[]).is_empty());
        assert!(Places::read(document, &digest, 3).is_err());
        assert!(Places::read(&document[..10], &digest, 2).is_err());
        let other = hex(&Sha256::digest(b"{}"));
        assert!(Places::read(b"{}", &other, 2).is_err());
    }
}
