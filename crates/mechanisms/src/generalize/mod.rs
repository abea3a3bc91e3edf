//! `generalize`: coarser places, equal journeys counted, decoys among them.
//!
//! # What it releases
//! Places are put into K clusters, records are cut into short journeys through clusters, equal journeys
//! are counted, and journeys with a large enough noisy count are released, each as many times as that
//! count says; among them made-up ones, the decoys. A cluster is shown as the location nearest to its
//! centre.
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
//! Left of the noise nothing compares the records of two people but by counting equal journeys; right
//! of it nothing sees a record.
//!
//! # Guarantee
//! (ε, δ)-differential privacy under adding or removing one unit of privacy, with noise `laplace` and
//! `truncated`; pure ε-differential privacy with `pure`. The δ that is claimed is the one that follows
//! from the noise and the threshold, at most the one that was asked for. Public inputs: the set of
//! locations with their coordinates, the number of time bins, all parameters, and the unit.
//!
//! # Why it holds
//! Let R be the records of one unit at most, and m the windows of a record, 1 for whole records.
//!
//! 1. *Clusters.* Of public places they see no record. Of private points they are released by a
//!    mechanism that is ε₁-differentially private ([`private_kmeans`]), ε₁ being a stated share of ε; the
//!    rest is ε₂ (for public places, ε₂ = ε). All below holds for any fixed clusters, so that both
//!    compose to (ε₁ + ε₂, δ).
//! 2. *Journeys.* Given the clusters, a record's journeys depend on that record and on coins of its own
//!    ([`canonical`]), and so does which of its windows count ([`windows`]). Fix all coins: then adding a
//!    unit adds at most R·m journeys and changes no other. The journeys of one record differ from each
//!    other, so that with R = 1 at most m counts grow by one each; with R > 1 the counts grow by R·m in
//!    all. What holds for all fixed coins holds for random ones, being drawn independently of the data.
//! 3. *Counts.* Noise has rate ε₂/(R·m). With `laplace` and `truncated` only journeys that occur are
//!    given noise and released from the threshold on: (ε₂, δ) by [`wayveil_noise::thresholded`], in its
//!    first form for R = 1 and in its second for R > 1. With `pure` every journey of 1 to n symbols that
//!    a record could have (time does not go back, and where stays are collapsed no cluster follows
//!    itself: [`wayveil_noise::SequenceDomain`]) is given noise, and no other is counted; the counts of all of
//!    them change by R·m in all, which is ε₂-differentially private, and comparing with a public threshold
//!    is post-processing. Journeys that are empty are not visited
//!    but the result is distributed as if they were, exactly: [`wayveil_noise::EmptySequences`].
//! 4. *The rest* (merging near journeys, decoys, rows) is made from released numbers and public inputs.
//!
//! # What it costs
//! Journeys that few people share are lost, whole tracks nearly always. A count is off by about
//! R·m/ε₂. Decoys protect nobody and add rows with nobody behind them.
//!
//! # Repaired
//! As published ([`as_published`]) clusters come from the data, noise never lowers a count, and its range
//! and scale come from the data: no ε holds. The published form is to be had with `as-published`; it
//! promises nothing.
//!
//! # Reference
//! S. S. Kulkarni: Preserving differential privacy in publication of trajectory data; after M. Li, L. Zhu,
//! Z. Zhang, R. Xu: Achieving differential privacy of trajectory data publishing in participatory
//! sensing, 2017. How the former is read, and where it is wrong: [`as_published`]. Thresholds: A.
//! Korolova, K. Kenthapadi, N. Mishra, A. Ntoulas: Releasing search queries and clicks privately, 2009.

pub mod as_published;
pub mod canonical;
mod claim;
mod counting;
pub mod decoys;
pub mod in_place;
pub mod kmeans;
mod mechanism;
pub mod merge;
pub mod near;
pub mod nearest;
mod options;
pub mod plane;
pub mod private_kmeans;
mod repaired;
mod rows;
mod sphere;
pub mod symbols;
#[cfg(test)]
mod testing;
pub mod windows;

pub use counting::Released;
pub use mechanism::Generalize;
pub use options::{Centres, DecoyStyle, GeneralizeOptions, Noise};
pub use repaired::{Counted, Made};

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
