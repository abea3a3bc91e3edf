//! The parts of `generalize`: coarser places, merged journeys, decoys.
//!
//! ```text
//!  public places ─ kmeans ─────────┐                   (free)
//!  records ─ private_kmeans ───────┤ clusters          (paid from ε)
//!                                  ▼
//!  records ─ canonical: each record for itself ─ merge ─▶ exact counts ─ noise ─▶ released keys
//!                                                                                │ post-processing
//!                                              near: nearly equal keys into one ─┤
//!                                              decoys: made-up journeys ─────────┘
//! ```
//!
//! Left of the noise nothing compares the records of two people but by counting equal journeys; right
//! of it nothing sees a record. [`as_published`] does it the other way round, as the paper does.

pub mod as_published;
pub mod canonical;
pub mod decoys;
pub mod in_place;
pub mod kmeans;
pub mod merge;
pub mod near;
pub mod nearest;
pub mod plane;
pub mod private_kmeans;
mod sphere;
pub mod symbols;

use wayveil_core::{Coordinate, Error, Result, Universe};

/// Where the locations of a universe are, in the order of their codes. All must have coordinates.
pub fn places(universe: &Universe) -> Result<Vec<Coordinate>> {
    let place = |location: &wayveil_core::Location| {
        location.at.ok_or_else(|| {
            Error::input(format!("location {:?} has no coordinates", location.label))
                .hint("clusters are made by distance: give a universe with coordinates")
        })
    };
    universe.locations().iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Location, Origin, UniverseDocument};

    use super::*;

    #[test]
    fn every_location_needs_a_place() {
        let at = Coordinate { lat: 1.0, lng: 2.0 };
        let universe = |second| {
            let location = |label: &str, at| Location {
                label: label.into(),
                at,
                ..Location::default()
            };
            Universe::try_from(UniverseDocument {
                origin: Origin::Declared("test".into()),
                locations: vec![location("A", Some(at)), location("B", second)],
                groups: Vec::new(),
            })
            .unwrap()
        };
        assert_eq!(places(&universe(Some(at))).unwrap(), [at, at]);
        let missing = places(&universe(None)).unwrap_err();
        assert!(missing.to_string().contains("\"B\""), "{missing}");
    }
}
