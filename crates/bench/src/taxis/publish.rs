//! One run: from tracks to what is released.

use std::borrow::Cow;

use wayveil_core::{Coordinate, Mechanism, RandomSource, Records, Result, Sequences, Silent};
use wayveil_mechanisms::Parameters;
use wayveil_mechanisms::generalize::as_published::AsPublished;
use wayveil_mechanisms::generalize::canonical::Canonical;
use wayveil_mechanisms::generalize::kmeans::{Clustering, k_means};
use wayveil_mechanisms::generalize::merge::{Merged, merge};
use wayveil_mechanisms::generalize::windows::Windows;
use wayveil_mechanisms::generalize::{Generalize, GeneralizeOptions};

use super::data::Data;
use super::plan::{Plan, Repaired, Way};

/// What comes out of a run, and how tracks became journeys.
pub(super) struct Published {
    pub(super) clusters: Clusters,
    /// Points of a window.
    pub(super) windows: Option<Windows>,
    pub(super) collapse: bool,
    /// Journeys of clusters, all different.
    pub(super) journeys: Sequences,
    /// The released count of each.
    pub(super) counts: Vec<f64>,
    /// Made-up journeys beside them; none as published, where they are among the journeys and nobody is
    /// told which they are.
    pub(super) decoys: Sequences,
    /// The released count of each.
    pub(super) counts_of_decoys: Vec<f64>,
    /// How many taxis have the journey that most have. An exact number, not part of the release.
    pub(super) most_shared: u64,
}

/// Clusters of the public cells.
#[derive(Clone, Debug)]
pub(super) struct Clusters {
    pub(super) centres: Vec<Coordinate>,
    /// The cluster of each cell.
    pub(super) of_place: Vec<u32>,
    /// The cell that stands for each cluster.
    pub(super) places: Vec<u32>,
}

impl Clusters {
    fn new(clustering: Clustering, places: &[Coordinate]) -> Self {
        Self {
            places: clustering.representatives(places),
            centres: clustering.centres,
            of_place: clustering.of_point,
        }
    }

    /// Each cell to the nearest of these centres.
    fn around(centres: &[Coordinate], places: &[Coordinate]) -> Result<Self> {
        Ok(Self::new(k_means(places, None, centres, 0)?, places))
    }
}

impl Published {
    /// How tracks became journeys.
    pub(super) fn canonical(&self) -> Canonical<'_> {
        Canonical {
            cluster_of_location: &self.clusters.of_place,
            clusters: self.clusters.centres.len(),
            time: None,
            collapse: self.collapse,
            windows: self.windows,
        }
    }

    /// Journeys and decoys as often as their counts say, to the nearest whole number; a cluster is the
    /// cell that stands for it.
    pub(super) fn trajectories(&self) -> Sequences {
        let mut all = Sequences::empty(false);
        let place = |cluster: &u32| self.clusters.places[*cluster as usize];
        let journeys = self.journeys.iter().zip(&self.counts);
        let decoys = self.decoys.iter().zip(&self.counts_of_decoys);
        for (journey, count) in journeys.chain(decoys) {
            let codes: Vec<u32> = journey.iter().map(place).collect();
            (0..count.round() as u64).for_each(|_| all.push(&codes, &[]));
        }
        all
    }
}

/// Does it once.
pub(super) fn publish(
    plan: &Plan,
    data: &Data,
    way: &Way,
    random: &mut RandomSource,
) -> Result<Published> {
    match way {
        Way::AsPublished => as_published(plan, data, random),
        Way::ClustersAlone => clusters_alone(plan, data, random),
        Way::Repaired(how) => repaired(plan, data, how, random),
    }
}

fn paper(plan: &Plan) -> AsPublished {
    AsPublished {
        clusters: plan.clusters,
        decoys: plan.decoys,
        ..AsPublished::default()
    }
}

fn as_published(plan: &Plan, data: &Data, random: &mut RandomSource) -> Result<Published> {
    let published = paper(plan).run(&data.tracks, &data.places, random)?;
    let mut all = Published {
        clusters: Clusters::around(&published.centres, &data.places)?,
        windows: None,
        collapse: false,
        journeys: published.trajectories,
        counts: published.counts,
        decoys: Sequences::empty(false),
        counts_of_decoys: Vec::new(),
        most_shared: 0,
    };
    all.most_shared = most(&merged(&all.canonical(), data, random)?);
    Ok(all)
}

/// The paper's clusters and merging, and nothing else of it.
fn clusters_alone(plan: &Plan, data: &Data, random: &mut RandomSource) -> Result<Published> {
    let paper = AsPublished {
        decoys: 0,
        ..paper(plan)
    };
    let published = paper.run(&data.tracks, &data.places, random)?;
    let mut all = Published {
        clusters: Clusters::around(&published.centres, &data.places)?,
        windows: None,
        collapse: false,
        journeys: Sequences::empty(false),
        counts: Vec::new(),
        decoys: Sequences::empty(false),
        counts_of_decoys: Vec::new(),
        most_shared: 0,
    };
    let merged = merged(&all.canonical(), data, random)?;
    all.most_shared = most(&merged);
    all.counts = merged.counts.iter().map(|&count| count as f64).collect();
    all.journeys = merged.keys;
    Ok(all)
}

