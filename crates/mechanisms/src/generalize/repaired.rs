//! The repaired form, in two steps: exact counts of journeys, and what is released of them. The
//! mechanism writes the second as rows; experiments look at both.

use wayveil_core::{Coordinate, Progress, RandomSource, Records, Result, Sequences};

use super::canonical::{Canonical, CoarseTime};
use super::counting::{Counting, Released};
use super::kmeans::{Clustering, k_means, plus_plus};
use super::mechanism::Generalize;
use super::merge::{Merged, merge};
use super::options::GeneralizeOptions;
use super::private_kmeans::{Answer, PUBLIC_ROUNDS, PrivateKMeans};
use super::rows::with_decoys;
use super::symbols::Symbols;
use super::windows::Windows;

/// Everything that follows from public inputs.
pub(super) struct Plan {
    pub(super) places: Vec<Coordinate>,
    /// The most clusters that there can be.
    pub(super) clusters: usize,
    pub(super) private: Option<PrivateKMeans>,
    pub(super) counting: Counting,
    pub(super) time: Option<CoarseTime>,
}

/// Clusters, and exact counts of the journeys between them: raw data, not to be released.
pub struct Counted {
    plan: Plan,
    options: GeneralizeOptions,
    clusters: Clusters,
    symbols: Symbols,
    merged: Merged,
}

/// Where clusters are, and what the data was asked for them.
struct Clusters {
    clustering: Clustering,
    answers: Vec<Answer>,
}

/// What is made of exact counts: all of it may be released.
pub struct Made {
    /// The clusters of the public places.
    pub clustering: Clustering,
    /// The place that stands for each cluster, by its code.
    pub representatives: Vec<u32>,
    /// What journeys are written in.
    pub symbols: Symbols,
    /// The released journeys, near ones merged where that was asked for, with their noisy counts.
    pub journeys: Released,
    /// Those that are made up, with their counts.
    pub decoys: Released,
    /// How time was kept.
    pub(super) time: Option<CoarseTime>,
    /// The journeys that passed, before near ones were merged.
    pub(super) passed: Released,
    /// What the data was asked for the clusters.
    pub(super) answers: Vec<Answer>,
}

impl Generalize {
    /// The first step: clusters, and the journeys of all records counted. For the repaired form,
    /// whatever the options say of the published one.
    pub fn count(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Counted> {
        let plan = self.plan(&records.public)?;
        if plan.clusters < self.options.clusters {
            progress.warn(&format!(
                "there are only {} locations, fewer than --clusters {}: each may be a cluster of its \
                 own",
                plan.clusters, self.options.clusters
            ));
        }
        progress.begin("clustering places", None);
        let clusters = clusters(&plan, &records.sequences, random)?;
        progress.end();
        let canonical = self.options.canonical(&clusters.clustering, plan.time);
        let symbols = canonical.symbols()?;
        progress.begin("counting journeys", None);
        let journeys = canonical.journeys(&records.sequences, random)?;
        let merged = merge(&journeys.sequences, None)?;
        progress.end();
        Ok(Counted {
            plan,
            options: self.options.clone(),
            clusters,
            symbols,
            merged,
        })
    }
}

impl Counted {
    /// The greatest exact count, for experiments.
    pub fn most_shared(&self) -> u64 {
        self.merged.counts.iter().copied().max().unwrap_or(0)
    }

    /// The least noisy count that is released. Public.
    pub(super) fn threshold(&self) -> u64 {
        self.plan.counting.threshold
    }

    /// The second step: noise on the counts, and what is made of those that pass.
    pub fn release(self, random: &mut RandomSource) -> Result<Made> {
        let (plan, symbols) = (&self.plan, self.symbols);
        let rng = &mut random.stream();
        let passed = plan.counting.release(&self.merged, symbols, rng);
        // From here on nothing sees a record.
        let told = passed.clone();
        let (journeys, decoys) = with_decoys(&self.options, &plan.counting, passed, symbols, rng)?;
        let Clusters {
            clustering,
            answers,
        } = self.clusters;
        Ok(Made {
            representatives: clustering.representatives(&plan.places),
            clustering,
            symbols,
            journeys,
            decoys,
            time: plan.time,
            passed: told,
            answers,
        })
    }
}

impl GeneralizeOptions {
    /// How records become journeys between these clusters.
    pub fn canonical<'a>(
        &self,
        clustering: &'a Clustering,
        time: Option<CoarseTime>,
    ) -> Canonical<'a> {
        Canonical {
            cluster_of_location: &clustering.of_point,
            clusters: clustering.centres.len(),
            time,
            collapse: self.collapse,
            windows: self.window.map(|points| Windows {
                points,
                most: self.windows,
                choice: self.choose,
            }),
        }
    }
}

fn clusters(plan: &Plan, records: &Sequences, random: &mut RandomSource) -> Result<Clusters> {
    let (wanted, places) = (plan.clusters, &plan.places);
    let Some(private) = &plan.private else {
        let start = plus_plus(places, None, wanted, &mut random.stream())?;
        return Ok(Clusters {
            clustering: k_means(places, None, &start, PUBLIC_ROUNDS)?,
            answers: Vec::new(),
        });
    };
    let found = private.run(records, places, wanted, random)?;
    Ok(Clusters {
        // Public places to private centres: post-processing.
        clustering: k_means(places, None, &found.centres, 0)?,
        answers: found.answers,
    })
}
