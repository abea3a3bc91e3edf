//! Where the clusters lie.

use wayveil_core::{RandomSource, Result};
use wayveil_report::{ClusterPanel, cluster_map};

use super::NAME;
use super::data::Data;
use super::plan::{Centres, Plan, Repaired, USUAL, Way};
use super::publish::{Clusters, publish};

/// The clusters of the first repeat: public ones, private ones, and the paper's.
pub(super) fn svg(plan: &Plan, data: &Data) -> Result<String> {
    let clusters = |way| {
        let random = &mut RandomSource::insecure_seed_for(NAME, 0);
        publish(plan, data, &way, random).map(|published| published.clusters)
    };
    let public = clusters(Way::Repaired(Repaired::whole(Centres::Public)))?;
    let private = clusters(Way::Repaired(Repaired::whole(Centres::Private)))?;
    let paper = clusters(Way::AsPublished)?;
    let panel = |title: &str, note: &str, clusters: Clusters| ClusterPanel {
        title: title.to_owned(),
        note: note.to_owned(),
        places: &data.places,
        of_place: clusters.of_place,
        centres: clusters.centres,
    };
    Ok(cluster_map(
        &format!(
            "{} clusters for {}, cells of {} m",
            plan.clusters,
            data.words(),
            super::data::CELL
        ),
        &[
            panel("Public centres", "of the grid's cells; free", public),
            panel(
                "Private centres",
                &format!("of the taxis' points, with noise; 0.3 of ε = {USUAL}"),
                private,
            ),
            panel(
                "As published",
                "of the taxis' points as they are; no guarantee",
                paper,
            ),
        ],
    ))
}