/// Equal journeys with the number of taxis that have them.
fn merged(how: &Canonical<'_>, data: &Data, random: &mut RandomSource) -> Result<Merged> {
    let journeys = how.journeys(&data.tracks, random)?;
    merge(&journeys.sequences, Some(&journeys.record))
}

fn most(merged: &Merged) -> u64 {
    merged.counts.iter().copied().max().unwrap_or(0)
}

/// The mechanism as a publisher would have it.
fn mechanism(plan: &Plan, how: &Repaired) -> Result<Generalize> {
    let given = Parameters::new(Generalize::PARAMETERS, how.parameters(plan))?;
    Ok(Generalize {
        options: GeneralizeOptions::read(&given)?,
    })
}

/// The least noisy count that is released, as the manifest states it; none where nothing is promised.
pub(super) fn threshold(plan: &Plan, data: &Data, way: &Way) -> Result<Option<u64>> {
    let Some(how) = way.repaired() else {
        return Ok(None);
    };
    let claim = mechanism(plan, how)?.claim(&data.public())?;
    Ok(claim.parameters["threshold"].as_u64())
}

fn repaired(
    plan: &Plan,
    data: &Data,
    how: &Repaired,
    random: &mut RandomSource,
) -> Result<Published> {
    let mechanism = mechanism(plan, how)?;
    let records = Records {
        public: data.public(),
        sequences: Cow::Borrowed(&data.tracks),
        attributes: Vec::new(),
        owners: None,
        units: None,
    };
    let counted = mechanism.count(&records, random, &Silent)?;
    let most_shared = counted.most_shared();
    let made = counted.release(random)?;
    let windows = mechanism.options.canonical(&made.clustering, None).windows;
    let numbers = |counts: &[i64]| counts.iter().map(|&count| count as f64).collect();
    Ok(Published {
        windows,
        collapse: mechanism.options.collapse,
        counts: numbers(&made.journeys.counts),
        journeys: made.journeys.keys,
        counts_of_decoys: numbers(&made.decoys.counts),
        decoys: made.decoys.keys,
        most_shared,
        clusters: Clusters {
            centres: made.clustering.centres,
            of_place: made.clustering.of_point,
            places: made.representatives,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmarks::Effort;
    use crate::taxis::plan::{Centres, Noise};

    #[test]
    fn thresholds_are_those_of_the_formulas() {
        let data = Data::generated(1).unwrap();
        let plan = Plan::new(Effort::Full);
        let of = |centres, noise| {
            let how = Repaired {
                noise,
                ..Repaired::whole(centres)
            };
            threshold(&plan, &data, &Way::Repaired(how)).unwrap()
        };
        // e^−(T−1)/(1 + 1/e) ≤ 10⁻⁶ from T = 1 + 13.502… on.
        assert_eq!(of(Centres::Public, Noise::Laplace), Some(15));
        // (e − 1)/(e^(B+1) + e^B − 2) ≤ 10⁻⁶ from B = 13.04… on.
        assert_eq!(of(Centres::Public, Noise::Truncated), Some(15));
        // With 0.7 of ε: e^−0.7(T−1)/(1 + e^−0.7) ≤ 10⁻⁶ from T = 1 + 19.16… on.
        assert_eq!(of(Centres::Private, Noise::Laplace), Some(21));
        assert_eq!(threshold(&plan, &data, &Way::AsPublished).unwrap(), None);
    }

    #[test]
    fn a_run_is_what_the_mechanism_releases() {
        let data = Data::generated(60).unwrap();
        let plan = Plan::new(Effort::Quick);
        let mut some = 0;
        for way in plan.ways.iter().filter(|way| way.repaired().is_some()) {
            let random = || RandomSource::insecure_seed(3);
            let published = publish(&plan, &data, way, &mut random()).unwrap();
            let mechanism = mechanism(&plan, way.repaired().unwrap()).unwrap();
            let records = Records {
                public: data.public(),
                sequences: Cow::Borrowed(&data.tracks),
                attributes: Vec::new(),
                owners: None,
                units: None,
            };
            let output = mechanism.run(&records, &mut random(), &Silent).unwrap();
            let sorted = |rows: &Sequences| {
                let mut rows: Vec<Vec<u32>> = rows.iter().map(<[u32]>::to_vec).collect();
                rows.sort();
                rows
            };
            let (ours, theirs) = (published.trajectories(), output.trajectories);
            assert_eq!(sorted(&ours), sorted(&theirs), "{}", way.words());
            some += usize::from(!ours.is_empty());
        }
        assert!(some > 0, "nothing was compared");
    }
}
