//! One run: from tracks to what is released.

use std::num::NonZeroU32;

use wayveil_core::{Coordinate, Delta, Epsilon, Error, RandomSource, Result, Sequences};
use wayveil_mechanisms::generalize::as_published::AsPublished;
use wayveil_mechanisms::generalize::canonical::{Canonical, Windows};
use wayveil_mechanisms::generalize::decoys::{Drawing, decoys};
use wayveil_mechanisms::generalize::kmeans::{Clustering, k_means, plus_plus};
use wayveil_mechanisms::generalize::merge::{Merged, merge};
use wayveil_mechanisms::generalize::private_kmeans::{Contribution, PrivateKMeans};
use wayveil_noise::thresholded::{self, laplace_threshold, truncated_bound};
use wayveil_noise::{DiscreteLaplace, TruncatedLaplace};

use super::data::Data;
use super::plan::{Centres, Noise, Plan, Repaired, Way};

/// Rounds of k-means over public places; it has settled long before.
const ROUNDS: u32 = 300;

/// Rounds of private k-means: each is paid for.
const PRIVATE_ROUNDS: u32 = 3;

/// The least points of a decoy of whole tracks, the paper's number, and the most where nothing else
/// says how long tracks are.
const SHORTEST_DECOY: u32 = 25;
const LONGEST_DECOY: u32 = 50;

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
    /// Made-up journeys beside them, where they are known to be made up.
    pub(super) decoys: Sequences,
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

    /// Clusters of the cells themselves.
    pub(super) fn public(plan: &Plan, data: &Data, random: &mut RandomSource) -> Result<Self> {
        let start = plus_plus(&data.places, None, plan.clusters, &mut random.stream())?;
        let clustering = k_means(&data.places, None, &start, ROUNDS)?;
        Ok(Self::new(clustering, &data.places))
    }

    /// Clusters of the taxis' points, under differential privacy.
    pub(super) fn private(
        plan: &Plan,
        data: &Data,
        epsilon: &Epsilon,
        random: &mut RandomSource,
    ) -> Result<Self> {
        let how = PrivateKMeans::new(epsilon, PRIVATE_ROUNDS, Contribution::Whole, 1)?;
        let found = how.run(&data.tracks, &data.places, plan.clusters, random)?;
        Self::around(&found.centres, &data.places)
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

    /// Journeys as often as their counts say, to the nearest whole number, and each decoy once; a
    /// cluster is the cell that stands for it.
    pub(super) fn trajectories(&self) -> Sequences {
        let mut all = Sequences::empty(false);
        let place = |cluster: &u32| self.clusters.places[*cluster as usize];
        let mut push = |journey: &[u32], times: u64| {
            let codes: Vec<u32> = journey.iter().map(place).collect();
            (0..times).for_each(|_| all.push(&codes, &[]));
        };
        for (journey, &count) in self.journeys.iter().zip(&self.counts) {
            push(journey, count.round() as u64);
        }
        self.decoys.iter().for_each(|decoy| push(decoy, 1));
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
        shortest_decoy: SHORTEST_DECOY,
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
        // They are among the journeys, and nobody is told which they are.
        decoys: Sequences::empty(false),
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

fn repaired(
    plan: &Plan,
    data: &Data,
    how: &Repaired,
    random: &mut RandomSource,
) -> Result<Published> {
    let clusters = match Shares::of(how)?.centres {
        None => Clusters::public(plan, data, random)?,
        Some(epsilon) => Clusters::private(plan, data, &epsilon, random)?,
    };
    let mut published = Published {
        clusters,
        windows: how.windows.map(|windows| Windows {
            points: windows.points,
            most: windows.most.get(),
            choice: windows.choice,
        }),
        collapse: how.collapse,
        journeys: Sequences::empty(false),
        counts: Vec::new(),
        decoys: Sequences::empty(false),
        most_shared: 0,
    };
    let counted = merged(&published.canonical(), data, random)?;
    published.most_shared = most(&counted);
    let noise = NoisyKeys::of(how)?;
    let rng = &mut random.stream();
    let mut noisy = Vec::new();
    for (key, &count) in counted.keys.iter().zip(&counted.counts) {
        if let Some(count) = noise.released(count, rng) {
            published.journeys.push(key, &[]);
            noisy.push(count);
        }
    }
    let lengths = match how.windows {
        Some(windows) => windows.points..=windows.points,
        None => SHORTEST_DECOY..=LONGEST_DECOY,
    };
    published.decoys = decoys(
        plan.decoys as usize,
        &Drawing::LikeReleased(lengths),
        published.canonical().symbols()?,
        &published.journeys,
        &noisy,
        rng,
    );
    published.counts = noisy.iter().map(|&count| count as f64).collect();
    Ok(published)
}

/// What ε is spent on.
pub(super) struct Shares {
    /// Nothing where clusters are of public places.
    pub(super) centres: Option<Epsilon>,
    counts: Epsilon,
}

impl Shares {
    pub(super) fn of(how: &Repaired) -> Result<Self> {
        let all: Epsilon = how.epsilon.parse()?;
        Ok(match how.centres {
            Centres::Public => Self {
                centres: None,
                counts: all,
            },
            Centres::Private => {
                let half = Epsilon::new(all.value().divided_by(2)?)?;
                Self {
                    centres: Some(half.clone()),
                    counts: half,
                }
            }
        })
    }
}

/// Noise with the threshold that its δ asks for.
pub(super) enum NoisyKeys {
    Laplace(DiscreteLaplace, u64),
    Truncated(TruncatedLaplace),
}

impl NoisyKeys {
    pub(super) fn of(how: &Repaired) -> Result<Self> {
        let most = how.windows.map_or(NonZeroU32::MIN, |windows| windows.most);
        let rate = Shares::of(how)?.counts.rate_over(most.get().into())?;
        let by = thresholded::Contribution::DistinctKeys(most);
        let delta = how.delta.parse::<Delta>()?.parts()?;
        let wrong = |error: thresholded::DeltaError| Error::input(error.to_string());
        Ok(match how.noise {
            Noise::Laplace => Self::Laplace(
                DiscreteLaplace::new(rate),
                laplace_threshold(rate, by, delta).map_err(wrong)?,
            ),
            Noise::Truncated => Self::Truncated(TruncatedLaplace::new(
                rate,
                truncated_bound(rate, by, delta).map_err(wrong)?,
            )),
        })
    }

    /// The least count that is released.
    pub(super) fn threshold(&self) -> u64 {
        match self {
            Self::Laplace(_, threshold) => *threshold,
            Self::Truncated(noise) => noise.bound() + 1,
        }
    }

    /// The noisy count, where it reaches the threshold.
    fn released<R: rand_core::Rng>(&self, count: u64, rng: &mut R) -> Option<i64> {
        let noise = match self {
            Self::Laplace(noise, _) => noise.sample(rng),
            Self::Truncated(noise) => noise.sample(rng),
        };
        let noisy = (count as i64).saturating_add(noise);
        (noisy >= self.threshold() as i64).then_some(noisy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn how(centres: Centres, noise: Noise) -> Repaired {
        Repaired {
            centres,
            windows: None,
            collapse: false,
            noise,
            epsilon: "1",
            delta: "1e-6",
        }
    }

    #[test]
    fn thresholds_are_those_of_the_formulas() {
        let of = |centres, noise| NoisyKeys::of(&how(centres, noise)).unwrap().threshold();
        // e^−(T−1)/(1 + 1/e) ≤ 10⁻⁶ from T = 1 + 13.502… on.
        assert_eq!(of(Centres::Public, Noise::Laplace), 15);
        // (e − 1)/(e^(B+1) + e^B − 2) ≤ 10⁻⁶ from B = 13.04… on.
        assert_eq!(of(Centres::Public, Noise::Truncated), 15);
        // e^−(T−1)/2/(1 + e^−½) ≤ 10⁻⁶ from T = 1 + 26.68… on: half of ε is gone.
        assert_eq!(of(Centres::Private, Noise::Laplace), 28);
    }

    #[test]
    fn all_of_epsilon_is_spent_and_no_more() {
        for centres in [Centres::Public, Centres::Private] {
            let shares = Shares::of(&how(centres, Noise::Laplace)).unwrap();
            let all = shares.counts.to_f64() + shares.centres.map_or(0.0, |it| it.to_f64());
            assert_eq!(all, 1.0);
        }
    }
}
